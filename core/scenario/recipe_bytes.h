// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe of a scenario: a catalogue name, or bytes per parameter set one by one.
#pragma once

#include "core/scenario/fields.h"

namespace ridgepoint {

/// `training.recipe`. In an object, `states` as a format is the width of each of the optimizer's states and as a number
/// the bytes of all of them; parts left out are those of RecipeBytes (2 + 2 + 4 + 4 per state, activations 2).
Field recipeField();

/// Bytes of the states of an object recipe depend on the optimizer: turns the widths read into sums. Call after all of
/// `training` was read.
void finishRecipe(const nlohmann::json &training, Scenario &scenario, const Catalog &catalog);

} // namespace ridgepoint
