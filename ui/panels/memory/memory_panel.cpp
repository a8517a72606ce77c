// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory stacks with capacity marks, totals, what is over capacity, and a legend with the selected GPU's figures.
#include "ui/panels/memory/memory_panel.h"

#include "ui/panels/drawing.h"
#include "ui/panels/memory/memory_bars.h"
#include "ui/panels/stacked_chart.h"

#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

struct MemoryPanel::Parts {
    MemoryBars bars;
    LinearAxis axis; ///< in the scale's unit
    ByteScale axisScale;
    StackedChart chart{StackedChart::Direction::Up, memoryPartCount};
};

namespace {

constexpr int axisLines = 5;

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

} // namespace

MemoryPanel::MemoryPanel(QWidget *parent) : Panel(parent), parts_(std::make_unique<Parts>()) {}
MemoryPanel::~MemoryPanel() = default;

QString MemoryPanel::id() const {
    return QStringLiteral("memory");
}

QString MemoryPanel::title() const {
    return tr("Memory per GPU");
}

QString MemoryPanel::subtitle() const {
    const MemoryBars &bars = parts_->bars;
    if (bars.bars.empty())
        return {};
    //: %1: GB or GiB, %2: as "at the loss"
    return tr("%1, peak of the worst GPU, %2").arg(bars.scale.unit, bars.bars[bars.selected].peak);
}

QString MemoryPanel::shortSubtitle() const {
    return parts_->bars.bars.empty() ? QString() : tr("%1, worst GPU").arg(parts_->bars.scale.unit);
}

std::unique_ptr<Panel> MemoryPanel::sibling() const {
    return std::make_unique<MemoryPanel>();
}

void MemoryPanel::refresh() {
    Parts &p = *parts_;
    p.bars = memoryBars(report(), options().style.bytes, selectedGpu());
    if (p.bars.scale != p.axisScale) {
        p.axisScale = p.bars.scale;
        p.axis = {};
    }
    const double unit = p.bars.scale.bytesPerUnit;
    p.axis = followingAxis(p.axis, p.bars.neededTop / unit * 1.01, axisLines, options().dragging);
    std::vector<std::vector<double>> values;
    for (const MemoryBar &bar : p.bars.bars) {
        values.emplace_back(bar.bytes.begin(), bar.bytes.end());
        for (double &bytes : values.back())
            bytes /= unit;
    }
    p.chart.setValues(values);
    p.chart.setTop(p.axis.top);
    for (std::size_t part = 0; part < memoryPartCount; ++part)
        p.chart.setStyle(part, theme().memory(MemoryPart(part)));
}

