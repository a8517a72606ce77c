// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What all panels draw: text that knows its room, swatches, legends.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QString>
#include <QStringList>

#include <vector>

namespace ridgepoint {

double textWidth(const QFont &font, const QString &text);
double lineHeight(const QFont &font);

/// A card: rounded, one line around it. Fills the whole of `area`, outside the corners with the ground.
void drawCard(QPainter &painter, const QRect &area, const Theme &theme);

/// Elided to the area's width.
void drawText(QPainter &painter, const QRectF &area, Qt::Alignment alignment, const QString &text, const QFont &font,
              const QColor &colour);

/// The first text that fits into `width` whole; empty where none does: a number is shown whole or not at all.
QString firstThatFits(const QStringList &texts, const QFont &font, double width);

/// Words on as many lines as they need, at most `maxLines`; the last one is elided, and so is a word that is too wide.
QStringList wrapped(const QString &text, const QFont &font, double width, int maxLines);

/// A small filled square with the mark's edge.
void drawSwatch(QPainter &painter, const QPointF &topLeft, double size, const MarkStyle &style);

struct LegendEntry {
    MarkStyle style;
    QString name, value; ///< value may be empty
};
/// Where each entry goes when they flow in lines of `width`; `rows` is the number of lines.
struct LegendFlow {
    std::vector<QRectF> places; ///< relative to the legend's top left
    int rows = 0;
    double height = 0;
};
enum class LegendSize { Usual, Tight }; ///< tight: smaller type, closer together
/// `columns`: entries are aligned in columns of equal width.
LegendFlow flowLegend(const std::vector<LegendEntry> &entries, const Theme &theme, double width, bool columns,
                      LegendSize size = LegendSize::Usual);
void drawLegend(QPainter &painter, const QPointF &topLeft, const std::vector<LegendEntry> &entries,
                const LegendFlow &flow, const Theme &theme, bool columns, LegendSize size = LegendSize::Usual);

} // namespace ridgepoint
