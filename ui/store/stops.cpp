// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Round values for a slider to stop at, and where a value lies on its track.
#include "ui/store/stops.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

void finish(std::vector<double> &values, double minimum, double maximum) {
    values.push_back(minimum);
    values.push_back(maximum);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Zero has no place on a logarithmic track: it stands for the first step above it.
double positive(double value) {
    return value > 0 ? value : 1e-12;
}

} // namespace

Stops linearStops(double minimum, double maximum, double step) {
    Stops stops;
    const auto count = static_cast<int>(std::floor((maximum - minimum) / step + 1e-9));
    for (int i = 0; i <= count; ++i)
        stops.values.push_back(std::round((minimum + i * step) * 1e9) / 1e9);
    finish(stops.values, minimum, maximum);
    return stops;
}

Stops decimalStops(double minimum, double maximum, bool whole) {
    Stops stops;
    const int first = static_cast<int>(std::floor(std::log10(minimum)));
    const int last = static_cast<int>(std::ceil(std::log10(maximum)));
    for (int exponent = first; exponent <= last; ++exponent) {
        for (int tenths = 10; tenths < 100; ++tenths) {
            const double value =
                exponent >= 1 ? tenths * std::pow(10.0, exponent - 1) : tenths / std::pow(10.0, 1 - exponent);
            const bool fits = value > minimum && value < maximum && (!whole || std::floor(value) == value);
            if (fits)
                stops.values.push_back(value);
        }
    }
    finish(stops.values, minimum, maximum);
    return stops;
}

Stops binaryStops(double minimum, double maximum) {
    Stops stops;
    for (double base = 1; base < maximum; base *= 2) {
        for (const double share : {1.0, 1.25, 1.5, 1.75}) {
            const double value = base * share;
            if (value > minimum && value < maximum && std::floor(value) == value)
                stops.values.push_back(value);
        }
    }
    finish(stops.values, minimum, maximum);
    return stops;
}

Stops divisorStops(double n, double maximum) {
    Stops stops{{}, true};
    const double root = std::floor(std::sqrt(n));
    for (double d = 1; d <= root; ++d) {
        if (std::fmod(n, d) != 0)
            continue;
        for (const double divisor : {d, n / d}) {
            if (divisor <= maximum)
                stops.values.push_back(divisor);
        }
    }
    if (stops.values.empty())
        stops.values.push_back(1);
    finish(stops.values, stops.values.front(), stops.values.front());
    return stops;
}

double trackShare(double value, double minimum, double maximum, Scale scale) {
    if (!(maximum > minimum))
        return 0;
    const double share = scale == Scale::Linear
                             ? (value - minimum) / (maximum - minimum)
                             : std::log(positive(value) / positive(minimum)) / std::log(maximum / positive(minimum));
    return std::clamp(share, 0.0, 1.0);
}

double trackValue(double share, double minimum, double maximum, Scale scale) {
    if (scale == Scale::Linear)
        return minimum + share * (maximum - minimum);
    return positive(minimum) * std::pow(maximum / positive(minimum), share);
}

int nearestStop(const std::vector<double> &stops, double value, Scale scale) {
    if (stops.empty())
        return 0;
    const auto above = std::ranges::lower_bound(stops, value);
    if (above == stops.begin())
        return 0;
    if (above == stops.end())
        return static_cast<int>(stops.size()) - 1;
    const double low = *(above - 1);
    const double share = trackShare(value, low, *above, scale);
    return static_cast<int>(above - stops.begin()) - (share < 0.5 ? 1 : 0);
}

} // namespace ridgepoint
