// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The control of a few things that are each on or off.
#include "ui/controls/flags_control.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace ridgepoint {

FlagButton::FlagButton(const QString &text, QWidget *parent) : QAbstractButton(parent) {
    setText(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
}

QSize FlagButton::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    return {metrics.horizontalAdvance(text()) + metrics.averageCharWidth() * 3 / 2, metrics.height() + 6};
}

void FlagButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor accent = palette().color(QPalette::Highlight);
    painter.setPen(QPen(isChecked() || hasFocus() ? accent : palette().color(QPalette::Mid), hasFocus() ? 2 : 1));
    painter.setBrush(isChecked() ? accent : palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    if (hasFocus() && isChecked()) {
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(3, 3, -3, -3), 3, 3);
    }
    painter.setPen(palette().color(isChecked() ? QPalette::HighlightedText : QPalette::Text));
    painter.drawText(rect(), Qt::AlignCenter, text());
}

FlagsControl::FlagsControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                           QWidget *parent)
    : FieldControl(store, settings, field, parent) {
    auto *content = new QWidget(this);
    auto *lines = new QVBoxLayout(content);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(3);
    lines->addWidget(new QLabel(field.label, content));
    auto *row = new QHBoxLayout;
    row->setSpacing(3);
    for (const FieldChoice &choice : field.choices(store.scenario(), store.catalog())) {
        auto *button = new FlagButton(choice.name, content);
        button->setObjectName(field.id + u'.' + QString::fromStdString(choice.id));
        button->setToolTip(choice.help);
        button->setAccessibleName(tr("%1: %2", "field, flag").arg(field.label, choice.name));
        button->setAccessibleDescription(choice.help);
        connect(button, &QAbstractButton::clicked, this, &FlagsControl::commit);
        row->addWidget(button);
        buttons_.push_back(button);
    }
    row->addStretch(1);
    lines->addLayout(row);
    begin(content);
}

void FlagsControl::commit() {
    const auto choices = field_.choices(store_.scenario(), store_.catalog());
    std::vector<std::string> on;
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        if (buttons_[i]->isChecked())
            on.push_back(choices[i].id);
    }
    send(on);
}

void FlagsControl::showValue() {
    const FieldValue stored = field_.get(store_.scenario());
    const auto *on = std::get_if<std::vector<std::string>>(&stored);
    const auto choices = field_.choices(store_.scenario(), store_.catalog());
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const QSignalBlocker blocker(buttons_[i]);
        buttons_[i]->setChecked(on != nullptr && std::ranges::find(*on, choices[i].id) != on->end());
    }
}

} // namespace ridgepoint
