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

/// Which pipeline stage the stacks show.
struct StageView {
    enum class Kind { Heaviest, SideBySide, One };
    Kind kind = Kind::Heaviest;
    std::size_t stage = 0; ///< with Kind::One
    friend bool operator==(const StageView &, const StageView &) = default;
};
/// Stages side by side are readable up to so many.
inline constexpr std::size_t mostStagesBeside = 16;

/// One stack: a GPU's heaviest stage, or the stage asked for. Bytes at its peak.
struct MemoryBar {
    QString gpuId;
    QString gpuName;                            ///< below the bar: the GPU, or `stage 3` where stages stand beside
    QString owner;                              ///< whose bytes in a sentence: `H100 SXM`, `stage 3 on H100 SXM`
    QString prefix = QStringLiteral("memory."); ///< of the report paths
    bool isHeaviest = false;                    ///< among stages side by side
    std::array<double, memoryPartCount> bytes{};
    double allocatedBytes = 0, reservedBytes = 0;
    double totalBytes = 0;
    double hostBytes = 0; ///< on the host, beside the stack
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

/// What is allocated at one instant of a step.
struct MemoryInstant {
    QString name; ///< `loss`
    QString path; ///< `memory.by_instant.loss`
    double bytes = 0;
    bool isPeak = false;
};

struct MemoryBars {
    std::vector<MemoryBar> bars;
    std::vector<MemoryInstant> instants; ///< of the selected GPU's heaviest stage, in the order of a step
    std::size_t stageCount = 1;          ///< of the selected GPU
    std::size_t heaviestStage = 0;
    double leastStageBytes = 0, mostStageBytes = 0; ///< totals of the selected GPU's lightest and heaviest stage
    StageView view;                                 ///< in force

    std::size_t selected = 0; ///< index of the bar whose values the legend shows
    std::vector<MemoryLegendGroup>
        legend; ///< from the top of the stack down; parts that are zero everywhere are left out
    ByteScale scale;
    double neededTop = 0; ///< largest total or capacity, in bytes
};

/// A view that the report has no stages for is the heaviest stage's.
MemoryBars memoryBars(const Report<double> &report, ByteUnits units, const QString &selectedGpu,
                      const StageView &view = {});

/// `124.6 GB, 116.0 GiB`: in both units, the chosen one first.
QString bothUnits(double bytes, const NumberStyle &style);
/// What the three totals of a stack mean, with their figures.
QString totalsText(const MemoryBar &bar, const NumberStyle &style);

QString nameOf(MemoryPart part);     ///< `Optimizer states`
QString nameOf(MemoryFamily family); ///< `model states`
QString pathOf(MemoryPart part);     ///< `memory.optimizer_states_bytes`
QString keyOf(MemoryPart part);      ///< `optimizer_states_bytes`
/// The number alone in the scale's unit, as `53.9`; what rounds to nothing is `<0.01`.
QString textIn(const ByteScale &scale, double bytes, const NumberStyle &style);

} // namespace ridgepoint
