// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How each family's config becomes a shape. Defaults are those of the configuration classes of Hugging Face
// transformers.
#include "core/import/families.h"

#include "core/import/strict_json.h"
#include "core/import/vision_tower.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {
namespace {

/// Upper bounds far above any real model; they keep every product of sizes well inside a double.
constexpr int mostLayers = 1 << 16;
constexpr int mostHeads = 1 << 16;
constexpr int mostHeadDim = 1 << 16;
constexpr int mostHidden = 1 << 24;
constexpr int mostFfn = 1 << 28;
constexpr int mostVocabulary = 1 << 28;
constexpr int mostTokens = 2'000'000'000;

std::string divisorsOf(int number) {
    std::string list;
    int listed = 0;
    for (int divisor = 1; divisor <= number; ++divisor) {
        if (number % divisor == 0) {
            if (++listed > 12) {
                return list + ", ...";
            }
            list += (list.empty() ? "" : ", ") + std::to_string(divisor);
        }
    }
    return list;
}

/// hidden / heads where they divide; a problem with both numbers where they do not.
int evenHeadDim(ConfigReader &config, int hidden, int heads, std::string_view hiddenKey, std::string_view headsKey) {
    if (hidden % heads == 0 || config.refused({hiddenKey, headsKey})) {
        return std::max(1, hidden / heads);
    }
    config.problem(headsKey, fmt::format("{} heads for {} {} and no head_dim", heads, hiddenKey, hidden),
                   fmt::format("a divisor of {}, or head_dim beside it", hidden));
    return 1;
}

void checkKvHeads(ConfigReader &config, const TransformerShape &shape) {
    if (shape.heads % shape.kvHeads == 0 || config.refused({"num_attention_heads", "num_key_value_heads"})) {
        return;
    }
    config.problem("num_key_value_heads",
                   fmt::format("{} key and value heads for {} heads", shape.kvHeads, shape.heads),
                   fmt::format("a divisor of {} heads: {}", shape.heads, divisorsOf(shape.heads)));
}

/// A list of attention kinds, one per layer, where newer configs have it. It wins over the family's own pattern.
void readLayerTypes(ConfigReader &config, TransformerShape &shape) {
    if (!config.has("layer_types") || config.isNull("layer_types") || config.refused({"num_hidden_layers"})) {
        return;
    }
    const nlohmann::json &types = *config.find("layer_types");
    if (!types.is_array() || types.size() != static_cast<std::size_t>(shape.layers)) {
        config.problem("layer_types", types.is_array() ? fmt::format("a list of {}", types.size()) : shownValue(types),
                       fmt::format("a list of {}, one for each layer", shape.layers));
        return;
    }
    std::vector<bool> full;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const bool isFull = types[i] == "full_attention";
        if (!isFull && types[i] != "sliding_attention") {
            config.problem(fmt::format("layer_types[{}]", i), shownValue(types[i]),
                           "full_attention or sliding_attention");
            return;
        }
        full.push_back(isFull);
    }
    const auto windowed = std::ranges::count(full, false);
    if (windowed == 0) {
        shape.attentionWindow.reset();
        shape.attentionWindowEvery.reset();
        return;
    }
    if (!shape.attentionWindow) {
        config.problem("layer_types", fmt::format("{} layers of sliding_attention without a window in force", windowed),
                       "a sliding_window of at least 1 token, or full_attention only");
        return;
    }
    const auto firstFull = std::ranges::find(full, true);
    shape.attentionWindowEvery.reset();
    if (firstFull == full.end()) {
        return;
    }
    const auto every = static_cast<int>(firstFull - full.begin()) + 1;
    shape.attentionWindowEvery = every;
    for (int layer = 0; layer < shape.layers; ++layer) {
        if (shape.isWindowed(layer) == full[static_cast<std::size_t>(layer)]) {
            config.problem(
                "layer_types", fmt::format("{} at layer {}", shownValue(types[static_cast<std::size_t>(layer)]), layer),
                fmt::format("full_attention at every N-th layer, here every {}, and sliding_attention at the "
                            "others: no other mix is modelled",
                            every));
            return;
        }
    }
}

struct ClassDefaults {
    std::optional<int> kvHeads = std::nullopt; ///< as many as heads where the class has no number
    std::optional<int> headDim = std::nullopt; ///< hidden / heads where the class has no number
    bool tied = false;
    std::optional<int> vocabulary = std::nullopt; ///< the config must say it where the class has none that holds
};

