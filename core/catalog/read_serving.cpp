// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads block types, storage formats with their mixes, and inference engines.
#include "core/catalog/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::catalog {

using nlohmann::json;

namespace {

template <class Value>
using Words = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
Value oneOf(Entry &entry, std::string_view key, const Words<Value> &words, std::optional<Value> absent = {}) {
    if (absent && !entry.has(key)) {
        return *absent;
    }
    const std::string text = entry.text(key);
    std::string allowed;
    for (const auto &[word, value] : words) {
        if (word == text) {
            return value;
        }
        allowed += (allowed.empty() ? "" : ", ") + std::string(word);
    }
    if (!text.empty()) {
        entry.report(key, shownText(text), allowed);
    }
    return words.front().second;
}

int indexOfType(const Catalog &catalog, std::string_view id) {
    const auto it = std::find_if(catalog.blockTypes.begin(), catalog.blockTypes.end(),
                                 [id](const BlockType &type) { return type.id == id; });
    return it == catalog.blockTypes.end() ? -1 : static_cast<int>(it - catalog.blockTypes.begin());
}

int typeNamed(Entry &entry, std::string_view key, const std::string &id, const Catalog &catalog) {
    const int index = indexOfType(catalog, id);
    if (index < 0 && !id.empty()) {
        entry.report(key, shownText(id), "the id of a block type");
    }
    return std::max(index, 0);
}

int typeOf(Entry &entry, std::string_view key, const Catalog &catalog) {
    return typeNamed(entry, key, entry.text(key), catalog);
}

TensorMix::Rule readRule(Entry &entry, const Catalog &catalog) {
    TensorMix::Rule rule;
    rule.tensor = oneOf<MixTensor>(entry, "tensor",
                                   {{"attn_q", MixTensor::Query},
                                    {"attn_k", MixTensor::Key},
                                    {"attn_v", MixTensor::Value},
                                    {"attn_output", MixTensor::AttentionOutput},
                                    {"ffn_down", MixTensor::Down}});
    rule.layers = oneOf<MixLayers>(entry, "layers",
                                   {{"all", MixLayers::All},
                                    {"first two", MixLayers::FirstTwo},
                                    {"first sixteenth", MixLayers::FirstSixteenth},
                                    {"first eighth", MixLayers::FirstEighth},
                                    {"more bits", MixLayers::MoreBits}},
                                   MixLayers::All);
    rule.models = oneOf<MixModels>(entry, "when",
                                   {{"always", MixModels::All},
                                    {"4 or more queries per key", MixModels::FourQueriesPerKey},
                                    {"80 layers, grouped queries", MixModels::EightyLayersGrouped},
                                    {"8 experts", MixModels::EightExperts},
                                    {"not 8 experts", MixModels::NotEightExperts}},
                                   MixModels::All);
    for (const std::string &id : entry.optionalTexts("replaces")) {
        rule.replaces.push_back(typeNamed(entry, "replaces", id, catalog));
    }
    rule.type = typeOf(entry, "type", catalog);
    return rule;
}

std::optional<TensorMix> readMix(Entry &outer, const Catalog &catalog) {
    const json *object = outer.raw("mix");
    if (object == nullptr || !object->is_object()) {
        if (object != nullptr) {
            outer.report("mix", shownValue(*object), "an object");
        }
        return std::nullopt;
    }
    TensorMix mix;
    Entry entry(*object, outer.path() + ".mix", outer.context(), outer.problems());
    mix.base = typeOf(entry, "base", catalog);
    mix.head = typeOf(entry, "head", catalog);
    const json *rules = entry.raw("rules");
    if (rules != nullptr && !rules->is_array()) {
        entry.report("rules", shownValue(*rules), "a list");
    } else if (rules != nullptr) {
        for (std::size_t i = 0; i < rules->size(); ++i) {
            const json &each = (*rules)[i];
            if (!each.is_object()) {
                entry.report("rules", shownValue(each), "a list of objects");
                continue;
            }
            Entry rule(each, fmt::format("{}.rules[{}]", entry.path(), i), entry.context(), entry.problems());
            mix.rules.push_back(readRule(rule, catalog));
            rule.finish();
        }
    }
    return entry.finish() ? std::optional(std::move(mix)) : std::nullopt;
}

Fact bitsOf(const Catalog &catalog, int type, const std::string &source) {
    Fact bits = catalog.blockTypes.at(static_cast<std::size_t>(type)).bitsPerWeight;
    bits.source = source;
    return bits;
}

std::optional<WarmUp> readWarmUp(Entry &entry) {
    if (!entry.has("warm_up_rows")) {
        return std::nullopt;
    }
    WarmUp warmUp;
    warmUp.rows = entry.fact("warm_up_rows", atLeastOne);
    warmUp.bytesPerLogit = entry.fact("warm_up_bytes_per_logit", positive);
    warmUp.rowsOnLargeCards = entry.optionalFact("warm_up_rows_on_large_cards", atLeastOne);
    warmUp.largeCardBytes = entry.optionalFact("large_card_bytes", positive);
    warmUp.smallArchitecture = entry.optionalText("small_architecture");
    if (warmUp.rowsOnLargeCards.has_value() != warmUp.largeCardBytes.has_value()) {
        entry.report("large_card_bytes", "one of the two", "given together with warm_up_rows_on_large_cards");
    }
    return warmUp;
}

} // namespace

