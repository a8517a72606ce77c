// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The control of something that is on or off.
#pragma once

#include "ui/controls/field_control.h"

#include <QCheckBox>

namespace ridgepoint {

class SwitchControl : public FieldControl {
    Q_OBJECT

public:
    SwitchControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                  QWidget *parent = nullptr);

    QCheckBox *box() const { return box_; }

protected:
    void showValue() override;

private:
    QCheckBox *box_ = nullptr;
};

} // namespace ridgepoint
