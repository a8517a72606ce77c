// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Text, swatches and legends.
#include "ui/panels/drawing.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainterPath>
#include <QStaticText>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace ridgepoint {

namespace {

constexpr double valueGap = 6;

double columnGap(LegendSize size) {
    return size == LegendSize::Tight ? 10 : 18;
}

double swatchGap(LegendSize size) {
    return size == LegendSize::Tight ? 4 : 6;
}

QFont nameFont(const Theme &theme, LegendSize size) {
    return theme.font(size == LegendSize::Tight ? TextRole::Small : TextRole::Secondary);
}

double swatchSize(const Theme &theme, LegendSize size) {
    return std::round(theme.bodyPixels * (size == LegendSize::Tight ? 0.7 : 0.85));
}

double entryWidth(const LegendEntry &entry, const Theme &theme, LegendSize size) {
    double width = swatchSize(theme, size) + swatchGap(size) + textWidth(nameFont(theme, size), entry.name);
    if (!entry.value.isEmpty())
        width += valueGap + textWidth(theme.font(TextRole::Label), entry.value);
    return width;
}

struct ShapedText {
    double width = 0;
    QStaticText text;
};

/// Shaping the same few hundred words again for every frame would be the largest part of painting.
const ShapedText &shaped(const QFont &font, const QString &text) {
    using Key = std::tuple<QString, QString, int, int>;
    static thread_local std::map<Key, ShapedText> known;
    constexpr std::size_t mostKnown = 4096;
    const Key key(text, font.family(), font.pixelSize(), font.weight());
    if (const auto found = known.find(key); found != known.end())
        return found->second;
    if (known.size() >= mostKnown)
        known.clear();
    ShapedText one;
    one.width = QFontMetricsF(font).horizontalAdvance(text);
    one.text.setText(text);
    one.text.setTextFormat(Qt::PlainText);
    one.text.prepare({}, font);
    return known.emplace(key, std::move(one)).first->second;
}

} // namespace

double textWidth(const QFont &font, const QString &text) {
    return shaped(font, text).width;
}

double lineHeight(const QFont &font) {
    return std::ceil(QFontMetricsF(font).height());
}

void drawCard(QPainter &painter, const QRect &area, const Theme &theme) {
    // Only the corners need antialiasing; filling all of a large card with it is slow.
    constexpr double radius = 8;
    const QRectF outline = QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, theme.card);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole(area);
    const double size = radius * 2 + 1;
    QPainterPath corners;
    struct Corner {
        QPointF tip;
        QRectF circle;
        double startDegrees;
    };
    for (const Corner &corner :
         {Corner{whole.topLeft(), QRectF(whole.left(), whole.top(), size, size), 90},
          Corner{whole.topRight(), QRectF(whole.right() - size, whole.top(), size, size), 0},
          Corner{whole.bottomRight(), QRectF(whole.right() - size, whole.bottom() - size, size, size), 270},
          Corner{whole.bottomLeft(), QRectF(whole.left(), whole.bottom() - size, size, size), 180}}) {
        corners.moveTo(corner.tip);
        corners.arcTo(corner.circle, corner.startDegrees, 90);
        corners.closeSubpath();
    }
    painter.fillPath(corners, theme.ground);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(outline, radius, radius);
}

void drawText(QPainter &painter, const QRectF &area, Qt::Alignment alignment, const QString &text, const QFont &font,
              const QColor &colour) {
    if (text.isEmpty() || area.width() <= 0)
        return;
    const QFontMetricsF metrics(font);
    // Half a pixel of tolerance: areas are often measured from the same text.
    const QString shown =
        textWidth(font, text) <= area.width() + 0.5 ? text : metrics.elidedText(text, Qt::ElideRight, area.width());
    const double width = textWidth(font, shown);
    double x = area.left();
    if (alignment & Qt::AlignRight)
        x = area.right() - width;
    else if (alignment & Qt::AlignHCenter)
        x = area.center().x() - width / 2;
    double baseline = area.top() + metrics.ascent();
    if (alignment & Qt::AlignVCenter)
        baseline = area.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    else if (alignment & Qt::AlignBottom)
        baseline = area.bottom() - metrics.descent();
    painter.setFont(font);
    painter.setPen(colour);
    const QPointF start(std::round(x), std::round(baseline));
    // A file keeps its text as text; only pixels take the shaped form.
    if (painter.paintEngine()->type() == QPaintEngine::Raster)
        painter.drawStaticText(start - QPointF(0, metrics.ascent()), shaped(font, shown).text);
    else
        painter.drawText(start, shown);
}

