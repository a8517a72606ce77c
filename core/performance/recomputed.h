// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Recomputed: which part of each operation's forward a recompute policy runs again before its backward.
#pragma once

#include "core/model/setting.h"
#include "core/performance/passes.h"

#include <algorithm>

namespace ridgepoint {

/// Asked for each operation in the order of the list.
///
/// Selective: the attention core (Korthikanti et al. 2022). Selective-ops: of a layer's matrix multiplications every
/// second one, counted from its first (q, k, v, output, gate, up, down), and everything else but attention's output and
/// reduce-scatter results (torchtitan, per-operation activation checkpointing); grouped multiplications of experts are
/// not among those it keeps. Full and full-layers: the whole layer.
class RecomputePolicy {
public:
    explicit RecomputePolicy(const Setting &setting)
        : recompute_(setting.scenario->training.recompute), shape_(setting.shape) {}

    template <Number N>
    double shareOf(const Operation<N> &op) {
        switch (recompute_) {
        case Recompute::None:
            return 0;
        case Recompute::Selective:
            return op.keptBy == KeptBy::AttentionCore ? 1 : 0;
        case Recompute::SelectiveOps:
            return isLayer(op.repeat) ? ofEverySecond(op) : 0;
        case Recompute::FullLayers:
        case Recompute::Full:
            return isLayer(op.repeat) ? 1 : 0;
        }
        return 0;
    }

private:
    template <Number N>
    double ofEverySecond(const Operation<N> &op) {
        if (op.kind == OperationKind::Attention) {
            return 0;
        }
        if (op.kind != OperationKind::MatMul || op.groups > 1) {
            return 1;
        }
        if (op.role == WeightRole::Qkv) {
            const double keyValues = shape_.kvHeads;
            const double width = shape_.heads + 2 * keyValues;
            const double query = again() ? shape_.heads / width : 0;
            const double key = again() ? keyValues / width : 0;
            return query + key + (again() ? keyValues / width : 0);
        }
        if (op.role == WeightRole::UpAndGate && shape_.gatedMlp) {
            const double gate = again() ? 0.5 : 0;
            return gate + (again() ? 0.5 : 0);
        }
        return again() ? 1 : 0;
    }
    bool again() { return ++multiplications_ % 2 == 0; }

    Recompute recompute_;
    const TransformerShape &shape_;
    int multiplications_ = 0;
};

/// Share of a stage's layers that the policy runs again.
inline double recomputedLayersShare(const Training &training, const StagePlan &plan) {
    if (training.recompute != Recompute::FullLayers || plan.layers == 0) {
        return 1;
    }
    return static_cast<double>(std::min(training.recomputeLayers, plan.layers)) / plan.layers;
}

} // namespace ridgepoint
