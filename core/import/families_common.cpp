// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields that many families have in common.
#include "core/import/families_common.h"

#include "core/import/strict_json.h"
#include "core/import/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ridgepoint::families {
namespace {

std::string divisorsOf(int number) {
    std::string list;
    int listed = 0;
    for (int divisor = 1; divisor <= number; ++divisor) {
        if (number % divisor == 0) {
            if (++listed > 12) {
                return list + ", ...";
            }
            list += list.empty() ? "" : ", ";
            list += std::to_string(divisor);
        }
    }
    return list;
}

bool followsPattern(const TransformerShape &shape, const std::vector<bool> &isFull) {
    for (int layer = 0; layer < shape.layers; ++layer) {
        if (shape.isWindowed(layer) == isFull[static_cast<std::size_t>(layer)]) {
            return false;
        }
    }
    return true;
}

int readHeadDim(ConfigReader &config, const TransformerShape &shape, const ClassDefaults &defaults) {
    if (defaults.headDim && !config.has("head_dim")) {
        return config.countOr("head_dim", mostHeadDim, *defaults.headDim);
    }
    config.markRead("head_dim");
    if (defaults.readsHeadDim && config.has("head_dim") && !(config.isNull("head_dim") && !defaults.headDim)) {
        const int given = config.count("head_dim", mostHeadDim);
        if (!config.refused({"head_dim", "hidden_size", "num_attention_heads"}) &&
            given * static_cast<double>(shape.heads) != shape.hidden) {
            config.assume(fmt::format("head_dim: {} from head_dim; hidden_size / num_attention_heads would be {:.4g}",
                                      given, static_cast<double>(shape.hidden) / shape.heads));
        }
        return given;
    }
    const int even =
        evenHeadDim(config, shape.hidden, shape.heads, "hidden_size", "num_attention_heads", defaults.readsHeadDim);
    if (!config.refused({"hidden_size", "num_attention_heads"})) {
        config.assume(fmt::format("head_dim: {} = hidden_size / num_attention_heads, the default of {}", even,
                                  config.className()));
    }
    return even;
}

} // namespace

int evenHeadDim(ConfigReader &config, int hidden, int heads, std::string_view hiddenKey, std::string_view headsKey,
                bool orHeadDim) {
    if (hidden % heads == 0 || config.refused({hiddenKey, headsKey})) {
        return std::max(1, hidden / heads);
    }
    config.problem(headsKey,
                   fmt::format("{} heads for {} {}{}", heads, hiddenKey, hidden, orHeadDim ? " and no head_dim" : ""),
                   fmt::format("a divisor of {}{}", hidden, orHeadDim ? ", or head_dim beside it" : ""));
    return 1;
}

void checkKvHeads(ConfigReader &config, const TransformerShape &shape, std::string_view headsKey,
                  std::string_view kvHeadsKey) {
    if (shape.heads % shape.kvHeads == 0 || config.refused({headsKey, kvHeadsKey})) {
        return;
    }
    config.problem(kvHeadsKey, fmt::format("{} key and value heads for {} heads", shape.kvHeads, shape.heads),
                   fmt::format("a divisor of {} heads: {}", shape.heads, divisorsOf(shape.heads)));
}

TransformerShape readCommon(ConfigReader &config, const ClassDefaults &defaults) {
    TransformerShape shape;
    shape.layers = config.count("num_hidden_layers", mostLayers);
    shape.hidden = config.count("hidden_size", mostHidden);
    shape.heads = defaults.heads ? config.countOr("num_attention_heads", mostHeads, *defaults.heads)
                                 : config.count("num_attention_heads", mostHeads);
    shape.ffn = config.count("intermediate_size", mostFfn);
    shape.vocabulary = defaults.vocabulary ? config.countOr("vocab_size", mostVocabulary, *defaults.vocabulary)
                                           : config.count("vocab_size", mostVocabulary);
    // Null stands for as many as heads in every class but those of Gemma, which are also the ones with a head_dim.
    if (!defaults.kvHeads || (config.isNull("num_key_value_heads") && !defaults.headDim)) {
        shape.kvHeads = config.countOrNull("num_key_value_heads", mostHeads, shape.heads, " = num_attention_heads");
    } else {
        shape.kvHeads = config.countOr("num_key_value_heads", mostHeads, *defaults.kvHeads);
    }
    shape.headDim = readHeadDim(config, shape, defaults);
    checkKvHeads(config, shape, "num_attention_heads", "num_key_value_heads");
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", defaults.tied);
    return shape;
}

