// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Builds values from the events of strict JSON, and says what kind of text a file is where it is none.
#include "core/import/strict_json.h"

#include "core/import/utf8.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace ridgepoint {
namespace {

constexpr std::size_t mostDuplicatesListed = 20;

/// Builds the value; the last object or list begun stands at the back of `open_`.
class Builder final : public JsonHandler {
public:
    bool beginObject(const JsonPlace &at) override { return begin(nlohmann::json::object(), at); }
    bool beginList(const JsonPlace &at) override { return begin(nlohmann::json::array(), at); }

    bool end() override {
        nlohmann::json value = std::move(open_.back().value);
        open_.pop_back();
        add(std::move(value));
        return true;
    }

    bool key(std::string &text, const JsonPlace &at) override {
        Open &object = open_.back();
        object.isDuplicate = object.value.contains(text);
        if (object.isDuplicate && problems.size() < mostDuplicatesListed) {
            fail(at, fmt::format("the key a second time at byte {}", at.byte), "each key once");
        }
        object.key = std::move(text);
        return true;
    }

    bool scalar(nlohmann::json value, const JsonPlace & /*at*/) override {
        add(std::move(value));
        return true;
    }

    nlohmann::json whole;

private:
    struct Open {
        nlohmann::json value;
        std::string key;
        bool isDuplicate = false;
    };

    bool begin(nlohmann::json empty, const JsonPlace & /*at*/) {
        open_.push_back({std::move(empty), {}, false});
        return true;
    }

    void add(nlohmann::json value) {
        if (open_.empty()) {
            whole = std::move(value);
        } else if (Open &parent = open_.back(); parent.value.is_array()) {
            parent.value.push_back(std::move(value));
        } else if (!parent.isDuplicate) {
            parent.value.emplace(std::move(parent.key), std::move(value));
        }
    }

    std::vector<Open> open_;
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
    TextWindow window(text);
    window.advance(start);
    Builder builder;
    walkStrictJson(window, limits, builder);
    if (!builder.problems.empty()) {
        return tl::unexpected(std::move(builder.problems));
    }
    return std::move(builder.whole);
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
        if (const auto byte = static_cast<unsigned char>(text[i]); byte >= 0x20 && byte < 0x7f) {
            shown += text[i++];
            continue;
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
