// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The card on the left: builds the groups from the field table and brings what gets the keyboard focus into view.
#include "ui/shell/control_column.h"

#include "ui/shell/model_card.h"
#include "ui/store/field_table.h"

#include <QApplication>
#include <QFocusEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ridgepoint {

namespace {

QLabel *makeHeading(FieldGroup group, QWidget *parent) {
    auto *heading = new QLabel(groupName(group).toUpper(), parent);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    font.setPixelSize(std::max(9, heading->fontInfo().pixelSize() * 9 / 10));
    font.setLetterSpacing(QFont::PercentageSpacing, 103);
    heading->setFont(font);
    heading->setForegroundRole(QPalette::PlaceholderText);
    return heading;
}

} // namespace

ControlColumn::ControlColumn(ScenarioStore &store, const ViewSettings &settings, QWidget *parent)
    : QScrollArea(parent) {
    setObjectName(QStringLiteral("controls"));
    setAccessibleName(tr("Controls"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    const int pad = fontMetrics().height();
    column->setContentsMargins(pad, pad * 3 / 4, pad, pad * 3 / 4);
    column->setSpacing(pad / 2);
    std::optional<FieldGroup> group;
    for (const ControlField &field : fieldTable()) {
        if (field.group != group) {
            if (group == FieldGroup::Model)
                column->addWidget(new ModelCard(store, settings, content));
            if (group)
                column->addSpacing(pad / 2);
            group = field.group;
            column->addWidget(makeHeading(field.group, content));
        }
        FieldControl *control = makeControl(store, settings, field, content);
        connect(control, &FieldControl::dragChanged, this, &ControlColumn::dragChanged);
        controls_.push_back(control);
        column->addWidget(control);
        for (QWidget *part : control->findChildren<QWidget *>()) {
            if (part->focusPolicy() != Qt::NoFocus)
                part->installEventFilter(this);
        }
    }
    column->addStretch(1);
    setWidget(content);
    // setWidget() turns this on; the card below must show.
    content->setAutoFillBackground(false);
    verticalScrollBar()->setSingleStep(pad * 2);
}

FieldControl *ControlColumn::control(const QString &fieldId) const {
    const auto found = std::ranges::find_if(controls_, [&](const FieldControl *c) { return c->field().id == fieldId; });
    return found != controls_.end() ? *found : nullptr;
}

QSize ControlColumn::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 41, 600};
}

QSize ControlColumn::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 36, 200};
}

void ControlColumn::paintEvent(QPaintEvent *) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

bool ControlColumn::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::FocusIn) {
        const auto reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason)
            ensureWidgetVisible(static_cast<QWidget *>(watched), 0, fontMetrics().height() * 2);
    }
    return QScrollArea::eventFilter(watched, event);
}

} // namespace ridgepoint
