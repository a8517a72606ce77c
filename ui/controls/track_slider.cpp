// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A slider over a list of values; draws itself from the palette: Highlight the accent, Mid the track, Base the handle.
#include "ui/controls/track_slider.h"

#include "ui/store/stops.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// More dots than this would run together.
constexpr std::size_t mostDots = 24;

} // namespace

TrackSlider::TrackSlider(QWidget *parent) : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSingleStep(1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void TrackSlider::setTrack(const Stops &stops, Scale scale) {
    if (stops.values == stops_.values && stops.only == stops_.only && stops.refused == stops_.refused &&
        scale == scale_)
        return;
    const QSignalBlocker blocker(this);
    stops_ = stops;
    scale_ = scale;
    const int last = std::max(0, static_cast<int>(stops.values.size()) - 1);
    setRange(0, last);
    setPageStep(std::max(1, last / 10));
    if (exact_)
        setValue(nearestStop(stops_.values, *exact_, scale_));
    update();
}

void TrackSlider::setExact(std::optional<double> value, bool isAutomatic) {
    const QSignalBlocker blocker(this);
    setValue(value ? nearestStop(stops_.values, *value, scale_) : 0);
    exact_ = value;
    isAutomatic_ = isAutomatic;
    update();
}

double TrackSlider::stopValue() const {
    return stops_.values.empty() ? 0 : stops_.values[static_cast<std::size_t>(value())];
}

double TrackSlider::shownValue() const {
    return exact_ ? *exact_ : stopValue();
}

int TrackSlider::radius() const {
    return std::max(6, fontMetrics().height() * 2 / 5);
}

QSize TrackSlider::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 24, 2 * radius() + 6};
}

QSize TrackSlider::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 10, 2 * radius() + 6};
}

double TrackSlider::shareOf(double value) const {
    if (stops_.values.size() < 2)
        return 0;
    return trackShare(value, stops_.values.front(), stops_.values.back(), scale_);
}

int TrackSlider::pixelOf(double value) const {
    const int room = width() - 2 * radius() - 2;
    const double share = shareOf(value);
    const int fromStart = static_cast<int>(std::lround(share * room));
    return radius() + 1 + (isRightToLeft() ? room - fromStart : fromStart);
}

int TrackSlider::stopAtPixel(int x) const {
    const int room = std::max(1, width() - 2 * radius() - 2);
    double share = std::clamp(static_cast<double>(x - radius() - 1) / room, 0.0, 1.0);
    if (isRightToLeft())
        share = 1 - share;
    if (stops_.values.empty())
        return 0;
    const double at = trackValue(share, stops_.values.front(), stops_.values.back(), scale_);
    return nearestStop(stops_.values, at, scale_);
}

QString TrackSlider::refusalAt(int x) const {
    for (const RefusedStop &refused : stops_.refused) {
        if (std::abs(x - pixelOf(refused.value)) <= radius() / 2)
            return refused.reason;
    }
    return {};
}

bool TrackSlider::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const QString reason = refusalAt(help->pos().x()); !reason.isEmpty()) {
            QToolTip::showText(help->globalPos(), reason, this);
            return true;
        }
    }
    return QSlider::event(event);
}

void TrackSlider::sliderChange(SliderChange change) {
    // A move by key, wheel or accessibility leaves the value between stops that was shown.
    if (change == SliderValueChange)
        exact_.reset();
    QSlider::sliderChange(change);
}

void TrackSlider::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0;
    const double start = radius() + 1;
    const double end = width() - radius() - 1;
    const double handle = pixelOf(shownValue());
    const double thickness = std::max(3.0, fontMetrics().height() / 5.0);
    const QColor line = palette().color(QPalette::Mid);
    const bool isOn = isEnabled() && !isAutomatic_;
    const QColor accent = isOn ? palette().color(QPalette::Highlight) : palette().color(QPalette::PlaceholderText);

    painter.setPen(Qt::NoPen);
    painter.setBrush(line);
    painter.drawRoundedRect(QRectF(start, middle - thickness / 2, end - start, thickness), thickness / 2,
                            thickness / 2);
    painter.setBrush(accent);
    const QRectF filled = isRightToLeft() ? QRectF(handle, middle - thickness / 2, end - handle, thickness)
                                          : QRectF(start, middle - thickness / 2, handle - start, thickness);
    painter.drawRoundedRect(filled, thickness / 2, thickness / 2);
    if (stops_.only && stops_.values.size() <= mostDots) {
        painter.setBrush(palette().color(QPalette::PlaceholderText));
        const double dot = thickness * 0.62;
        for (const double stop : stops_.values)
            painter.drawEllipse(QPointF(pixelOf(stop), middle), dot, dot);
        // A cross where a degree is refused: its shape says so without colour.
        painter.setPen(QPen(palette().color(QPalette::PlaceholderText), std::max(1.2, thickness / 3)));
        const double arm = dot * 0.9;
        for (const RefusedStop &refused : stops_.refused) {
            const QPointF at(pixelOf(refused.value), middle);
            painter.drawLine(at - QPointF(arm, arm), at + QPointF(arm, arm));
            painter.drawLine(at - QPointF(arm, -arm), at + QPointF(arm, -arm));
        }
        painter.setPen(Qt::NoPen);
    }
    const double size = radius() - 1;
    if (hasFocus()) {
        QColor halo = palette().color(QPalette::Highlight);
        halo.setAlpha(70);
        painter.setBrush(halo);
        painter.drawEllipse(QPointF(handle, middle), radius() + 2.0, radius() + 2.0);
    }
    painter.setPen(QPen(accent, std::max(2.0, fontMetrics().height() / 9.0)));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawEllipse(QPointF(handle, middle), size, size);
}

void TrackSlider::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || stops_.values.empty()) {
        event->ignore();
        return;
    }
    event->accept();
    const int x = static_cast<int>(event->position().x());
    const int handle = pixelOf(shownValue());
    const bool onHandle = std::abs(x - handle) <= radius();
    grabOffset_ = onHandle ? x - handle : 0;
    setSliderDown(true);
    if (!onHandle)
        setSliderPosition(stopAtPixel(x));
    update();
}

void TrackSlider::mouseMoveEvent(QMouseEvent *event) {
    if (!isSliderDown()) {
        event->ignore();
        return;
    }
    event->accept();
    setSliderPosition(stopAtPixel(static_cast<int>(event->position().x()) - grabOffset_));
}

void TrackSlider::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || !isSliderDown()) {
        event->ignore();
        return;
    }
    event->accept();
    setSliderDown(false);
    update();
}

void TrackSlider::wheelEvent(QWheelEvent *event) {
    // Rolling over the column must scroll it, not change what lies under the pointer.
    if (hasFocus())
        QSlider::wheelEvent(event);
    else
        event->ignore();
}

} // namespace ridgepoint
