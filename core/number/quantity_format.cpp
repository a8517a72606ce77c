// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one formatter of quantities.
#include "core/number/decimal.h"
#include "core/number/quantity.h"
#include "core/number/quantity_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace ridgepoint {

namespace {

constexpr int scientificBelowExponent = -5; ///< 0.0000123 is the smallest that is written out
constexpr int scientificFromExponent = 15;

enum class Zeros { Keep, Strip };

/// Digits of `number`, rounded to the style's precision, but never to less than its whole digits.
std::string roundedText(const Decimal &number, Zeros zeros, const NumberStyle &style) {
    const int digits = std::max(style.significantDigits, 1);
    if (number.exponent < scientificBelowExponent || number.exponent >= scientificFromExponent) {
        return scientificText(roundedTo(number, digits), digits, style.decimalPoint);
    }
    const int significant = std::max(digits, number.exponent + 1);
    const Decimal shown = roundedTo(number, significant);
    const int decimals = zeros == Zeros::Keep && !number.isZero() ? significant - 1 - shown.exponent : 0;
    return fixedText(shown, decimals, style.decimalPoint, style.groupSeparator);
}

/// Whole numbers stay whole, others keep the zeros of their precision.
std::string naturalText(const Decimal &number, const NumberStyle &style) {
    return roundedText(number, number.isWhole() ? Zeros::Strip : Zeros::Keep, style);
}

struct Prefix {
    int exponent;
    std::string_view suffix;
};

struct Multiple {
    double factor;
    std::string_view suffix;
};

/// The prefix that suits the rounded number, so that a carry takes the next one. Prefixes ascend; one has exponent 0.
std::string prefixedText(const Decimal &number, std::span<const Prefix> prefixes, Zeros zeros,
                         const NumberStyle &style) {
    const Decimal shown = roundedTo(number, std::max(style.significantDigits, 1));
    const Prefix *best = number.isZero() ? nullptr : prefixes.data();
    for (const Prefix &prefix : prefixes) {
        if (number.isZero() ? prefix.exponent == 0 : prefix.exponent <= shown.exponent) {
            best = &prefix;
        }
    }
    Decimal scaled = number;
    if (!number.isZero()) {
        scaled.exponent -= best->exponent;
    }
    std::string text =
        best->exponent == 0 && zeros == Zeros::Keep ? naturalText(scaled, style) : roundedText(scaled, zeros, style);
    return text.append(best->suffix);
}

/// The same for units that are no powers of ten; nullopt-like empty text where even the first is too large.
std::string multipleText(double value, std::span<const Multiple> multiples, const NumberStyle &style) {
    const int digits = std::max(style.significantDigits, 1);
    for (std::size_t i = multiples.size(); i-- > 0;) {
        const double scaled = std::abs(value) / multiples[i].factor;
        const Decimal number = decimalOf(value / multiples[i].factor);
        // Just below one of this multiple: does the next smaller one round up to it?
        bool carried = false;
        if (scaled < 1) {
            const double step = i == 0 ? multiples[0].factor : multiples[i].factor / multiples[i - 1].factor;
            const Decimal below = decimalOf(scaled * step);
            const Decimal roundedBelow = roundedTo(below, std::max(digits, below.exponent + 1));
            const Decimal limit = decimalOf(step);
            carried = roundedBelow.exponent > limit.exponent ||
                      (roundedBelow.exponent == limit.exponent && roundedBelow.digits >= limit.digits);
        }
        if (scaled >= 1 || carried) {
            return roundedText(carried ? decimalOf(std::copysign(1.0, value)) : number, Zeros::Keep, style)
                .append(multiples[i].suffix);
        }
    }
    return {};
}

constexpr auto decimalBytes =
    std::to_array<Prefix>({{0, " bytes"}, {3, " kB"}, {6, " MB"}, {9, " GB"}, {12, " TB"}, {15, " PB"}, {18, " EB"}});
constexpr auto binaryBytes = std::to_array<Multiple>(
    {{0x1p10, " KiB"}, {0x1p20, " MiB"}, {0x1p30, " GiB"}, {0x1p40, " TiB"}, {0x1p50, " PiB"}, {0x1p60, " EiB"}});
constexpr auto bytesPerSecond = std::to_array<Prefix>(
    {{0, " bytes/s"}, {3, " kB/s"}, {6, " MB/s"}, {9, " GB/s"}, {12, " TB/s"}, {15, " PB/s"}, {18, " EB/s"}});
constexpr auto shortSeconds = std::to_array<Prefix>({{-9, " ns"}, {-6, " µs"}, {-3, " ms"}, {0, " s"}});
constexpr auto longSeconds = std::to_array<Multiple>({{60, " min"}, {3600, " h"}, {86400, " d"}});
constexpr auto counts =
    std::to_array<Prefix>({{0, ""}, {3, " k"}, {6, " M"}, {9, " B"}, {12, " T"}, {15, " P"}, {18, " E"}, {21, " Z"}});
constexpr auto rates = std::to_array<Prefix>({{0, "/s"}, {3, " k/s"}, {6, " M/s"}, {9, " B/s"}, {12, " T/s"}});
constexpr auto flopsPerSecond = std::to_array<Prefix>({{0, " FLOP/s"},
                                                       {3, " kFLOP/s"},
                                                       {6, " MFLOP/s"},
                                                       {9, " GFLOP/s"},
                                                       {12, " TFLOP/s"},
                                                       {15, " PFLOP/s"},
                                                       {18, " EFLOP/s"},
                                                       {21, " ZFLOP/s"}});
constexpr auto watts = std::to_array<Prefix>({{-3, " mW"}, {0, " W"}, {3, " kW"}, {6, " MW"}, {9, " GW"}});
constexpr auto joules =
    std::to_array<Prefix>({{-6, " µJ"}, {-3, " mJ"}, {0, " J"}, {3, " kJ"}, {6, " MJ"}, {9, " GJ"}, {12, " TJ"}});
constexpr auto kilowattHours = std::to_array<Prefix>({{-3, " Wh"}, {0, " kWh"}, {3, " MWh"}, {6, " GWh"}, {9, " TWh"}});
constexpr auto kilograms = std::to_array<Prefix>({{-3, " g"}, {0, " kg"}, {3, " t"}, {6, " kt"}, {9, " Mt"}});

std::string_view moneyTail(Unit unit) {
    switch (unit) {
    case Unit::UsdPerKwh:
        return "/kWh";
    case Unit::UsdPerHour:
        return "/h";
    case Unit::UsdPerKwMonth:
        return "/kW/month";
    case Unit::UsdPerYear:
        return "/year";
    default:
        return {};
    }
}

/// What stands behind an unscaled number.
std::string_view baseTail(Unit unit) {
    switch (unit) {
    case Unit::Factor:
        return "×";
    case Unit::Percent:
        return "%";
    case Unit::Bytes:
        return " bytes";
    case Unit::BytesPerSecond:
        return " bytes/s";
    case Unit::Seconds:
        return " s";
    case Unit::PerSecond:
        return "/s";
    case Unit::FlopPerSecond:
        return " FLOP/s";
    case Unit::FlopPerByte:
        return " FLOP/byte";
    case Unit::Watts:
        return " W";
    case Unit::Joules:
        return " J";
    case Unit::KilowattHours:
        return " kWh";
    case Unit::Kilograms:
        return " kg";
    case Unit::KgPerKwh:
        return " kg/kWh";
    case Unit::Years:
        return " years";
    case Unit::GbitPerSecond:
        return " Gbit/s";
    default:
        return moneyTail(unit);
    }
}

/// `1 bytes` and `1 years` are no English.
std::string inSingular(std::string text) {
    for (const std::string_view plural : {std::string_view("1 bytes"), std::string_view("1 years")}) {
        if (text == plural || text == std::string("\u2212").append(plural)) {
            text.pop_back();
        }
    }
    return text;
}

/// Whole up to `limitExponent`, prefixed from there on.
std::string countText(const Decimal &number, int limitExponent, std::span<const Prefix> prefixes,
                      const NumberStyle &style) {
    const Decimal shown = roundedTo(number, std::max(std::max(style.significantDigits, 1), number.exponent + 1));
    if (shown.exponent < limitExponent) {
        return naturalText(number, style).append(prefixes.front().suffix);
    }
    if (number.exponent >= prefixes.back().exponent + 3) {
        return roundedText(number, Zeros::Keep, style).append(prefixes.front().suffix);
    }
    return prefixedText(shown, prefixes, Zeros::Keep, style);
}

/// Cents where there are cents to tell, three digits below ten of them, and k, M, B, T from a thousand dollars on.
std::string moneyText(Decimal number, Unit unit, const NumberStyle &style) {
    static constexpr auto prefixes = std::to_array<Prefix>({{0, ""}, {3, " k"}, {6, " M"}, {9, " B"}, {12, " T"}});
    const bool negative = number.negative;
    number.negative = false;
    const int digits = std::max(style.significantDigits, 1);
    std::string text = negative ? "\u2212$" : "$";
    const Decimal shown = roundedTo(number, digits);
    if (number.isZero()) {
        text += "0";
    } else if (number.exponent < scientificBelowExponent) {
        text += roundedText(number, Zeros::Keep, style);
    } else if (shown.exponent >= 3) {
        text += prefixedText(number, prefixes, Zeros::Strip, style);
    } else if (shown.exponent == 2) {
        text += roundedText(number, Zeros::Strip, style);
    } else {
        // An amount is in whole cents; a price per unit keeps its third digit where it has one.
        const bool inCents = unit == Unit::Usd && number.exponent >= -1;
        const Decimal amount = inCents ? roundedTo(number, std::max(number.exponent + 3, 1)) : shown;
        text += fixedText(amount, 2, style.decimalPoint, style.groupSeparator);
    }
    return text.append(moneyTail(unit));
}

std::string secondsText(double value, const Decimal &number, const NumberStyle &style) {
    if (std::string text = multipleText(value, longSeconds, style); !text.empty()) {
        return text;
    }
    return prefixedText(number, shortSeconds, Zeros::Keep, style);
}

std::string bytesText(double value, const Decimal &number, const NumberStyle &style) {
    if (style.bytes == ByteUnits::Binary) {
        std::string text = multipleText(value, binaryBytes, style);
        return text.empty() ? roundedText(number, Zeros::Strip, style) + " bytes" : text;
    }
    const Decimal shown = roundedTo(number, std::max(style.significantDigits, 1));
    return prefixedText(number, decimalBytes, shown.exponent < 3 ? Zeros::Strip : Zeros::Keep, style);
}

std::string nonFiniteText(double value) {
    if (std::isnan(value)) {
        return "undefined";
    }
    return value < 0 ? "\u2212∞" : "∞";
}

} // namespace

