// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The time of one operation on one GPU, and what bounds it.
#pragma once

#include "core/performance/machine.h"
#include "core/report/report.h"

namespace ridgepoint {

/// What an operation's weights and intermediate results weigh in traffic, and how much of attention's square is
/// computed.
template <Number N>
struct Traffic {
    N weightBytes{};               ///< per element of a linear layer's matrix as a kernel reads it
    N otherWeightBytes{};          ///< the same of head, embedding, norms and biases
    N gradientBytes{};             ///< per element of a weight gradient
    N weightScale = 1;             ///< of matrices and their FLOPs, where a scenario gives a bare parameter count
    N elementwiseFactor = 1;       ///< streaming bytes over what the operation list says
    bool skipsMaskedScores = true; ///< flash attention leaves the masked half out; a materialized one computes it
    int attentionKernels = 1;      ///< forward; materialized attention runs a chain of them
    bool hasWeightScale = false, hasElementwiseFactor = false;
    N cachePasses{};  ///< decode: times that the cache is moved, repeated for every query head; 0: once as it is
    N scoreTraffic{}; ///< prefill: bytes of materialized attention over those of 16-bit scores; 0: just those
    bool isDecode = false;
    bool expandsWeights = false; ///< linear weights are narrower than the compute format
    bool matrixVector = false;   ///< decode under an engine with matrix-vector kernels of its own
};

/// One execution of an operation in one phase.
template <Number N>
struct OperationTime {
    N flops{}, bytes{};    ///< executed; moved
    N arithmeticSeconds{}; ///< flops / (peak x efficiency)
    N trafficSeconds{};    ///< bytes / (bandwidth x share)
    N seconds{};           ///< the larger of the two + the fixed time of its kernels
    Bound bound = Bound::Compute;
    /// Where `seconds` counts in a breakdown. A latency-bound operation counts under the larger of its two terms.
    bool countsAsCompute = false;
    std::optional<N> smUtilization; ///< output tiles / places for tiles in the waves they need (matrix multiplications)
};

/// Forward pass (also recomputed, prefill, decode). `attendedShare`: share of attention's full square that the mask
/// leaves.
///
/// time = max(FLOPs / (peak x efficiency), bytes / (bandwidth x streaming share)) + kernels x fixed kernel time.
/// Grouped multiplications (experts) share the rows between `groups` matrices; those without a token are not read and
/// have no tiles. Efficiency of a matrix multiplication = sustained share x output / output padded to whole tiles x
/// wave quantization x K / (K + ramp). Where the tiles do not fill one wave, kernels split the depth over the idle
/// multiprocessors if that is faster (split-K; Osama et al. 2023, Stream-K). Bound: latency where more than half of the
/// time is neither arithmetic at the sustained rate nor traffic (padding, idle multiprocessors, short depth, fixed
/// time: work too small for the GPU), else the larger of arithmetic and traffic. Bytes: activations in and out once,
/// and the weights once. Never faster than the roofline, min(peak, intensity x bandwidth).
template <Number N>
OperationTime<N> forwardTime(const Operation<N> &op, const Machine<N> &machine, const Traffic<N> &traffic,
                             const N &attendedShare);

/// Backward pass: FLOPs = forward x backwardFlopsFactor. Bytes: twice the forward activations (kept inputs and output
/// gradients are read, input gradients written; a linear reads its output gradient once for each of its two matrix
/// multiplications), the weights read and their gradients written. A linear's two multiplications are timed one by one,
/// each with its own shape. Frozen weights have no gradient: only the input's is left.
template <Number N>
OperationTime<N> backwardTime(const Operation<N> &op, const Machine<N> &machine, const Traffic<N> &traffic,
                              const N &attendedShare, bool isFrozen = false);

/// Streams `bytes` in one kernel.
template <Number N>
OperationTime<N> streamingTime(const N &bytes, const Machine<N> &machine);

/// The kernel that turns an operand of a linear layer into a format of 8 bits or fewer.
template <Number N>
OperationTime<N> castTime(const N &elements, const N &bytesPerElement, const Machine<N> &machine);

/// The row of the roofline for one execution.
template <Number N>
OperationReport<N> rowOf(const Operation<N> &op, Phase phase, double count, const OperationTime<N> &time,
                         const Machine<N> &machine);

} // namespace ridgepoint
