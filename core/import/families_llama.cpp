// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Llama and the decoders that differ from it in norms, biases, windows or the gate of the MLP. Defaults are those of
// the configuration classes of Hugging Face transformers.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/strict_json.h"
#include "core/import/structure.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace families {
namespace {

TransformerShape readLlama(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {});
    readBiases(config, shape, true);
    readLayerTypes(config, shape);
    noteIgnored(config, {"sliding_window"});
    return shape;
}

/// Llama's keys with tied embeddings where the config says nothing (SmolLM 3 also leaves rotary embedding out of some
/// layers, which has no weights).
TransformerShape readTiedLlama(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.tied = true});
    readBiases(config, shape, true);
    if (config.flagIfGiven("use_sliding_window", false) && config.isSet("sliding_window")) {
        shape.attentionWindow = config.count("sliding_window", mostTokens);
    }
    readLayerTypes(config, shape);
    return shape;
}

TransformerShape readGranite(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    readBiases(config, shape, true);
    return shape;
}

TransformerShape readSeedOss(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.headDim = 128});
    const bool qkv = config.flagOr("attention_bias", true);
    const bool out = config.flagOr("attention_out_bias", false);
    const bool mlp = config.flagOr("mlp_bias", false);
    if (!qkv && !out) {
        shape.biases = mlp ? Biases::Mlp : Biases::None;
    } else if (qkv && !out && !mlp) {
        shape.biases = Biases::Qkv;
    } else if (qkv && out) {
        shape.biases = mlp ? Biases::All : Biases::Attention;
    } else {
        config.problem("attention_out_bias", fmt::format("{} beside attention_bias {} and mlp_bias {}", out, qkv, mlp),
                       "biases on q, k and v only, on all of attention, on all linears, or none");
    }
    return shape;
}

TransformerShape readInternLm2(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    shape.biases = config.flagOr("bias", true) ? Biases::Attention : Biases::None;
    return shape;
}

TransformerShape readPhi3(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    if (config.isSet("sliding_window")) {
        shape.attentionWindow = config.count("sliding_window", mostTokens);
    }
    noteIgnored(config, {"attention_bias", "mlp_bias"});
    return shape;
}

/// GLM-4: query, key and value have biases, the output projection has none; the newer one has norms around each block.
TransformerShape readGlm(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 2, .headDim = 128});
    shape.biases = config.flagOr("attention_bias", true) ? Biases::Qkv : Biases::None;
    return shape;
}

TransformerShape readGlm4(ConfigReader &config) {
    TransformerShape shape = readGlm(config);
    shape.blockNorms = BlockNorms::Around;
    config.assume("norms before and after attention and MLP: GLM-4-0414 has them without a key");
    return shape;
}

/// OLMo 2 and 3: norms after each block, and over all query and key heads together.
TransformerShape readOlmo2(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    readBiases(config, shape, false);
    shape.blockNorms = BlockNorms::After;
    shape.qkNorm = QkNorm::FullWidth;
    config.assume("norms after attention and MLP, and over all query and all key heads: OLMo 2 has them without a key");
    return shape;
}

TransformerShape readOlmo3(ConfigReader &config) {
    TransformerShape shape = readOlmo2(config);
    shape.attentionWindow = config.countOr("sliding_window", mostTokens, 4096, " tokens");
    shape.attentionWindowEvery = 4;
    if (!config.isSet("layer_types")) {
        config.assume("full attention at every 4th layer, the others within the window: OLMo 3 has no key for it");
    }
    readLayerTypes(config, shape);
    return shape;
}

TransformerShape readStableLm(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 32, .readsHeadDim = false});
    shape.norm = NormKind::LayerNorm;
    shape.biases = config.flagOr("use_qkv_bias", false) ? Biases::Qkv : Biases::None;
    shape.blockNorms = config.flagOr("use_parallel_residual", false) ? BlockNorms::ParallelShared : BlockNorms::Before;
    requireFlag(config, "qk_layernorm", false, false, "a norm of its own for each head is");
    return shape;
}

TransformerShape readStarcoder2(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 2, .tied = true, .readsHeadDim = false});
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.biases = config.flagOr("use_bias", true) ? Biases::All : Biases::None;
    if (config.isSet("sliding_window")) {
        shape.attentionWindow = config.count("sliding_window", mostTokens);
    }
    config.assume("an MLP without a gate, and norms with a bias: Starcoder 2 has them without a key");
    return shape;
}

/// Nemotron and Arcee: squared ReLU, no gate.
TransformerShape readUngated(ConfigReader &config, NormKind norm) {
    TransformerShape shape = readCommon(config, {});
    readBiases(config, shape, true);
    shape.gatedMlp = false;
    shape.norm = norm;
    config.assume(fmt::format("an MLP without a gate{}: the family has it without a key",
                              norm == NormKind::LayerNorm ? ", and norms with a bias" : ""));
    return shape;
}

TransformerShape readNemotron(ConfigReader &config) {
    return readUngated(config, NormKind::LayerNorm);
}

TransformerShape readArcee(ConfigReader &config) {
    return readUngated(config, NormKind::RmsNorm);
}