void readBlockTypes(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    // A fallback stands before the types that fall back to it.
    forEachEntry(document, "block_types", context, problems, [&](Entry &entry) {
        BlockType type;
        type.id = entry.text("id");
        type.name = entry.text("name");
        type.bitsPerWeight = entry.fact("bits_per_weight", positive);
        type.weightsPerBlock = entry.whole("weights_per_block");
        if (entry.has("fallback")) {
            type.fallback = typeOf(entry, "fallback", catalog);
        } else if (type.weightsPerBlock > 1) {
            entry.report("fallback", "nothing", "the type of rows that the block does not divide");
        }
        if (entry.finish()) {
            catalog.blockTypes.push_back(std::move(type));
        }
    });
}

void readFormats(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "formats", context, problems, [&](Entry &entry) {
        StorageFormat format;
        format.id = entry.text("id");
        format.name = entry.text("name");
        format.mix = readMix(entry, catalog);
        if (format.mix && !catalog.blockTypes.empty()) {
            format.bitsPerLinearWeight = bitsOf(catalog, format.mix->base, entry.source());
            format.bitsPerOtherWeight = bitsOf(catalog, format.mix->head, entry.source());
        } else {
            format.bitsPerLinearWeight = entry.fact("bits_per_linear_weight", positive);
            format.bitsPerOtherWeight = entry.fact("bits_per_other_weight", positive);
        }
        format.expertsOnly = entry.flag("experts_only", false);
        format.forWeights = entry.flag("for_weights", true);
        format.forCache = entry.flag("for_cache", true);
        format.help = entry.text("help");
        if (entry.finish()) {
            catalog.formats.push_back(std::move(format));
        }
    });
}

void readEngines(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "engines", context, problems, [&](Entry &entry) {
        Engine engine;
        engine.id = entry.text("id");
        engine.name = entry.text("name");
        engine.cacheBlockTokens = entry.fact("cache_block_tokens", atLeastOne);
        engine.preallocates = entry.flag("preallocates", false);
        engine.prefill = oneOf<PrefillStyle>(
            entry, "prefill",
            {{"chunks", PrefillStyle::Chunks}, {"whole", PrefillStyle::Whole}, {"profiled", PrefillStyle::Profiled}});
        engine.hiddenTensors = entry.fact("hidden_tensors", atLeastOne);
        engine.activationBytes = entry.optionalFact("activation_bytes", positive);
        engine.mostTokensPerPass = entry.optionalFact("most_tokens_per_pass", atLeastOne);
        engine.warmUp = readWarmUp(entry);
        engine.workspaceBytes = entry.fact("workspace_bytes", notNegative);
        engine.graphBytes = entry.optionalFact("graph_bytes", notNegative);
        engine.contextBytes = entry.optionalFact("context_bytes", notNegative);
        engine.communicationBytes = entry.optionalFact("communication_bytes", notNegative);
        engine.hostSecondsPerStep = entry.fact("host_s_per_step", notNegative);
        engine.hostSecondsPerLayer = entry.fact("host_s_per_layer", notNegative);
        engine.secondsPerSequence = entry.fact("s_per_sequence", notNegative);
        engine.kernelsPerLayer = entry.fact("kernels_per_layer", positive);
        engine.matrixVectorBytesPerSecondPerMultiprocessor =
            entry.optionalFact("matrix_vector_bytes_per_s_per_multiprocessor", positive);
        engine.tunedAttention = entry.flag("tuned_attention", false);
        engine.accumulatesInHalf = entry.flag("accumulates_in_half", false);
        engine.scoreTraffic = entry.optionalFact("score_traffic", atLeastOne);
        engine.matmulShare = entry.optionalFact("matmul_share", share);
        engine.cacheShareOfBandwidth = entry.optionalFact("cache_share_of_bandwidth", share);
        engine.expandedCachePasses = entry.optionalFact("expanded_cache_passes", positive);
        engine.narrowWeightsShare = entry.optionalFact("narrow_weights_share", share);
        engine.help = entry.text("help");
        if (entry.finish()) {
            catalog.engines.push_back(std::move(engine));
        }
    });
}

} // namespace ridgepoint::catalog
