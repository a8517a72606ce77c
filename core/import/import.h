// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the model out of a file that someone else wrote: a Hugging Face config.json of a known family.
#pragma once

#include "core/model/shape.h"
#include "core/scenario/problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct ImportedModel {
    TransformerShape shape;
    std::string family;                   ///< `model_type` of the config
    double parametersTotal = 0;           ///< exact; each tensor once, tied embeddings once
    double parametersActive = 0;          ///< that one token uses
    std::vector<std::string> assumptions; ///< each default that was filled in, and why
    std::vector<std::string> warnings;    ///< what the config says and this reading leaves out
};

/// Reads the text of a config.json. Errors name the config's own fields: text that is not strict JSON, a family that is
/// not modelled, missing keys (all of them), wrong types, impossible shapes, unknown quantization.
Expected<ImportedModel> importHuggingFaceConfig(std::string_view text);

/// Reads a config.json, or the one in a folder. Errors besides those of the text: what the system says about the file,
/// more than 8 MB, and kinds of file that hold weights (.gguf, .safetensors), which this version does not read.
Expected<ImportedModel> importModelFile(const std::string &path);

} // namespace ridgepoint
