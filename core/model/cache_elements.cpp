// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts cache elements and layers by kind of attention.
#include "core/model/cache_elements.h"

namespace ridgepoint {

CacheElements cacheElements(const TransformerShape &shape) {
    CacheElements cache;
    for (int layer = 0; layer < shape.layers; ++layer) {
        ++(shape.isWindowed(layer) ? cache.layersWindowed : cache.layersFull);
    }
    cache.elementsPerToken = 2.0 * shape.layers * shape.kvHeads * shape.headDim;
    if (cache.layersWindowed > 0) {
        cache.windowTokens = shape.attentionWindow;
    }
    return cache;
}

} // namespace ridgepoint
