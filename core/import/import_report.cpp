// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lays an imported model out as JSON.
#include "core/import/import_report.h"

#include "core/model/cache_elements.h"

#include <cmath>
#include <cstdint>

namespace ridgepoint {
namespace {

using OrderedJson = nlohmann::ordered_json;

const char *idOf(NormKind norm) {
    return norm == NormKind::RmsNorm ? "rmsnorm" : "layernorm";
}

const char *idOf(Biases biases) {
    switch (biases) {
    case Biases::None:
        return "none";
    case Biases::Qkv:
        return "qkv";
    case Biases::All:
        return "all";
    }
    return "none";
}

const char *idOf(Positions positions) {
    switch (positions) {
    case Positions::Rope:
        return "rope";
    case Positions::Learned:
        return "learned";
    case Positions::Alibi:
        return "alibi";
    case Positions::None:
        return "none";
    }
    return "none";
}

OrderedJson modelOf(const TransformerShape &shape, const std::string &path) {
    if (shape.postNorms || shape.qkNorm || shape.towerParameters > 0) {
        return {{"config", path}}; // a scenario has no keys for these norms
    }
    OrderedJson model = {
        {"layers", shape.layers},         {"hidden", shape.hidden},       {"heads", shape.heads},
        {"kv_heads", shape.kvHeads},      {"head_dim", shape.headDim},    {"ffn", shape.ffn},
        {"vocabulary", shape.vocabulary}, {"gated_mlp", shape.gatedMlp},  {"tied_embeddings", shape.tiedEmbeddings},
        {"norm", idOf(shape.norm)},       {"biases", idOf(shape.biases)}, {"positions", idOf(shape.positions)}};
    if (shape.maxPositions) {
        model["max_positions"] = *shape.maxPositions;
    }
    if (shape.attentionWindow) {
        model["attention_window"] = *shape.attentionWindow;
    }
    if (shape.attentionWindow && shape.attentionWindowEvery) {
        model["attention_window_every"] = *shape.attentionWindowEvery;
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