NumberStyle readingStyle() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = '.', .groupSeparator = ",", .significantDigits = 3};
}

std::string formatQuantity(double value, Unit unit, const NumberStyle &style) {
    if (!std::isfinite(value)) {
        return nonFiniteText(value);
    }
    Decimal number = decimalOf(value);
    if (isMoney(unit)) {
        return moneyText(number, unit, style);
    }
    switch (unit) {
    case Unit::None:
        return naturalText(number, style);
    case Unit::Count:
        return countText(number, 4, counts, style);
    case Unit::PerSecond:
        return countText(number, 5, rates, style);
    case Unit::Percent:
        number.exponent += number.isZero() ? 0 : 2;
        return naturalText(number, style) + "%";
    case Unit::Bytes:
        return inSingular(bytesText(value, number, style));
    case Unit::BytesPerSecond:
        return prefixedText(number, bytesPerSecond, Zeros::Keep, style);
    case Unit::Seconds:
        return secondsText(value, number, style);
    case Unit::FlopPerSecond:
        return prefixedText(number, flopsPerSecond, Zeros::Keep, style);
    case Unit::Watts:
        return prefixedText(number, watts, Zeros::Keep, style);
    case Unit::Joules:
        return prefixedText(number, joules, Zeros::Keep, style);
    case Unit::KilowattHours:
        return prefixedText(number, kilowattHours, Zeros::Keep, style);
    case Unit::Kilograms:
        return prefixedText(number, kilograms, Zeros::Keep, style);
    case Unit::FlopPerByte:
        return naturalText(number, style).append(baseTail(unit));
    default:
        // Settings and ratios, which have few digits of their own.
        return inSingular(roundedText(number, Zeros::Strip, style).append(baseTail(unit)));
    }
}

