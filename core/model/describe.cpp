// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the operation list of a dense transformer: embedding, layers (attention, MLP), head and loss.
#include "core/model/operation.h"

namespace ridgepoint {

namespace {

constexpr std::string_view keptSource = "Korthikanti et al. 2022, eqs. 1-6";

/// The sizes every operation is made of, already split over the tensor-parallel group where they are split.
template <Number N>
struct Sizes {
    N tokens, hidden, queryWidth, keyValueWidth, headCount, ffn, vocabulary;
    N activationBytes;
    N tokensOutside; ///< tokens of the parts that only sequence parallelism splits
    N normKeptBytes; ///< per token and hidden element
    double gate;     ///< matrices before the activation: 2 when gated
};

template <Number N>
Sizes<N> sizesOf(const TransformerShape &shape, const Workload<N> &workload, const Execution<N> &execution) {
    Sizes<N> s{};
    const N tensor = fact<N>(execution.tensor, "tensor-parallel degree");
    const N headDim = fact<N>(shape.headDim, "head size");
    const N keyValueHeads = fact<N>(shape.kvHeads, "key/value heads");
    s.tokens = named<N>(workload.sequences * workload.queryTokens, "tokens T");
    s.hidden = fact<N>(shape.hidden, "hidden size");
    s.headCount = named<N>(fact<N>(shape.heads, "query heads") / tensor, "query heads on this rank");
    s.queryWidth = named<N>(s.headCount * headDim, "query width on this rank");
    // Key/value heads are replicated where there are fewer of them than ranks.
    s.keyValueWidth = named<N>(larger(keyValueHeads / tensor, N(1.0)) * headDim, "key/value width on this rank");
    s.ffn = named<N>(fact<N>(shape.ffn, "feed-forward size") / tensor, "feed-forward size on this rank");
    const N multiple = fact<N>(execution.vocabularyMultiple, "padding of the vocabulary") * tensor;
    const N padded =
        named<N>(roundedUp(fact<N>(shape.vocabulary, "vocabulary") / multiple) * multiple, "padded vocabulary");
    s.vocabulary = named<N>(padded / tensor, "vocabulary on this rank");
    s.activationBytes = execution.activationBytes;
    s.tokensOutside = execution.sequenceParallel && execution.tensor > 1
                          ? named<N>(s.tokens / tensor, "tokens on this rank with sequence parallelism")
                          : s.tokens;
    s.normKeptBytes = execution.fusedKernels
                          ? s.activationBytes
                          : s.activationBytes + fact<N>(4, "bytes of an fp32 copy of a norm's input");
    s.gate = shape.gatedMlp ? 2 : 1;
    return s;
}

template <Number N>
class Writer {
public:
    Writer(const TransformerShape &shape, const Workload<N> &workload, const Execution<N> &execution,
           OperationList<N> &list)
        : shape_(shape), workload_(workload), execution_(execution), sizes_(sizesOf(shape, workload, execution)),
          list_(list) {
        list_.operations.reserve(24);
        list_.tokens = sizes_.tokens;
        list_.vocabulary = sizes_.vocabulary;
        list_.layerInputBytes =
            named<N>(sizes_.tokensOutside * sizes_.hidden * sizes_.activationBytes, "layer input", "bytes", keptSource);
    }

    void write() {
        embedding();
        attention();
        mlp();
        headAndLoss();
    }

private:
    Operation<N> &add(std::string_view name, OperationKind kind, Repeat repeat = Repeat::EveryLayer) {
        Operation<N> &op = list_.operations.emplace_back();
        op.name = name;
        op.kind = kind;
        op.repeat = repeat;
        return op;
    }

    void keep(Operation<N> &op, const N &bytes) {
        if (workload_.training) {
            op.keptBytes = named<N>(bytes, op.name, "bytes", keptSource);
        }
    }

    N normVectors(const N &width) const { return width * N(shape_.norm == NormKind::LayerNorm ? 2.0 : 1.0); }

    void norm(std::string_view name, Repeat repeat = Repeat::EveryLayer) {
        Operation<N> &op = add(name, OperationKind::Streaming, repeat);
        const N elements = sizes_.tokensOutside * sizes_.hidden;
        op.weightClass = WeightClass::Norm;
        op.readBytes = elements * sizes_.activationBytes;
        op.writtenBytes = op.readBytes;
        op.outputElements = elements;
        op.vectorWeights = normVectors(sizes_.hidden);
        op.forwardFlops = normFlops(elements);
        keep(op, elements * sizes_.normKeptBytes);
    }

