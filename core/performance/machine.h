// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Machine: the rates one GPU sustains under a scenario (format, power limit, architecture), read once for all
// operations.
#pragma once

#include "core/model/setting.h"
#include "core/number/number.h"

#include <optional>

namespace ridgepoint {

template <Number N>
N factOf(const Fact &figure, std::string_view label, std::string_view unit = {}) {
    return fact<N>(figure.value, label, unit, figure.source);
}

/// FLOP/s, bytes/s, seconds and elements of one GPU. Peaks are dense and follow the power limit, as its clocks do.
template <Number N>
struct Machine {
    N matmulPeak, attentionPeak;                   ///< the roofs
    N matmulRate;                                  ///< peak x sustained share of a large matrix multiplication
    N attentionForwardRate, attentionBackwardRate; ///< peak x share of fused attention
    N bandwidth, streamingRate;                    ///< datasheet; x sustained share
    N groupedRate;                                 ///< matmulRate of grouped multiplications
    N cacheRate;                                   ///< streamingRate of decode's attention
    N narrowWeightsRate;                           ///< streamingRate where kernels expand narrow weights
    N kernelSeconds;                               ///< fixed time of one kernel on the GPU
    N tileRows, tileColumns, depthRamp, waveTailShare;
    std::optional<N> multiprocessors, residentThreads;
    std::optional<N> matrixVectorRate; ///< most an engine's matrix-vector kernels read, bytes/s
};

/// The share of its peak that a GPU keeps under the scenario's power limit; 1 without one. Clocks follow power as
/// (dynamic power left)^exponent, dynamic power being what lies above idle.
template <Number N>
N clockShare(const Setting &setting);

/// Dense peak of a format on the scenario's GPU, under its power limit. Pre: the GPU has the format.
template <Number N>
N peakOf(const Setting &setting, ComputeFormat format, const N &clocks);

/// 8 bits or fewer: operands are cast to it on the way.
bool isNarrow(ComputeFormat format);

/// The format attention runs in: the scenario's, or 16 bits where that is narrower.
ComputeFormat attentionFormat(const Gpu &gpu, ComputeFormat compute);

template <Number N>
Machine<N> machineOf(const Setting &setting);

} // namespace ridgepoint
