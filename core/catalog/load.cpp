// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the catalogue together from the embedded files and from the user's own.
#include "core/catalog/catalog.h"
#include "core/catalog/embedded.h"
#include "core/catalog/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ridgepoint {

namespace {

using catalog::FileContext;
using nlohmann::json;

constexpr std::uintmax_t largestUserFileBytes = JsonLimits{}.bytes;

void readSources(const json &document, FileContext &context, Problems &problems) {
    const auto it = document.find("sources");
    if (it == document.end()) {
        return;
    }
    if (!it->is_object()) {
        problems.push_back({"sources", shownValue(*it), "an object of short ids and texts"});
        return;
    }
    for (const auto &item : it->items()) {
        if (item.value().is_string()) {
            context.sources[item.key()] = item.value().get<std::string>();
        } else {
            problems.push_back({"sources." + shownText(item.key()), shownValue(item.value()), "a text"});
        }
    }
}

void checkTopLevel(const json &document, const std::vector<std::string_view> &known, Problems &problems) {
    for (const auto &item : document.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            problems.push_back(
                {shownText(item.key()), "an unknown key", fmt::format("one of {}", fmt::join(known, ", "))});
        }
    }
}

void addProblems(CatalogResult &result, std::string_view file, Problems problems) {
    for (Problem &problem : problems) {
        result.problems.push_back({std::string(file), std::move(problem)});
    }
}

using Reader = void (*)(const json &, const FileContext &, Catalog &, Problems &);

struct BuiltInFile {
    std::string_view path;
    std::string_view list;
    Reader read;
};

// In the order in which they need each other: accelerators stand on architectures and on the general facts.
constexpr std::array<BuiltInFile, 15> builtInFiles = {{
    {"resources/general.json", "general", catalog::readGeneral},
    {"resources/architectures.json", "architectures", catalog::readArchitectures},
    {"resources/gpus.json", "gpus", catalog::readGpus},
    {"resources/block_types.json", "block_types", catalog::readBlockTypes},
    {"resources/formats.json", "formats", catalog::readFormats},
    {"resources/optimizers.json", "optimizers", catalog::readOptimizers},
    {"resources/recipes.json", "recipes", catalog::readRecipes},
    {"resources/frameworks.json", "frameworks", catalog::readFrameworks},
    {"resources/engines.json", "engines", catalog::readEngines},
    {"resources/bands.json", "bands", catalog::readBands},
    {"resources/economics.json", "economics", catalog::readEconomics},
    {"resources/models.json", "models", catalog::readModels},
    {"resources/grids.json", "grids", catalog::readGrids},
    {"resources/defaults.json", "defaults", catalog::readDefaults},
    {"resources/quantities.json", "quantities", catalog::readQuantities},
}};

} // namespace

CatalogResult builtInCatalog() {
    CatalogResult result;
    for (const BuiltInFile &file : builtInFiles) {
        Problems problems;
        Expected<json> document = parseStrictJsonObject(embeddedResource(file.path));
        if (document) {
            FileContext context;
            checkTopLevel(*document, {"sources", file.list}, problems);
            readSources(*document, context, problems);
            file.read(*document, context, result.catalog, problems);
        } else {
            problems = std::move(document.error());
        }
        addProblems(result, file.path, std::move(problems));
    }
    return result;
}

void addUserFile(CatalogResult &result, std::string_view fileName, std::string_view text) {
    Expected<json> document = parseStrictJsonObject(text);
    if (!document) {
        addProblems(result, fileName, std::move(document.error()));
        return;
    }
    Problems problems;
    FileContext context;
    context.defaultSource = std::string(fileName);
    checkTopLevel(*document, {"sources", "gpus", "models"}, problems);
    readSources(*document, context, problems);
    if (!document->contains("gpus") && !document->contains("models")) {
        problems.push_back({"gpus", "nothing", "a list of accelerators under gpus, or of models under models"});
    }
    if (document->contains("gpus")) {
        catalog::readGpus(*document, context, result.catalog, problems);
    }
    if (document->contains("models")) {
        catalog::readModels(*document, context, result.catalog, problems);
    }
    addProblems(result, fileName, std::move(problems));
}

void addUserFolder(CatalogResult &result, const std::string &folder) {
    std::error_code error;
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (it->path().extension() == ".json" && it->is_regular_file(ignored)) {
            paths.push_back(it->path());
        }
    }
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path &path : paths) {
        std::error_code sizeError;
        const std::uintmax_t bytes = std::filesystem::file_size(path, sizeError);
        if (!sizeError && bytes > largestUserFileBytes) {
            addProblems(result, path.string(),
                        {{"", fmt::format("{} bytes", bytes), fmt::format("at most {} bytes", largestUserFileBytes)}});
            continue;
        }
        std::ifstream stream(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        if (!stream) {
            addProblems(result, path.string(), {{"", "a file that cannot be read", "a readable file"}});
            continue;
        }
        addUserFile(result, path.filename().string(), text);
    }
}

} // namespace ridgepoint
