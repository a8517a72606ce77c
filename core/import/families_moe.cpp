// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of experts. Defaults are those of the configuration classes of Hugging Face transformers.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/prediction_blocks.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::families {
namespace {

void readWindowOnAllLayers(ConfigReader &config, TransformerShape &shape) {
    config.markRead("sliding_window");
    if (config.isSet("sliding_window")) {
        shape.attentionWindow = config.count("sliding_window", mostTokens);
    }
}

/// Experts of the width that dense models call intermediate_size.
TransformerShape readMixtral(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 8});
    shape.experts = readExperts(config, "num_local_experts", "num_experts_per_tok", "intermediate_size");
    readWindowOnAllLayers(config, shape);
    return shape;
}

TransformerShape readPhiMoe(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 8, .readsHeadDim = false});
    shape.experts = readExperts(config, "num_local_experts", "num_experts_per_tok", "intermediate_size");
    shape.norm = NormKind::LayerNorm;
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Attention : Biases::None;
    shape.headBias = config.flagOr("lm_head_bias", false);
    readWindowOnAllLayers(config, shape);
    config.assume("norms with a bias: Phi-3.5-MoE has them without a key");
    return shape;
}

TransformerShape readGraniteMoe(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    shape.experts = readExperts(config, "num_local_experts", "num_experts_per_tok", "intermediate_size");
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Attention : Biases::None;
    return shape;
}

TransformerShape readOlmoe(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    shape.experts = readExperts(config, "num_experts", "num_experts_per_tok", "intermediate_size");
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Attention : Biases::None;
    shape.qkNorm = QkNorm::FullWidth;
    config.assume("norms over all query and all key heads: OLMoE has them without a key");
    return shape;
}

/// Which layers of a Qwen are MoE: every decoder_sparse_step-th, without those that mlp_only_layers lists.
void readSparseSteps(ConfigReader &config, TransformerShape &shape) {
    Experts &experts = *shape.experts;
    experts.every = config.countOr("decoder_sparse_step", mostLayers, 1);
    config.markRead("mlp_only_layers");
    if (!config.isSet("mlp_only_layers") || config.refused({"num_hidden_layers", "decoder_sparse_step"})) {
        return;
    }
    const nlohmann::json &listed = *config.find("mlp_only_layers");
    std::vector<bool> isMoe(static_cast<std::size_t>(shape.layers));
    for (int layer = 0; layer < shape.layers; ++layer) {
        isMoe[static_cast<std::size_t>(layer)] = (layer + 1) % experts.every == 0;
    }
    const bool isList = listed.is_array() && std::ranges::all_of(listed, [&](const nlohmann::json &one) {
                            return one.is_number_integer() && one >= 0 && one < shape.layers;
                        });
    if (!isList) {
        config.problem("mlp_only_layers", shownValue(listed), fmt::format("a list of layers below {}", shape.layers));
        return;
    }
    for (const nlohmann::json &one : listed) {
        isMoe[one.get<std::size_t>()] = false;
    }
    experts.denseLayers = static_cast<int>(std::ranges::find(isMoe, true) - isMoe.begin());
    for (const int dense : {experts.denseLayers, std::max(0, experts.denseLayers - experts.every + 1)}) {
        experts.denseLayers = dense;
        bool isSame = true;
        for (int layer = 0; layer < shape.layers && isSame; ++layer) {
            isSame = shape.isMoe(layer) == isMoe[static_cast<std::size_t>(layer)];
        }
        if (isSame) {
            return;
        }
    }
    config.problem("mlp_only_layers", shownValue(listed), "the first layers only: no other mix is modelled");
}

TransformerShape readQwen2Moe(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 16, .readsHeadDim = false});
    shape.experts = readExperts(config, "num_experts", "num_experts_per_tok", "moe_intermediate_size");
    shape.experts->shared = 1;
    shape.experts->sharedFfn = config.count("shared_expert_intermediate_size", mostFfn);
    shape.experts->sharedGate = true;
    shape.biases = config.flagIfGiven("qkv_bias", true) ? Biases::Qkv : Biases::None;
    readSparseSteps(config, shape);
    requireFlag(config, "use_sliding_window", false, false, "windows of this family are");
    config.assume("biases on query, key and value, and a gate on the shared expert: Qwen2-MoE has them without a key");
    return shape;
}

