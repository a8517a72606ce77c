// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Setting: a scenario with its names resolved against the catalogue, so that memory and time read the same facts.
#pragma once

#include "core/catalog/catalog.h"
#include "core/model/operation.h"
#include "core/scenario/scenario.h"

#include <memory>
#include <string_view>

namespace ridgepoint {

/// A figure in force, without the strings of a Fact: resolving is part of every evaluation.
struct Figure {
    double value = 0;
    std::string_view source;
};

/// Bytes per parameter in force, each with its source for explanations.
struct StateBytes {
    Figure weights, gradients, master, activations; ///< activations: per element
    Figure states;               ///< per state tensor of the optimizer, where the optimizer says how many there are
    bool statesAreTotal = false; ///< a recipe object gave the sum over all states
    Figure gathered;             ///< of a gathered parameter (sharding parameters) or of an autocast copy
};

/// Everything that does not depend on the number type. Refers to what resolve() was given, which must outlive it.
/// Bits per element of the shape, so that its parts take the bytes that the model's file has for them.
struct StoredBits {
    double linear = 0, experts = 0, embedding = 0, head = 0, vectors = 0;
};

struct Setting {
    Setting(const Scenario &theScenario, const Gpu &theGpu, const Catalog &theCatalog)
        : scenario(&theScenario), catalog(&theCatalog), gpu(theGpu), shape(theScenario.model.shape) {}

    const Scenario *scenario;
    const Catalog *catalog;
    const Gpu &gpu;
    TransformerShape shape; ///< the scenario's, with the rows of a learned position table filled in
    const Recipe *recipe = nullptr;
    const Optimizer *optimizer = nullptr;
    const Framework *framework = nullptr;
    const Engine *engine = nullptr;
    const EconomicsPreset *economics = nullptr;
    const StorageFormat *weightFormat = nullptr; ///< inference; of stored weights their own widths, on the mean
    const StorageFormat *cacheFormat = nullptr;  ///< inference
    StateBytes bytes;
    ComputeFormat compute = ComputeFormat::Bf16;
    std::vector<StagePlan> stages;
    int microBatches = 1; ///< per step and pipeline
    int shards = 1;       ///< N: ranks that a sharded tensor is divided over: n c, or those of one node (hybrid)
    int expertShards = 1; ///< the same for expert weights: ranks that hold the same experts
    double weightScale = 1;
    std::shared_ptr<const StorageFormat> storedFormat; ///< what weightFormat then points to
    std::optional<StoredBits> storedBits;              ///< the same widths by part

    bool isTraining() const { return scenario->task == Task::Training; }
};

/// Tensor degree inside an expert: as given; in training that of the other weights, in serving what the expert degree
/// leaves of the tensor ranks.
int expertTensorOf(const Parallelism &parallelism, bool isTraining);

/// Rows of a learned position table that the model does not state: as long as the scenario's longest sequence.
int learnedPositions(const Scenario &scenario);

/// Pre: checkScenario() found nothing and `gpu` is resolveGpu() of one of the scenario's choices.
Setting resolve(const Scenario &scenario, const Gpu &gpu, const Catalog &catalog);

/// One micro-batch of training, forward, on a rank.
template <Number N>
OperationList<N> describeTraining(const Setting &setting);
/// The prefill of `sequences` prompts' chunk: `queryTokens` tokens each attending to `contextTokens`.
template <Number N>
OperationList<N> describeInference(const Setting &setting, const N &sequences, const N &queryTokens,
                                   const N &contextTokens);

} // namespace ridgepoint
