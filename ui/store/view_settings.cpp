// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How this person wants to see things: byte units, locale's digits, light or dark.
#include "ui/store/view_settings.h"

namespace ridgepoint {

NumberStyle numberStyleOf(const QLocale &locale, ByteUnits bytes) {
    // The C locale is for files: it groups nothing, and people read long numbers on screen.
    NumberStyle style = locale.language() == QLocale::C ? readingStyle() : NumberStyle();
    style.bytes = bytes;
    if (locale.language() == QLocale::C)
        return style;
    const QString point = locale.decimalPoint();
    if (point.size() == 1 && point.front().unicode() < 128)
        style.decimalPoint = point.front().toLatin1();
    if (!locale.numberOptions().testFlag(QLocale::OmitGroupSeparator))
        style.groupSeparator = locale.groupSeparator().toStdString();
    return style;
}

ViewSettings::ViewSettings(const QLocale &locale, QObject *parent)
    : QObject(parent), numbers_(numberStyleOf(locale, ByteUnits::Decimal)) {}

void ViewSettings::setBytes(ByteUnits bytes) {
    if (numbers_.bytes == bytes)
        return;
    numbers_.bytes = bytes;
    Q_EMIT numbersChanged();
}

void ViewSettings::setTheme(ThemeChoice theme) {
    if (theme_ == theme)
        return;
    theme_ = theme;
    Q_EMIT themeChanged();
}

} // namespace ridgepoint
