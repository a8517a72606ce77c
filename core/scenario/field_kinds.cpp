// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the field kinds that do not depend on the member behind a field.
#include "core/scenario/field_kinds.h"

namespace ridgepoint {

std::string Range::broken(std::string_view noun, double value) const {
    if (value > most) {
        return fmt::format("{} of at most {}", noun, numberText(most));
    }
    if (leastExcluded ? !(value > least) : !(value >= least)) {
        return leastExcluded ? fmt::format("{} above {}", noun, numberText(least))
                             : fmt::format("{} of at least {}", noun, numberText(least));
    }
    return std::string(noun);
}

namespace detail {

std::string pathOf(std::string_view section, std::string_view key) {
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
}

std::optional<double> numberIn(const nlohmann::json &value, const std::string &path, const Range &range, bool whole,
                               std::string_view orNull, Reading &reading) {
    const std::string noun = whole ? "a whole number" : "a number";
    if (!value.is_number()) { // a boolean is none
        reading.report(path, shownValue(value), fmt::format("{}{}", noun, orNull));
        return std::nullopt;
    }
    const double number = value.get<double>() + 0.0; // -0 becomes 0
    if (!range.holds(number)) {
        reading.report(path, numberText(number), range.broken(noun, number));
        return std::nullopt;
    }
    if (whole && number != std::floor(number)) {
        reading.report(path, numberText(number), noun);
        return std::nullopt;
    }
    return number;
}

} // namespace detail

void reportChoice(const nlohmann::json &value, const std::string &path, const std::vector<std::string_view> &allowed,
                  std::string_view notModelled, Reading &reading) {
    std::string text = joined(allowed);
    if (!notModelled.empty()) {
        text += fmt::format("; {} not modelled in this version", notModelled);
    } else if (value.is_string()) {
        text += didYouMean(value.get_ref<const std::string &>(), allowed);
    }
    reading.report(path, value.is_string() ? inQuotes(value.get_ref<const std::string &>()) : shownValue(value), text);
}

namespace {

template <class List>
std::vector<std::string_view> idsOf(const List &list) {
    std::vector<std::string_view> ids;
    ids.reserve(list.size());
    for (const auto &entry : list) {
        ids.push_back(entry.id);
    }
    return ids;
}

std::string allModelled(const Catalog & /*catalog*/, std::string_view /*id*/) {
    return {};
}

bool isWeightFormat(const StorageFormat &format) {
    return format.forWeights;
}
bool isWidthFormat(const StorageFormat &format) {
    return format.forWeights && (!format.mix || format.mix->base == format.mix->head);
}
bool isCacheFormat(const StorageFormat &format) {
    return format.forCache;
}

template <bool (*IsIt)(const StorageFormat &)>
std::vector<std::string_view> formatIds(const Catalog &catalog) {
    std::vector<std::string_view> ids;
    for (const StorageFormat &format : catalog.formats) {
        if (IsIt(format)) {
            ids.push_back(format.id);
        }
    }
    return ids;
}

template <bool (*IsIt)(const StorageFormat &)>
bool hasFormat(const Catalog &catalog, std::string_view id) {
    const StorageFormat *format = catalog.format(id);
    return format != nullptr && IsIt(*format);
}

} // namespace

IdSource weightFormats() {
    return {"a weight format", formatIds<isWeightFormat>, hasFormat<isWeightFormat>, allModelled};
}

IdSource widthFormats() {
    return {"a weight format", formatIds<isWidthFormat>, hasFormat<isWidthFormat>, allModelled};
}

IdSource cacheFormats() {
    return {"a cache format", formatIds<isCacheFormat>, hasFormat<isCacheFormat>, allModelled};
}

IdSource optimizerIds() {
    return {"an optimizer", [](const Catalog &c) { return idsOf(c.optimizers); },
            [](const Catalog &c, std::string_view id) { return c.optimizer(id) != nullptr; }, allModelled};
}

IdSource recipeIds() {
    return {"a recipe", [](const Catalog &c) { return idsOf(c.recipes); },
            [](const Catalog &c, std::string_view id) { return c.recipe(id) != nullptr; }, allModelled};
}

IdSource frameworkIds() {
    return {"a framework", [](const Catalog &c) { return idsOf(c.frameworks); },
            [](const Catalog &c, std::string_view id) { return c.framework(id) != nullptr; }, allModelled};
}

IdSource engineIds() {
    return {"an engine", [](const Catalog &c) { return idsOf(c.engines); },
            [](const Catalog &c, std::string_view id) { return c.engine(id) != nullptr; }, allModelled};
}

IdSource economicsIds() {
    return {"an economics preset", [](const Catalog &c) { return idsOf(c.economics); },
            [](const Catalog &c, std::string_view id) { return c.economicsPreset(id) != nullptr; }, allModelled};
}

Problem unknownId(const std::string &path, std::string found, std::string_view id, const IdSource &source,
                  const Catalog &catalog) {
    const auto known = source.known(catalog);
    std::string allowed = fmt::format("{}: {}", source.what, joined(known));
    if (const std::string reason = source.notModelled(catalog, id); !reason.empty()) {
        allowed += fmt::format("; {} not modelled in this version", reason);
    } else {
        allowed += didYouMean(id, known);
    }
    return {path, std::move(found), std::move(allowed)};
}

std::vector<std::string_view> computeWords(bool withInt8) {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        const auto format = static_cast<ComputeFormat>(i);
        if (withInt8 || format != ComputeFormat::Int8) {
            words.push_back(idOf(format));
        }
    }
    return words;
}

Field neutralField(std::string_view section, std::string_view key, std::vector<nlohmann::json> neutral,
                   std::string_view notModelled) {
    Field field;
    field.path = detail::pathOf(section, key);
    field.key = key;
    field.read = [neutral, notModelled, path = field.path](const nlohmann::json &value, Scenario &, Reading &reading) {
        std::string allowed;
        for (const nlohmann::json &one : neutral) {
            if (value == one && value.is_boolean() == one.is_boolean()) {
                return;
            }
            allowed += (allowed.empty() ? "" : " or ") + (one.is_string() ? one.get<std::string>() : one.dump());
        }
        const std::string found =
            value.is_string() ? inQuotes(value.get_ref<const std::string &>()) : shownValue(value);
        reading.report(path, found, fmt::format("{}; {} not modelled in this version", allowed, notModelled));
    };
    field.write = [value = neutral.front()](const Scenario &) -> nlohmann::ordered_json {
        return nlohmann::ordered_json(value);
    };
    return field;
}

} // namespace ridgepoint
