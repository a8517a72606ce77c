// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit shape of a transformer: what a scenario, a preset or an imported config says about it, before any
// layout.
#pragma once

#include <optional>
#include <string>

namespace ridgepoint {

enum class NormKind { RmsNorm, LayerNorm };
enum class Biases { None, Qkv, All };
enum class Positions { Rope, Learned, Alibi, None };

/// Sizes in elements; heads and layers in counts. Counts fit 32 bits in every real model; they are checked at the edge.
struct TransformerShape {
    int layers = 32;
    int hidden = 4096;
    int heads = 32;
    int kvHeads = 32;
    int headDim = 128;
    int ffn = 11008;
    int vocabulary = 32000;
    bool gatedMlp = true;
    bool tiedEmbeddings = false;
    NormKind norm = NormKind::RmsNorm;
    Biases biases = Biases::None;
    Positions positions = Positions::Rope;
    std::optional<int> maxPositions;         ///< rows of a learned table; the sequence length where not given
    std::optional<int> attentionWindow;      ///< tokens
    std::optional<int> attentionWindowEvery; ///< every N-th layer attends in full; without it all are windowed
    bool postNorms = false;                  ///< a norm after attention and after the MLP too (Gemma 2)
    bool qkNorm = false;                     ///< norms over each query and key head (Gemma 3)
    /// Weights beside the text model (a vision tower and its projector): stored, and idle for tokens of text.
    double towerParameters = 0;
    /// Weights are scaled evenly by this so that they sum to `exactParameters` (a scenario that only gives a count).
    std::optional<double> exactParameters;

    friend bool operator==(const TransformerShape &, const TransformerShape &) = default;
    /// Whether layer i (from 0) attends only within the window.
    bool isWindowed(int layer) const {
        return attentionWindow && !(attentionWindowEvery && (layer + 1) % *attentionWindowEvery == 0);
    }
};

} // namespace ridgepoint
