// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The `model` of a scenario file in its four forms: preset, config, parameter count, explicit shape.
#pragma once

#include "core/scenario/file.h"
#include "core/scenario/reading.h"

namespace ridgepoint {

/// Sets scenario.model, or reports why it cannot and distrusts what depends on it.
void readModel(const nlohmann::json &value, const ConfigLoader &loadConfig, Scenario &scenario, Reading &reading);

/// Sets scenario.model to the explicit shape of the object, whose keys are known to be those of a shape or not to
/// matter here. Problems name `model.KEY`.
void readShape(const nlohmann::json &value, Scenario &scenario, Reading &reading);

/// The form that the choice came in. An explicit shape is written with the keys that every model has and those of its
/// further keys that differ from their default.
nlohmann::ordered_json modelJson(const ModelChoice &choice);

/// The shape of the Llama preset whose size is nearest in proportion, scaled to the count; nullopt without such a
/// preset.
std::optional<ModelChoice> modelOfParameters(double count, const Catalog &catalog);

} // namespace ridgepoint
