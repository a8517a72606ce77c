// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The default compute format of a scenario.
#include "core/scenario/compute_format.h"

namespace ridgepoint {

ComputeFormat computeFormatOf(const Scenario &scenario, const Gpu &gpu, const Catalog &catalog) {
    if (scenario.task == Task::Training) {
        const Recipe *recipe = catalog.recipe(scenario.training.recipe);
        const ComputeFormat ofRecipe = recipe != nullptr ? recipe->compute : ComputeFormat::Bf16;
        return scenario.training.compute.value_or(ofRecipe);
    }
    if (scenario.inference.compute) {
        return *scenario.inference.compute;
    }
    // Stored widths are many, and 16 bits what their kernels multiply in.
    const std::string_view weights =
        servesStoredWeights(scenario) ? std::string_view("stored") : std::string_view(scenario.inference.weights);
    if (weights == "fp32") {
        return ComputeFormat::Fp32;
    }
    if (weights == "fp8" && gpu.peak(ComputeFormat::Fp8)) {
        return ComputeFormat::Fp8;
    }
    if (weights == "fp16" && gpu.peak(ComputeFormat::Fp16)) {
        return ComputeFormat::Fp16;
    }
    return gpu.peak(ComputeFormat::Bf16) ? ComputeFormat::Bf16 : ComputeFormat::Fp16;
}

} // namespace ridgepoint
