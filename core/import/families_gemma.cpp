// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Gemma text models. Defaults are those of the configuration classes of Hugging Face transformers.
#include "core/import/families.h"
#include "core/import/families_common.h"

namespace ridgepoint::families {
namespace {

TransformerShape readGemma(ConfigReader &config) {
    TransformerShape shape = readCommon(config, {.kvHeads = 16, .headDim = 256, .tied = true});
    readBiases(config, shape, false);
    readLayerTypes(config, shape);
    noteIgnored(config, {"sliding_window", "mlp_bias"});
    return shape;
}

/// Gemma 2 and 3: windows on all layers but every `every`-th, norms before and after each block.
TransformerShape readWindowedGemma(ConfigReader &config, int every, ClassDefaults defaults = {}) {
    defaults.kvHeads = 4;
    defaults.headDim = 256;
    defaults.tied = true;
    TransformerShape shape = readCommon(config, defaults);
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

TransformerShape readGemma3(ConfigReader &config) {
    return readGemma3Text(config, false);
}

} // namespace

TransformerShape readGemma3Text(ConfigReader &config, bool isNested) {
    static constexpr std::string_view saved = "_sliding_window_pattern"; // as newer releases write it
    const std::string_view key = config.has(saved) ? saved : "sliding_window_pattern";
    const int every = config.has("layer_types") && !config.has(key) ? 6 : config.countOr(key, mostLayers, 6);
    // Nested, the published configs leave out what the class knows: the 4B its heads too.
    TransformerShape shape =
        readWindowedGemma(config, every, isNested ? ClassDefaults{.vocabulary = 262208, .heads = 8} : ClassDefaults{});
    shape.qkNorm = QkNorm::PerHead;
    config.assume("norms over each query and key head, and after attention and MLP: Gemma 3 has them without a key");
    return shape;
}

std::vector<ModelFamily> gemmas() {
    return {
        {"gemma", "GemmaConfig", {"GemmaForCausalLM"}, readGemma},
        {"gemma2", "Gemma2Config", {"Gemma2ForCausalLM"}, readGemma2},
        {"gemma3_text", "Gemma3TextConfig", {"Gemma3ForCausalLM"}, readGemma3},
    };
}

} // namespace ridgepoint::families
