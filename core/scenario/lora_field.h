// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of `training` that are more than a word: adapters, and how much of a layer is computed again.
#pragma once

#include "core/scenario/fields.h"

namespace ridgepoint {

/// `training.lora`: null, or rank, targets, what else is trained, and the format of the frozen weights.
Field loraField();

/// `training.recompute`: a word, or `{"full_layers": N}`.
Field recomputeField();

} // namespace ridgepoint
