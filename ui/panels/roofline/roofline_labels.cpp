// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Placing of labels by trying a few positions, biggest points first; a label without room is left to the tool tip.
#include "ui/panels/roofline/roofline_labels.h"

#include "ui/panels/drawing.h"
#include "ui/theme/contrast.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace ridgepoint {

namespace {

constexpr double smallestRadius = 3.5;
constexpr double leaderWidth = 16; ///< between a roof's end and its name

QString translated(const char *text) {
    return QCoreApplication::translate("RooflinePanel", text);
}

MarkStyle styleOf(Bound bound, const Theme &theme) {
    switch (bound) {
    case Bound::Compute:
        return theme.time(TimePart::Compute);
    case Bound::Memory:
        return theme.time(TimePart::Memory);
    case Bound::Latency:
        return theme.time(TimePart::Launch);
    case Bound::Communication:
        return theme.time(TimePart::Communication);
    }
    return theme.time(TimePart::Compute);
}

/// Circle, diamond, triangle or square, all of the same area: colour alone says nothing.
QPainterPath shapeOf(Bound bound, const QPointF &centre, double radius) {
    QPainterPath path;
    const double side = radius * std::sqrt(3.14159265358979);
    switch (bound) {
    case Bound::Compute:
        path.addEllipse(centre, radius, radius);
        break;
    case Bound::Memory: {
        const double half = side / std::sqrt(2);
        path.addPolygon(QPolygonF({centre + QPointF(0, -half), centre + QPointF(half, 0), centre + QPointF(0, half),
                                   centre + QPointF(-half, 0)}));
        path.closeSubpath();
        break;
    }
    case Bound::Latency: {
        const double edge = side * 2 / std::pow(3, 0.25);
        const double height = edge * std::sqrt(3) / 2;
        path.addPolygon(QPolygonF({centre + QPointF(0, -height * 2 / 3), centre + QPointF(edge / 2, height / 3),
                                   centre + QPointF(-edge / 2, height / 3)}));
        path.closeSubpath();
        break;
    }
    case Bound::Communication:
        path.addRect(QRectF(centre - QPointF(side / 2, side / 2), QSizeF(side, side)));
        break;
    }
    return path;
}

/// Moves what is closer than `distance` apart, as little as possible, within [low, high]; `wanted` ascends.
std::vector<double> spread(const std::vector<double> &wanted, double distance, double low, double high) {
    struct Block {
        double sum; // of the wanted places, each less its offset in the block
        int count;
        double first() const { return sum / count; }
    };
    std::vector<Block> blocks;
    for (const double place : wanted) {
        blocks.push_back({place, 1});
        while (blocks.size() > 1) {
            const Block last = blocks.back();
            Block &before = blocks[blocks.size() - 2];
            if (before.first() + before.count * distance <= last.first())
                break;
            before.sum += last.sum - double(last.count) * before.count * distance;
            before.count += last.count;
            blocks.pop_back();
        }
    }
    std::vector<double> places;
    for (const Block &block : blocks) {
        for (int i = 0; i < block.count; ++i)
            places.push_back(block.first() + i * distance);
    }
    double limit = high - distance / 2;
    for (std::size_t i = places.size(); i-- > 0;) {
        places[i] = std::min(places[i], limit);
        limit = places[i] - distance;
    }
    limit = low + distance / 2;
    for (double &place : places) {
        place = std::max(place, limit);
        limit = place + distance;
    }
    return places;
}

bool crosses(const QLineF &line, const QRectF &area) {
    if (area.contains(line.p1()) || area.contains(line.p2()))
        return true;
    const std::array<QLineF, 4> edges{
        QLineF(area.topLeft(), area.topRight()), QLineF(area.topRight(), area.bottomRight()),
        QLineF(area.bottomRight(), area.bottomLeft()), QLineF(area.bottomLeft(), area.topLeft())};
    return std::any_of(edges.begin(), edges.end(), [&line](const QLineF &edge) {
        return line.intersects(edge, nullptr) == QLineF::BoundedIntersection;
    });
}

} // namespace

