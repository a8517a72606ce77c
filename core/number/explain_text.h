// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that a formula of a worked sum shows.
#pragma once

#include "core/number/quantity.h"

#include <string>
#include <string_view>

namespace ridgepoint {

/// A value inside a formula, to four digits. The names beside it say what is counted, so `tokens` and the like are left
/// out.
std::string figureText(double value, std::string_view unitText, const NumberStyle &style);

} // namespace ridgepoint
