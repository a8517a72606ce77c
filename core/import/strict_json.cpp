// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A recursive-descent reader of JSON that knows where it is when something is wrong.
#include "core/import/strict_json.h"

#include "core/import/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

namespace ridgepoint {
namespace {

constexpr std::size_t mostDuplicatesListed = 20;

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

class Reader {
public:
    Reader(std::string_view text, std::size_t start, const JsonLimits &limits)
        : text_(text), at_(start), limits_(limits) {}

    Expected<nlohmann::json> read() {
        nlohmann::json value;
        if (readValue(value, 0)) {
            skipBlanks();
            if (at_ < text_.size()) {
                unexpected("the end of the file");
            }
        }
        if (!problems_.empty()) {
            return tl::unexpected(std::move(problems_));
        }
        return value;
    }

private:
    bool readValue(nlohmann::json &value, int depth) { // NOLINT(misc-no-recursion): bounded by limits_.depth
        if (++values_ > limits_.values) {
            return fail({}, fmt::format("more than {} values", limits_.values), "a smaller file");
        }
        skipBlanks();
        switch (peek()) {
        case '{':
            return nested(depth) && readObject(value, depth);
        case '[':
            return nested(depth) && readList(value, depth);
        case '"': {
            std::string string;
            if (!readString(string, path_)) {
                return false;
            }
            value = std::move(string);
            return true;
        }
        default:
            return readWord(value);
        }
    }

    bool nested(int depth) {
        return depth < limits_.depth ||
               fail({}, fmt::format("more than {} objects or lists inside one another", limits_.depth),
                    fmt::format("a depth of {} at most", limits_.depth));
    }

    bool readObject(nlohmann::json &value, int depth) {
        value = nlohmann::json::object();
        ++at_;
        skipBlanks();
        if (take('}')) {
            return true;
        }
        do {
            if (!readMember(value, depth)) {
                return false;
            }
            skipBlanks();
        } while (take(','));
        return take('}') || unexpected("`,` or `}`");
    }

    bool readMember(nlohmann::json &object, int depth) {
        skipBlanks();
        if (peek() != '"') {
            return unexpected("a key in double quotes");
        }
        const std::size_t keyAt = at_;
        std::string key;
        if (!readString(key, {})) {
            return false;
        }
        skipBlanks();
        if (!take(':')) {
            return unexpected("`:` after a key");
        }
        const std::size_t parentLength = path_.size();
        path_.append(path_.empty() ? 0 : 1, '.').append(shownText(key));
        nlohmann::json member;
        if (!readValue(member, depth + 1)) {
            return false;
        }
        if (object.contains(key)) {
            if (problems_.size() < mostDuplicatesListed) {
                fail(path_, fmt::format("the key a second time at byte {}", keyAt), "each key once");
            }
        } else {
            object.emplace(std::move(key), std::move(member));
        }
        path_.resize(parentLength);
        return true;
    }

    bool readList(nlohmann::json &value, int depth) {
        value = nlohmann::json::array();
        ++at_;
        skipBlanks();
        if (take(']')) {
            return true;
        }
        const std::size_t parentLength = path_.size();
        do {
            path_.append(1, '[').append(std::to_string(value.size())).append(1, ']');
            nlohmann::json member;
            if (!readValue(member, depth + 1)) {
                return false;
            }
            value.push_back(std::move(member));
            path_.resize(parentLength);
            skipBlanks();
        } while (take(','));
        return take(']') || unexpected("`,` or `]`");
    }

    /// Pre: at a double quote. `field` is what a problem inside the text is reported under; empty: its byte.
    bool readString(std::string &string, const std::string &field) {
        const std::size_t start = at_++;
        while (at_ < text_.size()) {
            const auto byte = static_cast<unsigned char>(text_[at_]);
            if (byte == '"') {
                ++at_;
                return true;
            }
            if (byte == '\\') {
                if (!readEscape(string, field)) {
                    return false;
                }
            } else if (byte < 0x20) {
                return fail(field, fmt::format("{} at byte {}", shownByte(byte), at_),
                            fmt::format("control characters written as \\u{:04x}", byte));
            } else {
                const std::size_t length = utf8SequenceLength(text_.substr(at_));
                if (length == 0) {
                    return fail(field, fmt::format("byte 0x{:02X} at byte {}, which is not UTF-8", byte, at_),
                                "text in UTF-8");
                }
                string.append(text_, at_, length);
                at_ += length;
            }
        }
        return fail(field, fmt::format("the end of the file in a text that starts at byte {}", start),
                    "a closing double quote");
    }

