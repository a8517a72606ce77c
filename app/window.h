// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the window, and the options that drive it from scripts: a screenshot, a measured drag, a measured start.
#pragma once

#include "core/catalog/catalog.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace ridgepoint {

struct WindowArguments {
    std::vector<std::string> files;
    std::string screenshot; ///< path of a PNG: draw the window off screen, save it, leave
    std::string size = "1920x1080";
    std::string theme = "system"; ///< system, light, dark
    double scale = 1;             ///< device pixels per pixel of the screenshot
    int measureDrag = 0;          ///< slider steps to measure
    bool exitAfterFirstPaint = false;
};

void addWindowArguments(CLI::App &app, WindowArguments &arguments);

int runWindowCommand(const WindowArguments &arguments, const Catalog &catalog, int argc, char **argv);

} // namespace ridgepoint
