// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The control of a choice among named values.
#pragma once

#include "ui/controls/field_control.h"

#include <QComboBox>

namespace ridgepoint {

/// Takes the wheel only with the keyboard focus, so that a column of them can be scrolled.
class ChoiceBox : public QComboBox {
    Q_OBJECT

public:
    explicit ChoiceBox(QWidget *parent = nullptr);

protected:
    void wheelEvent(QWheelEvent *event) override;
    /// Where the text has no room, what it says in brackets is left to the list and the tool tip.
    void initStyleOption(QStyleOptionComboBox *option) const override;
};

class ChoiceControl : public FieldControl {
    Q_OBJECT

public:
    ChoiceControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                  QWidget *parent = nullptr);

    QComboBox *box() const { return box_; }

protected:
    void showValue() override;

private:
    ChoiceBox *box_ = nullptr;
};

} // namespace ridgepoint
