// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts every measured case and says how far off the predictions are, case by case, per source and per kind.
#pragma once

#include "core/catalog/catalog.h"
#include "core/validate/measured.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// One measured figure beside its prediction.
struct Comparison {
    std::string caseId;
    std::string source;
    Measurement measured;
    std::optional<double> predicted; ///< absent: the case was refused, or its report has no such quantity
    /// Predicted / measured - 1; of a step's duration, of the rate. A full miss (-1) where nothing was predicted.
    double error = -1;
    Problems problems; ///< why nothing was predicted
    std::string stack; ///< framework or engine of the scenario; empty where it was refused
};

/// How good one kind is at one source. Errors are relative.
struct SourceSummary {
    std::string kind;
    std::string source;
    std::size_t count = 0;
    std::size_t refused = 0; ///< counted in, as full misses
    double medianAbsoluteError = 0;
    double p90AbsoluteError = 0; ///< the value at rank floor(0.9 (count - 1)) of the sorted errors
    double widestAbsoluteError = 0;
    double medianError = 0; ///< signed: positive is predicted too much, or too fast
};

struct KindSummary {
    std::string kind;
    std::size_t count = 0;
    std::size_t refused = 0;
    std::size_t sources = 0;
    double medianAbsoluteError = 0; ///< over all cases
    double p90AbsoluteError = 0;
    /// Mean over the sources of their median absolute errors; a source of fewer than five cases weighs a fifth of their
    /// number. No source drowns the others, whatever its length.
    double meanOfSourceMedians = 0;
};

struct ValidationResult {
    std::vector<Comparison> comparisons; ///< in the order of the set
    std::vector<SourceSummary> sources;  ///< by kind in the order of measuredKinds(), then by source
    std::vector<KindSummary> kinds;      ///< in the order of measuredKinds()
};

/// Summaries of comparisons that are already there; the second half of validate().
ValidationResult summarize(std::vector<Comparison> comparisons);

/// Evaluates each case as `report` does. A scenario that cannot be evaluated is a full miss of each of its figures.
ValidationResult validate(const MeasuredSet &set, const Catalog &catalog);

} // namespace ridgepoint
