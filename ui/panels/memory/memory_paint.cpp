// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the memory card: stacks with capacity marks and totals, what is over capacity, the legend, the instants.
#include "ui/panels/drawing.h"
#include "ui/panels/memory/memory_parts.h"

#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

/// Where things go in one drawing.
struct MemoryPanel::Layout {
    QRectF plot, legend, instants;
    QFont small, secondary, label, strong;
    double smallRow = 0, labelRow = 0, category = 0, nameRoom = 0, axisWidth = 0;
    int nameLines = 1, wordLines = 1;
    bool hasLegend = false;
    std::vector<std::pair<double, QString>> ticks;
    std::vector<LegendEntry> flat; ///< below, where there is no room at the right
    LegendFlow flow;
};

namespace {

constexpr double hatchSpacing = 8; ///< a whole number, for the tile
constexpr double hatchWidth = 1.8;

QColor hatchColour(const QColor &colour) {
    QColor line = colour;
    line.setAlphaF(0.7F);
    return line;
}

/// Lines at 45 degrees, anchored to the page so that the pattern does not swim while bars grow.
void drawHatchLines(QPainter &painter, const QRectF &area, const QColor &colour) {
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hatchColour(colour), hatchWidth));
    const double first = std::floor((area.left() + area.top()) / hatchSpacing) * hatchSpacing;
    for (double sum = first; sum < area.right() + area.bottom(); sum += hatchSpacing)
        painter.drawLine(QPointF(sum - area.bottom(), area.bottom()), QPointF(sum - area.top(), area.top()));
    painter.restore();
}

/// The same as a texture: much faster on the screen, but pixels in a file.
QPixmap hatchTile(const QColor &colour, double pixelRatio) {
    constexpr auto side = int(hatchSpacing);
    QPixmap tile(QSize(side, side) * pixelRatio);
    tile.setDevicePixelRatio(pixelRatio);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    drawHatchLines(
        painter,
        QRectF(0, 0, hatchSpacing, hatchSpacing).adjusted(-hatchSpacing, -hatchSpacing, hatchSpacing, hatchSpacing),
        colour);
    return tile;
}

void drawOverCapacity(QPainter &painter, const QRectF &area, const QColor &colour, bool asLines) {
    if (asLines)
        drawHatchLines(painter, area, colour);
    else
        painter.fillRect(area, QBrush(hatchTile(colour, painter.device()->devicePixelRatioF())));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1.2));
    painter.drawRect(area);
}

double bracketRoom(double smallRow) {
    return smallRow + 4;
}

} // namespace

double MemoryPanel::instantsHeight(const QRectF &area) const {
    const bool isShown = parts_->bars.instants.size() > 1 || parts_->bars.bars[parts_->bars.selected].hostBytes > 0;
    return isShown && area.height() > 190 ? lineHeight(theme().font(TextRole::Small)) + 5 : 0;
}

