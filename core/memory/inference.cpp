// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of serving: weights in their format, the cache of every sequence at its longest, what a pass holds, what the
// engine reserves, and what else would fit.
#include "core/memory/host_split.h"
#include "core/memory/pass_memory.h"
#include "core/memory/sequence_cache.h"
#include "core/memory/stage.h"
#include "core/memory/stored_weights.h"

namespace ridgepoint {

namespace {

template <Number N>
class InferenceStages {
public:
    explicit InferenceStages(const Setting &setting)
        : setting_(setting), inference_(setting.scenario->inference),
          sequences_(fact<N>(inference_.concurrentSequences, "concurrent sequences", "sequences", "scenario")),
          longest_(named<N>(fact<N>(inference_.promptTokens, "prompt", "tokens", "scenario") +
                                fact<N>(inference_.outputTokens, "output", "tokens", "scenario"),
                            "longest sequence", "tokens")),
          pass_(setting, longest_), cache_(setting) {}

    void fill(MemoryReport<N> &report) {
        if (splitsWithHost(setting_)) {
            split_ = splitOf(setting_);
        }
        LayerRange layers;
        report.stages.reserve(setting_.stages.size());
        for (const StagePlan &whole : setting_.stages) {
            layers = {.first = layers.end, .end = layers.end + whole.layers};
            if (split_) {
                report.stages.push_back(stage(split_->onGpu, split_->gpuLayers));
                report.hostBytes = onHost(whole, layers, report.stages.back());
            } else {
                report.stages.push_back(stage(whole, layers));
            }
        }
        report.worstStage = worstOf(report.stages);
        limits(report);
        if (cache_.exists()) {
            capacities(report);
        } else {
            report.kvCacheBytesPerToken = N(0.0);
        }
    }

private:
    static N number(const Fact &figure, std::string_view label, std::string_view unit = "bytes") {
        return fact<N>(figure.value, label, unit, figure.source);
    }

    N cacheOfAll(const StagePlan &plan) const { return rounded(sequences_ * cache_.ofSequence(plan, longest_)); }

    N graphs() const {
        const auto &bytes = setting_.engine->graphBytes;
        return bytes && !setting_.scenario->hardware.reservedBytes ? number(*bytes, "captured graphs") : N(0.0);
    }

    N workspace() const {
        if (const auto &own = setting_.scenario->hardware.reservedBytes) {
            return rounded(fact<N>(*own, "reserved workspace", "bytes", "scenario"));
        }
        const N libraries = number(setting_.engine->workspaceBytes, "engine's workspace");
        return rounded(setting_.engine->graphBytes ? libraries + graphs() : libraries);
    }

    StageMemory<N> stage(const StagePlan &plan, LayerRange layers) {
        StageMemory<N> stage;
        stage.stage = plan.index;
        stage[MemoryComponent::Weights] = rounded(storedWeightBytes(setting_, pass_.list(), plan, layers));
        stage[MemoryComponent::KvCache] = cacheOfAll(plan);
        stage[MemoryComponent::Workspace] = workspace();
        stage.modelStatesBytes = stage[MemoryComponent::Weights];
        const N ofChunk = pass_.chunkActivations(plan);
        // The later of equals would hide what a prompt needs.
        for (const Instant instant : {Instant::Prefill, Instant::Decode}) {
            StageMemory<N> then = stage;
            then[MemoryComponent::Activations] =
                rounded(instant == Instant::Prefill ? ofChunk : pass_.decodeActivations(ofChunk, sequences_));
            if (plan.last) {
                then[MemoryComponent::Logits] = rounded(pass_.logits(instant, sequences_));
            }
            const N allocated = sumOfComponents<N>(then.components);
            stage.allocatedByInstant[static_cast<std::size_t>(instant)] = allocated;
            if (instant == Instant::Prefill || allocated > stage.allocatedBytes) {
                stage.allocatedBytes = allocated;
                stage.peakInstant = instant;
                activations_ = then[MemoryComponent::Activations];
                logits_ = then[MemoryComponent::Logits];
            }
        }
        stage[MemoryComponent::Activations] = activations_;
        stage[MemoryComponent::Logits] = logits_;
        finishStage(stage, fragmentation(), setting_);
        return stage;
    }

    N fragmentation() const {
        const auto &own = setting_.scenario->hardware.fragmentationFraction;
        return fact<N>(own.value_or(0), "fragmentation", "", own ? "scenario" : "engines plan their memory");
    }

