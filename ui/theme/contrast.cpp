// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of colours: relative luminance, L*a*b*, and simulated colour-vision deficiencies.
#include "ui/theme/contrast.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

using Linear = std::array<double, 3>;

double decoded(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double encoded(double channel) {
    const double clamped = std::clamp(channel, 0.0, 1.0);
    return clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
}

Linear linearOf(const QColor &colour) {
    return {decoded(double(colour.redF())), decoded(double(colour.greenF())), decoded(double(colour.blueF()))};
}

double luminance(const QColor &colour) {
    const Linear linear = linearOf(colour);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

Linear labOf(const QColor &colour) {
    const Linear c = linearOf(colour);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
    const double y = f(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
    const double z = f((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

} // namespace

double contrastRatio(const QColor &a, const QColor &b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor readableOn(const QColor &colour, const QColor &ground, double ratio) {
    if (contrastRatio(colour, ground) >= ratio)
        return colour;
    const bool darken = luminance(ground) > 0.18;
    float hue = 0;
    float saturation = 0;
    float lightness = 0;
    colour.getHslF(&hue, &saturation, &lightness);
    for (int step = 1; step <= 100; ++step) {
        const float share = float(step) / 100;
        const float moved = darken ? lightness * (1 - share) : lightness + (1 - lightness) * share;
        const QColor candidate = QColor::fromHslF(hue < 0 ? 0 : hue, saturation, moved);
        if (contrastRatio(candidate, ground) >= ratio)
            return candidate.toRgb();
    }
    return darken ? QColor(Qt::black) : QColor(Qt::white);
}

QColor blended(const QColor &a, const QColor &ground, double opacity) {
    const auto mix = [opacity](float top, float bottom) {
        return float(double(top) * opacity + double(bottom) * (1 - opacity));
    };
    return QColor::fromRgbF(mix(a.redF(), ground.redF()), mix(a.greenF(), ground.greenF()),
                            mix(a.blueF(), ground.blueF()));
}

QColor seenWith(const QColor &colour, ColourVision vision) {
    using Matrix = std::array<Linear, 3>;
    static constexpr Matrix protanopia{
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
    static constexpr Matrix deuteranopia{
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    static constexpr Matrix tritanopia{
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    if (vision == ColourVision::Usual)
        return colour;
    const Matrix &m = vision == ColourVision::Protanopia     ? protanopia
                      : vision == ColourVision::Deuteranopia ? deuteranopia
                                                             : tritanopia;
    const Linear in = linearOf(colour);
    const auto row = [&in](const Linear &r) { return float(encoded(r[0] * in[0] + r[1] * in[1] + r[2] * in[2])); };
    return QColor::fromRgbF(row(m[0]), row(m[1]), row(m[2]));
}

double colourDifference(const QColor &a, const QColor &b) {
    const Linear x = labOf(a);
    const Linear y = labOf(b);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

} // namespace ridgepoint
