// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory panel draws, computed from a report without a screen.
#pragma once

#include "core/report/report.h"

#include "ui/panels/axis.h"
#include "ui/panels/display.h"
#include "ui/theme/parts.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace ridgepoint {

/// The unit that all figures of a panel share.
struct ByteScale {
    double bytesPerUnit = 1e9;
    QString unit; ///< `GB`, `GiB`, `MB`...
    friend bool operator==(const ByteScale &, const ByteScale &) = default;
};
/// GB or GiB, unless everything is smaller or far larger.
ByteScale byteScaleFor(double largestBytes, ByteUnits units);

/// One GPU's stack. Bytes of the worst stage at its peak.
struct MemoryBar {
    QString gpuId, gpuName;
    std::array<double, memoryPartCount> bytes{};
    double totalBytes = 0;
    double capacityBytes = 0;
    double limitBytes = 0; ///< what may be used: the capacity, or the engine's share of it
    std::optional<double> preallocatedBytes;
    bool fits = false;
    QString peak; ///< when, in words: `during backward`
};

struct MemoryLegendRow {
    MemoryPart part = MemoryPart::Weights;
    double bytes = 0; ///< of the selected GPU
};
struct MemoryLegendGroup {
    MemoryFamily family = MemoryFamily::ModelStates;
    double bytes = 0;
    std::vector<MemoryLegendRow> rows; ///< from the top of the stack down
};

struct MemoryBars {
    std::vector<MemoryBar> bars;
    std::size_t selected = 0; ///< index of the bar whose values the legend shows
    std::vector<MemoryLegendGroup>
        legend; ///< from the top of the stack down; parts that are zero everywhere are left out
    ByteScale scale;
    double neededTop = 0; ///< largest total or capacity, in bytes
};

MemoryBars memoryBars(const Report<double> &report, ByteUnits units, const QString &selectedGpu);

QString nameOf(MemoryPart part);     ///< `Optimizer states`
QString nameOf(MemoryFamily family); ///< `model states`
QString pathOf(MemoryPart part);     ///< `memory.optimizer_states_bytes`
/// The number alone in the scale's unit, as `53.9`; what rounds to nothing is `<0.01`.
QString textIn(const ByteScale &scale, double bytes, const NumberStyle &style);

} // namespace ridgepoint
