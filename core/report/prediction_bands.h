// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the band of the measured error around each predicted total.
#pragma once

#include "core/model/setting.h"
#include "core/report/report.h"

namespace ridgepoint {

/// Total memory, step or latencies and throughput, GPU power: each times the band of the scenario's framework or
/// engine.
template <Number N>
void addBands(const Setting &setting, GpuReport<N> &report) {
    const auto around = [](const N &value, const Band &band, std::string_view label) {
        const N prediction = named<N>(value, label);
        return PredictionBand<N>{prediction * fact<N>(band.low.value, "least measured / predicted of nine in ten cases",
                                                      "", band.low.source),
                                 prediction * fact<N>(band.high.value, "most measured / predicted of nine in ten cases",
                                                      "", band.high.source)};
    };
    const auto aroundIf = [&](const std::optional<N> &value, const Band &band,
                              std::string_view label) -> std::optional<PredictionBand<N>> {
        return value ? std::optional(around(*value, band, label)) : std::nullopt;
    };
    const bool isTraining = setting.isTraining();
    report.memory.totalBand =
        around(report.memory.worst().totalBytes,
               isTraining ? setting.framework->memoryBand : setting.engine->memoryBand, "total of the worst rank");
    report.memory.totalBand.low = rounded(report.memory.totalBand.low);
    report.memory.totalBand.high = rounded(report.memory.totalBand.high);
    report.power.gpuBand = around(report.power.gpuWatts, setting.catalog->powerBand, "GPU power");
    TimeReport<N> &time = report.time;
    if (isTraining) {
        time.stepBand = aroundIf(time.stepSeconds, setting.framework->stepBand, "step");
        return;
    }
    const Engine &engine = *setting.engine;
    time.firstTokenBand = aroundIf(time.timeToFirstTokenSeconds, engine.firstTokenBand, "time to first token");
    time.outputTokenBand = aroundIf(time.timePerOutputTokenSeconds, engine.outputTokenBand, "time per output token");
    time.throughputBand = aroundIf(time.outputTokensPerSecond, engine.throughputBand, "output tokens per second");
}

} // namespace ridgepoint
