// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline on QCustomPlot: axes and roofs are its own, everything with a label is an overlay that knows what is in
// the way.
#include "ui/panels/roofline/roofline_plot.h"

#include "ui/panels/drawing.h"
#include "ui/panels/roofline/qcustomplot.h"
#include "ui/panels/roofline/roofline_labels.h"

#include <QPicture>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// `100 T`, `1 k`, `0.1`: the formatter's prefix without the unit, which the title names.
QString decadeText(int exponent, const NumberStyle &style) {
    const double value = std::pow(10, exponent);
    NumberStyle short1 = style;
    short1.significantDigits = 1;
    if (exponent < 3)
        return QString::fromStdString(formatQuantity(value, Unit::None, short1));
    static const std::array<QChar, 7> prefixes{u'k', u'M', u'G', u'T', u'P', u'E', u'Z'};
    const int group = std::min(exponent / 3, int(prefixes.size()));
    return QString::number(std::pow(10, exponent - 3 * group), 'f', 0) % QChar(0x202f) %
           prefixes[std::size_t(group - 1)];
}

/// A tick at every decade, or every second or third where they would crowd.
class DecadeTicker : public QCPAxisTickerLog {
public:
    NumberStyle style;
    int every = 1;

protected:
    QVector<double> createTickVector(double, const QCPRange &range) override {
        QVector<double> ticks;
        const int first = int(std::floor(std::log10(range.lower) + 1e-9));
        const int last = int(std::ceil(std::log10(range.upper) - 1e-9));
        for (int exponent = first; exponent <= last; ++exponent) {
            if ((exponent - first) % every == 0)
                ticks.append(std::pow(10, exponent));
        }
        return ticks;
    }
    QVector<double> createSubTickVector(int, const QVector<double> &) override { return {}; }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override {
        return decadeText(int(std::lround(std::log10(tick))), style);
    }
};

} // namespace

class RooflinePlot::Plot : public QCustomPlot {
public:
    explicit Plot(QWidget *parent) : QCustomPlot(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setAntialiasedElements(QCP::aeAll);
        axisRect()->setAutoMargins(QCP::msNone);
        axisRect()->setMinimumSize(1, 1);
        setMinimumSize(1, 1);
        for (QCPAxis *axis : {xAxis, yAxis}) {
            axis->setScaleType(QCPAxis::stLogarithmic);
            axis->setSubTicks(false);
            axis->setBasePen(Qt::NoPen);
            axis->setTickLabelPadding(6);
            axis->setTickLength(0, 0);
            axis->grid()->setSubGridVisible(false);
            axis->grid()->setZeroLinePen(Qt::NoPen);
        }
        xAxis->setTicker(xTicker);
        yAxis->setTicker(yTicker);
    }

    void fitMargins(const QSize &size) {
        const QFont small = theme.font(TextRole::Small);
        double labelWidth = 0;
        for (int exponent = performance.lowest; exponent <= performance.highest; ++exponent)
            labelWidth = std::max(labelWidth, textWidth(small, decadeText(exponent, style)));
        const double row = lineHeight(small);
        axisRect()->setMargins(QMargins(int(labelWidth) + 10, int(row / 2) + 1,
                                        int(std::ceil(RooflineLabels::marginFor(points, size.width(), theme))),
                                        int(row) + 8));
        const double height = std::max(size.height() - row * 2.5, 1.0);
        const double width = std::max(size.width() - labelWidth - 30, 1.0);
        yTicker->every =
            std::clamp(int(std::ceil((performance.highest - performance.lowest) * (row + 4) / height)), 1, 6);
        xTicker->every = std::clamp(int(std::ceil((intensity.highest - intensity.lowest) * 44 / width)), 1, 6);
    }

    RooflinePoints points;
    LogAxis intensity, performance;
    Theme theme = lightTheme();
    NumberStyle style;
    QSharedPointer<DecadeTicker> xTicker{new DecadeTicker}, yTicker{new DecadeTicker};
    Overlay *overlay = nullptr; // owned by the plot

    /// Whether roofs, axes and colours are as they were drawn last: then only points and labels are drawn again. Long
    /// dashed lines are most of the work of a plot, and stay where they are while a slider moves.
    bool isFrameAsDrawn(const RooflinePoints &newPoints, const LogAxis &newIntensity, const LogAxis &newPerformance,
                        const Theme &newTheme, const NumberStyle &newStyle) const {
        const auto isSameRoof = [](const Roof &a, const Roof &b) {
            return a.gpuId == b.gpuId && a.gpuName == b.gpuName && a.format == b.format &&
                   a.peakFlopsPerSecond == b.peakFlopsPerSecond &&
                   a.bandwidthBytesPerSecond == b.bandwidthBytesPerSecond;
        };
        return drawnSize == size() && newPoints.selected == points.selected && newTheme.kind == theme.kind &&
               newTheme.bodyPixels == theme.bodyPixels && newTheme.fontFamily == theme.fontFamily &&
               newStyle.decimalPoint == style.decimalPoint && newIntensity == intensity &&
               newPerformance == performance &&
               std::equal(newPoints.roofs.begin(), newPoints.roofs.end(), points.roofs.begin(), points.roofs.end(),
                          isSameRoof);
    }
    QSize drawnSize; ///< of the plot when all of it was drawn last
};

