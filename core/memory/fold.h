// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of an operation list by how often its operations run, so that any stage is a few products.
#pragma once

#include "core/memory/kept.h"
#include "core/model/operation.h"

#include <array>

namespace ridgepoint {

/// What one execution adds to each sum; of all operations that share a Repeat, or of a stage.
template <Number N>
struct MemorySums {
    N denseWeights{};  ///< elements of the layers' matrices, all but the routed experts'
    N expertWeights{}; ///< the routed experts'
    N embeddingWeights{}, headWeights{}, vectorWeights{};
    N factorElements{};
    N adapterWeights{}, expertAdapterWeights{}, adapterFactorElements{}; ///< beside experts: in both
    N keptBytes{};                                                       ///< without the attention core's
    N keptCoreBytes{};                                                   ///< what selective recompute drops
    N savedOutputBytes{};                                                ///< kept by recompute per operation
    N distinctWeights{};                                                 ///< one matrix of every linear shape
    N mlpGradientBytes{};   ///< activation gradients alive together in an MLP's backward
    N scoreGradientBytes{}; ///< the same in the backward of materialized attention

    N linearWeights() const { return valueOf(expertWeights) == 0 ? denseWeights : denseWeights + expertWeights; }
};

template <Number N>
struct FoldedOperations : MemorySums<N> {
    bool any = false; ///< whether there was any operation
};

/// What a stage holds: the folds times the stage's layers.
template <Number N>
struct StageSums : MemorySums<N> {
    MemorySums<N> layer;  ///< the largest single layer
    N firstOutsideKept{}; ///< kept by the embedding, one micro-batch
    N lastOutsideKept{};  ///< kept by the final norm and the head, one micro-batch
};

template <Number N>
class Fold {
public:
    /// `kept`: what frozen weights, adapters and the framework make of the operations' keeps; must outlive this.
    Fold(const OperationList<N> &list, const KeptTensors<N> &kept) : kept_(kept) {
        for (const Operation<N> &op : list.operations) {
            add(folds_[static_cast<std::size_t>(op.repeat)], op);
        }
    }

    StageSums<N> stage(const StagePlan &plan) const {
        StageSums<N> sums;
        layers(sums, plan, Repeat::EveryLayer, "layers on this stage");
        layers(sums, plan, Repeat::FullAttentionLayer, "layers with full attention on this stage");
        layers(sums, plan, Repeat::WindowedLayer, "layers with windowed attention on this stage");
        layers(sums, plan, Repeat::LinearAttentionLayer, "layers with linear attention on this stage");
        layers(sums, plan, Repeat::DenseLayer, "layers with a dense MLP on this stage");
        layers(sums, plan, Repeat::MoeLayer, "layers with experts on this stage");
        layers(sums, plan, Repeat::EncoderLayer, "layers of the encoder");
        if (plan.first) {
            sums.firstOutsideKept = outside(sums, Repeat::FirstStage);
        }
        if (plan.last) {
            sums.lastOutsideKept = outside(sums, Repeat::LastStage);
        }
        sums.layer = largestLayer(plan);
        return sums;
    }

    const FoldedOperations<N> &of(Repeat repeat) const { return folds_[static_cast<std::size_t>(repeat)]; }

private:
    static void accumulate(N &sum, const N &part, std::string_view name) {
        if (valueOf(part) != 0) {
            sum = valueOf(sum) == 0 ? named<N>(part, name) : sum + named<N>(part, name);
        }
    }

    void add(FoldedOperations<N> &fold, const Operation<N> &op) {
        fold.any = true;
        accumulate(fold.vectorWeights, op.vectorWeights, op.name);
        accumulate(fold.keptBytes, kept_.bytes(op), op.name);
        accumulate(fold.keptCoreBytes, op.keptCoreBytes, op.name);
        gradients(fold, op);
        savedOutputs(fold, op);
        if (op.sharedWeights) {
            return;
        }
        accumulate(fold.factorElements, op.factorElements, op.name);
        const bool isExpert = op.weightClass == WeightClass::Expert;
        N &weights = op.weightClass == WeightClass::Embedding ? fold.embeddingWeights
                     : op.weightClass == WeightClass::Head    ? fold.headWeights
                     : isExpert                               ? fold.expertWeights
                                                              : fold.denseWeights;
        accumulate(weights, op.matrixWeights, op.name);
        if (op.kind == OperationKind::MatMul) {
            accumulate(fold.distinctWeights, op.groups > 1 ? op.matrixWeights / N(op.groups) : op.matrixWeights,
                       op.name);
        }
        if (kept_.hasAdapters()) {
            const N elements = kept_.elements(op);
            accumulate(fold.adapterWeights, elements, op.name);
            accumulate(fold.adapterFactorElements, kept_.factorElements(op), op.name);
            if (isExpert) {
                accumulate(fold.expertAdapterWeights, elements, op.name);
            }
        }
    }

