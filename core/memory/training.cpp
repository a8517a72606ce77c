// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of training: model states by recipe, optimizer and sharding, activations in flight, and the instants of a
// step.
#include "core/memory/stage.h"

namespace ridgepoint {

namespace {

constexpr std::string_view zeroSource = "Rajbhandari et al. 2020, ZeRO";

template <Number N>
N number(const Figure &figure, std::string_view label, std::string_view unit = "bytes") {
    return fact<N>(figure.value, label, unit, figure.source);
}

template <Number N>
N number(const Fact &figure, std::string_view label, std::string_view unit = "bytes") {
    return fact<N>(figure.value, label, unit, figure.source);
}

/// What does not depend on the instant, of one stage.
template <Number N>
class TrainingStage {
public:
    TrainingStage(const Setting &setting, const StagePlan &plan, const StageSums<N> &sums, const OperationList<N> &list)
        : setting_(setting), plan_(plan), sums_(sums), list_(list),
          scale_(fact<N>(setting.weightScale, "weight scale")) {
        states();
        activations();
    }

    StageMemory<N> peak() const {
        StageMemory<N> stage;
        stage.stage = plan_.index;
        stage.modelStatesBytes =
            rounded(weights_) + rounded(gradientsFull_) + rounded(master_) + rounded(optimizerStates_);
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
        finishStage(stage, slack, setting_);
        return stage;
    }

private:
    using Components = std::array<N, memoryComponentCount>;

    bool sharded(Sharding from) const { return setting_.scenario->parallelism.sharding >= from; }

    /// Divides by the ranks a tensor is sharded over where the sharding mode covers it.
    N shardOf(const N &bytes, Sharding from) const {
        return sharded(from) ? bytes / fact<N>(setting_.shards, "ranks it is sharded over", "", zeroSource) : bytes;
    }

    N scaled(const N &elements) const { return setting_.weightScale == 1 ? elements : elements * scale_; }

    void states() {
        const StateBytes &bytes = setting_.bytes;
        matrices_ = scaled(sums_.matrixWeights());
        const N parameters = named<N>(matrices_ + scaled(sums_.vectorWeights), "parameters of this rank");
        parameters_ = parameters;
        weights_ = shardOf(parameters * number<N>(bytes.weights, "bytes of a weight"), Sharding::Parameters);
        gradientsFull_ = shardOf(parameters * number<N>(bytes.gradients, "bytes of a gradient"), Sharding::Gradients);
        master_ = shardOf(parameters * number<N>(bytes.master, "bytes of a master weight"), Sharding::Optimizer);
        optimizerStates_ = shardOf(optimizerStates(parameters), Sharding::Optimizer);
        // The largest unit whose gradient appears at once: a layer, the embedding or the head.
        const N unit = larger(sums_.layerLinearWeights, larger(sums_.embeddingWeights, sums_.headWeights));
        const N unitGradients =
            named<N>(scaled(unit), "weights of the largest unit") * number<N>(bytes.gradients, "bytes of a gradient");
        layerGradients_ = smaller(unitGradients, gradientsFull_);
    }

    N optimizerStates(const N &parameters) const {
        const StateBytes &bytes = setting_.bytes;
        const Optimizer &optimizer = *setting_.optimizer;
        if (bytes.statesAreTotal) {
            return parameters * number<N>(bytes.states, "bytes of all optimizer states");
        }
        const N width = number<N>(bytes.states, "bytes of an optimizer state");
        if (optimizer.factored) {
            // Rows and columns of every matrix; vectors keep a whole second moment.
            return (sums_.factorElements + sums_.vectorWeights) * width;
        }
        const N count = number<N>(optimizer.statesPerParameter, "optimizer states per parameter", "");
        N inLayers = count * width;
        N elsewhere = inLayers;
        if (optimizer.blockConstantBytesPerState) {
            inLayers = count *
                       (width + number<N>(*optimizer.blockConstantBytesPerState, "bytes of block constants per state"));
            elsewhere = inLayers;
        }
        if (optimizer.smallTensorsInFp32) {
            elsewhere =
                count * number<N>(setting_.recipe->stateBytes, "bytes of a state of embeddings, head and norms");
        }
        if (optimizer.statesPerNonMatrixParameter) {
            elsewhere = number<N>(*optimizer.statesPerNonMatrixParameter,
                                  "optimizer states per parameter outside the layers' matrices", "") *
                        width;
        }
        if (valueOf(inLayers) == valueOf(elsewhere)) {
            return parameters * inLayers;
        }
        const N layerMatrices = named<N>(scaled(sums_.linearWeights), "parameters of the layers' matrices");
        const N others = named<N>(scaled(sums_.embeddingWeights + sums_.headWeights + sums_.vectorWeights),
                                  "parameters of embeddings, head, norms and biases");
        return layerMatrices * inLayers + others * elsewhere;
    }

