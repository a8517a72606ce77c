// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Gives access to the data files of resources/ that the build put into the program.
#pragma once

#include <span>
#include <string_view>

namespace ridgepoint {

struct EmbeddedResource {
    std::string_view path; ///< relative to the repository root, as "resources/gpus.json"
    std::string_view text; ///< the file's bytes, UTF-8
};

/// Every embedded file, sorted by path. The views live as long as the program.
std::span<const EmbeddedResource> embeddedResources();

/// The text of one embedded file; empty when the program holds no file of that path.
std::string_view embeddedResource(std::string_view path);

} // namespace ridgepoint
