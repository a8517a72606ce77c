// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Report to roofs and points.
#include "ui/panels/roofline/roofline_points.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

QString translated(const char *text) {
    return QCoreApplication::translate("RooflinePanel", text);
}

QString quantity(double value, Unit unit, const NumberStyle &style) {
    return QString::fromStdString(formatQuantity(value, unit, style));
}

/// `gate_up` is shown as `gate up`.
QString shown(std::string_view name) {
    return QString::fromUtf8(name.data(), qsizetype(name.size())).replace(QLatin1Char('_'), QLatin1Char(' '));
}

RooflinePoint pointOf(const OperationReport<double> &operation, std::size_t index, double allSeconds,
                      const NumberStyle &style) {
    RooflinePoint point;
    point.operation = index;
    point.name = shown(operation.name);
    point.path = QStringLiteral("roofline.operations[%1].time_s").arg(index);
    point.intensityFlopPerByte = *operation.intensityFlopPerByte;
    point.flopsPerSecond = operation.flops / operation.timeSeconds;
    point.timeShare = allSeconds > 0 ? operation.timeSeconds * operation.count / allSeconds : 0;
    point.bound = operation.bound;
    QStringList lines;
    lines.append(point.name % QStringLiteral(" (") % nameOf(operation.phase) % QStringLiteral("), ") %
                 nameOf(operation.bound));
    lines.append(translated("%1 each, %2 of the time")
                     .arg(quantity(operation.timeSeconds, Unit::Seconds, style),
                          quantity(point.timeShare, Unit::Percent, style)));
    lines.append(translated("%1 at %2")
                     .arg(quantity(point.flopsPerSecond, Unit::FlopPerSecond, style),
                          quantity(point.intensityFlopPerByte, Unit::FlopPerByte, style)));
    if (operation.attainableFlopsPerSecond)
        lines.append(translated("roof above it: %1")
                         .arg(quantity(*operation.attainableFlopsPerSecond, Unit::FlopPerSecond, style)));
    point.detail = lines.join(QLatin1Char('\n'));
    return point;
}

} // namespace

double Roof::at(double intensityFlopPerByte) const {
    return std::min(intensityFlopPerByte * bandwidthBytesPerSecond, peakFlopsPerSecond);
}

RooflinePoints rooflinePoints(const Report<double> &report, const NumberStyle &style, const QString &selectedGpu) {
    RooflinePoints result;
    double highestRidge = 0;
    double highestPeak = 0;
    for (const GpuReport<double> &gpu : report.gpus) {
        Roof roof;
        roof.gpuId = QString::fromStdString(gpu.gpu);
        roof.gpuName = QString::fromStdString(gpu.gpuShortName.empty() ? gpu.gpuName : gpu.gpuShortName);
        roof.format = nameOf(gpu.roofline.compute);
        roof.bandwidthBytesPerSecond = gpu.roofline.bandwidthBytesPerSecond;
        roof.ridgeFlopPerByte = gpu.roofline.ridgeFlopPerByte;
        roof.peakFlopsPerSecond = gpu.roofline.peaks[std::size_t(gpu.roofline.compute)].value_or(
            roof.ridgeFlopPerByte * roof.bandwidthBytesPerSecond);
        highestRidge = std::max(highestRidge, roof.ridgeFlopPerByte);
        highestPeak = std::max(highestPeak, roof.peakFlopsPerSecond);
        if (roof.gpuId == selectedGpu)
            result.selected = result.roofs.size();
        result.roofs.push_back(std::move(roof));
    }
    if (result.roofs.empty() || !(highestPeak > 0) || !(highestRidge > 0))
        return result;

    const auto &operations = report.gpus[result.selected].roofline.operations;
    double allSeconds = 0;
    for (const OperationReport<double> &operation : operations)
        allSeconds += operation.timeSeconds * operation.count;
    double lowIntensity = 1;
    double highIntensity = highestRidge * 8;
    double lowPerformance = highestPeak / 1000;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const OperationReport<double> &operation = operations[i];
        if (!operation.intensityFlopPerByte || !(*operation.intensityFlopPerByte > 0) || !(operation.timeSeconds > 0) ||
            !(operation.flops > 0))
            continue;
        result.points.push_back(pointOf(operation, i, allSeconds, style));
        const RooflinePoint &point = result.points.back();
        // What takes no time to speak of must not stretch the axes.
        if (point.timeShare < 1e-4)
            continue;
        lowIntensity = std::min(lowIntensity, point.intensityFlopPerByte);
        highIntensity = std::max(highIntensity, point.intensityFlopPerByte * 2);
        lowPerformance = std::min(lowPerformance, point.flopsPerSecond);
    }
    std::stable_sort(result.points.begin(), result.points.end(),
                     [](const RooflinePoint &a, const RooflinePoint &b) { return a.timeShare > b.timeShare; });
    result.intensity = decadesAround(lowIntensity * 0.9, highIntensity);
    result.performance = decadesAround(lowPerformance * 0.9, highestPeak * 1.25);
    return result;
}

QString nameOf(ComputeFormat format) {
    const std::string_view id = idOf(format);
    return QString::fromLatin1(id.data(), qsizetype(id.size())).toUpper();
}

QString nameOf(Bound bound) {
    switch (bound) {
    case Bound::Compute:
        return translated("compute-bound");
    case Bound::Memory:
        return translated("memory-bound");
    case Bound::Latency:
        return translated("latency-bound");
    case Bound::Communication:
        return translated("communication-bound");
    }
    return {};
}

QString nameOf(Phase phase) {
    switch (phase) {
    case Phase::Forward:
        return translated("forward");
    case Phase::Backward:
        return translated("backward");
    case Phase::Recompute:
        return translated("recompute");
    case Phase::OptimizerStep:
        return translated("optimizer step");
    case Phase::Prefill:
        return translated("prefill");
    case Phase::Decode:
        return translated("decode");
    case Phase::Communication:
        return translated("communication");
    }
    return {};
}

} // namespace ridgepoint
