// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the config that a path means, and turns files with weights away by name.
#include "core/import/import.h"
#include "core/import/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Problems> wholeFile(std::string found, std::string allowed) {
    return tl::unexpected(Problems{{"", std::move(found), std::move(allowed)}});
}

std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

/// Files with weights, by name: none of them is read yet, and none of them is text.
bool holdsWeights(const fs::path &path, std::string &kind) {
    const std::string name = lowered(path.filename().string());
    for (const std::string_view ending : {".safetensors.index.json", ".gguf", ".safetensors", ".bin", ".pt", ".pth"}) {
        if (name.ends_with(ending)) {
            kind = ending;
            return true;
        }
    }
    return false;
}

} // namespace

Expected<ImportedModel> importModelFile(const std::string &path) {
    fs::path file(path);
    std::error_code error;
    fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) {
        file /= "config.json";
        status = fs::status(file, error);
        if (status.type() == fs::file_type::not_found) {
            return wholeFile("a folder without config.json", "a config.json or a folder with one");
        }
    }
    if (error) {
        return wholeFile(error.message(), "a config.json or a folder with one");
    }
    if (std::string kind; holdsWeights(file, kind)) {
        return wholeFile(fmt::format("a {} file, which is not read in this version", kind),
                         "the config.json of the model, or the folder with it");
    }
    if (!fs::is_regular_file(status)) {
        return wholeFile("something that is no regular file", "a config.json or a folder with one");
    }
    const Expected<std::string> text = readFileBounded(file.string(), "config.json");
    if (!text) {
        return tl::unexpected(text.error());
    }
    return importHuggingFaceConfig(*text);
}

} // namespace ridgepoint
