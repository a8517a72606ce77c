// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Axes that a slider can move under: round ends, growing at once, shrinking only when the slider is released.
#pragma once

namespace ridgepoint {

/// A linear axis from 0 to `top` with a line every `step`.
struct LinearAxis {
    double top = 0, step = 0;
    friend bool operator==(const LinearAxis &, const LinearAxis &) = default;
};

/// The smallest axis that shows `needed` (> 0; anything else counts as 1) with at most `lines` steps of 1, 2, 2.5 or 5
/// times ten^n.
LinearAxis roundAxis(double needed, int lines);
/// `current` where it still shows `needed` and a slider is moving, else the round axis.
LinearAxis followingAxis(const LinearAxis &current, double needed, int lines, bool dragging);

/// A logarithmic axis between two powers of ten, as exponents.
struct LogAxis {
    int lowest = 0, highest = 1;
    friend bool operator==(const LogAxis &, const LogAxis &) = default;
};
/// The decades around [low, high]; pre: both > 0.
LogAxis decadesAround(double low, double high);
LogAxis followingAxis(const LogAxis &current, const LogAxis &needed, bool dragging);

} // namespace ridgepoint
