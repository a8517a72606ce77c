// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the typed fields of a model config and collects what was wrong and what had to be assumed.
#pragma once

#include "core/scenario/problem.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// One config object under reading. Getters never fail: they note a problem and return a harmless value.
class ConfigReader {
public:
    /// `className`: of the Hugging Face class whose defaults hold, as `LlamaConfig`. Pre: `config` is an object and
    /// outlives this.
    ConfigReader(const nlohmann::json &config, std::string_view className) : config_(config), className_(className) {}

    /// The field, or nullptr where the config does not have it.
    const nlohmann::json *find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }
    bool isNull(std::string_view key) const { return has(key) && find(key)->is_null(); }
    /// Neither absent nor null, false, zero or an empty object.
    bool isSet(std::string_view key) const;

    /// A count that the config must give, from 1 to `most`.
    int count(std::string_view key, int most);
    /// The same; what the class takes where the key is absent is listed as an assumption, with `why` behind it.
    int countOr(std::string_view key, int most, int otherwise, std::string_view why = {});
    /// The same where null means what absent means.
    int countOrNull(std::string_view key, int most, int otherwise, std::string_view why = {});
    bool flagOr(std::string_view key, bool otherwise);

    /// Reads the object under `key` with the defaults of `nestedClass`; its problems and assumptions name `key.field`.
    /// A key that is missing or holds no object is a problem, and `read` is not called.
    void nested(std::string_view key, std::string_view nestedClass, const std::function<void(ConfigReader &)> &read);

    void assume(std::string text) { assumptions.push_back(std::move(text)); }
    void problem(std::string_view field, std::string found, std::string allowed);
    /// Whether any of these fields was refused already: rules that combine fields then have nothing to say.
    bool refused(std::initializer_list<std::string_view> keys) const;

    std::string_view className() const { return className_; }

    std::vector<std::string> assumptions;
    std::vector<std::string> warnings;
    Problems problems;

private:
    const nlohmann::json &config_;
    std::string_view className_;
};

} // namespace ridgepoint
