// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What one token leaves in the key and value cache, before formats, windows in force and layouts.
#pragma once

#include "core/model/shape.h"

#include <optional>

namespace ridgepoint {

struct CacheElements {
    double elementsPerToken = 0;     ///< of all layers together, before any window; a decoder's self-attention only
    double stateElements = 0;        ///< of a sequence, however long: what linear attention keeps
    int layersFull = 0;              ///< layers that keep the whole context
    int layersWithout = 0;           ///< layers of linear attention, with a state in place of a cache
    int layersWindowed = 0;          ///< layers that keep `windowTokens` at most
    std::optional<int> windowTokens; ///< absent where no layer is windowed
};

/// Keys and values of each key-value head for each softmax layer (Shazeer 2019; Ainslie et al. 2023); the latent and
/// the rotary key of MLA (DeepSeek-V2, arXiv 2405.04434, section 2.1). Nothing for an encoder alone.
CacheElements cacheElements(const TransformerShape &shape);

} // namespace ridgepoint