std::string formatExact(double value, Unit unit, const NumberStyle &style) {
    if (!std::isfinite(value)) {
        return nonFiniteText(value);
    }
    Decimal number = decimalOf(value);
    if (unit == Unit::Percent && !number.isZero()) {
        number.exponent += 2;
    }
    std::string text;
    if (isMoney(unit)) {
        text = number.negative ? "\u2212$" : "$";
        number.negative = false;
    }
    static constexpr int largestFullExponent = 22;
    const bool isFull = number.exponent >= scientificBelowExponent && number.exponent <= largestFullExponent;
    text += isFull ? fixedText(number, 0, style.decimalPoint, style.groupSeparator)
                   : scientificText(number, 1, style.decimalPoint);
    return inSingular(text.append(baseTail(unit)));
}

std::string formatPlain(double value) {
    static constexpr double largestWholeInFull = 0x1p53;
    const bool inFull = std::abs(value) <= largestWholeInFull && std::trunc(value) == value;
    std::array<char, 40> buffer{};
    char *const end = buffer.data() + buffer.size();
    const auto written = inFull ? std::to_chars(buffer.data(), end, value, std::chars_format::fixed)
                                : std::to_chars(buffer.data(), end, value);
    return {buffer.data(), written.ptr};
}

std::string formatPlain(double value, const NumberStyle &style) {
    std::string text = formatPlain(value);
    std::replace(text.begin(), text.end(), '.', style.decimalPoint);
    return text;
}

} // namespace ridgepoint
