// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// RooflinePlot: roofs, points and their labels, drawn by QCustomPlot, which stays behind this class.
#pragma once

#include "ui/panels/panel.h"
#include "ui/panels/roofline/roofline_points.h"

#include <memory>
#include <vector>

class QWidget;

namespace ridgepoint {

class RooflinePlot {
public:
    explicit RooflinePlot(QWidget *parent);
    ~RooflinePlot();

    void setContent(const RooflinePoints &points, const LogAxis &intensity, const LogAxis &performance,
                    const Theme &theme, const NumberStyle &style);
    /// The widget's place in its parent; draws at once.
    void place(const QRect &area);
    void setVisible(bool visible);
    /// Draws into `area` in vectors, without the widget.
    void paint(QPainter &painter, const QRectF &area);

    /// What was drawn last and can be picked, relative to the plot's top left.
    const std::vector<PanelSpot> &spots() const;
    /// Labels of points and roofs as drawn last, for tests of what must not overlap.
    const std::vector<QRectF> &labels() const;

private:
    class Plot;
    class Overlay;
    std::unique_ptr<Plot> owned_; ///< without a parent
    Plot *plot_ = nullptr;
};

} // namespace ridgepoint
