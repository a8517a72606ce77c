// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How `training.recipe` is read and written in both of its forms.
#include "core/scenario/recipe_bytes.h"

#include "core/scenario/field_kinds.h"

#include <array>

namespace ridgepoint {

namespace {

constexpr double bitsPerByte = 8;
constexpr double bytesPerDefaultState = 4; // fp32

struct Part {
    std::string_view key;
    double RecipeBytes::*bytes;
    Range range; ///< of a number of bytes
};

constexpr std::array<Part, 5> parts{{
    {"weights", &RecipeBytes::weights, {0, 16, true}},
    {"gradients", &RecipeBytes::gradients, {0, 16}},
    {"master", &RecipeBytes::master, {0, 16}},
    {"states", &RecipeBytes::states, {0, 64}},
    {"activations", &RecipeBytes::activations, {0, 16, true}},
}};

std::string pathOf(const Part &part) {
    return fmt::format("training.recipe.{}", part.key);
}

void readPart(const Part &part, const nlohmann::json &value, RecipeBytes &recipe, Reading &reading) {
    if (value.is_string()) {
        const auto &id = value.get_ref<const std::string &>();
        const IdSource formats = widthFormats();
        if (formats.has(reading.catalog, id)) {
            recipe.*part.bytes = reading.catalog.format(id)->bitsPerLinearWeight.value / bitsPerByte;
            return;
        }
        Problem problem = unknownId(pathOf(part), inQuotes(id), id, formats, reading.catalog);
        reading.report(problem.field, problem.found, "a number of bytes or " + problem.allowed);
    } else if (!value.is_number()) {
        reading.report(pathOf(part), shownValue(value), "a number of bytes or a format");
    } else if (const auto bytes = detail::numberIn(value, pathOf(part), part.range, false, "", reading)) {
        recipe.*part.bytes = *bytes;
    }
}

void readObject(const nlohmann::json &value, Scenario &s, Reading &reading) {
    std::vector<std::string_view> keys;
    RecipeBytes recipe;
    for (const Part &part : parts) {
        keys.push_back(part.key);
        if (value.contains(part.key)) {
            readPart(part, value.at(std::string(part.key)), recipe, reading);
        }
    }
    reportUnknownKeys(value, "training.recipe", keys, reading);
    s.training.recipeBytes = recipe;
}

} // namespace

Field recipeField() {
    Field field = idField(
        "training", "recipe", [](auto &s) -> auto & { return s.training.recipe; }, recipeIds());
    field.read = [readId = field.read](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (value.is_object()) {
            readObject(value, s, reading);
            return;
        }
        readId(value, s, reading);
        s.training.recipeBytes = std::nullopt;
    };
    field.write = [](const Scenario &s) -> nlohmann::ordered_json {
        if (!s.training.recipeBytes) {
            return s.training.recipe;
        }
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (const Part &part : parts) {
            object[std::string(part.key)] = numberJson((*s.training.recipeBytes).*part.bytes);
        }
        return object;
    };
    field.check = [checkId = field.check](const Scenario &s, const Catalog &catalog, Problems &problems) {
        checkId(s, catalog, problems);
        if (s.training.recipeBytes) {
            for (const Part &part : parts) {
                detail::checkNumber((*s.training.recipeBytes).*part.bytes, pathOf(part), part.range, false, problems);
            }
        }
    };
    return field;
}

void finishRecipe(const nlohmann::json &training, Scenario &scenario, const Catalog &catalog) {
    const auto recipe = training.find("recipe");
    if (recipe == training.end() || !recipe->is_object() || !scenario.training.recipeBytes) {
        return;
    }
    const Optimizer *optimizer = catalog.optimizer(scenario.training.optimizer);
    const auto states = recipe->find("states");
    const bool isGivenAsSum = states != recipe->end() && !states->is_string();
    if (optimizer == nullptr || isGivenAsSum) {
        return;
    }
    double &bytes = scenario.training.recipeBytes->states;
    bytes = (states == recipe->end() ? bytesPerDefaultState : bytes) * optimizer->statesPerParameter.value;
}

} // namespace ridgepoint
