// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Resolves a scenario's names into facts, and describes its passes over the network.
#include "core/model/setting.h"

#include "core/model/parameters.h"
#include "core/scenario/compute_format.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr std::string_view scenarioSource = "scenario";

Figure given(double value) {
    return {.value = value, .source = scenarioSource};
}

Figure of(const Fact &fact) {
    return {.value = fact.value, .source = fact.source};
}

StateBytes stateBytes(const Scenario &scenario, const Recipe &recipe, const Optimizer &optimizer) {
    StateBytes bytes;
    if (const auto &own = scenario.training.recipeBytes) {
        bytes.weights = given(own->weights);
        bytes.gradients = given(own->gradients);
        bytes.master = given(own->master);
        bytes.states = given(own->states);
        bytes.statesAreTotal = true;
        bytes.activations = given(own->activations);
        bytes.gathered = bytes.weights;
        return bytes;
    }
    bytes.weights = of(recipe.weightBytes);
    bytes.gradients = of(recipe.gradientBytes);
    bytes.master = of(recipe.masterBytes);
    bytes.states = of(optimizer.bytesPerState ? *optimizer.bytesPerState : recipe.stateBytes);
    bytes.activations = of(recipe.activationBytes);
    bytes.gathered = of(recipe.shardsAll || recipe.castsWeights ? recipe.activationBytes : recipe.weightBytes);
    return bytes;
}

template <Number N>
Execution<N> execution(const Setting &setting) {
    const Scenario &scenario = *setting.scenario;
    Execution<N> e;
    e.tensor = scenario.parallelism.tensor;
    e.expert = scenario.parallelism.expert;
    e.expertTensor = expertTensorOf(scenario.parallelism, setting.isTraining());
    e.headSharesEmbedding = setting.shape.tiedEmbeddings && scenario.parallelism.pipeline == 1;
    e.fusedKernels = scenario.training.fusedKernels;
    if (setting.isTraining()) {
        e.context = scenario.parallelism.context;
        e.sequenceParallel = scenario.parallelism.sequenceParallel;
        e.activationBytes =
            fact<N>(setting.bytes.activations.value, "bytes per activation", "bytes", setting.bytes.activations.source);
        e.cacheBytes = e.activationBytes;
        if (setting.recipe->castsWeights && !scenario.training.recipeBytes) {
            e.residualBytes = fact<N>(4, "bytes per element between layers", "bytes",
                                      "autocast: sums with fp32 embeddings and norms stay in fp32");
        }
        e.attention = scenario.training.attention;
        e.dropout = scenario.training.dropout;
        e.vocabularyMultiple = setting.framework->vocabularyMultiple.value;
        e.loss = scenario.training.loss;
    } else {
        const double width = setting.compute == ComputeFormat::Fp32 || setting.compute == ComputeFormat::Tf32 ? 4 : 2;
        e.fusedKernels = true;
        e.activationBytes =
            fact<N>(width, "bytes per activation", "bytes", "16 bits between kernels, 32 where the compute format is");
        e.cacheBytes = fact<N>(setting.cacheFormat->bitsPerLinearWeight.value / 8, "bytes per cached element", "bytes",
                               setting.cacheFormat->bitsPerLinearWeight.source);
        e.attention = scenario.inference.attention;
    }
    return e;
}

/// Matrices of experts are told apart where the file and the shape agree on how many elements layers have.
StoredBits bitsOf(const StoredWeights &stored, const ParameterCount &count) {
    constexpr double bitsOfByte = 8;
    const auto bits = [](double bytes, double elements) { return elements > 0 ? bytes * bitsOfByte / elements : 0; };
    StoredBits result;
    result.linear = bits(stored.linear.bytes + stored.experts.bytes, count.linear);
    result.experts = result.linear;
    if (stored.linear.elements + stored.experts.elements == count.linear) {
        result.linear = bits(stored.linear.bytes, stored.linear.elements);
        result.experts = bits(stored.experts.bytes, stored.experts.elements);
    }
    const bool hasHead = count.head > 0;
    const double tables = stored.embedding.bytes + stored.tower.bytes + stored.buffers.bytes;
    result.embedding = bits(tables + (hasHead ? 0 : stored.head.bytes), count.embedding);
    result.head = hasHead ? bits(stored.head.bytes, count.head) : result.embedding;
    result.vectors = bits(stored.vectors.bytes + stored.expertVectors.bytes, count.vectors);
    return result;
}

/// Widths under which the shape's weights take exactly the bytes that the file has. `like` lends its words.
StorageFormat formatOf(const StoredWeights &stored, const ParameterCount &count, const StorageFormat &like) {
    constexpr double bitsOfByte = 8;
    const auto bits = [](double bytes, double elements) { return elements > 0 ? bytes * bitsOfByte / elements : 0; };
    const double linearBytes = stored.linear.bytes + stored.experts.bytes;
    StorageFormat format = like;
    format.id = "stored";
    format.name = "as stored";
    format.mix.reset();
    format.expertsOnly = false;
    format.bitsPerLinearWeight.value = bits(linearBytes, count.linear);
    format.bitsPerLinearWeight.source = "the model's file, mean over its linear layers";
    format.bitsPerOtherWeight.value = bits(stored.bytes() - linearBytes, count.total - count.linear);
    format.bitsPerOtherWeight.source = "the model's file, mean over embeddings, head, norms and biases";
    return format;
}

} // namespace

