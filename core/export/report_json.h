// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A report as JSON: the keys of the contract, every number with its unit in its key.
#pragma once

#include "core/report/report.h"

#include <nlohmann/json.hpp>

namespace ridgepoint {

/// `{"scenario", "model", "gpus", "assumptions", "problems"}`. Bytes, tokens and counts are whole numbers; nothing is
/// NaN or infinite.
nlohmann::ordered_json reportJson(const Report<double> &report);

/// `[{"field", "found", "allowed", "message"}]`
nlohmann::ordered_json problemsJson(const Problems &problems);

} // namespace ridgepoint
