// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the cache of a sequence by kind of layer, in blocks.
#include "core/memory/sequence_cache.h"

#include <algorithm>

namespace ridgepoint {

namespace {

template <Number N>
N perTokenAndLayer(const Setting &setting) {
    const TransformerShape &shape = setting.shape;
    const Fact &bits = setting.cacheFormat->bitsPerLinearWeight;
    const N bytes = fact<N>(bits.value, "bits of a cached element", "bits", bits.source) / N(8.0);
    if (shape.mla) {
        const N latent = fact<N>(shape.mla->kvRank, "rank of the key/value latent") +
                         fact<N>(shape.mla->ropeDim, "rotary part of a key");
        return named<N>(latent * bytes, "cache per token and layer", "bytes",
                        "latent cache, whole on every tensor rank");
    }
    const N heads = larger(fact<N>(shape.kvHeads, "key/value heads") /
                               fact<N>(setting.scenario->parallelism.tensor, "tensor-parallel degree"),
                           N(1.0));
    const N elements =
        shape.valueHeadDim
            ? heads * (fact<N>(shape.headDim, "key head size") + fact<N>(*shape.valueHeadDim, "value head size"))
            : N(2.0) * heads * fact<N>(shape.headDim, "head size");
    return named<N>(elements * bytes, "cache per token and layer", "bytes", "keys and values");
}

/// Convolution inputs of the last tokens and the recurrent state in fp32 (Gated DeltaNet, arXiv 2412.06464).
template <Number N>
N linearState(const Setting &setting) {
    const LinearAttention &linear = *setting.shape.linearAttention;
    const N tensor = fact<N>(setting.scenario->parallelism.tensor, "tensor-parallel degree");
    const N keyWidth = fact<N>(linear.keyHeads, "key heads of linear attention") *
                       fact<N>(linear.keyDim, "key head size of linear attention") / tensor;
    const N valueHeads = fact<N>(linear.valueHeads, "value heads of linear attention") / tensor;
    const N valueDim = fact<N>(linear.valueDim, "value head size of linear attention");
    const N convolution = (N(2.0) * keyWidth + valueHeads * valueDim) *
                          fact<N>(linear.convolution - 1, "earlier tokens that the convolution reads") *
                          fact<N>(2, "bytes of an element");
    const N recurrent = valueHeads * fact<N>(linear.keyDim, "key head size of linear attention") * valueDim *
                        fact<N>(4, "bytes of a state");
    return named<N>(named<N>(convolution, "inputs of the convolution", "bytes") +
                        named<N>(recurrent, "recurrent state", "bytes"),
                    "state per sequence and layer of linear attention", "bytes");
}

} // namespace

template <Number N>
SequenceCache<N>::SequenceCache(const Setting &setting)
    : setting_(setting), exists_(setting.shape.causal),
      block_(fact<N>(setting.engine->cacheBlockTokens.value, "tokens of a cache block", "tokens",
                     setting.engine->cacheBlockTokens.source)),
      perLayer_(perTokenAndLayer<N>(setting)) {
    const TransformerShape &shape = setting.shape;
    if (shape.linearAttention) {
        state_ = linearState<N>(setting);
    }
    if (shape.encoder) {
        const N tokens = shape.encoder->tokens
                             ? fact<N>(*shape.encoder->tokens, "tokens of the encoder", "tokens")
                             : fact<N>(setting.scenario->inference.promptTokens, "prompt", "tokens", "scenario");
        cross_ = named<N>(tokens * perLayer_, "keys and values of the encoder's output, per layer", "bytes");
    }
    if (shape.attentionWindow) {
        window_ = fact<N>(*shape.attentionWindow, "attention window", "tokens");
    }
}

template <Number N>
N SequenceCache<N>::blocks(const N &tokens) const {
    return valueOf(block_) > 1 ? roundedUp(tokens / block_) * block_ : tokens;
}

template <Number N>
N SequenceCache<N>::decoded(const N &length) const {
    const TransformerShape &shape = setting_.shape;
    if (!shape.encoder || shape.encoder->tokens) {
        return length;
    }
    return larger(length - fact<N>(setting_.scenario->inference.promptTokens, "prompt, through the encoder", "tokens",
                                   "scenario"),
                  N(0.0));
}

template <Number N>
N SequenceCache<N>::full(const StagePlan &plan) const {
    return fact<N>(plan.fullAttentionLayers, "layers with full attention on this stage") * perLayer_;
}

template <Number N>
N SequenceCache<N>::windowed(const StagePlan &plan) const {
    return fact<N>(plan.windowedLayers, "layers with windowed attention on this stage") * perLayer_;
}

template <Number N>
N SequenceCache<N>::fixed(const StagePlan &plan) const {
    N bytes{};
    if (plan.linearAttentionLayers > 0) {
        bytes = fact<N>(plan.linearAttentionLayers, "layers with linear attention on this stage") * state_;
    }
    if (setting_.shape.encoder && plan.layers > 0) {
        const N cross = fact<N>(plan.layers, "layers on this stage") * cross_;
        bytes = valueOf(bytes) == 0 ? cross : bytes + cross;
    }
    return bytes;
}

template <Number N>
N SequenceCache<N>::ofSequence(const StagePlan &plan, const N &length) const {
    if (!exists_) {
        return N(0.0);
    }
    N bytes = fixed(plan);
    const auto add = [&bytes](const N &part) { bytes = valueOf(bytes) == 0 ? part : bytes + part; };
    const N tokens = decoded(length);
    if (plan.fullAttentionLayers > 0) {
        add(full(plan) * blocks(tokens));
    }
    if (plan.windowedLayers > 0) {
        add(windowed(plan) * blocks(smaller(tokens, window_)));
    }
    return named<N>(bytes, "cache of one sequence", "bytes");
}

template <Number N>
N SequenceCache<N>::perToken() const {
    if (!exists_) {
        return N(0.0);
    }
    int most = 0;
    for (const StagePlan &plan : setting_.stages) {
        most = std::max(most, plan.fullAttentionLayers + plan.windowedLayers);
    }
    return named<N>(fact<N>(most, "layers with a cache on the fullest stage") * perLayer_,
                    "cache per token, all layers of a stage", "bytes");
}

template <Number N>
N SequenceCache<N>::perTokenBeyondWindow() const {
    int most = 0;
    for (const StagePlan &plan : setting_.stages) {
        most = std::max(most, plan.fullAttentionLayers);
    }
    return named<N>(fact<N>(most, "layers with full attention on the fullest stage") * perLayer_,
                    "cache per token beyond the window", "bytes");
}

template <Number N>
std::optional<N> SequenceCache<N>::longest(const StagePlan &plan, const N &left) const {
    if (plan.fullAttentionLayers + plan.windowedLayers == 0) {
        return std::nullopt;
    }
    const N growing = larger(left - fixed(plan), N(0.0));
    const N perTokenHere = plan.windowedLayers == 0        ? full(plan)
                           : plan.fullAttentionLayers == 0 ? windowed(plan)
                                                           : full(plan) + windowed(plan);
    const N prompt =
        setting_.shape.encoder && !setting_.shape.encoder->tokens
            ? fact<N>(setting_.scenario->inference.promptTokens, "prompt, through the encoder", "tokens", "scenario")
            : N(0.0);
    const auto withPrompt = [&prompt](const N &tokens) { return valueOf(prompt) > 0 ? tokens + prompt : tokens; };
    const N withinWindow = roundedDown(growing / (perTokenHere * block_)) * block_;
    if (plan.windowedLayers == 0 || withinWindow <= window_) {
        return withPrompt(withinWindow);
    }
    if (plan.fullAttentionLayers == 0) {
        return std::nullopt;
    }
    return withPrompt(roundedDown((growing - windowed(plan) * blocks(window_)) / (full(plan) * block_)) * block_);
}

template <Number N>
N SequenceCache<N>::capacityTokens(const StagePlan &plan, const N &left, const N &length) const {
    const N each = ofSequence(plan, length);
    return roundedDown(left * decoded(length) / (each * block_)) * block_;
}

template class SequenceCache<double>;
template class SequenceCache<Traced>;

} // namespace ridgepoint
