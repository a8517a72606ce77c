// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `import`: the model as Ridgepoint reads it.
#include "core/import/import_report.h"

#include "app/commands.h"
#include "app/output.h"

namespace ridgepoint {

int runImport(const std::string &file, const std::string &output) {
    const Expected<ImportedModel> model = importModelFile(file);
    if (!model) {
        printProblems(file, model.error());
        return ExitBadInput;
    }
    return writeOutput(
        output,
        importReport(*model, file).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

} // namespace ridgepoint
