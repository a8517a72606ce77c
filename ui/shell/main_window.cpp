// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window: puts the parts together and lets them follow the store.
#include "ui/shell/main_window.h"

#include "ui/shell/control_column.h"
#include "ui/shell/panel_grid.h"
#include "ui/shell/verdict_strip.h"
#include "ui/shell/window_actions.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace ridgepoint {

namespace {

/// The theme's palette, and where the controls look for the colours that a palette has no name for.
QPalette controlPalette(const Theme &theme) {
    QPalette palette = paletteFor(theme);
    palette.setColor(QPalette::Window, theme.ground);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.ground);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Midlight, theme.grid);
    palette.setColor(QPalette::PlaceholderText, theme.secondaryInk);
    palette.setColor(QPalette::BrightText, theme.textIn(theme.doesNotFit));
    return palette;
}

} // namespace

MainWindow::MainWindow(ScenarioStore &store, ViewSettings &settings, const Session &session, QWidget *parent)
    : QMainWindow(parent), store_(store), settings_(settings), session_(session) {
    setObjectName(QStringLiteral("window"));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    actions_ = std::make_unique<WindowActions>(makeActions(*this, store, settings));
    buildToolBar();
    buildContent();
    follow();
    applyTheme();
    showTitle();
    showVerdict();
    resize(1440, 900);
}

MainWindow::~MainWindow() = default;

void MainWindow::buildToolBar() {
    QToolBar *bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setContentsMargins(8, 2, 8, 4);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto button = [bar](QAction *action, const QString &text) {
        auto *made = new QToolButton(bar);
        made->setObjectName(action->objectName() + QStringLiteral(".button"));
        made->setAutoRaise(true);
        // As tool bars do: the keyboard has the menus and the shortcuts.
        made->setFocusPolicy(Qt::NoFocus);
        made->setDefaultAction(action);
        // The menu's text names the step (`Undo Micro-batch`); the bar must not move with it.
        made->setText(text);
        QObject::connect(action, &QAction::changed, made, [made, text] { made->setText(text); });
        bar->addWidget(made);
    };
    button(actions_->open, tr("Open"));
    button(actions_->save, tr("Save"));
    bar->addSeparator();
    button(actions_->undo, tr("Undo"));
    button(actions_->redo, tr("Redo"));
    bar->addSeparator();
    button(actions_->exportCharts, tr("Export"));
    auto *space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    button(actions_->decimalBytes, tr("GB"));
    button(actions_->binaryBytes, tr("GiB"));
    bar->addSeparator();
    button(actions_->systemTheme, tr("System"));
    button(actions_->lightTheme, tr("Light"));
    button(actions_->darkTheme, tr("Dark"));
}

void MainWindow::buildContent() {
    auto *content = new QWidget(this);
    layout_ = new QVBoxLayout(content);
    verdict_ = new VerdictStrip(content);
    columns_ = new QSplitter(Qt::Horizontal, content);
    controls_ = new ControlColumn(store_, settings_, columns_);
    panels_ = new PanelGrid(store_, settings_, columns_);
    columns_->addWidget(controls_);
    columns_->addWidget(panels_);
    columns_->setStretchFactor(0, 0);
    columns_->setStretchFactor(1, 1);
    columns_->setChildrenCollapsible(false);
    layout_->addWidget(verdict_);
    layout_->addWidget(columns_, 1);
    setCentralWidget(content);
}

void MainWindow::follow() {
    connect(&store_, &ScenarioStore::reportChanged, this, &MainWindow::showVerdict);
    connect(&store_, &ScenarioStore::adviceChanged, this, &MainWindow::showVerdict);
    connect(&store_, &ScenarioStore::problemsChanged, this, &MainWindow::showVerdict);
    connect(&store_, &ScenarioStore::selectedGpuChanged, this, &MainWindow::showVerdict);
    connect(&settings_, &ViewSettings::numbersChanged, this, &MainWindow::showVerdict);
    connect(&settings_, &ViewSettings::themeChanged, this, &MainWindow::applyTheme);
    connect(&store_.history(), &QUndoStack::cleanChanged, this, &MainWindow::showTitle);
    connect(&store_, &ScenarioStore::fileNameChanged, this, &MainWindow::showTitle);
    connect(controls_, &ControlColumn::dragChanged, panels_, &PanelGrid::setDragging);
    connect(panels_, &PanelGrid::exportAsked, this, &MainWindow::exportCharts);
    connect(verdict_, &VerdictStrip::quantityPicked, panels_, &PanelGrid::inspect);
}

void MainWindow::applyTheme() {
    const Theme theme = settings_.theme() == ThemeChoice::Light  ? lightTheme()
                        : settings_.theme() == ThemeChoice::Dark ? darkTheme()
                                                                 : themeFor(QApplication::palette());
    setPalette(controlPalette(theme));
    setFont(theme.font(TextRole::Body));
    verdict_->setTheme(theme);
    panels_->setTheme(theme);
}

void MainWindow::showVerdict() {
    const Report<double> &report = store_.report();
    if (!report.gpus.empty())
        verdict_->setVerdict(verdictOf(report, store_.reportedScenario(), store_.selectedGpu(), settings_.numbers()));
    QStringList lines;
    for (const Problem &problem : store_.problems())
        lines.append(QString::fromStdString(problem.message()));
    verdict_->setProblems(lines);
}

void MainWindow::showTitle() {
    const QString file = QFileInfo(store_.fileName()).fileName();
    const QString name = QString::fromStdString(store_.scenario().name);
    const QString shown = !file.isEmpty() ? file : !name.isEmpty() ? name : tr("New scenario");
    setWindowTitle(shown + QStringLiteral("[*]"));
    setWindowFilePath(store_.fileName());
    setWindowModified(!store_.isClean());
}

void MainWindow::changeEvent(QEvent *event) {
    QMainWindow::changeEvent(event);
    const bool isSystemChange =
        event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ApplicationFontChange;
    if (isSystemChange && verdict_ != nullptr)
        applyTheme();
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QMainWindow::resizeEvent(event);
    const int edge = height() < 45 * fontMetrics().height() ? fontMetrics().height() / 2 : fontMetrics().height();
    layout_->setContentsMargins(edge, edge, edge, edge);
    layout_->setSpacing(std::max(6, edge * 3 / 4));
}

void MainWindow::closeEvent(QCloseEvent *event) {
    if (!mayLeave(true)) {
        event->ignore();
        return;
    }
    saveSession();
    event->accept();
}

void MainWindow::restore(const SessionState &state) {
    if (!state.geometry.isEmpty())
        restoreGeometry(state.geometry);
    if (!state.columns.isEmpty())
        columns_->restoreState(state.columns);
}

void MainWindow::saveSession() {
    SessionState state;
    state.scenario = store_.reportedScenario();
    state.fileName = store_.fileName();
    state.isSaved = store_.isClean();
    state.geometry = saveGeometry();
    state.columns = columns_->saveState();
    state.binaryBytes = settings_.numbers().bytes == ByteUnits::Binary;
    state.theme = static_cast<int>(settings_.theme());
    session_.save(state);
}

} // namespace ridgepoint
