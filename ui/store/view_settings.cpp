// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How this person wants to see things: byte units, locale's digits, light or dark.
#include "ui/store/view_settings.h"

namespace ridgepoint {

NumberStyle numberStyleOf(const QLocale &locale, ByteUnits bytes) {
    NumberStyle style;
    style.bytes = bytes;
    const QString point = locale.decimalPoint();
    if (point.size() == 1 && point.front().unicode() < 128)
        style.decimalPoint = point.front().toLatin1();
    // The C locale names a comma but groups nothing.
    if (locale.language() != QLocale::C && !locale.numberOptions().testFlag(QLocale::OmitGroupSeparator))
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
