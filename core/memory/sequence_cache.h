// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What one served sequence keeps on a rank between steps: keys and values, latents, recurrent states.
#pragma once

#include "core/model/setting.h"

namespace ridgepoint {

/// Per token and layer: 2 x key-value heads x head size (Shazeer 2019; Ainslie et al. 2023), replicated where there are
/// fewer heads than tensor ranks; the latent and the rotary key of MLA, whole on every tensor rank (DeepSeek-V2, arXiv
/// 2405.04434, section 2.1). Windowed layers keep their window. Linear attention keeps a state of fixed size, a decoder
/// over an encoder the keys and values of the encoder's output.
template <Number N>
class SequenceCache {
public:
    explicit SequenceCache(const Setting &setting);

    /// False for an encoder alone, which keeps nothing.
    bool exists() const { return exists_; }
    /// Bytes that one sequence of `length` tokens, prompt included, occupies on a stage.
    N ofSequence(const StagePlan &plan, const N &length) const;
    /// Bytes that a token adds to the fullest stage within the window, and beyond it.
    N perToken() const;
    N perTokenBeyondWindow() const;
    /// Longest sequence for which `left` bytes suffice on the stage; absent where nothing grows without end.
    std::optional<N> longest(const StagePlan &plan, const N &left) const;
    /// Tokens that `left` bytes hold in sequences as long as the scenario's, whole blocks.
    N capacityTokens(const StagePlan &plan, const N &left, const N &length) const;

private:
    N blocks(const N &tokens) const;
    N fixed(const StagePlan &plan) const;
    N full(const StagePlan &plan) const;
    N windowed(const StagePlan &plan) const;
    /// Tokens of the prompt that go through the encoder and not into the decoder's cache.
    N decoded(const N &length) const;

    const Setting &setting_;
    bool exists_;
    N block_{};
    N perLayer_{}; ///< bytes per token and softmax layer
    N cross_{};    ///< bytes per sequence and layer, of the encoder's output
    N state_{};    ///< bytes per sequence and layer of linear attention
    N window_{};
};

} // namespace ridgepoint