MemoryPanel::Layout MemoryPanel::layOut(const QRectF &whole) const {
    const Parts &p = *parts_;
    const Theme &t = theme();
    const NumberStyle &style = options().style;
    const auto figure = [&](double bytes) { return textIn(p.bars.scale, bytes, style); };
    Layout l;
    l.small = t.font(TextRole::Small);
    l.secondary = t.font(TextRole::Secondary);
    l.label = l.strong = t.font(TextRole::Label);
    l.strong.setWeight(QFont::DemiBold);
    l.smallRow = lineHeight(l.small);
    l.labelRow = lineHeight(l.label);
    const double foot = instantsHeight(whole);
    const QRectF area = whole.adjusted(0, 0, 0, -foot);
    l.instants = QRectF(area.left(), area.bottom() + 3, area.width(), std::max(foot - 3, 0.0));

    // Legend at the right, as wide as its words.
    double nameWidth = 0;
    double valueWidth = 0;
    for (const MemoryLegendLine &line : memoryLegend(p.bars, style, 1000, Tips::LeftOut)) {
        const double inset = line.kind == MemoryLegendLine::Kind::Part ? std::round(t.bodyPixels * 0.85) + 7 : 0;
        nameWidth = std::max(nameWidth, inset + textWidth(l.secondary, line.name));
        valueWidth = std::max(valueWidth, textWidth(l.label, line.value));
    }
    const double legendWidth = std::min(nameWidth + 14 + valueWidth, area.width() * 0.45);
    // Many GPUs on a narrow card: the legend goes below, and is short.
    const auto count = double(p.bars.bars.size());
    l.hasLegend = area.width() > 330 && (area.width() - legendWidth - 50) / count > 44;
    if (!l.hasLegend) {
        // Families by their hue; the shades say themselves when pointed at.
        for (const MemoryLegendGroup &group : p.bars.legend)
            l.flat.push_back({t.memory(group.rows.back().part), nameOf(group.family), figure(group.bytes)});
        std::reverse(l.flat.begin(), l.flat.end());
        l.flow = flowLegend(l.flat, t, area.width(), false);
    }
    l.legend = QRectF(area.right() - legendWidth, area.top(), legendWidth, area.height());

    // Plot: axis figures at the left, names and words below.
    for (int i = 0; i * p.axis.step <= p.axis.top * (1 + 1e-9); ++i) {
        const double value = i * p.axis.step;
        l.ticks.emplace_back(value, QString::fromStdString(formatQuantity(value, Unit::None, style)));
        l.axisWidth = std::max(l.axisWidth, textWidth(l.small, l.ticks.back().second));
    }
    const double plotLeft = area.left() + l.axisWidth + 8;
    const double plotRight = l.hasLegend ? l.legend.left() - 22 : area.right() - 4;
    l.category = (plotRight - plotLeft) / count;
    l.nameRoom = l.category - 4;
    for (const MemoryBar &bar : p.bars.bars)
        l.nameLines =
            std::max(l.nameLines, int(wrapped(bar.gpuName, l.strong, l.nameRoom, area.height() < 190 ? 2 : 3).size()));
    if (textWidth(l.small, tr("does not fit")) > l.nameRoom)
        l.wordLines = int(wrapped(tr("does not fit"), l.small, l.nameRoom, 2).size());
    const double below = 6 + l.nameLines * l.labelRow + l.wordLines * l.smallRow;
    const double flowHeight = l.hasLegend ? 0 : l.flow.height + 4;
    const auto plotBelow = [&](double above) {
        return QRectF(plotLeft, area.top() + above, plotRight - plotLeft,
                      std::max(area.height() - below - above - flowHeight, 20.0));
    };
    l.plot = plotBelow(l.smallRow + 3); // figures over the highest mark
    // A total that would be crossed by a mark goes above the mark's figure, and both need room.
    double missing = 0;
    for (const MemoryBar &bar : p.bars.bars) {
        const double unit = p.bars.scale.bytesPerUnit;
        const double mark = p.chart.position(l.plot, bar.capacityBytes / unit);
        const double top = p.chart.position(l.plot, bar.totalBytes / unit);
        if (mark < top && mark > top - l.labelRow - 4)
            missing = std::max(missing, l.labelRow + l.smallRow - (mark - area.top()) + 2);
    }
    if (missing > 0)
        l.plot = plotBelow(l.smallRow + 3 + missing);
    return l;
}

void MemoryPanel::paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    Parts &p = *parts_;
    const Theme &t = theme();
    const Layout l = layOut(area);
    const double wanted = std::clamp(l.category * 0.6, 10.0, 78.0);
    p.chart.setBarShare(std::min(wanted / l.category, 0.8));
    for (const auto &[value, text] : l.ticks) {
        const double y = p.chart.position(l.plot, value);
        painter.setPen(QPen(t.grid, 1));
        painter.drawLine(QPointF(l.plot.left(), std::round(y) + 0.5), QPointF(l.plot.right(), std::round(y) + 0.5));
        drawText(painter, QRectF(area.left(), y - l.smallRow / 2, l.axisWidth, l.smallRow),
                 Qt::AlignRight | Qt::AlignVCenter, text, l.small, t.secondaryInk);
    }
    p.chart.paint(painter, l.plot);
    for (std::size_t i = 0; i < p.bars.bars.size(); ++i)
        paintBar(painter, l, i, spots);
    if (l.hasLegend)
        paintLegend(painter, l, spots);
    else
        drawLegend(painter, QPointF(area.left(), l.instants.top() - 3 - l.flow.height + 2), l.flat, l.flow, t, false);
    if (l.instants.height() > 0)
        paintInstants(painter, l.instants, spots);
}

