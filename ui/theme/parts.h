// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The quantities that have a colour of their own, in the order in which bars stack them.
#pragma once

#include <array>
#include <cstddef>

namespace ridgepoint {

/// Parts of the memory of one GPU: the components of the report, then the allocator's slack and the driver's context.
enum class MemoryPart {
    Weights,
    Gradients,
    MasterWeights,
    OptimizerStates,
    Activations,
    Logits,
    KvCache,
    GatheredWeights,
    CommunicationBuffers,
    Workspace,
    Fragmentation,
    Context
};
inline constexpr std::size_t memoryPartCount = 12;

enum class MemoryFamily { ModelStates, Activations, Cache, Runtime };
inline constexpr std::size_t memoryFamilyCount = 4;

constexpr MemoryFamily familyOf(MemoryPart part) {
    if (part <= MemoryPart::OptimizerStates)
        return MemoryFamily::ModelStates;
    if (part <= MemoryPart::Logits)
        return MemoryFamily::Activations;
    return part == MemoryPart::KvCache ? MemoryFamily::Cache : MemoryFamily::Runtime;
}

enum class TimePart { Compute, Memory, Communication, Bubble, Launch, Optimizer, Input };
inline constexpr std::size_t timePartCount = 7;

enum class CostTerm { Gpus, Server, Network, Capital, Energy, Cooling, Facility, Maintenance, People, Other };
inline constexpr std::size_t costTermCount = 10;

} // namespace ridgepoint