void MemoryPanel::paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    Parts &p = *parts_;
    const Theme &t = theme();
    const NumberStyle &style = options().style;
    const ByteScale &scale = p.bars.scale;
    const auto figure = [&](double bytes) { return textIn(scale, bytes, style); };
    const QFont small = t.font(TextRole::Small);
    const QFont secondary = t.font(TextRole::Secondary);
    const QFont label = t.font(TextRole::Label);
    const double smallRow = lineHeight(small);

    // Legend at the right, as wide as its words; rows shrink, then headings go, when there is little room.
    double nameWidth = 0;
    double valueWidth = 0;
    int rows = 1;
    for (const MemoryLegendGroup &group : p.bars.legend) {
        ++rows;
        nameWidth = std::max(nameWidth, textWidth(small, nameOf(group.family)));
        for (const MemoryLegendRow &row : group.rows) {
            ++rows;
            nameWidth = std::max(nameWidth, textWidth(secondary, nameOf(row.part)));
            valueWidth = std::max(valueWidth, textWidth(label, figure(row.bytes)));
        }
        valueWidth = std::max(valueWidth, textWidth(label, figure(group.bytes)));
    }
    const double swatch = std::round(t.bodyPixels * 0.85);
    const double legendWidth = std::min(swatch + 7 + nameWidth + 14 + valueWidth, area.width() * 0.45);
    // Many GPUs on a narrow card: the legend goes below, and is short.
    const auto count = double(p.bars.bars.size());
    const bool hasLegend = area.width() > 330 && (area.width() - legendWidth - 50) / count > 44;
    std::vector<LegendEntry> flat;
    LegendFlow flow;
    if (!hasLegend) {
        // Families by their hue; the shades say themselves when pointed at.
        for (const MemoryLegendGroup &group : p.bars.legend)
            flat.push_back({t.memory(group.rows.back().part), nameOf(group.family), figure(group.bytes)});
        std::reverse(flat.begin(), flat.end());
        flow = flowLegend(flat, t, area.width(), false);
    }
    const QRectF legend(area.right() - legendWidth, area.top(), legendWidth, area.height());

    // Plot: axis figures at the left, names and words below.
    double axisWidth = 0;
    std::vector<std::pair<double, QString>> ticks;
    for (int i = 0; i * p.axis.step <= p.axis.top * (1 + 1e-9); ++i) {
        const double value = i * p.axis.step;
        ticks.emplace_back(value, QString::fromStdString(formatQuantity(value, Unit::None, style)));
        axisWidth = std::max(axisWidth, textWidth(small, ticks.back().second));
    }
    const double plotLeft = area.left() + axisWidth + 8;
    const double plotRight = hasLegend ? legend.left() - 22 : area.right() - 4;
    const double category = (plotRight - plotLeft) / count;
    const double nameRoom = category - 6;
    int nameLines = 1;
    for (const MemoryBar &bar : p.bars.bars)
        nameLines = std::max(nameLines, int(wrapped(bar.gpuName, label, nameRoom, area.height() < 230 ? 2 : 3).size()));
    const QString wordsFit = tr("fits");
    QString wordsNot = tr("does not fit");
    int wordLines = 1;
    if (textWidth(small, wordsNot) > nameRoom) {
        wordLines = int(wrapped(wordsNot, small, nameRoom, 2).size());
    }
    const double labelRow = lineHeight(label);
    const double below = 6 + nameLines * labelRow + wordLines * smallRow;
    const double above = smallRow + 3; // figures over the highest mark
    const QRectF plot(plotLeft, area.top() + above, plotRight - plotLeft,
                      std::max(area.height() - below - above - (hasLegend ? 0 : flow.height + 4), 20.0));

    const double wanted = std::clamp(category * 0.6, 10.0, 78.0);
    p.chart.setBarShare(std::min(wanted / category, 0.8));
    for (const auto &[value, text] : ticks) {
        const double y = p.chart.position(plot, value);
        painter.setPen(QPen(t.grid, 1));
        painter.drawLine(QPointF(plot.left(), std::round(y) + 0.5), QPointF(plot.right(), std::round(y) + 0.5));
        drawText(painter, QRectF(area.left(), y - smallRow / 2, axisWidth, smallRow), Qt::AlignRight | Qt::AlignVCenter,
                 text, small, t.secondaryInk);
    }
    p.chart.paint(painter, plot);

    for (std::size_t i = 0; i < p.bars.bars.size(); ++i) {
        const MemoryBar &bar = p.bars.bars[i];
        const double unit = scale.bytesPerUnit;
        double from = 0;
        for (std::size_t part = 0; part < memoryPartCount; ++part) {
            if (bar.bytes[part] <= 0)
                continue;
            const double to = from + bar.bytes[part];
            spots.push_back({p.chart.place(plot, i, from / unit, to / unit), bar.gpuId, pathOf(MemoryPart(part)),
                             tr("%1 on %2: %3 %4")
                                 .arg(nameOf(MemoryPart(part)), bar.gpuName, figure(bar.bytes[part]), scale.unit)});
            from = to;
        }
        const QRectF whole = p.chart.place(plot, i, 0, bar.totalBytes / unit);
        if (bar.preallocatedBytes && *bar.preallocatedBytes > bar.totalBytes) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(t.secondaryInk, 1, Qt::DashLine));
            painter.drawRect(p.chart.place(plot, i, 0, *bar.preallocatedBytes / unit));
        }
        if (!bar.fits && bar.totalBytes > bar.limitBytes)
            drawOverCapacity(painter,
                             p.chart.place(plot, i, std::max(bar.limitBytes, 0.0) / unit, bar.totalBytes / unit),
                             t.doesNotFit, isAway());

        // Capacity: a line a little wider than the bar, its figure at the end or above.
        const double capacityY = std::round(p.chart.position(plot, bar.capacityBytes / unit)) + 0.5;
        const double overhang = std::clamp((category - whole.width()) / 2 - 4, 2.0, 8.0);
        const double markLeft = whole.left() - overhang;
        const double markRight = whole.right() + overhang;
        painter.setPen(QPen(t.ink, 2.2));
        painter.drawLine(QPointF(markLeft, capacityY), QPointF(markRight, capacityY));
        if (bar.limitBytes < bar.capacityBytes * 0.995 && bar.limitBytes > 0) {
            const double limitY = std::round(p.chart.position(plot, bar.limitBytes / unit)) + 0.5;
            painter.setPen(QPen(t.ink, 1.2, Qt::DashLine));
            painter.drawLine(QPointF(markLeft, limitY), QPointF(markRight, limitY));
        }
        const QString capacity = figure(bar.capacityBytes);
        const double capacityWidth = textWidth(small, capacity);
        const double strongRow = lineHeight(label);
        QRectF total(whole.center().x() - category / 2, whole.top() - strongRow - 2, category, strongRow);
        QRectF capacityText;
        if (capacityY < whole.top()) {
            capacityText = QRectF(markRight - capacityWidth, capacityY - smallRow - 1, capacityWidth, smallRow);
            if (capacityY > total.top() + 4) // the mark runs through the total's place
                total.moveBottom(capacityText.top() + 1);
        } else {
            const double roomBeside = category - (markRight - markLeft);
            const bool beside = roomBeside >= capacityWidth + 6;
            capacityText = beside
                               ? QRectF(markRight + 3, capacityY - smallRow / 2, capacityWidth, smallRow)
                               : QRectF(whole.center().x() - capacityWidth / 2, capacityY + 4, capacityWidth, smallRow);
            if (!beside && capacityText.bottom() > plot.bottom())
                capacityText.moveBottom(capacityY - 4);
            if (!beside) {
                painter.setPen(Qt::NoPen);
                QColor chip = t.card;
                chip.setAlphaF(0.92F);
                painter.setBrush(chip);
                painter.drawRoundedRect(capacityText.adjusted(-3, 0, 3, 0), 3, 3);
            }
        }
        drawText(painter, capacityText, Qt::AlignHCenter | Qt::AlignVCenter, capacity, small, t.secondaryInk);
        spots.push_back(
            {capacityText.united(QRectF(markLeft, capacityY - 2, markRight - markLeft, 4))
                 .intersected(QRectF(capacityText.left() - 1, capacityText.top(), capacityWidth + 2, smallRow)),
             bar.gpuId, QStringLiteral("memory.capacity_bytes"),
             tr("Capacity of %1: %2 %3").arg(bar.gpuName, capacity, scale.unit)});
        const QColor verdict = bar.fits ? t.ink : t.doesNotFit;
        const QFont strong = [&] {
            QFont font = label;
            font.setWeight(QFont::DemiBold);
            return font;
        }();
        const QString totalText = figure(bar.totalBytes);
        drawText(painter, total, Qt::AlignHCenter | Qt::AlignVCenter, totalText, strong, verdict);
        const double totalWidth = textWidth(strong, totalText);
        spots.push_back({QRectF(total.center().x() - totalWidth / 2, total.top(), totalWidth, total.height()),
                         bar.gpuId, QStringLiteral("memory.total_bytes"),
                         tr("%1 needs %2 of %3 %4").arg(bar.gpuName, totalText, capacity, scale.unit)});

        double y = plot.bottom() + 5;
        const QFont nameFont = i == p.bars.selected && p.bars.bars.size() > 1 ? strong : label;
        for (const QString &line : wrapped(bar.gpuName, nameFont, nameRoom, nameLines)) {
            drawText(painter, QRectF(whole.center().x() - category / 2, y, category, labelRow), Qt::AlignHCenter, line,
                     nameFont, t.ink);
            y += labelRow;
        }
        y = plot.bottom() + 5 + nameLines * labelRow;
        const QStringList words = wrapped(bar.fits ? wordsFit : wordsNot, small, nameRoom, wordLines);
        for (const QString &line : words) {
            drawText(painter, QRectF(whole.center().x() - category / 2, y, category, smallRow), Qt::AlignHCenter, line,
                     small, bar.fits ? t.fits : t.doesNotFit);
            y += smallRow;
        }
    }

    const MemoryBar &selected = p.bars.bars[p.bars.selected];
    if (!hasLegend)
        return drawLegend(painter, QPointF(area.left(), area.bottom() - flow.height + 2), flat, flow, t, false);
    double row = std::min(lineHeight(secondary) + 5, area.height() / rows);
    const bool headings = row >= lineHeight(secondary) - 1;
    if (!headings)
        row = std::min(lineHeight(secondary) + 2, (area.height()) / std::max(rows - int(p.bars.legend.size()) - 1, 1));
    double y = legend.top();
    const QFont heading = [&] {
        QFont font = small;
        font.setWeight(QFont::DemiBold);
        return font;
    }();
    const auto line = [&](const QString &name, const QString &value, const QFont &font, const QFont &valueFont,
                          const QColor &ink, double inset) {
        const double valueRoom = textWidth(valueFont, value);
        drawText(painter, QRectF(legend.left() + inset, y, legend.width() - inset - valueRoom - 6, row),
                 Qt::AlignLeft | Qt::AlignVCenter, name, font, ink);
        drawText(painter, QRectF(legend.right() - valueRoom, y, valueRoom, row), Qt::AlignRight | Qt::AlignVCenter,
                 value, valueFont, ink);
    };
    if (headings) {
        line(selected.gpuName, scale.unit, heading, heading, t.secondaryInk, 0);
        y += row;
    }
    for (const MemoryLegendGroup &group : p.bars.legend) {
        if (headings) {
            const bool sum = group.rows.size() > 1;
            line(nameOf(group.family), sum ? figure(group.bytes) : QString(), heading, heading, t.secondaryInk, 0);
            y += row;
        }
        for (const MemoryLegendRow &entry : group.rows) {
            drawSwatch(painter, QPointF(std::round(legend.left()), std::round(y + (row - swatch) / 2)), swatch,
                       t.memory(entry.part));
            line(nameOf(entry.part), figure(entry.bytes), secondary, label, t.ink, swatch + 7);
            spots.push_back(
                {QRectF(legend.left(), y, legend.width(), row), selected.gpuId, pathOf(entry.part),
                 tr("%1 on %2: %3 %4").arg(nameOf(entry.part), selected.gpuName, figure(entry.bytes), scale.unit)});
            y += row;
        }
    }
}

