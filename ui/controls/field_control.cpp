// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What every control shares: following the store, showing problems, resetting to the default.
#include "ui/controls/field_control.h"

#include "core/scenario/file.h"

#include "ui/controls/choice_control.h"
#include "ui/controls/flags_control.h"
#include "ui/controls/gpu_list_control.h"
#include "ui/controls/quantity_control.h"
#include "ui/controls/switch_control.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

namespace ridgepoint {

FieldControl::FieldControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                           QWidget *parent)
    : QWidget(parent), store_(store), settings_(settings), field_(field) {
    setObjectName(field.id);
    setToolTip(field.help);
}

void FieldControl::begin(QWidget *content) {
    layout_ = new QVBoxLayout(this);
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(2);
    layout_->addWidget(content);
    problem_ = new QLabel(this);
    problem_->setObjectName(field_.id + QStringLiteral(".problem"));
    problem_->setWordWrap(true);
    problem_->setForegroundRole(QPalette::BrightText);
    problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problem_->hide();
    layout_->addWidget(problem_);
    connect(&store_, &ScenarioStore::scenarioChanged, this, [this] {
        refusal_.clear();
        refresh();
    });
    connect(&store_, &ScenarioStore::problemsChanged, this, &FieldControl::showProblem);
    connect(&settings_, &ViewSettings::numbersChanged, this, &FieldControl::refresh);
    refresh();
}

void FieldControl::refresh() {
    const bool applies = field_.appliesTo(store_.scenario());
    if (applies)
        showValue();
    if (applies != applies_) {
        applies_ = applies;
        setVisible(applies);
        Q_EMIT applicabilityChanged();
    }
    showProblem();
}

QString FieldControl::problemText() const {
    if (!refusal_.isEmpty())
        return refusal_;
    QStringList lines;
    for (const Problem &problem : store_.problemsOf(field_.id))
        lines.append(QString::fromStdString(problem.message()));
    return lines.join(u'\n');
}

void FieldControl::showProblem() {
    const QString text = problemText();
    if (text == problem_->text())
        return;
    problem_->setText(text);
    problem_->setVisible(!text.isEmpty());
}

void FieldControl::send(const FieldValue &value, Gesture gesture) {
    if (const auto problem = store_.edit(field_.id, value, gesture)) {
        refuse(*problem);
        return;
    }
    refusal_.clear();
    // Also when nothing changed: the widget may show what was typed in place of what is stored.
    showValue();
    showProblem();
}

void FieldControl::refuse(const Problem &problem) {
    Problem named = problem;
    named.field = field_.id.toStdString();
    refusal_ = QString::fromStdString(named.message());
    showValue();
    showProblem();
}

void FieldControl::nameForAccessibility(QWidget *widget, const QString &value) const {
    widget->setAccessibleName(field_.label);
    widget->setAccessibleDescription(value.isEmpty() ? field_.help
                                                     : tr("%1. %2", "value, help").arg(value, field_.help));
}

void FieldControl::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && layout_ != nullptr && applies_)
        showValue();
}

void FieldControl::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu(this);
    menu.setAttribute(Qt::WA_WindowPropagation);
    if (field_.optional)
        menu.addAction(tr("Automatic"), this, [this] { send({}); });
    menu.addAction(tr("Reset to default"), this, [this] { send(field_.get(defaultScenario(store_.catalog()))); });
    menu.exec(event->globalPos());
}

FieldControl *makeControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                          QWidget *parent) {
    switch (field.kind) {
    case FieldKind::Quantity:
        return new QuantityControl(store, settings, field, parent);
    case FieldKind::Choice:
        return new ChoiceControl(store, settings, field, parent);
    case FieldKind::Switch:
        return new SwitchControl(store, settings, field, parent);
    case FieldKind::Flags:
        return new FlagsControl(store, settings, field, parent);
    case FieldKind::GpuList:
        return new GpuListControl(store, settings, field, parent);
    }
    return nullptr;
}

} // namespace ridgepoint
