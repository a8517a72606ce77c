// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads model presets, in the keys of a scenario's explicit shape.
#include "core/catalog/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::catalog {

using nlohmann::json;

namespace {

template <class Value, std::size_t n>
using Words = std::array<std::pair<std::string_view, Value>, n>;

constexpr Words<NormKind, 3> norms = {{{"rmsnorm", NormKind::RmsNorm},
                                       {"layernorm", NormKind::LayerNorm},
                                       {"layernorm-without-bias", NormKind::LayerNormWithoutBias}}};
constexpr Words<Biases, 6> biases = {{{"none", Biases::None},
                                      {"qkv", Biases::Qkv},
                                      {"attention", Biases::Attention},
                                      {"mlp", Biases::Mlp},
                                      {"all", Biases::All},
                                      {"all-but-key", Biases::AllButKey}}};
constexpr Words<BlockNorms, 5> blockNorms = {{{"before", BlockNorms::Before},
                                              {"around", BlockNorms::Around},
                                              {"after", BlockNorms::After},
                                              {"parallel-shared", BlockNorms::ParallelShared},
                                              {"parallel-own", BlockNorms::ParallelOwn}}};
constexpr Words<QkNorm, 3> qkNorms = {
    {{"none", QkNorm::None}, {"per-head", QkNorm::PerHead}, {"full-width", QkNorm::FullWidth}}};
constexpr Words<Positions, 4> positions = {{{"rope", Positions::Rope},
                                            {"learned", Positions::Learned},
                                            {"alibi", Positions::Alibi},
                                            {"none", Positions::None}}};

template <class Value, std::size_t n>
Value oneOf(Entry &entry, std::string_view key, const Words<Value, n> &words, Value absent) {
    if (!entry.has(key)) {
        entry.raw(key);
        return absent;
    }
    const std::string word = entry.text(key);
    std::string allowed;
    for (const auto &[name, value] : words) {
        if (name == word) {
            return value;
        }
        allowed += allowed.empty() ? "" : ", ";
        allowed += name;
    }
    if (!word.empty()) {
        entry.report(key, shownText(word), allowed);
    }
    return absent;
}

TransformerShape readShape(Entry &entry) {
    TransformerShape shape;
    shape.layers = entry.whole("layers");
    shape.hidden = entry.whole("hidden");
    shape.heads = entry.whole("heads");
    shape.kvHeads = entry.optionalWhole("kv_heads").value_or(shape.heads);
    shape.ffn = entry.whole("ffn");
    shape.vocabulary = entry.whole("vocabulary");
    if (const std::optional<int> headDim = entry.optionalWhole("head_dim")) {
        shape.headDim = *headDim;
    } else if (shape.hidden % shape.heads == 0) {
        shape.headDim = shape.hidden / shape.heads;
    } else {
        entry.report("head_dim", "nothing",
                     fmt::format("a whole number, since {} heads do not divide {}", shape.heads, shape.hidden));
    }
    if (shape.heads % shape.kvHeads != 0) {
        entry.report("kv_heads", fmt::format("{}", shape.kvHeads), fmt::format("a divisor of {} heads", shape.heads));
    }
    shape.gatedMlp = entry.flag("gated_mlp", true);
    shape.tiedEmbeddings = entry.flag("tied_embeddings", false);
    shape.norm = oneOf(entry, "norm", norms, NormKind::RmsNorm);
    shape.biases = oneOf(entry, "biases", biases, Biases::None);
    shape.positions = oneOf(entry, "positions", positions, Positions::Rope);
    shape.maxPositions = entry.optionalWhole("max_positions");
    shape.attentionWindow = entry.optionalWhole("attention_window");
    shape.attentionWindowEvery = entry.optionalWhole("attention_window_every");
    if (shape.attentionWindowEvery && !shape.attentionWindow) {
        entry.report("attention_window", "nothing", "a window, since attention_window_every is given");
    }
    shape.blockNorms = oneOf(entry, "block_norms", blockNorms, BlockNorms::Before);
    shape.qkNorm = oneOf(entry, "qk_norm", qkNorms, QkNorm::None);
    return shape;
}

} // namespace

void readModels(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "models", context, problems, [&](Entry &entry) {
        ModelPreset model;
        model.id = entry.text("id");
        model.name = entry.text("name");
        model.shape = readShape(entry);
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