    bool readEscape(std::string &string, const std::string &field) {
        static constexpr std::string_view letters = R"("\/bfnrt)";
        static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = at_++;
        const char letter = peek();
        if (const std::size_t index = letters.find(letter); index != std::string_view::npos) {
            string += meanings[index];
            ++at_;
            return true;
        }
        const std::optional<std::uint32_t> unit = letter == 'u' ? readUnit() : std::nullopt;
        if (!unit) {
            return fail(field, fmt::format("an unknown escape at byte {}", start),
                        R"(one of \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits)");
        }
        if (*unit >= 0xD800 && *unit < 0xDC00 && text_.substr(at_, 2) == "\\u") {
            ++at_;
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
        const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()), 4);
        std::uint32_t unit = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
        if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4) {
            return std::nullopt;
        }
        at_ += 5;
        return unit;
    }

    bool readWord(nlohmann::json &value) {
        const std::size_t start = at_;
        std::size_t end = start;
        while (end < text_.size() && isWordCharacter(text_[end])) {
            ++end;
        }
        const std::string_view word = text_.substr(start, end - start);
        if (word.empty()) {
            return unexpected("a value");
        }
        at_ = end;
        if (word == "true" || word == "false") {
            value = word == "true";
            return true;
        }
        if (word == "null") {
            value = nullptr;
            return true;
        }
        const std::string found = fmt::format("{} at byte {}", shownText(word, 40), start);
        if (!isNumber(word)) {
            return fail(
                path_, found,
                "a value as JSON writes it: text in double quotes, a finite decimal number, true, false or null");
        }
        return readNumber(word, value) || fail(path_, fmt::format("{} at byte {}", shownText(word, 40), start),
                                               "a number within the range of a double, 1e-307 to 1e308");
    }

    void skipBlanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
            ++at_;
        }
    }

    /// The next byte; NUL, which fits nowhere, at the end.
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char c) {
        if (peek() != c) {
            return false;
        }
        ++at_;
        return true;
    }

    bool unexpected(std::string_view allowed) {
        std::string found =
            at_ < text_.size() ? shownByte(static_cast<unsigned char>(text_[at_])) : std::string("the end of the file");
        problems_.push_back({fmt::format("byte {}", at_), std::move(found), std::string(allowed)});
        return false;
    }

    bool fail(const std::string &field, std::string found, std::string allowed) {
        problems_.push_back(
            {field.empty() ? fmt::format("byte {}", at_) : field, std::move(found), std::move(allowed)});
        return false;
    }

    std::string_view text_;
    std::size_t at_;
    JsonLimits limits_;
    std::size_t values_ = 0;
    std::string path_;
    Problems problems_;
};

/// The name of a Unicode encoding that is not UTF-8, by its mark or by the NULs around the first characters.
std::string_view foreignEncoding(std::string_view text) {
    using namespace std::string_view_literals;
    if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) {
        return "UTF-32";
    }
    const auto isNul = [&](std::size_t i) { return text[i] == '\0'; };
    const bool hasPattern = text.size() >= 4 && isNul(0) != isNul(1) && isNul(0) == isNul(2) && isNul(1) == isNul(3);
    return hasPattern || text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv) ? "UTF-16"
                                                                                          : std::string_view();
}

tl::unexpected<Problems> wholeFile(std::string found, std::string allowed) {
    return tl::unexpected(Problems{{"", std::move(found), std::move(allowed)}});
}

} // namespace

Expected<nlohmann::json> parseStrictJson(std::string_view text, const JsonLimits &limits) {
    if (text.size() > limits.bytes) {
        return wholeFile(fmt::format("{} bytes", text.size()), fmt::format("{} bytes at most", limits.bytes));
    }
    if (const std::string_view encoding = foreignEncoding(text); !encoding.empty()) {
        return wholeFile(fmt::format("text in {}", encoding), "text in UTF-8");
    }
    const std::size_t start = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    if (text.find_first_not_of(" \t\r\n", start) == std::string_view::npos) {
        return wholeFile(text.size() == start ? "an empty file" : "an empty file of blanks only", "JSON");
    }
    return Reader(text, start, limits).read();
}

Expected<nlohmann::json> parseStrictJsonObject(std::string_view text, const JsonLimits &limits) {
    Expected<nlohmann::json> value = parseStrictJson(text, limits);
    if (value && !value->is_object()) {
        return wholeFile(fmt::format("{} at the top level", shownValue(*value)), "an object");
    }
    return value;
}

std::string shownValue(const nlohmann::json &value) {
    if (value.is_object()) {
        return "an object";
    }
    if (value.is_array()) {
        return "a list";
    }
    return value.is_string() ? fmt::format("text \"{}\"", shownText(value.get_ref<const std::string &>()))
                             : value.dump();
}

std::string shownText(std::string_view text, std::size_t limit) {
    std::string shown;
    for (std::size_t i = 0; i < text.size();) {
        if (shown.size() >= limit) {
            return shown + "...";
        }
        const std::size_t length = utf8SequenceLength(text.substr(i));
        if (length == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
            ++i;
            continue;
        }
        const std::string_view character = text.substr(i, length);
        const std::uint32_t code = codePointOf(character);
        shown += isHiddenCodePoint(code) ? fmt::format("\\u{:04x}", code) : std::string(character);
        i += length;
    }
    return shown;
}

} // namespace ridgepoint
