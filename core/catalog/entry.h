// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one entry of a catalogue file field by field and collects every mistake with its place.
#pragma once

#include "core/catalog/catalog.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace ridgepoint::catalog {

/// Short ids of sources to their full text, one table per file.
using Sources = std::map<std::string, std::string, std::less<>>;

/// What a figure may be. Bounds are inclusive.
struct Range {
    double low;
    double high;
    std::string_view allowed; ///< in words
};

// The smallest double above zero stands for "greater than zero".
inline constexpr Range positive{5e-324, 1e30, "a number greater than 0"};
inline constexpr Range notNegative{0, 1e30, "a number of at least 0"};
inline constexpr Range share{5e-324, 1.5, "a share greater than 0 and at most 1.5"};
inline constexpr Range fraction{0, 1, "a fraction from 0 to 1"};
inline constexpr Range atLeastOne{1, 1e30, "a number of at least 1"};
inline constexpr Range count{1, 2147483647, "a whole number from 1 to 2147483647"};

/// Where the entries come from and what their figures may leave out.
struct FileContext {
    Sources sources;
    /// Source of figures that name none: a user's file name. Empty for the shipped files, where every figure must say.
    std::string defaultSource;
};

class Entry {
public:
    /// `path` names the entry in problems, as `gpus.nvidia-h100-sxm`.
    Entry(const nlohmann::json &object, std::string path, const FileContext &context, Problems &problems);

    std::string text(std::string_view key);
    std::string optionalText(std::string_view key);
    std::vector<std::string> optionalTexts(std::string_view key);
    bool flag(std::string_view key, bool absent);
    /// Whole number within `count`.
    int whole(std::string_view key);
    std::optional<int> optionalWhole(std::string_view key);
    Fact fact(std::string_view key, const Range &range);
    std::optional<Fact> optionalFact(std::string_view key, const Range &range);
    /// A flag that may carry its source: `false` or `{"value": false, "source": ...}`.
    bool sourcedFlag(std::string_view key, bool absent, std::string &source);
    /// The raw value, or nullptr; counts as read.
    const nlohmann::json *raw(std::string_view key);

    bool has(std::string_view key) const;
    void report(std::string_view key, std::string found, std::string allowed);
    /// Reports keys that nothing asked for. True when the entry had no mistake at all.
    bool finish();

    /// The entry's own `source`, else the file's; empty where neither says.
    const std::string &source() const { return entrySource_; }
    const FileContext &context() const { return context_; }
    const std::string &path() const { return path_; }
    const nlohmann::json &object() const { return object_; }
    Problems &problems() { return problems_; }

private:
    std::string sourceOf(const nlohmann::json &value, const std::string &field);
    Fact factOf(const nlohmann::json &value, std::string_view key, const Range &range);
    std::string fieldOf(std::string_view key) const;

    const nlohmann::json &object_;
    std::string path_;
    const FileContext &context_;
    Problems &problems_;
    std::size_t problemsBefore_;
    std::set<std::string, std::less<>> known_;
    std::string entrySource_;
};

/// The entry's id, or empty with a problem reported.
std::string entryId(const nlohmann::json &object, std::string_view list, std::size_t index, std::string_view idKey,
                    std::set<std::string> &used, Problems &problems);
/// The array, or nullptr with a problem reported.
const nlohmann::json *entryList(const nlohmann::json &document, std::string_view list, Problems &problems);

/// Calls `read(entry)` for every entry of the array `document[list]`. An entry without a usable id, or with one that
/// this file already used, becomes a problem.
template <class Read>
void forEachEntry(const nlohmann::json &document, std::string_view list, const FileContext &context, Problems &problems,
                  Read read, std::string_view idKey = "id") {
    const nlohmann::json *entries = entryList(document, list, problems);
    if (entries == nullptr) {
        return;
    }
    std::set<std::string> used;
    std::size_t index = 0;
    for (const nlohmann::json &object : *entries) {
        const std::string id = entryId(object, list, index, idKey, used, problems);
        ++index;
        if (!id.empty()) {
            Entry entry(object, fmt::format("{}.{}", list, shownText(id)), context, problems);
            read(entry);
        }
    }
}

} // namespace ridgepoint::catalog
