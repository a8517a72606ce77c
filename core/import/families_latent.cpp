// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSeek's multi-head latent attention with its experts. Defaults are those of the configuration classes of Hugging
// Face transformers.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/prediction_blocks.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::families {
namespace {

Mla readLatentAttention(ConfigReader &config) {
    Mla mla;
    mla.qRank = config.countIfGiven("q_lora_rank", mostHidden);
    mla.kvRank = config.count("kv_lora_rank", mostHidden);
    mla.ropeDim = config.count("qk_rope_head_dim", mostHeadDim);
    mla.nopeDim = config.count("qk_nope_head_dim", mostHeadDim);
    mla.vDim = config.count("v_head_dim", mostHeadDim);
    if (!mla.qRank && !config.refused({"q_lora_rank"})) {
        config.assume("q_lora_rank: none, a plain query projection");
    }
    return mla;
}

/// `routerBias`: whether the class always has one correction bias per expert.
TransformerShape readDeepseek(ConfigReader &config, bool routerBias) {
    TransformerShape shape;
    shape.layers = config.count("num_hidden_layers", mostLayers);
    shape.hidden = config.count("hidden_size", mostHidden);
    shape.heads = config.count("num_attention_heads", mostHeads);
    shape.ffn = config.count("intermediate_size", mostFfn);
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    shape.kvHeads = shape.heads;
    shape.mla = readLatentAttention(config);
    shape.headDim = shape.mla->nopeDim + shape.mla->ropeDim;
    if (!config.refused({"qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "kv_lora_rank"})) {
        config.assume(fmt::format("head_dim: {} from qk_nope_head_dim + qk_rope_head_dim, values {} from v_head_dim; "
                                  "num_key_value_heads is not used: the cache holds {} latent and rotary elements",
                                  shape.headDim, shape.mla->vDim, shape.mla->kvRank + shape.mla->ropeDim));
    }
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", false);
    requireFlag(config, "attention_bias", false, false, "biases on the latent projections are");
    const std::string method =
        config.word("topk_method", routerBias ? "noaux_tc" : "greedy", {"greedy", "group_limited_greedy", "noaux_tc"});
    const auto count = config.countIfGiven("n_routed_experts", mostExperts);
    if (!count) {
        config.assume("n_routed_experts: none, all layers are dense");
        return shape;
    }
    Experts experts = readExperts(config, "n_routed_experts", "num_experts_per_tok", "moe_intermediate_size");
    experts.shared = config.isNull("n_shared_experts") ? 0 : config.countFromZero("n_shared_experts", mostExperts, 0);
    config.markRead("n_shared_experts");
    experts.sharedFfn = experts.shared > 0 ? experts.ffn : 0;
    experts.denseLayers = config.countFromZero("first_k_dense_replace", mostLayers, 0);
    experts.routerBias = routerBias || method == "noaux_tc";
    const int frequency = config.countOr("moe_layer_freq", mostLayers, 1);
    if (frequency != 1 && !config.refused({"moe_layer_freq"})) {
        config.problem("moe_layer_freq", fmt::format("{}", frequency), "1: every layer after the dense ones is MoE");
    }
    shape.experts = experts;
    if (experts.routerBias) {
        config.assume("a correction bias of each expert in the router: topk_method noaux_tc has it");
    }
    notePredictionBlocks(config, shape, {.key = "num_nextn_predict_layers", .ownEmbeddings = true});
    return shape;
}

TransformerShape readDeepseekV2(ConfigReader &config) {
    return readDeepseek(config, false);
}

TransformerShape readDeepseekV3(ConfigReader &config) {
    return readDeepseek(config, true);
}

} // namespace

std::vector<ModelFamily> latent() {
    return {
        {"deepseek_v2", "DeepseekV2Config", {"DeepseekV2ForCausalLM"}, readDeepseekV2},
        {"deepseek_v3", "DeepseekV3Config", {"DeepseekV3ForCausalLM"}, readDeepseekV3},
        {"kimi_k2", "DeepseekV3Config", {"DeepseekV3ForCausalLM"}, readDeepseekV3},
    };
}

} // namespace ridgepoint::families
