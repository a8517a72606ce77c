// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers a GPU holds when the host keeps the others (llama.cpp's --n-gpu-layers).
#pragma once

#include "core/model/weight_bits.h"

namespace ridgepoint {

struct HostSplit {
    StagePlan onGpu;
    LayerRange gpuLayers;
};

/// Whether some of the model stays on the host.
inline bool splitsWithHost(const Setting &setting) {
    const auto &layers = setting.scenario->inference.gpuLayers;
    return !setting.isTraining() && layers && *layers <= setting.shape.layers;
}

/// The last layers go to the GPU; the token embedding never does, and the head only as a layer more than the model has.
/// Pre: splitsWithHost(). Source: llama.cpp, src/llama-model.cpp, load_tensors; since 2026 it takes the head first and
/// one layer less.
inline HostSplit splitOf(const Setting &setting) {
    const TransformerShape &shape = setting.shape;
    const int layers = *setting.scenario->inference.gpuLayers;
    HostSplit split;
    split.gpuLayers = {.first = shape.layers - layers, .end = shape.layers};
    split.onGpu.layers = layers;
    for (int layer = split.gpuLayers.first; layer < split.gpuLayers.end; ++layer) {
        (shape.isLinear(layer)     ? split.onGpu.linearAttentionLayers
         : shape.isWindowed(layer) ? split.onGpu.windowedLayers
                                   : split.onGpu.fullAttentionLayers) += 1;
        if (shape.experts) {
            (shape.isMoe(layer) ? split.onGpu.moeLayers : split.onGpu.denseLayers) += 1;
        }
    }
    return split;
}

} // namespace ridgepoint
