// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The model families that a config can name, each with the reader of its own keys: a new family is a new entry here.
#pragma once

#include "core/import/config_reader.h"
#include "core/model/shape.h"

#include <span>
#include <string_view>

namespace ridgepoint {

struct ModelFamily {
    std::string_view modelType;    ///< `model_type` of the config
    std::string_view configClass;  ///< whose defaults hold
    std::string_view architecture; ///< the causal language model of the family, the one that is counted
    TransformerShape (*read)(ConfigReader &config);
    bool nested = false; ///< the language model is in text_config, beside a tower
};

/// All families that are modelled, sorted by model_type.
std::span<const ModelFamily> modelFamilies();

} // namespace ridgepoint