    /// In the backward of an MLP the gradients of what its activation wrote and read live together; in the backward of
    /// materialized attention those of the probabilities.
    static void gradients(FoldedOperations<N> &fold, const Operation<N> &op) {
        if (op.role == WeightRole::UpAndGate) {
            accumulate(fold.mlpGradientBytes, op.writtenBytes, "gradients of the activation's inputs");
        } else if (op.role == WeightRole::Down) {
            accumulate(fold.mlpGradientBytes, op.keptBytes, "gradient of the activation's output");
        } else if (op.kind == OperationKind::Attention) {
            accumulate(fold.scoreGradientBytes, op.keptCoreBytes, "gradients of the attention probabilities");
        }
    }

    /// Recompute per operation (TorchTitan): outputs of the attention kernel, of reduce-scatters, and of the first,
    /// third, fifth... matrix multiplication of a layer, where q, k and v, and gate and up, are one each.
    void savedOutputs(FoldedOperations<N> &fold, const Operation<N> &op) {
        constexpr int attentionMatmuls = 4; // q, k, v, output
        if (op.kind == OperationKind::Attention) {
            accumulate(fold.savedOutputBytes, kept_.activationBytes() * op.outputElements + op.keptCoreBytes,
                       "output of the attention kernel");
        }
        if (op.kind != OperationKind::MatMul || op.weightClass == WeightClass::Expert) {
            return; // grouped multiplications of experts are no plain matrix multiplications
        }
        if (op.role == WeightRole::Qkv) {
            matmuls_ = 0;
        } else if (op.role == WeightRole::UpAndGate) {
            matmuls_ = attentionMatmuls;
        }
        double share = matmuls_ % 2 == 0 ? 1 : 0;
        int count = 1;
        if (op.role == WeightRole::Qkv) {
            const double queries = valueOf(kept_.queryShare(op));
            share = queries + (1 - queries) / 2; // q and v, which is as wide as k
            count = 3;
        } else if (op.role == WeightRole::UpAndGate && kept_.isGated()) {
            share = 0.5;
            count = 2;
        }
        matmuls_ += count;
        if (share > 0) {
            accumulate(fold.savedOutputBytes, op.writtenBytes * fact<N>(share, "share of outputs kept"), op.name);
        }
        if (op.collective == TensorCollective::ReduceScatter) {
            accumulate(fold.savedOutputBytes, op.collectiveBytes / fact<N>(kept_.tensor(), "tensor-parallel degree"),
                       "result of the reduce-scatter");
        }
    }

    void layers(StageSums<N> &sums, const StagePlan &plan, Repeat repeat, std::string_view label) const {
        const int count = plan.executions(repeat);
        const FoldedOperations<N> &fold = of(repeat);
        if (!fold.any || count == 0) {
            return;
        }
        const N times = fact<N>(count, label);
        const auto addTo = [&times](N &sum, const N &perLayer, std::string_view name) {
            if (valueOf(perLayer) != 0) {
                const N part = times * named<N>(perLayer, name);
                sum = valueOf(sum) == 0 ? part : sum + part;
            }
        };
        addTo(sums.denseWeights, fold.denseWeights, "matrix weights of a layer");
        addTo(sums.expertWeights, fold.expertWeights, "experts' weights of a layer");
        addTo(sums.vectorWeights, fold.vectorWeights, "norms and biases of a layer");
        addTo(sums.factorElements, fold.factorElements, "rows and columns of a layer's matrices");
        addTo(sums.adapterWeights, fold.adapterWeights, "adapters of a layer");
        addTo(sums.expertAdapterWeights, fold.expertAdapterWeights, "adapters of a layer's experts");
        addTo(sums.adapterFactorElements, fold.adapterFactorElements, "rows and columns of a layer's adapters");
        addTo(sums.keptBytes, fold.keptBytes, "kept per layer and micro-batch");
        addTo(sums.keptCoreBytes, fold.keptCoreBytes, "kept by the attention core per layer and micro-batch");
        addTo(sums.savedOutputBytes, fold.savedOutputBytes, "outputs kept per layer and micro-batch");
    }

