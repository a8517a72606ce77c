// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the values and steps of a worked sum read as text.
#include "core/number/explain_text.h"

#include "core/number/decimal.h"
#include "core/number/explain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ridgepoint {

namespace {

constexpr int digitsOfFigures = 4;

bool isWhole(double value) {
    return std::trunc(value) == value;
}

/// `bytes/parameter` is shown as bytes and `/parameter`; a unit that is not known, as a count and its text.
struct ShownUnit {
    Unit unit = Unit::Count;
    std::string tail;
};

ShownUnit shownUnit(std::string_view text) {
    const Unit known = unitOfText(text);
    if (text.empty() || (known != Unit::None && known != Unit::Count && known != Unit::PerSecond)) {
        return {text.empty() ? Unit::Count : known, {}};
    }
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos && known == Unit::None) {
        const Unit numerator = unitOfText(text.substr(0, slash));
        if (numerator != Unit::None && numerator != Unit::Count && numerator != Unit::Percent) {
            return {numerator, std::string(text.substr(slash))};
        }
    }
    return {Unit::Count, " " + std::string(text)};
}

void appendFormula(std::string &text, const std::string &formula, const std::string &indent) {
    text += indent + "= ";
    for (const char c : formula) {
        text += c;
        if (c == '\n') {
            text += indent + "  ";
        }
    }
    text += '\n';
}

void appendStep(std::string &text, const ExplainedStep &step, std::size_t level, const NumberStyle &style) {
    const std::string indent(2 * level, ' ');
    text += indent + step.label + " = " + valueText(step, style);
    if (step.explainedAbove) {
        text += ", as above";
    }
    if (!step.source.empty()) {
        text += "  [" + step.source + "]";
    }
    text += '\n';
    if (!step.words.empty()) {
        appendFormula(text, step.words, indent + "  ");
        if (step.figures != step.words) {
            appendFormula(text, step.figures, indent + "  ");
        }
    }
    for (const ExplainedStep &part : step.parts) {
        appendStep(text, part, level + 1, style);
    }
}

} // namespace

std::string figureText(double value, std::string_view unitText, const NumberStyle &style) {
    static constexpr double largestWholeInFull = 1e7;
    static constexpr double smallestInFull = 1e-4;
    const Unit unit = shownUnit(unitText).unit;
    if (!std::isfinite(value)) {
        return formatQuantity(value, unit, style);
    }
    const auto digits = static_cast<int>(decimalOf(value).digits.size());
    const bool isShort = digits <= digitsOfFigures && std::abs(value) >= smallestInFull;
    if (unit == Unit::Count && (isWhole(value) || isShort) && std::abs(value) < largestWholeInFull) {
        return formatExact(value, unit, style);
    }
    NumberStyle precise = style;
    if (digits > style.significantDigits) {
        precise.significantDigits = std::max(style.significantDigits, digitsOfFigures);
    }
    return formatQuantity(value, unit, precise);
}

std::string valueText(const ExplainedStep &step, const NumberStyle &style) {
    const auto [unit, tail] = shownUnit(step.unit);
    std::string exact = formatExact(step.value, unit, style) + tail;
    const std::string bare = formatQuantity(step.value, unit, style);
    const tl::expected<double, Problem> readBack = parseQuantity(bare, unit, style);
    const bool isExact = readBack && *readBack == step.value;
    if (unit == Unit::Count && (isWhole(step.value) || isExact)) {
        return exact;
    }
    std::string rounded = bare + tail;
    const bool isWorkedOutSize = unit == Unit::Bytes && !step.words.empty(); // whose bytes people count
    if (rounded == exact || (isExact && !isWorkedOutSize)) {
        return rounded;
    }
    return rounded + " (" + exact + ")";
}

std::string renderText(const ExplainedStep &step, const NumberStyle &style) {
    std::string text;
    appendStep(text, step, 0, style);
    return text;
}

} // namespace ridgepoint
