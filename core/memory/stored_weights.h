// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of the weights that one rank of a stage serves from.
#pragma once

#include "core/model/weight_bits.h"

namespace ridgepoint {

/// In the format of the scenario: true bits per weight, scales included. `layers` are those of the plan.
template <Number N>
N storedWeightBytes(const Setting &setting, const OperationList<N> &list, const StagePlan &plan, LayerRange layers);

} // namespace ridgepoint
