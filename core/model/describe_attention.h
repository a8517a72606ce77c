// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The attention half of a layer: grouped queries, the latent form, linear attention, and attention over an encoder.
#pragma once

#include "core/model/describe_writer.h"

namespace ridgepoint::description {

/// Widths on this rank, elements, of one softmax attention, however its queries, keys and values come about.
template <Number N>
struct AttentionWidths {
    N heads;
    N query, key, value, output; ///< as the scores and the weighted sum see them, all heads
    N cached;                    ///< read per token attended to
};

/// Scores, softmax and weighted sum of `tokens` queries over `context` tokens of each sequence.
template <Number N>
void attentionCore(Writer<N> &w, std::string_view name, Repeat repeat, const N &tokens, const N &context,
                   const AttentionWidths<N> &widths, bool isMasked) {
    Operation<N> &op = w.add(name, OperationKind::Attention, repeat);
    const N bytes = w.sizes.activationBytes;
    const N cached = w.workload.sequences * context * widths.cached;
    const N scores = tokens * context * widths.heads;
    op.keptBy = KeptBy::AttentionCore;
    op.forwardFlops = named<N>(N(2.0) * tokens * context * (widths.query + widths.output), op.name, "FLOP",
                               "2 s s a (d_k + d_v), full square");
    op.readBytes = tokens * widths.query * bytes + cached * w.execution.cacheBytes;
    op.writtenBytes = tokens * widths.output * bytes;
    op.outputElements = tokens * widths.output;
    if (isMasked && (w.workload.training || valueOf(w.workload.queryTokens) > 1)) {
        op.causalFlopsShare = 0.5;
    }
    if (w.execution.attention == AttentionKernel::Flash) {
        op.backwardFlopsFactor = 2.5; // it computes the scores again
    } else {
        // Scores are written, read and written by softmax, read again; dropout adds a pass and a mask.
        const N passes = fact<N>(w.execution.dropout ? 3 : 2, "passes over the scores");
        op.readBytes += scores * bytes * passes;
        op.writtenBytes += scores * bytes * passes;
    }
    if (w.execution.context > 1) {
        op.exchange = Exchange::ContextKeyValues;
        op.exchangeBytes = cached * bytes;
    }
    if (!w.workload.training) {
        return;
    }
    // Kept are the rank's own queries, keys and values, whatever the kernel reads of them.
    w.keep(op, tokens * (widths.query + widths.key + widths.value) * bytes);
    const N perScore = w.execution.dropout ? bytes * N(2.0) + fact<N>(1, "byte of a dropout mask") : bytes;
    op.keptCoreBytes = w.keptByCore(tokens, context, widths.heads, perScore);
}

/// The core in each kind of layer: full, within the window, or both.
template <Number N>
void attentionCores(Writer<N> &w, const AttentionWidths<N> &widths) {
    const TransformerShape &shape = w.shape;
    const N tokens = w.sizes.tokens;
    const N context = w.workload.contextTokens;
    const bool isMixed = shape.attentionWindow && (shape.attentionWindowEvery || shape.fullLayersFirst > 0);
    if (!shape.attentionWindow || isMixed) {
        const bool isOfSome = isMixed || shape.linearAttention;
        attentionCore(w, isOfSome ? "attention, full" : "attention",
                      isOfSome ? Repeat::FullAttentionLayer : Repeat::EveryLayer, tokens, context, widths,
                      shape.causal);
    }
    if (shape.attentionWindow) {
        attentionCore(
            w, "attention, windowed", isMixed ? Repeat::WindowedLayer : Repeat::EveryLayer, tokens,
            named<N>(smaller(context, fact<N>(*shape.attentionWindow, "attention window")), "tokens attended to"),
            widths, shape.causal);
    }
}

template <Number N>
void outputProjection(Writer<N> &w, Repeat repeat, const N &width) {
    Operation<N> &out =
        w.linear("output projection", WeightRole::AttentionOutput, repeat, w.sizes.tokens, w.sizes.hidden, width);
    if (hasBias(w.shape.biases, WeightRole::AttentionOutput)) {
        out.vectorWeights = w.sizes.hidden;
    }
    w.keep(out, w.sizes.tokens * width * w.sizes.activationBytes); // the attention output, counted once
    const bool isParallel =
        w.shape.blockNorms == BlockNorms::ParallelShared || w.shape.blockNorms == BlockNorms::ParallelOwn;
    if (!isParallel) { // a parallel block is reduced once, after its MLP
        w.rowParallelOutput(out, w.decoderStream());
    }
}

/// Multi-head and grouped-query attention (Vaswani et al. 2017; Ainslie et al. 2023).
template <Number N>
void groupedQueryAttention(Writer<N> &w, Repeat repeat) {
    const TransformerShape &shape = w.shape;
    const Sizes<N> &s = w.sizes;
    const N queryColumns =
        shape.attentionOutputGate ? named<N>(s.queryWidth * N(2.0), "query and gate width on this rank") : s.queryWidth;
    const N keyValueColumns = shape.valueHeadDim ? s.keyWidth + s.valueWidth : s.keyWidth * N(2.0);
    Operation<N> &qkv =
        w.linear("q, k, v projection", WeightRole::Qkv, repeat, s.tokens, queryColumns + keyValueColumns, s.hidden);
    qkv.factorElements = s.hidden * N(3.0) + queryColumns + keyValueColumns;
    if (hasBias(shape.biases, WeightRole::Qkv)) {
        qkv.vectorWeights =
            shape.biases == Biases::AllButKey ? queryColumns + s.valueWidth : queryColumns + keyValueColumns;
    }
    if (shape.attentionSinks) {
        qkv.vectorWeights += s.headCount;
    }
    w.columnParallelInput(qkv, w.decoderStream());
    const N rotatedWidth = s.queryWidth + s.keyWidth;
    const N rotated = s.tokens * rotatedWidth;
    if (shape.qkNorm != QkNorm::None) {
        Operation<N> &norm = w.streaming("q and k norm", repeat, rotated, rotated);
        norm.weightClass = WeightClass::Norm;
        norm.forwardFlops = w.normFlops(rotated);
        norm.vectorWeights = shape.qkNorm == QkNorm::PerHead
                                 ? w.normVectors(fact<N>(shape.headDim, "head size")) * N(2.0)
                                 : w.normVectors(rotatedWidth);
        w.keep(norm, rotated * s.normKeptBytes);
    }
    if (shape.positions == Positions::Rope) {
        w.streaming("rotary embedding", repeat, rotated, rotated).forwardFlops =
            w.elementwiseFlops(rotated, 3, "operations: two products and their sum");
    }
    attentionCores(
        w, AttentionWidths<N>{s.headCount, s.queryWidth, s.keyWidth, s.valueWidth, s.valueQueryWidth, keyValueColumns});
    if (shape.attentionOutputGate) {
        const N gated = s.tokens * s.valueQueryWidth;
        Operation<N> &gate = w.streaming("attention output gate", repeat, gated * N(2.0), gated);
        gate.forwardFlops = w.elementwiseFlops(gated, 4, "operations of a sigmoid and a product");
        w.keep(gate, gated * s.activationBytes);
    }
    outputProjection(w, repeat, s.valueQueryWidth);
}

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1). The ranks' down-projections are not split
/// over tensor ranks. Decoding reads the latent cache itself, with the up-projections absorbed (section 2.1.2).
template <Number N>
void latentAttention(Writer<N> &w, Repeat repeat) {
    const Mla &mla = *w.shape.mla;
    const Sizes<N> &s = w.sizes;
    const N bytes = s.activationBytes;
    const N kvRank = fact<N>(mla.kvRank, "rank of the key/value latent");
    const N ropeDim = fact<N>(mla.ropeDim, "rotary part of a key");
    const N nopeDim = fact<N>(mla.nopeDim, "part of a key without rotary embedding");
    const N keyDim = nopeDim + ropeDim;
    const N queryWidth = named<N>(s.headCount * keyDim, "query width on this rank");
    const N valueWidth =
        named<N>(s.headCount * fact<N>(mla.vDim, "value head size"), "attention output width on this rank");
    if (mla.qRank) {
        const N qRank = fact<N>(*mla.qRank, "rank of the query latent");
        Operation<N> &down =
            w.linear("q down projection", WeightRole::MlaQueryDown, repeat, s.tokensOutside, qRank, s.hidden);
        w.keep(down, s.tokensOutside * s.hidden * bytes); // shared with the key/value down projection
        w.norm("q latent norm", repeat, s.tokensOutside, qRank);
        Operation<N> &up = w.linear("q up projection", WeightRole::MlaQueryUp, repeat, s.tokens, queryWidth, qRank);
        w.keep(up, s.tokensOutside * qRank * bytes);
    } else {
        Operation<N> &q = w.linear("q projection", WeightRole::MlaQueryUp, repeat, s.tokens, queryWidth, s.hidden);
        w.columnParallelInput(q, w.decoderStream());
    }
    w.linear("key/value down projection", WeightRole::MlaCacheDown, repeat, s.tokensOutside, kvRank + ropeDim,
             s.hidden);
    w.norm("key/value latent norm", repeat, s.tokensOutside, kvRank);
    Operation<N> &up = w.linear("key/value up projection", WeightRole::MlaCacheUp, repeat, s.tokens,
                                s.headCount * nopeDim + valueWidth, kvRank);
    w.keep(up, s.tokensOutside * kvRank * bytes);
    const N rotated = s.tokens * (s.headCount + N(1.0)) * ropeDim;
    w.streaming("rotary embedding", repeat, rotated, rotated).forwardFlops =
        w.elementwiseFlops(rotated, 3, "operations: two products and their sum");
    const bool isDecode = !w.workload.training && valueOf(w.workload.queryTokens) == 1;
    const N latent = named<N>(kvRank + ropeDim, "cached per token");
    if (isDecode) {
        attentionCores(
            w, AttentionWidths<N>{s.headCount, s.headCount * latent, latent, latent, s.headCount * kvRank, latent});
    } else {
        attentionCores(w, AttentionWidths<N>{s.headCount, queryWidth, queryWidth, valueWidth, valueWidth,
                                             w.workload.training ? queryWidth + valueWidth : latent});
    }
    outputProjection(w, repeat, valueWidth);
}

