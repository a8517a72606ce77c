// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the model out of a file that someone else wrote: a Hugging Face config.json of a known family, or weights.
#pragma once

#include "core/model/shape.h"
#include "core/model/stored_weights.h"
#include "core/scenario/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct ImportedModel {
    bool hasShape = true; ///< false: weights that do not tell it; `shape` then means nothing
    TransformerShape shape;
    std::string whyNoShape;               ///< in words, where there is none
    std::string family;                   ///< `model_type` of the config, `general.architecture` of a GGUF file
    std::optional<StoredWeights> stored;  ///< of files with weights
    double parametersTotal = 0;           ///< exact; each tensor once, tied embeddings once
    double parametersActive = 0;          ///< that one token uses
    std::vector<std::string> assumptions; ///< each default that was filled in, and why
    std::vector<std::string> warnings;    ///< what the config says and this reading leaves out
};

/// Reads the text of a config.json. Errors name the config's own fields: text that is not strict JSON, a family that is
/// not modelled, missing keys (all of them), wrong types, impossible shapes, unknown quantization.
Expected<ImportedModel> importHuggingFaceConfig(std::string_view text);

/// Reads a model from disk: a config.json; a .gguf (all parts of a split one); a .safetensors, its index or one of its
/// parts, with the config.json beside it; or a folder with a config.json, and weights if they are there. Weights are
/// never loaded: only headers are read. Errors besides those of each kind: what the system says about the file, a
/// text of more than 8 MB, and pickled weights (.bin, .pt), which cannot be read without running them.
Expected<ImportedModel> importModelFile(const std::string &path);

} // namespace ridgepoint