/// Under a moving slider nobody points at a number: tips are written when it is released.
void MemoryPanel::paintBar(QPainter &painter, const Layout &l, std::size_t index, std::vector<PanelSpot> &spots) {
    Parts &p = *parts_;
    const Theme &t = theme();
    const MemoryBar &bar = p.bars.bars[index];
    const double unit = p.bars.scale.bytesPerUnit;
    double from = 0;
    for (std::size_t part = 0; part < memoryPartCount; ++part) {
        if (bar.bytes[part] <= 0)
            continue;
        const double to = from + bar.bytes[part];
        spots.push_back(
            {p.chart.place(l.plot, index, from / unit, to / unit), bar.gpuId, bar.prefix + keyOf(MemoryPart(part)),
             options().dragging
                 ? QString()
                 : tr("%1 on %2: %3")
                       .arg(nameOf(MemoryPart(part)), bar.owner, bothUnits(bar.bytes[part], options().style))});
        from = to;
    }
    const QRectF whole = p.chart.place(l.plot, index, 0, bar.totalBytes / unit);
    if (bar.preallocatedBytes && *bar.preallocatedBytes > bar.totalBytes) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.secondaryInk, 1, Qt::DashLine));
        painter.drawRect(p.chart.place(l.plot, index, 0, *bar.preallocatedBytes / unit));
    }
    if (!bar.fits && bar.totalBytes > bar.limitBytes)
        drawOverCapacity(painter,
                         p.chart.place(l.plot, index, std::max(bar.limitBytes, 0.0) / unit, bar.totalBytes / unit),
                         t.doesNotFit, isAway());
    paintTotals(painter, l, index, whole, spots);

    double y = l.plot.bottom() + 5;
    const bool isSelected = index == p.bars.selected && p.bars.bars.size() > 1;
    const QFont &nameFont = isSelected ? l.strong : l.label;
    for (const QString &line : wrapped(bar.gpuName, nameFont, l.nameRoom, l.nameLines)) {
        drawText(painter, QRectF(whole.center().x() - l.category / 2, y, l.category, l.labelRow), Qt::AlignHCenter,
                 line, nameFont, t.ink);
        y += l.labelRow;
    }
    y = l.plot.bottom() + 5 + l.nameLines * l.labelRow;
    // Beside others that fit or do not alike, the heaviest stage says that it is the one that counts.
    const bool saysHeaviest = bar.isHeaviest && p.bars.view.kind == StageView::Kind::SideBySide && bar.fits;
    const QString verdict = saysHeaviest ? tr("heaviest") : bar.fits ? tr("fits") : tr("does not fit");
    for (const QString &line : wrapped(verdict, l.small, l.nameRoom, l.wordLines)) {
        drawText(painter, QRectF(whole.center().x() - l.category / 2, y, l.category, l.smallRow), Qt::AlignHCenter,
                 line, l.small, bar.fits ? t.fits : t.doesNotFit);
        y += l.smallRow;
    }
}

