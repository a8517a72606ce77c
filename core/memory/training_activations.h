// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Activations of one pipeline stage in training: what is kept for backward, how often it is in flight, what is computed
// again, and the gradients that live while a layer's backward runs.
#pragma once

#include "core/memory/training_states.h"

namespace ridgepoint {

template <Number N>
class TrainingActivations {
public:
    TrainingActivations(const Setting &setting, const StagePlan &plan, const StageSums<N> &sums,
                        const OperationList<N> &list)
        : setting_(setting), plan_(plan), sums_(sums), list_(list) {
        keep();
    }

    /// At the end of the last forward, all micro-batches in flight.
    N forward() const { return held_; }
    /// In the backward of the last layer of this stage.
    N backwardStart() const { return training::plus(held_, training::plus(recomputed_, layerGradients_)); }
    /// In the backward of its first layer, when everything else is consumed.
    N backwardEnd() const { return lastLayer_; }
    N logits() const;
    N hostBytes{}; ///< offloaded

private:
    const Training &training() const { return setting_.scenario->training; }
    N flights() const;
    N layersKeep();
    void keep();
    void offload(const N &perMicroBatch);

    const Setting &setting_;
    const StagePlan &plan_;
    const StageSums<N> &sums_;
    const OperationList<N> &list_;
    N held_{}, recomputed_{}, layerGradients_{}, lastLayer_{};
};

} // namespace ridgepoint