bool setWindowPattern(TransformerShape &shape, const std::vector<bool> &isFull) {
    shape.attentionWindowEvery.reset();
    const auto firstWindowed = std::ranges::find(isFull, false);
    const auto leading = static_cast<int>(firstWindowed - isFull.begin());
    for (const int first : {0, leading}) {
        shape.fullLayersFirst = first;
        const auto nextFull = std::find(isFull.begin() + first, isFull.end(), true);
        if (nextFull == isFull.end()) {
            shape.attentionWindowEvery.reset();
            if (followsPattern(shape, isFull)) {
                return true;
            }
            continue;
        }
        const int position = static_cast<int>(nextFull - isFull.begin()) + 1;
        for (int parts = 1; parts <= position; ++parts) {
            if (position % parts == 0) {
                shape.attentionWindowEvery = position / parts;
                if (followsPattern(shape, isFull)) {
                    return true;
                }
            }
        }
    }
    shape.fullLayersFirst = 0;
    const auto full = std::ranges::find(isFull, true);
    if (full != isFull.end()) {
        shape.attentionWindowEvery = static_cast<int>(full - isFull.begin()) + 1;
    }
    return false;
}

void readLayerTypes(ConfigReader &config, TransformerShape &shape) {
    config.markRead("layer_types");
    if (!config.has("layer_types") || config.isNull("layer_types") || config.refused({"num_hidden_layers"})) {
        return;
    }
    const nlohmann::json &types = *config.find("layer_types");
    if (!types.is_array() || types.size() != static_cast<std::size_t>(shape.layers)) {
        config.problem("layer_types", types.is_array() ? fmt::format("a list of {}", types.size()) : shownValue(types),
                       fmt::format("a list of {}, one for each layer", shape.layers));
        return;
    }
    const std::string_view windowedWord = shape.chunkedWindow ? "chunked_attention" : "sliding_attention";
    std::vector<bool> full;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const bool isFull = types[i] == "full_attention";
        if (!isFull && types[i] != windowedWord) {
            config.problem(fmt::format("layer_types[{}]", i), shownValue(types[i]),
                           fmt::format("full_attention or {}", windowedWord));
            return;
        }
        full.push_back(isFull);
    }
    const auto windowed = std::ranges::count(full, false);
    if (windowed == 0) {
        shape.attentionWindow.reset();
        shape.attentionWindowEvery.reset();
        shape.chunkedWindow = false;
        return;
    }
    if (!shape.attentionWindow) {
        config.problem("layer_types", fmt::format("{} layers of {} without a window in force", windowed, windowedWord),
                       "a sliding_window of at least 1 token, or full_attention only");
        return;
    }
    if (setWindowPattern(shape, full)) {
        return;
    }
    for (int layer = 0; layer < shape.layers; ++layer) {
        if (shape.isWindowed(layer) == full[static_cast<std::size_t>(layer)]) {
            config.problem("layer_types",
                           fmt::format("{} at layer {}", shownValue(types[static_cast<std::size_t>(layer)]), layer),
                           fmt::format("full_attention at every N-th layer, here every {}, and {} at the "
                                       "others: no other mix is modelled",
                                       shape.attentionWindowEvery.value_or(shape.layers), windowedWord));
            return;
        }
    }
}

void readBiases(ConfigReader &config, TransformerShape &shape, bool mlpBiasKnown) {
    const bool attention = config.flagOr("attention_bias", false);
    const bool mlp = mlpBiasKnown && config.flagOr("mlp_bias", false);
    shape.biases = attention && mlp ? Biases::All : attention ? Biases::Attention : mlp ? Biases::Mlp : Biases::None;
}

void noteIgnored(ConfigReader &config, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        config.markRead(key);
        if (config.isSet(key)) {
            config.warnings.push_back(fmt::format("{}: {} is not used by {} and was not read", key,
                                                  shownValue(*config.find(key)), config.className()));
        }
    }
}

void requireFlag(ConfigReader &config, std::string_view key, bool required, bool classDefault, std::string_view what) {
    if (config.flagIfGiven(key, classDefault) != required && !config.refused({key})) {
        config.problem(key, config.has(key) ? shownValue(*config.find(key)) : "nothing, the class's default",
                       fmt::format("{}: {} not modelled", required, what));
    }
}

std::string_view eitherName(ConfigReader &config, std::string_view own, std::string_view common) {
    if (!config.has(own)) {
        return config.has(common) ? common : own;
    }
    if (config.has(common) && *config.find(own) != *config.find(common)) {
        config.problem(
            common,
            fmt::format("{} beside {} {}", shownValue(*config.find(common)), own, shownValue(*config.find(own))),
            "one of the two, or both the same");
    }
    return own;
}

Experts readExperts(ConfigReader &config, std::string_view countKey, std::string_view activeKey,
                    std::string_view widthKey) {
    Experts experts;
    experts.count = config.count(countKey, mostExperts);
    experts.active = config.count(activeKey, mostExperts);
    experts.ffn = config.count(widthKey, mostFfn);
    if (experts.active > experts.count && !config.refused({countKey, activeKey})) {
        config.problem(activeKey, fmt::format("{} active experts of {}", experts.active, experts.count),
                       fmt::format("at most {}, all of them", experts.count));
    }
    return experts;
}

void readNested(ConfigReader &config, std::string_view key, std::string_view nestedClass,
                const std::function<void(ConfigReader &)> &read) {
    config.nested(key, nestedClass, [&read](ConfigReader &nested) {
        read(nested);
        checkStructure(nested);
    });
}

} // namespace ridgepoint::families
