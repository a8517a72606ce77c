// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A recursive-descent walk over JSON that knows where it is when something is wrong.
#include "core/import/json_walker.h"

#include "core/import/strict_json.h"
#include "core/import/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace ridgepoint {
namespace {

constexpr std::size_t longestWord = 1024;
static_assert(longestWord < TextWindow::longestLook);

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isWordCharacter(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+' || c == '-' ||
           c == '.';
}

std::string shownByte(unsigned char byte) {
    if (byte == 0) {
        return "a NUL byte";
    }
    return byte < 0x20 || byte > 0x7e ? fmt::format("byte 0x{:02X}", byte)
                                      : fmt::format("`{}`", static_cast<char>(byte));
}

/// The grammar of RFC 8259, section 6. Pre: not empty.
bool isNumber(std::string_view word) {
    std::size_t i = word.front() == '-' ? 1 : 0;
    const auto digits = [&] {
        const std::size_t first = i;
        while (i < word.size() && isDigit(word[i])) {
            ++i;
        }
        return i - first;
    };
    const std::size_t first = i;
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && word[first] == '0')) {
        return false;
    }
    if (i < word.size() && word[i] == '.') {
        ++i;
        if (digits() == 0) {
            return false;
        }
    }
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
        ++i;
        if (i < word.size() && (word[i] == '+' || word[i] == '-')) {
            ++i;
        }
        if (digits() == 0) {
            return false;
        }
    }
    return i == word.size();
}

/// Pre: isNumber(word). False where a double cannot hold it.
bool readNumber(std::string_view word, nlohmann::json &value) {
    const char *begin = word.data();
    const char *end = begin + word.size();
    std::int64_t whole = 0;
    if (word.find_first_of(".eE") == std::string_view::npos && std::from_chars(begin, end, whole).ec == std::errc()) {
        value = whole;
        return true;
    }
    double number = 0;
    if (std::from_chars(begin, end, number).ec != std::errc()) {
        return false;
    }
    value = number;
    return true;
}

class Walker {
public:
    Walker(TextWindow &text, const JsonLimits &limits, JsonHandler &handler)
        : text_(text), limits_(limits), handler_(handler) {}

    bool walk() {
        if (!readValue(0)) {
            return false;
        }
        skipBlanks();
        return text_.atEnd() || unexpected("the end of the file");
    }

private:
    bool readValue(int depth) { // NOLINT(misc-no-recursion): bounded by limits_.depth
        if (++values_ > limits_.values) {
            return fail({}, fmt::format("more than {} values", limits_.values), "a smaller file");
        }
        skipBlanks();
        switch (text_.peek()) {
        case '{':
            return nested(depth) && handler_.beginObject(place()) && readObject(depth);
        case '[':
            return nested(depth) && handler_.beginList(place()) && readList(depth);
        case '"': {
            const std::uint64_t start = text_.position();
            std::string string;
            return readString(string, field_) && handler_.scalar(std::move(string), {field_, start});
        }
        default:
            return readWord();
        }
    }

    bool nested(int depth) {
        return depth < limits_.depth ||
               fail({}, fmt::format("more than {} objects or lists inside one another", limits_.depth),
                    fmt::format("a depth of {} at most", limits_.depth));
    }

    bool readObject(int depth) { // NOLINT(misc-no-recursion): bounded by limits_.depth
        text_.advance();
        skipBlanks();
        if (take('}')) {
            return handler_.end();
        }
        do {
            if (!readMember(depth)) {
                return false;
            }
            skipBlanks();
        } while (take(','));
        return take('}') ? handler_.end() : unexpected("`,` or `}`");
    }

    bool readMember(int depth) { // NOLINT(misc-no-recursion): bounded by limits_.depth
        skipBlanks();
        if (text_.peek() != '"') {
            return unexpected("a key in double quotes");
        }
        const std::uint64_t keyAt = text_.position();
        std::string key;
        if (!readString(key, {})) {
            return false;
        }
        skipBlanks();
        if (!take(':')) {
            return unexpected("`:` after a key");
        }
        const std::size_t parentLength = field_.size();
        field_.append(field_.empty() ? 0 : 1, '.').append(shownText(key));
        if (!handler_.key(key, {field_, keyAt}) || !readValue(depth + 1)) {
            return false;
        }
        field_.resize(parentLength);
        return true;
    }

    bool readList(int depth) { // NOLINT(misc-no-recursion): bounded by limits_.depth
        text_.advance();
        skipBlanks();
        if (take(']')) {
            return handler_.end();
        }
        const std::size_t parentLength = field_.size();
        std::size_t index = 0;
        do {
            field_.append(1, '[').append(std::to_string(index++)).append(1, ']');
            if (!readValue(depth + 1)) {
                return false;
            }
            field_.resize(parentLength);
            skipBlanks();
        } while (take(','));
        return take(']') ? handler_.end() : unexpected("`,` or `]`");
    }

