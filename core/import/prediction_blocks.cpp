// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes a multi-token-prediction block as what one more layer adds to the count.
#include "core/import/prediction_blocks.h"

#include "core/model/parameters.h"

#include <fmt/format.h>

namespace ridgepoint::families {
namespace {

double blockParameters(TransformerShape shape, bool ownEmbeddings) {
    shape.linearAttention.reset();
    const double without = countParameters(shape).total;
    ++shape.layers;
    const double layer = countParameters(shape).total - without;
    const double hidden = shape.hidden;
    return layer + 2 * hidden * hidden + 3 * hidden + (ownEmbeddings ? 2 * hidden * shape.vocabulary : 0);
}

} // namespace

void notePredictionBlocks(ConfigReader &config, const TransformerShape &shape, const PredictionBlocks &kind) {
    const int blocks = kind.key.empty() ? 1 : config.countFromZero(kind.key, 64, 0);
    if (blocks == 0 || !config.problems.empty()) {
        return;
    }
    const double each = blockParameters(shape, kind.ownEmbeddings);
    config.warnings.push_back(
        fmt::format("{}{} multi-token-prediction block{} of {:.0f} parameters{}: in the checkpoint, not counted here",
                    kind.key.empty() ? "" : fmt::format("{}: ", kind.key), blocks, blocks == 1 ? "" : "s",
                    blocks * each, kind.ownEmbeddings ? " with own copies of embedding and head" : ""));
}

} // namespace ridgepoint::families
