// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Data-parallel traffic and the optimizer step of one rank: what depends on its parameters, not on its tokens.
#pragma once

#include "core/performance/collectives.h"
#include "core/performance/operation_time.h"

#include <array>
#include <string_view>

namespace ridgepoint {

/// Elements that one rank of a stage owns, before sharding.
template <Number N>
struct RankParameters {
    N layerMatrices{}, others{}; ///< others: embeddings, head, norms, biases
    N experts{};                 ///< held by fewer ranks than the rest

    N all() const { return named<N>(hasExperts() ? dense() + experts : dense(), "parameters of this rank"); }
    N dense() const { return layerMatrices + others; }
    bool hasExperts() const { return valueOf(experts) > 0; }
};

/// One kind of collective of a step.
template <Number N>
struct DataCollective {
    std::string_view name;
    double count = 0; ///< per step
    Transfer<N> once;
};

template <Number N>
struct DataParallelTime {
    std::array<DataCollective<N>, 6> collectives{}; ///< in use where count > 0
    N exposedSeconds{};
};

/// What there is to hide behind, on the slowest stage, per micro-batch.
template <Number N>
struct ComputeToHideBehind {
    N forwardSeconds, backwardSeconds; ///< backward with what it recomputes
};

/// Dense weights are shared by the data x context ranks, experts' by those that hold the same ones. Sharding none:
/// all-reduce of gradients. Optimizer: reduce-scatter of gradients, all-gather of weights after the step. Gradients:
/// the same, reduced every micro-batch. Parameters: weights gathered forward and backward and gradients reduced every
/// micro-batch, layer by layer (Rajbhandari et al. 2020; Zhao et al. 2023). Hybrid: the same within a node, and an
/// all-reduce of each shard's gradients across nodes. Reduction hides behind the last micro-batch's backward
/// (gradients, parameters: behind every one's), gathers of sharded parameters behind the pass that uses them, each up
/// to the overlap share; the rest is exposed. The all-gather after the step is exposed in full. One rank: exactly zero.
/// `parameters` are gathered, `trained` have gradients (the same, unless an adapter trains in their place).
template <Number N>
DataParallelTime<N> dataParallelTime(const Setting &setting, const StagePlan &plan, const RankParameters<N> &parameters,
                                     const RankParameters<N> &trained, const ComputeToHideBehind<N> &compute);

/// Bytes that one rank's optimizer step moves: gradients, master copy and states read; master copy, states and weights
/// written. Factored states (Adafactor) are too small to count.
template <Number N>
N optimizerTraffic(const Setting &setting, const RankParameters<N> &trained);

/// Elements of which a rank updates its shard.
template <Number N>
N updatedElements(const Setting &setting, const RankParameters<N> &trained);

} // namespace ridgepoint
