// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a model a stored tensor belongs to, by the names that files use.
#pragma once

#include "core/import/stored_tensor.h"
#include "core/model/stored_weights.h"

#include <string_view>

namespace ridgepoint {

enum class WeightPart { Linear, Experts, ExpertVectors, Embedding, Head, Vectors, Tower, Buffers };

StoredWeights::Part &partOf(StoredWeights &stored, WeightPart part);

/// By the names of llama.cpp. `layers`: blocks from that number on predict further tokens.
WeightPart partOfGgufTensor(const StoredTensor &tensor, int layers);

/// By the names of Hugging Face transformers' models.
WeightPart partOfCheckpointTensor(const StoredTensor &tensor);

} // namespace ridgepoint
