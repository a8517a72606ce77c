// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the operation list of a transformer in the order it runs: encoder, embedding, layers, head and loss.
#include "core/model/describe_attention.h"
#include "core/model/describe_mlp.h"

namespace ridgepoint {

namespace description {
namespace {

template <Number N>
void embedding(Writer<N> &w) {
    Operation<N> &op = w.add("embedding", OperationKind::Lookup, Repeat::FirstStage);
    const Sizes<N> &s = w.sizes;
    const TransformerShape &shape = w.shape;
    const N elements = s.tokens * s.hidden;
    op.weightClass = WeightClass::Embedding;
    op.readBytes = elements * s.activationBytes;
    op.writtenBytes = op.readBytes;
    op.outputElements = elements;
    op.matrixWeights = named<N>(s.vocabulary * s.hidden, "token embedding", "elements");
    op.factorElements = s.vocabulary + s.hidden;
    if (shape.positions == Positions::Learned) {
        const N rows = shape.maxPositions ? fact<N>(*shape.maxPositions, "positions") : w.workload.contextTokens;
        op.matrixWeights += named<N>(rows * s.hidden, "position embedding", "elements");
        op.factorElements += rows + s.hidden;
    }
    if (shape.towerParameters > 0) {
        op.matrixWeights += fact<N>(shape.towerParameters, "vision tower", "elements", "model configuration");
    }
    if (shape.otherParameters > 0) {
        op.matrixWeights += fact<N>(shape.otherParameters, "other tensors", "elements", "model configuration");
    }
    if (w.execution.dropout) {
        w.keep(op, s.tokensOutside * s.hidden * fact<N>(1, "byte of a dropout mask"));
    }
    w.rowParallelOutput(op, w.decoderStream());
    if (shape.embeddingNorm) {
        w.norm("embedding norm", Repeat::FirstStage, s.tokensOutside, s.hidden);
    }
}

/// Input of the attention of a layer: its norm, where it stands before.
template <Number N>
void inputNorm(Writer<N> &w) {
    if (w.shape.blockNorms != BlockNorms::After) {
        w.norm("input norm", Repeat::EveryLayer, w.sizes.tokensOutside, w.sizes.hidden);
    }
}

template <Number N>
void attentionHalf(Writer<N> &w) {
    const TransformerShape &shape = w.shape;
    inputNorm(w);
    const Repeat softmaxLayers = shape.linearAttention ? Repeat::FullAttentionLayer : Repeat::EveryLayer;
    if (shape.linearAttention) {
        linearAttention(w);
    }
    if (shape.mla) {
        latentAttention(w, softmaxLayers);
    } else {
        groupedQueryAttention(w, softmaxLayers);
    }
    if (shape.blockNorms == BlockNorms::Around || shape.blockNorms == BlockNorms::After) {
        w.norm("attention output norm", Repeat::EveryLayer, w.sizes.tokensOutside, w.sizes.hidden);
    }
    if (shape.blockNorms != BlockNorms::ParallelShared && shape.blockNorms != BlockNorms::ParallelOwn) {
        w.residual("attention residual", Repeat::EveryLayer, w.sizes.tokensOutside);
    }
}

template <Number N>
void mlpHalf(Writer<N> &w) {
    const TransformerShape &shape = w.shape;
    const Sizes<N> &s = w.sizes;
    const bool isShared = shape.blockNorms == BlockNorms::ParallelShared;
    const bool isParallel = isShared || shape.blockNorms == BlockNorms::ParallelOwn;
    if (shape.blockNorms == BlockNorms::Before || shape.blockNorms == BlockNorms::Around) {
        w.norm("post-attention norm", Repeat::EveryLayer, s.tokensOutside, s.hidden);
    } else if (isParallel && !isShared) {
        // It reads the layer's input, which the input norm keeps.
        w.norm("MLP norm", Repeat::EveryLayer, s.tokensOutside, s.hidden, false);
    }
    const bool hasDenseLayers = !shape.experts || shape.experts->denseLayers > 0 || shape.experts->every > 1;
    if (hasDenseLayers) {
        denseMlp(w, denseNames(shape.gatedMlp), shape.experts ? Repeat::DenseLayer : Repeat::EveryLayer,
                 w.decoderStream(), s.ffn, !isShared);
    }
    if (shape.experts) {
        mixtureOfExperts(w, w.decoderStream());
    }
    if (shape.blockNorms == BlockNorms::Around || shape.blockNorms == BlockNorms::After) {
        w.norm("MLP output norm", Repeat::EveryLayer, s.tokensOutside, s.hidden);
    }
    w.residual("MLP residual", Repeat::EveryLayer, s.tokensOutside, isParallel ? 3 : 2);
}

template <Number N>
void headAndLoss(Writer<N> &w) {
    const Sizes<N> &s = w.sizes;
    const Stream<N> all = w.decoderStream();
    if (w.shape.finalNorm) {
        w.norm("final norm", Repeat::LastStage, s.tokensOutside, s.hidden);
    }
    if (!w.shape.hasHead) {
        return;
    }
    // Serving needs the logits of each sequence's last token only.
    const N rows = w.workload.training ? s.tokens : w.workload.sequences;
    Operation<N> &head = w.linear("output head", WeightRole::Other, Repeat::LastStage, rows, s.vocabulary, s.hidden);
    head.weightClass = WeightClass::Head;
    if (w.shape.headBias) {
        head.vectorWeights = s.vocabulary;
    }
    if (w.execution.headSharesEmbedding) {
        head.sharedWeights = true;
        head.factorElements = N{};
    }
    w.columnParallelInput(head, all);
    if (!w.workload.training) {
        return;
    }
    Operation<N> &loss = w.add("loss", OperationKind::Streaming, Repeat::LastStage);
    const N logits = rows * s.vocabulary;
    // Whole, an fp32 copy is written and read between the logits and their gradient.
    const N copy = w.execution.loss == LossKernel::Fused ? N(0.0) : fact<N>(4, "bytes of an fp32 logit");
    loss.readBytes = logits * (s.activationBytes + copy);
    loss.writtenBytes = loss.readBytes;
    loss.outputElements = logits;
    loss.forwardFlops = w.elementwiseFlops(logits, 4, "operations: maximum, subtract, exponential, sum");
    loss.backwardFlopsFactor = 0; // its gradient is written in the same pass
}

/// The encoder's layers, over its own input. They run where the workload encodes tokens, and are held otherwise.
template <Number N>
void encoder(Writer<N> &w) {
    constexpr Repeat repeat = Repeat::EncoderLayer;
    const Encoder &encoder = *w.shape.encoder;
    const Sizes<N> &s = w.sizes;
    const N tensor = fact<N>(w.execution.tensor, "tensor-parallel degree");
    const N tokens = named<N>(w.workload.sequences * w.workload.encodedTokens, "encoder tokens");
    const Stream<N> stream{tokens, w.execution.sequenceParallel && w.execution.tensor > 1 ? tokens / tensor : tokens};
    const N heads = fact<N>(encoder.heads, "encoder heads") / tensor;
    const N width = named<N>(heads * fact<N>(encoder.headDim, "encoder head size"), "encoder width on this rank");
    const N bytes = s.activationBytes;
    const bool isRunning = valueOf(tokens) > 0;
    const std::size_t begin = w.count();
    w.norm("encoder input norm", repeat, stream.outside, s.hidden);
    Operation<N> &qkv =
        w.linear("encoder q, k, v projection", WeightRole::Qkv, repeat, tokens, width * N(3.0), s.hidden);
    qkv.factorElements = s.hidden * N(3.0) + width * N(3.0);
    if (hasBias(w.shape.biases, WeightRole::Qkv)) {
        qkv.vectorWeights = width * N(w.shape.biases == Biases::AllButKey ? 2.0 : 3.0);
    }
    w.columnParallelInput(qkv, stream);
    const N context = w.workload.encodedTokens;
    Operation<N> &core = w.add("encoder attention", OperationKind::Attention, repeat);
    core.keptBy = KeptBy::AttentionCore;
    core.forwardFlops = named<N>(N(4.0) * tokens * context * width, core.name, "FLOP", "4 s s a d");
    core.readBytes = tokens * width * N(3.0) * bytes;
    core.writtenBytes = tokens * width * bytes;
    core.outputElements = tokens * width;
    if (w.execution.attention == AttentionKernel::Flash) {
        core.backwardFlopsFactor = 2.5;
    }
    if (w.workload.training) {
        w.keep(core, tokens * width * N(3.0) * bytes);
        core.keptCoreBytes = w.keptByCore(tokens, context, heads, bytes);
    }
    Operation<N> &out =
        w.linear("encoder output projection", WeightRole::AttentionOutput, repeat, tokens, s.hidden, width);
    if (hasBias(w.shape.biases, WeightRole::AttentionOutput)) {
        out.vectorWeights = s.hidden;
    }
    w.keep(out, tokens * width * bytes);
    w.rowParallelOutput(out, stream);
    w.residual("encoder attention residual", repeat, stream.outside);
    w.norm("encoder post-attention norm", repeat, stream.outside, s.hidden);
    denseMlp(w,
             {w.shape.gatedMlp ? "encoder up and gate projection" : "encoder up projection", "encoder activation",
              "encoder down projection"},
             repeat, stream, fact<N>(encoder.ffn, "encoder feed-forward size") / tensor);
    w.residual("encoder MLP residual", repeat, stream.outside);
    if (w.shape.finalNorm) {
        w.norm("encoder final norm", Repeat::FirstStage, stream.outside, s.hidden);
    }
    w.setRunsFrom(begin, isRunning);
}

} // namespace
} // namespace description

template <Number N>
OperationList<N> describe(const TransformerShape &shape, const Workload<N> &workload, const Execution<N> &execution) {
    OperationList<N> list;
    description::Writer<N> writer(shape, workload, execution, list);
    if (shape.encoder) {
        description::encoder(writer);
    }
    description::embedding(writer);
    description::attentionHalf(writer);
    if (shape.encoder) {
        description::crossAttention(writer);
    }
    description::mlpHalf(writer);
    description::headAndLoss(writer);
    return list;
}

template OperationList<double> describe(const TransformerShape &, const Workload<double> &, const Execution<double> &);
template OperationList<Traced> describe(const TransformerShape &, const Workload<Traced> &, const Execution<Traced> &);

} // namespace ridgepoint
