// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Cells that wrap: a layout per cell, measured and drawn alike.
#include "ui/panels/inspector/step_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr int gap = 12; ///< at the right of a cell
constexpr int between = 2;

/// Lays out and gives the height.
double wrap(QTextLayout &layout, double width, Qt::Alignment alignment) {
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    double y = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition(QPointF(0, y));
        y += line.height();
    }
    layout.endLayout();
    return y;
}

} // namespace

struct StepDelegate::Words {
    QString text;
    qsizetype quietFrom = 0; ///< from here on the source
};

StepDelegate::StepDelegate(QTreeView *view, int valueColumn, int formulaColumn, int sourceColumn)
    : QStyledItemDelegate(view), view_(view), valueColumn_(valueColumn), formulaColumn_(formulaColumn),
      sourceColumn_(sourceColumn) {}

void StepDelegate::setColours(const QColor &ink, const QColor &quietInk) {
    ink_ = ink;
    quietInk_ = quietInk;
}

StepDelegate::Words StepDelegate::wordsOf(const QModelIndex &index, const QFont &font, double width) const {
    const QString own = index.data().toString();
    if (index.column() != formulaColumn_)
        return {own, own.size()};
    QString source = index.siblingAtColumn(sourceColumn_).data().toString();
    if (source.isEmpty())
        return {own, own.size()};
    // A citation can be longer than the card: the tool tip has all of it.
    source = QFontMetricsF(font).elidedText(source, Qt::ElideRight, width);
    return {own.isEmpty() ? source : QString(own + QChar(QChar::LineSeparator) + source), own.size()};
}

double StepDelegate::widthFor(const QModelIndex &index) const {
    double width = view_->columnWidth(index.column()) - gap;
    if (index.column() == 0) {
        for (QModelIndex each = index; each.isValid(); each = each.parent())
            width -= view_->indentation();
    }
    return std::max(width, 24.0);
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const {
    const double width = widthFor(index);
    const QFont font = view_->font();
    QTextLayout layout(wordsOf(index, font, width).text, font);
    const double height = wrap(layout, width, Qt::AlignLeft);
    const double least = QFontMetricsF(font).height();
    return {int(width), int(std::ceil(std::max(height, least))) + between};
}

int StepDelegate::rowHeight(const QModelIndex &index) const {
    int height = 0;
    for (const int column : {0, valueColumn_, formulaColumn_})
        height = std::max(height, sizeHint({}, index.siblingAtColumn(column)).height());
    return height;
}

void StepDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text.clear();
    const QStyle *style = view_->style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &row, painter, view_);
    const QFont font = view_->font();
    const double width = std::max(option.rect.width() - gap, 24);
    const Words words = wordsOf(index, font, width);
    QTextLayout layout(words.text, font);
    const bool isSelected = row.state.testFlag(QStyle::State_Selected);
    if (words.quietFrom < words.text.size() && !isSelected) {
        QTextLayout::FormatRange quiet;
        quiet.start = int(words.quietFrom);
        quiet.length = int(words.text.size() - words.quietFrom);
        quiet.format.setForeground(quietInk_);
        layout.setFormats({quiet});
    }
    wrap(layout, width, index.column() == valueColumn_ ? Qt::AlignRight : Qt::AlignLeft);
    painter->setPen(isSelected ? row.palette.color(QPalette::HighlightedText) : ink_);
    layout.draw(painter, QPointF(option.rect.left(), option.rect.top()));
}

} // namespace ridgepoint
