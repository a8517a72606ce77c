// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The model families that a config can name, each with the reader of its own keys: a new family is a new entry in the
// list of its kind.
#pragma once

#include "core/import/config_reader.h"
#include "core/model/shape.h"

#include <span>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct ModelFamily {
    std::string_view modelType;   ///< `model_type` of the config
    std::string_view configClass; ///< whose defaults hold
    /// The classes of the family that are counted, the first where the config names none.
    std::vector<std::string_view> architectures;
    TransformerShape (*read)(ConfigReader &config);
};

/// All families that are modelled, sorted by model_type.
std::span<const ModelFamily> modelFamilies();

/// Reads a config of a family that nobody knows as if it were Llama, where all its keys are Llama's; the assumption is
/// listed first. Problems name the keys that make it something else.
TransformerShape readAsLlama(ConfigReader &config, std::string_view modelType, const nlohmann::json &whole);

namespace families {

/// Multi-head, grouped and windowed decoders since Llama, by their own small differences.
std::vector<ModelFamily> llamaLike();
std::vector<ModelFamily> gemmas();
/// GPT-2 and the decoders around it: other names, parallel blocks, ALiBi, learned positions.
std::vector<ModelFamily> gptLike();
std::vector<ModelFamily> mixtures();
/// Multi-head latent attention.
std::vector<ModelFamily> latent();
/// Encoders without a decoder.
std::vector<ModelFamily> encoders();
/// Encoder and decoder with cross-attention.
std::vector<ModelFamily> encoderDecoders();
/// A language model under text_config beside a tower.
std::vector<ModelFamily> multimodal();

/// Text models that are also nested in a multimodal one.
TransformerShape readQwen2(ConfigReader &config);
TransformerShape readQwen3(ConfigReader &config);
TransformerShape readQwen3Moe(ConfigReader &config);
TransformerShape readMistral(ConfigReader &config);
TransformerShape readGemma3Text(ConfigReader &config, bool isNested);

} // namespace families

} // namespace ridgepoint
