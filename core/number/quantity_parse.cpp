// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one parser of quantities.
#include "core/number/quantity.h"
#include "core/number/quantity_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <system_error>

namespace ridgepoint {

namespace {

constexpr std::size_t longestText = 64;
constexpr std::size_t longestQuotedText = 40;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isBlank(char c) {
    return c == ' ';
}

/// One spelling for what keyboards and web pages write in several ways: blanks, minus, apostrophe, times, micro.
std::string inAscii(std::string_view text) {
    struct Spelling {
        std::string_view from;
        std::string_view to;
    };
    static constexpr auto spellings = std::to_array<Spelling>({
        {"\t", " "},     {"\n", " "},     {"\r", " "},     {"\u00A0", " "}, {"\u2002", " "},
        {"\u2003", " "}, {"\u2004", " "}, {"\u2005", " "}, {"\u2006", " "}, {"\u2007", " "},
        {"\u2008", " "}, {"\u2009", " "}, {"\u200A", " "}, {"\u202F", " "}, {"\u205F", " "},
        {"\u2212", "-"}, {"\u2019", "'"}, {"\u00D7", "x"}, {"\u00B5", "u"}, {"\u03BC", "u"},
    });
    std::string result;
    while (!text.empty()) {
        const auto *const found = std::find_if(spellings.begin(), spellings.end(), [text](const Spelling &spelling) {
            return text.starts_with(spelling.from);
        });
        if (found != spellings.end()) {
            result += found->to;
            text.remove_prefix(found->from.size());
        } else {
            result += text.front();
            text.remove_prefix(1);
        }
    }
    const std::size_t first = result.find_first_not_of(' ');
    if (first == std::string::npos) {
        return {};
    }
    return result.substr(first, result.find_last_not_of(' ') - first + 1);
}

/// What was typed, fit for a message: short, on one line, whole UTF-8 characters.
std::string quoted(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return "nothing";
    }
    std::string result;
    while (!text.empty()) {
        if (result.size() >= longestQuotedText) {
            return result + "…";
        }
        const auto lead = static_cast<unsigned char>(text.front());
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
        const std::string_view rest = text.substr(1, length > 0 ? length - 1 : 0);
        const bool isWhole = length > 0 && rest.size() == length - 1 &&
                             std::all_of(rest.begin(), rest.end(),
                                         [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
        if (!isWhole || lead < 0x20 || lead == 0x7F || lead > 0xF4) {
            result += '?';
            text.remove_prefix(1);
        } else {
            result += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return result;
}

/// The whole part without its group separators: first group of one to three digits and no leading zero, then threes.
std::optional<std::string> withoutGroups(std::string_view whole, std::string_view allowedSeparators) {
    const auto firstSeparator = std::find_if_not(whole.begin(), whole.end(), isDigit);
    if (firstSeparator == whole.end()) {
        return std::string(whole);
    }
    const char separator = *firstSeparator;
    const auto firstLength = static_cast<std::size_t>(firstSeparator - whole.begin());
    if (allowedSeparators.find(separator) == std::string_view::npos || firstLength == 0 || firstLength > 3 ||
        whole.front() == '0') {
        return std::nullopt;
    }
    std::string digits(whole.substr(0, firstLength));
    for (std::string_view rest = whole.substr(firstLength); !rest.empty(); rest.remove_prefix(4)) {
        if (rest.size() < 4 || rest.front() != separator || !std::all_of(rest.begin() + 1, rest.begin() + 4, isDigit)) {
            return std::nullopt;
        }
        digits += rest.substr(1, 3);
    }
    return digits;
}

/// `1.234,5` with decimal point ',' and separators "." as `1234.5`; nullopt where it does not read so.
std::optional<std::string> readAs(std::string_view token, char decimalPoint, std::string_view separators) {
    const std::size_t point = token.find(decimalPoint);
    const std::string_view fraction = point == std::string_view::npos ? std::string_view() : token.substr(point + 1);
    const std::string_view whole = token.substr(0, point);
    if ((whole.empty() && fraction.empty()) || !std::all_of(fraction.begin(), fraction.end(), isDigit)) {
        return std::nullopt;
    }
    std::optional<std::string> digits = withoutGroups(whole, separators);
    if (digits && digits->empty()) {
        digits = "0";
    }
    if (digits && !fraction.empty()) {
        digits->append(".").append(fraction);
    }
    return digits;
}

/// The style's reading first, then the one of a plain C number.
std::optional<std::string> plainDigits(std::string_view token, const NumberStyle &style) {
    const bool isCommaStyle = style.decimalPoint == ',';
    std::string separators = " '";
    if (!isCommaStyle) {
        separators += ',';
    } else if (inAscii(style.groupSeparator) == "." || token.find(',') != std::string_view::npos) {
        separators += '.';
    }
    if (std::optional<std::string> digits = readAs(token, isCommaStyle ? ',' : '.', separators)) {
        return digits;
    }
    return readAs(token, '.', " ',");
}

/// A blank belongs to a number between its digits only.
std::string_view takeToken(std::string_view &text) {
    std::size_t end = 0;
    while (end < text.size()) {
        const char c = text[end];
        const bool isGroupBlank =
            isBlank(c) && end > 0 && isDigit(text[end - 1]) && end + 1 < text.size() && isDigit(text[end + 1]);
        if (!isDigit(c) && c != '.' && c != ',' && c != '\'' && !isGroupBlank) {
            break;
        }
        ++end;
    }
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(end);
    return token;
}

/// The `e9` of `70e9`; 0 where there is none, nullopt where it is beyond every double.
std::optional<int> takeExponent(std::string_view &text) {
    if (text.empty() || (text.front() != 'e' && text.front() != 'E')) {
        return 0;
    }
    std::string_view digits = text.substr(1);
    if (digits.starts_with('+') && digits.size() > 1 && isDigit(digits[1])) {
        digits.remove_prefix(1);
    }
    int exponent = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec == std::errc::invalid_argument) {
        return 0; // some word that begins with an e
    }
    static constexpr int beyondEveryDouble = 10000;
    if (read.ec != std::errc() || std::abs(exponent) > beyondEveryDouble) {
        return std::nullopt;
    }
    text = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
    return exponent;
}

void skipBlanks(std::string_view &text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

bool take(std::string_view &text, char c) {
    if (!text.starts_with(c)) {
        return false;
    }
    text.remove_prefix(1);
    skipBlanks(text);
    return true;
}

std::optional<double> read(std::string_view text, Unit unit, const NumberStyle &style) {
    bool isNegative = take(text, '-');
    bool hasSign = isNegative || take(text, '+');
    const bool hasCurrency = isMoney(unit) && take(text, '$');
    if (hasCurrency && !hasSign) {
        isNegative = take(text, '-');
    }
    const std::optional<std::string> digits = plainDigits(takeToken(text), style);
    if (!digits) {
        return std::nullopt;
    }
    const std::optional<int> exponent = takeExponent(text);
    std::string suffix(text);
    suffix.erase(std::remove_if(suffix.begin(), suffix.end(), isBlank), suffix.end());
    const std::optional<SuffixScale> scale = scaleOfSuffix(suffix, unit, hasCurrency);
    if (!exponent || !scale) {
        return std::nullopt;
    }
    // Powers of ten are added to the text, so that 6.738B is the double nearest to 6738000000 and 12% the one nearest
    // to 0.12.
    const std::string number = *digits + "e" + std::to_string(*exponent + scale->exponent);
    double value = 0;
    const auto converted = std::from_chars(number.data(), number.data() + number.size(), value);
    if (converted.ec != std::errc() || converted.ptr != number.data() + number.size()) {
        return std::nullopt;
    }
    value *= scale->factor;
    if (!std::isfinite(value)) {
        return std::nullopt;
    }
    return isNegative ? -value : value;
}

} // namespace

tl::expected<double, Problem> parseQuantity(std::string_view text, Unit unit, const NumberStyle &style) {
    if (text.size() <= longestText) {
        if (const std::optional<double> value = read(inAscii(text), unit, style)) {
            return *value;
        }
    }
    std::string allowed(allowedText(unit));
    if (style.decimalPoint != ',' && text.find(',') != std::string_view::npos) {
        allowed += "; decimals follow a point, and commas group thousands";
    }
    return tl::make_unexpected(Problem{.field = {}, .found = quoted(text), .allowed = std::move(allowed)});
}

} // namespace ridgepoint
