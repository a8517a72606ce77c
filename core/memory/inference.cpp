// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of serving: weights in their format, the KV cache of every sequence at its longest, prefill activations, and
// what else would fit.
#include "core/memory/stage.h"

namespace ridgepoint {

namespace {

template <Number N>
class InferenceStages {
public:
    explicit InferenceStages(const Setting &setting)
        : setting_(setting), inference_(setting.scenario->inference),
          sequences_(fact<N>(inference_.concurrentSequences, "concurrent sequences", "sequences", "scenario")),
          prompt_(fact<N>(inference_.promptTokens, "prompt", "tokens", "scenario")),
          longest_(named<N>(prompt_ + fact<N>(inference_.outputTokens, "output", "tokens", "scenario"),
                            "longest sequence", "tokens")),
          block_(number(setting.engine->cacheBlockTokens, "tokens of a cache block", "tokens")),
          chunk_(named<N>(smaller(prompt_ * sequences_,
                                  fact<N>(inference_.prefillChunkTokens, "prefill chunk", "tokens", "scenario")),
                          "tokens of the largest prefill chunk", "tokens")),
          list_(describeInference<N>(setting, N(1.0), chunk_, longest_)), fold_(list_) {
        const N heads = larger(fact<N>(setting.shape.kvHeads, "key/value heads") /
                                   fact<N>(setting.scenario->parallelism.tensor, "tensor-parallel degree"),
                               N(1.0));
        cachePerLayer_ = named<N>(
            N(2.0) * heads * fact<N>(setting.shape.headDim, "head size") *
                (number(setting.cacheFormat->bitsPerLinearWeight, "bits of a cached element", "bits") / N(8.0)),
            "cache per token and layer", "bytes", "keys and values");
    }

    void fill(MemoryReport<N> &report) {
        for (const StagePlan &plan : setting_.stages) {
            report.stages.push_back(stage(plan));
        }
        report.worstStage = worstOf(report.stages);
        capacities(report);
    }

private:
    static N number(const Fact &figure, std::string_view label, std::string_view unit = "bytes") {
        return fact<N>(figure.value, label, unit, figure.source);
    }

    /// Tokens a layer caches of a sequence of `length`: capped by the window, in whole blocks.
    N cachedTokens(const N &length, bool windowed) const {
        const N tokens =
            windowed ? smaller(length, fact<N>(*setting_.shape.attentionWindow, "attention window", "tokens")) : length;
        return valueOf(block_) > 1 ? roundedUp(tokens / block_) * block_ : tokens;
    }

    /// Bytes that one sequence of `length` tokens occupies on a stage.
    N cacheOfSequence(const StagePlan &plan, const N &length) const {
        N bytes{};
        if (plan.fullAttentionLayers > 0) {
            bytes = fact<N>(plan.fullAttentionLayers, "layers with full attention on this stage") *
                    cachedTokens(length, false) * cachePerLayer_;
        }
        if (plan.windowedLayers > 0) {
            const N part = fact<N>(plan.windowedLayers, "layers with windowed attention on this stage") *
                           cachedTokens(length, true) * cachePerLayer_;
            bytes = valueOf(bytes) == 0 ? part : bytes + part;
        }
        return named<N>(bytes, "cache of one sequence", "bytes");
    }

    /// Live beside the residual stream in the widest operation of a chunk: its input and its output.
    N activations(const StagePlan &plan) const {
        const Operation<N> *widest = nullptr;
        N most{};
        for (const Operation<N> &op : list_.operations) {
            if (plan.executions(op.repeat) == 0 || op.weightClass == WeightClass::Head) {
                continue;
            }
            // The cache that attention reads is counted as cache.
            const bool scoresInMemory = inference_.attention == AttentionKernel::Materialized;
            const N live = op.kind == OperationKind::Attention ? op.writtenBytes * N(scoresInMemory ? 1.0 : 2.0)
                                                               : op.readBytes + op.writtenBytes;
            if (widest == nullptr || live > most) {
                widest = &op;
                most = live;
            }
        }
        if (widest == nullptr) {
            return N(0.0);
        }
        return named<N>(list_.layerInputBytes, "residual stream", "bytes") + named<N>(most, widest->name, "bytes");
    }

    N weights(const StageSums<N> &sums) const {
        const StorageFormat &format = *setting_.weightFormat;
        const N linear = named<N>(sums.linearWeights, "weights of linear layers on this rank");
        const N others = named<N>(sums.embeddingWeights + sums.headWeights + sums.vectorWeights,
                                  "embeddings, head, norms and biases on this rank");
        const N bytes = linear * (number(format.bitsPerLinearWeight, "bits of a linear weight", "bits") / N(8.0)) +
                        others * (number(format.bitsPerOtherWeight, "bits of other weights", "bits") / N(8.0));
        return setting_.weightScale == 1 ? bytes : bytes * fact<N>(setting_.weightScale, "weight scale");
    }

