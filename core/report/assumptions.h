// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a report takes for granted: defaults that were filled in, estimates that it rests on, and what is not modelled.
#pragma once

#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// One sentence each, for the scenario as given; empty strings never.
std::vector<std::string> assumptionsOf(const Scenario &scenario, const Catalog &catalog);

} // namespace ridgepoint
