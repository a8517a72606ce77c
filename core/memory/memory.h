// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory: what one rank of every pipeline stage holds over the instants of a step, and the peak.
#pragma once

#include "core/model/setting.h"
#include "core/report/report.h"

namespace ridgepoint {

template <Number N>
MemoryReport<N> evaluateMemory(const Setting &setting);

/// The report's verdict: total within capacity (or within the engine's share of it).
template <Number N>
bool fits(const MemoryReport<N> &memory);

} // namespace ridgepoint
