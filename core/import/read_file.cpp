// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded reading of a file.
#include "core/import/read_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace ridgepoint {

namespace {

tl::unexpected<Problems> wholeFile(std::string found, std::string allowed) {
    return tl::unexpected(Problems{{.field = "", .found = std::move(found), .allowed = std::move(allowed)}});
}

} // namespace

Expected<std::string> readFileBounded(const std::string &path, std::string_view what, std::size_t largest) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return wholeFile("a folder", fmt::format("a {} file", what));
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) {
        return wholeFile(std::generic_category().message(errno), fmt::format("a {} file that can be read", what));
    }
    std::string text;
    std::array<char, 65536> block{};
    while (text.size() <= largest) {
        const std::size_t got = std::fread(block.data(), 1, block.size(), file.get());
        text.append(block.data(), got);
        if (got < block.size()) {
            if (std::ferror(file.get()) != 0) {
                return wholeFile(std::generic_category().message(errno),
                                 fmt::format("a {} file that can be read", what));
            }
            return text;
        }
    }
    return wholeFile(fmt::format("more than {} bytes", largest),
                     fmt::format("a {} file of {} bytes at most", what, largest));
}

} // namespace ridgepoint
