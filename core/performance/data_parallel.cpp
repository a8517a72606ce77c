// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times data-parallel collectives and sums the optimizer's traffic.
#include "core/performance/data_parallel.h"

#include <optional>

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
    const N matrices =
        parameters.hasExperts() ? parameters.layerMatrices + parameters.experts : parameters.layerMatrices;
    if (optimizer.smallTensorsInFp32) {
        return matrices * inLayers +
               parameters.others * (states * factOf<N>(setting.recipe->stateBytes,
                                                       "bytes of a state of embeddings, head and norms", "bytes"));
    }
    if (optimizer.statesPerNonMatrixParameter) {
        return matrices * inLayers +
               parameters.others * (factOf<N>(*optimizer.statesPerNonMatrixParameter,
                                              "optimizer states per parameter outside the layers' matrices") *
                                    width);
    }
    return parameters.all() * inLayers;
}

/// Weights that the same ranks hold: dense or experts'.
template <Number N>
struct Family {
    const Setting &setting;
    Ring<N> ring;                 ///< over which they are gathered and reduced
    std::optional<Ring<N>> nodes; ///< hybrid: across nodes
    N gathered{}, trained{};      ///< elements
    N units{};                    ///< collectives that they are cut into where layers go one by one
    int shards = 1;
    bool isAlone() const { return ring.isAlone() && (!nodes || nodes->isAlone()); }
};

template <Number N>
Family<N> familyOf(const Setting &setting, const Group &group, const N &gathered, const N &trained, const N &units) {
    const bool isHybrid = setting.scenario->parallelism.sharding == Sharding::Hybrid;
    const int perNode = setting.scenario->hardware.gpusPerNode;
    const Group inside = isHybrid ? insideNode(group, perNode) : group;
    Family<N> family{.setting = setting,
                     .ring = Ring<N>(setting, inside),
                     .nodes = {},
                     .gathered = gathered,
                     .trained = trained,
                     .units = units,
                     .shards = inside.ranks};
    if (isHybrid) {
        family.nodes.emplace(setting, acrossNodes(group, perNode));
    }
    return family;
}

/// Collects the collectives of both families and what they take together.
template <Number N>
class Collector {
public:
    Collector(const Setting &setting, DataParallelTime<N> &result) : setting_(setting), result_(result) {}

    void add(const Family<N> &family, bool areExperts) {
        if (family.isAlone()) {
            return;
        }
        const auto name = [areExperts](std::string_view dense, std::string_view experts) {
            return areExperts ? experts : dense;
        };
        const double microBatches = setting_.microBatches;
        const N gradientBytes = named<N>(family.trained * widthOf<N>(setting_.bytes.gradients, "bytes of a gradient"),
                                         "gradients of this rank", "bytes");
        switch (setting_.scenario->parallelism.sharding) {
        case Sharding::None:
            reduction(name("gradient all-reduce", "experts' gradient all-reduce"), 1,
                      family.ring.allReduce(gradientBytes));
            return;
        case Sharding::Optimizer:
            reduction(name("gradient reduce-scatter", "experts' gradient reduce-scatter"), 1,
                      family.ring.reduceScatter(gradientBytes));
            gatherAfterStep(family, name("weight all-gather", "experts' weight all-gather"));
            return;
        case Sharding::Gradients:
            reduction(name("gradient reduce-scatter", "experts' gradient reduce-scatter"), microBatches,
                      family.ring.reduceScatter(gradientBytes, family.units));
            gatherAfterStep(family, name("weight all-gather", "experts' weight all-gather"));
            return;
        case Sharding::Hybrid:
        case Sharding::Parameters: {
            const N bytes = family.gathered * widthOf<N>(setting_.bytes.gathered, "bytes of a gathered weight");
            const Transfer<N> gather = family.ring.allGather(bytes, family.units);
            record(name("weight all-gather", "experts' weight all-gather"), 2 * microBatches, gather);
            gatherSeconds += gather.seconds;
            reduction(name("gradient reduce-scatter", "experts' gradient reduce-scatter"), microBatches,
                      family.ring.reduceScatter(gradientBytes, family.units));
            if (family.nodes && !family.nodes->isAlone()) {
                reduction(
                    name("gradient all-reduce across nodes", "experts' gradient all-reduce across nodes"), microBatches,
                    family.nodes->allReduce(gradientBytes / fact<N>(family.shards, "shards in a node"), family.units));
            }
            return;
        }
        }
    }

    N reduceSeconds{}, gatherSeconds{}; ///< of one micro-batch, or of the step where they run once
    bool any = false;

private:
    void record(std::string_view name, double count, const Transfer<N> &once) {
        if (count > 0 && valueOf(once.seconds) > 0) {
            result_.collectives[used_++] = {.name = name, .count = count, .once = once};
            any = true;
        }
    }
    void reduction(std::string_view name, double count, const Transfer<N> &once) {
        if (valueOf(once.bytes) > 0) {
            record(name, count, once);
            reduceSeconds += once.seconds;
        }
    }
    void gatherAfterStep(const Family<N> &family, std::string_view name) {
        const Transfer<N> gather =
            family.ring.allGather(family.trained * widthOf<N>(setting_.bytes.weights, "bytes of a weight"));
        if (valueOf(gather.bytes) > 0) {
            record(name, 1, gather);
            gatherSeconds += gather.seconds;
        }
    }

