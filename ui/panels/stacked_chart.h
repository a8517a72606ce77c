// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// StackedChart: bars of a fixed set of parts, one bar per category, drawn by Qt Charts without a view of its own.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QRectF>

#include <memory>
#include <vector>

namespace ridgepoint {

/// Qt Charts stays behind this class: panels say values, colours and where, and draw all text themselves.
class StackedChart {
public:
    enum class Direction { Up, Right };

    StackedChart(Direction direction, std::size_t partCount);
    ~StackedChart();

    /// `values[category][part]`, in any unit; bars are updated in place where the number of categories stays.
    void setValues(const std::vector<std::vector<double>> &values);
    void setStyle(std::size_t part, const MarkStyle &style);
    /// The axis goes from 0 to `top`.
    void setTop(double top);
    /// Share of a category's width that its bar takes, 0 to 1.
    void setBarShare(double share);

    void paint(QPainter &painter, const QRectF &plot);

    /// Where a stretch of a bar is drawn within `plot`; `from` and `to` in the values' unit.
    QRectF place(const QRectF &plot, std::size_t category, double from, double to) const;
    /// Where a value lies along the axis, in pixels.
    double position(const QRectF &plot, double value) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace ridgepoint
