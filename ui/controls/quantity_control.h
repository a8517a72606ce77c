// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The generic control of a number: a slider, and a field that reads what people type (`7B`, `8k`, `1.5 TB`).
#pragma once

#include "ui/controls/field_control.h"

#include <QLineEdit>

namespace ridgepoint {

class TrackSlider;

/// A field whose up and down keys step as the slider's arrows do.
class QuantityEdit : public QLineEdit {
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

Q_SIGNALS:
    void stepped(int steps);
    void cancelled();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
};

class QuantityControl : public FieldControl {
    Q_OBJECT

public:
    QuantityControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                    QWidget *parent = nullptr);

    TrackSlider *slider() const { return slider_; }
    QLineEdit *edit() const { return edit_; }

protected:
    void showValue() override;

private:
    void commitText();
    void commitSlider();

    TrackSlider *slider_ = nullptr;
    QuantityEdit *edit_ = nullptr;
    Gesture gesture_ = 0;
};

} // namespace ridgepoint
