// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experts, latent and linear attention, windows, encoders: what goes together and what does not.
#include "core/scenario/shape_rules.h"

#include "core/scenario/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ridgepoint {

namespace {

struct ShapeRule {
    std::vector<std::string_view> depends;
    void (*check)(const TransformerShape &, Problems &);
};

void checkExperts(const TransformerShape &shape, Problems &problems) {
    if (!shape.experts) {
        return;
    }
    const Experts &experts = *shape.experts;
    if (experts.active > experts.count) {
        problems.push_back({"model.experts.active", std::to_string(experts.active),
                            fmt::format("at most {}, the count of experts", experts.count)});
    }
    if (experts.denseLayers >= shape.layers) {
        problems.push_back(
            {"model.experts.dense_layers", std::to_string(experts.denseLayers),
             fmt::format("at most {}, so that one of {} layers has experts", shape.layers - 1, shape.layers)});
    } else if (experts.every > shape.layers - experts.denseLayers) {
        problems.push_back(
            {"model.experts.every", std::to_string(experts.every),
             fmt::format("at most {}, the layers behind the dense ones", shape.layers - experts.denseLayers)});
    }
    const bool isParallel =
        shape.blockNorms == BlockNorms::ParallelShared || shape.blockNorms == BlockNorms::ParallelOwn;
    if (isParallel) {
        problems.push_back({"model.block_norms", "a parallel block beside experts",
                            "before, around or after: experts in parallel to attention are not modelled"});
    }
}

void checkLatent(const TransformerShape &shape, Problems &problems) {
    if (!shape.mla) {
        return;
    }
    const auto refuse = [&](bool isSet, std::string_view field, std::string_view found, std::string_view allowed) {
        if (isSet) {
            problems.push_back({std::string(field), std::string(found),
                                fmt::format("{} beside mla: not modelled with latent attention", allowed)});
        }
    };
    refuse(shape.qkNorm != QkNorm::None, "model.qk_norm", "norms over queries and keys", "none");
    refuse(shape.attentionSinks, "model.attention_sinks", "true", "false");
    refuse(shape.attentionOutputGate, "model.attention_output_gate", "true", "false");
    refuse(shape.valueHeadDim.has_value(), "model.value_head_dim", "a value size", "null, and v_dim");
    refuse(shape.linearAttention.has_value(), "model.linear_attention", "linear attention", "null");
    refuse(shape.encoder.has_value(), "model.encoder", "an encoder", "null");
    refuse(shape.biases != Biases::None && shape.biases != Biases::Mlp, "model.biases", "biases on attention",
           "none or mlp");
    if (shape.kvHeads != shape.heads) {
        problems.push_back({"model.kv_heads", std::to_string(shape.kvHeads),
                            fmt::format("{} as heads, or left out: all heads share the latent", shape.heads)});
    }
}

void checkLinear(const TransformerShape &shape, Problems &problems) {
    if (!shape.linearAttention) {
        return;
    }
    const LinearAttention &linear = *shape.linearAttention;
    if (linear.valueHeads % linear.keyHeads != 0) {
        problems.push_back({"model.linear_attention.value_heads", std::to_string(linear.valueHeads),
                            fmt::format("a multiple of {} key_heads", linear.keyHeads)});
    }
    if (linear.fullEvery > shape.layers) {
        problems.push_back({"model.linear_attention.full_every", std::to_string(linear.fullEvery),
                            fmt::format("at most the {} layers", shape.layers)});
    }
    if (shape.attentionWindow) {
        problems.push_back({"model.attention_window", std::to_string(*shape.attentionWindow),
                            "null beside linear_attention: windows there are not modelled"});
    }
    if (shape.encoder) {
        problems.push_back({"model.encoder", "an encoder", "null beside linear_attention: not modelled"});
    }
}

void checkWindows(const TransformerShape &shape, Problems &problems) {
    if (shape.chunkedWindow && !shape.attentionWindow) {
        problems.push_back({"model.chunked_window", "true", "false without attention_window"});
    }
    if (shape.fullLayersFirst > 0 && !shape.attentionWindow) {
        problems.push_back(
            {"model.full_layers_first", std::to_string(shape.fullLayersFirst), "0 without attention_window"});
    } else if (shape.fullLayersFirst > shape.layers) {
        problems.push_back({"model.full_layers_first", std::to_string(shape.fullLayersFirst),
                            fmt::format("at most the {} layers", shape.layers)});
    }
}

void checkEnds(const TransformerShape &shape, Problems &problems) {
    if (shape.vocabulary == 0 && shape.hasHead) {
        problems.push_back({"model.vocabulary", "0", "at least 1, or has_head false: a model of patches, not words"});
    }
    if (!shape.hasHead && shape.headBias) {
        problems.push_back({"model.head_bias", "true", "false without a head"});
    }
    if (shape.encoder && !shape.causal) {
        problems.push_back({"model.causal", "false", "true beside an encoder: it is the decoder's"});
    }
    if (shape.encoder && shape.experts) {
        problems.push_back({"model.experts", "experts", "null beside an encoder: not modelled there"});
    }
    if (!shape.causal && shape.hasHead) {
        problems.push_back(
            {"model.has_head", "true", "false where causal is false: an encoder's pre-training head is not modelled"});
    }
}

const std::vector<ShapeRule> &shapeRules() {
    static const std::vector<ShapeRule> all{
        {{"model.experts", "model.layers", "model.block_norms"}, checkExperts},
        {{"model.mla", "model.kv_heads", "model.heads"}, checkLatent},
        {{"model.linear_attention", "model.layers"}, checkLinear},
        {{"model.attention_window", "model.full_layers_first", "model.layers"}, checkWindows},
        {{"model.vocabulary", "model.has_head", "model.encoder", "model.experts"}, checkEnds},
    };
    return all;
}

} // namespace

void checkShape(const TransformerShape &shape, const std::vector<std::string> &distrusted, Problems &problems) {
    for (const ShapeRule &rule : shapeRules()) {
        const bool isTrusted = std::ranges::none_of(rule.depends, [&](std::string_view field) {
            return std::ranges::any_of(distrusted, [&](const std::string &one) { return touches(one, field); });
        });
        if (isTrusted) {
            rule.check(shape, problems);
        }
    }
}

} // namespace ridgepoint
