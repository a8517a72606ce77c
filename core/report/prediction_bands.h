// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the band of the measured error around each predicted total.
#pragma once

#include "core/model/setting.h"
#include "core/report/report.h"

namespace ridgepoint {

template <Number N>
PredictionBand<N> bandAround(const N &value, const Band &band, std::string_view label) {
    const N prediction = named<N>(value, label);
    return {
        prediction * fact<N>(band.low.value, "least measured / predicted of nine in ten cases", "", band.low.source),
        prediction * fact<N>(band.high.value, "most measured / predicted of nine in ten cases", "", band.high.source)};
}

/// Total memory times the band of the scenario's framework or engine, in whole bytes.
template <Number N>
void addMemoryBand(const Setting &setting, GpuReport<N> &report) {
    const Band &band = setting.isTraining() ? setting.framework->memoryBand : setting.engine->memoryBand;
    PredictionBand<N> total = bandAround(report.memory.worst().totalBytes, band, "total of the worst rank");
    report.memory.totalBand = {rounded(total.low), rounded(total.high)};
}

/// The same for the step, or latencies and throughput, and for GPU power.
template <Number N>
void addPerformanceBands(const Setting &setting, GpuReport<N> &report) {
    const auto aroundIf = [&](const std::optional<N> &value, const Band &band,
                              std::string_view label) -> std::optional<PredictionBand<N>> {
        return value ? std::optional(bandAround(*value, band, label)) : std::nullopt;
    };
    report.power.gpuBand = bandAround(report.power.gpuWatts, setting.catalog->powerBand, "GPU power");
    TimeReport<N> &time = report.time;
    if (setting.isTraining()) {
        time.stepBand = aroundIf(time.stepSeconds, setting.framework->stepBand, "step");
        return;
    }
    const Engine &engine = *setting.engine;
    time.firstTokenBand = aroundIf(time.timeToFirstTokenSeconds, engine.firstTokenBand, "time to first token");
    time.outputTokenBand = aroundIf(time.timePerOutputTokenSeconds, engine.outputTokenBand, "time per output token");
    time.throughputBand = aroundIf(time.outputTokensPerSecond, engine.throughputBand, "output tokens per second");
}

} // namespace ridgepoint
