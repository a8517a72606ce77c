// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Names of structural keys, of families that are left out, and of keys without a size.
#include "core/import/structure.h"

#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ridgepoint {
namespace {

constexpr std::array<std::string_view, 3> nestedModels = {"text_config", "vision_config", "audio_config"};

/// Each changes the tensors where it is neither null, false, 0 nor empty.
constexpr std::array<std::string_view, 42> structuralKeys = {"num_local_experts",
                                                             "num_experts",
                                                             "n_routed_experts",
                                                             "n_shared_experts",
                                                             "num_shared_experts",
                                                             "moe_num_experts",
                                                             "moe_intermediate_size",
                                                             "shared_expert_intermediate_size",
                                                             "first_k_dense_replace",
                                                             "mlp_only_layers",
                                                             "kv_lora_rank",
                                                             "q_lora_rank",
                                                             "add_cross_attention",
                                                             "is_encoder_decoder",
                                                             "use_bidirectional_attention",
                                                             "linear_num_key_heads",
                                                             "index_topk",
                                                             "layer_types",
                                                             "use_qk_norm",
                                                             "qk_layernorm",
                                                             "qk_norm",
                                                             "attention_bias",
                                                             "mlp_bias",
                                                             "use_qkv_bias",
                                                             "qkv_bias",
                                                             "lm_head_bias",
                                                             "block_configs",
                                                             "num_kv_shared_layers",
                                                             "laurel_rank",
                                                             "hidden_size_per_layer_input",
                                                             "altup_num_inputs",
                                                             "mamba_d_state",
                                                             "mamba_num_heads",
                                                             "ssm_state_size",
                                                             "attn_layer_period",
                                                             "hybrid_override_pattern",
                                                             "attn_type_list",
                                                             "cross_attention_layers",
                                                             "shared_intermediate_size",
                                                             "lora_rank",
                                                             "n_group_experts",
                                                             "encoder_layers"};

constexpr std::string_view stateSpace = "state-space layers are not modelled";
constexpr std::array<std::pair<std::string_view, std::string_view>, 33> notModelled = {{
    {"bamba", stateSpace},
    {"chatglm", "its remote code's own names are not read"},
    {"clip", "two encoders side by side are not modelled"},
    {"deepseek_v32", "the sparse-attention indexer of each layer is not modelled"},
    {"falcon_h1", stateSpace},
    {"falcon_mamba", stateSpace},
    {"gemma3n", "per-layer embeddings, AltUp and LAuReL blocks are not modelled"},
    {"gemma3n_text", "per-layer embeddings, AltUp and LAuReL blocks are not modelled"},
    {"glm_moe_dsa", "the sparse-attention indexer of each layer is not modelled"},
    {"granitemoehybrid", stateSpace},
    {"granitemoeshared", "a shared expert beside this family's experts is not modelled"},
    {"hunyuan_v1_moe", "key-value layers shared between blocks are not modelled"},
    {"jamba", stateSpace},
    {"kimi_linear", "its linear attention has other gates than the one that is modelled"},
    {"lfm2", "gated convolutions in place of attention are not modelled"},
    {"llava", "the vision tower of this family is not read"},
    {"longcat_flash", "two attentions per layer and zero experts are not modelled"},
    {"mamba", stateSpace},
    {"mamba2", stateSpace},
    {"minimax", "lightning attention is not modelled"},
    {"minimax_text_01", "lightning attention is not modelled"},
    {"mllama", "layers of cross-attention to images are not modelled"},
    {"modernbert", "a full layer first and then at every third layer is a pattern that is not modelled"},
    {"nemotron_h", stateSpace},
    {"nemotron-nas", "layers of different shapes are not modelled"},
    {"olmo", "norms without weights are not modelled"},
    {"phi3small", "block-sparse attention is not modelled"},
    {"phi4mm", "adapters beside the text model are not read"},
    {"recurrent_gemma", "recurrent blocks are not modelled"},
    {"rwkv", "recurrent blocks are not modelled"},
    {"step3", "multi-matrix factorized attention is not modelled"},
    {"zamba", stateSpace},
    {"zamba2", stateSpace},
}};

constexpr std::array<std::string_view, 60> sizeless = {
    "_attn_implementation",
    "_name_or_path",
    "architectures",
    "attention_dropout",
    "attention_multiplier",
    "attn_implementation",
    "auto_map",
    "bos_token_id",
    "cache_implementation",
    "dtype",
    "embedding_multiplier",
    "eos_token_id",
    "hidden_act",
    "hidden_dropout",
    "hidden_activation",
    "initializer_range",
    "logits_scaling",
    "max_position_embeddings",
    "max_window_layers",
    "mlp_dropout",
    "model_max_length",
    "model_type",
    "original_max_position_embeddings",
    "output_attentions",
    "output_hidden_states",
    "pad_token_id",
    "partial_rotary_factor",
    "pretraining_tp",
    "quantization_config",
    "rescale_layer",
    "resid_pdrop",
    "residual_dropout",
    "residual_multiplier",
    "return_dict",
    "rms_norm_eps",
    "rope_parameters",
    "rope_scaling",
    "rope_theta",
    "rope_type",
    "rotary_percent",
    "sep_token_id",
    "sliding_window",
    "tie_word_embeddings",
    "tokenizer_class",
    "torch_dtype",
    "transformers_version",
    "unk_token_id",
    "use_cache",
    "use_sliding_window",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
    "attention_bias",
    "mlp_bias",
    "use_flash_attention",
    "gradient_checkpointing",
};

} // namespace

void checkStructure(ConfigReader &config) {
    for (const std::string_view key : nestedModels) {
        if (config.wasRead(key) || !config.has(key) || config.isNull(key)) {
            continue;
        }
        const nlohmann::json &value = *config.find(key);
        config.problem(key, shownValue(value),
                       value.is_object() ? "no nested models: this family has none that is modelled"
                                         : "an object in kind, and none here: this family has no nested model");
    }
    for (const std::string_view key : structuralKeys) {
        if (config.isSet(key) && !config.wasRead(key)) {
            config.problem(key, shownValue(*config.find(key)), "a model without it: not modelled for this family");
        }
    }
    for (const std::string_view key : {"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers"}) {
        if (config.isSet(key) && !config.wasRead(key)) {
            config.warnings.push_back(fmt::format("{}: {}: multi-token-prediction blocks are not counted", key,
                                                  shownValue(*config.find(key))));
        }
    }
}

std::string_view reasonNotModelled(std::string_view modelType) {
    const auto *it = std::ranges::find(notModelled, modelType, &std::pair<std::string_view, std::string_view>::first);
    return it == notModelled.end() ? std::string_view() : it->second;
}

bool sizesNothing(std::string_view key) {
    return std::ranges::find(sizeless, key) != sizeless.end();
}

} // namespace ridgepoint
