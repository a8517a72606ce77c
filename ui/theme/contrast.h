// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How well two colours can be told apart: contrast ratio, and colours as seen with a colour-vision deficiency.
#pragma once

#include <QColor>

namespace ridgepoint {

/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, definition of contrast ratio).
double contrastRatio(const QColor &a, const QColor &b);

/// The colour itself, or the nearest one towards black or white that reaches `ratio` on `ground`.
QColor readableOn(const QColor &colour, const QColor &ground, double ratio);

/// `a` drawn over `ground` with `opacity` 0 to 1.
QColor blended(const QColor &a, const QColor &ground, double opacity);

enum class ColourVision { Usual, Protanopia, Deuteranopia, Tritanopia };
/// The colour as people with that vision see it (Machado, Oliveira and Fernandes 2009, severity 1.0, in linear RGB).
QColor seenWith(const QColor &colour, ColourVision vision);

/// Difference of two colours in CIE L*a*b*, D65 (CIE 1976); 2.3 is just noticeable, 10 is seen at a glance.
double colourDifference(const QColor &a, const QColor &b);

} // namespace ridgepoint
