// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The card on the left: every row of the field table as a control, group by group, in a column that scrolls.
#pragma once

#include "ui/controls/field_control.h"

#include <QScrollArea>

#include <vector>

namespace ridgepoint {

class ControlColumn : public QScrollArea {
    Q_OBJECT

public:
    ControlColumn(ScenarioStore &store, const ViewSettings &settings, QWidget *parent = nullptr);

    const std::vector<FieldControl *> &controls() const { return controls_; }
    FieldControl *control(const QString &fieldId) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void dragChanged(bool isDragging);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::vector<FieldControl *> controls_;
};

} // namespace ridgepoint