bool RooflineLabels::isFree(const QRectF &area, const QRectF &plot, const Dot *own) const {
    if (!plot.adjusted(1, 1, -1, -1).contains(area))
        return false;
    const auto meets = [&area](const QRectF &other) { return other.intersects(area); };
    if (std::any_of(occupied.begin(), occupied.end(), meets))
        return false;
    return std::none_of(dots.begin(), dots.end(), [&](const Dot &dot) {
        return &dot != own &&
               QRectF(dot.centre - QPointF(dot.radius, dot.radius), QSizeF(dot.radius * 2, dot.radius * 2))
                   .intersects(area);
    });
}

void RooflineLabels::add(const QRectF &area, const QString &text, const QFont &font, const QColor &colour) {
    texts.push_back({area, text, colour, font, {}, {}, false});
    occupied.push_back(area);
}

void RooflineLabels::layOut(const RooflinePoints &points, const QRectF &plot, double right,
                            const std::function<QPointF(double, double)> &toPixel, const Theme &theme,
                            const NumberStyle &style) {
    dots.clear();
    texts.clear();
    occupied.clear();
    spots.clear();
    legend_.clear();
    roofLines_.clear();
    ridge = {};
    const double nameRoom = right - plot.right() - leaderWidth;
    const double largest = std::clamp(std::min(plot.width(), plot.height()) * 0.09, 9.0, 34.0);
    for (std::size_t i = 0; i < points.points.size(); ++i) {
        const RooflinePoint &point = points.points[i];
        QPointF centre = toPixel(point.intensityFlopPerByte, point.flopsPerSecond);
        if (!plot.adjusted(-2, -2, 2, 2).contains(centre))
            continue;
        dots.push_back({centre, std::max(largest * std::sqrt(point.timeShare), smallestRadius), i});
    }
    for (const Roof &roof : points.roofs) {
        const double low = std::pow(10, points.intensity.lowest);
        const QPointF corner = toPixel(roof.ridgeFlopPerByte, roof.peakFlopsPerSecond);
        roofLines_.emplace_back(toPixel(low, roof.at(low)), corner);
        roofLines_.emplace_back(corner, QPointF(plot.right(), corner.y()));
    }
    nameRoofs(points, plot, nameRoom, toPixel, theme);
    nameRidge(points, plot, toPixel, theme, style);
    nameBounds(points, plot, theme);
    nameDots(points, plot, theme);
    const QString gpuId = points.roofs[points.selected].gpuId;
    for (const Dot &dot : dots) {
        const double reach = std::max(dot.radius, 5.0);
        spots.push_back({QRectF(dot.centre - QPointF(reach, reach), QSizeF(reach * 2, reach * 2)), gpuId,
                         points.points[dot.point].path, points.points[dot.point].detail});
    }
}

void RooflineLabels::nameRoofs(const RooflinePoints &points, const QRectF &plot, double nameRoom,
                               const std::function<QPointF(double, double)> &toPixel, const Theme &theme) {
    QFont font = theme.font(TextRole::Small);
    font.setWeight(QFont::DemiBold);
    const double row = lineHeight(font);
    const bool sameFormat = std::all_of(points.roofs.begin(), points.roofs.end(),
                                        [&](const Roof &roof) { return roof.format == points.roofs.front().format; });
    std::vector<std::size_t> order(points.roofs.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return points.roofs[a].peakFlopsPerSecond > points.roofs[b].peakFlopsPerSecond;
    });
    // Names stand in the margin at their line's end; where lines are close they spread, and a thin line leads to each.
    std::vector<double> wanted;
    wanted.reserve(order.size());
    for (const std::size_t i : order)
        wanted.push_back(toPixel(points.roofs[i].ridgeFlopPerByte, points.roofs[i].peakFlopsPerSecond).y());
    const std::vector<double> centres = spread(wanted, row, plot.top() - row / 2, plot.bottom() + row / 2);
    for (std::size_t n = 0; n < order.size(); ++n) {
        const Roof &roof = points.roofs[order[n]];
        const QString text = sameFormat ? roof.gpuName : QString(roof.gpuName % QLatin1Char(' ') % roof.format);
        const QRectF area(plot.right() + leaderWidth, centres[n] - row / 2, nameRoom, row);
        const QPen pen = theme.roof(order[n]);
        Text label{area, text, theme.textIn(pen.color()), font, {}, pen, false};
        label.sample = QLineF(plot.right(), wanted[n], area.left() - 3, centres[n]);
        label.samplePen.setWidthF(1.2);
        texts.push_back(label);
        occupied.push_back(area);
        spots.push_back(
            {area, roof.gpuId, QStringLiteral("roofline.ridge_flop_per_byte"),
             translated("%1: dense %2 peak %3")
                 .arg(roof.gpuName, roof.format,
                      QString::fromStdString(formatQuantity(roof.peakFlopsPerSecond, Unit::FlopPerSecond)))});
    }
}

