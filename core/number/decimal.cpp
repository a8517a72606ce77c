// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Digits of a double, rounding and placing of point and groups.
#include "core/number/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace ridgepoint {

namespace {

constexpr std::string_view minusSign = "\u2212";

void stripZeros(std::string &digits) {
    while (digits.size() > 1 && digits.back() == '0') {
        digits.pop_back();
    }
}

} // namespace

Decimal decimalOf(double value) {
    std::array<char, 40> buffer{};
    const auto written =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));

    Decimal result;
    if (text.front() == '-') {
        result.negative = value < 0; // minus zero is shown as zero
        text.remove_prefix(1);
    }
    const std::size_t exponentAt = text.find('e');
    result.digits.clear();
    std::copy_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(exponentAt),
                 std::back_inserter(result.digits), [](char c) { return c != '.'; });
    stripZeros(result.digits);
    text.remove_prefix(exponentAt + 1);
    if (text.front() == '+') {
        text.remove_prefix(1);
    }
    std::from_chars(text.data(), text.data() + text.size(), result.exponent);
    return result;
}

Decimal roundedTo(Decimal number, int significant) {
    const auto keep = static_cast<std::size_t>(significant);
    if (number.digits.size() <= keep) {
        return number;
    }
    const bool up = number.digits[keep] >= '5';
    number.digits.resize(keep);
    if (up) {
        std::size_t at = keep;
        while (at > 0 && number.digits[at - 1] == '9') {
            number.digits[--at] = '0';
        }
        if (at == 0) {
            number.digits.insert(0, 1, '1');
            ++number.exponent;
        } else {
            ++number.digits[at - 1];
        }
    }
    stripZeros(number.digits);
    return number;
}

std::string fixedText(const Decimal &number, int decimals, char decimalPoint, const std::string &groupSeparator) {
    // All digits from the first before the point (or the zero there) to the last one asked for.
    std::string whole;
    std::string fraction;
    if (number.exponent < 0) {
        whole = "0";
        fraction.assign(static_cast<std::size_t>(-number.exponent - 1), '0');
        fraction += number.isZero() ? std::string() : number.digits;
    } else {
        const auto wholeDigits = static_cast<std::size_t>(number.exponent) + 1;
        whole = number.digits.substr(0, wholeDigits);
        whole.append(wholeDigits - whole.size(), '0');
        if (number.digits.size() > wholeDigits) {
            fraction = number.digits.substr(wholeDigits);
        }
    }
    const auto wanted = static_cast<std::size_t>(std::max(decimals, 0));
    if (fraction.size() < wanted) {
        fraction.append(wanted - fraction.size(), '0');
    }

    std::string text;
    if (number.negative) {
        text += minusSign;
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (i > 0 && (whole.size() - i) % 3 == 0) {
            text += groupSeparator;
        }
        text += whole[i];
    }
    if (!fraction.empty()) {
        text += decimalPoint;
        text += fraction;
    }
    return text;
}

std::string scientificText(const Decimal &number, int significant, char decimalPoint) {
    std::string digits = number.digits;
    const auto wanted = static_cast<std::size_t>(std::max(significant, 1));
    if (digits.size() < wanted) {
        digits.append(wanted - digits.size(), '0');
    }
    std::string text;
    if (number.negative) {
        text += minusSign;
    }
    text += digits.front();
    if (digits.size() > 1) {
        text += decimalPoint;
        text += digits.substr(1);
    }
    text += 'e';
    text += std::to_string(number.exponent);
    return text;
}

} // namespace ridgepoint
