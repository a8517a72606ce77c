// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lays an imported model out as JSON.
#include "core/import/import_report.h"

#include "core/model/cache_elements.h"
#include "core/scenario/model_choice.h"

#include <cmath>
#include <cstdint>

namespace ridgepoint {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// An explicit shape, without the keys that say nothing; the config itself where no keys can say it.
OrderedJson modelOf(const TransformerShape &shape, const std::string &path) {
    if (shape.towerParameters > 0) {
        return {{"config", path}};
    }
    ModelChoice choice;
    choice.source = ModelChoice::Source::Explicit;
    choice.shape = shape;
    const OrderedJson whole = modelJson(choice);
    OrderedJson model = OrderedJson::object();
    for (const auto &[key, value] : whole.items()) {
        if (!value.is_null()) {
            model[key] = value;
        }
    }
    return model;
}

OrderedJson wholeNumber(double count) {
    return static_cast<std::int64_t>(std::llround(count));
}

OrderedJson cacheOf(const TransformerShape &shape) {
    const CacheElements cache = cacheElements(shape);
    OrderedJson json = {
        {"elements_per_token", wholeNumber(cache.elementsPerToken)},
        {"layers_full", cache.layersFull},
        {"layers_windowed", cache.layersWindowed},
        {"window_tokens", cache.windowTokens ? OrderedJson(*cache.windowTokens) : OrderedJson(nullptr)}};
    if (cache.layersWithout > 0) { // linear attention: a state of fixed size
        json["layers_without_cache"] = cache.layersWithout;
        json["state_elements"] = wholeNumber(cache.stateElements);
    }
    return json;
}

/// Elements and bytes by part; parts that the file does not have are left out.
OrderedJson weightsOf(const StoredWeights &stored) {
    OrderedJson weights = OrderedJson::object();
    const auto add = [&weights](const char *name, const StoredWeights::Part &part) {
        if (part.bytes > 0) {
            weights[name] = {{"elements", wholeNumber(part.elements)}, {"bytes", wholeNumber(part.bytes)}};
        }
    };
    add("linear", stored.linear);
    add("experts", stored.experts);
    add("expert_biases", stored.expertVectors);
    add("embedding", stored.embedding);
    add("head", stored.head);
    add("norms_and_biases", stored.vectors);
    add("other_modalities", stored.tower);
    add("buffers", stored.buffers);
    return weights;
}

} // namespace

OrderedJson importReport(const ImportedModel &model, const std::string &path) {
    OrderedJson report;
    report["model"] = model.hasShape ? modelOf(model.shape, path) : OrderedJson(nullptr);
    if (!model.hasShape) {
        report["reason"] = model.whyNoShape;
    }
    if (model.stored) {
        report["weights_bytes"] = wholeNumber(model.stored->bytes());
        report["weights"] = weightsOf(*model.stored);
    }
    report["parameters"] = {{"total", wholeNumber(model.parametersTotal)},
                            {"active", wholeNumber(model.parametersActive)}};
    report["kv_cache"] = model.hasShape ? cacheOf(model.shape) : OrderedJson(nullptr);
    report["assumptions"] = model.assumptions;
    report["warnings"] = model.warnings;
    return report;
}

} // namespace ridgepoint
