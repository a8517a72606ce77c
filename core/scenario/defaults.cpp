// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario that an empty file stands for: the catalogue's table of defaults laid over the initial values.
#include "core/import/strict_json.h"
#include "core/scenario/fields.h"
#include "core/scenario/file.h"
#include "core/scenario/model_choice.h"

namespace ridgepoint {

namespace {

const Field *fieldOf(std::string_view path) {
    for (const Section &section : sections()) {
        for (const Field &field : section.fields) {
            if (field.path == path) {
                return &field;
            }
        }
    }
    return nullptr;
}

} // namespace

Scenario defaultScenario(const Catalog &catalog) {
    Scenario scenario;
    Reading reading(catalog); // mistakes of the table are the business of the catalogue and its tests
    if (const ModelPreset *preset = catalog.model(scenario.model.reference)) {
        scenario.model.shape = preset->shape;
    }
    for (const ScenarioDefault &entry : catalog.defaults) {
        const Expected<nlohmann::json> value = parseStrictJson(entry.json);
        if (!value) {
            continue;
        }
        if (const Field *field = fieldOf(entry.key)) {
            field->read(*value, scenario, reading);
        } else if (entry.key == "model" && value->is_object()) {
            readModel(*value, {}, scenario, reading);
        } else if (entry.key == "model.preset" && value->is_string()) {
            readModel({{"preset", *value}}, {}, scenario, reading);
        }
    }
    return scenario;
}

} // namespace ridgepoint
