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
    return !value->is_object() || !value->empty();
}

int ConfigReader::count(std::string_view key, int most) {
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

bool ConfigReader::flagOr(std::string_view key, bool otherwise) {
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
        assume(fmt::format("{}.{}", key, text));
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