    /// Arithmetic of element-wise kernels, for the roofline; exponentials and roots count as one. Model FLOPs leave it
    /// out.
    N elementwiseFlops(const N &elements, double each, std::string_view what) const {
        return named<N>(elements * fact<N>(each, what), "element-wise arithmetic", "FLOP");
    }
    N normFlops(const N &elements) const {
        return shape_.norm == NormKind::LayerNorm
                   ? elementwiseFlops(elements, 7, "operations: sum, mean off, square, sum, scale, gain, shift")
                   : elementwiseFlops(elements, 4, "operations: square, sum, scale, gain");
    }

    Operation<N> &linear(std::string_view name, const N &tokens, const N &columns, const N &depth,
                         Repeat repeat = Repeat::EveryLayer) {
        Operation<N> &op = add(name, OperationKind::MatMul, repeat);
        op.m = tokens;
        op.n = columns;
        op.k = depth;
        op.forwardFlops = named<N>(N(2.0) * tokens * columns * depth, op.name, "FLOP", "2 m n k");
        op.readBytes = tokens * depth * sizes_.activationBytes;
        op.writtenBytes = tokens * columns * sizes_.activationBytes;
        op.outputElements = tokens * columns;
        op.matrixWeights = named<N>(depth * columns, op.name, "elements");
        return op;
    }

    /// Input of a column-parallel linear: with sequence parallelism it is gathered first; each rank keeps its own part.
    void columnParallelInput(Operation<N> &op) {
        keep(op, sizes_.tokensOutside * sizes_.hidden * sizes_.activationBytes);
        if (execution_.tensor > 1 && execution_.sequenceParallel) {
            op.collective = TensorCollective::AllGather;
            op.collectiveBytes = sizes_.tokens * sizes_.hidden * sizes_.activationBytes;
        }
    }

    void rowParallelOutput(Operation<N> &op) {
        if (execution_.tensor > 1) {
            op.collective = execution_.sequenceParallel ? TensorCollective::ReduceScatter : TensorCollective::AllReduce;
            op.collectiveBytes = sizes_.tokens * sizes_.hidden * sizes_.activationBytes;
        }
    }

    void streaming(std::string_view name, const N &elementsIn, const N &elementsOut,
                   Repeat repeat = Repeat::EveryLayer) {
        Operation<N> &op = add(name, OperationKind::Streaming, repeat);
        op.readBytes = elementsIn * sizes_.activationBytes;
        op.writtenBytes = elementsOut * sizes_.activationBytes;
        op.outputElements = elementsOut;
    }

    /// Residual addition, with the dropout before it where the model has one (its 1-byte mask is kept).
    void residual(std::string_view name) {
        const N elements = sizes_.tokensOutside * sizes_.hidden;
        streaming(name, elements * N(2.0), elements);
        list_.operations.back().forwardFlops = execution_.dropout
                                                   ? elementwiseFlops(elements, 2, "operations: mask, add")
                                                   : elementwiseFlops(elements, 1, "addition");
        if (execution_.dropout) {
            keep(list_.operations.back(), elements * fact<N>(1, "byte of a dropout mask"));
        }
    }

    void embedding() {
        Operation<N> &op = add("embedding", OperationKind::Lookup, Repeat::FirstStage);
        const N elements = sizes_.tokens * sizes_.hidden;
        op.weightClass = WeightClass::Embedding;
        op.readBytes = elements * sizes_.activationBytes;
        op.writtenBytes = op.readBytes;
        op.outputElements = elements;
        op.matrixWeights = named<N>(sizes_.vocabulary * sizes_.hidden, "token embedding", "elements");
        op.factorElements = sizes_.vocabulary + sizes_.hidden;
        if (shape_.positions == Positions::Learned) {
            const N rows = shape_.maxPositions ? fact<N>(*shape_.maxPositions, "positions") : workload_.contextTokens;
            op.matrixWeights += named<N>(rows * sizes_.hidden, "position embedding", "elements");
            op.factorElements += rows + sizes_.hidden;
        }
        if (shape_.towerParameters > 0) {
            op.matrixWeights += fact<N>(shape_.towerParameters, "vision tower", "elements", "model configuration");
        }
        if (execution_.dropout) {
            keep(op, sizes_.tokensOutside * sizes_.hidden * fact<N>(1, "byte of a dropout mask"));
        }
        rowParallelOutput(op);
    }