/// Gated DeltaNet (Yang et al. 2024, arXiv 2412.06464): projections, a short convolution, and a recurrent state of
/// keyDim x valueDim per value head, in fp32.
template <Number N>
void linearAttention(Writer<N> &w) {
    constexpr Repeat repeat = Repeat::LinearAttentionLayer;
    const LinearAttention &linear = *w.shape.linearAttention;
    const Sizes<N> &s = w.sizes;
    const N bytes = s.activationBytes;
    const N tensor = fact<N>(w.execution.tensor, "tensor-parallel degree");
    const N keyDim = fact<N>(linear.keyDim, "key head size of linear attention");
    const N valueDim = fact<N>(linear.valueDim, "value head size of linear attention");
    const N keyWidth = named<N>(fact<N>(linear.keyHeads, "key heads of linear attention") * keyDim / tensor,
                                "key width of linear attention on this rank");
    const N valueHeads = named<N>(fact<N>(linear.valueHeads, "value heads of linear attention") / tensor,
                                  "value heads of linear attention on this rank");
    const N valueWidth = named<N>(valueHeads * valueDim, "value width of linear attention on this rank");
    Operation<N> &in = w.linear("linear attention's input projection", WeightRole::Qkv, repeat, s.tokens,
                                keyWidth * N(2.0) + valueWidth * N(2.0) + valueHeads * N(2.0), s.hidden);
    w.columnParallelInput(in, w.decoderStream());
    const N mixed = keyWidth * N(2.0) + valueWidth;
    Operation<N> &convolution = w.streaming("short convolution", repeat, s.tokens * mixed, s.tokens * mixed);
    const N taps = fact<N>(linear.convolution, "taps of the convolution");
    convolution.matrixWeights = named<N>(mixed * taps, "short convolution", "elements");
    convolution.factorElements = mixed + taps;
    convolution.forwardFlops = named<N>(N(2.0) * s.tokens * mixed * taps, "short convolution", "FLOP");
    w.keep(convolution, s.tokens * mixed * bytes);
    Operation<N> &core = w.add("linear attention", OperationKind::Streaming, repeat);
    const N state = named<N>(w.workload.sequences * valueHeads * keyDim * valueDim * fact<N>(4, "bytes of a state"),
                             "recurrent state", "bytes");
    core.vectorWeights = valueHeads * N(2.0); // decay and step bias of each head
    core.forwardFlops = named<N>(N(6.0) * s.tokens * valueHeads * keyDim * valueDim, "linear attention", "FLOP",
                                 "read, correct and query the state: 2 d_k d_v each");
    core.readBytes = s.tokens * mixed * bytes + state;
    core.writtenBytes = s.tokens * valueWidth * bytes + state;
    core.outputElements = s.tokens * valueWidth;
    w.keep(core, s.tokens * (mixed + valueWidth) * bytes);
    Operation<N> &norm = w.streaming("gated norm", repeat, s.tokens * valueWidth * N(2.0), s.tokens * valueWidth);
    norm.weightClass = WeightClass::Norm;
    norm.vectorWeights = valueDim;
    norm.forwardFlops = w.normFlops(s.tokens * valueWidth);
    w.keep(norm, s.tokens * valueWidth * N(2.0) * bytes);
    Operation<N> &out = w.linear("linear attention's output projection", WeightRole::AttentionOutput, repeat, s.tokens,
                                 s.hidden, valueWidth);
    w.keep(out, s.tokens * valueWidth * bytes);
    w.rowParallelOutput(out, w.decoderStream());
}

