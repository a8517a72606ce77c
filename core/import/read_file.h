// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file that a user named, up to a bound, with the system's own words where it cannot be read.
#pragma once

#include "core/scenario/problem.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgepoint {

inline constexpr std::size_t largestTextFileBytes = 8'000'000;

/// The bytes of a regular file or a pipe. Errors: what the system says, a folder, more than `largest` bytes. `what`
/// names the file's kind in the message, as `scenario`.
Expected<std::string> readFileBounded(const std::string &path, std::string_view what,
                                      std::size_t largest = largestTextFileBytes);

} // namespace ridgepoint