/// Command R: attention and MLP side by side after one norm without a bias.
TransformerShape readCohere(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.tied = true, .readsHeadDim = false});
    readBiases(config, shape, false);
    shape.norm = NormKind::LayerNormWithoutBias;
    shape.blockNorms = BlockNorms::ParallelShared;
    shape.qkNorm = config.flagOr("use_qk_norm", false) ? QkNorm::FullWidth : QkNorm::None;
    config.assume("attention and MLP in parallel after one norm without a bias: Command R has them without a key");
    return shape;
}

TransformerShape readCohere2(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.tied = true});
    readBiases(config, shape, false);
    shape.norm = NormKind::LayerNormWithoutBias;
    shape.blockNorms = BlockNorms::ParallelShared;
    shape.attentionWindow = config.countOr("sliding_window", mostTokens, 4096, " tokens");
    static constexpr std::string_view saved = "_sliding_window_pattern"; // as newer releases write it
    const std::string_view key = config.has(saved) ? saved : "sliding_window_pattern";
    shape.attentionWindowEvery =
        config.isSet("layer_types") && !config.has(key) ? 4 : config.countOr(key, mostLayers, 4);
    readLayerTypes(config, shape);
    config.assume("attention and MLP in parallel after one norm without a bias: Command R has them without a key");
    return shape;
}

/// Qwen's windows: in force only where use_sliding_window says so, behind the first max_window_layers.
void readQwenWindow(ConfigReader &config, TransformerShape &shape) {
    if (config.flagOr("use_sliding_window", false) && config.isSet("sliding_window")) {
        shape.attentionWindow = config.count("sliding_window", mostTokens);
        const bool typed = config.has("layer_types") && !config.isNull("layer_types");
        const int fullLayers = typed ? 0 : config.countFromZero("max_window_layers", mostLayers, 28);
        if (fullLayers >= shape.layers) {
            shape.attentionWindow.reset();
        } else {
            shape.fullLayersFirst = fullLayers;
        }
    }
    readLayerTypes(config, shape);
}

} // namespace

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
    readQwenWindow(config, shape);
    noteIgnored(config, {"attention_bias", "mlp_bias"});
    return shape;
}

TransformerShape readQwen3(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 32, .headDim = 128});
    readBiases(config, shape, false);
    shape.qkNorm = QkNorm::PerHead;
    config.assume("norms over each query and key head: Qwen3 has them without a key");
    readQwenWindow(config, shape);
    return shape;
}

std::vector<ModelFamily> llamaLike() {
    return {
        {"arcee", "ArceeConfig", {"ArceeForCausalLM"}, readArcee},
        {"cohere", "CohereConfig", {"CohereForCausalLM"}, readCohere},
        {"cohere2", "Cohere2Config", {"Cohere2ForCausalLM"}, readCohere2},
        {"glm", "GlmConfig", {"GlmForCausalLM"}, readGlm},
        {"glm4", "Glm4Config", {"Glm4ForCausalLM"}, readGlm4},
        {"granite", "GraniteConfig", {"GraniteForCausalLM"}, readGranite},
        {"internlm2", "InternLM2Config", {"InternLM2ForCausalLM"}, readInternLm2},
        {"llama", "LlamaConfig", {"LlamaForCausalLM"}, readLlama},
        {"mistral", "MistralConfig", {"MistralForCausalLM"}, readMistral},
        {"nemotron", "NemotronConfig", {"NemotronForCausalLM"}, readNemotron},
        {"olmo2", "Olmo2Config", {"Olmo2ForCausalLM"}, readOlmo2},
        {"olmo3", "Olmo3Config", {"Olmo3ForCausalLM"}, readOlmo3},
        {"phi3", "Phi3Config", {"Phi3ForCausalLM"}, readPhi3},
        {"qwen2", "Qwen2Config", {"Qwen2ForCausalLM"}, readQwen2},
        {"qwen3", "Qwen3Config", {"Qwen3ForCausalLM"}, readQwen3},
        {"seed_oss", "SeedOssConfig", {"SeedOssForCausalLM"}, readSeedOss},
        {"smollm3", "SmolLM3Config", {"SmolLM3ForCausalLM"}, readTiedLlama},
        {"stablelm", "StableLmConfig", {"StableLmForCausalLM"}, readStableLm},
        {"starcoder2", "Starcoder2Config", {"Starcoder2ForCausalLM"}, readStarcoder2},
    };
}

} // namespace families

TransformerShape readAsLlama(ConfigReader &config, std::string_view modelType, const nlohmann::json &whole) {
    for (const auto &[key, value] : whole.items()) {
        if (!sizesNothing(key) && config.isSet(key)) {
            config.problem(shownText(key), shownValue(value),
                           fmt::format("Llama's keys only: the family {} is not known, and what this key adds is not "
                                       "either",
                                       shownText(modelType)));
        }
    }
    config.word("hidden_act", "silu", {"silu", "swish", "gelu", "gelu_pytorch_tanh"});
    config.assume(
        fmt::format("the family {} is not known: read as Llama, since every key is one of Llama's; no count of "
                    "this family was compared, and norms or biases without a key would be left out",
                    shownText(modelType)));
    return families::readLlama(config);
}

} // namespace ridgepoint