double RooflineLabels::marginFor(const RooflinePoints &points, double width, const Theme &theme) {
    QFont font = theme.font(TextRole::Small);
    font.setWeight(QFont::DemiBold);
    double widest = 0;
    for (const Roof &roof : points.roofs) {
        const bool sameFormat = roof.format == points.roofs.front().format;
        widest = std::max(widest, textWidth(font, sameFormat ? roof.gpuName
                                                             : QString(roof.gpuName % QLatin1Char(' ') % roof.format)));
    }
    return std::min(std::ceil(widest) + 1, width * 0.28) + leaderWidth;
}

void RooflineLabels::nameRidge(const RooflinePoints &points, const QRectF &plot,
                               const std::function<QPointF(double, double)> &toPixel, const Theme &theme,
                               const NumberStyle &style) {
    const Roof &roof = points.roofs[points.selected];
    const QPointF corner = toPixel(roof.ridgeFlopPerByte, roof.peakFlopsPerSecond);
    if (corner.x() <= plot.left() || corner.x() >= plot.right())
        return;
    ridge = QLineF(corner, QPointF(corner.x(), plot.bottom()));
    ridgePen = QPen(theme.roof(points.selected).color(), 1);
    ridgePen.setDashPattern({3, 3});
    const QFont font = theme.font(TextRole::Small);
    const QString figure = QString::fromStdString(formatQuantity(roof.ridgeFlopPerByte, Unit::None, style));
    const QString text = translated("ridge %1").arg(figure);
    const double width = textWidth(font, text);
    const double row = lineHeight(font);
    for (const double x : {corner.x() + 5, corner.x() - 5 - width}) {
        const QRectF area(x, plot.bottom() - row - 2, width, row);
        if (!isFree(area, plot, nullptr))
            continue;
        add(area, text, font, theme.textIn(ridgePen.color()));
        spots.push_back({area, roof.gpuId, QStringLiteral("roofline.ridge_flop_per_byte"),
                         translated("%1 turns from memory-bound to compute-bound at %2")
                             .arg(roof.gpuName, QString::fromStdString(
                                                    formatQuantity(roof.ridgeFlopPerByte, Unit::FlopPerByte, style)))});
        return;
    }
}

void RooflineLabels::nameBounds(const RooflinePoints &points, const QRectF &plot, const Theme &theme) {
    const QFont font = theme.font(TextRole::Small);
    const double row = lineHeight(font);
    const double glyph = row * 0.36;
    const auto has = [&](Bound bound) {
        return std::any_of(points.points.begin(), points.points.end(),
                           [bound](const RooflinePoint &point) { return point.bound == bound; });
    };
    const auto put = [&](Bound bound, double left, double top) {
        const QString text = nameOf(bound);
        const QRectF area(left + glyph * 2 + 6, top, textWidth(font, text), row);
        const QRectF whole = area.adjusted(-glyph * 2 - 6, 0, 0, 0);
        if (!isFree(whole, plot, nullptr))
            return false;
        add(area, text, font, theme.secondaryInk);
        occupied.back() = whole;
        legend_.push_back({QPointF(left + glyph, area.center().y()), bound});
        return true;
    };
    // Above the roofs, which rise to the right.
    double top = plot.top() + 4;
    for (const Bound bound : {Bound::Compute, Bound::Memory, Bound::Latency, Bound::Communication}) {
        const bool isUsual = bound == Bound::Compute || bound == Bound::Memory;
        if ((isUsual || has(bound)) && put(bound, plot.left() + 8, top))
            top += row + 2;
    }
}

