// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What training and inference share in finishing a stage: the sum, slack and context.
#pragma once

#include "core/memory/fold.h"
#include "core/memory/memory.h"

namespace ridgepoint {

/// Sum of components that are already whole bytes; only those present become part of a worked sum.
template <Number N>
N sumOfComponents(const std::array<N, memoryComponentCount> &components) {
    N sum{};
    for (std::size_t i = 0; i < memoryComponentCount; ++i) {
        if constexpr (isTraced<N>) {
            if (valueOf(components[i]) == 0) {
                continue;
            }
            const N part = named<N>(components[i], nameOf(static_cast<MemoryComponent>(i)), "bytes");
            sum = valueOf(sum) == 0 ? part : sum + part;
        } else {
            sum += components[i];
        }
    }
    return sum;
}

/// Adds slack and context to the allocated peak; `freedBytes` are freed blocks that the allocator did not give back.
template <Number N>
void finishStage(StageMemory<N> &stage, const N &fragmentationFraction, const N &freedBytes, const Setting &setting) {
    stage.fragmentationBytes = rounded(named<N>(stage.allocatedBytes, "allocated", "bytes") * fragmentationFraction);
    if (valueOf(freedBytes) > 0) {
        stage.fragmentationBytes += named<N>(freedBytes, "freed gradients, still reserved", "bytes");
    }
    stage.reservedBytes = named<N>(stage.allocatedBytes, "allocated", "bytes") +
                          named<N>(stage.fragmentationBytes, "fragmentation", "bytes");
    const auto &own = setting.scenario->hardware.contextBytes;
    const std::optional<Fact> &stack =
        setting.isTraining() ? setting.framework->contextBytes : setting.engine->contextBytes;
    const Fact &known = stack ? *stack : setting.catalog->general.contextBytes;
    N context = own ? fact<N>(*own, "context", "bytes", "scenario")
                    : fact<N>(known.value, "driver context and libraries", "bytes", known.source);
    const Parallelism &parallelism = setting.scenario->parallelism;
    const bool isAlone = parallelism.tensor * parallelism.pipeline == 1;
    if (const auto &beside = setting.engine->communicationBytes; beside && !own && !isAlone && !setting.isTraining()) {
        context += fact<N>(beside->value, "communication libraries", "bytes", beside->source);
    }
    stage.contextBytes = rounded(context);
    stage.totalBytes =
        named<N>(stage.reservedBytes, "reserved", "bytes") + named<N>(stage.contextBytes, "context", "bytes");
}

/// The stage with the largest total; the first of equals.
template <Number N>
std::size_t worstOf(const std::vector<StageMemory<N>> &stages) {
    const auto worst = std::max_element(stages.begin(), stages.end(),
                                        [](const auto &a, const auto &b) { return a.totalBytes < b.totalBytes; });
    return static_cast<std::size_t>(worst - stages.begin());
}

template <Number N>
void finishStage(StageMemory<N> &stage, const N &fragmentationFraction, const Setting &setting) {
    finishStage(stage, fragmentationFraction, N(0.0), setting);
}

template <Number N>
std::vector<StageMemory<N>> trainingStages(const Setting &setting);
template <Number N>
void fillInference(const Setting &setting, MemoryReport<N> &report);

} // namespace ridgepoint