class RooflinePlot::Overlay : public QCPLayerable {
public:
    explicit Overlay(Plot *plot) : QCPLayerable(plot, QStringLiteral("labels")), plot_(plot) {}
    RooflineLabels drawn;

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(true); }
    void draw(QCPPainter *painter) override {
        if (plot_->points.roofs.empty())
            return;
        const auto toPixel = [this](double intensityFlopPerByte, double flopsPerSecond) {
            return QPointF(plot_->xAxis->coordToPixel(intensityFlopPerByte),
                           plot_->yAxis->coordToPixel(flopsPerSecond));
        };
        drawn.layOut(plot_->points, QRectF(plot_->axisRect()->rect()), plot_->viewport().right(), toPixel, plot_->theme,
                     plot_->style);
        drawn.paint(*painter, plot_->points, plot_->theme);
    }

private:
    Plot *plot_;
};

RooflinePlot::RooflinePlot(QWidget *parent) {
    auto plot = std::make_unique<Plot>(parent);
    plot_ = plot.get();
    plot_->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical); // one buffer for all
    plot_->addLayer(QStringLiteral("labels"), plot_->layer(QStringLiteral("main")), QCustomPlot::limAbove);
    plot_->layer(QStringLiteral("labels"))->setMode(QCPLayer::lmBuffered);
    plot_->overlay = new Overlay(plot_);
    if (parent)
        static_cast<void>(plot.release()); // the parent owns it now
    else
        owned_ = std::move(plot);
}

RooflinePlot::~RooflinePlot() = default;

void RooflinePlot::setContent(const RooflinePoints &points, const LogAxis &intensity, const LogAxis &performance,
                              const Theme &theme, const NumberStyle &style) {
    Plot &p = *plot_;
    const bool isOnScreen = p.isVisible() || p.viewport().isValid();
    if (isOnScreen && p.isFrameAsDrawn(points, intensity, performance, theme, style)) {
        p.points = points;
        p.layer(QStringLiteral("labels"))->replot();
        return;
    }
    p.points = points;
    p.intensity = intensity;
    p.performance = performance;
    p.theme = theme;
    p.style = style;
    p.xTicker->style = style;
    p.yTicker->style = style;
    const double low = std::pow(10, intensity.lowest);
    const double high = std::pow(10, intensity.highest);
    p.xAxis->setRange(low, high);
    p.yAxis->setRange(std::pow(10, performance.lowest), std::pow(10, performance.highest));
    const QFont small = theme.font(TextRole::Small);
    for (QCPAxis *axis : {p.xAxis, p.yAxis}) {
        axis->setTickLabelFont(small);
        axis->setTickLabelColor(theme.secondaryInk);
        axis->grid()->setPen(QPen(theme.grid, 1));
        axis->setTickPen(QPen(theme.grid, 1)); // of no length, but files show a dot
    }
    p.setBackground(QBrush(theme.card));
    while (p.graphCount() > int(points.roofs.size()))
        p.removeGraph(p.graphCount() - 1);
    while (p.graphCount() < int(points.roofs.size()))
        p.addGraph();
    for (std::size_t i = 0; i < points.roofs.size(); ++i) {
        const Roof &roof = points.roofs[i];
        QCPGraph &graph = *p.graph(int(i));
        QPen pen = theme.roof(i);
        if (i == points.selected)
            pen.setWidthF(2.4);
        graph.setPen(pen);
        const double ridge = std::clamp(roof.ridgeFlopPerByte, low, high);
        graph.setData({low, ridge, high}, {roof.at(low), roof.at(ridge), roof.at(high)}, true);
    }
    p.fitMargins(p.size());
    if (isOnScreen) {
        p.replot(QCustomPlot::rpQueuedRefresh);
        p.drawnSize = p.size();
    }
}

void RooflinePlot::place(const QRect &area) {
    plot_->setGeometry(area);
    plot_->fitMargins(area.size());
    plot_->setViewport(QRect(QPoint(), area.size()));
    plot_->replot(QCustomPlot::rpQueuedRefresh);
    plot_->drawnSize = area.size();
}

void RooflinePlot::setVisible(bool visible) {
    plot_->setVisible(visible);
}

void RooflinePlot::paint(QPainter &painter, const QRectF &area) {
    const QSize size = area.size().toSize();
    plot_->fitMargins(size);
    QPicture picture;
    QCPPainter recorder;
    recorder.begin(&picture);
    plot_->toPainter(&recorder, size.width(), size.height());
    recorder.end();
    // Pictures are scaled to the resolution of their device; this one is in the painter's own units.
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(double(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                  double(picture.logicalDpiY()) / painter.device()->logicalDpiY());
    painter.drawPicture(QPointF(), picture);
    painter.restore();
}

const std::vector<PanelSpot> &RooflinePlot::spots() const {
    return plot_->overlay->drawn.spots;
}

const std::vector<QRectF> &RooflinePlot::labels() const {
    return plot_->overlay->drawn.occupied;
}

} // namespace ridgepoint
