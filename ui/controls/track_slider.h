// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A slider over a list of values: thin track, ring handle, a dot where only some values work. A QSlider to assistive
// technology.
#pragma once

#include "ui/store/field.h"

#include <QSlider>

#include <optional>

namespace ridgepoint {

class TrackSlider : public QSlider {
    Q_OBJECT

public:
    explicit TrackSlider(QWidget *parent = nullptr);

    /// The values it stops at. Emits nothing.
    void setTrack(const Stops &stops, Scale scale);
    /// Puts the handle where this value lies, also between stops; nullopt: at the start. Emits nothing.
    void setExact(std::optional<double> value, bool isAutomatic);
    /// The value at the handle's stop.
    double stopValue() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Where the handle of a value is, in pixels from the left; what a test clicks on.
    int pixelOf(double value) const;

    /// Why the value under this pixel cannot be chosen; empty where it can.
    QString refusalAt(int x) const;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void sliderChange(SliderChange change) override;

private:
    double shareOf(double value) const;
    int stopAtPixel(int x) const;
    int radius() const;
    double shownValue() const;

    Stops stops_;
    Scale scale_ = Scale::Linear;
    std::optional<double> exact_;
    bool isAutomatic_ = false;
    int grabOffset_ = 0;
};

} // namespace ridgepoint
