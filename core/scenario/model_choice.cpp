// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the four forms of `model`.
#include "core/scenario/model_choice.h"

#include "core/model/parameters.h"
#include "core/scenario/field_kinds.h"

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
    if (shape.hidden % shape.heads != 0) {
        reading.report(
            "model.head_dim", "nothing",
            fmt::format("a whole number, since hidden {} does not divide by {} heads", shape.hidden, shape.heads));
        return;
    }
    shape.headDim = shape.hidden / shape.heads;
}

} // namespace

Section modelShapeSection() {
    constexpr std::string_view at = "model";
    constexpr Range counts{1, 10000};
    constexpr Range widths{1, 1e6};
    constexpr Range rows{1, 1e9};
    return {at,
            {
                countField(
                    at, "layers", [](auto &s) -> auto & { return s.model.shape.layers; }, counts),
                countField(
                    at, "hidden", [](auto &s) -> auto & { return s.model.shape.hidden; }, widths),
                countField(
                    at, "heads", [](auto &s) -> auto & { return s.model.shape.heads; }, counts),
                countField(
                    at, "kv_heads", [](auto &s) -> auto & { return s.model.shape.kvHeads; }, counts),
                countField(at, "head_dim", [](auto &s) -> auto & { return s.model.shape.headDim; }, {1, 1e5}),
                countField(at, "ffn", [](auto &s) -> auto & { return s.model.shape.ffn; }, {1, 1e7}),
                countField(at, "vocabulary", [](auto &s) -> auto & { return s.model.shape.vocabulary; }, {1, 1e8}),
                flagField(
                    at, "gated_mlp", [](auto &s) -> auto & { return s.model.shape.gatedMlp; }),
                flagField(
                    at, "tied_embeddings", [](auto &s) -> auto & { return s.model.shape.tiedEmbeddings; }),
                choiceField<NormKind>(at, "norm", [](auto &s) -> auto & { return s.model.shape.norm; },
                                      {{"rmsnorm", NormKind::RmsNorm},
                                       {"layernorm", NormKind::LayerNorm},
                                       {"layernorm-without-bias", NormKind::LayerNormWithoutBias}}),
                choiceField<Biases>(at, "biases", [](auto &s) -> auto & { return s.model.shape.biases; },
                                    {{"none", Biases::None},
                                     {"qkv", Biases::Qkv},
                                     {"attention", Biases::Attention},
                                     {"mlp", Biases::Mlp},
                                     {"all", Biases::All},
                                     {"all-but-key", Biases::AllButKey}}),
                choiceField<Positions>(at, "positions", [](auto &s) -> auto & { return s.model.shape.positions; },
                                       {{"rope", Positions::Rope},
                                        {"learned", Positions::Learned},
                                        {"alibi", Positions::Alibi},
                                        {"none", Positions::None}}),
                countField(
                    at, "max_positions", [](auto &s) -> auto & { return s.model.shape.maxPositions; }, rows),
                countField(
                    at, "attention_window", [](auto &s) -> auto & { return s.model.shape.attentionWindow; }, rows),
                countField(
                    at, "attention_window_every", [](auto &s) -> auto & { return s.model.shape.attentionWindowEvery; },
                    counts),
                choiceField<BlockNorms>(at, "block_norms", [](auto &s) -> auto & { return s.model.shape.blockNorms; },
                                        {{"before", BlockNorms::Before},
                                         {"around", BlockNorms::Around},
                                         {"after", BlockNorms::After},
                                         {"parallel-shared", BlockNorms::ParallelShared},
                                         {"parallel-own", BlockNorms::ParallelOwn}}),
                choiceField<QkNorm>(
                    at, "qk_norm", [](auto &s) -> auto & { return s.model.shape.qkNorm; },
                    {{"none", QkNorm::None}, {"per-head", QkNorm::PerHead}, {"full-width", QkNorm::FullWidth}}),
                neutralField(at, "experts", {nullptr}, "a mixture of experts is"),
                neutralField(at, "mla", {nullptr}, "multi-head latent attention is"),
            }};
}

std::optional<ModelChoice> modelOfParameters(double count, const Catalog &catalog) {
    const ModelPreset *nearest = nullptr;
    double nearestParameters = 0;
    for (const ModelPreset &preset : catalog.models) {
        if (!preset.id.starts_with("llama-")) {
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
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const Field &field : shapeSection().fields) {
        object[std::string(field.key)] = field.write(scenario);
    }
    return object;
}

} // namespace ridgepoint
