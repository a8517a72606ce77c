// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What every part of the description of a transformer writes with: sizes on one rank, norms, linears, what is kept.
#pragma once

#include "core/model/operation.h"

namespace ridgepoint::description {

inline constexpr std::string_view keptSource = "Korthikanti et al. 2022, eqs. 1-6";

/// The sizes every operation is made of, already split over the tensor-parallel group where they are split.
template <Number N>
struct Sizes {
    N tokens, hidden, queryWidth, keyWidth, valueWidth, valueQueryWidth, headCount, ffn, vocabulary;
    N activationBytes;
    N residualBytes; ///< of an element between layers
    N tokensOutside; ///< tokens of the parts that only sequence parallelism splits
    N normKeptBytes; ///< per token and hidden element
    double gate;     ///< matrices before the activation: 2 when gated
};

/// Tokens through a part: all on this rank, and those outside the tensor-parallel parts.
template <Number N>
struct Stream {
    N tokens, outside;
};

template <Number N>
Sizes<N> sizesOf(const TransformerShape &shape, const Workload<N> &workload, const Execution<N> &execution) {
    Sizes<N> s{};
    const N tensor = fact<N>(execution.tensor, "tensor-parallel degree");
    const N headDim = fact<N>(shape.headDim, shape.valueHeadDim ? "key head size" : "head size");
    const N valueDim = shape.valueHeadDim ? fact<N>(*shape.valueHeadDim, "value head size") : headDim;
    const N keyValueHeads = fact<N>(shape.kvHeads, "key/value heads");
    s.tokens = named<N>(workload.sequences * workload.queryTokens, "tokens T");
    if (execution.context > 1) {
        s.tokens = named<N>(s.tokens / fact<N>(execution.context, "context-parallel degree"), "tokens T on this rank");
    }
    s.hidden = fact<N>(shape.hidden, "hidden size");
    s.headCount = named<N>(fact<N>(shape.heads, "query heads") / tensor, "query heads on this rank");
    s.queryWidth = named<N>(s.headCount * headDim, "query width on this rank");
    s.valueQueryWidth =
        shape.valueHeadDim ? named<N>(s.headCount * valueDim, "attention output width on this rank") : s.queryWidth;
    // Key/value heads are replicated where there are fewer of them than ranks.
    const N localHeads = larger(keyValueHeads / tensor, N(1.0));
    s.keyWidth =
        named<N>(localHeads * headDim, shape.valueHeadDim ? "key width on this rank" : "key/value width on this rank");
    s.valueWidth = shape.valueHeadDim ? named<N>(localHeads * valueDim, "value width on this rank") : s.keyWidth;
    s.ffn = named<N>(fact<N>(shape.ffn, "feed-forward size") / tensor, "feed-forward size on this rank");
    const N multiple = fact<N>(execution.vocabularyMultiple, "padding of the vocabulary") * tensor;
    const N padded =
        named<N>(roundedUp(fact<N>(shape.vocabulary, "vocabulary") / multiple) * multiple, "padded vocabulary");
    s.vocabulary = named<N>(padded / tensor, "vocabulary on this rank");
    s.activationBytes = execution.activationBytes;
    s.tokensOutside = execution.sequenceParallel && execution.tensor > 1
                          ? named<N>(s.tokens / tensor, "tokens on this rank with sequence parallelism")
                          : s.tokens;
    s.residualBytes = valueOf(execution.residualBytes) > 0 ? execution.residualBytes : s.activationBytes;
    s.normKeptBytes = execution.fusedKernels
                          ? s.residualBytes
                          : s.activationBytes + fact<N>(4, "bytes of an fp32 copy of a norm's input");
    s.gate = shape.gatedMlp ? 2 : 1;
    return s;
}

inline bool hasBias(Biases biases, WeightRole role) {
    switch (biases) {
    case Biases::None:
        return false;
    case Biases::Qkv:
        return role == WeightRole::Qkv;
    case Biases::Attention:
        return role == WeightRole::Qkv || role == WeightRole::AttentionOutput;
    case Biases::Mlp:
        return role == WeightRole::UpAndGate || role == WeightRole::Down;
    case Biases::All:
    case Biases::AllButKey:
        return true;
    }
    return false;
}

template <Number N>
class Writer {
public:
    Writer(const TransformerShape &theShape, const Workload<N> &theWorkload, const Execution<N> &theExecution,
           OperationList<N> &list)
        : shape(theShape), workload(theWorkload), execution(theExecution),
          sizes(sizesOf(theShape, theWorkload, theExecution)), list_(list) {
        list_.operations.reserve(48);
        list_.tokens = sizes.tokens;
        list_.vocabulary = sizes.vocabulary;
        list_.layerInputBytes =
            named<N>(sizes.tokensOutside * sizes.hidden * sizes.residualBytes, "layer input", "bytes", keptSource);
    }

    const TransformerShape &shape;
    const Workload<N> &workload;
    const Execution<N> &execution;
    const Sizes<N> sizes;

    Stream<N> decoderStream() const { return {sizes.tokens, sizes.tokensOutside}; }
    std::size_t count() const { return list_.operations.size(); }
    void setRunsFrom(std::size_t first, bool runs) {
        for (std::size_t i = first; i < list_.operations.size(); ++i) {
            list_.operations[i].runs = runs;
        }
    }

