// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 and the decoders of its time: names of their own, learned or ALiBi positions, parallel blocks, biases without a
// key. Defaults are those of the configuration classes of Hugging Face transformers.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

namespace ridgepoint::families {
namespace {

/// The names under which a family keeps the sizes that all have; each has the common name as its second.
struct Names {
    std::string_view layers, hidden, heads;
};

/// Layers, width, heads and vocabulary of a decoder with as many key-value heads as heads and no gate.
TransformerShape readUngatedSizes(ConfigReader &config, const Names &own) {
    const std::string_view layersKey = eitherName(config, own.layers, "num_hidden_layers");
    const std::string_view hiddenKey = eitherName(config, own.hidden, "hidden_size");
    const std::string_view headsKey = eitherName(config, own.heads, "num_attention_heads");
    TransformerShape shape;
    shape.layers = config.count(layersKey, mostLayers);
    shape.hidden = config.count(hiddenKey, mostHidden);
    shape.heads = config.count(headsKey, mostHeads);
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    shape.kvHeads = shape.heads;
    shape.headDim = evenHeadDim(config, shape.hidden, shape.heads, hiddenKey, headsKey);
    shape.ffn = 4 * shape.hidden;
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    return shape;
}

/// `n_inner`, or four times the width.
void readInnerWidth(ConfigReader &config, TransformerShape &shape, std::string_view hiddenKey) {
    shape.ffn = config.refused({hiddenKey})
                    ? 1
                    : config.countOrNull("n_inner", mostFfn, 4 * shape.hidden, fmt::format(" = 4 x {}", hiddenKey));
}

TransformerShape readGpt2(ConfigReader &config) {
    TransformerShape shape = readUngatedSizes(config, {"n_layer", "n_embd", "n_head"});
    readInnerWidth(config, shape, "n_embd");
    shape.maxPositions = config.countOr(eitherName(config, "n_positions", "max_position_embeddings"), mostTokens, 1024,
                                        " rows of the position table");
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    shape.biases = Biases::All;
    shape.positions = Positions::Learned;
    config.assume(
        "biases on every linear layer and norm, and a table of learned positions: GPT-2 has them without a key");
    return shape;
}

/// StarCoder's GPT-2: one key-value head.
TransformerShape readGptBigCode(ConfigReader &config) {
    TransformerShape shape = readGpt2(config);
    shape.kvHeads = config.flagOr("multi_query", true) ? 1 : shape.heads;
    return shape;
}

/// GPT-J and CodeGen: attention and MLP in parallel after one norm, biases on the MLP and the head only.
TransformerShape readGptJ(ConfigReader &config) {
    TransformerShape shape = readUngatedSizes(config, {"n_layer", "n_embd", "n_head"});
    readInnerWidth(config, shape, "n_embd");
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", false);
    shape.biases = Biases::Mlp;
    shape.blockNorms = BlockNorms::ParallelShared;
    shape.headBias = true;
    config.assume("biases on the MLP, the norms and the head, and parallel blocks after one norm: GPT-J has them "
                  "without a key");
    return shape;
}

TransformerShape readGptNeoX(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    shape.kvHeads = shape.heads;
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.biases = config.flagOr("attention_bias", true) ? Biases::All : Biases::Mlp;
    shape.blockNorms = config.flagOr("use_parallel_residual", true) ? BlockNorms::ParallelOwn : BlockNorms::Before;
    return shape;
}

TransformerShape readPhi(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.readsHeadDim = false});
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.biases = Biases::All;
    shape.blockNorms = BlockNorms::ParallelShared;
    shape.qkNorm = config.flagOr("qk_layernorm", false) ? QkNorm::PerHead : QkNorm::None;
    shape.headBias = true;
    config.assume("biases on every linear layer, the norms and the head, and parallel blocks after one norm: Phi has "
                  "them without a key");
    return shape;
}

TransformerShape readBloom(ConfigReader &config) {
    const std::string_view widthKey = config.has("n_embed") ? "n_embed" : "hidden_size";
    TransformerShape shape = readUngatedSizes(config, {"n_layer", widthKey, "n_head"});
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    shape.biases = Biases::All;
    shape.positions = Positions::Alibi;
    shape.embeddingNorm = true;
    config.assume("ALiBi, a norm after the embedding and biases on every linear layer: BLOOM has them without a key");
    return shape;
}

TransformerShape readOpt(ConfigReader &config) {
    TransformerShape shape = readUngatedSizes(config, {"num_hidden_layers", "hidden_size", "num_attention_heads"});
    shape.ffn = config.count("ffn_dim", mostFfn);
    // Its table has two rows before the first position.
    const int positions = config.countOr("max_position_embeddings", mostTokens, 2048, " positions");
    shape.maxPositions = positions + 2;
    shape.positions = Positions::Learned;
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    shape.biases = config.flagIfGiven("enable_bias", true) ? Biases::All : Biases::None;
    const auto embeddingWidth = config.countIfGiven("word_embed_proj_dim", mostHidden);
    if (embeddingWidth && *embeddingWidth != shape.hidden && !config.refused({"hidden_size", "word_embed_proj_dim"})) {
        config.problem("word_embed_proj_dim", fmt::format("{} beside hidden_size {}", *embeddingWidth, shape.hidden),
                       "the same: an embedding of another width than the layers is not modelled");
    }
    requireFlag(config, "do_layer_norm_before", true, true, "norms after each block without a last one are");
    requireFlag(config, "layer_norm_elementwise_affine", true, true, "a norm without weights is");
    requireFlag(config, "_remove_final_layer_norm", false, false, "a model without its last norm is");
    config.assume(fmt::format("{} rows of the position table, two more than max_position_embeddings, and biases on "
                              "every linear layer: OPT has them without a key",
                              positions + 2));
    return shape;
}

