// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A double as decimal digits, so that prefixes shift a point and rounding works on what a person sees.
#pragma once

#include <string>

namespace ridgepoint {

/// sign D.DDD x 10^exponent; no zeros at the end of `digits`, which is "0" for zero.
struct Decimal {
    bool negative = false;
    std::string digits = "0";
    int exponent = 0;

    bool isZero() const { return digits == "0"; }
    bool isWhole() const { return static_cast<int>(digits.size()) - 1 <= exponent; }
};

/// The fewest digits that read back to the same double. The value must be finite.
Decimal decimalOf(double value);
/// Half away from zero on the shortest digits (2.675 to three digits is 2.68). `significant` is at least 1.
Decimal roundedTo(Decimal number, int significant);
/// Fixed notation; `decimals` digits behind the point, no fewer than the number has.
std::string fixedText(const Decimal &number, int decimals, char decimalPoint, const std::string &groupSeparator);
/// `1.23e-9` with as many digits as the number has, at least `significant`.
std::string scientificText(const Decimal &number, int significant, char decimalPoint);

} // namespace ridgepoint
