// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How figures, texts and sources of a catalogue entry are read and checked.
#include "core/catalog/entry.h"

#include <cmath>

namespace ridgepoint::catalog {

using nlohmann::json;

namespace {

std::string join(const std::set<std::string, std::less<>> &words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace

Entry::Entry(const json &object, std::string path, const FileContext &context, Problems &problems)
    : object_(object), path_(std::move(path)), context_(context), problems_(problems), problemsBefore_(problems.size()),
      entrySource_(context.defaultSource) {
    if (const json *source = raw("source")) {
        entrySource_ = sourceOf(*source, fieldOf("source"));
    }
}

std::string Entry::fieldOf(std::string_view key) const {
    return fmt::format("{}.{}", path_, shownText(key));
}

bool Entry::has(std::string_view key) const {
    return object_.contains(key);
}

void Entry::report(std::string_view key, std::string found, std::string allowed) {
    problems_.push_back({fieldOf(key), std::move(found), std::move(allowed)});
}

const json *Entry::raw(std::string_view key) {
    known_.emplace(key);
    const auto it = object_.find(key);
    return it == object_.end() ? nullptr : &*it;
}

std::string Entry::text(std::string_view key) {
    const json *value = raw(key);
    if (value == nullptr) {
        report(key, "nothing", "a text");
        return {};
    }
    if (!value->is_string() || value->get_ref<const std::string &>().empty()) {
        report(key, shownValue(*value), "a text");
        return {};
    }
    return value->get<std::string>();
}

std::string Entry::optionalText(std::string_view key) {
    return raw(key) == nullptr ? std::string() : text(key);
}

std::vector<std::string> Entry::optionalTexts(std::string_view key) {
    std::vector<std::string> texts;
    const json *value = raw(key);
    if (value == nullptr) {
        return texts;
    }
    if (!value->is_array()) {
        report(key, shownValue(*value), "a list of texts");
        return texts;
    }
    for (const json &item : *value) {
        if (item.is_string()) {
            texts.push_back(item.get<std::string>());
        } else {
            report(key, shownValue(item), "a list of texts");
        }
    }
    return texts;
}

bool Entry::flag(std::string_view key, bool absent) {
    const json *value = raw(key);
    if (value == nullptr) {
        return absent;
    }
    if (!value->is_boolean()) {
        report(key, shownValue(*value), "true or false");
        return absent;
    }
    return value->get<bool>();
}

bool Entry::sourcedFlag(std::string_view key, bool absent, std::string &source) {
    const json *value = raw(key);
    if (value == nullptr || !value->is_object()) {
        return flag(key, absent);
    }
    Entry inner(*value, fieldOf(key), context_, problems_);
    const bool result = inner.flag("value", absent);
    source = inner.entrySource_;
    inner.finish();
    return result;
}

std::optional<int> Entry::optionalWhole(std::string_view key) {
    const json *value = raw(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (!(number >= count.low && number <= count.high) || number != std::floor(number)) {
        report(key, shownValue(*value), std::string(count.allowed));
        return std::nullopt;
    }
    return static_cast<int>(number);
}

int Entry::whole(std::string_view key) {
    if (!has(key)) {
        raw(key);
        report(key, "nothing", std::string(count.allowed));
        return 1;
    }
    return optionalWhole(key).value_or(1);
}

std::string Entry::sourceOf(const json &value, const std::string &field) {
    std::string text;
    const auto add = [&](const json &part) {
        if (!part.is_string() || part.get_ref<const std::string &>().empty()) {
            problems_.push_back({field, shownValue(part), "a source, or a list of sources"});
            return;
        }
        const auto &word = part.get_ref<const std::string &>();
        const auto it = context_.sources.find(word);
        text += text.empty() ? "" : "; ";
        text += it == context_.sources.end() ? word : it->second;
    };
    if (value.is_array() && !value.empty()) {
        for (const json &part : value) {
            add(part);
        }
    } else {
        add(value);
    }
    return text;
}

Fact Entry::factOf(const json &value, std::string_view key, const Range &range) {
    Fact fact;
    const json *number = &value;
    fact.source = entrySource_;
    std::string field = fieldOf(key);
    if (value.is_object()) {
        Entry inner(value, field, context_, problems_);
        if (!inner.entrySource_.empty() && value.contains("source")) {
            fact.source = inner.entrySource_;
        }
        fact.estimate = inner.flag("estimate", false);
        fact.note = inner.optionalText("note");
        fact.confidence = inner.optionalText("confidence");
        number = inner.raw("value");
        inner.finish();
        if (number == nullptr) {
            problems_.push_back({field + ".value", "nothing", std::string(range.allowed)});
            return fact;
        }
    }
    const double found = number->is_number() ? number->get<double>() : std::nan("");
    if (!(found >= range.low && found <= range.high)) {
        problems_.push_back({std::move(field), shownValue(*number), std::string(range.allowed)});
        return fact;
    }
    fact.value = found;
    if (fact.source.empty()) {
        problems_.push_back({field + ".source", "nothing", "where the figure comes from"});
    }
    return fact;
}

std::optional<Fact> Entry::optionalFact(std::string_view key, const Range &range) {
    const json *value = raw(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    return factOf(*value, key, range);
}

Fact Entry::fact(std::string_view key, const Range &range) {
    const json *value = raw(key);
    if (value == nullptr) {
        report(key, "nothing", std::string(range.allowed));
        return {};
    }
    return factOf(*value, key, range);
}

bool Entry::finish() {
    for (const auto &item : object_.items()) {
        if (known_.find(item.key()) == known_.end()) {
            report(item.key(), "an unknown key", "one of " + join(known_));
        }
    }
    return problems_.size() == problemsBefore_;
}

const json *entryList(const json &document, std::string_view list, Problems &problems) {
    const auto it = document.find(list);
    if (it == document.end() || !it->is_array()) {
        problems.push_back(
            {std::string(list), it == document.end() ? "nothing" : shownValue(*it), "a list of entries"});
        return nullptr;
    }
    return &*it;
}

std::string entryId(const json &object, std::string_view list, std::size_t index, std::string_view idKey,
                    std::set<std::string> &used, Problems &problems) {
    const std::string place = fmt::format("{}[{}]", list, index);
    if (!object.is_object()) {
        problems.push_back({place, shownValue(object), "an object"});
        return {};
    }
    const auto it = object.find(idKey);
    const std::string field = fmt::format("{}.{}", place, idKey);
    if (it == object.end() || !it->is_string() || it->get_ref<const std::string &>().empty()) {
        problems.push_back({field, it == object.end() ? "nothing" : shownValue(*it), "a text"});
        return {};
    }
    auto id = it->get<std::string>();
    if (!used.insert(id).second) {
        problems.push_back({field, shownText(id) + " a second time", "an id that no other entry of the file has"});
        return {};
    }
    return id;
}

} // namespace ridgepoint::catalog
