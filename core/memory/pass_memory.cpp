// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the widest operation of a serving pass and counts logits.
#include "core/memory/pass_memory.h"

namespace ridgepoint {

namespace {

template <Number N>
N number(const Fact &figure, std::string_view label, std::string_view unit = {}) {
    return fact<N>(figure.value, label, unit, figure.source);
}

/// Tokens that run through the network together, as the engine cuts its prompts.
template <Number N>
N largestChunk(const Setting &setting) {
    const Inference &inference = setting.scenario->inference;
    const Engine &engine = *setting.engine;
    const N prompts = fact<N>(inference.promptTokens, "prompt", "tokens", "scenario") *
                      fact<N>(inference.concurrentSequences, "concurrent sequences", "sequences", "scenario");
    const N given = fact<N>(inference.prefillChunkTokens, "prefill chunk", "tokens", "scenario");
    N chunk = engine.prefill == PrefillStyle::Whole    ? prompts
              : engine.prefill == PrefillStyle::Chunks ? smaller(prompts, given)
                                                       : given;
    if (engine.mostTokensPerPass) {
        chunk = smaller(chunk, number<N>(*engine.mostTokensPerPass, "most tokens of a pass", "tokens"));
    }
    return named<N>(chunk, "tokens of the largest prefill chunk", "tokens");
}

} // namespace

template <Number N>
PassMemory<N>::PassMemory(const Setting &setting, const N &longest)
    : setting_(setting), engine_(*setting.engine), chunk_(largestChunk<N>(setting)),
      list_(describeInference<N>(setting, N(1.0), chunk_, longest)) {
    if (engine_.activationBytes) {
        const double listed =
            valueOf(list_.layerInputBytes) / (valueOf(list_.tokens) * static_cast<double>(setting.shape.hidden));
        widening_ = engine_.activationBytes->value / listed;
    }
}

/// Input and output; the cache that attention reads is counted as cache. Of materialized scores one fp32 copy, or two
/// of 16 bits.
template <Number N>
N PassMemory<N>::liveIn(const Operation<N> &op) const {
    if (op.kind != OperationKind::Attention) {
        return (op.readBytes + op.writtenBytes) * N(widening_);
    }
    if (setting_.scenario->inference.attention == AttentionKernel::Materialized) {
        return op.writtenBytes;
    }
    return op.writtenBytes * N(2.0) * N(widening_);
}

template <Number N>
N PassMemory<N>::chunkActivations(const StagePlan &plan) const {
    const Operation<N> *widest = nullptr;
    double most = 0;
    for (const Operation<N> &op : list_.operations) {
        if (!op.runs || plan.executions(op.repeat) == 0 || op.weightClass == WeightClass::Head) {
            continue;
        }
        if (const double live = valueOf(liveIn(op)); live > most) {
            widest = &op;
            most = live;
        }
    }
    if (widest == nullptr) {
        return N(0.0);
    }
    const N hidden = widening_ == 1 ? list_.layerInputBytes
                                    : list_.layerInputBytes * fact<N>(widening_, "width of the engine's activations");
    return number<N>(engine_.hiddenTensors, "hidden states alive") * named<N>(hidden, "hidden state", "bytes") +
           named<N>(liveIn(*widest), widest->name, "bytes");
}

template <Number N>
N PassMemory<N>::decodeActivations(const N &ofChunk, const N &sequences) const {
    return engine_.warmUp ? list_.layerInputBytes * N(widening_) : ofChunk * smaller(sequences / chunk_, N(1.0));
}

template <Number N>
N PassMemory<N>::logits(Instant instant, const N &sequences) const {
    if (!setting_.shape.hasHead) {
        return N(0.0);
    }
    if (const auto &warmUp = engine_.warmUp) {
        if (instant == Instant::Prefill) {
            return N(0.0); // computed when the layers' activations are gone
        }
        const bool isLarge = warmUp->largeCardBytes &&
                             setting_.gpu.capacityBytes.value >= warmUp->largeCardBytes->value &&
                             setting_.gpu.architectureId != warmUp->smallArchitecture;
        const N rows = larger(number<N>(isLarge ? *warmUp->rowsOnLargeCards : warmUp->rows,
                                        "sequences of the engine's warm-up", "sequences"),
                              sequences);
        return rows * fact<N>(setting_.shape.vocabulary, "vocabulary") *
               number<N>(warmUp->bytesPerLogit, "bytes per logit", "bytes");
    }
    const N width = list_.layerInputBytes / (list_.tokens * fact<N>(setting_.shape.hidden, "hidden size"));
    return sequences * list_.vocabulary *
           named<N>(fact<N>(4, "bytes of the fp32 copy for sampling") + width, "bytes per logit", "bytes");
}

template class PassMemory<double>;
template class PassMemory<Traced>;

} // namespace ridgepoint
