// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the command line's wishes to the window.
#include "ui/shell/run_window.h"

#include "app/offscreen.h"
#include "app/output.h"
#include "app/size.h"
#include "app/window.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QStandardPaths>

#include <filesystem>

namespace ridgepoint {

namespace {

/// Without one Qt would end the program with an abort.
bool hasDisplay() {
#ifdef Q_OS_LINUX
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
#else
    return true;
#endif
}

} // namespace

void addWindowArguments(CLI::App &app, WindowArguments &arguments) {
    app.add_option("--screenshot", arguments.screenshot,
                   "Save a picture of the window to this PNG and leave; needs no display");
    app.add_option("--size", arguments.size, "Size of the picture in pixels, as 1920x1080");
    app.add_option("--theme", arguments.theme, "Theme of the picture: system, light or dark")
        ->check(CLI::IsMember({"system", "light", "dark"}));
    app.add_option("--scale", arguments.scale, "Pixels per unit of length of the picture: 2 for a high-density screen")
        ->check(CLI::Range(0.5, 4.0));
    app.add_option("--measure-drag", arguments.measureDrag,
                   "Measure this many slider steps, print median and p99, and leave")
        ->group("");
    app.add_flag("--exit-after-first-paint", arguments.exitAfterFirstPaint,
                 "Print the time to the first paint and leave")
        ->group("");
}

int runWindowCommand(const WindowArguments &arguments, const Catalog &catalog, int argc, char **argv) {
    const std::optional<QSize> size = sizeFrom(arguments.size);
    if (!size) {
        refuseSize(arguments.size);
        return ExitBadInput;
    }
    for (const std::string &file : arguments.files) {
        if (!std::filesystem::exists(file)) {
            printProblems(file, {{.field = "",
                                  .found = "no such file",
                                  .allowed = "a file to open, or a subcommand of `ridgepoint --help`"}});
            return ExitBadInput;
        }
    }
    const bool offScreen = !arguments.screenshot.empty();
    if (offScreen) {
        prepareOffscreen();
    }
    if (!hasDisplay()) {
        std::fputs(
            "ridgepoint: there is no display to open a window on; `ridgepoint --help` lists what works without one\n",
            stderr);
        return ExitBadInput;
    }
    QApplication application(argc, argv);
    WindowOptions options;
    for (const std::string &file : arguments.files) {
        options.files.append(QString::fromStdString(file));
    }
    options.screenshot = QString::fromStdString(arguments.screenshot);
    options.size = *size;
    options.scale = arguments.scale;
    options.theme = arguments.theme == "light"  ? ThemeChoice::Light
                    : arguments.theme == "dark" ? ThemeChoice::Dark
                                                : ThemeChoice::System;
    options.dragSteps = arguments.measureDrag;
    options.exitAfterFirstPaint = arguments.exitAfterFirstPaint;
    // A measured or pictured window shows what it was told to, and leaves the user's own last state alone.
    if (!offScreen && arguments.measureDrag == 0 && !arguments.exitAfterFirstPaint) {
        options.sessionFolder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    }
    return runWindow(application, catalog, options);
}

} // namespace ridgepoint
