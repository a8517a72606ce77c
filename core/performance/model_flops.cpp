// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts model FLOPs per token.
#include "core/performance/model_flops.h"

#include "core/model/parameters.h"
#include "core/performance/recomputed.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Pairs that the first `tokens` of a sequence see when each attends to its own chunk only.
double chunkedPairs(double tokens, double chunk) {
    const double whole = std::floor(tokens / chunk);
    const double rest = tokens - whole * chunk;
    return whole * chunk * chunk / 2 + rest * rest / 2;
}

} // namespace

double attendedShare(double queries, double before, double window, bool isChunked) {
    const double longest = before + queries;
    if (window <= 0 || window >= longest) {
        return (before + queries / 2) / longest;
    }
    if (isChunked) {
        return (chunkedPairs(longest, window) - chunkedPairs(before, window)) / (queries * window);
    }
    // Queries within the first `window` tokens see all before them, the others the window.
    const double growing = std::max(window - before, 0.0);
    const double pairs = growing * (before + growing / 2) + (queries - growing) * window;
    return pairs / (queries * window);
}

namespace {

/// Scores and weighted sum of one query over one key, all heads.
template <Number N>
N pairFlops(const TransformerShape &shape) {
    const N heads = fact<N>(shape.heads, "query heads");
    if (shape.mla) {
        return N(2.0) * heads *
               fact<N>(shape.mla->nopeDim + shape.mla->ropeDim + shape.mla->vDim, "sizes of a key and a value");
    }
    if (shape.valueDim() != shape.headDim) {
        return N(2.0) * heads * fact<N>(shape.headDim + shape.valueDim(), "sizes of a key and a value");
    }
    return N(4.0) * heads * fact<N>(shape.headDim, "head size");
}

/// Decay, outer product and read of the state of a linear-attention layer, per token.
template <Number N>
N stateFlops(const LinearAttention &linear) {
    return named<N>(N(6.0) * fact<N>(linear.valueHeads, "value heads of linear attention") *
                        fact<N>(linear.keyDim, "key size") * fact<N>(linear.valueDim, "value size"),
                    "linear attention of a layer, per token", "FLOP");
}

/// The encoder's own attention and the decoder's over its output, per token of the decoder.
template <Number N>
N encoderAttention(const Encoder &encoder, int decoderLayers, const N &pair, double length) {
    const double tokens = encoder.tokens ? *encoder.tokens : length;
    const N inputs = fact<N>(tokens, "tokens of the encoder", "tokens");
    const N own = fact<N>(encoder.layers, "encoder layers") * N(4.0) * fact<N>(encoder.heads, "encoder heads") *
                  fact<N>(encoder.headDim, "encoder head size") * inputs *
                  fact<N>(tokens / length, "tokens of the encoder per token");
    return own + fact<N>(decoderLayers, "decoder layers") * pair * inputs;
}

template <Number N>
N attentionPerToken(const Setting &setting, FlopConvention convention) {
    const TransformerShape &shape = setting.shape;
    const double length = setting.scenario->training.sequenceLength;
    int windowed = 0;
    int linear = 0;
    for (const StagePlan &plan : setting.stages) {
        windowed += plan.windowedLayers;
        linear += plan.linearAttentionLayers;
    }
    const N pair = pairFlops<N>(shape);
    const bool isMasked = convention == FlopConvention::Causal && shape.causal;
    const auto perLayer = [&](double keys, double window, std::string_view label) {
        const N square = fact<N>(keys, "tokens attended to", "tokens") * pair;
        return isMasked ? named<N>(square * fact<N>(attendedShare(length, 0, window, shape.chunkedWindow),
                                                    "share that the causal mask leaves"),
                                   label, "FLOP")
                        : named<N>(square, label, "FLOP");
    };
    N sum{};
    if (windowed + linear < shape.layers) {
        sum += fact<N>(shape.layers - windowed - linear, "layers with full attention") *
               perLayer(length, 0, "attention of a layer, per token");
    }
    if (windowed > 0) {
        const double window = *shape.attentionWindow;
        sum += fact<N>(windowed, "layers with windowed attention") *
               perLayer(std::min(length, window), window, "windowed attention of a layer, per token");
    }
    if (linear > 0) {
        sum += fact<N>(linear, "layers with linear attention") * stateFlops<N>(*shape.linearAttention);
    }
    if (shape.encoder) {
        sum += encoderAttention<N>(*shape.encoder, shape.layers, pair, length);
    }
    return named<N>(sum, "attention, forward, per token", "FLOP");
}

/// A tied head multiplies by the token embedding.
double headParameters(const Setting &setting) {
    const TransformerShape &shape = setting.shape;
    return shape.hasHead ? static_cast<double>(shape.vocabulary) * shape.hidden * setting.weightScale : 0;
}

template <Number N>
N recomputedFlops(const Setting &setting, const N &layers, const N &attention) {
    const Training &training = setting.scenario->training;
    switch (training.recompute) {
    case Recompute::None:
        return N(0.0);
    case Recompute::Selective:
        return attention;
    case Recompute::SelectiveOps: {
        RecomputePolicy policy(setting);
        double all = 0;
        double again = 0;
        for (const Operation<double> &op : describeTraining<double>(setting).operations) {
            if (op.kind == OperationKind::MatMul && isLayer(op.repeat)) {
                double times = 0;
                for (const StagePlan &plan : setting.stages) {
                    times += plan.executions(op.repeat);
                }
                all += times * op.forwardFlops;
                again += times * op.forwardFlops * policy.shareOf(op);
            }
        }
        return layers * fact<N>(again / all, "share of the multiplications that run again");
    }
    case Recompute::FullLayers: {
        double again = 0;
        for (const StagePlan &plan : setting.stages) {
            again += std::min(training.recomputeLayers, plan.layers);
        }
        return (layers + attention) * fact<N>(again / setting.shape.layers, "share of the layers that run again");
    }
    case Recompute::Full:
        return layers + attention;
    }
    return N(0.0);
}

} // namespace

template <Number N>
ModelFlops<N> modelFlops(const Setting &setting, FlopConvention convention) {
    const bool isSixN = convention == FlopConvention::SixN;
    ModelFlops<N> flops;
    const double matrices = matmulParameters(setting.shape);
    const double head = headParameters(setting);
    N attention{};
    if (isSixN) {
        flops.perToken = N(6.0) * fact<N>(countParameters(setting.shape).total, "parameters");
    } else {
        attention = attentionPerToken<N>(setting, convention);
        const auto &lora = setting.scenario->training.lora;
        N products = N(6.0) * fact<N>(matrices, "matrix-multiplication weights, head included, look-up not");
        if (lora) {
            products = products - N(2.0) * fact<N>(lora->trainsHead ? matrices - head : matrices,
                                                   "frozen weights, without a gradient of their own");
        }
        flops.perToken = products + N(3.0) * attention;
    }
    flops.perToken = named<N>(flops.perToken, "model FLOPs per token", "FLOP");
    if (setting.scenario->training.recompute != Recompute::None) {
        const N layers = N(2.0) * fact<N>(matrices - head, "matrix weights of the layers that a token uses");
        flops.recomputedPerToken = named<N>(recomputedFlops<N>(setting, layers, attention),
                                            "forward of the layers, run again, per token", "FLOP");
    }
    return flops;
}

template ModelFlops<double> modelFlops(const Setting &, FlopConvention);
template ModelFlops<Traced> modelFlops(const Setting &, FlopConvention);

} // namespace ridgepoint
