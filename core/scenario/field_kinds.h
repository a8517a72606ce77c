// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of field that the table is made of: counts, numbers, switches, choices, catalogue ids, and what is not
// modelled.
#pragma once

#include "core/import/strict_json.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

namespace ridgepoint {

/// Bounds of a number, both included unless said otherwise. Upper bounds are far above any real system: they keep the
/// arithmetic behind them finite.
struct Range {
    double least = 0;
    double most = 1e15;
    bool leastExcluded = false;

    bool holds(double value) const {
        return std::isfinite(value) && value <= most && (leastExcluded ? value > least : value >= least);
    }
    /// `a whole number of at least 1`: the bound that the value breaks.
    std::string broken(std::string_view noun, double value) const;
};

namespace detail {

template <class T>
struct Plain {
    using Type = T;
    static constexpr bool isOptional = false;
};
template <class T>
struct Plain<std::optional<T>> {
    using Type = T;
    static constexpr bool isOptional = true;
};

template <class Get>
using ValueOf = std::remove_cvref_t<decltype(std::declval<Get>()(std::declval<Scenario &>()))>;

std::string pathOf(std::string_view section, std::string_view key);

/// The number of a JSON value if it is one, whole where asked for and in range; else reports.
std::optional<double> numberIn(const nlohmann::json &value, const std::string &path, const Range &range, bool whole,
                               std::string_view orNull, Reading &reading);

template <class T>
void checkNumber(const T &value, const std::string &path, const Range &range, bool whole, Problems &problems) {
    if constexpr (Plain<T>::isOptional) {
        if (value) {
            checkNumber(*value, path, range, whole, problems);
        }
    } else {
        const auto number = static_cast<double>(value);
        if (!range.holds(number) || (whole && number != std::floor(number))) {
            const std::string_view noun = whole ? "a whole number" : "a number";
            problems.push_back({path, numberText(number), range.broken(noun, number)});
        }
    }
}

template <class Get>
Field numeric(std::string_view section, std::string_view key, Get get, Range range, bool whole) {
    using T = ValueOf<Get>;
    Field field;
    field.path = pathOf(section, key);
    field.key = key;
    field.read = [get, range, whole, path = field.path](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if constexpr (Plain<T>::isOptional) {
            if (value.is_null()) {
                get(s) = std::nullopt;
                return;
            }
        }
        if (const auto number = numberIn(value, path, range, whole, Plain<T>::isOptional ? " or null" : "", reading)) {
            get(s) = static_cast<typename Plain<T>::Type>(*number);
        }
    };
    field.write = [get](const Scenario &s) -> nlohmann::ordered_json {
        const T &value = get(s);
        if constexpr (Plain<T>::isOptional) {
            return value ? numberJson(static_cast<double>(*value)) : nlohmann::ordered_json(nullptr);
        } else {
            return numberJson(static_cast<double>(value));
        }
    };
    field.check = [get, range, whole, path = field.path](const Scenario &s, const Catalog &, Problems &problems) {
        checkNumber(get(s), path, range, whole, problems);
    };
    return field;
}

} // namespace detail

/// A whole number; `get` gives the member (int, double, or an optional of them, which null clears).
template <class Get>
Field countField(std::string_view section, std::string_view key, Get get, Range range) {
    return detail::numeric(section, key, get, range, true);
}

template <class Get>
Field numberField(std::string_view section, std::string_view key, Get get, Range range) {
    return detail::numeric(section, key, get, range, false);
}

template <class Get>
Field flagField(std::string_view section, std::string_view key, Get get) {
    Field field;
    field.path = detail::pathOf(section, key);
    field.key = key;
    field.read = [get, path = field.path](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (!value.is_boolean()) {
            reading.report(path, shownValue(value), "true or false");
            return;
        }
        get(s) = value.get<bool>();
    };
    field.write = [get](const Scenario &s) -> nlohmann::ordered_json { return static_cast<bool>(get(s)); };
    return field;
}

/// One word of a choice; words without a value are known but not modelled, and say what that is.
template <class T>
struct Word {
    std::string_view name;
    std::optional<T> value;
    std::string_view notModelled = {};
};

/// Reports a value that is none of the words; `notModelled` is the sentence for what the format knows but this version
/// does not.
void reportChoice(const nlohmann::json &value, const std::string &path, const std::vector<std::string_view> &allowed,
                  std::string_view notModelled, Reading &reading);

template <class T, class Get>
Field choiceField(std::string_view section, std::string_view key, Get get, std::vector<Word<T>> words,
                  std::string_view objectNotModelled = {}) {
    Field field;
    field.path = detail::pathOf(section, key);
    field.key = key;
    field.read = [get, words, objectNotModelled, path = field.path](const nlohmann::json &value, Scenario &s,
                                                                    Reading &reading) {
        std::vector<std::string_view> allowed;
        std::string_view notModelled = value.is_object() ? objectNotModelled : std::string_view();
        for (const Word<T> &word : words) {
            const bool isIt = value.is_string() && value.get_ref<const std::string &>() == word.name;
            if (isIt && word.value) {
                get(s) = *word.value;
                return;
            }
            if (word.value) {
                allowed.push_back(word.name);
            }
            notModelled = isIt ? word.notModelled : notModelled;
        }
        reportChoice(value, path, allowed, notModelled, reading);
    };
    field.write = [get, words](const Scenario &s) -> nlohmann::ordered_json {
        for (const Word<T> &word : words) {
            if (word.value == get(s)) {
                return word.name;
            }
        }
        return nullptr;
    };
    return field;
}

/// Where ids of one kind come from.
struct IdSource {
    std::string_view what; ///< as `an optimizer`
    std::vector<std::string_view> (*known)(const Catalog &);
    bool (*has)(const Catalog &, std::string_view id);
    /// What the format knows but this version does not model; empty otherwise.
    std::string (*notModelled)(const Catalog &, std::string_view id);
};

IdSource weightFormats();
/// Weight formats that say the width of one tensor without the others: mixes by tensor are left out.
IdSource widthFormats();
IdSource cacheFormats();
IdSource optimizerIds();
IdSource recipeIds();
IdSource frameworkIds();
IdSource engineIds();
IdSource economicsIds();

/// The problem of an unknown id: those known, the nearest, and whether it is only not modelled.
Problem unknownId(const std::string &path, std::string found, std::string_view id, const IdSource &source,
                  const Catalog &catalog);

template <class Get>
Field idField(std::string_view section, std::string_view key, Get get, IdSource source) {
    Field field;
    field.path = detail::pathOf(section, key);
    field.key = key;
    field.read = [get, source, path = field.path](const nlohmann::json &value, Scenario &s, Reading &reading) {
        const std::string id = value.is_string() ? value.get<std::string>() : std::string();
        if (!value.is_string() || !source.has(reading.catalog, id)) {
            Problem problem =
                unknownId(path, value.is_string() ? inQuotes(id) : shownValue(value), id, source, reading.catalog);
            reading.report(problem.field, problem.found, problem.allowed);
            return;
        }
        get(s) = id;
    };
    field.write = [get](const Scenario &s) -> nlohmann::ordered_json { return get(s); };
    field.check = [get, source, path = field.path](const Scenario &s, const Catalog &catalog, Problems &problems) {
        const std::string &id = get(s);
        if (!source.has(catalog, id)) {
            problems.push_back(unknownId(path, inQuotes(id), id, source, catalog));
        }
    };
    return field;
}

/// The formats a compute key may name. int8 multiplies only at inference.
std::vector<std::string_view> computeWords(bool withInt8);

/// The compute format by name, or null for the default.
template <class Get>
Field computeField(std::string_view section, Get get, bool withInt8) {
    Field field;
    field.path = detail::pathOf(section, "compute");
    field.key = "compute";
    field.read = [get, withInt8, path = field.path](const nlohmann::json &value, Scenario &s, Reading &reading) {
        std::optional<ComputeFormat> format;
        if (value.is_string()) {
            format = computeFormatFromId(value.get_ref<const std::string &>());
        }
        if (value.is_null() || (format && (withInt8 || format != ComputeFormat::Int8))) {
            get(s) = format;
            return;
        }
        reportChoice(value, path, computeWords(withInt8), {}, reading);
    };
    field.write = [get](const Scenario &s) {
        const auto &format = get(s);
        return format ? nlohmann::ordered_json(idOf(*format)) : nlohmann::ordered_json(nullptr);
    };
    field.check = [get, withInt8, path = field.path](const Scenario &s, const Catalog &, Problems &problems) {
        if (get(s) == ComputeFormat::Int8 && !withInt8) {
            problems.push_back({path, inQuotes("int8"), joined(computeWords(withInt8))});
        }
    };
    return field;
}

/// A key of the format that this version does not model: its neutral values are accepted, all others refused.
Field neutralField(std::string_view section, std::string_view key, std::vector<nlohmann::json> neutral,
                   std::string_view notModelled);

} // namespace ridgepoint
