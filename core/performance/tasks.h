// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The two readings of a setting that evaluatePerformance() chooses from.
#pragma once

#include "core/performance/performance.h"

namespace ridgepoint {

/// Step of training. Step = m micro-batches x slowest stage + bubble + exposed communication + what the host falls
/// behind + optimizer + waiting for input; each term is documented where it is computed.
template <Number N>
PerformanceReport<N> trainingPerformance(const Setting &setting, const EvaluateOptions &options);

/// Prefill and decode of a serving batch. No queueing: the batch is exactly the concurrent sequences.
template <Number N>
PerformanceReport<N> inferencePerformance(const Setting &setting);

} // namespace ridgepoint
