// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter counts as sums over the operation list.
#pragma once

#include "core/model/operation.h"

namespace ridgepoint {

/// Elements, each tensor once; tied embeddings once.
struct ParameterCount {
    double total = 0;
    double active = 0; ///< used by one token: without the experts it does not choose, and without towers
    double embedding = 0;
    double head = 0;    ///< 0 when tied
    double linear = 0;  ///< matrices of the layers, all experts included
    double idle = 0;    ///< of the layers' weights, those of experts that a token does not choose
    double vectors = 0; ///< norms and biases
};

/// Of the unpadded, unsharded model. A shape with `exactParameters` counts exactly that many.
ParameterCount countParameters(const TransformerShape &shape);

/// Matrix weights that multiply activations per token: all linears (of the experts those chosen) and the head (also
/// when tied), no look-up table, no biases. The basis of model FLOPs (Narayanan et al. 2021, Chowdhery et al. 2022).
double matmulParameters(const TransformerShape &shape);

/// The factor that scales the shape's weights to `exactParameters`; 1 without.
double weightScale(const TransformerShape &shape);

} // namespace ridgepoint
