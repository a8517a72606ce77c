// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the roofline panel draws, computed from a report without a screen.
#pragma once

#include "core/report/report.h"

#include "ui/panels/axis.h"
#include "ui/panels/display.h"

#include <QString>

#include <optional>
#include <vector>

namespace ridgepoint {

struct Roof {
    QString gpuId, gpuName;
    QString format; ///< `BF16`
    double bandwidthBytesPerSecond = 0, peakFlopsPerSecond = 0, ridgeFlopPerByte = 0;
    double at(double intensityFlopPerByte) const;
};

struct RooflinePoint {
    std::size_t operation = 0; ///< index into roofline.operations
    QString name, detail;      ///< `attention`; every figure, for the tool tip
    QString path;              ///< `roofline.operations[3].time_s`
    double intensityFlopPerByte = 0;
    double flopsPerSecond = 0; ///< reached: FLOPs over the operation's time
    double timeShare = 0;      ///< of the time of all operations, 0 to 1
    Bound bound = Bound::Compute;
};

struct RooflinePoints {
    std::vector<Roof> roofs;
    std::size_t selected = 0; ///< index of the roof that the points belong to
    /// Largest first. Operations that move no bytes or do no FLOPs have no place on a roofline and are left out.
    std::vector<RooflinePoint> points;
    LogAxis intensity, performance; ///< decades that show all of it
};

RooflinePoints rooflinePoints(const Report<double> &report, const NumberStyle &style, const QString &selectedGpu);

QString nameOf(ComputeFormat format); ///< `BF16`
QString nameOf(Bound bound);          ///< `memory-bound`
QString nameOf(Phase phase);          ///< `backward`

} // namespace ridgepoint
