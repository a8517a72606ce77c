// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters: what low-rank adapters on frozen weights add to an operation's time, and what is left to train.
#pragma once

#include "core/performance/data_parallel.h"
#include "core/performance/operation_time.h"

#include <array>

namespace ridgepoint {

/// What runs beside one linear layer.
template <Number N>
struct AdapterTime {
    std::array<OperationTime<N>, 10> forward{}, backward{}; ///< kernels; in use: `count`
    std::size_t count = 0;
};

/// Without `lora` in the scenario nothing is frozen and nothing is added. With it (Hu et al. 2021): every targeted
/// matrix has two thin ones of rank r, forward x A B added to the layer's output; the matrix itself has no weight
/// gradient. A quantized base (Dettmers et al. 2023) is expanded to the activation's width before each use: its bytes
/// read and the wide ones written by one streaming kernel, forward and backward.
template <Number N>
class Adapters {
public:
    Adapters(const Setting &setting, const Machine<N> &machine, const Traffic<N> &traffic);

    bool isActive() const { return lora_ != nullptr; }
    /// Whether the operation's weights have no gradient.
    bool isFrozen(const Operation<N> &op) const;
    /// Kernels beside the operation, each forward with its backward.
    AdapterTime<N> timeOf(const Operation<N> &op) const;
    /// Elements of the adapters of one execution of the operation on this rank.
    N elements(const Operation<N> &op) const;

private:
    struct Target {
        N in, out;
    };
    struct Targets {
        std::array<Target, 3> all{};
        std::size_t count = 0;
    };
    Targets targetsOf(const Operation<N> &op) const;
    void addMatrix(AdapterTime<N> &time, const Operation<N> &op, const Target &target) const;

    const Setting &setting_;
    const Machine<N> &machine_;
    const Traffic<N> &traffic_;
    const Lora *lora_;
    N rank_{}, width_{};
    bool isGrouped_ = false; ///< the base is of GPTQ's kind, integers in groups
    N baseBytes_{};          ///< per weight, of a quantized base; 0: as computed
};

} // namespace ridgepoint
