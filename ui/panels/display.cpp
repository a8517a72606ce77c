// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Economics in force: what the scenario says, else its preset.
#include "ui/panels/display.h"

namespace ridgepoint {

std::optional<SystemFacts> systemFactsOf(const Scenario &scenario, const Catalog &catalog) {
    const EconomicsPreset *preset = catalog.economicsPreset(scenario.economics.preset);
    if (!preset)
        return std::nullopt;
    SystemFacts facts;
    facts.gpuCount = scenario.parallelism.world();
    facts.lifetimeYears = scenario.economics.lifetimeYears.value_or(preset->lifetimeYears.value);
    facts.usdPerKwh = scenario.economics.usdPerKwh.value_or(preset->usdPerKwh.value);
    facts.powerUsageEffectiveness = scenario.economics.pue.value_or(preset->pue.value);
    facts.utilization = scenario.economics.utilization.value_or(preset->utilization.value);
    if (scenario.task == Task::Inference) {
        facts.concurrentSequences = scenario.inference.concurrentSequences;
        facts.sequenceTokens = scenario.inference.promptTokens + scenario.inference.outputTokens;
    } else {
        facts.microBatch = scenario.training.microBatch;
        facts.sequenceTokens = scenario.training.sequenceLength;
    }
    return facts;
}

} // namespace ridgepoint
