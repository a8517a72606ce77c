// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window: text, shortcut, tip and what it does.
#include "ui/shell/window_actions.h"

#include "ui/shell/main_window.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

namespace ridgepoint {

namespace {

QAction *add(QMenu &menu, const QString &text, const QKeySequence &keys, const QString &tip, const QString &name) {
    QAction *action = menu.addAction(text);
    action->setShortcut(keys);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    action->setObjectName(name);
    return action;
}

QMenu *addMenu(MainWindow &window, const QString &title) {
    QMenu *menu = window.menuBar()->addMenu(title);
    menu->setAttribute(Qt::WA_WindowPropagation);
    menu->setToolTipsVisible(true);
    return menu;
}

/// The stack's own actions carry the name of the step: `Undo Micro-batch`.
void adopt(QMenu &menu, QAction *action, const QKeySequence &keys, const QString &name) {
    action->setShortcut(keys);
    action->setObjectName(name);
    menu.addAction(action);
}

void addFile(MainWindow &window, WindowActions &actions) {
    QMenu &menu = *addMenu(window, MainWindow::tr("&File"));
    actions.newScenario =
        add(menu, MainWindow::tr("&New"), QKeySequence::New,
            MainWindow::tr("Start over with the scenario that comes with the program"), QStringLiteral("new"));
    actions.open = add(menu, MainWindow::tr("&Open…"), QKeySequence::Open, MainWindow::tr("Open a scenario"),
                       QStringLiteral("open"));
    actions.save = add(menu, MainWindow::tr("&Save"), QKeySequence::Save, MainWindow::tr("Save the scenario"),
                       QStringLiteral("save"));
    actions.saveAs = add(menu, MainWindow::tr("Save &As…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                         MainWindow::tr("Save the scenario as another file"), QStringLiteral("save-as"));
    menu.addSeparator();
    actions.importModel =
        add(menu, MainWindow::tr("&Import model…"), QKeySequence(Qt::CTRL | Qt::Key_I),
            MainWindow::tr("Take the model from a Hugging Face config.json"), QStringLiteral("import-model"));
    actions.exportCharts = add(menu, MainWindow::tr("&Export charts…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                               MainWindow::tr("Write the charts as SVG, PDF or PNG"), QStringLiteral("export"));
    menu.addSeparator();
    actions.quit = add(menu, MainWindow::tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q),
                       MainWindow::tr("Close the window"), QStringLiteral("quit"));
    QObject::connect(actions.newScenario, &QAction::triggered, &window, &MainWindow::newScenario);
    QObject::connect(actions.open, &QAction::triggered, &window, &MainWindow::open);
    QObject::connect(actions.save, &QAction::triggered, &window, &MainWindow::save);
    QObject::connect(actions.saveAs, &QAction::triggered, &window, &MainWindow::saveAs);
    QObject::connect(actions.importModel, &QAction::triggered, &window, &MainWindow::importModel);
    QObject::connect(actions.exportCharts, &QAction::triggered, &window, [&window] { window.exportCharts(); });
    QObject::connect(actions.quit, &QAction::triggered, &window, &QWidget::close);
}

void addEdit(MainWindow &window, ScenarioStore &store, WindowActions &actions) {
    QMenu &menu = *addMenu(window, MainWindow::tr("&Edit"));
    actions.undo = store.history().createUndoAction(&window, MainWindow::tr("&Undo"));
    actions.redo = store.history().createRedoAction(&window, MainWindow::tr("&Redo"));
    adopt(menu, actions.undo, QKeySequence::Undo, QStringLiteral("undo"));
    adopt(menu, actions.redo, QKeySequence::Redo, QStringLiteral("redo"));
    menu.addSeparator();
    actions.copy = add(menu, MainWindow::tr("&Copy"), QKeySequence::Copy,
                       MainWindow::tr("Copy the panel with the keyboard focus as a table, else the verdict"),
                       QStringLiteral("copy"));
    QObject::connect(actions.copy, &QAction::triggered, &window, &MainWindow::copy);
}

QAction *addChoice(QMenu &menu, QActionGroup &group, const QString &text, const QString &tip, const QString &name,
                   bool isOn) {
    QAction *action = add(menu, text, {}, tip, name);
    action->setCheckable(true);
    action->setChecked(isOn);
    group.addAction(action);
    return action;
}

void addView(MainWindow &window, ViewSettings &settings, WindowActions &actions) {
    QMenu &menu = *addMenu(window, MainWindow::tr("&View"));
    auto *bytes = new QActionGroup(&window);
    const bool isBinary = settings.numbers().bytes == ByteUnits::Binary;
    actions.decimalBytes =
        addChoice(menu, *bytes, MainWindow::tr("GB"), MainWindow::tr("Bytes in powers of 1000: 1 GB = 1e9 bytes"),
                  QStringLiteral("decimal-bytes"), !isBinary);
    actions.binaryBytes =
        addChoice(menu, *bytes, MainWindow::tr("GiB"), MainWindow::tr("Bytes in powers of 1024: 1 GiB = 2^30 bytes"),
                  QStringLiteral("binary-bytes"), isBinary);
    menu.addSeparator();
    auto *themes = new QActionGroup(&window);
    actions.systemTheme =
        addChoice(menu, *themes, MainWindow::tr("&System colours"), MainWindow::tr("Light or dark, as the system is"),
                  QStringLiteral("system-theme"), settings.theme() == ThemeChoice::System);
    actions.lightTheme = addChoice(menu, *themes, MainWindow::tr("&Light"), MainWindow::tr("Light colours"),
                                   QStringLiteral("light-theme"), settings.theme() == ThemeChoice::Light);
    actions.darkTheme = addChoice(menu, *themes, MainWindow::tr("&Dark"), MainWindow::tr("Dark colours"),
                                  QStringLiteral("dark-theme"), settings.theme() == ThemeChoice::Dark);
    QObject::connect(actions.decimalBytes, &QAction::triggered, &settings,
                     [&settings] { settings.setBytes(ByteUnits::Decimal); });
    QObject::connect(actions.binaryBytes, &QAction::triggered, &settings,
                     [&settings] { settings.setBytes(ByteUnits::Binary); });
    QObject::connect(actions.systemTheme, &QAction::triggered, &settings,
                     [&settings] { settings.setTheme(ThemeChoice::System); });
    QObject::connect(actions.lightTheme, &QAction::triggered, &settings,
                     [&settings] { settings.setTheme(ThemeChoice::Light); });
    QObject::connect(actions.darkTheme, &QAction::triggered, &settings,
                     [&settings] { settings.setTheme(ThemeChoice::Dark); });
    QObject::connect(&settings, &ViewSettings::numbersChanged, &window,
                     [&settings, decimal = actions.decimalBytes, binary = actions.binaryBytes] {
                         (settings.numbers().bytes == ByteUnits::Binary ? binary : decimal)->setChecked(true);
                     });
    const auto byTheme = {actions.systemTheme, actions.lightTheme, actions.darkTheme};
    QObject::connect(&settings, &ViewSettings::themeChanged, &window,
                     [&settings, choices = std::vector<QAction *>(byTheme)] {
                         choices[static_cast<std::size_t>(settings.theme())]->setChecked(true);
                     });
}

void addHelp(MainWindow &window, WindowActions &actions) {
    QMenu &menu = *addMenu(window, MainWindow::tr("&Help"));
    actions.modelled = add(menu, MainWindow::tr("What this version &models"), QKeySequence::HelpContents,
                           MainWindow::tr("What is computed, and what is left out"), QStringLiteral("modelled"));
    actions.about = add(menu, MainWindow::tr("&About Ridgepoint"), {}, MainWindow::tr("Version and licence"),
                        QStringLiteral("about"));
    QObject::connect(actions.modelled, &QAction::triggered, &window,
                     [&window] { window.tell(MainWindow::tr("What this version models"), modelledText()); });
    QObject::connect(actions.about, &QAction::triggered, &window,
                     [&window] { window.tell(MainWindow::tr("About Ridgepoint"), aboutText()); });
}

} // namespace

WindowActions makeActions(MainWindow &window, ScenarioStore &store, ViewSettings &settings) {
    WindowActions actions;
    addFile(window, actions);
    addEdit(window, store, actions);
    addView(window, settings, actions);
    addHelp(window, actions);
    return actions;
}

QString aboutText() {
    return MainWindow::tr(
               "Ridgepoint %1\n\nA what-if explorer for deep learning on GPUs: does it fit, what limits it, how fast "
               "is it, "
               "what does it draw and cost, and why.\n\nThe ridge point of a roofline is the arithmetic intensity at "
               "which a "
               "GPU stops being memory-bound and becomes compute-bound.\n\nFree software under the GNU General Public "
               "License, version 3 or later. Comes with no warranty.")
        .arg(QStringLiteral(RIDGEPOINT_VERSION));
}

QString modelledText() {
    return MainWindow::tr(
        "Computed\n"
        "• dense transformers: multi-head, grouped-query and multi-query attention, gated or plain MLP, rotary, "
        "learned or ALiBi positions\n"
        "• training: recipes, optimizers, recomputation, sharding (ZeRO 1 to 3), tensor, sequence, pipeline and data "
        "parallelism\n"
        "• inference: prefill and decode, weights and cache in their formats\n"
        "• memory at every instant of a step, a roofline point per operation, step time, latency, power, energy, "
        "ownership and rent\n\n"
        "Not computed\n"
        "• models that are not transformers, mixtures of experts, latent attention, encoder-decoders\n"
        "• LoRA, offloading, context and expert parallelism, interleaved schedules, queueing\n"
        "• several kinds of GPU in one job\n\n"
        "Peaks are dense peaks. Prices and efficiencies are estimates with a date and a source; click any number to "
        "see them.");
}

} // namespace ridgepoint
