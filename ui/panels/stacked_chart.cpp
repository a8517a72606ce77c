// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// StackedChart over QChart: one scene, one series, reused for every report.
#include "ui/panels/stacked_chart.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsScene>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QStackedBarSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

struct StackedChart::Parts {
    Direction direction = Direction::Up;
    QGraphicsScene scene;
    QChart *chart = nullptr;              // owned by the scene
    QAbstractBarSeries *series = nullptr; // owned by the chart, like the sets and axes
    QBarCategoryAxis *categoryAxis = nullptr;
    QValueAxis *valueAxis = nullptr;
    std::vector<QBarSet *> sets;
    std::size_t categories = 0;
    double top = 1;
    double share = 0.6;
    QRectF plot;

    /// Qt Charts counts horizontal categories from the bottom.
    std::size_t slot(std::size_t category) const {
        return direction == Direction::Right ? categories - 1 - category : category;
    }
};

StackedChart::StackedChart(Direction direction, std::size_t partCount) : parts_(std::make_unique<Parts>()) {
    Parts &p = *parts_;
    p.direction = direction;
    p.scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    p.chart = new QChart;
    p.chart->setAnimationOptions(QChart::NoAnimation);
    p.chart->setBackgroundVisible(false);
    p.chart->setMargins({});
    p.chart->legend()->hide();
    if (direction == Direction::Up)
        p.series = new QStackedBarSeries;
    else
        p.series = new QHorizontalStackedBarSeries;
    for (std::size_t i = 0; i < partCount; ++i) {
        p.sets.push_back(new QBarSet(QString()));
        p.series->append(p.sets.back());
    }
    p.chart->addSeries(p.series);
    p.categoryAxis = new QBarCategoryAxis;
    p.valueAxis = new QValueAxis;
    p.chart->addAxis(p.categoryAxis, direction == Direction::Up ? Qt::AlignBottom : Qt::AlignLeft);
    p.chart->addAxis(p.valueAxis, direction == Direction::Up ? Qt::AlignLeft : Qt::AlignBottom);
    p.series->attachAxis(p.categoryAxis);
    p.series->attachAxis(p.valueAxis);
    for (QAbstractAxis *axis :
         {static_cast<QAbstractAxis *>(p.categoryAxis), static_cast<QAbstractAxis *>(p.valueAxis)}) {
        axis->setLabelsVisible(false);
        axis->setLineVisible(false);
        axis->setGridLineVisible(false);
    }
    p.series->setBarWidth(p.share);
    p.scene.addItem(p.chart);
}

StackedChart::~StackedChart() = default;

void StackedChart::setValues(const std::vector<std::vector<double>> &values) {
    Parts &p = *parts_;
    const bool restructured = values.size() != p.categories;
    p.categories = values.size();
    for (std::size_t part = 0; part < p.sets.size(); ++part) {
        QBarSet &set = *p.sets[part];
        if (restructured) {
            QList<qreal> list(qsizetype(values.size()));
            for (std::size_t i = 0; i < values.size(); ++i)
                list[qsizetype(p.slot(i))] = values[i][part];
            set.remove(0, set.count());
            set.append(list);
            continue;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const int slot = int(p.slot(i));
            if (set.at(slot) != values[i][part])
                set.replace(slot, values[i][part]);
        }
    }
    if (restructured) {
        QStringList names;
        for (std::size_t i = 0; i < values.size(); ++i)
            names.append(QString::number(i));
        p.categoryAxis->setCategories(names);
    }
}

void StackedChart::setStyle(std::size_t part, const MarkStyle &style) {
    QBarSet &set = *parts_->sets[part];
    if (set.color() != style.fill)
        set.setColor(style.fill);
    const QPen pen(style.edge, style.outlined ? 1 : 0.8);
    if (set.pen() != pen)
        set.setPen(pen);
}

void StackedChart::setTop(double top) {
    Parts &p = *parts_;
    p.top = top;
    if (p.valueAxis->max() != top || p.valueAxis->min() != 0)
        p.valueAxis->setRange(0, top);
}

void StackedChart::setBarShare(double share) {
    if (std::abs(parts_->share - share) < 1e-6)
        return;
    parts_->share = share;
    parts_->series->setBarWidth(share);
}

void StackedChart::paint(QPainter &painter, const QRectF &plot) {
    Parts &p = *parts_;
    if (p.categories == 0)
        return;
    if (p.plot.size() != plot.size()) {
        p.plot = QRectF(QPointF(), plot.size());
        p.scene.setSceneRect(p.plot);
        p.chart->setGeometry(p.plot);
        p.chart->setPlotArea(p.plot);
    }
    // One pixel around the plot, for the lines on its border.
    const QRectF source = p.plot.adjusted(-1, -1, 1, 1);
    p.scene.render(&painter, plot.adjusted(-1, -1, 1, 1), source, Qt::IgnoreAspectRatio);
}

QRectF StackedChart::place(const QRectF &plot, std::size_t category, double from, double to) const {
    const Parts &p = *parts_;
    const auto count = double(std::max<std::size_t>(p.categories, 1));
    if (p.direction == Direction::Up) {
        const double width = plot.width() / count;
        const double left = plot.left() + (double(category) + 0.5 - p.share / 2) * width;
        const double bottom = position(plot, from);
        const double above = position(plot, to);
        return {left, above, width * p.share, bottom - above};
    }
    const double height = plot.height() / count;
    const double upper = plot.top() + (double(category) + 0.5 - p.share / 2) * height;
    const double left = position(plot, from);
    return {left, upper, position(plot, to) - left, height * p.share};
}

double StackedChart::position(const QRectF &plot, double value) const {
    const double share = value / parts_->top;
    return parts_->direction == Direction::Up ? plot.bottom() - share * plot.height()
                                              : plot.left() + share * plot.width();
}

} // namespace ridgepoint
