// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The list of GPUs with a filter: ticked ones first in the person's order, whatever the filter, then the rest of the
// catalogue.
#pragma once

#include "ui/controls/field_control.h"

#include <QLineEdit>
#include <QTreeWidget>

namespace ridgepoint {

class GpuListControl : public FieldControl {
    Q_OBJECT

public:
    GpuListControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                   QWidget *parent = nullptr);

    QLineEdit *filter() const { return filter_; }
    QTreeWidget *list() const { return list_; }

protected:
    void showValue() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::vector<std::string> chosenIds() const;
    void addRow(const std::string &id, bool isTicked);
    void applyFilter();
    bool passWheelOn(QWheelEvent &event);
    void moveCurrent(int by);
    void showSelection();
    QTreeWidgetItem *itemOf(const QString &id) const;

    QLineEdit *filter_ = nullptr;
    QTreeWidget *list_ = nullptr;
    QString shownFor_; ///< what the rows were built from
};

} // namespace ridgepoint
