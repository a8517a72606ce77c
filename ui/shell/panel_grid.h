// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The panels: two by two with the inspector below, all following one store.
#pragma once

#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/panel.h"
#include "ui/store/scenario_store.h"
#include "ui/store/view_settings.h"

#include <QSplitter>

#include <vector>

namespace ridgepoint {

class PanelGrid : public QSplitter {
    Q_OBJECT

public:
    using Panel = ridgepoint::Panel; ///< not the frame shape of that name

    PanelGrid(ScenarioStore &store, const ViewSettings &settings, QWidget *parent = nullptr);

    const std::vector<Panel *> &panels() const { return panels_; }
    InspectorPanel *inspector() const { return inspector_; }
    void setTheme(const Theme &theme);
    void setDragging(bool isDragging);
    /// Puts one number of the report in the inspector, and selects its GPU.
    void inspect(const QString &gpuId, const QString &path);
    QString inspectedPath() const { return path_; }

Q_SIGNALS:
    /// The menu of one panel asks for its chart as a file.
    void exportAsked(const QStringList &charts);

private:
    void showReport();
    void showSelection();
    void showInspected(const QString &gpuId);
    void alignRows(QSplitter *moved, QSplitter *other);

    ScenarioStore &store_;
    const ViewSettings &settings_;
    std::vector<Panel *> panels_;
    InspectorPanel *inspector_ = nullptr;
    QString path_;
    bool isDragging_ = false;
};

} // namespace ridgepoint
