// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of training: what lives at each instant of a step on every stage, and the peak.
#include "core/memory/stage.h"
#include "core/memory/training_activations.h"
#include "core/memory/training_states.h"

namespace ridgepoint {

using training::number;
using training::plus;

namespace {

template <Number N>
class TrainingStage {
public:
    TrainingStage(const Setting &setting, const StagePlan &plan, const StageSums<N> &sums, const OperationList<N> &list,
                  const KeptTensors<N> &kept)
        : setting_(setting), plan_(plan), sums_(sums), states_(setting, sums, kept),
          activations_(setting, plan, sums, list) {}

    StageMemory<N> peak() const {
        StageMemory<N> stage;
        stage.stage = plan_.index;
        stage.modelStatesBytes = rounded(states_.weights) + rounded(states_.gradients) + rounded(states_.master) +
                                 rounded(states_.optimizerStates);
        stage.hostBytes = rounded(plus(states_.hostBytes, activations_.hostBytes));
        bool first = true;
        for (const Instant instant : {Instant::ForwardEnd, Instant::Loss, Instant::BackwardStart, Instant::BackwardEnd,
                                      Instant::OptimizerStep}) {
            if (instant == Instant::Loss && !plan_.last) {
                continue;
            }
            const auto components = at(instant);
            const N allocated = sumOfComponents(components);
            stage.allocatedByInstant[static_cast<std::size_t>(instant)] = allocated;
            if (first || allocated > stage.allocatedBytes) {
                stage.components = components;
                stage.allocatedBytes = allocated;
                stage.peakInstant = instant;
                first = false;
            }
        }
        const auto &override = setting_.scenario->hardware.fragmentationFraction;
        const N slack = override ? fact<N>(*override, "fragmentation", "", "scenario")
                                 : number<N>(setting_.framework->fragmentationFraction, "fragmentation", "");
        finishStage(stage, slack, freedGradients(stage), setting_);
        return stage;
    }

private:
    using Components = std::array<N, memoryComponentCount>;

    bool inBackward() const { return setting_.scenario->training.optimizerInBackward; }

    bool gradientsPersist() const {
        const bool recipe = setting_.recipe->gradientBufferPersistent && !setting_.scenario->training.recipeBytes;
        return (recipe || setting_.framework->gradientBufferPersistent) && !inBackward();
    }

    N gradientsAt(Instant instant) const {
        const bool accumulated = setting_.microBatches > 1 && !inBackward();
        if (gradientsPersist() || accumulated) {
            return states_.gradients;
        }
        switch (instant) {
        case Instant::BackwardStart:
            return states_.layerGradients;
        case Instant::BackwardEnd:
            return inBackward() ? states_.layerGradients : states_.gradients;
        case Instant::OptimizerStep:
            return inBackward() ? N(0.0) : states_.gradients;
        default:
            return N(0.0);
        }
    }

    /// Blocks of gradients that were freed before the peak stay in the allocator's pool where the framework leaves
    /// them.
    N freedGradients(const StageMemory<N> &stage) const {
        if (!setting_.framework->freedGradientsStayReserved || inBackward() ||
            setting_.scenario->hardware.fragmentationFraction) {
            return N(0.0);
        }
        return rounded(larger(rounded(states_.gradients) - stage[MemoryComponent::Gradients], N(0.0)));
    }

    /// Gathered units of sharded or offloaded parameters, or the 16-bit copies of autocast.
    N gatheredAt(Instant instant) const {
        if (instant == Instant::OptimizerStep) {
            return N(0.0);
        }
        if (valueOf(states_.castCopies) > 0) {
            return instant == Instant::BackwardEnd ? N(0.0) : states_.castCopies;
        }
        if (!states_.gathers) {
            return N(0.0);
        }
        const Fact &together = setting_.framework->gatheredLayers;
        const N layers =
            states_.gatheredLayer * fact<N>(std::min<double>(together.value, plan_.layers),
                                            "layers gathered: in use, and prefetched", "", together.source);
        switch (instant) {
        case Instant::Loss:
            return states_.gatheredRoot;
        case Instant::BackwardEnd:
            return plus(plus(states_.gatheredRoot, states_.gatheredLayer), states_.layerGradientUnit);
        default:
            return plus(states_.gatheredRoot, layers);
        }
    }

    N workspaceAt(Instant instant) const {
        const auto &reserved = setting_.scenario->hardware.reservedBytes;
        N bytes = reserved ? fact<N>(*reserved, "reserved workspace", "bytes", "scenario")
                           : number<N>(setting_.framework->workspaceBytes, "library workspaces");
        if (const auto &dummy = setting_.framework->dummyGradientBytes; dummy && gradientsPersist()) {
            const N shapes =
                plan_.last ? plus(sums_.layer.distinctWeights, sums_.headWeights) : sums_.layer.distinctWeights;
            bytes += named<N>(shapes, "one matrix of every linear shape") *
                     number<N>(*dummy, "bytes of a dummy weight gradient");
        }
        if (instant == Instant::OptimizerStep && valueOf(states_.temporaries) > 0 && !inBackward()) {
            bytes += states_.temporaries;
        }
        return bytes;
    }

    N communicationBuffers() const {
        const auto &bucket = setting_.framework->communicationBucketBytes;
        return setting_.shards > 1 && setting_.scenario->parallelism.sharding >= Sharding::Optimizer && bucket
                   ? number<N>(*bucket, "buckets of the gradient reduction")
                   : N(0.0);
    }

    N activationsAt(Instant instant) const {
        switch (instant) {
        case Instant::ForwardEnd:
        case Instant::Loss:
            return activations_.forward();
        case Instant::BackwardStart:
            return activations_.backwardStart();
        case Instant::BackwardEnd:
            return activations_.backwardEnd();
        default:
            return N(0.0);
        }
    }

    Components at(Instant instant) const {
        Components c{};
        const auto set = [&c](MemoryComponent component, const N &bytes) {
            c[static_cast<std::size_t>(component)] = rounded(bytes);
        };
        set(MemoryComponent::Weights, states_.weights);
        set(MemoryComponent::Gradients, gradientsAt(instant));
        set(MemoryComponent::MasterWeights, states_.master);
        set(MemoryComponent::OptimizerStates, states_.optimizerStates);
        set(MemoryComponent::GatheredWeights, gatheredAt(instant));
        set(MemoryComponent::CommunicationBuffers, communicationBuffers());
        set(MemoryComponent::Workspace, workspaceAt(instant));
        set(MemoryComponent::Activations, activationsAt(instant));
        if (instant == Instant::Loss) {
            set(MemoryComponent::Logits, activations_.logits());
        }
        return c;
    }

    const Setting &setting_;
    const StagePlan &plan_;
    const StageSums<N> &sums_;
    TrainingStates<N> states_;
    TrainingActivations<N> activations_;
};

} // namespace

template <Number N>
std::vector<StageMemory<N>> trainingStages(const Setting &setting) {
    const OperationList<N> list = describeTraining<N>(setting);
    const KeptTensors<N> kept(setting);
    const Fold<N> fold(list, kept);
    std::vector<StageMemory<N>> stages;
    stages.reserve(setting.stages.size());
    for (const StagePlan &plan : setting.stages) {
        const StageSums<N> sums = fold.stage(plan);
        stages.push_back(TrainingStage<N>(setting, plan, sums, list, kept).peak());
    }
    return stages;
}

template std::vector<StageMemory<double>> trainingStages(const Setting &);
template std::vector<StageMemory<Traced>> trainingStages(const Setting &);

} // namespace ridgepoint