/// Attention of a decoder layer over the encoder's output; its keys and values are made once, when the encoder runs.
template <Number N>
void crossAttention(Writer<N> &w) {
    constexpr Repeat repeat = Repeat::EveryLayer;
    const Sizes<N> &s = w.sizes;
    w.norm("cross-attention norm", repeat, s.tokensOutside, s.hidden);
    Operation<N> &q =
        w.linear("cross-attention q projection", WeightRole::AttentionOutput, repeat, s.tokens, s.queryWidth, s.hidden);
    const bool hasBiases = hasBias(w.shape.biases, WeightRole::Qkv);
    if (hasBiases) {
        q.vectorWeights = s.queryWidth;
    }
    w.columnParallelInput(q, w.decoderStream());
    const N encoded = w.workload.sequences * w.workload.encodedTokens;
    Operation<N> &kv = w.linear("cross-attention k, v projection", WeightRole::Qkv, repeat, encoded,
                                s.keyWidth + s.valueWidth, s.hidden);
    kv.runs = valueOf(encoded) > 0;
    if (hasBiases) {
        kv.vectorWeights = w.shape.biases == Biases::AllButKey ? s.valueWidth : s.keyWidth + s.valueWidth;
    }
    const N context = w.workload.crossTokens;
    Operation<N> &core = w.add("cross-attention", OperationKind::Attention, repeat);
    core.keptBy = KeptBy::AttentionCore;
    const N bytes = s.activationBytes;
    core.forwardFlops = named<N>(N(2.0) * s.tokens * context * (s.queryWidth + s.valueQueryWidth), core.name, "FLOP",
                                 "2 s s' a (d_k + d_v)");
    const N keysAndValues = w.workload.sequences * context * (s.keyWidth + s.valueWidth);
    core.readBytes = s.tokens * s.queryWidth * bytes + keysAndValues * w.execution.cacheBytes;
    core.writtenBytes = s.tokens * s.valueQueryWidth * bytes;
    core.outputElements = s.tokens * s.valueQueryWidth;
    core.backwardFlopsFactor = w.execution.attention == AttentionKernel::Flash ? 2.5 : 2;
    if (w.workload.training) {
        w.keep(core, (s.tokens * s.queryWidth + keysAndValues) * bytes);
        core.keptCoreBytes = w.keptByCore(s.tokens, context, s.headCount, bytes);
    }
    Operation<N> &out = w.linear("cross-attention output projection", WeightRole::AttentionOutput, repeat, s.tokens,
                                 s.hidden, s.valueQueryWidth);
    if (hasBias(w.shape.biases, WeightRole::AttentionOutput)) {
        out.vectorWeights = s.hidden;
    }
    w.keep(out, s.tokens * s.valueQueryWidth * bytes);
    w.rowParallelOutput(out, w.decoderStream());
    w.residual("cross-attention residual", repeat, s.tokensOutside);
}

} // namespace ridgepoint::description
