// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Quantized checkpoints keep several weights in one stored number, and scales beside them: here elements become the
// model's again.
#pragma once

#include "core/import/stored_tensor.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// What `quantization_config` says about widths; absent where it does not.
struct PackingFacts {
    std::string method; ///< `quant_method`
    std::optional<int> bits;
};

/// Reads what it can; mistakes are the config reader's to report.
PackingFacts packingFacts(const nlohmann::json &config);

/// Type of tensors that hold packed weights or belong to them.
inline constexpr std::string_view packedType = "packed";

/// Sorts the tensors by name. Packed ones get the elements they stand for; scales, zero points and other helpers get
/// none and rank 2, like the matrix they belong to. Forms: GPTQ and AWQ (`qweight`), compressed-tensors
/// (`weight_packed`), bitsandbytes (`absmax`, `quant_state`, `SCB`), FP8 and NVFP4 with `weight_scale`, MXFP4
/// (`_blocks`, `_scales`). `assumptions` gets a line where a width had to be assumed.
void unpackWeights(std::vector<StoredTensor> &tensors, const PackingFacts &facts,
                   std::vector<std::string> &assumptions);

} // namespace ridgepoint
