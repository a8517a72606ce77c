// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: subcommands, options and what happens without any.
#pragma once

namespace ridgepoint {

/// Runs the program; returns its exit code.
int runCommandLine(int argc, char **argv);

} // namespace ridgepoint
