// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Language models beside a vision tower: the text part is nested, and the tower's weights are counted.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/strict_json.h"
#include "core/import/vision_tower.h"

#include <fmt/format.h>

namespace ridgepoint::families {
namespace {

/// The text model under text_config or, as older configs have it, beside the tower; what the whole says about tied
/// embeddings wins.
TransformerShape readText(ConfigReader &config, std::string_view textClass, TransformerShape (*read)(ConfigReader &)) {
    TransformerShape shape;
    if (!config.has("text_config")) {
        return read(config);
    }
    readNested(config, "text_config", textClass, [&](ConfigReader &text) { shape = read(text); });
    if (config.has("tie_word_embeddings")) {
        shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", shape.tiedEmbeddings);
        config.assume(fmt::format("tie_word_embeddings: {}, as the whole model says", shape.tiedEmbeddings));
    }
    return shape;
}

void readTower(ConfigReader &config, std::string_view towerClass, TransformerShape &shape,
               const std::function<double(ConfigReader &)> &count) {
    config.nested("vision_config", towerClass, [&](ConfigReader &vision) { shape.towerParameters = count(vision); });
    config.assume("the weights of the vision tower and its projector are counted; its activations and FLOPs are not "
                  "modelled: tokens are text");
}

TransformerShape readGemma3WithVision(ConfigReader &config) {
    TransformerShape shape =
        readText(config, "Gemma3TextConfig", [](ConfigReader &text) { return readGemma3Text(text, true); });
    readTower(config, "SiglipVisionConfig", shape,
              [&](ConfigReader &vision) { return siglipTowerParameters(vision, shape.hidden); });
    return shape;
}

/// Chunked attention in the layers with rotary embedding, experts in every interleave_moe_layer_step-th.
TransformerShape readLlama4Text(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 8, .headDim = 128});
    shape.experts = readExperts(config, "num_local_experts", "num_experts_per_tok", "intermediate_size");
    shape.experts->shared = 1;
    shape.experts->sharedFfn = shape.experts->ffn;
    shape.experts->every = config.countOr("interleave_moe_layer_step", mostLayers, 1);
    shape.ffn = config.countOr("intermediate_size_mlp", mostFfn, 16384, " of dense layers");
    shape.biases = config.flagOr("attention_bias", false) ? Biases::Attention : Biases::None;
    config.markRead("use_qk_norm"); // a norm without weights
    config.markRead("moe_layers");
    if (config.isSet("moe_layers") && !config.refused({"num_hidden_layers", "interleave_moe_layer_step"})) {
        nlohmann::json own = nlohmann::json::array();
        for (int layer = 0; layer < shape.layers; ++layer) {
            if (shape.isMoe(layer)) {
                own.push_back(layer);
            }
        }
        if (*config.find("moe_layers") != own) {
            config.problem("moe_layers", shownValue(*config.find("moe_layers")),
                           fmt::format("every {}th layer, as interleave_moe_layer_step says", shape.experts->every));
        }
    }
    if (!config.isNull("attention_chunk_size")) {
        shape.attentionWindow = config.countOr("attention_chunk_size", mostTokens, 8192, " tokens of a chunk");
        shape.chunkedWindow = true;
        shape.attentionWindowEvery = 4;
    }
    readLayerTypes(config, shape);
    config.markRead("no_rope_layers");
    if (config.isSet("no_rope_layers") && shape.attentionWindow && !config.refused({"num_hidden_layers"})) {
        const nlohmann::json &roped = *config.find("no_rope_layers"); // 1: with rotary embedding, and chunked
        std::vector<bool> isFull;
        bool isList = roped.is_array() && roped.size() == static_cast<std::size_t>(shape.layers);
        for (int layer = 0; isList && layer < shape.layers; ++layer) {
            const nlohmann::json &one = roped[static_cast<std::size_t>(layer)];
            isList = one == 0 || one == 1;
            isFull.push_back(one == 0);
        }
        if (!isList || !setWindowPattern(shape, isFull)) {
            config.problem("no_rope_layers", shownValue(roped),
                           fmt::format("a list of {}, 0 at every N-th layer and 1 at the others", shape.layers));
        }
    } else if (shape.attentionWindow) {
        config.assume("full attention at every 4th layer, the others within their chunk: the default of Llama 4");
    }
    config.assume("one shared expert of intermediate_size in each MoE layer: Llama 4 has it without a key");
    return shape;
}

TransformerShape readLlama4(ConfigReader &config) {
    TransformerShape shape = readText(config, "Llama4TextConfig", readLlama4Text);
    readTower(config, "Llama4VisionConfig", shape,
              [&](ConfigReader &vision) { return llama4TowerParameters(vision, shape.hidden); });
    return shape;
}

TransformerShape readQwen2Vl(ConfigReader &config) {
    TransformerShape shape = readText(config, "Qwen2VLTextConfig", readQwen2);
    readTower(config, "Qwen2VLVisionConfig", shape, qwen2TowerParameters);
    return shape;
}

TransformerShape readQwen25Vl(ConfigReader &config) {
    TransformerShape shape = readText(config, "Qwen2_5_VLTextConfig", readQwen2);
    readTower(config, "Qwen2_5_VLVisionConfig", shape, qwen25TowerParameters);
    return shape;
}

TransformerShape readQwen3Vl(ConfigReader &config) {
    TransformerShape shape = readText(config, "Qwen3VLTextConfig", readQwen3);
    readTower(config, "Qwen3VLVisionConfig", shape, qwen3TowerParameters);
    return shape;
}

TransformerShape readQwen3VlMoe(ConfigReader &config) {
    TransformerShape shape = readText(config, "Qwen3VLMoeTextConfig", readQwen3Moe);
    readTower(config, "Qwen3VLMoeVisionConfig", shape, qwen3TowerParameters);
    return shape;
}

TransformerShape readMistral3(ConfigReader &config) {
    TransformerShape shape = readText(config, "MistralConfig", readMistral);
    const int merge = config.countOr("spatial_merge_size", 1 << 10, 2);
    requireFlag(config, "multimodal_projector_bias", false, false, "a projector with biases is");
    if (const nlohmann::json *layer = config.find("vision_feature_layer");
        layer != nullptr && !layer->is_number_integer()) {
        config.problem("vision_feature_layer", shownValue(*layer), "one layer");
    }
    readTower(config, "PixtralVisionConfig", shape,
              [&](ConfigReader &vision) { return pixtralTowerParameters(vision, shape.hidden, merge); });
    return shape;
}

} // namespace

std::vector<ModelFamily> multimodal() {
    return {
        {"gemma3", "Gemma3Config", {"Gemma3ForConditionalGeneration"}, readGemma3WithVision},
        {"llama4", "Llama4Config", {"Llama4ForConditionalGeneration"}, readLlama4},
        {"llama4_text", "Llama4TextConfig", {"Llama4ForCausalLM"}, readLlama4Text},
        {"mistral3", "Mistral3Config", {"Mistral3ForConditionalGeneration"}, readMistral3},
        {"qwen2_5_vl", "Qwen2_5_VLConfig", {"Qwen2_5_VLForConditionalGeneration"}, readQwen25Vl},
        {"qwen2_vl", "Qwen2VLConfig", {"Qwen2VLForConditionalGeneration"}, readQwen2Vl},
        {"qwen3_vl", "Qwen3VLConfig", {"Qwen3VLForConditionalGeneration"}, readQwen3Vl},
        {"qwen3_vl_moe", "Qwen3VLMoeConfig", {"Qwen3VLMoeForConditionalGeneration"}, readQwen3VlMoe},
    };
}

} // namespace ridgepoint::families
