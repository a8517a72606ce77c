// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives: where a group of ranks lies in the machine room, and what a ring over it takes.
#pragma once

#include "core/model/setting.h"
#include "core/number/number.h"
#include "core/performance/groups.h"

#include <string_view>

namespace ridgepoint {

/// One use of the wires by one rank.
template <Number N>
struct Transfer {
    N bytes{}; ///< this rank sends
    N seconds{};
};

/// The wires of one parallel group.
///
/// Inside a scale-up domain a group uses its link (NVLink, XGMI); inside a node but beyond the domain PCIe; beyond the
/// node the node's network x (its ranks in the node / GPUs per node), at most the link. Each rate x its sustained
/// share. Ring of n ranks over S bytes (the full, gathered size): all-gather and reduce-scatter (n-1)/n x S / rate +
/// (n-1) steps of latency; all-reduce twice that. A group of one rank costs exactly nothing. Source: Patarasuk and Yuan
/// 2009; NCCL performance notes on bus bandwidth. All-to-all: (n-1)/n x S leave a rank, the part for its own node over
/// the link while the rest crosses the network at the rank's share of the node's rate.
template <Number N>
class Ring {
public:
    Ring(const Setting &setting, const Group &group);

    bool isAlone() const { return ranks_ <= 1; }
    /// `pieces`: how many collectives the bytes are cut into; each pays the latency.
    Transfer<N> allGather(const N &fullBytes, const N &pieces = N(1.0)) const {
        return pass(fullBytes, pieces, 1, "all-gather");
    }
    Transfer<N> reduceScatter(const N &fullBytes, const N &pieces = N(1.0)) const {
        return pass(fullBytes, pieces, 1, "reduce-scatter");
    }
    Transfer<N> allReduce(const N &fullBytes, const N &pieces = N(1.0)) const {
        return pass(fullBytes, pieces, 2, "all-reduce");
    }
    /// To the next rank of the group, `pieces` times.
    Transfer<N> send(const N &bytes, const N &pieces = N(1.0)) const;
    /// Blocks that pass every rank, one after another.
    Transfer<N> exchange(const N &fullBytes, const N &pieces = N(1.0)) const {
        return pass(fullBytes, pieces, 1, "exchange around the ring");
    }
    /// Every rank to every other.
    Transfer<N> allToAll(const N &fullBytes, const N &pieces = N(1.0)) const;

private:
    Transfer<N> pass(const N &fullBytes, const N &pieces, int passes, std::string_view label) const;

    int ranks_;
    N bytesPerSecond_{};
    N passLatencySeconds_{}; ///< of ranks - 1 steps
    N stepLatencySeconds_{}; ///< of one step, the slowest
    // all-to-all across nodes
    double awayShare_ = 0; ///< of what a rank sends that leaves its node
    N insideBytesPerSecond_{}, awayBytesPerSecond_{};
};

} // namespace ridgepoint
