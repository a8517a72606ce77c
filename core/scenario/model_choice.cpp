// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the four forms of `model`.
#include "core/scenario/model_choice.h"

#include "core/model/parameters.h"
#include "core/scenario/field_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr std::array<std::string_view, 3> namedForms{"preset", "config", "parameters"};
constexpr std::array<std::string_view, 5> requiredShapeKeys{"layers", "hidden", "heads", "ffn", "vocabulary"};
constexpr std::string_view formsAllowed = "exactly one of preset, config, parameters, or an explicit shape";
constexpr Range parameterCounts{1, 1e15};
constexpr std::size_t longestPath = 4096;

void readPreset(const nlohmann::json &value, Scenario &s, Reading &reading) {
    const ModelPreset *preset =
        value.is_string() ? reading.catalog.model(value.get_ref<const std::string &>()) : nullptr;
    if (preset == nullptr) {
        std::vector<std::string_view> ids;
        for (const ModelPreset &one : reading.catalog.models) {
            ids.push_back(one.id);
        }
        const std::string id = value.is_string() ? value.get<std::string>() : std::string();
        reading.report("model.preset", value.is_string() ? inQuotes(id) : shownValue(value),
                       "a model of the catalogue: " + joined(ids) + didYouMean(id, ids));
        reading.distrust("model");
        return;
    }
    s.model = {ModelChoice::Source::Preset, preset->id, preset->shape, {}};
}

std::string configField(const std::string &field) {
    if (field.empty()) {
        return "model.config";
    }
    return field.starts_with("byte ") ? "model.config, " + field : "model.config." + field;
}

void readConfig(const nlohmann::json &value, const ConfigLoader &loadConfig, Scenario &s, Reading &reading) {
    static constexpr std::string_view allowed = "the path of a model file, relative to this file";
    const std::string path = value.is_string() ? value.get<std::string>() : std::string();
    const bool isPath = !path.empty() && path.size() <= longestPath && path.find('\0') == std::string::npos;
    if (!isPath) {
        reading.report("model.config", value.is_string() ? inQuotes(path) : shownValue(value), std::string(allowed));
        reading.distrust("model");
        return;
    }
    if (!loadConfig) {
        reading.report("model.config", inQuotes(path),
                       "a preset, a parameter count or an explicit shape, since no file can be read here");
        reading.distrust("model");
        return;
    }
    Expected<ModelChoice> loaded = loadConfig(path);
    if (!loaded) {
        for (const Problem &problem : loaded.error()) {
            reading.report(configField(problem.field), problem.found, problem.allowed);
        }
        reading.distrust("model");
        return;
    }
    adoptModel(s, *std::move(loaded));
    s.model.source = ModelChoice::Source::Config;
    s.model.reference = path;
}

void readParameters(const nlohmann::json &value, Scenario &s, Reading &reading) {
    const auto count = detail::numberIn(value, "model.parameters", parameterCounts, true, "", reading);
    if (!count) {
        reading.distrust("model");
        return;
    }
    if (auto choice = modelOfParameters(*count, reading.catalog)) {
        s.model = *std::move(choice);
        return;
    }
    reading.report("model.parameters", numberText(*count),
                   "a preset or an explicit shape, since the catalogue has no Llama model");
    reading.distrust("model");
}

/// Keys beyond those that any explicit model shows: written only where they say something.
bool isPlain(std::string_view key) {
    constexpr std::array<std::string_view, 15> plain{
        "layers", "hidden",     "heads",         "kv_heads",         "head_dim",
        "ffn",    "vocabulary", "gated_mlp",     "tied_embeddings",  "norm",
        "biases", "positions",  "max_positions", "attention_window", "attention_window_every"};
    return std::find(plain.begin(), plain.end(), key) != plain.end();
}

} // namespace