    StageMemory<N> stage(const StagePlan &plan) {
        StageMemory<N> stage;
        stage.stage = plan.index;
        const StageSums<N> sums = fold_.stage(plan);
        const auto &reserved = setting_.scenario->hardware.reservedBytes;
        stage[MemoryComponent::Weights] = rounded(weights(sums));
        stage[MemoryComponent::KvCache] = rounded(sequences_ * cacheOfSequence(plan, longest_));
        stage[MemoryComponent::Workspace] =
            rounded(reserved ? fact<N>(*reserved, "reserved workspace", "bytes", "scenario")
                             : number(setting_.engine->workspaceBytes, "engine's workspace"));
        if (plan.last) {
            const N perLogit =
                fact<N>(4, "bytes of the fp32 copy for sampling") + list_.layerInputBytes / (list_.tokens * hidden());
            stage[MemoryComponent::Logits] =
                rounded(sequences_ * list_.vocabulary * named<N>(perLogit, "bytes per logit"));
        }
        const N chunkActivations = rounded(activations(plan));
        const N decodeActivations = rounded(activations(plan) * smaller(sequences_ / chunk_, N(1.0)));
        stage[MemoryComponent::Activations] = decodeActivations;
        const N decode = sumOfComponents<N>(stage.components);
        stage[MemoryComponent::Activations] = chunkActivations;
        stage.allocatedBytes = sumOfComponents<N>(stage.components);
        stage.peakInstant = Instant::Prefill;
        stage.allocatedByInstant[static_cast<std::size_t>(Instant::Prefill)] = stage.allocatedBytes;
        stage.allocatedByInstant[static_cast<std::size_t>(Instant::Decode)] = decode;
        stage.modelStatesBytes = stage[MemoryComponent::Weights];
        finishStage(stage, fragmentation(), setting_);
        return stage;
    }

    N fragmentation() const {
        const auto &own = setting_.scenario->hardware.fragmentationFraction;
        return fact<N>(own.value_or(0), "fragmentation", "", own ? "scenario" : "engines plan their memory");
    }

    N hidden() const { return fact<N>(setting_.shape.hidden, "hidden size"); }

    /// What the cache may grow to: the engine's share of the card less everything else on it.
    N budget(const StageMemory<N> &stage, const N &capacity) const {
        N others{};
        for (const auto component : {MemoryComponent::Weights, MemoryComponent::Activations, MemoryComponent::Logits,
                                     MemoryComponent::Workspace}) {
            others += named<N>(stage[component], nameOf(component), "bytes");
        }
        const N share = capacity * fact<N>(inference_.memoryFraction, "memory fraction", "", "scenario");
        const N usable = (share - named<N>(stage.contextBytes, "context", "bytes")) / (N(1.0) + fragmentation());
        return named<N>(larger(usable - others, N(0.0)), "left for the cache", "bytes");
    }

    void capacities(MemoryReport<N> &report) {
        int most = 0;
        for (const StagePlan &plan : setting_.stages) {
            most = std::max(most, plan.layers);
        }
        report.kvCacheBytesPerToken = named<N>(fact<N>(most, "layers of the fullest stage") * cachePerLayer_,
                                               "cache per token, all layers of a stage", "bytes");
        bool first = true;
        for (std::size_t i = 0; i < report.stages.size(); ++i) {
            const StagePlan &plan = setting_.stages[i];
            if (plan.layers == 0) {
                continue;
            }
            const N left = budget(report.stages[i], report.capacityBytes);
            const N each = cacheOfSequence(plan, longest_);
            const N sequences = roundedDown(left / each);
            const N blocks = roundedDown(left * longest_ / (each * block_));
            if (first || sequences < *report.maxConcurrentSequences ||
                blocks * block_ < *report.kvCacheCapacityTokens) {
                report.maxConcurrentSequences = sequences;
                report.kvCacheCapacityTokens = blocks * block_;
            }
            if (const std::optional<N> tokens = longestThatFits(plan, left);
                tokens && (!report.maxSequenceTokens || *tokens < *report.maxSequenceTokens)) {
                report.maxSequenceTokens = tokens;
            }
            first = false;
        }
        const TransformerShape &shape = setting_.scenario->model.shape;
        if (shape.positions == Positions::Learned && shape.maxPositions && report.maxSequenceTokens) {
            report.maxSequenceTokens = smaller(*report.maxSequenceTokens,
                                               fact<N>(*shape.maxPositions, "rows of the position table", "tokens"));
        }
    }

    /// One sequence alone; absent where every layer is windowed and a window's worth fits: then memory sets no limit.
    std::optional<N> longestThatFits(const StagePlan &plan, const N &left) const {
        const N full = fact<N>(plan.fullAttentionLayers, "layers with full attention on this stage") * cachePerLayer_;
        const N windowed =
            fact<N>(plan.windowedLayers, "layers with windowed attention on this stage") * cachePerLayer_;
        const N withinWindow = roundedDown(left / ((full + windowed) * block_)) * block_;
        if (plan.windowedLayers == 0) {
            return withinWindow;
        }
        const N window = fact<N>(*setting_.shape.attentionWindow, "attention window", "tokens");
        if (withinWindow <= window) {
            return withinWindow;
        }
        if (plan.fullAttentionLayers == 0) {
            return std::nullopt;
        }
        return roundedDown((left - windowed * cachedTokens(window, true)) / (full * block_)) * block_;
    }

    const Setting &setting_;
    const Inference &inference_;
    N sequences_, prompt_, longest_, block_, chunk_;
    OperationList<N> list_;
    Fold<N> fold_;
    N cachePerLayer_{};
};

} // namespace

template <Number N>
void fillInference(const Setting &setting, MemoryReport<N> &report) {
    InferenceStages<N>(setting).fill(report);
}

template void fillInference(const Setting &, MemoryReport<double> &);
template void fillInference(const Setting &, MemoryReport<Traced> &);

} // namespace ridgepoint
