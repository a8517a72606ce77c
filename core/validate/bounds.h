// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The errors that must hold: per source and kind, as data, so that a change that makes a prediction worse is seen.
#pragma once

#include "core/validate/validate.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// What one kind at one source must keep to; relative errors.
struct ErrorBound {
    std::string source;
    std::string kind;
    double median = 0;  ///< of the median absolute error
    double bias = 0;    ///< of the median signed error, either way
    double widest = 0;  ///< of every single case's absolute error
    std::string reason; ///< why the source is out; then it has no bounds
};

struct ErrorBounds {
    std::vector<std::string> kinds; ///< each source of these must have a bound or a reason
    std::vector<ErrorBound> bounds;
    const ErrorBound *find(std::string_view source, std::string_view kind) const;
};

/// Reads a file of the form of resources/measured/bounds.json.
Expected<ErrorBounds> readBounds(std::string_view text);

/// Those that the program ships with.
Expected<ErrorBounds> measuredBounds();

/// One sentence for each bound that does not hold, each source that has neither bound nor reason, and each bound of a
/// source that is not there. Empty: all hold.
std::vector<std::string> brokenBounds(const ValidationResult &result, const ErrorBounds &bounds);

/// The file that holds exactly what `result` reaches, plus a margin of a twentieth and a quarter of a percentage point;
/// kinds and reasons are those of `bounds`.
std::string boundsFile(const ValidationResult &result, const ErrorBounds &bounds);

} // namespace ridgepoint