    void attention() {
        norm("input norm");
        const N keyValueColumns = sizes_.keyValueWidth * N(2.0);
        Operation<N> &qkv =
            linear("q, k, v projection", sizes_.tokens, sizes_.queryWidth + keyValueColumns, sizes_.hidden);
        qkv.factorElements = sizes_.hidden * N(3.0) + sizes_.queryWidth + keyValueColumns;
        if (shape_.biases != Biases::None) {
            qkv.vectorWeights = sizes_.queryWidth + keyValueColumns;
        }
        columnParallelInput(qkv);
        const N rotated = sizes_.tokens * (sizes_.queryWidth + sizes_.keyValueWidth);
        if (shape_.qkNorm == QkNorm::PerHead) {
            streaming("q and k norm", rotated, rotated);
            list_.operations.back().forwardFlops = normFlops(rotated);
            list_.operations.back().vectorWeights = normVectors(fact<N>(shape_.headDim, "head size")) * N(2.0);
            keep(list_.operations.back(), rotated * sizes_.normKeptBytes);
        }
        if (shape_.positions == Positions::Rope) {
            streaming("rotary embedding", rotated, rotated);
            list_.operations.back().forwardFlops =
                elementwiseFlops(rotated, 3, "operations: two products and their sum");
        }
        if (!shape_.attentionWindow || shape_.attentionWindowEvery) {
            attentionCore(shape_.attentionWindow ? "attention, full" : "attention", workload_.contextTokens,
                          shape_.attentionWindow ? Repeat::FullAttentionLayer : Repeat::EveryLayer);
        }
        if (shape_.attentionWindow) {
            attentionCore(
                "attention, windowed",
                named<N>(smaller(workload_.contextTokens, fact<N>(*shape_.attentionWindow, "attention window")),
                         "tokens attended to"),
                shape_.attentionWindowEvery ? Repeat::WindowedLayer : Repeat::EveryLayer);
        }
        Operation<N> &out = linear("output projection", sizes_.tokens, sizes_.hidden, sizes_.queryWidth);
        out.factorElements = sizes_.hidden + sizes_.queryWidth;
        if (shape_.biases == Biases::All) {
            out.vectorWeights = sizes_.hidden;
        }
        keep(out, sizes_.tokens * sizes_.queryWidth * sizes_.activationBytes); // the attention output, counted once
        rowParallelOutput(out);
        if (shape_.blockNorms == BlockNorms::Around) {
            norm("attention output norm");
        }
        residual("attention residual");
    }

    void attentionCore(std::string_view name, const N &context, Repeat repeat) {
        Operation<N> &op = add(name, OperationKind::Attention, repeat);
        const N queries = sizes_.tokens * sizes_.queryWidth;
        const N cached = workload_.sequences * context * sizes_.keyValueWidth * N(2.0);
        const N scores = sizes_.tokens * context * sizes_.headCount;
        op.keptBy = KeptBy::AttentionCore;
        op.forwardFlops =
            named<N>(N(4.0) * sizes_.tokens * context * sizes_.queryWidth, op.name, "FLOP", "4 s s a d, full square");
        op.readBytes = queries * sizes_.activationBytes + cached * execution_.cacheBytes;
        op.writtenBytes = queries * sizes_.activationBytes;
        op.outputElements = queries;
        if (workload_.training || valueOf(workload_.queryTokens) > 1) {
            op.causalFlopsShare = 0.5;
        }
        if (execution_.attention == AttentionKernel::Flash) {
            op.backwardFlopsFactor = 2.5; // it computes the scores again
        } else {
            // Scores are written, read and written by softmax, read again; dropout adds a pass and a mask.
            const N passes = fact<N>(execution_.dropout ? 3 : 2, "passes over the scores");
            op.readBytes += scores * sizes_.activationBytes * passes;
            op.writtenBytes += scores * sizes_.activationBytes * passes;
        }
        if (!workload_.training) {
            return;
        }
        // Kept are the layer's own keys and values, whatever the kernel reads of them.
        const N keyValues = sizes_.tokens * sizes_.keyValueWidth * N(2.0);
        keep(op, (queries + keyValues) * sizes_.activationBytes);
        if (execution_.attention == AttentionKernel::Flash) {
            op.keptCoreBytes = named<N>(sizes_.tokens * sizes_.headCount * fact<N>(4, "bytes of a log-sum-exp"),
                                        "log-sum-exp", "bytes", "Dao 2023, FlashAttention-2");
        } else {
            const N perScore = execution_.dropout
                                   ? sizes_.activationBytes * N(2.0) + fact<N>(1, "byte of a dropout mask")
                                   : sizes_.activationBytes;
            op.keptCoreBytes = named<N>(scores * perScore, "attention probabilities", "bytes", keptSource);
        }
    }

