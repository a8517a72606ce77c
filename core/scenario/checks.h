// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The rules a scenario must keep as a whole: ranges, divisors, batches, what a GPU can compute. Used by the reader and
// by the window.
#pragma once

#include "core/scenario/scenario.h"

namespace ridgepoint {

/// Every rule that is broken, with the values that would work; empty for a good scenario. Fields are the file's
/// (`parallelism.tensor`), so that the window can show a problem at its control.
Problems checkScenario(const Scenario &scenario, const Catalog &catalog);

/// The GPU that a choice stands for, with its changed figures; nullopt when its base is unknown.
std::optional<Gpu> resolveGpu(const GpuChoice &choice, const Catalog &catalog);

} // namespace ridgepoint