/// The keys that every family since Llama shares.
TransformerShape readCommon(ConfigReader &config, const ClassDefaults &defaults) {
    TransformerShape shape;
    shape.layers = config.count("num_hidden_layers", mostLayers);
    shape.hidden = config.count("hidden_size", mostHidden);
    shape.heads = config.count("num_attention_heads", mostHeads);
    shape.ffn = config.count("intermediate_size", mostFfn);
    shape.vocabulary = defaults.vocabulary ? config.countOr("vocab_size", mostVocabulary, *defaults.vocabulary)
                                           : config.count("vocab_size", mostVocabulary);
    // Null stands for as many as heads in every class but those of Gemma, which are also the ones with a head_dim.
    if (!defaults.kvHeads || (config.isNull("num_key_value_heads") && !defaults.headDim)) {
        shape.kvHeads = config.countOrNull("num_key_value_heads", mostHeads, shape.heads, " = num_attention_heads");
    } else {
        shape.kvHeads = config.countOr("num_key_value_heads", mostHeads, *defaults.kvHeads);
    }
    if (defaults.headDim) {
        shape.headDim = config.countOr("head_dim", mostHeadDim, *defaults.headDim);
    } else if (config.has("head_dim") && !config.isNull("head_dim")) {
        shape.headDim = config.count("head_dim", mostHeadDim);
    } else {
        shape.headDim = evenHeadDim(config, shape.hidden, shape.heads, "hidden_size", "num_attention_heads");
        if (!config.refused({"hidden_size", "num_attention_heads"})) {
            config.assume(fmt::format("head_dim: {} = hidden_size / num_attention_heads, the default of {}",
                                      shape.headDim, config.className()));
        }
    }
    checkKvHeads(config, shape);
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", defaults.tied);
    return shape;
}

/// attention_bias puts biases on q, k, v and the output projection, mlp_bias on the MLP; a shape knows both together or
/// neither.
void readBiases(ConfigReader &config, TransformerShape &shape, bool mlpBiasKnown) {
    const bool attention = config.flagOr("attention_bias", false);
    const bool mlp = mlpBiasKnown && config.flagOr("mlp_bias", false);
    if (attention && mlp) {
        shape.biases = Biases::All;
    } else if (attention || mlp) {
        config.problem(attention ? "attention_bias" : "mlp_bias",
                       fmt::format("true without {}", attention ? "mlp_bias" : "attention_bias"),
                       mlpBiasKnown ? "both or neither: biases on one part only are not modelled"
                                    : "false: biases on the attention only are not modelled");
    }
}

/// Classes without these keys do not look at them; the checkpoint then has no such tensors.
void noteIgnored(ConfigReader &config, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (config.isSet(key)) {
            config.warnings.push_back(fmt::format("{}: {} is not used by {} and was not read", key,
                                                  shownValue(*config.find(key)), config.className()));
        }
    }
}

TransformerShape readLlama(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {});
    readBiases(config, shape, true);
    readLayerTypes(config, shape);
    noteIgnored(config, {"sliding_window"});
    return shape;
}

TransformerShape readMistral(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 8});
    if (!config.isNull("sliding_window")) {
        shape.attentionWindow = config.countOr("sliding_window", mostTokens, 4096, " tokens on every layer");
    }
    readLayerTypes(config, shape);
    noteIgnored(config, {"attention_bias", "mlp_bias"});
    return shape;
}

TransformerShape readQwen2(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 32});
    shape.biases = Biases::Qkv;
    config.assume("biases on query, key and value: Qwen2 has them without a key in its config");
    if (config.flagOr("use_sliding_window", false) && !config.isNull("sliding_window")) {
        shape.attentionWindow = config.countOr("sliding_window", mostTokens, 4096, " tokens");
        const bool typed = config.has("layer_types") && !config.isNull("layer_types");
        // Layers before max_window_layers attend in full, so 0 is a legal count here.
        const nlohmann::json *bound = config.find("max_window_layers");
        const bool isZero = bound != nullptr && bound->is_number_integer() && *bound == 0;
        const int fullLayers = isZero || typed ? 0 : config.countOr("max_window_layers", mostLayers, 28);
        if (fullLayers >= shape.layers) {
            shape.attentionWindow.reset();
        } else if (fullLayers > 0 && !config.refused({"max_window_layers", "num_hidden_layers"})) {
            config.problem("max_window_layers",
                           fmt::format("{} full layers before {} windowed ones", fullLayers, shape.layers - fullLayers),
                           fmt::format("0 (all windowed) or at least {} (none): a mix in this order is not modelled",
                                       shape.layers));
        }
    }
    readLayerTypes(config, shape);
    noteIgnored(config, {"attention_bias", "mlp_bias"});
    return shape;
}

TransformerShape readGemma(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 16, .headDim = 256, .tied = true});
    readBiases(config, shape, false);
    readLayerTypes(config, shape);
    noteIgnored(config, {"sliding_window", "mlp_bias"});
    return shape;
}