    Operation<N> &add(std::string_view name, OperationKind kind, Repeat repeat) {
        Operation<N> &op = list_.operations.emplace_back();
        op.name = name;
        op.kind = kind;
        op.repeat = repeat;
        return op;
    }

    void keep(Operation<N> &op, const N &bytes) {
        if (workload.training) {
            op.keptBytes = named<N>(bytes, op.name, "bytes", keptSource);
        }
    }

    N normVectors(const N &width) const { return width * N(shape.norm == NormKind::LayerNorm ? 2.0 : 1.0); }

    /// Arithmetic of element-wise kernels, for the roofline; exponentials and roots count as one. Model FLOPs leave it
    /// out.
    N elementwiseFlops(const N &elements, double each, std::string_view what) const {
        return named<N>(elements * fact<N>(each, what), "element-wise arithmetic", "FLOP");
    }
    N normFlops(const N &elements) const {
        return shape.norm == NormKind::RmsNorm
                   ? elementwiseFlops(elements, 4, "operations: square, sum, scale, gain")
                   : elementwiseFlops(elements, 7, "operations: sum, mean off, square, sum, scale, gain, shift");
    }

    /// A norm over the last `width` elements of `tokens` rows; `keepsInput`: not where another operation keeps the same
    /// tensor.
    Operation<N> &norm(std::string_view name, Repeat repeat, const N &tokens, const N &width, bool keepsInput = true) {
        Operation<N> &op = add(name, OperationKind::Streaming, repeat);
        const N elements = tokens * width;
        op.weightClass = WeightClass::Norm;
        op.readBytes = elements * sizes.activationBytes;
        op.writtenBytes = op.readBytes;
        op.outputElements = elements;
        op.vectorWeights = normVectors(width);
        op.forwardFlops = normFlops(elements);
        if (keepsInput) {
            keep(op, elements * sizes.normKeptBytes);
        }
        return op;
    }

    Operation<N> &linear(std::string_view name, WeightRole role, Repeat repeat, const N &tokens, const N &columns,
                         const N &depth) {
        Operation<N> &op = add(name, OperationKind::MatMul, repeat);
        op.role = role;
        op.m = tokens;
        op.n = columns;
        op.k = depth;
        op.forwardFlops = named<N>(N(2.0) * tokens * columns * depth, op.name, "FLOP", "2 m n k");
        op.readBytes = tokens * depth * sizes.activationBytes;
        op.writtenBytes = tokens * columns * sizes.activationBytes;
        op.outputElements = tokens * columns;
        op.matrixWeights = named<N>(depth * columns, op.name, "elements");
        op.factorElements = columns + depth;
        return op;
    }

    Operation<N> &streaming(std::string_view name, Repeat repeat, const N &elementsIn, const N &elementsOut) {
        Operation<N> &op = add(name, OperationKind::Streaming, repeat);
        op.readBytes = elementsIn * sizes.activationBytes;
        op.writtenBytes = elementsOut * sizes.activationBytes;
        op.outputElements = elementsOut;
        return op;
    }

    /// Input of a column-parallel linear: with sequence parallelism it is gathered first; each rank keeps its own part.
    /// `keepsInput`: not where another operation keeps the same tensor.
    void columnParallelInput(Operation<N> &op, const Stream<N> &stream, bool keepsInput = true) {
        if (keepsInput) {
            keep(op, stream.outside * sizes.hidden * sizes.activationBytes);
        }
        if (execution.tensor > 1 && execution.sequenceParallel) {
            op.collective = TensorCollective::AllGather;
            op.collectiveBytes = stream.tokens * sizes.hidden * sizes.activationBytes;
        }
    }

    void rowParallelOutput(Operation<N> &op, const Stream<N> &stream) {
        if (execution.tensor > 1) {
            op.collective = execution.sequenceParallel ? TensorCollective::ReduceScatter : TensorCollective::AllReduce;
            op.collectiveBytes = stream.tokens * sizes.hidden * sizes.activationBytes;
        }
    }

    /// Residual addition, with the dropout before it where the model has one (its 1-byte mask is kept).
    void residual(std::string_view name, Repeat repeat, const N &tokens, double inputs = 2) {
        const N elements = tokens * sizes.hidden;
        Operation<N> &op = streaming(name, repeat, elements * N(inputs), elements);
        op.forwardFlops = execution.dropout ? elementwiseFlops(elements, inputs, "operations: mask, add")
                                            : elementwiseFlops(elements, inputs - 1, "additions");
        if (execution.dropout) {
            keep(op, elements * fact<N>(inputs - 1, "bytes of dropout masks"));
        }
    }

    /// What an attention core keeps beside q, k and v: the log-sum-exp, or the probabilities.
    N keptByCore(const N &tokens, const N &context, const N &heads, const N &bytesPerScore) const {
        return execution.attention == AttentionKernel::Flash
                   ? named<N>(tokens * heads * fact<N>(4, "bytes of a log-sum-exp"), "log-sum-exp", "bytes",
                              "Dao 2023, FlashAttention-2")
                   : named<N>(tokens * context * heads * bytesPerScore, "attention probabilities", "bytes", keptSource);
    }

private:
    OperationList<N> &list_;
};

} // namespace ridgepoint::description
