// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads model presets, in the keys of a scenario's explicit shape.
#include "core/catalog/tables.h"
#include "core/scenario/fields.h"
#include "core/scenario/model_choice.h"
#include "core/scenario/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::catalog {

using nlohmann::json;

namespace {

/// The keys of a scenario's explicit shape, read and checked as there; problems are moved to the entry.
TransformerShape readShape(Entry &entry, const json &object, const Catalog &catalog) {
    for (const std::string_view key : shapeSection().keys()) {
        entry.raw(key); // counts as read
    }
    Scenario scenario;
    Reading reading(catalog);
    ridgepoint::readShape(object, scenario, reading);
    const TransformerShape &shape = scenario.model.shape;
    if (shape.kvHeads >= 1 && shape.heads % shape.kvHeads != 0) {
        reading.report("model.kv_heads", fmt::format("{}", shape.kvHeads),
                       fmt::format("a divisor of {} heads", shape.heads));
    }
    if (shape.attentionWindowEvery && !shape.attentionWindow) {
        reading.report("model.attention_window", "nothing", "a window, since attention_window_every is given");
    }
    checkShape(shape, reading.distrusted, reading.problems);
    for (Problem &problem : reading.problems) {
        entry.report(std::string_view(problem.field).substr(std::string_view("model.").size()),
                     std::move(problem.found), std::move(problem.allowed));
    }
    return shape;
}

} // namespace

void readModels(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "models", context, problems, [&](Entry &entry) {
        ModelPreset model;
        model.id = entry.text("id");
        model.name = entry.text("name");
        model.shape = readShape(entry, entry.object(), catalog);
        if (const std::optional<Fact> parameters = entry.optionalFact("parameters", positive)) {
            model.parameters = parameters->value;
        }
        model.source = entry.source();
        if (model.source.empty()) {
            entry.report("source", "nothing", "where the shape comes from");
        }
        if (!entry.finish()) {
            return;
        }
        const auto it = std::find_if(catalog.models.begin(), catalog.models.end(),
                                     [&](const ModelPreset &old) { return old.id == model.id; });
        if (it == catalog.models.end()) {
            catalog.models.push_back(std::move(model));
        } else {
            *it = std::move(model);
        }
    });
}

} // namespace ridgepoint::catalog
