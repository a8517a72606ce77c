// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Host link: what offloading to the host's memory costs in time.
#pragma once

#include "core/performance/data_parallel.h"

namespace ridgepoint {

template <Number N>
struct HostLinkTime {
    std::array<DataCollective<N>, 2> transfers{}; ///< in use where count > 0
    N exposedSeconds{};                           ///< of a step: what compute does not hide
    N optimizerSeconds{};                         ///< the host's own step and the weights' way back
    bool stepsOnHost = false;                     ///< the optimizer runs on the host
};

/// Optimizer: gradients go to the host behind the backward of the last micro-batch, the host's cores step, updated
/// weights come back, exposed (Ren et al. 2021, ZeRO-Offload, section 4). Optimizer and parameters: weights also come
/// from the host for every forward and backward, behind the pass that uses them (Rajbhandari et al. 2021,
/// ZeRO-Infinity). Activations: `keptBytes` of a micro-batch leave behind its forward and return behind its backward.
/// Without offloading, or on hardware without a figure of its host link, exactly zero.
template <Number N>
HostLinkTime<N> hostLinkTime(const Setting &setting, const RankParameters<N> &parameters,
                             const RankParameters<N> &trained, const N &keptBytes,
                             const ComputeToHideBehind<N> &compute);

} // namespace ridgepoint
