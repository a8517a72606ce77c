// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Time: what limits each operation on a GPU, how long a step or a request takes, and how busy the GPU is meanwhile.
#pragma once

#include "core/model/setting.h"
#include "core/report/report.h"

namespace ridgepoint {

/// What power follows from; each 0..1, averaged over the step, or over prefill and decode.
template <Number N>
struct Activity {
    N compute{};       ///< executed FLOPs / (dense peak x time)
    N memory{};        ///< bytes moved / (bandwidth x time)
    N communication{}; ///< share of the time in exposed communication
    /// Share of the time the GPU has nothing queued (waiting for input). Gaps between kernels, bubbles and waits inside
    /// collectives do not count: clocks stay up, and the fit of the base share contains them.
    N idle{};
};

template <Number N>
struct PerformanceReport {
    RooflineReport<N> roofline;
    TimeReport<N> time;
    Activity<N> activity;
};

/// Pre: the setting is of a scenario that passed checkScenario(). The docstrings of operation_time.h, collectives.h,
/// data_parallel.h and model_flops.h say what each term means and where it comes from.
///
/// Training: step = m micro-batches x slowest stage (forward, backward, recomputation, exposed tensor, expert and
/// context exchange, what the host falls behind) + bubble, one micro-batch on all other stages / v, which is (p - 1) /
/// (m v) of the work where stages are equal + exposed data-parallel and host-link traffic + pipeline sends + optimizer
/// + waiting for input. An operation's whole time goes to compute or memory by what bounds it. Inference: stages run
/// one after another; no queueing. prefill_s + output x time per output token = the breakdown's total. Under a power
/// limit the roofs follow the clocks; MFU and HFU stay relative to the datasheet's dense peak.
template <Number N>
PerformanceReport<N> evaluatePerformance(const Setting &setting, const EvaluateOptions &options);

} // namespace ridgepoint
