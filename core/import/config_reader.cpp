// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Typed fields of a model config.
#include "core/import/config_reader.h"

#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {

const nlohmann::json *ConfigReader::find(std::string_view key) const {
    const auto it = config_.find(key);
    return it == config_.end() ? nullptr : &*it;
}

bool ConfigReader::isSet(std::string_view key) const {
    const nlohmann::json *value = find(key);
    if (value == nullptr || value->is_null()) {
        return false;
    }
    if (value->is_boolean()) {
        return value->get<bool>();
    }
    if (value->is_number()) {
        return value->get<double>() != 0;
    }
    return !value->is_structured() || !value->empty();
}

int ConfigReader::count(std::string_view key, int most) {
    markRead(key);
    const nlohmann::json *value = find(key);
    if (value == nullptr) {
        problem(key, "nothing", "a whole number of at least 1");
        return 1;
    }
    if (!value->is_number_integer()) {
        problem(key, shownValue(*value), "a whole number of at least 1");
        return 1;
    }
    const auto number = value->get<std::int64_t>();
    if (number < 1) {
        problem(key, fmt::format("{}", number), "a whole number, must be at least 1");
        return 1;
    }
    if (number > most) {
        problem(key, fmt::format("{}", number), fmt::format("a whole number of {} at most", most));
        return 1;
    }
    return static_cast<int>(number);
}

int ConfigReader::countOr(std::string_view key, int most, int otherwise, std::string_view why) {
    if (has(key)) {
        return count(key, most);
    }
    assume(fmt::format("{}: {}{}, the default of {}", key, otherwise, why, className_));
    return otherwise;
}

int ConfigReader::countOrNull(std::string_view key, int most, int otherwise, std::string_view why) {
    if (!isNull(key)) {
        return countOr(key, most, otherwise, why);
    }
    assume(fmt::format("{}: {}{}, what {} takes for null", key, otherwise, why, className_));
    return otherwise;
}

int ConfigReader::countFromZero(std::string_view key, int most, int otherwise, std::string_view why) {
    const nlohmann::json *value = find(key);
    if (value != nullptr && value->is_number_integer() && *value == 0) {
        markRead(key);
        return 0;
    }
    if (value != nullptr && !value->is_null()) {
        return count(key, most);
    }
    markRead(key);
    assume(fmt::format("{}: {}{}, the default of {}", key, otherwise, why, className_));
    return otherwise;
}

std::optional<int> ConfigReader::countIfGiven(std::string_view key, int most) {
    markRead(key);
    return has(key) && !isNull(key) ? std::optional<int>(count(key, most)) : std::nullopt;
}

bool ConfigReader::flagIfGiven(std::string_view key, bool otherwise) {
    markRead(key);
    return has(key) && !isNull(key) ? flagOr(key, otherwise) : otherwise;
}

std::string ConfigReader::word(std::string_view key, std::string_view otherwise,
                               std::initializer_list<std::string_view> allowed) {
    markRead(key);
    const nlohmann::json *value = find(key);
    if (value == nullptr || value->is_null()) {
        return std::string(otherwise);
    }
    std::string list;
    for (const std::string_view one : allowed) {
        if (value->is_string() && value->get_ref<const std::string &>() == one) {
            return std::string(one);
        }
        list += list.empty() ? "" : " or ";
        list += one;
    }
    problem(key, shownValue(*value), list);
    return std::string(otherwise);
}

bool ConfigReader::flagOr(std::string_view key, bool otherwise) {
    markRead(key);
    const nlohmann::json *value = find(key);
    if (value == nullptr) {
        assume(fmt::format("{}: {}, the default of {}", key, otherwise, className_));
        return otherwise;
    }
    if (!value->is_boolean()) {
        problem(key, shownValue(*value), "true or false");
        return otherwise;
    }
    return value->get<bool>();
}

void ConfigReader::nested(std::string_view key, std::string_view nestedClass,
                          const std::function<void(ConfigReader &)> &read) {
    markRead(key);
    const nlohmann::json *value = find(key);
    if (value == nullptr || !value->is_object()) {
        problem(key, value == nullptr ? "nothing" : shownValue(*value), "an object");
        return;
    }
    ConfigReader reader(*value, nestedClass);
    read(reader);
    for (Problem &each : reader.problems) {
        each.field = fmt::format("{}.{}", key, each.field);
        problems.push_back(std::move(each));
    }
    for (const std::string &text : reader.assumptions) {
        const bool startsWithAField = text.find(' ') > text.find(':'); // else it is a sentence about the family
        assume(startsWithAField ? fmt::format("{}.{}", key, text) : text);
    }
    for (const std::string &text : reader.warnings) {
        warnings.push_back(fmt::format("{}.{}", key, text));
    }
}

void ConfigReader::problem(std::string_view field, std::string found, std::string allowed) {
    problems.push_back({std::string(field), std::move(found), std::move(allowed)});
}

bool ConfigReader::refused(std::initializer_list<std::string_view> keys) const {
    return std::ranges::any_of(problems,
                               [&](const Problem &p) { return std::ranges::find(keys, p.field) != keys.end(); });
}

} // namespace ridgepoint
