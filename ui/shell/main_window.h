// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, tool bar, verdict, controls and panels around one store.
#pragma once

#include "ui/shell/chart_export.h"
#include "ui/shell/session.h"
#include "ui/store/scenario_store.h"
#include "ui/store/view_settings.h"

#include <QMainWindow>

#include <memory>

class QSplitter;
class QVBoxLayout;

namespace ridgepoint {

class ControlColumn;
class PanelGrid;
class VerdictStrip;
struct WindowActions;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Store, settings and session must outlive the window.
    MainWindow(ScenarioStore &store, ViewSettings &settings, const Session &session, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// A scenario, or a model's config or folder; what is wrong with it goes to a message, and what was open stays.
    bool openFile(const QString &path);
    /// A message with text that can be selected; returns at once.
    void tell(const QString &title, const QString &text);
    void restore(const SessionState &state);

    ControlColumn *controls() const { return controls_; }
    PanelGrid *panels() const { return panels_; }
    VerdictStrip *verdict() const { return verdict_; }

public Q_SLOTS:
    void newScenario();
    void open();
    bool save();
    bool saveAs();
    void importModel();
    /// Asks for formats and folder; `charts` are ticked at first.
    void exportCharts(const QStringList &charts = chartIds());
    void copy();

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildToolBar();
    void buildContent();
    void follow();
    void applyTheme();
    void showVerdict();
    void showTitle();
    bool mayLeave(bool isClosing);
    bool saveTo(const QString &path);
    void saveSession();

    ScenarioStore &store_;
    ViewSettings &settings_;
    const Session &session_;
    VerdictStrip *verdict_ = nullptr;
    ControlColumn *controls_ = nullptr;
    PanelGrid *panels_ = nullptr;
    QSplitter *columns_ = nullptr;
    QVBoxLayout *layout_ = nullptr;
    std::unique_ptr<WindowActions> actions_;
};

} // namespace ridgepoint
