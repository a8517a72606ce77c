// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which format the matrix multiplications of a scenario run in on a given GPU, where the scenario leaves it open.
#pragma once

#include "core/scenario/scenario.h"

namespace ridgepoint {

/// Training: the given format, else the recipe's. Inference: the given format; else fp32 for fp32 weights, fp8 for fp8
/// weights on a GPU that has it, and otherwise 16 bits (bf16, or fp16 on a GPU without it): narrower weights are
/// widened on the way in. The result may be a format that the GPU lacks; checkScenario() reports that.
ComputeFormat computeFormatOf(const Scenario &scenario, const Gpu &gpu, const Catalog &catalog);

} // namespace ridgepoint
