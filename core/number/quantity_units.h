// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What may stand behind a number that a person types, unit by unit.
#pragma once

#include "core/number/quantity.h"

#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint {

/// Value in the unit's base = number x 10^exponent x factor. Powers of ten are kept apart so that they stay exact.
struct SuffixScale {
    int exponent = 0;
    double factor = 1;
    friend bool operator==(const SuffixScale &, const SuffixScale &) = default;
};

bool isMoney(Unit unit);
/// The meaning of a suffix without blanks; in another case than usual only where that has one meaning (`gb`, but not
/// `mw`). `hasCurrency`: a `$` stood before the number. nullopt: it does not fit the unit.
std::optional<SuffixScale> scaleOfSuffix(std::string_view suffix, Unit unit, bool hasCurrency);
/// For problems: what a value of this unit looks like.
std::string_view allowedText(Unit unit);

} // namespace ridgepoint
