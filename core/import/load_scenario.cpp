// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the scenario reader and the model import over the file system.
#include "core/import/load_scenario.h"

#include "core/import/import.h"
#include "core/import/read_file.h"

#include <filesystem>

namespace ridgepoint {

Expected<ModelChoice> choiceOf(const ImportedModel &model, const std::string &reference) {
    if (!model.hasShape) {
        return tl::make_unexpected(
            Problems{{"", "weights alone: " + model.whyNoShape, "a model whose shape can be told"}});
    }
    ModelChoice choice;
    choice.source = ModelChoice::Source::Config;
    choice.reference = reference;
    choice.shape = model.shape;
    choice.stored = model.stored;
    choice.assumptions = model.assumptions;
    choice.assumptions.insert(choice.assumptions.end(), model.warnings.begin(), model.warnings.end());
    return choice;
}

ConfigLoader configLoaderFor(const std::string &folder) {
    return [folder](const std::string &path) -> Expected<ModelChoice> {
        const std::filesystem::path whole = std::filesystem::path(folder) / path; // an absolute path stays as it is
        const Expected<ImportedModel> model = importModelFile(whole.string());
        if (!model) {
            return tl::make_unexpected(model.error());
        }
        return choiceOf(*model, path);
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
