// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a panel shows a report: the style of numbers, whether a slider is moving, and the facts of the scenario that
// titles name.
#pragma once

#include "core/number/quantity.h"
#include "core/scenario/scenario.h"

#include <QString>

#include <optional>

namespace ridgepoint {

/// What a title or a sentence says about the system; no figure is computed from it.
struct SystemFacts {
    int gpuCount = 0;
    double lifetimeYears = 0, usdPerKwh = 0, powerUsageEffectiveness = 0, utilization = 0; ///< utilization as a share
    double concurrentSequences = 0; ///< of one replica; 0 in training
    double microBatch = 0;          ///< sequences that a replica computes at once; 0 at inference
    double sequenceTokens = 0;      ///< of one sequence; at inference prompt and output
};
/// Those of a scenario: its own economics, else the preset's. nullopt where the preset is not in the catalogue.
std::optional<SystemFacts> systemFactsOf(const Scenario &scenario, const Catalog &catalog);

struct DisplayOptions {
    NumberStyle style;
    bool dragging = false;             ///< axes grow, but do not shrink
    std::optional<SystemFacts> system; ///< absent: titles do without
};

} // namespace ridgepoint
