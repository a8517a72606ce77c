// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line hands back: exit codes, problems on standard error, and files that are whole or not there.
#pragma once

#include "core/scenario/problem.h"

#include <string>
#include <string_view>

namespace ridgepoint {

enum ExitCode : int { ExitDone = 0, ExitBadInput = 2, ExitDoesNotFit = 3, ExitCannotWrite = 4 };

/// Text of a user on its way to a terminal: line breaks, control and direction-changing characters are made visible.
std::string shownName(std::string_view name);

/// `FILE: field: what was found, what is allowed`, one a line, on standard error.
void printProblems(std::string_view file, const Problems &problems);

/// Writes to `path`, or to standard output where it is empty. A regular file is written beside and renamed, so it is
/// whole or as it was. ExitDone, or ExitCannotWrite with the system's reason on standard error.
int writeOutput(const std::string &path, std::string_view text);

} // namespace ridgepoint
