// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The light, dark and print themes, and how marks and text get enough contrast.
#include "ui/theme/theme.h"

#include "ui/theme/contrast.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double textContrast = 4.5;
constexpr double markContrast = 3.0;

QColor colourOf(QRgb rgb) {
    return QColor::fromRgb(rgb);
}

/// The five runtime parts are shades of one grey between two ends.
void fillRuntime(Theme &theme, QRgb first, QRgb last) {
    constexpr auto begin = std::size_t(MemoryPart::GatheredWeights);
    constexpr std::size_t steps = memoryPartCount - begin - 1;
    for (std::size_t i = 0; i <= steps; ++i)
        theme.memoryColours[begin + i] = blended(colourOf(last), colourOf(first), double(i) / double(steps));
}

void setInterfaceFont(Theme &theme) {
    const QFont font = QGuiApplication::font();
    const QString inter = QStringLiteral("Inter");
    static const bool hasInter = QFontDatabase::hasFamily(inter);
    theme.fontFamily = hasInter ? inter : font.family();
    const int pixels = font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize();
    theme.bodyPixels = std::max(pixels, 9);
}

} // namespace

QFont Theme::font(TextRole role) const {
    struct Shape {
        double size;
        QFont::Weight weight;
    };
    const Shape shape = [role]() -> Shape {
        switch (role) {
        case TextRole::Title:
            return {1.1, QFont::DemiBold};
        case TextRole::Body:
            return {1.0, QFont::Normal};
        case TextRole::Strong:
            return {1.0, QFont::DemiBold};
        case TextRole::Secondary:
            return {0.9, QFont::Normal};
        case TextRole::Label:
            return {0.9, QFont::Medium};
        case TextRole::Small:
            return {0.85, QFont::Normal};
        case TextRole::Verdict:
        case TextRole::Figure:
            return {1.5, QFont::DemiBold};
        }
        return {1.0, QFont::Normal};
    }();
    QFont font(fontFamily);
    font.setPixelSize(std::max(int(std::lround(bodyPixels * shape.size)), 8));
    font.setWeight(shape.weight);
    return font;
}

MarkStyle Theme::mark(const QColor &fill) const {
    if (contrastRatio(fill, card) >= markContrast)
        return {fill, card, false};
    return {fill, readableOn(fill, card, markContrast), true};
}

MarkStyle Theme::memory(MemoryPart part) const {
    const QColor fill = memoryColours[std::size_t(part)];
    if (contrastRatio(fill, card) >= markContrast)
        return {fill, card, false};
    const auto shade = [this](MemoryPart of) { return memoryColours[std::size_t(of)]; };
    switch (familyOf(part)) {
    case MemoryFamily::ModelStates:
        return {fill, readableOn(shade(MemoryPart::Weights), card, markContrast), true};
    case MemoryFamily::Activations:
        return {fill, readableOn(shade(MemoryPart::Activations), card, markContrast), true};
    case MemoryFamily::Cache:
        return {fill, readableOn(shade(MemoryPart::KvCache), card, markContrast), true};
    case MemoryFamily::Runtime:
        return {fill, secondaryInk, true};
    }
    return mark(fill);
}

MarkStyle Theme::time(TimePart part) const {
    return mark(timeColours[std::size_t(part)]);
}

MarkStyle Theme::cost(CostTerm term) const {
    return mark(costColours[std::size_t(term)]);
}

