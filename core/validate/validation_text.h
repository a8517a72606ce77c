// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The outcome of a validation as JSON for programs and as Markdown for a design review.
#pragma once

#include "core/validate/bounds.h"
#include "core/validate/validate.h"

#include <nlohmann/json.hpp>

#include <string>

namespace ridgepoint {

/// Keys, which stay; all errors are relative (0.03 is 3 %) and the order is the same on every run:
/// - `kinds`: `[{"kind", "cases", "refused", "sources", "mean_of_source_medians", "median_absolute_error",
///   "p90_absolute_error"}]`; the mean weighs a source of fewer than five cases by a fifth of their number;
/// - `sources`: `[{"kind", "source", "name", "url", "cases", "refused", "median_absolute_error", "p90_absolute_error",
///   "widest_absolute_error", "median_error", "bound": {"median", "bias", "widest"}, "reason"}]`; `bound` and `reason`
///   where there are any;
/// - `cases`: one for each measured figure, `[{"id", "source", "kind", "quantity", "at", "predicted", "measured",
///   "error", "uncertainty", "quality", "model", "where", "url", "assumed", "problems"}]`. `quantity` is the path in
///   the report and names the unit; `at` (memory only) the rank; `predicted` is null for a refused case, whose `error`
///   is -1 and whose `problems` say why;
/// - `totals`: `{"cases", "figures", "refused"}`.
nlohmann::ordered_json validationJson(const ValidationResult &result, const MeasuredSet &set,
                                      const ErrorBounds &bounds);

/// The same as tables: per kind, per source, then every case under its source.
std::string validationMarkdown(const ValidationResult &result, const MeasuredSet &set, const ErrorBounds &bounds);

} // namespace ridgepoint
