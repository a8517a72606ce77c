// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the model in a GGUF file, out of its keys and the names and sizes of its tensors.
#pragma once

#include "core/import/gguf.h"
#include "core/model/shape.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

struct GgufShape {
    std::string architecture;
    std::optional<TransformerShape> shape;
    std::string reason; ///< why there is no shape
    std::vector<std::string> assumptions;
    int layers = 1 << 20; ///< blocks of the model itself; those behind them predict further tokens
};

/// Errors name the keys: missing ones (all of them), wrong kinds and impossible values of a known architecture. An
/// unknown architecture is no error, and neither are layers that a shape cannot express: they leave `reason`.
Expected<GgufShape> readGgufShape(const GgufHeader &header);

} // namespace ridgepoint
