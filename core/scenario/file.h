// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario file format (.ridgepoint, JSON, UTF-8): reading with all problems at once, and writing.
#pragma once

#include "core/scenario/scenario.h"

#include <functional>
#include <string>
#include <string_view>

namespace ridgepoint {

/// Turns the path of `model.config` (relative to the scenario file) into a model; problems carry the config's own
/// fields.
using ConfigLoader = std::function<Expected<ModelChoice>(const std::string &path)>;

/// Reads and checks one scenario. Errors: every mistake of the text, unknown keys (with the nearest known one), and
/// every rule of scenario/checks.h, all at once. Defaults come from resources/defaults.json through the catalogue's
/// embedded data.
Expected<Scenario> readScenario(std::string_view json, const Catalog &catalog, const ConfigLoader &loadConfig);

/// The file text of a scenario, with every key; numbers round-trip exactly. Ends in a newline.
std::string writeScenario(const Scenario &scenario);

/// The `model` value of a scenario file, as JSON without a final newline.
std::string writeModel(const ModelChoice &choice);

/// The scenario of an empty file: every default.
Scenario defaultScenario(const Catalog &catalog);

/// The text most like `word` among `known`, for "did you mean"; empty when none is near.
std::string nearestKey(std::string_view word, const std::vector<std::string_view> &known);

} // namespace ridgepoint
