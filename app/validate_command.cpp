// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `validate`: predictions beside the measured cases that the program ships with.
#include "core/validate/bands_file.h"
#include "core/validate/bounds.h"
#include "core/validate/validation_text.h"

#include "app/commands.h"
#include "app/output.h"

namespace ridgepoint {

int runValidate(const ValidateOptions &options, const Catalog &catalog) {
    const Expected<MeasuredSet> set = measuredSet();
    const Expected<ErrorBounds> bounds = measuredBounds();
    if (!set || !bounds) {
        printProblems("resources/measured", set ? bounds.error() : set.error());
        return ExitBadInput;
    }
    const ValidationResult result = validate(*set, catalog);
    if (options.bands) {
        return writeOutput({}, bandsFile(result));
    }
    if (options.bounds) {
        return writeOutput({}, boundsFile(result, *bounds));
    }
    if (options.format == "markdown") {
        return writeOutput({}, validationMarkdown(result, *set, *bounds));
    }
    return writeOutput(
        {},
        validationJson(result, *set, *bounds).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
            "\n");
}

} // namespace ridgepoint