QString MemoryPanel::asTable() const {
    const MemoryBars &bars = parts_->bars;
    const NumberStyle &style = options().style;
    QString text = tr("Memory (%1)").arg(bars.scale.unit);
    for (const MemoryBar &bar : bars.bars)
        text += QLatin1Char('\t') % bar.gpuName;
    text += QLatin1Char('\n');
    const auto row = [&](const QString &name, auto &&value) {
        text += name;
        for (const MemoryBar &bar : bars.bars)
            text += QLatin1Char('\t') % value(bar);
        text += QLatin1Char('\n');
    };
    for (const MemoryLegendGroup &group : bars.legend) {
        for (const MemoryLegendRow &entry : group.rows)
            row(nameOf(entry.part),
                [&](const MemoryBar &bar) { return textIn(bars.scale, bar.bytes[std::size_t(entry.part)], style); });
    }
    row(tr("Total"), [&](const MemoryBar &bar) { return textIn(bars.scale, bar.totalBytes, style); });
    row(tr("Capacity"), [&](const MemoryBar &bar) { return textIn(bars.scale, bar.capacityBytes, style); });
    row(tr("Verdict"), [&](const MemoryBar &bar) { return bar.fits ? tr("fits") : tr("does not fit"); });
    return text;
}

QString MemoryPanel::spoken() const {
    const MemoryBars &bars = parts_->bars;
    QStringList sentences;
    for (const MemoryBar &bar : bars.bars) {
        const QString needs = textIn(bars.scale, bar.totalBytes, options().style);
        const QString has = textIn(bars.scale, bar.capacityBytes, options().style);
        sentences.append((bar.fits ? tr("%1 needs %2 of %3 %4: fits.") : tr("%1 needs %2 of %3 %4: does not fit."))
                             .arg(bar.gpuName, needs, has, bars.scale.unit));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace ridgepoint