QString firstThatFits(const QStringList &texts, const QFont &font, double width) {
    const auto fitting = std::find_if(texts.begin(), texts.end(), [&](const QString &text) {
        return !text.isEmpty() && textWidth(font, text) <= width + 0.5;
    });
    return fitting != texts.end() ? *fitting : QString();
}

QStringList wrapped(const QString &text, const QFont &font, double width, int maxLines) {
    const QFontMetricsF metrics(font);
    QStringList lines;
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const QString joined = lines.isEmpty() ? QString() : QString(lines.last() + QLatin1Char(' ') + word);
        const bool fits = !joined.isEmpty() && textWidth(font, joined) <= width;
        if (!fits && lines.size() < maxLines)
            lines.append(word);
        else
            lines.last() = joined;
    }
    for (QString &line : lines) {
        if (textWidth(font, line) > width + 0.5)
            line = metrics.elidedText(line, Qt::ElideRight, width);
    }
    return lines;
}

void drawSwatch(QPainter &painter, const QPointF &topLeft, double size, const MarkStyle &style) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(style.fill);
    painter.setPen(style.outlined ? QPen(style.edge, 1) : QPen(Qt::NoPen));
    const double inset = style.outlined ? 0.5 : 0;
    painter.drawRoundedRect(QRectF(topLeft, QSizeF(size, size)).adjusted(inset, inset, -inset, -inset), 2, 2);
    painter.restore();
}

LegendFlow flowLegend(const std::vector<LegendEntry> &entries, const Theme &theme, double width, bool columns,
                      LegendSize size) {
    LegendFlow flow;
    if (entries.empty())
        return flow;
    const double row = lineHeight(nameFont(theme, size)) + (size == LegendSize::Tight ? 1 : 4);
    const double gap = columnGap(size);
    double widest = 0;
    for (const LegendEntry &entry : entries)
        widest = std::max(widest, entryWidth(entry, theme, size));
    if (columns) {
        const int count = std::clamp(int((width + gap) / (widest + gap)), 1, int(entries.size()));
        const double column = (width - gap * (count - 1)) / count;
        const double used = std::min(column, widest + gap * 1.5);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const int line = int(i) / count;
            flow.places.emplace_back((int(i) % count) * (used + gap), line * row, used, row);
            flow.rows = line + 1;
        }
    } else {
        double x = 0;
        int line = 0;
        for (const LegendEntry &entry : entries) {
            const double needed = std::min(entryWidth(entry, theme, size), width);
            if (x > 0 && x + needed > width) {
                x = 0;
                ++line;
            }
            flow.places.emplace_back(x, line * row, needed, row);
            x += needed + gap;
        }
        flow.rows = line + 1;
    }
    flow.height = flow.rows * row;
    return flow;
}

void drawLegend(QPainter &painter, const QPointF &topLeft, const std::vector<LegendEntry> &entries,
                const LegendFlow &flow, const Theme &theme, bool columns, LegendSize size) {
    const double swatch = swatchSize(theme, size);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const QRectF place = flow.places[i].translated(topLeft);
        drawSwatch(painter, QPointF(std::round(place.left()), std::round(place.center().y() - swatch / 2)), swatch,
                   entries[i].style);
        QRectF text = place.adjusted(swatch + swatchGap(size), 0, 0, 0);
        if (!entries[i].value.isEmpty()) {
            const QFont strong = theme.font(TextRole::Label);
            const double needed = textWidth(strong, entries[i].value);
            const QRectF value = columns ? QRectF(text.right() - needed, text.top(), needed, text.height())
                                         : QRectF(place.right() - needed, text.top(), needed, text.height());
            drawText(painter, value, Qt::AlignRight | Qt::AlignVCenter, entries[i].value, strong, theme.ink);
            text.setRight(value.left() - valueGap);
        }
        drawText(painter, text, Qt::AlignLeft | Qt::AlignVCenter, entries[i].name, nameFont(theme, size), theme.ink);
    }
}

} // namespace ridgepoint
