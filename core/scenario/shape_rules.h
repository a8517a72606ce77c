// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rules between the keys of one model shape, whatever form it came in.
#pragma once

#include "core/model/shape.h"
#include "core/scenario/problem.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// Sizes that contradict each other and combinations that are not modelled, as `model.experts.active`. Rules on a field
/// that `distrusted` names, or one above or below it, are left out.
void checkShape(const TransformerShape &shape, const std::vector<std::string> &distrusted, Problems &problems);

} // namespace ridgepoint
