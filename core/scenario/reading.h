// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What reading a scenario collects on its way: every problem, and which fields can no longer be trusted.
#pragma once

#include "core/scenario/scenario.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

class Reading {
public:
    explicit Reading(const Catalog &from) : catalog(from) {}

    void report(std::string field, std::string found, std::string allowed);
    /// So many problems that more would not help.
    bool isFull() const;
    /// Rules on this field or anything below it are not worth checking any more.
    void distrust(std::string field) { distrusted.push_back(std::move(field)); }
    bool isDistrusted(std::string_view field) const {
        return std::find(distrusted.begin(), distrusted.end(), field) != distrusted.end();
    }

    const Catalog &catalog;
    Problems problems;
    std::vector<std::string> distrusted;
};

/// Whether one path is the other or lies below it: `model` and `model.heads`, `hardware.gpus[1].id` and
/// `hardware.gpus`.
bool touches(std::string_view a, std::string_view b);

/// Reports every key of the object that is not known, with the nearest one, which may be a key of another section.
void reportUnknownKeys(const nlohmann::json &object, const std::string &path,
                       const std::vector<std::string_view> &known, Reading &reading);

/// Checks field ranges and then the rules between fields, leaving out what touches a distrusted field.
Problems checkTrusted(const Scenario &scenario, const Catalog &catalog, const std::vector<std::string> &distrusted);

/// `; did you mean "adamw"?`, or nothing where no known word is near.
std::string didYouMean(std::string_view word, const std::vector<std::string_view> &known);

/// Words with commas between, cut after `most` of them.
std::string joined(const std::vector<std::string_view> &words, std::size_t most = 40);

/// A text in double quotes, made safe to show.
std::string inQuotes(std::string_view text);

/// A number as short as it can be without loss: `7`, `0.9`, `2e+300`.
std::string numberText(double value);

/// A number as a file holds it: whole numbers without a point.
nlohmann::ordered_json numberJson(double value);

} // namespace ridgepoint
