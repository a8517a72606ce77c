// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Round values for a slider to stop at, and where a value lies on its track.
#pragma once

#include "ui/store/field.h"

namespace ridgepoint {

/// Every `step` from minimum to maximum, both included.
Stops linearStops(double minimum, double maximum, double step);
/// Two significant digits: 1.0, 1.1 .. 9.9 of every decade, both ends included.
Stops decimalStops(double minimum, double maximum, bool whole);
/// Powers of two and what lies a quarter, a half and three quarters between them; whole numbers only.
Stops binaryStops(double minimum, double maximum);
/// Whole divisors of `n` up to `maximum`, as the only values that work.
Stops divisorStops(double n, double maximum);

/// Share of the track (0..1, clamped) at which a value lies, and back.
double trackShare(double value, double minimum, double maximum, Scale scale);
double trackValue(double share, double minimum, double maximum, Scale scale);
/// The stop nearest to a value on the track; 0 for none.
int nearestStop(const std::vector<double> &stops, double value, Scale scale);

} // namespace ridgepoint