void MemoryPanel::paintTotals(QPainter &painter, const Layout &l, std::size_t index, const QRectF &whole,
                              std::vector<PanelSpot> &spots) {
    Parts &p = *parts_;
    const Theme &t = theme();
    const MemoryBar &bar = p.bars.bars[index];
    const ByteScale &scale = p.bars.scale;
    const double unit = scale.bytesPerUnit;
    const auto figure = [&](double bytes) { return textIn(scale, bytes, options().style); };

    // Capacity: a line a little wider than the bar, its figure at the end or above.
    const double capacityY = std::round(p.chart.position(l.plot, bar.capacityBytes / unit)) + 0.5;
    const double overhang = std::clamp((l.category - whole.width()) / 2 - 4, 2.0, 8.0);
    const double markLeft = whole.left() - overhang;
    const double markRight = whole.right() + overhang;
    painter.setPen(QPen(t.ink, 2.2));
    painter.drawLine(QPointF(markLeft, capacityY), QPointF(markRight, capacityY));
    if (bar.limitBytes < bar.capacityBytes * 0.995 && bar.limitBytes > 0) {
        const double limitY = std::round(p.chart.position(l.plot, bar.limitBytes / unit)) + 0.5;
        painter.setPen(QPen(t.ink, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(markLeft, limitY), QPointF(markRight, limitY));
    }
    const QString capacity = figure(bar.capacityBytes);
    const double capacityWidth = textWidth(l.small, capacity);
    QRectF total(whole.center().x() - l.category / 2, whole.top() - l.labelRow - 2, l.category, l.labelRow);
    QRectF capacityText;
    if (capacityY < whole.top()) {
        capacityText = QRectF(markRight - capacityWidth, capacityY - l.smallRow - 1, capacityWidth, l.smallRow);
        if (capacityY > total.top() - 3) // the mark runs through the total's place
            total.moveBottom(capacityText.top() + 1);
    } else {
        const double roomBeside = l.category - (markRight - markLeft);
        const bool beside = roomBeside >= capacityWidth + 6;
        capacityText = beside
                           ? QRectF(markRight + 3, capacityY - l.smallRow / 2, capacityWidth, l.smallRow)
                           : QRectF(whole.center().x() - capacityWidth / 2, capacityY + 4, capacityWidth, l.smallRow);
        if (!beside && capacityText.bottom() > l.plot.bottom())
            capacityText.moveBottom(capacityY - 4);
        if (!beside) {
            painter.setPen(Qt::NoPen);
            QColor chip = t.card;
            chip.setAlphaF(0.92F);
            painter.setBrush(chip);
            painter.drawRoundedRect(capacityText.adjusted(-3, 0, 3, 0), 3, 3);
        }
    }
    drawText(painter, capacityText, Qt::AlignHCenter | Qt::AlignVCenter, capacity, l.small, t.secondaryInk);
    spots.push_back(
        {capacityText.united(QRectF(markLeft, capacityY - 2, markRight - markLeft, 4))
             .intersected(QRectF(capacityText.left() - 1, capacityText.top(), capacityWidth + 2, l.smallRow)),
         bar.gpuId, QStringLiteral("memory.capacity_bytes"),
         options().dragging ? QString()
                            : tr("Capacity of %1: %2").arg(bar.owner, bothUnits(bar.capacityBytes, options().style))});
    const QString totalText = figure(bar.totalBytes);
    drawText(painter, total, Qt::AlignHCenter | Qt::AlignVCenter, totalText, l.strong, bar.fits ? t.ink : t.doesNotFit);
    const double totalWidth = textWidth(l.strong, totalText);
    spots.push_back({QRectF(total.center().x() - totalWidth / 2, total.top(), totalWidth, total.height()), bar.gpuId,
                     bar.prefix + QStringLiteral("total_bytes"),
                     options().dragging
                         ? QString()
                         : QString(tr("%1 needs %2 of %3 %4").arg(bar.owner, totalText, capacity, scale.unit) + u'\n' +
                                   totalsText(bar, options().style))});

    // What the framework says it allocated, as a bracket beside the stack whose figures the legend shows.
    const double allocatedY = p.chart.position(l.plot, bar.allocatedBytes / unit);
    const bool hasRoom = (l.category - whole.width()) / 2 - overhang >= bracketRoom(l.smallRow) &&
                         l.plot.bottom() - allocatedY > textWidth(l.small, tr("allocated")) + 8;
    if (index != p.bars.selected || !hasRoom)
        return;
    const double x = markLeft - 3.5;
    painter.setPen(QPen(t.secondaryInk, 1));
    painter.drawLine(QPointF(x, allocatedY), QPointF(x, l.plot.bottom()));
    for (const double end : {allocatedY, l.plot.bottom()})
        painter.drawLine(QPointF(x, end), QPointF(x + 3, end));
    painter.save();
    painter.translate(x - 1 - l.smallRow, l.plot.bottom());
    painter.rotate(-90);
    drawText(painter, QRectF(0, 0, l.plot.bottom() - allocatedY, l.smallRow), Qt::AlignCenter, tr("allocated"), l.small,
             t.secondaryInk);
    painter.restore();
}

void MemoryPanel::paintLegend(QPainter &painter, const Layout &l, std::vector<PanelSpot> &spots) {
    const Theme &t = theme();
    const MemoryBars &bars = parts_->bars;
    const double leastRow = lineHeight(l.secondary) - 1;
    const auto lines = memoryLegend(bars, options().style, int(l.legend.height() / leastRow),
                                    options().dragging ? Tips::LeftOut : Tips::Written);
    const double row = std::min(lineHeight(l.secondary) + 5, l.legend.height() / double(lines.size()));
    const double swatch = std::round(t.bodyPixels * 0.85);
    QFont heading = l.small;
    heading.setWeight(QFont::DemiBold);
    double y = l.legend.top();
    for (const MemoryLegendLine &line : lines) {
        const bool isPart = line.kind == MemoryLegendLine::Kind::Part;
        const bool isHeading = line.kind == MemoryLegendLine::Kind::Heading;
        const double inset = isPart ? swatch + 7 : 0;
        const QFont &nameFont = isHeading ? heading : l.secondary;
        const QFont &valueFont = isHeading ? heading : isPart ? l.label : l.strong;
        const QColor &ink = isHeading ? t.secondaryInk : t.ink;
        const double valueRoom = textWidth(valueFont, line.value);
        if (isPart)
            drawSwatch(painter, QPointF(std::round(l.legend.left()), std::round(y + (row - swatch) / 2)), swatch,
                       t.memory(line.part));
        drawText(painter, QRectF(l.legend.left() + inset, y, l.legend.width() - inset - valueRoom - 6, row),
                 Qt::AlignLeft | Qt::AlignVCenter, line.name, nameFont, ink);
        drawText(painter, QRectF(l.legend.right() - valueRoom, y, valueRoom, row), Qt::AlignRight | Qt::AlignVCenter,
                 line.value, valueFont, ink);
        if (line.kind == MemoryLegendLine::Kind::Total) {
            // A sum, as under a column of figures, but of what stands below it.
            painter.setPen(QPen(t.line, 1));
            const double under = std::round(y + row) - 0.5;
            painter.drawLine(QPointF(l.legend.left(), under), QPointF(l.legend.right(), under));
        }
        if (!line.path.isEmpty())
            spots.push_back({QRectF(l.legend.left(), y, l.legend.width(), row), bars.bars[bars.selected].gpuId,
                             line.path, line.tip});
        y += row;
    }
}

void MemoryPanel::paintInstants(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    const Theme &t = theme();
    const MemoryBars &bars = parts_->bars;
    const MemoryBar &bar = bars.bars[bars.selected];
    QFont font = t.font(TextRole::Small);
    QFont strong = font;
    strong.setWeight(QFont::DemiBold);
    struct Word {
        QString text, path, tip;
        bool isPeak;
    };
    std::vector<Word> words;
    const auto figure = [&](double bytes) { return textIn(bars.scale, bytes, options().style); };
    if (bars.instants.size() > 1) {
        for (const MemoryInstant &instant : bars.instants)
            words.push_back({instant.name + u' ' + figure(instant.bytes), instant.path,
                             (instant.isPeak ? tr("Allocated at the peak (%1): %2") : tr("Allocated (%1): %2"))
                                 .arg(instant.name, bothUnits(instant.bytes, options().style)),
                             instant.isPeak});
    }
    if (bar.hostBytes > 0)
        words.push_back({tr("host memory %1").arg(figure(bar.hostBytes)), bar.prefix + QStringLiteral("host_bytes"),
                         tr("In the host's memory, per GPU: %1").arg(bothUnits(bar.hostBytes, options().style)),
                         false});
    const QString lead = bars.instants.size() > 1 ? tr("allocated at:") : QString();
    const auto widthOf = [&](const QString &first) {
        double width = first.isEmpty() ? 0 : textWidth(font, first) + 8;
        for (const Word &word : words)
            width += textWidth(word.isPeak ? strong : font, word.text) + 14;
        return width - 14;
    };
    QString first = lead;
    if (widthOf(first) > area.width())
        first.clear();
    // Where not all have room, the peak and the host's stay.
    if (widthOf(first) > area.width())
        std::erase_if(
            words, [](const Word &word) { return !word.isPeak && !word.path.endsWith(QStringLiteral("host_bytes")); });
    if (widthOf(first) > area.width())
        return;
    double x = area.left();
    if (!first.isEmpty()) {
        drawText(painter, QRectF(x, area.top(), area.right() - x, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
                 first, font, t.secondaryInk);
        x += textWidth(font, first) + 8;
    }
    for (const Word &word : words) {
        const QFont &shown = word.isPeak ? strong : font;
        const double width = textWidth(shown, word.text);
        drawText(painter, QRectF(x, area.top(), width + 1, area.height()), Qt::AlignLeft | Qt::AlignVCenter, word.text,
                 shown, word.isPeak ? t.ink : t.secondaryInk);
        spots.push_back({QRectF(x, area.top(), width, area.height()), bar.gpuId, word.path, word.tip});
        x += width + 14;
    }
}

} // namespace ridgepoint