/// Falcon under the names of today and of its first release (RefinedWeb).
TransformerShape readFalcon(ConfigReader &config) {
    TransformerShape shape = readUngatedSizes(config, {"n_layer", "hidden_size", "n_head"});
    const bool grouped = config.flagOr("new_decoder_architecture", false) || config.has("n_head_kv");
    const bool alibi = config.flagOr("alibi", false);
    const bool bias = config.flagOr("bias", false);
    const bool parallel = config.flagOr("parallel_attn", true);
    const bool multiQuery = config.flagOr("multi_query", true);
    const std::string_view kvKey = config.has("n_head_kv") ? "n_head_kv" : "num_kv_heads";
    if (grouped) {
        shape.kvHeads = config.countOrNull(kvKey, mostHeads, shape.heads, " = num_attention_heads");
        checkKvHeads(config, shape, "num_attention_heads", kvKey);
    } else if (multiQuery) {
        shape.kvHeads = 1;
        config.assume("num_kv_heads: 1, since multi_query is true and new_decoder_architecture is not");
    }
    const auto ffn = config.countIfGiven("ffn_hidden_size", mostFfn);
    shape.ffn = ffn.value_or(shape.ffn);
    if (!ffn) {
        config.assume(
            fmt::format("ffn_hidden_size: {} = 4 x hidden_size, the default of {}", shape.ffn, config.className()));
    }
    const int norms = config.countIfGiven("num_ln_in_parallel_attn", 2).value_or(grouped ? 2 : 1);
    shape.blockNorms = !parallel               ? BlockNorms::Before
                       : grouped && norms == 2 ? BlockNorms::ParallelOwn
                                               : BlockNorms::ParallelShared;
    shape.biases = bias ? Biases::All : Biases::None;
    shape.positions = alibi ? Positions::Alibi : Positions::Rope;
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    config.assume("norms with a bias, and an MLP without a gate: Falcon has them without a key");
    return shape;
}

TransformerShape readMpt(ConfigReader &config) {
    TransformerShape shape = readUngatedSizes(config, {"n_layers", "d_model", "n_heads"});
    shape.ffn = shape.hidden * config.countOr("expansion_ratio", 64, 4, " times d_model");
    shape.norm = NormKind::LayerNormWithoutBias;
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    requireFlag(config, "no_bias", true, true, "an MPT with biases is");
    config.word("norm_type", "low_precision_layernorm", {"low_precision_layernorm", "layernorm"});
    bool alibi = true;
    if (config.has("attn_config")) {
        readNested(config, "attn_config", "MptAttentionConfig", [&](ConfigReader &attention) {
            alibi = attention.flagOr("alibi", true);
            requireFlag(attention, "qk_ln", false, false, "norms over queries and keys of this family are");
            const std::string kind =
                attention.word("attn_type", "multihead_attention",
                               {"multihead_attention", "multiquery_attention", "grouped_query_attention"});
            if (kind == "multiquery_attention") {
                shape.kvHeads = 1;
            } else if (kind == "grouped_query_attention") {
                shape.kvHeads = attention.count("kv_n_heads", mostHeads);
                checkKvHeads(attention, shape, "n_heads", "kv_n_heads");
            }
        });
    } else {
        config.assume("attn_config.alibi: true, the default of MptAttentionConfig");
    }
    const bool learned = config.flagIfGiven("learned_pos_emb", true);
    if (alibi) {
        shape.positions = Positions::Alibi;
    } else if (learned) {
        shape.positions = Positions::Learned;
        shape.maxPositions = config.count("max_seq_len", mostTokens);
    } else {
        shape.positions = Positions::None;
    }
    return shape;
}

} // namespace

std::vector<ModelFamily> gptLike() {
    return {
        {"RefinedWeb", "FalconConfig", {"RWForCausalLM"}, readFalcon},
        {"RefinedWebModel", "FalconConfig", {"RWForCausalLM"}, readFalcon},
        {"bloom", "BloomConfig", {"BloomForCausalLM", "BloomModel"}, readBloom},
        {"codegen", "CodeGenConfig", {"CodeGenForCausalLM"}, readGptJ},
        {"falcon", "FalconConfig", {"FalconForCausalLM"}, readFalcon},
        {"gpt2", "GPT2Config", {"GPT2LMHeadModel"}, readGpt2},
        {"gpt_bigcode", "GPTBigCodeConfig", {"GPTBigCodeForCausalLM"}, readGptBigCode},
        {"gpt_neox", "GPTNeoXConfig", {"GPTNeoXForCausalLM"}, readGptNeoX},
        {"gptj", "GPTJConfig", {"GPTJForCausalLM"}, readGptJ},
        {"mpt", "MptConfig", {"MPTForCausalLM", "MptForCausalLM"}, readMpt},
        {"opt", "OPTConfig", {"OPTForCausalLM"}, readOpt},
        {"phi", "PhiConfig", {"PhiForCausalLM"}, readPhi},
    };
}

} // namespace ridgepoint::families
