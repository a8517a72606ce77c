// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars of time per GPU, their figures at the end, and a legend.
#include "ui/panels/time/time_panel.h"

#include "ui/panels/axis.h"
#include "ui/panels/drawing.h"
#include "ui/panels/stacked_chart.h"
#include "ui/panels/time/time_bars.h"

#include <QPainter>

#include <algorithm>

namespace ridgepoint {

struct TimePanel::Parts {
    TimeBars bars;
    double top = 0; ///< seconds at the right end of the plot
    StackedChart chart{StackedChart::Direction::Right, timePartCount};
};

namespace {

constexpr double figureGap = 10;

QString seconds(double value, const NumberStyle &style) {
    return QString::fromStdString(formatQuantity(value, Unit::Seconds, style));
}

} // namespace

TimePanel::TimePanel(QWidget *parent) : Panel(parent), parts_(std::make_unique<Parts>()) {}
TimePanel::~TimePanel() = default;

QString TimePanel::id() const {
    return QStringLiteral("time");
}

QString TimePanel::title() const {
    return timeWords(report().task, options().system, options().style).title;
}

QString TimePanel::subtitle() const {
    return timeWords(report().task, options().system, options().style).subtitle;
}

QString TimePanel::shortSubtitle() const {
    return timeWords(report().task, options().system, options().style).shortSubtitle;
}

std::unique_ptr<Panel> TimePanel::sibling() const {
    return std::make_unique<TimePanel>();
}

void TimePanel::refresh() {
    Parts &p = *parts_;
    p.bars = timeBars(report(), options().style, selectedGpu());
    // Grows at once, shrinks when the slider is let go.
    const double needed = p.bars.longestSeconds > 0 ? p.bars.longestSeconds : 1;
    p.top = options().dragging ? std::max(p.top, needed) : needed;
    std::vector<std::vector<double>> values;
    for (const TimeBar &bar : p.bars.bars) {
        values.emplace_back(bar.seconds.begin(), bar.seconds.end());
        for (double &value : values.back())
            value /= p.top;
    }
    p.chart.setValues(values);
    p.chart.setTop(1);
    for (std::size_t part = 0; part < timePartCount; ++part)
        p.chart.setStyle(part, theme().time(TimePart(part)));
}

void TimePanel::paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    Parts &p = *parts_;
    const Theme &t = theme();
    // A card that is low for its number of GPUs: the legend goes, then type gets smaller.
    const auto count = double(p.bars.bars.size());
    // Legend with the selected GPU's figures where one line holds them, else names alone.
    const TimeBar &selected = p.bars.bars[p.bars.selected];
    std::vector<LegendEntry> legend;
    for (const TimePart part : p.bars.legend)
        legend.push_back({t.time(part), nameOf(part), seconds(selected.seconds[std::size_t(part)], options().style)});
    LegendFlow flow = flowLegend(legend, t, area.width(), false);
    const double barsNeed = count * 20;
    if (flow.rows > 1 && flow.height + barsNeed + 8 > area.height()) {
        for (LegendEntry &entry : legend)
            entry.value.clear();
        flow = flowLegend(legend, t, area.width(), false);
    }
    QFont label = t.font(TextRole::Label);
    if (area.height() - flow.height - 8 < count * 13) {
        legend.clear();
        flow = {};
    }
    const double room = area.height() - flow.height - (legend.empty() ? 0 : 8);
    const double rowHeight = std::clamp(room / count, 6.0, 52.0);
    label.setPixelSize(std::clamp(int(rowHeight) - 2, 8, label.pixelSize()));
    const QFont strong = [&] {
        QFont font = label;
        font.setWeight(QFont::DemiBold);
        return font;
    }();

    // Columns: names at the left, figures aligned among themselves at the right of the longest bar.
    double nameWidth = 0;
    std::vector<double> columns;
    for (const TimeBar &bar : p.bars.bars) {
        nameWidth = std::max(nameWidth, textWidth(strong, bar.gpuName));
        for (std::size_t i = 0; i < bar.figures.size(); ++i) {
            if (columns.size() <= i)
                columns.push_back(0);
            columns[i] = std::max(columns[i], textWidth(label, bar.figures[i].text));
        }
    }
    nameWidth = std::min(nameWidth, area.width() * 0.3);
    const QFont quiet = [&] {
        QFont font = t.font(TextRole::Secondary);
        font.setPixelSize(std::min(font.pixelSize(), label.pixelSize()));
        return font;
    }();
    double noteWidth = 0;
    for (const TimeBar &bar : p.bars.bars)
        noteWidth = std::max(noteWidth, textWidth(quiet, bar.note));
    double figuresWidth = noteWidth > 0 ? figureGap + noteWidth : 0;
    for (const double column : columns)
        figuresWidth += figureGap + column;

    const double left = area.left() + nameWidth + 10;
    const QRectF plot(left, area.top() + std::max((room - rowHeight * count) / 2, 0.0) * 0.5,
                      std::max(area.right() - left - figuresWidth, 20.0), rowHeight * count);
    p.chart.setBarShare(rowHeight > 14 ? std::min(28.0 / rowHeight, 0.66) : 0.85);
    p.chart.paint(painter, plot);

