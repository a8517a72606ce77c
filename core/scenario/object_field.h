// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A field that is an object of fields or null, as `model.experts`.
#pragma once

#include "core/scenario/field_kinds.h"

namespace ridgepoint {

/// `fields` get at members of the optional that `get` gives, which is then engaged. Keys of `required` must be there;
/// the others keep the defaults of the type. `complete`, where given, fills in what depends on other keys of the
/// object.
template <class Get>
Field objectField(std::string_view section, std::string_view key, Get get, std::vector<Field> fields,
                  std::vector<std::string_view> required,
                  std::function<void(const nlohmann::json &, Scenario &, Reading &)> complete = {}) {
    Field field;
    field.path = detail::pathOf(section, key);
    field.key = key;
    field.read = [get, fields, required, complete, path = field.path](const nlohmann::json &value, Scenario &s,
                                                                      Reading &reading) {
        get(s).reset();
        if (value.is_null()) {
            return;
        }
        if (!value.is_object()) {
            reading.report(path, shownValue(value), fmt::format("null or an object with {}", joined(required)));
            return;
        }
        get(s).emplace();
        const std::size_t before = reading.problems.size();
        std::vector<std::string_view> keys;
        keys.reserve(fields.size());
        for (const Field &one : fields) {
            keys.push_back(one.key);
        }
        reportUnknownKeys(value, path, keys, reading);
        for (const std::string_view one : required) {
            if (!value.contains(one)) {
                reading.report(detail::pathOf(path, one), "nothing",
                               fmt::format("a whole number; {} needs {}", path, joined(required)));
            }
        }
        for (const Field &one : fields) {
            if (const auto at = value.find(one.key); at != value.end()) {
                one.read(*at, s, reading);
            }
        }
        if (complete && reading.problems.size() == before) {
            complete(value, s, reading);
        }
    };
    field.write = [get, fields](const Scenario &s) -> nlohmann::ordered_json {
        if (!get(s)) {
            return nullptr;
        }
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (const Field &one : fields) {
            object[std::string(one.key)] = one.write(s);
        }
        return object;
    };
    field.check = [get, fields](const Scenario &s, const Catalog &catalog, Problems &problems) {
        if (!get(s)) {
            return;
        }
        for (const Field &one : fields) {
            if (one.check) {
                one.check(s, catalog, problems);
            }
        }
    };
    return field;
}

} // namespace ridgepoint
