// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The control of a choice among named values.
#include "ui/controls/choice_control.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QWheelEvent>

namespace ridgepoint {

ChoiceBox::ChoiceBox(QWidget *parent) : QComboBox(parent) {
    setFocusPolicy(Qt::StrongFocus);
}

void ChoiceBox::wheelEvent(QWheelEvent *event) {
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

void ChoiceBox::initStyleOption(QStyleOptionComboBox *option) const {
    QComboBox::initStyleOption(option);
    const qsizetype bracket = option->currentText.indexOf(QStringLiteral(" ("));
    const int room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this).width();
    if (bracket > 0 && option->fontMetrics.horizontalAdvance(option->currentText) > room)
        option->currentText.truncate(bracket);
}

ChoiceControl::ChoiceControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                             QWidget *parent)
    : FieldControl(store, settings, field, parent), box_(new ChoiceBox) {
    auto *content = new QWidget(this);
    auto *line = new QHBoxLayout(content);
    line->setContentsMargins(0, 0, 0, 0);
    auto *label = new QLabel(field.label, content);
    label->setBuddy(box_);
    box_->setObjectName(field.id + QStringLiteral(".box"));
    box_->setMaxVisibleItems(24);
    box_->setMinimumContentsLength(12);
    box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    nameForAccessibility(box_, {});
    line->addWidget(label, 9);
    line->addWidget(box_, 11);
    connect(box_, &QComboBox::activated, this,
            [this](int index) { send(box_->itemData(index).toString().toStdString()); });
    begin(content);
}

void ChoiceControl::showValue() {
    const auto choices = field_.choices(store_.scenario(), store_.catalog());
    const QSignalBlocker blocker(box_);
    bool same = static_cast<int>(choices.size()) == box_->count();
    for (int i = 0; same && i < box_->count(); ++i) {
        const FieldChoice &choice = choices[static_cast<std::size_t>(i)];
        same = box_->itemData(i).toString() == QString::fromStdString(choice.id) && box_->itemText(i) == choice.name;
    }
    if (!same) {
        box_->clear();
        for (const FieldChoice &choice : choices) {
            box_->addItem(choice.name, QString::fromStdString(choice.id));
            box_->setItemData(box_->count() - 1, choice.help, Qt::ToolTipRole);
        }
    }
    const FieldValue stored = field_.get(store_.scenario());
    const std::string *id = std::get_if<std::string>(&stored);
    const int index = id != nullptr ? box_->findData(QString::fromStdString(*id)) : -1;
    if (index != box_->currentIndex())
        box_->setCurrentIndex(index);
    const QString help = index >= 0 ? box_->itemData(index, Qt::ToolTipRole).toString() : QString();
    const QString chosen = help.isEmpty() ? box_->currentText() : tr("%1: %2").arg(box_->currentText(), help);
    box_->setToolTip(chosen.isEmpty() ? field_.help : QString(chosen + u'\n' + field_.help));
    nameForAccessibility(box_, box_->currentText());
}

} // namespace ridgepoint
