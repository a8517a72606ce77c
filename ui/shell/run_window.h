// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the window; also takes its picture and measures it, for documentation and for notes on speed.
#pragma once

#include "core/scenario/scenario.h"

#include "ui/store/view_settings.h"

#include <QSize>
#include <QStringList>

class QApplication;

namespace ridgepoint {

struct WindowOptions {
    QStringList files;  ///< opened in order; the last scenario stays, a model becomes the scenario's
    QString screenshot; ///< not empty: write this PNG and end
    QSize size = {1920, 1080};
    ThemeChoice theme = ThemeChoice::System; ///< for screenshots
    double scale = 1;                        ///< device pixels per pixel of a screenshot; its size counts device pixels
    int dragSteps = 0;                       ///< more than 0: measure that many slider steps and end
    bool exitAfterFirstPaint = false;
    QString sessionFolder; ///< where the last state is kept; empty: nowhere
};

/// Style, name and icon of the program; once, before any window.
void prepareApplication(QApplication &application);

/// Opens the window and runs until it is closed. Returns the exit code: 0, 2 for a file that cannot be read at the
/// start of a screenshot, 4 for a picture that cannot be written.
int runWindow(QApplication &application, const Catalog &catalog, const WindowOptions &options);

/// Draws the window of a scenario off screen into a PNG. The system's words when it cannot be written; empty when it
/// was.
QString saveScreenshot(const Catalog &catalog, const Scenario &scenario, const QString &path, const QSize &size,
                       ThemeChoice theme, double scale = 1);

/// Milliseconds from a slider step to the repainted 1920x1080 window with 8 GPUs, one per step.
std::vector<double> measureDrag(const Catalog &catalog, int steps);

} // namespace ridgepoint