    void activations() {
        const Scenario &scenario = *setting_.scenario;
        const int behind = scenario.parallelism.pipeline - plan_.index; // 1F1B: this stage and those after it
        const int inFlight = scenario.parallelism.schedule == Schedule::Gpipe ? setting_.microBatches
                                                                              : std::min(setting_.microBatches, behind);
        const N flights =
            fact<N>(inFlight, "micro-batches in flight", "", "1F1B: Narayanan et al. 2021; GPipe: Huang et al. 2019");
        N perMicroBatch = sums_.keptBytes;
        switch (scenario.training.recompute) {
        case Recompute::None:
            perMicroBatch = sums_.keptBytes + sums_.keptCoreBytes;
            recomputed_ = N(0.0);
            break;
        case Recompute::Selective:
            recomputed_ = named<N>(sums_.layerKeptCoreBytes, "attention core of the layer being recomputed");
            break;
        case Recompute::SelectiveOps:
        case Recompute::FullLayers:
        case Recompute::Full:
            perMicroBatch = fact<N>(plan_.layers, "layers on this stage") * list_.layerInputBytes;
            recomputed_ = named<N>(sums_.layerKeptBytes + sums_.layerKeptCoreBytes, "the layer being recomputed");
            break;
        }
        held_ = flights * named<N>(perMicroBatch + sums_.outsideKeptBytes, "kept per micro-batch", "bytes");
    }

    bool gradientsPersist() const {
        const bool recipe = setting_.recipe->gradientBufferPersistent && !setting_.scenario->training.recipeBytes;
        return (recipe || setting_.framework->gradientBufferPersistent) &&
               !setting_.scenario->training.optimizerInBackward;
    }

    N gradientsAt(Instant instant) const {
        const bool inBackward = setting_.scenario->training.optimizerInBackward;
        const bool accumulated = setting_.microBatches > 1 && !inBackward;
        if (gradientsPersist() || accumulated) {
            return gradientsFull_;
        }
        switch (instant) {
        case Instant::BackwardStart:
            return layerGradients_;
        case Instant::BackwardEnd:
            return inBackward ? layerGradients_ : gradientsFull_;
        case Instant::OptimizerStep:
            return inBackward ? N(0.0) : gradientsFull_;
        default:
            return N(0.0);
        }
    }

    /// Gathered units of sharded parameters, or the 16-bit copies of autocast.
    N gatheredAt(Instant instant) const {
        if (instant == Instant::OptimizerStep) {
            return N(0.0);
        }
        const bool recipeNamed = !setting_.scenario->training.recipeBytes;
        const N width = number<N>(setting_.bytes.gathered, "bytes of a gathered weight");
        if (recipeNamed && setting_.recipe->castsWeights) {
            return instant == Instant::BackwardEnd
                       ? N(0.0)
                       : scaled(sums_.linearWeights + sums_.headWeights) *
                             number<N>(setting_.bytes.gathered, "bytes of an autocast copy");
        }
        const bool gathers =
            (sharded(Sharding::Parameters) && setting_.shards > 1) || (recipeNamed && setting_.recipe->shardsAll);
        if (!gathers) {
            return N(0.0);
        }
        const N layer = named<N>(scaled(sums_.layerLinearWeights), "matrix weights of a layer");
        const N root = named<N>(scaled(sums_.embeddingWeights + sums_.headWeights), "embedding and head (root unit)");
        const double units = plan_.layers > 1 ? 2 : plan_.layers; // in use and prefetched
        const N layersGathered = layer * fact<N>(units, "layers gathered: in use and prefetched", "",
                                                 "PyTorch FSDP, forward and backward prefetch");
        switch (instant) {
        case Instant::Loss:
            return root * width;
        case Instant::BackwardStart:
            return (root + layersGathered + named<N>(layer, "gradient of the layer being reduced")) * width;
        case Instant::BackwardEnd:
            return (root + layer + named<N>(layer, "gradient of the layer being reduced")) * width;
        default:
            return (root + layersGathered) * width;
        }
    }

