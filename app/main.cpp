// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the program and keeps every exception inside it.
#include "app/command_line.h"

#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
    try {
        return ridgepoint::runCommandLine(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "ridgepoint: internal error: %s\n", error.what());
    } catch (...) {
        std::fputs("ridgepoint: internal error\n", stderr);
    }
    return 1;
}