    const Setting &setting_;
    DataParallelTime<N> &result_;
    std::size_t used_ = 0;
};

} // namespace

template <Number N>
DataParallelTime<N> dataParallelTime(const Setting &setting, const StagePlan &plan, const RankParameters<N> &parameters,
                                     const RankParameters<N> &trained, const ComputeToHideBehind<N> &compute) {
    DataParallelTime<N> result;
    const Parallelism &parallelism = setting.scenario->parallelism;
    const Groups groups = groupsOf(parallelism, true);
    Collector<N> sum(setting, result);
    sum.add(familyOf<N>(setting, groups.data, parameters.dense(), trained.dense(),
                        fact<N>(plan.layers + 1, "layers on this stage and the rest", "", "one collective each")),
            false);
    if (parameters.hasExperts()) {
        sum.add(familyOf<N>(setting, groups.expertData, parameters.experts, trained.experts,
                            fact<N>(plan.moeLayers, "layers with experts on this stage", "", "one collective each")),
                true);
    }
    if (!sum.any) {
        return result;
    }
    const auto &own = setting.framework->dataParallelOverlap;
    const N overlap = factOf<N>(own ? *own : setting.catalog->general.dataParallelOverlap,
                                "share of the compute that hides data-parallel traffic");
    const N perStep = fact<N>(setting.microBatches, "micro-batches per step");
    switch (parallelism.sharding) {
    case Sharding::None:
        result.exposedSeconds = excess(sum.reduceSeconds, compute.backwardSeconds, overlap);
        break;
    case Sharding::Optimizer:
    case Sharding::Gradients: {
        const N reduction = excess(sum.reduceSeconds, compute.backwardSeconds, overlap);
        result.exposedSeconds =
            (parallelism.sharding == Sharding::Gradients ? perStep * reduction : reduction) + sum.gatherSeconds;
        break;
    }
    case Sharding::Hybrid:
    case Sharding::Parameters: {
        const N inForward = excess(sum.gatherSeconds, compute.forwardSeconds, overlap);
        const N inBackward = excess<N>(sum.gatherSeconds + sum.reduceSeconds, compute.backwardSeconds, overlap);
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
N updatedElements(const Setting &setting, const RankParameters<N> &trained) {
    const Parallelism &parallelism = setting.scenario->parallelism;
    if (parallelism.sharding == Sharding::None) {
        return trained.all();
    }
    const Groups groups = groupsOf(parallelism, true);
    const int perNode = setting.scenario->hardware.gpusPerNode;
    const auto shardsOf = [&](const Group &group) {
        return parallelism.sharding == Sharding::Hybrid ? insideNode(group, perNode).ranks : group.ranks;
    };
    const auto share = [](const N &elements, int shards) {
        return shards > 1 ? elements / fact<N>(shards, "ranks they are sharded over") : elements;
    };
    N sum = share(trained.dense(), shardsOf(groups.data));
    if (trained.hasExperts()) {
        sum += share(trained.experts, shardsOf(groups.expertData));
    }
    return named<N>(sum, "parameters that this rank updates");
}

template <Number N>
N optimizerTraffic(const Setting &setting, const RankParameters<N> &trained) {
    if (valueOf(trained.all()) <= 0) {
        return N(0.0);
    }
    const StateBytes &bytes = setting.bytes;
    const N weight = widthOf<N>(bytes.weights, "bytes of a weight");
    const bool hasMaster = bytes.master.value > 0;
    const N values =
        hasMaster ? N(2.0) * widthOf<N>(bytes.master, "bytes of a master weight") + weight : N(2.0) * weight;
    N traffic = trained.all() * (widthOf<N>(bytes.gradients, "bytes of a gradient") + values);
    const N states = stateTraffic(setting, trained);
    if (valueOf(states) > 0) {
        traffic += N(2.0) * named<N>(states, "optimizer states", "bytes");
    }
    const N updated = updatedElements(setting, trained);
    if (valueOf(updated) < valueOf(trained.all())) {
        traffic = traffic * named<N>(updated / trained.all(), "share that this rank updates");
    }
    return named<N>(traffic, "bytes the optimizer step moves", "bytes");
}

#define RIDGEPOINT_INSTANTIATE(N)                                                                                      \
    template DataParallelTime<N> dataParallelTime(const Setting &, const StagePlan &, const RankParameters<N> &,       \
                                                  const RankParameters<N> &, const ComputeToHideBehind<N> &);          \
    template N updatedElements(const Setting &, const RankParameters<N> &);                                            \
    template N optimizerTraffic(const Setting &, const RankParameters<N> &);
RIDGEPOINT_INSTANTIATE(double)
RIDGEPOINT_INSTANTIATE(Traced)
#undef RIDGEPOINT_INSTANTIATE

} // namespace ridgepoint
