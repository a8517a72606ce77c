// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes whole scenario files by walking the table of fields.
#include "core/scenario/file.h"

#include "core/import/strict_json.h"
#include "core/scenario/checks.h"
#include "core/scenario/fields.h"
#include "core/scenario/model_choice.h"
#include "core/scenario/recipe_bytes.h"

namespace ridgepoint {

namespace {

void readFields(const nlohmann::json &object, const Section &section, Scenario &scenario, Reading &reading) {
    for (const Field &field : section.fields) {
        if (const auto value = object.find(field.key); value != object.end()) {
            field.read(*value, scenario, reading);
        }
    }
}

void readSection(const nlohmann::json &root, const Section &section, Scenario &scenario, Reading &reading) {
    if (section.name.empty()) {
        readFields(root, section, scenario, reading);
        return;
    }
    const auto value = root.find(section.name);
    if (value == root.end()) {
        return;
    }
    if (!value->is_object()) {
        reading.report(std::string(section.name), shownValue(*value), "an object");
        return;
    }
    reportUnknownKeys(*value, std::string(section.name), section.keys(), reading);
    readFields(*value, section, scenario, reading);
}

} // namespace

Expected<Scenario> readScenario(std::string_view json, const Catalog &catalog, const ConfigLoader &loadConfig) {
    const Expected<nlohmann::json> root = parseStrictJsonObject(json);
    if (!root) {
        return tl::unexpected(root.error());
    }
    Scenario scenario = defaultScenario(catalog);
    Reading reading(catalog);
    reportUnknownKeys(*root, "", topLevelKeys(), reading);
    if (const auto model = root->find("model"); model != root->end()) {
        readModel(*model, loadConfig, scenario, reading);
    } else {
        reading.report("model", "nothing", "exactly one of preset, config, parameters, or an explicit shape");
    }
    for (const Section &section : sections()) {
        readSection(*root, section, scenario, reading);
    }
    if (const auto training = root->find("training"); training != root->end() && training->is_object()) {
        finishRecipe(*training, scenario, catalog);
    }
    Problems problems = std::move(reading.problems);
    const Problems broken = checkTrusted(scenario, catalog, reading.distrusted);
    problems.insert(problems.end(), broken.begin(), broken.end());
    if (!problems.empty()) {
        return tl::unexpected(std::move(problems));
    }
    return scenario;
}

std::string writeScenario(const Scenario &scenario) {
    nlohmann::ordered_json root = nlohmann::ordered_json::object();
    for (const std::string_view key : topLevelKeys()) {
        root[std::string(key)] = nullptr; // fixes the order
    }
    root["model"] = modelJson(scenario.model);
    for (const Section &section : sections()) {
        nlohmann::ordered_json &object = section.name.empty() ? root : root[std::string(section.name)];
        for (const Field &field : section.fields) {
            object[std::string(field.key)] = field.write(scenario);
        }
    }
    constexpr int indent = 2;
    return root.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string writeModel(const ModelChoice &choice) {
    constexpr int indent = 2;
    return modelJson(choice).dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace ridgepoint
