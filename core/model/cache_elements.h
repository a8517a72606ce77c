// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What one token leaves in the key and value cache, before formats, windows in force and layouts.
#pragma once

#include "core/model/shape.h"

#include <optional>

namespace ridgepoint {

struct CacheElements {
    double elementsPerToken = 0;     ///< keys and values of all layers together, before any window
    int layersFull = 0;              ///< layers that keep the whole context
    int layersWindowed = 0;          ///< layers that keep `windowTokens` at most
    std::optional<int> windowTokens; ///< absent where no layer is windowed
};

/// 2 x key-value heads x head dimension for each layer (Shazeer 2019; Ainslie et al. 2023).
CacheElements cacheElements(const TransformerShape &shape);

} // namespace ridgepoint