/// Gated DeltaNet in all layers but every full_attention_interval-th, which has a gate on its output.
TransformerShape readQwen3Next(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 2, .headDim = 256});
    shape.experts = readExperts(config, "num_experts", "num_experts_per_tok", "moe_intermediate_size");
    shape.experts->shared = 1;
    shape.experts->sharedFfn = config.count("shared_expert_intermediate_size", mostFfn);
    shape.experts->sharedGate = true;
    readSparseSteps(config, shape);
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Attention : Biases::None;
    shape.qkNorm = QkNorm::PerHead;
    shape.attentionOutputGate = true;
    LinearAttention linear;
    linear.keyHeads = config.count("linear_num_key_heads", mostHeads);
    linear.valueHeads = config.count("linear_num_value_heads", mostHeads);
    linear.keyDim = config.count("linear_key_head_dim", mostHeadDim);
    linear.valueDim = config.count("linear_value_head_dim", mostHeadDim);
    linear.convolution = config.countOr("linear_conv_kernel_dim", 1024, 4, " taps");
    linear.fullEvery = config.countOr("full_attention_interval", mostLayers, 4, "th layer attends in full");
    if (linear.valueHeads % linear.keyHeads != 0 &&
        !config.refused({"linear_num_key_heads", "linear_num_value_heads"})) {
        config.problem("linear_num_value_heads",
                       fmt::format("{} value heads for {} key heads", linear.valueHeads, linear.keyHeads),
                       fmt::format("a multiple of {}", linear.keyHeads));
    }
    shape.linearAttention = linear;
    config.markRead("layer_types");
    if (config.isSet("layer_types") && !config.refused({"num_hidden_layers", "full_attention_interval"})) {
        const nlohmann::json &types = *config.find("layer_types");
        bool isSame = types.is_array() && types.size() == static_cast<std::size_t>(shape.layers);
        for (int layer = 0; layer < shape.layers && isSame; ++layer) {
            isSame = types[static_cast<std::size_t>(layer)] ==
                     (shape.isLinear(layer) ? "linear_attention" : "full_attention");
        }
        if (!isSame) {
            config.problem("layer_types", shownValue(types),
                           fmt::format("full_attention at every {}th of {} layers, linear_attention at the others",
                                       linear.fullEvery, shape.layers));
        }
    }
    config.assume("an output gate and norms over each query and key head in full layers, and a gate on the shared "
                  "expert: Qwen3-Next has them without a key");
    notePredictionBlocks(config, shape, PredictionBlocks{});
    return shape;
}

TransformerShape readGptOss(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 8, .headDim = 64});
    shape.experts = readExperts(config, "num_local_experts", "num_experts_per_tok", "intermediate_size");
    shape.experts->biases = true;
    shape.experts->routerBias = true;
    shape.biases = config.flagOr("attention_bias", true) ? Biases::Attention : Biases::None;
    shape.attentionSinks = true;
    if (!config.isNull("sliding_window")) {
        shape.attentionWindow = config.countOr("sliding_window", mostTokens, 128, " tokens");
        shape.attentionWindowEvery = 2;
        if (!config.isSet("layer_types")) {
            config.assume("full attention at every 2nd layer, the others within the window: the default of gpt-oss");
        }
    }
    readLayerTypes(config, shape);
    if (config.has("experts_per_token")) {
        eitherName(config, "num_experts_per_tok", "experts_per_token");
    }
    config.assume("biases on experts and router, and one attention sink per head: gpt-oss has them without a key");
    return shape;
}

TransformerShape readGlm4Moe(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 8});
    shape.experts = readExperts(config, "n_routed_experts", "num_experts_per_tok", "moe_intermediate_size");
    shape.experts->shared = config.countFromZero("n_shared_experts", mostExperts, 1);
    shape.experts->sharedFfn = shape.experts->shared > 0 ? shape.experts->ffn : 0;
    shape.experts->denseLayers = config.countFromZero("first_k_dense_replace", mostLayers, 1);
    shape.experts->routerBias = true;
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Qkv : Biases::None;
    shape.qkNorm = config.flagOr("use_qk_norm", false) ? QkNorm::PerHead : QkNorm::None;
    config.assume("a bias of each expert in the router, and attention_bias on query, key and value only: GLM-4.5 has "
                  "them without a key");
    notePredictionBlocks(config, shape, PredictionBlocks{.key = "num_nextn_predict_layers", .ownEmbeddings = true});
    return shape;
}

