// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An imported model as JSON, for the command line and for whoever checks the reading.
#pragma once

#include "core/import/import.h"

#include <nlohmann/json.hpp>

#include <string>

namespace ridgepoint {

/// Keys: model (an explicit shape in the keys of a scenario, or `{"config": path}` where those cannot express it),
/// parameters, kv_cache, assumptions, warnings. Of files with weights also weights_bytes and weights (elements and
/// bytes by part); where those do not tell the shape, model and kv_cache are null and `reason` says why. Counts are
/// whole numbers.
nlohmann::ordered_json importReport(const ImportedModel &model, const std::string &path);

} // namespace ridgepoint
