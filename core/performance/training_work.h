// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Training work: the kernels and exchanges of one micro-batch on any stage, timed once per operation.
#pragma once

#include "core/performance/adapters.h"
#include "core/performance/passes.h"
#include "core/performance/recomputed.h"

#include <vector>

namespace ridgepoint {

/// One micro-batch on one stage.
template <Number N>
struct StageWork {
    PassTime<N> forward, backward; ///< backward with what it recomputes
    RankParameters<N> parameters, trained;
    TensorTraffic<N> tensor;
    Transfer<N> allReduces, allGathers, reduceScatters; ///< all of a micro-batch
    Collectives<N> expertExchanges;                     ///< bytes: that leave the rank
    Transfer<N> expertExchange;                         ///< all of a micro-batch
    Collectives<N> contextExchanges;
    Transfer<N> contextExchange; ///< all of a micro-batch
    N contextExposedSeconds{};   ///< of it that attention does not hide
    N exposedSeconds{};          ///< of all these that compute does not hide
    N keptBytes{};               ///< what backward needs
    N hostSeconds{};             ///< the host's for the launches

    N gpuSeconds() const {
        N sum = forward.seconds() + backward.seconds();
        if (valueOf(exposedSeconds) > 0) {
            sum += exposedSeconds;
        }
        return sum;
    }
};

/// Tensor-parallel collectives: a framework's share of them is exposed. Experts' all-to-all: exposed, before and after
/// the experts, forward, backward and where they are recomputed. Keys and values around the context ring: behind the
/// attention that uses them, twice the bytes in backward (they pass again, and their gradients with them); only the
/// excess is exposed (Liu et al. 2023, Ring Attention).
template <Number N>
class TrainingWork {
public:
    explicit TrainingWork(const Setting &setting);

    StageWork<N> onStage(const StagePlan &plan) const;
    /// Rows of the roofline: each operation's executions on the stage in a step, by phase.
    void addRows(const StagePlan &plan, std::vector<OperationReport<N>> &rows) const;
    void addWireRows(const StageWork<N> &work, std::vector<OperationReport<N>> &rows) const;

    const Machine<N> &machine() const { return machine_; }
    const OperationList<N> &operations() const { return list_; }

private:
    Traffic<N> trafficOf() const;
    N attended(const Operation<N> &op) const;
    void timeOperations();
    void timeCasts(const Operation<N> &op, double again);
    void timeAdapters(const Operation<N> &op, double again);
    void countExchange(const Operation<N> &op, std::size_t index, double again);
    void countWeights(const Operation<N> &op);
    RankParameters<N> parametersOf(const StagePlan &plan, bool onlyTrained) const;
    N hostSeconds(const StagePlan &plan) const;
    void communication(StageWork<N> &work, const StagePlan &plan) const;

    /// Elements of one execution of each kind of repeat.
    struct Weights {
        std::array<N, repeatKinds> matrices{}, experts{}, others{};
    };

    const Setting &setting_;
    const Training &training_;
    Machine<N> machine_;
    Traffic<N> traffic_;
    Adapters<N> adapters_;
    OperationList<N> list_;
    Groups groups_;
    Ring<N> tensorRing_, expertRing_, contextRing_;
    std::vector<OperationTime<N>> forwards_, backwards_;
    std::vector<double> again_; ///< share of each forward that runs again
    PassByRepeat<N> forward_{}, backward_{}, recompute_{};
    TensorTrafficByRepeat<N> tensor_{}, tensorAgain_{};
    std::array<Collectives<N>, repeatKinds> expert_{}, expertAgain_{}, context_{};
    std::array<N, repeatKinds> contextExposed_{};
    std::array<N, repeatKinds> kept_{};
    Weights all_, trained_;
    bool hasExchanges_ = false;
};

} // namespace ridgepoint