/// Gemma 2 and 3: windows on all layers but every `every`-th, norms before and after each block.
TransformerShape readWindowedGemma(ConfigReader &config, int every, std::optional<int> vocabulary = std::nullopt) {
    TransformerShape shape = readCommon(config, {.kvHeads = 4, .headDim = 256, .tied = true, .vocabulary = vocabulary});
    readBiases(config, shape, false);
    shape.blockNorms = BlockNorms::Around;
    if (!config.isNull("sliding_window")) {
        shape.attentionWindow = config.countOr("sliding_window", mostTokens, 4096, " tokens");
        shape.attentionWindowEvery = every;
    }
    readLayerTypes(config, shape);
    noteIgnored(config, {"mlp_bias"});
    return shape;
}

TransformerShape readGemma2(ConfigReader &config) {
    if (!config.has("layer_types")) {
        config.assume("full attention at every 2nd layer, the others within the window: Gemma 2 has no key for it");
    }
    return readWindowedGemma(config, 2);
}

TransformerShape readGemma3Text(ConfigReader &config, std::optional<int> vocabulary) {
    static constexpr std::string_view saved = "_sliding_window_pattern"; // as newer releases write it
    const std::string_view key = config.has(saved) ? saved : "sliding_window_pattern";
    const int every = config.has("layer_types") && !config.has(key) ? 6 : config.countOr(key, mostLayers, 6);
    TransformerShape shape = readWindowedGemma(config, every, vocabulary);
    shape.qkNorm = QkNorm::PerHead;
    config.assume("norms over each query and key head, and after attention and MLP: Gemma 3 has them without a key");
    return shape;
}

TransformerShape readGemma3(ConfigReader &config) {
    return readGemma3Text(config, std::nullopt);
}

/// Text and vision together: the text part is nested, and leaves out what its class knows.
TransformerShape readGemma3WithVision(ConfigReader &config) {
    static constexpr int classVocabulary = 262208;
    TransformerShape shape;
    config.nested("text_config", "Gemma3TextConfig",
                  [&shape](ConfigReader &text) { shape = readGemma3Text(text, classVocabulary); });
    config.nested("vision_config", "SiglipVisionConfig", [&shape](ConfigReader &vision) {
        shape.towerParameters = siglipTowerParameters(vision, shape.hidden);
    });
    config.assume("the weights of the vision tower and its projector are counted; its activations and FLOPs are not "
                  "modelled: tokens are text");
    return shape;
}

/// The first of two names for one field that the config has; both with different values are a problem.
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

TransformerShape readGpt2(ConfigReader &config) {
    const std::string_view hiddenKey = eitherName(config, "n_embd", "hidden_size");
    const std::string_view headsKey = eitherName(config, "n_head", "num_attention_heads");
    TransformerShape shape;
    shape.layers = config.count(eitherName(config, "n_layer", "num_hidden_layers"), mostLayers);
    shape.hidden = config.count(hiddenKey, mostHidden);
    shape.heads = config.count(headsKey, mostHeads);
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    shape.maxPositions = config.countOr(eitherName(config, "n_positions", "max_position_embeddings"), mostTokens, 1024,
                                        " rows of the position table");
    shape.kvHeads = shape.heads;
    shape.headDim = evenHeadDim(config, shape.hidden, shape.heads, hiddenKey, headsKey);
    shape.ffn =
        config.refused({hiddenKey}) ? 1 : config.countOrNull("n_inner", mostFfn, 4 * shape.hidden, " = 4 x n_embd");
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.biases = Biases::All;
    shape.positions = Positions::Learned;
    config.assume(
        "biases on every linear layer and norm, and a table of learned positions: GPT-2 has them without a key");
    return shape;
}

constexpr std::array families = {
    ModelFamily{"gemma", "GemmaConfig", "GemmaForCausalLM", readGemma},
    ModelFamily{"gemma2", "Gemma2Config", "Gemma2ForCausalLM", readGemma2},
    ModelFamily{"gemma3", "Gemma3Config", "Gemma3ForConditionalGeneration", readGemma3WithVision, true},
    ModelFamily{"gemma3_text", "Gemma3TextConfig", "Gemma3ForCausalLM", readGemma3},
    ModelFamily{"gpt2", "GPT2Config", "GPT2LMHeadModel", readGpt2},
    ModelFamily{"llama", "LlamaConfig", "LlamaForCausalLM", readLlama},
    ModelFamily{"mistral", "MistralConfig", "MistralForCausalLM", readMistral},
    ModelFamily{"qwen2", "Qwen2Config", "Qwen2ForCausalLM", readQwen2},
};

} // namespace

std::span<const ModelFamily> modelFamilies() {
    return families;
}

} // namespace ridgepoint