    /// Adds the weights; returns what is kept.
    N outside(StageSums<N> &sums, Repeat repeat) const {
        const FoldedOperations<N> &fold = of(repeat);
        sums.embeddingWeights += fold.embeddingWeights;
        sums.headWeights += fold.headWeights;
        sums.vectorWeights += fold.vectorWeights;
        sums.factorElements += fold.factorElements;
        return fold.keptBytes;
    }

    static void addTo(N &sum, const N &part) { sum = valueOf(sum) == 0 ? part : sum + part; }
    static void addWeights(MemorySums<N> &layer, const FoldedOperations<N> &fold) {
        addTo(layer.denseWeights, fold.denseWeights);
        addTo(layer.expertWeights, fold.expertWeights);
        addTo(layer.adapterWeights, fold.adapterWeights);
        addTo(layer.distinctWeights, fold.distinctWeights);
    }
    static void addKept(MemorySums<N> &layer, const FoldedOperations<N> &fold) {
        addTo(layer.keptBytes, fold.keptBytes);
        addTo(layer.keptCoreBytes, fold.keptCoreBytes);
        addTo(layer.savedOutputBytes, fold.savedOutputBytes);
        addTo(layer.mlpGradientBytes, fold.mlpGradientBytes);
        addTo(layer.scoreGradientBytes, fold.scoreGradientBytes);
    }

    /// What every layer has, with the attention and the MLP that hold most on this stage; or a layer of the encoder.
    MemorySums<N> largestLayer(const StagePlan &plan) const {
        MemorySums<N> layer;
        if (plan.layers > 0) {
            addWeights(layer, of(Repeat::EveryLayer));
            addKept(layer, of(Repeat::EveryLayer));
            addLargest(layer, plan, {Repeat::FullAttentionLayer, Repeat::WindowedLayer, Repeat::LinearAttentionLayer});
            addLargest(layer, plan, {Repeat::DenseLayer, Repeat::MoeLayer});
        }
        if (plan.encoderLayers > 0 && of(Repeat::EncoderLayer).any) {
            MemorySums<N> encoder;
            addWeights(encoder, of(Repeat::EncoderLayer));
            addKept(encoder, of(Repeat::EncoderLayer));
            if (valueOf(encoder.keptBytes) + valueOf(encoder.keptCoreBytes) >
                valueOf(layer.keptBytes) + valueOf(layer.keptCoreBytes)) {
                return encoder;
            }
        }
        return layer;
    }

    /// The kind of layer with the most weights, and the one that keeps most: not always the same.
    void addLargest(MemorySums<N> &layer, const StagePlan &plan, std::initializer_list<Repeat> kinds) const {
        const FoldedOperations<N> *heaviest = nullptr;
        const FoldedOperations<N> *widest = nullptr;
        const auto kept = [](const FoldedOperations<N> &fold) {
            return valueOf(fold.keptBytes) + valueOf(fold.keptCoreBytes) + valueOf(fold.mlpGradientBytes);
        };
        for (const Repeat kind : kinds) {
            const FoldedOperations<N> &fold = of(kind);
            if (!fold.any || plan.executions(kind) == 0) {
                continue;
            }
            if (heaviest == nullptr || fold.linearWeights() > heaviest->linearWeights()) {
                heaviest = &fold;
            }
            if (widest == nullptr || kept(fold) > kept(*widest)) {
                widest = &fold;
            }
        }
        if (heaviest != nullptr) {
            addWeights(layer, *heaviest);
            addKept(layer, *widest);
        }
    }

    const KeptTensors<N> &kept_;
    int matmuls_ = 0; ///< of a layer so far
    std::array<FoldedOperations<N>, repeatCount> folds_{};
};

} // namespace ridgepoint