QPen Theme::roof(std::size_t index) const {
    static constexpr std::array<QRgb, 8> lightHues{0xff2f6fde, 0xff15877a, 0xff7b5cc4, 0xff6b7480,
                                                   0xffb5651d, 0xff74133c, 0xff4d7a1f, 0xff1b1f24};
    static constexpr std::array<QRgb, 8> darkHues{0xff5b93f0, 0xff3fbfae, 0xffa58ce6, 0xffa3adb9,
                                                  0xffe59a4c, 0xffd9447f, 0xff9cc46a, 0xffe8ebef};
    QPen pen(colourOf((isDark() ? darkHues : lightHues)[index % lightHues.size()]), index == 0 ? 2.2 : 1.8);
    switch (index % 4) {
    case 1:
        pen.setDashPattern({4, 2.2});
        break;
    case 2:
        pen.setDashPattern({7, 2, 1.2, 2});
        break;
    case 3:
        pen.setDashPattern({1.2, 1.7});
        break;
    default:
        break;
    }
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

QColor Theme::textIn(const QColor &colour) const {
    return readableOn(colour, card, textContrast);
}

QColor Theme::textOn(const QColor &fill) const {
    // One of black and white always reaches 4.5:1; the softer dark ink is taken where it is enough.
    for (const QColor &candidate : {QColor(Qt::white), colourOf(0xff1b1f24)}) {
        if (contrastRatio(candidate, fill) >= textContrast)
            return candidate;
    }
    return QColor(Qt::black);
}

Theme lightTheme() {
    Theme theme;
    theme.kind = Theme::Kind::Light;
    theme.ground = colourOf(0xfff4f5f7);
    theme.card = colourOf(0xffffffff);
    theme.ink = colourOf(0xff1b1f24);
    theme.secondaryInk = colourOf(0xff5b6470);
    theme.line = colourOf(0xffdfe3e8);
    theme.grid = colourOf(0xffe9ecf0);
    theme.accent = colourOf(0xff2f6fde);
    theme.doesNotFit = colourOf(0xffc8321f);
    theme.fits = colourOf(0xff1b7a42);
    theme.memoryColours = {colourOf(0xff1f4e9c), colourOf(0xff3f78c9), colourOf(0xff7aa7e3), colourOf(0xffb3d0f3),
                           colourOf(0xffd9822b), colourOf(0xfff0b878), colourOf(0xff1d9a8a)};
    fillRuntime(theme, 0xff8b93a0, 0xffd5dae1);
    theme.timeColours = {colourOf(0xff2f6fde), colourOf(0xff1d9a8a), colourOf(0xffd9822b), colourOf(0xffb9a3e3),
                         colourOf(0xffc6cbd3), colourOf(0xff7aa7e3), colourOf(0xffb0466f)};
    theme.costColours = {colourOf(0xff1f4e9c), colourOf(0xff3f78c9), colourOf(0xff7aa7e3), colourOf(0xffb9a3e3),
                         colourOf(0xffd9822b), colourOf(0xfff0b878), colourOf(0xff8b93a0), colourOf(0xff1d9a8a),
                         colourOf(0xffc6cbd3), colourOf(0xffe3e6eb)};
    theme.powerColour = colourOf(0xffd9822b);
    setInterfaceFont(theme);
    return theme;
}

Theme darkTheme() {
    Theme theme;
    theme.kind = Theme::Kind::Dark;
    theme.ground = colourOf(0xff15181c);
    theme.card = colourOf(0xff1e2228);
    theme.ink = colourOf(0xffe8ebef);
    theme.secondaryInk = colourOf(0xffa3adb9);
    theme.line = colourOf(0xff343a43);
    theme.grid = colourOf(0xff2a2f37);
    theme.accent = colourOf(0xff5b93f0);
    theme.doesNotFit = colourOf(0xfff0705e);
    theme.fits = colourOf(0xff4cbf7d);
    theme.memoryColours = {colourOf(0xff4f83d6), colourOf(0xff6f9fe6), colourOf(0xff9bbff0), colourOf(0xffc6dbf6),
                           colourOf(0xffe59a4c), colourOf(0xfff3c795), colourOf(0xff3fbfae)};
    fillRuntime(theme, 0xff767f8c, 0xff4a525d);
    theme.timeColours = {colourOf(0xff5b93f0), colourOf(0xff3fbfae), colourOf(0xffe59a4c), colourOf(0xff9a83d2),
                         colourOf(0xff5f6875), colourOf(0xff9bbff0), colourOf(0xffd9769d)};
    theme.costColours = {colourOf(0xff4f83d6), colourOf(0xff6f9fe6), colourOf(0xff9bbff0), colourOf(0xff9a83d2),
                         colourOf(0xffe59a4c), colourOf(0xfff3c795), colourOf(0xff767f8c), colourOf(0xff3fbfae),
                         colourOf(0xff5f6875), colourOf(0xff4a525d)};
    theme.powerColour = colourOf(0xffe59a4c);
    setInterfaceFont(theme);
    return theme;
}

Theme printTheme() {
    Theme theme = lightTheme();
    theme.kind = Theme::Kind::Print;
    theme.ground = QColor(Qt::white);
    return theme;
}

Theme themeFor(const QPalette &palette) {
    const bool dark = palette.color(QPalette::WindowText).lightnessF() > palette.color(QPalette::Window).lightnessF();
    return dark ? darkTheme() : lightTheme();
}

QPalette paletteFor(const Theme &theme) {
    QPalette palette;
    const QColor field = theme.isDark() ? blended(Qt::white, theme.card, 0.05) : blended(theme.ground, theme.card, 0.6);
    palette.setColor(QPalette::Window, theme.ground);
    palette.setColor(QPalette::WindowText, theme.ink);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, field);
    palette.setColor(QPalette::Text, theme.ink);
    palette.setColor(QPalette::PlaceholderText, theme.secondaryInk);
    palette.setColor(QPalette::Button, field);
    palette.setColor(QPalette::ButtonText, theme.ink);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::Light, theme.isDark() ? theme.line : QColor(Qt::white));
    palette.setColor(QPalette::Midlight, theme.grid);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.secondaryInk);
    palette.setColor(QPalette::Shadow, theme.isDark() ? QColor(Qt::black) : theme.secondaryInk);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.textOn(theme.accent));
    palette.setColor(QPalette::Link, theme.textIn(theme.accent));
    palette.setColor(QPalette::LinkVisited, theme.textIn(theme.accent));
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.ink);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, blended(theme.secondaryInk, theme.card, 0.6));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.secondaryInk);
    return palette;
}

} // namespace ridgepoint
