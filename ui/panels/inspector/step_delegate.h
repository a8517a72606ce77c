// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// StepDelegate: draws the cells of the inspector's tree with formulas on as many lines as they need.
#pragma once

#include <QColor>
#include <QStyledItemDelegate>

class QTreeView;

namespace ridgepoint {

/// Text wraps to its column; the last column's source follows the formula in quieter ink, on one line at most.
class StepDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// `formulaColumn` shows the text of `sourceColumn` behind its own; `valueColumn` is right-aligned.
    StepDelegate(QTreeView *view, int valueColumn, int formulaColumn, int sourceColumn);

    void setColours(const QColor &ink, const QColor &quietInk);
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Height of a row as its columns are now.
    int rowHeight(const QModelIndex &index) const;

private:
    struct Words;
    Words wordsOf(const QModelIndex &index, const QFont &font, double width) const;
    double widthFor(const QModelIndex &index) const;

    QTreeView *view_;
    int valueColumn_, formulaColumn_, sourceColumn_;
    QColor ink_, quietInk_;
};

} // namespace ridgepoint
