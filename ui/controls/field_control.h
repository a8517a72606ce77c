// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What every control shares: a row of the field table over the store, its problem in words below it, its tool tip and
// its menu.
#pragma once

#include "ui/store/scenario_store.h"
#include "ui/store/view_settings.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace ridgepoint {

class FieldControl : public QWidget {
    Q_OBJECT

public:
    const ControlField &field() const { return field_; }
    /// What stands below the control: why the last input was refused, or what is wrong with its value; empty when all
    /// is well.
    QString problemText() const;

    /// Whether this field means anything for the scenario at hand; else the control is hidden.
    bool applies() const { return applies_; }

Q_SIGNALS:
    /// A drag begins or ends; views keep their axes meanwhile.
    void dragChanged(bool isDragging);
    void applicabilityChanged();

protected:
    FieldControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field, QWidget *parent);

    /// Shows the store's value; must not send an edit back.
    virtual void showValue() = 0;
    /// Puts the control's widgets above the problem text, and starts to follow the store.
    void begin(QWidget *content);
    /// Sends an edit; a refusal is shown and the store's value shown again.
    void send(const FieldValue &value, Gesture gesture = 0);
    void refuse(const Problem &problem);
    void nameForAccessibility(QWidget *widget, const QString &value) const;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;

    ScenarioStore &store_;
    const ViewSettings &settings_;
    const ControlField &field_;

private:
    void refresh();
    void showProblem();

    QVBoxLayout *layout_ = nullptr;
    QLabel *problem_ = nullptr;
    QString refusal_;
    bool applies_ = true;
};

/// The control of a row, by its kind.
FieldControl *makeControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                          QWidget *parent);

} // namespace ridgepoint
