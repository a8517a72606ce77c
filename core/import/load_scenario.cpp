// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the scenario reader and the model import over the file system.
#include "core/import/load_scenario.h"

#include "core/import/import.h"
#include "core/import/read_file.h"

#include <filesystem>

namespace ridgepoint {

ConfigLoader configLoaderFor(const std::string &folder) {
    return [folder](const std::string &path) -> Expected<ModelChoice> {
        const std::filesystem::path whole = std::filesystem::path(folder) / path; // an absolute path stays as it is
        const Expected<ImportedModel> model = importModelFile(whole.string());
        if (!model) {
            return tl::make_unexpected(model.error());
        }
        ModelChoice choice;
        choice.source = ModelChoice::Source::Config;
        choice.reference = path;
        choice.shape = model->shape;
        choice.assumptions = model->assumptions;
        choice.assumptions.insert(choice.assumptions.end(), model->warnings.begin(), model->warnings.end());
        return choice;
    };
}

Expected<Scenario> loadScenario(const std::string &path, const Catalog &catalog) {
    const Expected<std::string> text = readFileBounded(path, "scenario");
    if (!text) {
        return tl::make_unexpected(text.error());
    }
    return readScenario(*text, catalog, configLoaderFor(std::filesystem::path(path).parent_path().string()));
}

} // namespace ridgepoint
