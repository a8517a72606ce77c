// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the typed fields of a model config and collects what was wrong and what had to be assumed.
#pragma once

#include "core/scenario/problem.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
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
    /// A count that may be 0, as of leading dense layers; null means what absent means.
    int countFromZero(std::string_view key, int most, int otherwise, std::string_view why = {});
    /// A count where the config gives one, nothing where it is absent or null.
    std::optional<int> countIfGiven(std::string_view key, int most);
    /// A flag that says nothing about the class where it is absent.
    bool flagIfGiven(std::string_view key, bool otherwise);
    /// One of the words; absent or null gives `otherwise` without a note.
    std::string word(std::string_view key, std::string_view otherwise, std::initializer_list<std::string_view> allowed);

    /// Reads the object under `key` with the defaults of `nestedClass`; its problems and assumptions name `key.field`.
    /// A key that is missing or holds no object is a problem, and `read` is not called.
    void nested(std::string_view key, std::string_view nestedClass, const std::function<void(ConfigReader &)> &read);

    void assume(std::string text) { assumptions.push_back(std::move(text)); }
    void problem(std::string_view field, std::string found, std::string allowed);
    /// Whether any of these fields was refused already: rules that combine fields then have nothing to say.
    bool refused(std::initializer_list<std::string_view> keys) const;

    std::string_view className() const { return className_; }
    /// Whether a getter asked for the field: what nobody asked for may be a part that the reading would leave out.
    bool wasRead(std::string_view key) const { return read_.find(key) != read_.end(); }
    /// For fields that are read through `find`.
    void markRead(std::string_view key) { read_.emplace(key); }

    std::vector<std::string> assumptions;
    std::vector<std::string> warnings;
    Problems problems;

private:
    const nlohmann::json &config_;
    std::string_view className_;
    std::set<std::string, std::less<>> read_;
};

} // namespace ridgepoint