void readShape(const nlohmann::json &value, Scenario &s, Reading &reading) {
    s.model = {ModelChoice::Source::Explicit, {}, {}, {}};
    const std::size_t problemsBefore = reading.problems.size();
    for (const std::string_view key : requiredShapeKeys) {
        if (!value.contains(key)) {
            reading.report(detail::pathOf("model", key), "nothing",
                           "a whole number; an explicit shape needs layers, hidden, heads, ffn and vocabulary");
        }
    }
    for (const Field &field : shapeSection().fields) {
        if (const auto at = value.find(field.key); at != value.end()) {
            field.read(*at, s, reading);
        }
    }
    TransformerShape &shape = s.model.shape;
    if (shape.vocabulary == 0 && shape.hasHead) { // only a model of patches has none
        reading.report("model.vocabulary", "0", "a whole number of at least 1");
    }
    const bool isWhole = reading.problems.size() == problemsBefore;
    if (!value.contains("kv_heads")) {
        shape.kvHeads = shape.heads;
        if (!isWhole) {
            reading.distrust("model.kv_heads");
        }
    }
    if (value.contains("head_dim") || !isWhole) {
        return;
    }
    if (shape.mla) {
        shape.headDim = shape.mla->nopeDim + shape.mla->ropeDim;
        return;
    }
    if (shape.hidden % shape.heads != 0) {
        reading.report(
            "model.head_dim", "nothing",
            fmt::format("a whole number, since hidden {} does not divide by {} heads", shape.hidden, shape.heads));
        return;
    }
    shape.headDim = shape.hidden / shape.heads;
}

std::optional<ModelChoice> modelOfParameters(double count, const Catalog &catalog) {
    const ModelPreset *nearest = nullptr;
    double nearestParameters = 0;
    for (const ModelPreset &preset : catalog.models) {
        if (!preset.id.starts_with("llama-") || preset.shape.experts) {
            continue;
        }
        const double parameters = countParameters(preset.shape).total;
        const auto distance = [&](double size) { return std::abs(std::log(size) - std::log(count)); };
        if (nearest == nullptr || distance(parameters) < distance(nearestParameters)) {
            nearest = &preset;
            nearestParameters = parameters;
        }
    }
    if (nearest == nullptr) {
        return std::nullopt;
    }
    ModelChoice choice{ModelChoice::Source::Parameters, nearest->id, nearest->shape, {}};
    choice.shape.exactParameters = count;
    choice.assumptions.push_back(fmt::format(
        "Only a parameter count is given: the shape is that of {} ({} parameters), the nearest of the Llama "
        "family, its weights scaled evenly to {}.",
        nearest->name, numberText(nearestParameters), numberText(count)));
    return choice;
}

void readModel(const nlohmann::json &value, const ConfigLoader &loadConfig, Scenario &scenario, Reading &reading) {
    if (!value.is_object()) {
        reading.report("model", shownValue(value), std::string(formsAllowed));
        return;
    }
    const std::vector<std::string_view> shapeKeys = shapeSection().keys();
    std::vector<std::string_view> known(namedForms.begin(), namedForms.end());
    known.insert(known.end(), shapeKeys.begin(), shapeKeys.end());
    reportUnknownKeys(value, "model", known, reading);

    std::vector<std::string_view> forms;
    for (const std::string_view form : namedForms) {
        if (value.contains(form)) {
            forms.push_back(form);
        }
    }
    for (const std::string_view key : shapeKeys) {
        if (value.contains(key)) {
            forms.push_back(key);
            break;
        }
    }
    if (forms.size() != 1) {
        reading.report("model", forms.empty() ? "no form of a model" : joined(forms) + " together",
                       std::string(formsAllowed));
        return;
    }
    if (forms.front() == "preset") {
        readPreset(value["preset"], scenario, reading);
    } else if (forms.front() == "config") {
        readConfig(value["config"], loadConfig, scenario, reading);
    } else if (forms.front() == "parameters") {
        readParameters(value["parameters"], scenario, reading);
    } else {
        readShape(value, scenario, reading);
    }
}

nlohmann::ordered_json modelJson(const ModelChoice &choice) {
    switch (choice.source) {
    case ModelChoice::Source::Preset:
        return {{"preset", choice.reference}};
    case ModelChoice::Source::Config:
        return {{"config", choice.reference}};
    case ModelChoice::Source::Parameters:
        return {{"parameters", numberJson(choice.shape.exactParameters.value_or(0))}};
    case ModelChoice::Source::Explicit:
        break;
    }
    Scenario scenario;
    scenario.model = choice;
    static const Scenario plainest{};
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const Field &field : shapeSection().fields) {
        nlohmann::ordered_json written = field.write(scenario);
        if (isPlain(field.key) || written != field.write(plainest)) {
            object[std::string(field.key)] = std::move(written);
        }
    }
    return object;
}

} // namespace ridgepoint
