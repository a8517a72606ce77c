// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the wires of a group and applies the ring formulas.
#include "core/performance/collectives.h"

#include "core/performance/machine.h"

#include <algorithm>

namespace ridgepoint {

namespace {

/// GPUs that one scale-up domain joins here. A board's domain ends at its node; a rack's (larger than any board)
/// reaches across nodes.
int domainSize(const Setting &setting) {
    const double domain = setting.gpu.gpusPerDomain.value;
    const bool isRack = domain > setting.catalog->general.gpusPerBoard.value;
    return static_cast<int>(isRack ? domain
                                   : std::min(domain, static_cast<double>(setting.scenario->hardware.gpusPerNode)));
}

template <Number N>
N linkRate(const Setting &setting) {
    return named<N>(factOf<N>(*setting.gpu.linkBytesPerSecond, "scale-up link, one direction", "bytes/s") *
                        factOf<N>(setting.gpu.efficiency.linkShare, "sustained share of the link"),
                    "rate of the scale-up link", "bytes/s");
}

template <Number N>
N pcieRate(const Setting &setting) {
    return named<N>(factOf<N>(*setting.gpu.pcieBytesPerSecond, "PCIe, one direction", "bytes/s") *
                        factOf<N>(setting.gpu.efficiency.pcieShare, "sustained share of PCIe"),
                    "rate of PCIe", "bytes/s");
}

template <Number N>
N networkRate(const Setting &setting, int ranksInNode) {
    const N wire =
        fact<N>(*setting.scenario->hardware.networkGbitPerSecond, "network of a node", "Gbit/s", "scenario") *
        N(1e9 / 8);
    return named<N>(wire * factOf<N>(setting.catalog->general.networkShare, "sustained share of the network") *
                        (fact<N>(ranksInNode, "ranks of the group in a node") /
                         fact<N>(setting.scenario->hardware.gpusPerNode, "GPUs per node")),
                    "rate of the network for the group", "bytes/s");
}

} // namespace

template <Number N>
Ring<N>::Ring(const Setting &setting, const Group &group) : ranks_(group.ranks) {
    if (isAlone()) {
        return;
    }
    const auto [ranks, stride] = group;
    const Gpu &gpu = setting.gpu;
    const int perNode = setting.scenario->hardware.gpusPerNode;
    const int span = ranks * stride; // checkScenario() bounds the world
    const int domain = domainSize(setting);
    const bool hasLink = gpu.linkBytesPerSecond && domain > 1;
    const N linkLatency = factOf<N>(gpu.efficiency.linkLatencySeconds, "latency of one step inside the node", "s");
    const auto steps = [](int count) { return fact<N>(count, "steps of a ring"); };
    stepLatencySeconds_ = linkLatency;
    passLatencySeconds_ = linkLatency * steps(ranks - 1);
    const auto &network = setting.scenario->hardware.networkGbitPerSecond;
    if (hasLink && span <= domain) {
        bytesPerSecond_ = linkRate<N>(setting);
        return;
    }
    if (gpu.pcieBytesPerSecond && span <= perNode) {
        bytesPerSecond_ = pcieRate<N>(setting);
        return;
    }
    // A rack's domain gathers the networks of its nodes.
    const int reached = std::clamp(std::max(perNode, domain) / stride, 1, ranks);
    if (network) {
        const N wires = networkRate<N>(setting, reached);
        const bool linkJoins = hasLink && (reached == 1 || reached * stride <= domain);
        bytesPerSecond_ = linkJoins                ? smaller(wires, linkRate<N>(setting))
                          : gpu.pcieBytesPerSecond ? smaller(wires, pcieRate<N>(setting))
                                                   : wires;
        awayShare_ = static_cast<double>(ranks - reached) / (ranks - 1);
        awayBytesPerSecond_ = networkRate<N>(setting, 1);
        insideBytesPerSecond_ = hasLink ? linkRate<N>(setting) : bytesPerSecond_;
        // Between nodes one step each; the other steps stay inside.
        const int crossings = (ranks + reached - 1) / reached - 1;
        stepLatencySeconds_ =
            factOf<N>(setting.catalog->general.networkLatencySeconds, "latency of one step between nodes", "s");
        passLatencySeconds_ = stepLatencySeconds_ * fact<N>(crossings, "steps between nodes");
        if (ranks - 1 > crossings) {
            passLatencySeconds_ += linkLatency * fact<N>(ranks - 1 - crossings, "steps inside nodes");
        }
    } else if (hasLink) {
        bytesPerSecond_ = linkRate<N>(setting); // no PCIe figure: boards of several domains in one node
    }
}

template <Number N>
Transfer<N> Ring<N>::pass(const N &fullBytes, const N &pieces, int passes, std::string_view label) const {
    if (isAlone()) {
        return {};
    }
    const N ranks = fact<N>(ranks_, "ranks of the group");
    N bytes = fullBytes * ((ranks - N(1.0)) / ranks);
    N latency = pieces * passLatencySeconds_;
    if (passes == 2) {
        bytes = N(2.0) * bytes;
        latency = N(2.0) * latency;
    }
    bytes = named<N>(bytes, "bytes a rank sends", "bytes");
    return {.bytes = bytes, .seconds = named<N>(bytes / bytesPerSecond_ + latency, label, "s", "ring")};
}

template <Number N>
Transfer<N> Ring<N>::send(const N &bytes, const N &pieces) const {
    if (isAlone()) {
        return {};
    }
    return {.bytes = bytes,
            .seconds = named<N>(bytes / bytesPerSecond_ + pieces * stepLatencySeconds_, "send to the next rank", "s")};
}

template <Number N>
Transfer<N> Ring<N>::allToAll(const N &fullBytes, const N &pieces) const {
    if (isAlone()) {
        return {};
    }
    const N ranks = fact<N>(ranks_, "ranks of the group");
    const N bytes = named<N>(fullBytes * ((ranks - N(1.0)) / ranks), "bytes a rank sends", "bytes");
    if (awayShare_ == 0) {
        return {.bytes = bytes,
                .seconds = named<N>(bytes / bytesPerSecond_ + pieces * stepLatencySeconds_, "all-to-all", "s")};
    }
    const N away = fact<N>(awayShare_, "share of an all-to-all that leaves the node");
    const N across = named<N>(bytes * away / awayBytesPerSecond_, "all-to-all across nodes", "s");
    const N inside = named<N>(bytes * (N(1.0) - away) / insideBytesPerSecond_, "all-to-all inside the node", "s");
    return {.bytes = bytes,
            .seconds = named<N>(larger(across, inside) + pieces * stepLatencySeconds_, "all-to-all", "s")};
}

template class Ring<double>;
template class Ring<Traced>;

} // namespace ridgepoint
