// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times data-parallel collectives and sums the optimizer's traffic.
#include "core/performance/data_parallel.h"

namespace ridgepoint {

namespace {

template <Number N>
N widthOf(const Figure &figure, std::string_view label) {
    return fact<N>(figure.value, label, "bytes", figure.source);
}

template <Number N>
N excess(const N &traffic, const N &compute, const N &overlap) {
    return larger(N(0.0), traffic - named<N>(compute * overlap, "compute that hides it", "s"));
}

template <Number N>
N stateTraffic(const Setting &setting, const RankParameters<N> &parameters) {
    const StateBytes &bytes = setting.bytes;
    const Optimizer &optimizer = *setting.optimizer;
    if (bytes.statesAreTotal) {
        return parameters.all() * widthOf<N>(bytes.states, "bytes of all optimizer states");
    }
    if (optimizer.factored) {
        return N(0.0);
    }
    const N width = widthOf<N>(bytes.states, "bytes of an optimizer state");
    const N states = factOf<N>(optimizer.statesPerParameter, "optimizer states per parameter");
    const N inLayers = optimizer.blockConstantBytesPerState
                           ? states * (width + factOf<N>(*optimizer.blockConstantBytesPerState,
                                                         "bytes of block constants per state", "bytes"))
                           : states * width;
    if (optimizer.smallTensorsInFp32) {
        return parameters.layerMatrices * inLayers +
               parameters.others * (states * factOf<N>(setting.recipe->stateBytes,
                                                       "bytes of a state of embeddings, head and norms", "bytes"));
    }
    if (optimizer.statesPerNonMatrixParameter) {
        return parameters.layerMatrices * inLayers +
               parameters.others * (factOf<N>(*optimizer.statesPerNonMatrixParameter,
                                              "optimizer states per parameter outside the layers' matrices") *
                                    width);
    }
    return parameters.all() * inLayers;
}

} // namespace

template <Number N>
DataParallelTime<N> dataParallelTime(const Setting &setting, const StagePlan &plan, const RankParameters<N> &parameters,
                                     const ComputeToHideBehind<N> &compute) {
    DataParallelTime<N> result;
    const Parallelism &parallelism = setting.scenario->parallelism;
    const Ring<N> ring(setting, parallelism.data, parallelism.tensor);
    if (ring.isAlone()) {
        return result;
    }
    const N overlap = factOf<N>(setting.catalog->general.dataParallelOverlap,
                                "share of the compute that hides data-parallel traffic");
    const N elements = parameters.all();
    const N gradientBytes = named<N>(elements * widthOf<N>(setting.bytes.gradients, "bytes of a gradient"),
                                     "gradients of this rank", "bytes");
    const N units = fact<N>(plan.layers + 1, "layers on this stage and the rest", "", "one collective each");
    const double microBatches = setting.microBatches;
    const N perStep = fact<N>(microBatches, "micro-batches per step");
    auto &[first, second] = result.collectives;
    switch (parallelism.sharding) {
    case Sharding::None:
        first = {.name = "gradient all-reduce", .count = 1, .once = ring.allReduce(gradientBytes)};
        result.exposedSeconds = excess(first.once.seconds, compute.backwardSeconds, overlap);
        break;
    case Sharding::Optimizer:
    case Sharding::Gradients: {
        const N weightBytes = elements * widthOf<N>(setting.bytes.weights, "bytes of a weight");
        const bool everyMicroBatch = parallelism.sharding == Sharding::Gradients;
        first = {.name = "gradient reduce-scatter",
                 .count = everyMicroBatch ? microBatches : 1,
                 .once =
                     everyMicroBatch ? ring.reduceScatter(gradientBytes, units) : ring.reduceScatter(gradientBytes)};
        second = {.name = "weight all-gather", .count = 1, .once = ring.allGather(weightBytes)};
        const N reduction = excess(first.once.seconds, compute.backwardSeconds, overlap);
        result.exposedSeconds = (everyMicroBatch ? perStep * reduction : reduction) + second.once.seconds;
        break;
    }
    case Sharding::Hybrid:
    case Sharding::Parameters: {
        const N gatheredBytes = elements * widthOf<N>(setting.bytes.gathered, "bytes of a gathered weight");
        first = {.name = "weight all-gather", .count = 2 * microBatches, .once = ring.allGather(gatheredBytes, units)};
        second = {
            .name = "gradient reduce-scatter", .count = microBatches, .once = ring.reduceScatter(gradientBytes, units)};
        const N inForward = excess(first.once.seconds, compute.forwardSeconds, overlap);
        const N inBackward = excess<N>(first.once.seconds + second.once.seconds, compute.backwardSeconds, overlap);
        result.exposedSeconds =
            perStep * (named<N>(inForward, "gathers that the forward does not hide", "s") +
                       named<N>(inBackward, "gathers and reductions that the backward does not hide", "s"));
        break;
    }
    }
    result.exposedSeconds = named<N>(result.exposedSeconds, "exposed data-parallel communication", "s");
    return result;
}

template <Number N>
N optimizerTraffic(const Setting &setting, const RankParameters<N> &parameters) {
    const StateBytes &bytes = setting.bytes;
    const N weight = widthOf<N>(bytes.weights, "bytes of a weight");
    const bool hasMaster = bytes.master.value > 0;
    const N values =
        hasMaster ? N(2.0) * widthOf<N>(bytes.master, "bytes of a master weight") + weight : N(2.0) * weight;
    N traffic = parameters.all() * (widthOf<N>(bytes.gradients, "bytes of a gradient") + values);
    const N states = stateTraffic(setting, parameters);
    if (valueOf(states) > 0) {
        traffic += N(2.0) * named<N>(states, "optimizer states", "bytes");
    }
    if (setting.scenario->parallelism.sharding != Sharding::None && setting.shards > 1) {
        traffic = traffic / fact<N>(setting.shards, "ranks they are sharded over");
    }
    return named<N>(traffic, "bytes the optimizer step moves", "bytes");
}

#define RIDGEPOINT_INSTANTIATE(N)                                                                                      \
    template DataParallelTime<N> dataParallelTime(const Setting &, const StagePlan &, const RankParameters<N> &,       \
                                                  const ComputeToHideBehind<N> &);                                     \
    template N optimizerTraffic(const Setting &, const RankParameters<N> &);
RIDGEPOINT_INSTANTIATE(double)
RIDGEPOINT_INSTANTIATE(Traced)
#undef RIDGEPOINT_INSTANTIATE

} // namespace ridgepoint
