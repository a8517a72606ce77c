// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A rule that joins several fields of a scenario, and how the values that would work are written.
#pragma once

#include "core/scenario/reading.h"

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct Rule {
    std::vector<std::string_view> depends; ///< fields that the rule reads; it is left out where one of them is wrong
    void (*check)(const Scenario &, const Catalog &, Problems &);
};

/// Rules of how training is spread: chunks of a pipeline, contexts, experts, adapters.
std::span<const Rule> layoutRules();

namespace rules {

/// Up to `most` of the values, those around `near`.
std::string listAround(const std::vector<int> &values, double near, std::size_t most = 12);

/// `56 or 64`: the multiples of `step` around the value, from `step` on.
std::string multiplesAround(double value, double step);

/// The divisors of a number that also pass `works`, rising.
std::vector<int> divisorsOf(int number, const std::function<bool(int)> &works);

inline bool isWhole(double ratio) {
    return ratio == std::floor(ratio);
}

} // namespace rules

} // namespace ridgepoint
