// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The control of something that is on or off.
#include "ui/controls/switch_control.h"

#include <QSignalBlocker>

namespace ridgepoint {

SwitchControl::SwitchControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                             QWidget *parent)
    : FieldControl(store, settings, field, parent), box_(new QCheckBox(field.label)) {
    box_->setObjectName(field.id + QStringLiteral(".box"));
    box_->setToolTip(field.help);
    nameForAccessibility(box_, {});
    connect(box_, &QCheckBox::clicked, this, [this](bool checked) { send(checked); });
    begin(box_);
}

void SwitchControl::showValue() {
    const FieldValue stored = field_.get(store_.scenario());
    const bool *isOn = std::get_if<bool>(&stored);
    const QSignalBlocker blocker(box_);
    box_->setChecked(isOn != nullptr && *isOn);
    nameForAccessibility(box_, {});
}

} // namespace ridgepoint
