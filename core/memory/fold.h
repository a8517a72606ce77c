// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of an operation list by how often its operations run, so that any stage is a few products.
#pragma once

#include "core/model/operation.h"

#include <array>

namespace ridgepoint {

/// Elements and bytes of one pass, of all operations that share a Repeat.
template <Number N>
struct FoldedOperations {
    N linearWeights{}, embeddingWeights{}, headWeights{}, vectorWeights{}; ///< elements
    N factorElements{};
    N keptBytes{};     ///< without the attention core's
    N keptCoreBytes{}; ///< what selective recompute drops
    bool any = false;  ///< whether there was any operation
};

/// What a stage holds: the folds times the stage's layers.
template <Number N>
struct StageSums {
    N linearWeights{}, embeddingWeights{}, headWeights{}, vectorWeights{}, factorElements{};
    N keptBytes{}, keptCoreBytes{};                                 ///< of all the stage's layers, one micro-batch
    N layerLinearWeights{}, layerKeptBytes{}, layerKeptCoreBytes{}; ///< of the largest single layer
    N outsideKeptBytes{}; ///< embedding, final norm, head: beside the layers, one micro-batch

    N matrixWeights() const { return linearWeights + embeddingWeights + headWeights; }
};

template <Number N>
class Fold {
public:
    explicit Fold(const OperationList<N> &list) {
        for (const Operation<N> &op : list.operations) {
            add(folds_[static_cast<std::size_t>(op.repeat)], op);
        }
    }

    StageSums<N> stage(const StagePlan &plan) const {
        StageSums<N> sums;
        layers(sums, plan.layers, Repeat::EveryLayer, "layers on this stage");
        layers(sums, plan.fullAttentionLayers, Repeat::FullAttentionLayer, "layers with full attention on this stage");
        layers(sums, plan.windowedLayers, Repeat::WindowedLayer, "layers with windowed attention on this stage");
        if (plan.first) {
            outside(sums, Repeat::FirstStage);
        }
        if (plan.last) {
            outside(sums, Repeat::LastStage);
        }
        const FoldedOperations<N> &every = of(Repeat::EveryLayer);
        const FoldedOperations<N> &full = of(Repeat::FullAttentionLayer);
        const FoldedOperations<N> &windowed = of(Repeat::WindowedLayer);
        sums.layerLinearWeights = plan.layers > 0 ? every.linearWeights : N(0.0);
        sums.layerKeptBytes = every.keptBytes;
        sums.layerKeptCoreBytes = every.keptCoreBytes;
        if (full.any || windowed.any) {
            const FoldedOperations<N> &largest = plan.fullAttentionLayers > 0 ? full : windowed;
            sums.layerKeptBytes += largest.keptBytes;
            sums.layerKeptCoreBytes += largest.keptCoreBytes;
        }
        return sums;
    }

private:
    const FoldedOperations<N> &of(Repeat repeat) const { return folds_[static_cast<std::size_t>(repeat)]; }

    static void accumulate(N &sum, const N &part, std::string_view name) {
        if (valueOf(part) != 0) {
            sum = valueOf(sum) == 0 ? named<N>(part, name) : sum + named<N>(part, name);
        }
    }

    static void add(FoldedOperations<N> &fold, const Operation<N> &op) {
        fold.any = true;
        accumulate(fold.vectorWeights, op.vectorWeights, op.name);
        accumulate(fold.keptBytes, op.keptBytes, op.name);
        accumulate(fold.keptCoreBytes, op.keptCoreBytes, op.name);
        if (op.sharedWeights) {
            return;
        }
        accumulate(fold.factorElements, op.factorElements, op.name);
        N &weights = op.weightClass == WeightClass::Embedding ? fold.embeddingWeights
                     : op.weightClass == WeightClass::Head    ? fold.headWeights
                                                              : fold.linearWeights;
        accumulate(weights, op.matrixWeights, op.name);
    }

    void layers(StageSums<N> &sums, int count, Repeat repeat, std::string_view label) const {
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
        addTo(sums.linearWeights, fold.linearWeights, "matrix weights of a layer");
        addTo(sums.vectorWeights, fold.vectorWeights, "norms and biases of a layer");
        addTo(sums.factorElements, fold.factorElements, "rows and columns of a layer's matrices");
        addTo(sums.keptBytes, fold.keptBytes, "kept per layer and micro-batch");
        addTo(sums.keptCoreBytes, fold.keptCoreBytes, "kept by the attention core per layer and micro-batch");
    }

    void outside(StageSums<N> &sums, Repeat repeat) const {
        const FoldedOperations<N> &fold = of(repeat);
        sums.embeddingWeights += fold.embeddingWeights;
        sums.headWeights += fold.headWeights;
        sums.vectorWeights += fold.vectorWeights;
        sums.factorElements += fold.factorElements;
        sums.outsideKeptBytes += fold.keptBytes;
    }

    std::array<FoldedOperations<N>, repeatCount> folds_{};
};

} // namespace ridgepoint
