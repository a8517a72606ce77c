// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window in one place, so that menus, tool bar and shortcuts cannot disagree.
#pragma once

#include <QAction>
#include <QString>

namespace ridgepoint {

class MainWindow;
class ScenarioStore;
class ViewSettings;

struct WindowActions {
    QAction *newScenario = nullptr, *open = nullptr, *save = nullptr, *saveAs = nullptr, *importModel = nullptr;
    QAction *exportCharts = nullptr, *quit = nullptr;
    QAction *undo = nullptr, *redo = nullptr, *copy = nullptr;
    QAction *decimalBytes = nullptr, *binaryBytes = nullptr;
    QAction *systemTheme = nullptr, *lightTheme = nullptr, *darkTheme = nullptr;
    QAction *about = nullptr, *modelled = nullptr;
};

/// Makes the actions as children of the window and its menus.
WindowActions makeActions(MainWindow &window, ScenarioStore &store, ViewSettings &settings);

/// What Help says of the program, and of what this version computes and leaves out.
QString aboutText();
QString modelledText();

} // namespace ridgepoint