    N logits() const {
        const Training &training = setting_.scenario->training;
        N rows = list_.tokens;
        if (training.loss == LossKernel::Chunked) {
            rows = smaller(rows, fact<N>(training.lossChunkTokens, "tokens of a loss chunk", "tokens", "scenario"));
        }
        const Fact &perLogit = training.loss == LossKernel::Fused ? setting_.framework->lossBytesPerLogitFused
                                                                  : setting_.framework->lossBytesPerLogitMaterialized;
        return rows * list_.vocabulary * number<N>(perLogit, "bytes per logit alive at the loss");
    }

    N workspaceAt(Instant instant) const {
        const auto &reserved = setting_.scenario->hardware.reservedBytes;
        N bytes = reserved ? fact<N>(*reserved, "reserved workspace", "bytes", "scenario")
                           : number<N>(setting_.framework->workspaceBytes, "library workspaces");
        if (instant == Instant::OptimizerStep && valueOf(optimizerStates_) > 0 &&
            setting_.framework->optimizerStepCopies.value > 0 && !setting_.scenario->training.optimizerInBackward) {
            const N copies =
                number<N>(setting_.framework->optimizerStepCopies, "temporary copies of the optimizer step", "");
            const N width = setting_.bytes.statesAreTotal
                                ? fact<N>(4, "bytes of a temporary", "bytes", "fp32")
                                : number<N>(setting_.bytes.states, "bytes of an optimizer state");
            bytes += shardOf(parameters_ * copies * width, Sharding::Optimizer);
        }
        return bytes;
    }

    N communicationBuffers() const {
        const auto &bucket = setting_.framework->communicationBucketBytes;
        return setting_.shards > 1 && sharded(Sharding::Optimizer) && bucket
                   ? number<N>(*bucket, "buckets of the gradient reduction")
                   : N(0.0);
    }

    Components at(Instant instant) const {
        Components c{};
        const auto set = [&c](MemoryComponent component, const N &bytes) {
            c[static_cast<std::size_t>(component)] = rounded(bytes);
        };
        set(MemoryComponent::Weights, weights_);
        set(MemoryComponent::Gradients, gradientsAt(instant));
        set(MemoryComponent::MasterWeights, master_);
        set(MemoryComponent::OptimizerStates, optimizerStates_);
        set(MemoryComponent::GatheredWeights, gatheredAt(instant));
        set(MemoryComponent::CommunicationBuffers, communicationBuffers());
        set(MemoryComponent::Workspace, workspaceAt(instant));
        if (instant == Instant::ForwardEnd || instant == Instant::Loss) {
            set(MemoryComponent::Activations, held_);
        } else if (instant == Instant::BackwardStart) {
            set(MemoryComponent::Activations, valueOf(recomputed_) > 0 ? held_ + recomputed_ : held_);
        }
        if (instant == Instant::Loss) {
            set(MemoryComponent::Logits, logits());
        }
        return c;
    }

    const Setting &setting_;
    const StagePlan &plan_;
    const StageSums<N> &sums_;
    const OperationList<N> &list_;
    N scale_;
    N matrices_{}, parameters_{}, weights_{}, gradientsFull_{}, layerGradients_{}, master_{}, optimizerStates_{};
    N held_{}, recomputed_{};
};

} // namespace

template <Number N>
std::vector<StageMemory<N>> trainingStages(const Setting &setting) {
    const OperationList<N> list = describeTraining<N>(setting);
    const Fold<N> fold(list);
    std::vector<StageMemory<N>> stages;
    stages.reserve(setting.stages.size());
    for (const StagePlan &plan : setting.stages) {
        const StageSums<N> sums = fold.stage(plan);
        stages.push_back(TrainingStage<N>(setting, plan, sums, list).peak());
    }
    return stages;
}

template std::vector<StageMemory<double>> trainingStages(const Setting &);
template std::vector<StageMemory<Traced>> trainingStages(const Setting &);

} // namespace ridgepoint
