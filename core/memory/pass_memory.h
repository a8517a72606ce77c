// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What one pass of serving holds beside weights and cache: activations of its largest chunk, and logits.
#pragma once

#include "core/model/setting.h"
#include "core/report/report.h"

namespace ridgepoint {

template <Number N>
class PassMemory {
public:
    PassMemory(const Setting &setting, const N &longest);

    /// The operations of the largest chunk.
    const OperationList<N> &list() const { return list_; }
    /// Prefill: the chunk's hidden states and its widest operation.
    N chunkActivations(const StagePlan &plan) const;
    /// Decode: the same for one token of each sequence; or the chunk's last hidden state, where an engine warms up its
    /// sampler with it.
    N decodeActivations(const N &ofChunk, const N &sequences) const;
    /// Of the last stage.
    N logits(Instant instant, const N &sequences) const;

private:
    N liveIn(const Operation<N> &op) const;

    const Setting &setting_;
    const Engine &engine_;
    N chunk_;
    OperationList<N> list_;
    double widening_ = 1; ///< of the engine's activations over those of the list
};

} // namespace ridgepoint