    /// What the GPU does not hold of the whole.
    N onHost(const StagePlan &whole, LayerRange layers, const StageMemory<N> &gpu) const {
        const N weights = rounded(storedWeightBytes(setting_, pass_.list(), whole, layers));
        return named<N>(weights, "weights of the whole model", "bytes") -
               named<N>(gpu[MemoryComponent::Weights], "weights on the GPU", "bytes") +
               (named<N>(cacheOfAll(whole), "cache of all layers", "bytes") -
                named<N>(gpu[MemoryComponent::KvCache], "cache on the GPU", "bytes"));
    }

    /// The engine's share of the card: of what the driver leaves to programs where the engine asks it.
    N share(const N &capacity) const {
        const N fraction = fact<N>(inference_.memoryFraction, "memory fraction", "", "scenario");
        if (!setting_.engine->preallocates) {
            return capacity * fraction;
        }
        const N usable =
            named<N>(capacity - number(setting_.catalog->general.driverReservedBytes, "what the driver keeps"),
                     "usable capacity", "bytes");
        return named<N>(usable * fraction, "the engine's share of the card", "bytes");
    }

    /// A share bounds what is planned; graphs are captured beside it. Nothing exceeds the card.
    void limits(MemoryReport<N> &report) const {
        const N total = named<N>(report.worst().totalBytes, "total of the worst rank", "bytes");
        const N onCard = report.capacityBytes - total;
        if (!setting_.engine->preallocates) {
            report.headroomBytes = onCard;
            return;
        }
        report.preallocatedBytes = rounded(named<N>(report.capacityBytes, "capacity", "bytes") *
                                           fact<N>(inference_.memoryFraction, "memory fraction", "", "scenario"));
        const N planned = valueOf(graphs()) > 0 ? total - rounded(graphs()) : total;
        const N inShare = rounded(share(report.capacityBytes)) - planned;
        report.headroomBytes = smaller(onCard, inShare);
    }

    /// What the cache may grow to.
    N budget(const StageMemory<N> &stage, const N &capacity) const {
        N others = named<N>(stage.allocatedBytes, "allocated", "bytes") -
                   named<N>(stage[MemoryComponent::KvCache], "KV cache", "bytes");
        if (setting_.engine->preallocates && valueOf(graphs()) > 0) {
            others -= rounded(graphs());
        }
        const N usable =
            (share(capacity) - named<N>(stage.contextBytes, "context", "bytes")) / (N(1.0) + fragmentation());
        return named<N>(larger(usable - named<N>(others, "everything beside the cache", "bytes"), N(0.0)),
                        "left for the cache", "bytes");
    }

    void capacities(MemoryReport<N> &report) const {
        report.kvCacheBytesPerToken = cache_.perToken();
        if (setting_.shape.attentionWindow) {
            report.kvCacheBytesPerTokenBeyondWindow = cache_.perTokenBeyondWindow();
        }
        for (std::size_t i = 0; i < report.stages.size(); ++i) {
            const StagePlan &plan = split_ ? split_->onGpu : setting_.stages[i];
            const N each = cache_.ofSequence(plan, longest_);
            if (valueOf(each) == 0) {
                continue;
            }
            const N left = budget(report.stages[i], report.capacityBytes);
            const auto least = [](std::optional<N> &so, const N &here) {
                if (!so || here < *so) {
                    so = here;
                }
            };
            least(report.maxConcurrentSequences, roundedDown(left / each));
            least(report.kvCacheCapacityTokens, cache_.capacityTokens(plan, left, longest_));
            if (const std::optional<N> tokens = cache_.longest(plan, left)) {
                least(report.maxSequenceTokens, *tokens);
            }
        }
        const TransformerShape &shape = setting_.scenario->model.shape;
        if (shape.positions == Positions::Learned && shape.maxPositions && report.maxSequenceTokens) {
            report.maxSequenceTokens = smaller(*report.maxSequenceTokens,
                                               fact<N>(*shape.maxPositions, "rows of the position table", "tokens"));
        }
    }

    const Setting &setting_;
    const Inference &inference_;
    N sequences_, longest_;
    PassMemory<N> pass_;
    SequenceCache<N> cache_;
    std::optional<HostSplit> split_;
    N activations_{}, logits_{}; ///< at the peak of the stage at hand
};

} // namespace

template <Number N>
void fillInference(const Setting &setting, MemoryReport<N> &report) {
    InferenceStages<N>(setting).fill(report);
}

template void fillInference(const Setting &, MemoryReport<double> &);
template void fillInference(const Setting &, MemoryReport<Traced> &);

} // namespace ridgepoint
