// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline card: decades that follow a slider, the plot, and its figures as text.
#include "ui/panels/roofline/roofline_panel.h"

#include "ui/panels/roofline/roofline_plot.h"
#include "ui/panels/roofline/roofline_points.h"

#include <QPainter>

namespace ridgepoint {

struct RooflinePanel::Parts {
    explicit Parts(QWidget *parent) : plot(parent) {}
    RooflinePoints points;
    LogAxis intensity, performance;
    RooflinePlot plot;
};

RooflinePanel::RooflinePanel(QWidget *parent) : Panel(parent), parts_(std::make_unique<Parts>(this)) {}
RooflinePanel::~RooflinePanel() = default;

QString RooflinePanel::id() const {
    return QStringLiteral("roofline");
}

QString RooflinePanel::title() const {
    return tr("Roofline");
}

QString RooflinePanel::subtitle() const {
    const RooflinePoints &points = parts_->points;
    if (points.roofs.empty())
        return {};
    const Roof &roof = points.roofs[points.selected];
    //: %1: as BF16, %2: GPU whose operations are shown
    return tr("FLOP/s against FLOP/byte, dense %1; operations on %2, area is share of time")
        .arg(roof.format, roof.gpuName);
}

QString RooflinePanel::shortSubtitle() const {
    const RooflinePoints &points = parts_->points;
    if (points.roofs.empty())
        return {};
    const Roof &roof = points.roofs[points.selected];
    return tr("dense %1, operations on %2").arg(roof.format, roof.gpuName);
}

std::unique_ptr<Panel> RooflinePanel::sibling() const {
    return std::make_unique<RooflinePanel>();
}

void RooflinePanel::refresh() {
    Parts &p = *parts_;
    p.points = rooflinePoints(report(), options().style, selectedGpu());
    p.plot.setVisible(!isAway() && emptyReason().isEmpty());
    if (!emptyReason().isEmpty())
        return;
    p.intensity = followingAxis(p.intensity, p.points.intensity, options().dragging);
    p.performance = followingAxis(p.performance, p.points.performance, options().dragging);
    p.plot.setContent(p.points, p.intensity, p.performance, theme(), options().style);
}

void RooflinePanel::resizeEvent(QResizeEvent *event) {
    Panel::resizeEvent(event);
    parts_->plot.place(contentArea(size()).toRect());
}

void RooflinePanel::paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    Parts &p = *parts_;
    if (isAway()) {
        p.plot.paint(painter, area);
        return;
    }
    const QPointF corner(area.toRect().topLeft());
    for (PanelSpot spot : p.plot.spots()) {
        spot.area.translate(corner);
        spots.push_back(std::move(spot));
    }
}

QString RooflinePanel::asTable() const {
    const RooflinePoints &points = parts_->points;
    const NumberStyle &style = options().style;
    const auto plain = [&](double value) { return QString::fromStdString(formatPlain(value, style)); };
    QString text = tr("GPU\tFormat\tPeak (FLOP/s)\tBandwidth (bytes/s)\tRidge (FLOP/byte)\n");
    for (const Roof &roof : points.roofs)
        text += QStringList{roof.gpuName, roof.format, plain(roof.peakFlopsPerSecond),
                            plain(roof.bandwidthBytesPerSecond), plain(roof.ridgeFlopPerByte)}
                    .join(QLatin1Char('\t')) %
                QLatin1Char('\n');
    text += tr("Operation\tBound\tIntensity (FLOP/byte)\tReached (FLOP/s)\tShare of time\n");
    for (const RooflinePoint &point : points.points)
        text += QStringList{point.name, nameOf(point.bound), plain(point.intensityFlopPerByte),
                            plain(point.flopsPerSecond), plain(point.timeShare)}
                    .join(QLatin1Char('\t')) %
                QLatin1Char('\n');
    return text;
}

QString RooflinePanel::spoken() const {
    const RooflinePoints &points = parts_->points;
    if (points.roofs.empty())
        return {};
    const NumberStyle &style = options().style;
    QStringList sentences;
    for (const Roof &roof : points.roofs)
        sentences.append(
            tr("%1: peak %2, ridge at %3.")
                .arg(roof.gpuName,
                     QString::fromStdString(formatQuantity(roof.peakFlopsPerSecond, Unit::FlopPerSecond, style)),
                     QString::fromStdString(formatQuantity(roof.ridgeFlopPerByte, Unit::FlopPerByte, style))));
    for (std::size_t i = 0; i < points.points.size() && i < 5; ++i) {
        const RooflinePoint &point = points.points[i];
        sentences.append(tr("%1 is %2, %3 of the time.")
                             .arg(point.name, nameOf(point.bound),
                                  QString::fromStdString(formatQuantity(point.timeShare, Unit::Percent, style))));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace ridgepoint
