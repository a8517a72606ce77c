// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of fields, put together from its sections.
#include "core/scenario/fields.h"

#include "core/scenario/field_kinds.h"

#include <array>

namespace ridgepoint {

namespace {

constexpr std::size_t longestName = 500;

Field versionField() {
    Field field;
    field.path = "ridgepoint";
    field.key = "ridgepoint";
    field.read = [](const nlohmann::json &value, Scenario &, Reading &reading) {
        if (!value.is_number()) {
            reading.report("ridgepoint", shownValue(value), "1, the version of this format");
        } else if (value != 1) {
            const bool isNewer = value.get<double>() > 1;
            reading.report("ridgepoint", numberText(value.get<double>()),
                           isNewer ? "1, the version of this format; the file was made by a newer version of Ridgepoint"
                                   : "1, the version of this format");
        }
    };
    field.write = [](const Scenario &) -> nlohmann::ordered_json { return 1; };
    return field;
}

bool isPrintable(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            return false;
        }
    }
    return true;
}

Field nameField() {
    static constexpr std::string_view allowed = "a text of at most 500 bytes without control characters";
    Field field;
    field.path = "name";
    field.key = "name";
    field.read = [](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (!value.is_string()) {
            reading.report("name", shownValue(value), "a text");
            return;
        }
        const auto &name = value.get_ref<const std::string &>();
        if (name.size() > longestName || !isPrintable(name)) {
            reading.report("name", inQuotes(name), std::string(allowed));
            return;
        }
        s.name = name;
    };
    field.write = [](const Scenario &s) -> nlohmann::ordered_json { return s.name; };
    field.check = [](const Scenario &s, const Catalog &, Problems &problems) {
        if (s.name.size() > longestName || !isPrintable(s.name)) {
            problems.push_back({"name", inQuotes(s.name), std::string(allowed)});
        }
    };
    return field;
}

} // namespace

const Field *Section::field(std::string_view key) const {
    for (const Field &one : fields) {
        if (one.key == key) {
            return &one;
        }
    }
    return nullptr;
}

std::vector<std::string_view> Section::keys() const {
    std::vector<std::string_view> all;
    for (const Field &one : fields) {
        all.push_back(one.key);
    }
    return all;
}

Section topSection() {
    return {"",
            {versionField(), nameField(),
             choiceField<Task>("", "task", [](auto &s) -> auto & { return s.task; },
                               {{"training", Task::Training}, {"inference", Task::Inference}})}};
}

std::span<const Section> sections() {
    static const std::array<Section, 6> all{topSection(),         trainingSection(), inferenceSection(),
                                            parallelismSection(), hardwareSection(), economicsSection()};
    return all;
}

const Section &shapeSection() {
    static const Section shape = modelShapeSection();
    return shape;
}

std::vector<std::string_view> topLevelKeys() {
    return {"ridgepoint", "name", "model", "task", "training", "inference", "parallelism", "hardware", "economics"};
}

} // namespace ridgepoint
