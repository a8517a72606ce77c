// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts model FLOPs per token.
#include "core/performance/model_flops.h"

#include "core/model/parameters.h"

#include <algorithm>

namespace ridgepoint {

double attendedShare(double queries, double before, double window) {
    const double longest = before + queries;
    if (window <= 0 || window >= longest) {
        return (before + queries / 2) / longest;
    }
    // Queries within the first `window` tokens see all before them, the others the window.
    const double growing = std::max(window - before, 0.0);
    const double pairs = growing * (before + growing / 2) + (queries - growing) * window;
    return pairs / (queries * window);
}

namespace {

template <Number N>
N attentionPerToken(const Setting &setting, FlopConvention convention) {
    const TransformerShape &shape = setting.shape;
    const double length = setting.scenario->training.sequenceLength;
    int windowed = 0;
    for (const StagePlan &plan : setting.stages) {
        windowed += plan.windowedLayers;
    }
    const N width = fact<N>(shape.heads, "query heads") * fact<N>(shape.headDim, "head size");
    const auto perLayer = [&](double keys, double window, std::string_view label) {
        const N square = N(4.0) * fact<N>(keys, "tokens attended to", "tokens") * width;
        return convention == FlopConvention::Causal
                   ? named<N>(square * fact<N>(attendedShare(length, 0, window), "share that the causal mask leaves"),
                              label, "FLOP")
                   : named<N>(square, label, "FLOP");
    };
    N sum{};
    if (windowed < shape.layers) {
        sum += fact<N>(shape.layers - windowed, "layers with full attention") *
               perLayer(length, 0, "attention of a layer, per token");
    }
    if (windowed > 0) {
        const double window = *shape.attentionWindow;
        sum += fact<N>(windowed, "layers with windowed attention") *
               perLayer(std::min(length, window), window, "windowed attention of a layer, per token");
    }
    return named<N>(sum, "attention, forward, per token", "FLOP");
}

} // namespace

template <Number N>
ModelFlops<N> modelFlops(const Setting &setting, FlopConvention convention) {
    const bool isSixN = convention == FlopConvention::SixN;
    const ParameterCount count = countParameters(setting.shape);
    ModelFlops<N> flops;
    N attention{};
    if (isSixN) {
        flops.perToken = N(6.0) * fact<N>(count.total, "parameters");
    } else {
        attention = attentionPerToken<N>(setting, convention);
        // A tied head multiplies by the token embedding.
        const double tied = static_cast<double>(setting.shape.vocabulary) * setting.shape.hidden * setting.weightScale;
        const double head = count.head > 0 ? count.head : tied;
        flops.perToken =
            N(6.0) * fact<N>(count.linear + head, "matrix-multiplication weights, head included, look-up not") +
            N(3.0) * attention;
    }
    flops.perToken = named<N>(flops.perToken, "model FLOPs per token", "FLOP");
    switch (setting.scenario->training.recompute) {
    case Recompute::None:
        break;
    case Recompute::Selective:
        flops.recomputedPerToken = attention;
        break;
    case Recompute::SelectiveOps:
    case Recompute::FullLayers:
    case Recompute::Full:
        flops.recomputedPerToken = named<N>(N(2.0) * fact<N>(count.linear, "matrix weights of the layers") + attention,
                                            "forward of the layers, run again, per token", "FLOP");
        break;
    }
    return flops;
}

template ModelFlops<double> modelFlops(const Setting &, FlopConvention);
template ModelFlops<Traced> modelFlops(const Setting &, FlopConvention);

} // namespace ridgepoint
