// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of an explicit model: sizes, kinds of layers, and the objects within (experts, latent and linear attention,
// an encoder).
#include "core/scenario/object_field.h"

namespace ridgepoint {

namespace {

constexpr std::string_view at = "model";
constexpr Range counts{1, 10000};
constexpr Range countsFromZero{0, 10000};
constexpr Range expertCounts{1, 65536};
constexpr Range expertCountsFromZero{0, 65536};
constexpr Range widths{1, 1e7};
constexpr Range widthsFromZero{0, 1e7};
constexpr Range headSizes{1, 1e5};
constexpr Range rows{1, 1e9};
constexpr Range extras{0, 1e12};

/// Without a width of their own the shared experts are as wide as the routed ones.
void completeShared(const nlohmann::json &value, Scenario &s, Reading &reading) {
    Experts &experts = *s.model.shape.experts;
    if (experts.shared > 0 && !value.contains("shared_ffn")) {
        experts.sharedFfn = experts.ffn;
    }
    if (experts.shared == 0 && experts.sharedFfn > 0) {
        reading.report("model.experts.shared", value.contains("shared") ? "0" : "nothing",
                       fmt::format("a whole number of at least 1 with shared_ffn {}", experts.sharedFfn));
    } else if (experts.shared > 0 && experts.sharedFfn == 0) {
        reading.report("model.experts.shared_ffn", "0",
                       fmt::format("a whole number of at least 1 with {} shared experts", experts.shared));
    }
}

Field expertsField() {
    static constexpr std::string_view in = "model.experts";
    return objectField(
        at, "experts", [](auto &s) -> auto & { return s.model.shape.experts; },
        {countField(
             in, "count", [](auto &s) -> auto & { return s.model.shape.experts->count; }, expertCounts),
         countField(
             in, "active", [](auto &s) -> auto & { return s.model.shape.experts->active; }, expertCounts),
         countField(
             in, "ffn", [](auto &s) -> auto & { return s.model.shape.experts->ffn; }, widths),
         countField(
             in, "shared", [](auto &s) -> auto & { return s.model.shape.experts->shared; }, expertCountsFromZero),
         countField(
             in, "shared_ffn", [](auto &s) -> auto & { return s.model.shape.experts->sharedFfn; }, widthsFromZero),
         countField(
             in, "dense_layers", [](auto &s) -> auto & { return s.model.shape.experts->denseLayers; }, countsFromZero),
         countField(
             in, "every", [](auto &s) -> auto & { return s.model.shape.experts->every; }, counts),
         flagField(
             in, "router_bias", [](auto &s) -> auto & { return s.model.shape.experts->routerBias; }),
         flagField(
             in, "biases", [](auto &s) -> auto & { return s.model.shape.experts->biases; }),
         flagField(
             in, "shared_gate", [](auto &s) -> auto & { return s.model.shape.experts->sharedGate; })},
        {"count", "active", "ffn"}, completeShared);
}

Field mlaField() {
    static constexpr std::string_view in = "model.mla";
    return objectField(at, "mla", [](auto &s) -> auto & { return s.model.shape.mla; },
                       {countField(
                            in, "q_rank", [](auto &s) -> auto & { return s.model.shape.mla->qRank; }, widths),
                        countField(
                            in, "kv_rank", [](auto &s) -> auto & { return s.model.shape.mla->kvRank; }, widths),
                        countField(
                            in, "rope_dim", [](auto &s) -> auto & { return s.model.shape.mla->ropeDim; }, headSizes),
                        countField(
                            in, "nope_dim", [](auto &s) -> auto & { return s.model.shape.mla->nopeDim; }, headSizes),
                        countField(
                            in, "v_dim", [](auto &s) -> auto & { return s.model.shape.mla->vDim; }, headSizes)},
                       {"kv_rank", "rope_dim", "nope_dim", "v_dim"});
}

Field linearAttentionField() {
    static constexpr std::string_view in = "model.linear_attention";
    return objectField(
        at, "linear_attention", [](auto &s) -> auto & { return s.model.shape.linearAttention; },
        {countField(
             in, "key_heads", [](auto &s) -> auto & { return s.model.shape.linearAttention->keyHeads; }, counts),
         countField(
             in, "value_heads", [](auto &s) -> auto & { return s.model.shape.linearAttention->valueHeads; }, counts),
         countField(
             in, "key_dim", [](auto &s) -> auto & { return s.model.shape.linearAttention->keyDim; }, headSizes),
         countField(
             in, "value_dim", [](auto &s) -> auto & { return s.model.shape.linearAttention->valueDim; }, headSizes),
         countField(
             in, "convolution", [](auto &s) -> auto & { return s.model.shape.linearAttention->convolution; }, counts),
         countField(
             in, "full_every", [](auto &s) -> auto & { return s.model.shape.linearAttention->fullEvery; }, counts)},
        {"key_heads", "value_heads", "key_dim", "value_dim", "convolution", "full_every"});
}

Field encoderField() {
    static constexpr std::string_view in = "model.encoder";
    return objectField(
        at, "encoder", [](auto &s) -> auto & { return s.model.shape.encoder; },
        {countField(
             in, "layers", [](auto &s) -> auto & { return s.model.shape.encoder->layers; }, counts),
         countField(
             in, "heads", [](auto &s) -> auto & { return s.model.shape.encoder->heads; }, counts),
         countField(
             in, "head_dim", [](auto &s) -> auto & { return s.model.shape.encoder->headDim; }, headSizes),
         countField(
             in, "ffn", [](auto &s) -> auto & { return s.model.shape.encoder->ffn; }, widths),
         countField(
             in, "tokens", [](auto &s) -> auto & { return s.model.shape.encoder->tokens; }, rows)},
        {"layers", "heads", "head_dim", "ffn"});
}

std::vector<Field> sizes() {
    return {countField(
                at, "layers", [](auto &s) -> auto & { return s.model.shape.layers; }, counts),
            countField(at, "hidden", [](auto &s) -> auto & { return s.model.shape.hidden; }, {1, 1e6}),
            countField(
                at, "heads", [](auto &s) -> auto & { return s.model.shape.heads; }, counts),
            countField(
                at, "kv_heads", [](auto &s) -> auto & { return s.model.shape.kvHeads; }, counts),
            countField(
                at, "head_dim", [](auto &s) -> auto & { return s.model.shape.headDim; }, headSizes),
            countField(
                at, "ffn", [](auto &s) -> auto & { return s.model.shape.ffn; }, widths),
            countField(at, "vocabulary", [](auto &s) -> auto & { return s.model.shape.vocabulary; }, {0, 1e8})};
}

std::vector<Field> kinds() {
    return {
        flagField(
            at, "gated_mlp", [](auto &s) -> auto & { return s.model.shape.gatedMlp; }),
        flagField(
            at, "tied_embeddings", [](auto &s) -> auto & { return s.model.shape.tiedEmbeddings; }),
        choiceField<NormKind>(at, "norm", [](auto &s) -> auto & { return s.model.shape.norm; },
                              {{"rmsnorm", NormKind::RmsNorm},
                               {"layernorm", NormKind::LayerNorm},
                               {"layernorm-without-bias", NormKind::LayerNormWithoutBias}}),
        choiceField<Biases>(at, "biases", [](auto &s) -> auto & { return s.model.shape.biases; },
                            {{"none", Biases::None},
                             {"qkv", Biases::Qkv},
                             {"attention", Biases::Attention},
                             {"mlp", Biases::Mlp},
                             {"all", Biases::All},
                             {"all-but-key", Biases::AllButKey}}),
        choiceField<Positions>(at, "positions", [](auto &s) -> auto & { return s.model.shape.positions; },
                               {{"rope", Positions::Rope},
                                {"learned", Positions::Learned},
                                {"alibi", Positions::Alibi},
                                {"none", Positions::None}}),
        countField(
            at, "max_positions", [](auto &s) -> auto & { return s.model.shape.maxPositions; }, rows),
        countField(
            at, "attention_window", [](auto &s) -> auto & { return s.model.shape.attentionWindow; }, rows),
        countField(
            at, "attention_window_every", [](auto &s) -> auto & { return s.model.shape.attentionWindowEvery; }, counts),
        choiceField<BlockNorms>(at, "block_norms", [](auto &s) -> auto & { return s.model.shape.blockNorms; },
                                {{"before", BlockNorms::Before},
                                 {"around", BlockNorms::Around},
                                 {"after", BlockNorms::After},
                                 {"parallel-shared", BlockNorms::ParallelShared},
                                 {"parallel-own", BlockNorms::ParallelOwn}}),
        choiceField<QkNorm>(
            at, "qk_norm", [](auto &s) -> auto & { return s.model.shape.qkNorm; },
            {{"none", QkNorm::None}, {"per-head", QkNorm::PerHead}, {"full-width", QkNorm::FullWidth}})};
}

std::vector<Field> parts() {
    return {
        expertsField(),
        mlaField(),
        linearAttentionField(),
        encoderField(),
        countField(
            at, "value_head_dim", [](auto &s) -> auto & { return s.model.shape.valueHeadDim; }, headSizes),
        flagField(
            at, "chunked_window", [](auto &s) -> auto & { return s.model.shape.chunkedWindow; }),
        countField(
            at, "full_layers_first", [](auto &s) -> auto & { return s.model.shape.fullLayersFirst; }, countsFromZero),
        flagField(
            at, "embedding_norm", [](auto &s) -> auto & { return s.model.shape.embeddingNorm; }),
        flagField(
            at, "final_norm", [](auto &s) -> auto & { return s.model.shape.finalNorm; }),
        flagField(
            at, "has_head", [](auto &s) -> auto & { return s.model.shape.hasHead; }),
        flagField(
            at, "head_bias", [](auto &s) -> auto & { return s.model.shape.headBias; }),
        flagField(
            at, "attention_sinks", [](auto &s) -> auto & { return s.model.shape.attentionSinks; }),
        flagField(
            at, "attention_output_gate", [](auto &s) -> auto & { return s.model.shape.attentionOutputGate; }),
        flagField(
            at, "causal", [](auto &s) -> auto & { return s.model.shape.causal; }),
        countField(
            at, "tower_parameters", [](auto &s) -> auto & { return s.model.shape.towerParameters; }, extras),
        countField(
            at, "other_parameters", [](auto &s) -> auto & { return s.model.shape.otherParameters; }, extras)};
}

} // namespace

Section modelShapeSection() {
    Section section{at, sizes()};
    for (std::vector<Field> group : {kinds(), parts()}) {
        for (Field &field : group) {
            section.fields.push_back(std::move(field));
        }
    }
    return section;
}

} // namespace ridgepoint