    void mlp() {
        norm("post-attention norm");
        const N columns = sizes_.ffn * N(sizes_.gate);
        Operation<N> &up =
            linear(shape_.gatedMlp ? "up and gate projection" : "up projection", sizes_.tokens, columns, sizes_.hidden);
        up.factorElements = (sizes_.hidden + sizes_.ffn) * N(sizes_.gate);
        if (shape_.biases == Biases::All) {
            up.vectorWeights = columns;
        }
        columnParallelInput(up);
        const N activated = sizes_.tokens * sizes_.ffn;
        streaming("activation", sizes_.tokens * columns, activated);
        list_.operations.back().forwardFlops =
            shape_.gatedMlp ? elementwiseFlops(activated, 5, "operations: exponential, add, divide, two products")
                            : elementwiseFlops(activated, 8, "operations of GELU's tanh form");
        // Fused, the gated product is computed again from gate and up; unfused, the activated gate is kept too.
        const double tensorsKept = shape_.gatedMlp ? (execution_.fusedKernels ? 2 : 3) : 1;
        keep(list_.operations.back(),
             activated * sizes_.activationBytes * fact<N>(tensorsKept, "tensors the activation keeps"));
        Operation<N> &down = linear("down projection", sizes_.tokens, sizes_.hidden, sizes_.ffn);
        down.factorElements = sizes_.hidden + sizes_.ffn;
        if (shape_.biases == Biases::All) {
            down.vectorWeights = sizes_.hidden;
        }
        keep(down, activated * sizes_.activationBytes);
        rowParallelOutput(down);
        if (shape_.blockNorms == BlockNorms::Around) {
            norm("MLP output norm");
        }
        residual("MLP residual");
    }

    void headAndLoss() {
        norm("final norm", Repeat::LastStage);
        // Serving needs the logits of each sequence's last token only.
        const N rows = workload_.training ? sizes_.tokens : workload_.sequences;
        Operation<N> &head = linear("output head", rows, sizes_.vocabulary, sizes_.hidden, Repeat::LastStage);
        head.weightClass = WeightClass::Head;
        if (execution_.headSharesEmbedding) {
            head.sharedWeights = true;
        } else {
            head.factorElements = sizes_.vocabulary + sizes_.hidden;
        }
        columnParallelInput(head);
        if (!workload_.training) {
            return;
        }
        Operation<N> &loss = add("loss", OperationKind::Streaming, Repeat::LastStage);
        const N logits = rows * sizes_.vocabulary;
        // Whole, an fp32 copy is written and read between the logits and their gradient.
        const N copy = execution_.loss == LossKernel::Fused ? N(0.0) : fact<N>(4, "bytes of an fp32 logit");
        loss.readBytes = logits * (sizes_.activationBytes + copy);
        loss.writtenBytes = loss.readBytes;
        loss.outputElements = logits;
        loss.forwardFlops = elementwiseFlops(logits, 4, "operations: maximum, subtract, exponential, sum");
        loss.backwardFlopsFactor = 0; // its gradient is written in the same pass
    }

    const TransformerShape &shape_;
    const Workload<N> &workload_;
    const Execution<N> &execution_;
    Sizes<N> sizes_;
    OperationList<N> &list_;
};

} // namespace

template <Number N>
OperationList<N> describe(const TransformerShape &shape, const Workload<N> &workload, const Execution<N> &execution) {
    OperationList<N> list;
    Writer<N>(shape, workload, execution, list).write();
    return list;
}

template OperationList<double> describe(const TransformerShape &, const Workload<double> &, const Execution<double> &);
template OperationList<Traced> describe(const TransformerShape &, const Workload<Traced> &, const Execution<Traced> &);

std::vector<StagePlan> planStages(const TransformerShape &shape, const Parallelism &parallelism) {
    std::vector<StagePlan> plans(static_cast<std::size_t>(parallelism.pipeline));
    int layer = 0;
    for (int i = 0; i < parallelism.pipeline; ++i) {
        StagePlan &plan = plans[static_cast<std::size_t>(i)];
        plan.index = i;
        plan.first = i == 0;
        plan.last = i == parallelism.pipeline - 1;
        plan.layers = parallelism.layersPerStage.empty()
                          ? shape.layers / parallelism.pipeline + (i < shape.layers % parallelism.pipeline ? 1 : 0)
                          : parallelism.layersPerStage[static_cast<std::size_t>(i)];
        for (int end = layer + plan.layers; layer < end; ++layer) {
            (shape.isWindowed(layer) ? plan.windowedLayers : plan.fullAttentionLayers) += 1;
        }
    }
    return plans;
}

} // namespace ridgepoint
