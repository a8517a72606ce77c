// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Spreads layers, of every kind, over pipeline stages and their virtual stages.
#include "core/model/operation.h"

namespace ridgepoint {

std::vector<StagePlan> planStages(const TransformerShape &shape, const Parallelism &parallelism) {
    const int pipeline = parallelism.pipeline;
    const auto &given = parallelism.layersPerStage;
    // Chunk i of the layers, in order, lives on stage i mod p (Narayanan et al. 2021, section 2.2). With p entries each
    // is the sum over a stage's chunks, cut as evenly as they go.
    const int chunks = pipeline * parallelism.virtualStages;
    std::vector<StagePlan> plans(static_cast<std::size_t>(pipeline));
    for (int i = 0; i < pipeline; ++i) {
        StagePlan &plan = plans[static_cast<std::size_t>(i)];
        plan.index = i;
        plan.first = i == 0;
        plan.last = i == pipeline - 1;
    }
    plans.front().encoderLayers = shape.encoder ? shape.encoder->layers : 0;
    int layer = 0;
    for (int i = 0; i < chunks; ++i) {
        const int stage = i % pipeline;
        int count = shape.layers / chunks + (i < shape.layers % chunks ? 1 : 0);
        if (!given.empty() && static_cast<int>(given.size()) == chunks) {
            count = given[static_cast<std::size_t>(i)];
        } else if (!given.empty()) {
            const int whole = given[static_cast<std::size_t>(stage)];
            const int turn = i / pipeline;
            count = whole / parallelism.virtualStages + (turn < whole % parallelism.virtualStages ? 1 : 0);
        }
        StagePlan &plan = plans[static_cast<std::size_t>(stage)];
        plan.layers += count;
        for (int end = layer + count; layer < end; ++layer) {
            (shape.isLinear(layer)     ? plan.linearAttentionLayers
             : shape.isWindowed(layer) ? plan.windowedLayers
                                       : plan.fullAttentionLayers) += 1;
            if (shape.experts) {
                (shape.isMoe(layer) ? plan.moeLayers : plan.denseLayers) += 1;
            }
        }
    }
    return plans;
}

} // namespace ridgepoint
