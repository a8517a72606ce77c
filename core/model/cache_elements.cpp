// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts cache elements and layers by kind of attention.
#include "core/model/cache_elements.h"

namespace ridgepoint {

CacheElements cacheElements(const TransformerShape &shape) {
    CacheElements cache;
    if (!shape.causal) {
        return cache;
    }
    for (int layer = 0; layer < shape.layers; ++layer) {
        ++(shape.isLinear(layer)     ? cache.layersWithout
           : shape.isWindowed(layer) ? cache.layersWindowed
                                     : cache.layersFull);
    }
    const double perLayer = shape.mla ? static_cast<double>(shape.mla->kvRank) + shape.mla->ropeDim
                                      : static_cast<double>(shape.kvHeads) * (shape.headDim + shape.valueDim());
    cache.elementsPerToken = perLayer * (cache.layersFull + cache.layersWindowed);
    if (const auto &linear = shape.linearAttention) {
        const double values = static_cast<double>(linear->valueHeads) * linear->valueDim;
        const double mixed = 2.0 * linear->keyHeads * linear->keyDim + values;
        cache.stateElements = cache.layersWithout * (values * linear->keyDim + mixed * (linear->convolution - 1));
    }
    if (cache.layersWindowed > 0) {
        cache.windowTokens = shape.attentionWindow;
    }
    return cache;
}

} // namespace ridgepoint
