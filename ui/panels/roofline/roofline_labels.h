// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// RooflineLabels: where points, their names, the roofs' names and the ridge go, so that nothing overlaps.
#pragma once

#include "ui/panels/panel.h"
#include "ui/panels/roofline/roofline_points.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace ridgepoint {

struct RooflineLabels {
    struct Text {
        QRectF area;
        QString text;
        QColor colour;
        QFont font;
        QLineF sample; ///< leads from a roof's end to its name
        QPen samplePen;
        bool onGround = false; ///< on a piece of the card's colour, as lines may run behind it
    };
    struct Dot {
        QPointF centre;
        double radius = 0;
        std::size_t point = 0;
    };

    std::vector<Dot> dots;
    std::vector<Text> texts;
    QLineF ridge;
    QPen ridgePen;
    std::vector<QRectF> occupied; ///< of all texts
    std::vector<PanelSpot> spots;

    /// `right` is where the roofs' names end.
    void layOut(const RooflinePoints &points, const QRectF &plot, double right,
                const std::function<QPointF(double, double)> &toPixel, const Theme &theme, const NumberStyle &style);
    /// Room that the roofs' names need right of a plot in a card of that width.
    static double marginFor(const RooflinePoints &points, double width, const Theme &theme);
    void paint(QPainter &painter, const RooflinePoints &points, const Theme &theme) const;

private:
    bool isFree(const QRectF &area, const QRectF &plot, const Dot *own) const;
    void add(const QRectF &area, const QString &text, const QFont &font, const QColor &colour);
    void nameRoofs(const RooflinePoints &points, const QRectF &plot, double nameRoom,
                   const std::function<QPointF(double, double)> &toPixel, const Theme &theme);
    void nameBounds(const RooflinePoints &points, const QRectF &plot, const Theme &theme);
    void nameRidge(const RooflinePoints &points, const QRectF &plot,
                   const std::function<QPointF(double, double)> &toPixel, const Theme &theme, const NumberStyle &style);
    void nameDots(const RooflinePoints &points, const QRectF &plot, const Theme &theme);

    struct Legend {
        QPointF centre;
        Bound bound;
    };
    std::vector<Legend> legend_;
    std::vector<QLineF> roofLines_;
};

} // namespace ridgepoint