int expertTensorOf(const Parallelism &parallelism, bool isTraining) {
    return parallelism.expertTensor.value_or(isTraining ? parallelism.tensor
                                                        : std::max(1, parallelism.tensor / parallelism.expert));
}

int learnedPositions(const Scenario &scenario) {
    return static_cast<int>(scenario.task == Task::Training
                                ? scenario.training.sequenceLength
                                : scenario.inference.promptTokens + scenario.inference.outputTokens);
}

Setting resolve(const Scenario &scenario, const Gpu &gpu, const Catalog &catalog) {
    Setting s(scenario, gpu, catalog);
    if (s.shape.positions == Positions::Learned && !s.shape.maxPositions) {
        s.shape.maxPositions = learnedPositions(scenario);
    }
    s.recipe = catalog.recipe(scenario.training.recipe);
    s.optimizer = catalog.optimizer(scenario.training.optimizer);
    s.framework = catalog.framework(scenario.training.framework);
    s.engine = catalog.engine(scenario.inference.engine);
    s.economics = catalog.economicsPreset(scenario.economics.preset);
    s.weightFormat = catalog.format(scenario.inference.weights);
    s.cacheFormat = catalog.format(scenario.inference.kvCache);
    s.bytes = stateBytes(scenario, *s.recipe, *s.optimizer);
    s.compute = computeFormatOf(scenario, gpu, catalog);
    s.stages = planStages(s.shape, scenario.parallelism);
    s.microBatches = static_cast<int>(
        std::round(globalBatchOf(scenario) / (scenario.training.microBatch * scenario.parallelism.data)));
    const Parallelism &parallelism = scenario.parallelism;
    s.shards = parallelism.data * parallelism.context;
    s.expertShards =
        std::max(1, s.shards * parallelism.tensor / (parallelism.expert * expertTensorOf(parallelism, s.isTraining())));
    if (parallelism.sharding == Sharding::Hybrid) {
        const int inNode = std::max(1, scenario.hardware.gpusPerNode / parallelism.tensor);
        s.shards = std::min(s.shards, inNode);
        s.expertShards = std::min(s.expertShards, inNode);
    }
    s.weightScale = weightScale(s.shape);
    if (servesStoredWeights(scenario)) {
        const ParameterCount count = countParameters(s.shape);
        s.storedFormat =
            std::make_shared<const StorageFormat>(formatOf(*scenario.model.stored, count, *s.weightFormat));
        s.storedBits = bitsOf(*scenario.model.stored, count);
        s.weightFormat = s.storedFormat.get();
    }
    return s;
}

template <Number N>
OperationList<N> describeTraining(const Setting &setting) {
    const Training &training = setting.scenario->training;
    Workload<N> workload;
    workload.sequences = fact<N>(training.microBatch, "micro-batch", "sequences", scenarioSource);
    workload.queryTokens = fact<N>(training.sequenceLength, "sequence length", "tokens", scenarioSource);
    workload.contextTokens = workload.queryTokens;
    if (const auto &encoder = setting.shape.encoder) {
        workload.encodedTokens =
            encoder->tokens ? fact<N>(*encoder->tokens, "tokens of the encoder", "tokens") : workload.queryTokens;
        workload.crossTokens = workload.encodedTokens;
    }
    return describe(setting.shape, workload, execution<N>(setting));
}

template <Number N>
OperationList<N> describeInference(const Setting &setting, const N &sequences, const N &queryTokens,
                                   const N &contextTokens) {
    Workload<N> workload{
        .sequences = sequences, .queryTokens = queryTokens, .contextTokens = contextTokens, .training = false};
    if (const auto &encoder = setting.shape.encoder) {
        const N prompt = fact<N>(setting.scenario->inference.promptTokens, "prompt", "tokens", scenarioSource);
        workload.crossTokens = encoder->tokens ? fact<N>(*encoder->tokens, "tokens of the encoder", "tokens") : prompt;
        if (valueOf(queryTokens) > 1) {
            workload.encodedTokens = workload.crossTokens;
        }
        if (!encoder->tokens) { // the prompt goes through the encoder; the decoder then starts from one token
            workload.queryTokens = N(1.0);
            workload.contextTokens = larger(N(1.0), contextTokens - prompt);
        }
    }
    return describe(setting.shape, workload, execution<N>(setting));
}

template OperationList<double> describeTraining(const Setting &);
template OperationList<Traced> describeTraining(const Setting &);
template OperationList<double> describeInference(const Setting &, const double &, const double &, const double &);
template OperationList<Traced> describeInference(const Setting &, const Traced &, const Traced &, const Traced &);

} // namespace ridgepoint
