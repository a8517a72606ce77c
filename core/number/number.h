// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The number concept: formulas are templates over N, which is double (fast) or Traced (the same value plus its worked
// sum).
#pragma once

#include "core/number/traced.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string_view>

namespace ridgepoint {

template <class N>
concept Number = std::same_as<N, double> || std::same_as<N, Traced>;

/// True where the formula is being read to explain it; guards work that only an explanation needs.
template <Number N>
inline constexpr bool isTraced = std::same_as<N, Traced>;

/// A leaf of a worked sum: a fact or a scenario value, with what it is, its unit and where it comes from.
template <Number N>
inline N fact(double value, std::string_view label, std::string_view unit = {}, std::string_view source = {}) {
    if constexpr (isTraced<N>) {
        return Traced::leaf(value, label, unit, source);
    } else {
        return value;
    }
}

/// Gives an intermediate result a name (and a unit, and the source of its formula); the identity for double.
template <Number N>
inline N named(const N &value, std::string_view label, std::string_view unit = {}, std::string_view source = {}) {
    if constexpr (isTraced<N>) {
        return Traced::named(value, label, unit, source);
    } else {
        return value;
    }
}

inline double valueOf(double n) {
    return n;
}
inline double valueOf(const Traced &n) {
    return n.value();
}

inline double larger(double a, double b) {
    return std::max(a, b);
}
inline double smaller(double a, double b) {
    return std::min(a, b);
}
inline double roundedUp(double a) {
    return std::ceil(a);
}
inline double roundedDown(double a) {
    return std::floor(a);
}
/// To the nearest whole number, as every byte count of a report is.
inline double rounded(double a) {
    return std::round(a);
}
inline double power(double base, double exponent) {
    return std::pow(base, exponent);
}
inline double squareRoot(double a) {
    return std::sqrt(a);
}

} // namespace ridgepoint
