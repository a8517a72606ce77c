// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The control of a few things that are each on or off: buttons beside each other that stay down.
#pragma once

#include "ui/controls/field_control.h"

#include <QAbstractButton>

#include <vector>

namespace ridgepoint {

/// A small word in a rounded frame, filled while it is on; a check box to assistive technology.
class FlagButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit FlagButton(const QString &text, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

class FlagsControl : public FieldControl {
    Q_OBJECT

public:
    FlagsControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                 QWidget *parent = nullptr);

    const std::vector<FlagButton *> &buttons() const { return buttons_; }

protected:
    void showValue() override;

private:
    void commit();

    std::vector<FlagButton *> buttons_;
};

} // namespace ridgepoint