void RooflineLabels::nameDots(const RooflinePoints &points, const QRectF &plot, const Theme &theme) {
    const QFont font = theme.font(TextRole::Small);
    const double row = lineHeight(font);
    std::set<QString> named;
    for (const Dot &dot : dots) {
        if (named.size() >= 9)
            break;
        const QString &name = points.points[dot.point].name;
        if (named.contains(name))
            continue;
        const double width = textWidth(font, name);
        const double away = dot.radius + 4;
        const QPointF c = dot.centre;
        const std::array<QPointF, 8> corners{QPointF(c.x() + away, c.y() - row / 2),
                                             QPointF(c.x() - away - width, c.y() - row / 2),
                                             QPointF(c.x() - width / 2, c.y() + away - 2),
                                             QPointF(c.x() - width / 2, c.y() - away - row + 2),
                                             QPointF(c.x() + away * 0.7, c.y() + away * 0.6),
                                             QPointF(c.x() + away * 0.7, c.y() - row - away * 0.6),
                                             QPointF(c.x() - width - away * 0.7, c.y() + away * 0.6),
                                             QPointF(c.x() - width - away * 0.7, c.y() - row - away * 0.6)};
        const auto placed = [&](bool mayCrossRoofs) {
            for (const QPointF &corner : corners) {
                const QRectF area(corner, QSizeF(width, row));
                const QRectF core = area.adjusted(-1, 2, 1, -2);
                const bool crossesRoof = std::any_of(roofLines_.begin(), roofLines_.end(),
                                                     [&](const QLineF &line) { return crosses(line, core); });
                if ((crossesRoof && !mayCrossRoofs) || crosses(ridge, area) ||
                    !isFree(area.adjusted(-2, 0, 2, 0), plot, &dot))
                    continue;
                add(area, name, font, theme.ink);
                texts.back().onGround = true;
                return true;
            }
            return false;
        };
        if (placed(false) || placed(true))
            named.insert(name);
    }
}

void RooflineLabels::paint(QPainter &painter, const RooflinePoints &points, const Theme &theme) const {
    painter.setRenderHint(QPainter::Antialiasing);
    if (!ridge.isNull()) {
        painter.setPen(ridgePen);
        painter.drawLine(ridge);
    }
    const auto mark = [&](Bound bound, const QPointF &centre, double radius) {
        const MarkStyle style = styleOf(bound, theme);
        QColor fill = style.fill;
        fill.setAlphaF(0.86F);
        painter.setBrush(fill);
        painter.setPen(QPen(style.edge, 1.2));
        painter.drawPath(shapeOf(bound, centre, radius));
    };
    // Behind the marks: a label's ground must not cut into its own.
    for (const Text &text : texts) {
        if (text.onGround)
            painter.fillRect(text.area.adjusted(-2, 1, 2, -1), theme.card);
    }
    for (const Dot &dot : dots)
        mark(points.points[dot.point].bound, dot.centre, dot.radius);
    const double glyph = lineHeight(theme.font(TextRole::Small)) * 0.32;
    for (const Legend &entry : legend_)
        mark(entry.bound, entry.centre, glyph);
    for (const Text &text : texts) {
        if (!text.sample.isNull()) {
            painter.setPen(text.samplePen);
            painter.drawLine(text.sample);
        }
        drawText(painter, text.area, Qt::AlignLeft | Qt::AlignVCenter, text.text, text.font, text.colour);
    }
}

} // namespace ridgepoint