TransformerShape readMiniMaxM2(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.headDim = 128});
    shape.experts = readExperts(config, "num_local_experts", "num_experts_per_tok", "intermediate_size");
    shape.experts->routerBias = config.flagIfGiven("use_routing_bias", true);
    shape.qkNorm = config.flagIfGiven("use_qk_norm", true) ? QkNorm::FullWidth : QkNorm::None;
    config.word("qk_norm_type", "per_layer", {"per_layer"});
    config.markRead("attn_type_list");
    if (config.isSet("attn_type_list")) {
        const nlohmann::json &types = *config.find("attn_type_list");
        if (!types.is_array() || !std::ranges::all_of(types, [](const nlohmann::json &one) { return one == 1; })) {
            config.problem("attn_type_list", shownValue(types),
                           "1 for every layer: lightning attention is not modelled");
        }
    }
    if (config.flagIfGiven("use_mtp", false) && config.isSet("num_mtp_modules")) {
        config.markRead("num_mtp_modules");
        config.warnings.push_back(fmt::format("num_mtp_modules: {}: multi-token-prediction blocks are not counted",
                                              shownValue(*config.find("num_mtp_modules"))));
    } else {
        config.markRead("num_mtp_modules");
    }
    return shape;
}

TransformerShape readDbrx(ConfigReader &config) {
    TransformerShape shape;
    shape.layers = config.count("n_layers", mostLayers);
    shape.hidden = config.count("d_model", mostHidden);
    shape.heads = config.count("n_heads", mostHeads);
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    shape.kvHeads = shape.heads;
    shape.headDim = evenHeadDim(config, shape.hidden, shape.heads, "d_model", "n_heads");
    shape.norm = NormKind::LayerNormWithoutBias;
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", false);
    readNested(config, "attn_config", "DbrxAttentionConfig", [&](ConfigReader &attention) {
        shape.kvHeads = attention.countOr("kv_n_heads", mostHeads, 1);
        checkKvHeads(attention, shape, "n_heads", "kv_n_heads");
    });
    readNested(config, "ffn_config", "DbrxFFNConfig", [&](ConfigReader &mlp) {
        shape.experts = readExperts(mlp, "moe_num_experts", "moe_top_k", "ffn_hidden_size");
    });
    shape.ffn = shape.experts ? shape.experts->ffn : 1;
    config.assume("norms without a bias, and no other biases: DBRX has them without a key");
    return shape;
}

} // namespace

TransformerShape readQwen3Moe(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 4});
    shape.experts = readExperts(config, "num_experts", "num_experts_per_tok", "moe_intermediate_size");
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Attention : Biases::None;
    shape.qkNorm = QkNorm::PerHead;
    readSparseSteps(config, shape);
    requireFlag(config, "use_sliding_window", false, false, "windows of this family are");
    config.assume("norms over each query and key head: Qwen3-MoE has them without a key");
    return shape;
}

std::vector<ModelFamily> mixtures() {
    return {
        {"dbrx", "DbrxConfig", {"DbrxForCausalLM"}, readDbrx},
        {"glm4_moe", "Glm4MoeConfig", {"Glm4MoeForCausalLM"}, readGlm4Moe},
        {"gpt_oss", "GptOssConfig", {"GptOssForCausalLM"}, readGptOss},
        {"granitemoe", "GraniteMoeConfig", {"GraniteMoeForCausalLM"}, readGraniteMoe},
        {"minimax_m2", "MiniMaxM2Config", {"MiniMaxM2ForCausalLM"}, readMiniMaxM2},
        {"mixtral", "MixtralConfig", {"MixtralForCausalLM"}, readMixtral},
        {"olmoe", "OlmoeConfig", {"OlmoeForCausalLM"}, readOlmoe},
        {"phimoe", "PhimoeConfig", {"PhimoeForCausalLM", "PhiMoEForCausalLM"}, readPhiMoe},
        {"qwen2_moe", "Qwen2MoeConfig", {"Qwen2MoeForCausalLM"}, readQwen2Moe},
        {"qwen3_moe", "Qwen3MoeConfig", {"Qwen3MoeForCausalLM"}, readQwen3Moe},
        {"qwen3_next", "Qwen3NextConfig", {"Qwen3NextForCausalLM"}, readQwen3Next},
    };
}

} // namespace ridgepoint::families
