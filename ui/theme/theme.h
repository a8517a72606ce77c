// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Theme: the colours and type of a window, an export or a lesson, as one value.
#pragma once

#include "ui/theme/parts.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>

#include <array>

namespace ridgepoint {

/// Roles of text; each is a size relative to the interface font, and a weight.
enum class TextRole {
    Title,     ///< 1.1, semi-bold
    Body,      ///< 1.0
    Strong,    ///< 1.0, semi-bold: figures
    Secondary, ///< 0.9
    Label,     ///< 0.9, medium: names at bars, roofs
    Small,     ///< 0.85: axes
    Verdict,   ///< 1.5, semi-bold
    Figure     ///< 1.5, semi-bold: the big number of the inspector
};

/// A filled mark: what fills it, and the pen of its edge (a separator, or a dark edge where the fill is too light to
/// stand alone).
struct MarkStyle {
    QColor fill;
    QColor edge;
    bool outlined = false; ///< the edge is what makes it visible
};

struct Theme {
    enum class Kind { Light, Dark, Print };
    Kind kind = Kind::Light;

    QColor ground, card, ink, secondaryInk, line, grid, accent, doesNotFit, fits;

    std::array<QColor, memoryPartCount> memoryColours;
    std::array<QColor, timePartCount> timeColours;
    std::array<QColor, costTermCount> costColours;
    QColor powerColour;

    QString fontFamily;  ///< Inter where it is installed, else the system's
    int bodyPixels = 13; ///< size of body text in device-independent pixels; all others follow

    bool isDark() const { return kind == Kind::Dark; }

    QFont font(TextRole role) const;

    MarkStyle memory(MemoryPart part) const;
    MarkStyle time(TimePart part) const;
    MarkStyle cost(CostTerm term) const;
    /// Fill and edge of any mark on the card: contrast of 3:1 is reached by the fill or else by the edge.
    MarkStyle mark(const QColor &fill) const;

    /// Line of the roof of the nth ticked GPU. Neighbours differ in hue and dash; the first one is the accent, and
    /// solid.
    QPen roof(std::size_t index) const;
    /// Text in the colour of something else, darkened or lightened until it is readable on the card.
    QColor textIn(const QColor &colour) const;
    /// White, ink or black, whichever is readable on a filled mark.
    QColor textOn(const QColor &fill) const;

    friend bool operator==(const Theme &, const Theme &) = default;
};

Theme lightTheme();
Theme darkTheme();
/// Light colours on pure white, for exports.
Theme printTheme();
/// Dark where the palette's text is lighter than its window.
Theme themeFor(const QPalette &palette);
/// A palette in the theme's colours, for the widgets around the panels.
QPalette paletteFor(const Theme &theme);

} // namespace ridgepoint