    for (std::size_t i = 0; i < p.bars.bars.size(); ++i) {
        const TimeBar &bar = p.bars.bars[i];
        // What it would take where the memory sufficed is no speed of this GPU.
        const QColor ink = bar.fits ? t.ink : t.secondaryInk;
        const QString suffix = bar.fits ? QString() : QString(QStringLiteral(", ") % bar.note);
        double from = 0;
        for (std::size_t part = 0; part < timePartCount; ++part) {
            if (bar.seconds[part] <= 0)
                continue;
            const double to = from + bar.seconds[part];
            spots.push_back(
                {p.chart.place(plot, i, from / p.top, to / p.top), bar.gpuId, pathOf(TimePart(part)),
                 tr("%1 on %2: %3")
                         .arg(nameOf(TimePart(part)), bar.gpuName, seconds(bar.seconds[part], options().style)) %
                     suffix});
            from = to;
        }
        const QRectF row(plot.left(), plot.top() + double(i) * rowHeight, plot.width(), rowHeight);
        drawText(painter, QRectF(area.left(), row.top(), nameWidth, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                 bar.gpuName, i == p.bars.selected && p.bars.bars.size() > 1 ? strong : label, t.ink);
        double x = p.chart.position(plot, bar.totalSeconds / p.top) + figureGap;
        for (std::size_t figure = 0; figure < bar.figures.size(); ++figure) {
            const double width = textWidth(label, bar.figures[figure].text);
            const QRectF place(x, row.top(), width, row.height());
            drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, bar.figures[figure].text, label,
                     figure == 0 ? ink : t.secondaryInk);
            const double textRow = std::min(lineHeight(label), row.height());
            spots.push_back({QRectF(x, row.center().y() - textRow / 2, width, textRow), bar.gpuId,
                             bar.figures[figure].path,
                             bar.gpuName % QStringLiteral(": ") % bar.figures[figure].spoken % suffix});
            x += width + figureGap;
        }
        drawText(painter, QRectF(x, row.top(), textWidth(quiet, bar.note), row.height()),
                 Qt::AlignLeft | Qt::AlignVCenter, bar.note, quiet, t.secondaryInk);
    }

    const QPointF corner(area.left(), area.bottom() - flow.height + 2);
    drawLegend(painter, corner, legend, flow, t, false);
    for (std::size_t i = 0; i < legend.size(); ++i) {
        const TimePart part = p.bars.legend[i];
        spots.push_back({flow.places[i].translated(corner), selected.gpuId, pathOf(part),
                         tr("%1 on %2: %3")
                                 .arg(nameOf(part), selected.gpuName,
                                      seconds(selected.seconds[std::size_t(part)], options().style)) %
                             (selected.fits ? QString() : QString(QStringLiteral(", ") % selected.note))});
    }
}

QString TimePanel::asTable() const {
    const TimeBars &bars = parts_->bars;
    QString text = tr("Time (s)");
    for (const TimeBar &bar : bars.bars)
        text += QLatin1Char('\t') % bar.gpuName;
    text += QLatin1Char('\n');
    NumberStyle style = options().style;
    const auto row = [&](const QString &name, auto &&value) {
        text += name;
        for (const TimeBar &bar : bars.bars)
            text += QLatin1Char('\t') % QString::fromStdString(formatPlain(value(bar), style));
        text += QLatin1Char('\n');
    };
    for (const TimePart part : bars.legend)
        row(nameOf(part), [&](const TimeBar &bar) { return bar.seconds[std::size_t(part)]; });
    row(tr("Total"), [&](const TimeBar &bar) { return bar.totalSeconds; });
    if (bars.bars.empty())
        return text;
    if (std::any_of(bars.bars.begin(), bars.bars.end(), [](const TimeBar &bar) { return !bar.fits; })) {
        text += tr("Fits");
        for (const TimeBar &bar : bars.bars)
            text += QLatin1Char('\t') % (bar.fits ? tr("yes") : tr("no, times as if it fit"));
        text += QLatin1Char('\n');
    }
    for (std::size_t i = 0; i < bars.bars.front().figures.size(); ++i) {
        text += bars.bars.front().figures[i].spoken.section(QStringLiteral(": "), 0, 0);
        for (const TimeBar &bar : bars.bars)
            text += QLatin1Char('\t') %
                    (i < bar.figures.size() ? bar.figures[i].spoken.section(QStringLiteral(": "), 1) : QString());
        text += QLatin1Char('\n');
    }
    return text;
}

QString TimePanel::spoken() const {
    QStringList sentences;
    for (const TimeBar &bar : parts_->bars.bars) {
        QStringList figures;
        for (const TimeFigure &figure : bar.figures)
            figures.append(figure.spoken);
        if (!bar.fits)
            figures.append(bar.note);
        const auto longest = std::max_element(bar.seconds.begin(), bar.seconds.end());
        //: %1: GPU, %2: figures, %3: the largest part, %4: its time
        sentences.append(tr("%1: %2; most of it is %3, %4.")
                             .arg(bar.gpuName, figures.join(QStringLiteral(", ")),
                                  nameOf(TimePart(longest - bar.seconds.begin())), seconds(*longest, options().style)));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace ridgepoint
