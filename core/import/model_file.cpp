// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what a path means, by its kind and its name, and reads it with the reader of that kind.
#include "core/import/import.h"
#include "core/import/read_file.h"
#include "core/import/weight_files.h"
#include "core/import/weight_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kindsAllowed =
    "a config.json, a .gguf, a .safetensors or its index, or a folder with a config.json";

tl::unexpected<Problems> wholeFile(std::string found, std::string allowed) {
    return tl::unexpected(Problems{{"", std::move(found), std::move(allowed)}});
}

std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

bool isThere(const fs::path &path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

Expected<ImportedModel> readConfig(const fs::path &path) {
    const Expected<std::string> text = readFileBounded(path.string(), "config.json");
    return text ? importHuggingFaceConfig(*text) : tl::unexpected(text.error());
}

Expected<ImportedModel> readGguf(const fs::path &path) {
    std::vector<std::string> warnings;
    const Expected<GgufHeader> header = readGgufFiles(path.string(), warnings);
    if (!header) {
        return tl::unexpected(header.error());
    }
    Expected<ImportedModel> model = modelOfGguf(*header);
    if (model) {
        model->warnings.insert(model->warnings.begin(), warnings.begin(), warnings.end());
    }
    return model;
}

Expected<ImportedModel> readSafetensors(const fs::path &path) {
    std::vector<std::string> warnings;
    Expected<std::vector<StoredTensor>> tensors = readSafetensorsFiles(path.string(), warnings);
    if (!tensors) {
        return tl::unexpected(tensors.error());
    }
    std::optional<std::string> config;
    if (const fs::path beside = path.parent_path() / "config.json"; isThere(beside)) {
        if (const Expected<std::string> text = readFileBounded(beside.string(), "config.json")) {
            config = *text;
        } else {
            warnings.push_back("config.json: " + text.error().front().message());
        }
    }
    ImportedModel model = modelOfCheckpoint(*std::move(tensors), config);
    model.warnings.insert(model.warnings.begin(), warnings.begin(), warnings.end());
    return model;
}

/// A model downloaded without its weights still has its config, and often the index of what was left behind.
Expected<ImportedModel> readFolder(const fs::path &folder) {
    const fs::path config = folder / "config.json";
    if (!isThere(config)) {
        return wholeFile("a folder without config.json", std::string(kindsAllowed));
    }
    for (const std::string_view name : {"model.safetensors.index.json", "model.safetensors"}) {
        if (!isThere(folder / name)) {
            continue;
        }
        std::error_code ignored;
        const bool hasWeights = std::ranges::any_of(fs::directory_iterator(folder, ignored), [](const auto &entry) {
            return lowered(entry.path().filename().string()).ends_with(".safetensors");
        });
        if (hasWeights) {
            return readSafetensors(folder / name);
        }
        Expected<ImportedModel> model = readConfig(config);
        if (model) {
            model->warnings.push_back(
                fmt::format("{}: none of its files is in the folder; the config alone was read", name));
        }
        return model;
    }
    return readConfig(config);
}

} // namespace

Expected<ImportedModel> importModelFile(const std::string &path) {
    const fs::path file(path);
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) {
        return readFolder(file);
    }
    if (error) {
        return wholeFile(error.message(), std::string(kindsAllowed));
    }
    if (!fs::is_regular_file(status)) {
        return wholeFile("something that is no regular file", std::string(kindsAllowed));
    }
    const std::string name = lowered(file.filename().string());
    if (name.ends_with(".gguf")) {
        return readGguf(file);
    }
    if (name.ends_with(".safetensors") || isSafetensorsIndex(name)) {
        return readSafetensors(file);
    }
    for (const std::string_view ending : {".bin", ".pt", ".pth"}) {
        if (name.ends_with(ending)) {
            return wholeFile(fmt::format("a {} file: pickled weights are not read", ending), std::string(kindsAllowed));
        }
    }
    return readConfig(file);
}

} // namespace ridgepoint
