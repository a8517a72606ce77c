// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Multi-token-prediction blocks, which a checkpoint holds behind the model's own layers and which no count includes.
#pragma once

#include "core/import/config_reader.h"
#include "core/model/shape.h"

#include <string_view>

namespace ridgepoint::families {

struct PredictionBlocks {
    std::string_view key;       ///< that says how many; empty: the family's checkpoints hold one without a key
    bool ownEmbeddings = false; ///< each block stores its own copies of embedding and head (DeepSeek-V3)
};

/// Warns with the size: one more layer of softmax attention and experts, a projection of two hidden states to one, and
/// three norms (DeepSeek-V3, arXiv 2412.19437, section 2.2). Nothing where there are no blocks, or the shape is wrong.
void notePredictionBlocks(ConfigReader &config, const TransformerShape &shape, const PredictionBlocks &kind);

} // namespace ridgepoint::families
