// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The generic control of a number: what the slider and the field send, and how the store's value is shown in both.
#include "ui/controls/quantity_control.h"

#include "ui/controls/track_slider.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace ridgepoint {

bool QuantityEdit::event(QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride && !isModified()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        // With nothing typed, undo and redo are the window's.
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return false;
        }
    }
    return QLineEdit::event(event);
}

void QuantityEdit::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Up:
        Q_EMIT stepped(1);
        return;
    case Qt::Key_Down:
        Q_EMIT stepped(-1);
        return;
    case Qt::Key_Escape:
        if (isModified()) {
            Q_EMIT cancelled();
            return;
        }
        break;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

QuantityControl::QuantityControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                                 QWidget *parent)
    : FieldControl(store, settings, field, parent), slider_(new TrackSlider), edit_(new QuantityEdit) {
    auto *content = new QWidget(this);
    auto *grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(1);
    auto *label = new QLabel(field.label, content);
    label->setBuddy(edit_);
    edit_->setObjectName(field.id + QStringLiteral(".edit"));
    edit_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    edit_->setFixedWidth(edit_->fontMetrics().averageCharWidth() * 15);
    edit_->setToolTip(field.help);
    edit_->setContextMenuPolicy(Qt::NoContextMenu);
    slider_->setObjectName(field.id + QStringLiteral(".slider"));
    slider_->setToolTip(field.help);
    nameForAccessibility(slider_, {});
    nameForAccessibility(edit_, {});
    grid->addWidget(label, 0, 0);
    grid->addWidget(edit_, 0, 1);
    grid->addWidget(slider_, 1, 0, 1, 2);
    grid->setColumnStretch(0, 1);

    connect(slider_, &QSlider::sliderPressed, this, [this] {
        gesture_ = store_.newGesture();
        Q_EMIT dragChanged(true);
    });
    connect(slider_, &QSlider::sliderReleased, this, [this] {
        gesture_ = 0;
        Q_EMIT dragChanged(false);
    });
    connect(slider_, &QSlider::valueChanged, this, &QuantityControl::commitSlider);
    connect(edit_, &QLineEdit::editingFinished, this, &QuantityControl::commitText);
    connect(edit_, &QuantityEdit::cancelled, this, &QuantityControl::showValue);
    connect(edit_, &QuantityEdit::stepped, this, [this](int steps) {
        if (edit_->isModified())
            commitText();
        slider_->setValue(slider_->value() + steps);
    });
    begin(content);
}

void QuantityControl::commitSlider() {
    send(slider_->stopValue(), gesture_);
}

void QuantityControl::commitText() {
    // The text rounds: only what was typed may become the value.
    if (!edit_->isModified())
        return;
    edit_->setModified(false);
    const QString text = edit_->text().trimmed();
    if (text.isEmpty()) {
        send({});
        return;
    }
    const auto value = parseQuantity(text.toStdString(), field_.unit, settings_.numbers());
    if (value)
        send(*value);
    else
        refuse(value.error());
}

void QuantityControl::showValue() {
    const Scenario &scenario = store_.scenario();
    const FieldValue stored = field_.get(scenario);
    const double *given = std::get_if<double>(&stored);
    std::optional<double> value = given != nullptr ? std::optional(*given) : std::nullopt;
    if (!value && field_.automatic)
        value = field_.automatic(scenario, store_.catalog());

    const QSignalBlocker blockSlider(slider_);
    const QSignalBlocker blockEdit(edit_);
    const Stops stops = field_.stops(scenario, store_.catalog());
    slider_->setTrack(stops, field_.scale);
    slider_->setExact(value, given == nullptr);
    const QString text = value ? field_.text(*value, settings_.numbers()) : field_.automaticText;
    if (edit_->text() != text || edit_->isModified()) {
        edit_->setText(text);
        edit_->setCursorPosition(0);
    }
    const QPalette::ColorRole ink = given == nullptr ? QPalette::PlaceholderText : QPalette::Text;
    if (edit_->palette().color(QPalette::Text) != palette().color(ink)) {
        // Only this one colour: the others keep following the window.
        QPalette colors;
        colors.setColor(QPalette::Text, palette().color(ink));
        edit_->setPalette(colors);
    }
    const QString shown = given == nullptr ? tr("automatic: %1").arg(text) : text;
    // What the crosses on the track say.
    QStringList refused;
    for (const RefusedStop &stop : stops.refused)
        refused.append(stop.reason);
    const QString why =
        refused.isEmpty() ? shown : tr("%1. Refused: %2").arg(shown, refused.join(QStringLiteral("; ")));
    nameForAccessibility(slider_, why);
    nameForAccessibility(edit_, shown);
}

} // namespace ridgepoint
