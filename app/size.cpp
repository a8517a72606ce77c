// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a size.
#include "app/size.h"

#include "app/output.h"

#include <QRegularExpression>
#include <QString>

#include <cstdio>

namespace ridgepoint {

namespace {

constexpr int largest = 16384;
constexpr qint64 mostPixels = 40'000'000; // an 8K screen has 33 million; memory follows

} // namespace

std::optional<QSize> sizeFrom(const std::string &text) {
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,6})x(\\d{1,6})$"));
    const QRegularExpressionMatch match = pattern.match(QString::fromStdString(text));
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool sensible = size.width() >= 1 && size.height() >= 1 && size.width() <= largest &&
                          size.height() <= largest && qint64{size.width()} * size.height() <= mostPixels;
    return sensible ? std::optional(size) : std::nullopt;
}

void refuseSize(const std::string &text) {
    std::fprintf(stderr, "--size: found %s, allowed WIDTHxHEIGHT, as 1600x900, each from 1 to %d\n", text.c_str(),
                 largest);
}

} // namespace ridgepoint