    /// Pre: at a double quote. `field` is what a problem inside the text is reported under; empty: its byte.
    bool readString(std::string &string, const std::string &field) {
        const std::uint64_t start = text_.position();
        text_.advance();
        while (!text_.atEnd()) {
            if (string.size() > limits_.textBytes) {
                return fail(
                    field, fmt::format("a text of more than {} bytes that starts at byte {}", limits_.textBytes, start),
                    "a shorter one");
            }
            const std::string_view atHand = text_.atHand().substr(0, TextWindow::longestLook);
            if (const std::size_t plain = plainLength(atHand); plain > 0) {
                string.append(atHand.substr(0, plain));
                text_.advance(plain);
                continue;
            }
            const auto byte = static_cast<unsigned char>(text_.peek());
            if (byte == '"') {
                text_.advance();
                return true;
            }
            if (byte == '\\') {
                if (!readEscape(string, field)) {
                    return false;
                }
            } else if (byte < 0x20) {
                return fail(field, fmt::format("{} at byte {}", shownByte(byte), text_.position()),
                            fmt::format("control characters written as \\u{:04x}", byte));
            } else {
                const std::string_view ahead = text_.ahead(4);
                const std::size_t length = utf8SequenceLength(ahead);
                if (length == 0) {
                    return fail(field,
                                fmt::format("byte 0x{:02X} at byte {}, which is not UTF-8", byte, text_.position()),
                                "text in UTF-8");
                }
                string.append(ahead.substr(0, length));
                text_.advance(length);
            }
        }
        return fail(field, fmt::format("the end of the file in a text that starts at byte {}", start),
                    "a closing double quote");
    }

    /// Bytes up to the first that is not printable ASCII, a quote or a backslash.
    static std::size_t plainLength(std::string_view text) {
        const auto *const odd = std::ranges::find_if(text, [](char c) {
            const auto byte = static_cast<unsigned char>(c);
            return byte < 0x20 || byte > 0x7e || byte == '"' || byte == '\\';
        });
        return static_cast<std::size_t>(odd - text.begin());
    }

    bool readEscape(std::string &string, const std::string &field) {
        static constexpr std::string_view letters = R"("\/bfnrt)";
        static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::uint64_t start = text_.position();
        text_.advance();
        const char letter = text_.peek();
        if (const std::size_t index = letters.find(letter); index != std::string_view::npos) {
            string += meanings[index];
            text_.advance();
            return true;
        }
        const std::optional<std::uint32_t> unit = letter == 'u' ? readUnit() : std::nullopt;
        if (!unit) {
            return fail(field, fmt::format("an unknown escape at byte {}", start),
                        R"(one of \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits)");
        }
        if (*unit >= 0xD800 && *unit < 0xDC00 && text_.ahead(2) == "\\u") {
            text_.advance();
            if (const auto low = readUnit(); low && *low >= 0xDC00 && *low < 0xE000) {
                appendUtf8(string, 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00));
                return true;
            }
        }
        if (*unit >= 0xD800 && *unit < 0xE000) {
            return fail(field, fmt::format("the lone surrogate \\u{:04x} at byte {}", *unit, start),
                        "surrogates in pairs, high before low");
        }
        appendUtf8(string, *unit);
        return true;
    }

    /// Pre: at the `u` of an escape.
    std::optional<std::uint32_t> readUnit() {
        const std::string_view letterAndDigits = text_.ahead(5);
        const std::string_view digits = letterAndDigits.substr(std::min<std::size_t>(1, letterAndDigits.size()));
        std::uint32_t unit = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
        if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4) {
            return std::nullopt;
        }
        text_.advance(5);
        return unit;
    }

    bool readWord() {
        const std::uint64_t start = text_.position();
        std::string_view word = text_.ahead(longestWord + 1);
        const auto *const wordEnd = std::ranges::find_if_not(word, isWordCharacter);
        word = word.substr(0, static_cast<std::size_t>(wordEnd - word.begin()));
        if (word.empty()) {
            return unexpected("a value");
        }
        if (word.size() > longestWord) {
            return fail(field_, fmt::format("{} at byte {}", shownText(word, 40), start),
                        fmt::format("a number of {} characters at most", longestWord));
        }
        nlohmann::json value;
        if (word == "true" || word == "false") {
            value = word == "true";
        } else if (word != "null") {
            if (!isNumber(word)) {
                return fail(
                    field_, fmt::format("{} at byte {}", shownText(word, 40), start),
                    "a value as JSON writes it: text in double quotes, a finite decimal number, true, false or null");
            }
            if (!readNumber(word, value)) {
                return fail(field_, fmt::format("{} at byte {}", shownText(word, 40), start),
                            "a number within the range of a double, 1e-307 to 1e308");
            }
        }
        text_.advance(word.size());
        return handler_.scalar(std::move(value), {field_, start});
    }

    void skipBlanks() {
        while (!text_.atEnd() && std::string_view(" \t\r\n").find(text_.peek()) != std::string_view::npos) {
            text_.advance();
        }
    }

    bool take(char c) {
        if (text_.atEnd() || text_.peek() != c) {
            return false;
        }
        text_.advance();
        return true;
    }

    JsonPlace place() const { return {field_, text_.position()}; }

    bool unexpected(std::string_view allowed) {
        std::string found =
            text_.atEnd() ? std::string("the end of the file") : shownByte(static_cast<unsigned char>(text_.peek()));
        handler_.problems.push_back({fmt::format("byte {}", text_.position()), std::move(found), std::string(allowed)});
        return false;
    }

    bool fail(const std::string &field, std::string found, std::string allowed) {
        return handler_.fail({field, text_.position()}, std::move(found), std::move(allowed));
    }

    TextWindow &text_;
    const JsonLimits &limits_;
    JsonHandler &handler_;
    std::size_t values_ = 0;
    std::string field_;
};

} // namespace

bool JsonHandler::fail(const JsonPlace &at, std::string found, std::string allowed) {
    problems.push_back(
        {at.field.empty() ? fmt::format("byte {}", at.byte) : at.field, std::move(found), std::move(allowed)});
    return false;
}

bool walkStrictJson(TextWindow &text, const JsonLimits &limits, JsonHandler &handler) {
    return Walker(text, limits, handler).walk();
}

} // namespace ridgepoint
