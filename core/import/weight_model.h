// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// From the tensors of a file to a model: what they weigh, what they count, and the shape where it can be told.
#pragma once

#include "core/import/gguf.h"
#include "core/import/import.h"
#include "core/import/stored_tensor.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Errors: those of the keys of a known architecture.
Expected<ImportedModel> modelOfGguf(const GgufHeader &header);

/// `configText`: of the config.json beside the weights, where there is one; what is wrong with it leaves the model
/// without a shape, and says so.
ImportedModel modelOfCheckpoint(std::vector<StoredTensor> tensors, const std::optional<std::string> &configText);

} // namespace ridgepoint
