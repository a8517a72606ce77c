// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Round ends for axes.
#include "ui/panels/axis.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

LinearAxis roundAxis(double needed, int lines) {
    if (!(needed > 0) || !std::isfinite(needed))
        needed = 1;
    const double rough = needed / std::max(lines, 1);
    const double decade = std::pow(10, std::floor(std::log10(rough)));
    double step = decade * 10;
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (decade * factor >= rough * (1 - 1e-9)) {
            step = decade * factor;
            break;
        }
    }
    return {step * std::ceil(needed / step * (1 - 1e-9)), step};
}

LinearAxis followingAxis(const LinearAxis &current, double needed, int lines, bool dragging) {
    if (dragging && current.step > 0 && needed <= current.top)
        return current;
    return roundAxis(needed, lines);
}

LogAxis decadesAround(double low, double high) {
    LogAxis axis{int(std::floor(std::log10(low) + 1e-9)), int(std::ceil(std::log10(high) - 1e-9))};
    axis.highest = std::max(axis.highest, axis.lowest + 1);
    return axis;
}

LogAxis followingAxis(const LogAxis &current, const LogAxis &needed, bool dragging) {
    if (!dragging)
        return needed;
    return {std::min(current.lowest, needed.lowest), std::max(current.highest, needed.highest)};
}

} // namespace ridgepoint
