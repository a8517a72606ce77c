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
        const bool absent =
            value.is_null() || (key == "block_norms" && value == "before") || (key == "qk_norm" && value == "none");
        if (!absent) {
            model[key] = value;
        }
    }
    return model;
}

OrderedJson wholeNumber(double count) {
    return static_cast<std::int64_t>(std::llround(count));
}

} // namespace

OrderedJson importReport(const ImportedModel &model, const std::string &path) {
    const CacheElements cache = cacheElements(model.shape);
    OrderedJson report;
    report["model"] = modelOf(model.shape, path);
    report["parameters"] = {{"total", wholeNumber(model.parametersTotal)},
                            {"active", wholeNumber(model.parametersActive)}};
    report["kv_cache"] = {
        {"elements_per_token", wholeNumber(cache.elementsPerToken)},
        {"layers_full", cache.layersFull},
        {"layers_windowed", cache.layersWindowed},
        {"window_tokens", cache.windowTokens ? OrderedJson(*cache.windowTokens) : OrderedJson(nullptr)}};
    report["assumptions"] = model.assumptions;
    report["warnings"] = model.warnings;
    return report;
}

} // namespace ridgepoint
