// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How this person wants to see things: byte units, locale's digits, light or dark. Not part of a scenario, not in its
// history.
#pragma once

#include "core/number/quantity.h"

#include <QLocale>
#include <QObject>

namespace ridgepoint {

enum class ThemeChoice { System, Light, Dark };

/// The decimal point and grouping of a locale; those that one byte cannot say fall back to a point. The C
/// locale reads as running English text does.
NumberStyle numberStyleOf(const QLocale &locale, ByteUnits bytes);

class ViewSettings : public QObject {
    Q_OBJECT

public:
    explicit ViewSettings(const QLocale &locale = QLocale(), QObject *parent = nullptr);

    const NumberStyle &numbers() const { return numbers_; }
    ThemeChoice theme() const { return theme_; }
    void setBytes(ByteUnits bytes);
    void setTheme(ThemeChoice theme);

Q_SIGNALS:
    void numbersChanged();
    void themeChanged();

private:
    NumberStyle numbers_;
    ThemeChoice theme_ = ThemeChoice::System;
};

} // namespace ridgepoint
