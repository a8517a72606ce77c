// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Model states by recipe, optimizer, adapters, sharding and offload.
#include "core/memory/training_states.h"

namespace ridgepoint {

using training::number;
using training::plus;

namespace {

constexpr std::string_view zeroSource = "Rajbhandari et al. 2020, ZeRO";
constexpr double bitsPerByte = 8;

} // namespace

template <Number N>
TrainingStates<N>::TrainingStates(const Setting &setting, const StageSums<N> &sums, const KeptTensors<N> &kept)
    : setting_(setting) {
    if (kept.hasAdapters()) {
        adapters(sums, kept);
    } else {
        everything(sums);
    }
    units(sums, kept);
    offload();
}

/// Divides over the ranks that hold the same weights, where the sharding mode covers them. Ranks that hold the same
/// experts are other ones.
template <Number N>
N TrainingStates<N>::spread(const N &dense, const N &expert, Sharding from) const {
    if (!sharded(from)) {
        return plus(dense, expert);
    }
    const N share = dense / fact<N>(setting_.shards, "ranks it is sharded over", "", zeroSource);
    return valueOf(expert) == 0
               ? share
               : share + expert / fact<N>(setting_.expertShards, "ranks that hold the same experts", "", zeroSource);
}

template <Number N>
N TrainingStates<N>::scaled(const N &elements) const {
    return setting_.weightScale == 1 ? elements : elements * fact<N>(setting_.weightScale, "weight scale");
}

template <Number N>
N TrainingStates<N>::stateBytes(const Parameters &parameters, const Figure &widthFigure) const {
    const Optimizer &optimizer = *setting_.optimizer;
    if (setting_.bytes.statesAreTotal) {
        return parameters.all() * number<N>(setting_.bytes.states, "bytes of all optimizer states");
    }
    const N width = number<N>(widthFigure, "bytes of an optimizer state");
    if (optimizer.factored) {
        // Rows and columns of every matrix; vectors keep a whole second moment.
        return (parameters.factors + parameters.vectors) * width;
    }
    const N count = number<N>(optimizer.statesPerParameter, "optimizer states per parameter", "");
    N inLayers = count * width;
    N elsewhere = inLayers;
    if (optimizer.blockConstantBytesPerState) {
        inLayers =
            count * (width + number<N>(*optimizer.blockConstantBytesPerState, "bytes of block constants per state"));
        elsewhere = inLayers;
    }
    if (optimizer.smallTensorsInFp32) {
        elsewhere = count * number<N>(setting_.recipe->stateBytes, "bytes of a state of embeddings, head and norms");
    }
    if (optimizer.statesPerNonMatrixParameter) {
        elsewhere = number<N>(*optimizer.statesPerNonMatrixParameter,
                              "optimizer states per parameter outside the layers' matrices", "") *
                    width;
    }
    if (valueOf(inLayers) == valueOf(elsewhere)) {
        return parameters.all() * inLayers;
    }
    return plus<N>(named<N>(parameters.matrices, "parameters of the layers' matrices") * inLayers,
                   named<N>(parameters.others, "parameters of embeddings, head, norms and biases") * elsewhere);
}

template <Number N>
void TrainingStates<N>::everything(const StageSums<N> &sums) {
    const StateBytes &bytes = setting_.bytes;
    Parameters dense, expert;
    const bool hasExperts = valueOf(sums.expertWeights) > 0;
    expert.matrices = hasExperts ? named<N>(scaled(sums.expertWeights), "experts on this rank") : N(0.0);
    dense.matrices = scaled(sums.denseWeights);
    dense.others = scaled(sums.embeddingWeights + sums.headWeights + sums.vectorWeights);
    dense.vectors = sums.vectorWeights;
    dense.factors = sums.factorElements;
    const N parameters =
        named<N>(dense.all(), hasExperts ? "parameters of this rank beside its experts" : "parameters of this rank");
    const N weight = number<N>(bytes.weights, "bytes of a weight");
    const N gradient = number<N>(bytes.gradients, "bytes of a gradient");
    const N masterBytes = number<N>(bytes.master, "bytes of a master weight");
    weights = spread(parameters * weight, expert.matrices * weight, Sharding::Parameters);
    gradients = spread(parameters * gradient, expert.matrices * gradient, Sharding::Gradients);
    master = spread(parameters * masterBytes, expert.matrices * masterBytes, Sharding::Optimizer);
    optimizerStates = spread(stateBytes(dense, bytes.states), hasExperts ? stateBytes(expert, bytes.states) : N(0.0),
                             Sharding::Optimizer);
    if (setting_.framework->optimizerStepCopies.value > 0 && valueOf(optimizerStates) > 0) {
        const N width = bytes.statesAreTotal ? fact<N>(4, "bytes of a temporary", "bytes", "fp32")
                                             : number<N>(bytes.states, "bytes of an optimizer state");
        const N each =
            number<N>(setting_.framework->optimizerStepCopies, "temporary copies of the optimizer step", "") * width;
        temporaries = spread(parameters * each, expert.matrices * each, Sharding::Optimizer);
    }
    // The largest unit whose gradient appears at once: a layer, the embedding or the head.
    const N unit = larger(sums.layer.linearWeights(), larger(sums.embeddingWeights, sums.headWeights));
    N unitGradients = named<N>(scaled(unit), "weights of the largest unit") * gradient;
    if (setting_.recipe->shardsAll && setting_.shards > 1 && sharded(Sharding::Parameters)) {
        unitGradients = unitGradients / fact<N>(setting_.shards, "ranks it is sharded over", "", zeroSource);
    }
    layerGradients = smaller(unitGradients, gradients);
}

/// Frozen weights in their storage format; gradients and states only of adapters and of what is trained beside them.
template <Number N>
void TrainingStates<N>::adapters(const StageSums<N> &sums, const KeptTensors<N> &kept) {
    const StateBytes &bytes = setting_.bytes;
    const Framework &framework = *setting_.framework;
    const StorageFormat &base = *setting_.catalog->format(setting_.scenario->training.lora->base);
    const N linearBytes =
        number<N>(base.bitsPerLinearWeight, "bits of a frozen linear weight", "bits") / N(bitsPerByte);
    const N otherBytes = number<N>(base.bitsPerOtherWeight, "bits of other frozen weights", "bits") / N(bitsPerByte);
    const bool embeddings = kept.trains(WeightClass::Embedding);
    const bool head = kept.trains(WeightClass::Head);
    N trainedModules{};
    N frozenOthers = sums.vectorWeights;
    const auto place = [&](const N &weightsOfModule, bool isTrained) {
        if (isTrained) {
            trainedModules = plus(trainedModules, weightsOfModule);
        }
        if (!isTrained || framework.trainedModulesAreCopies) {
            frozenOthers = plus(frozenOthers, weightsOfModule);
        }
    };
    place(sums.embeddingWeights, embeddings);
    place(sums.headWeights, head);
    trainedModules = scaled(trainedModules);
    const N frozenExperts = scaled(sums.expertWeights) * linearBytes;
    const N &denseMatrices = sums.denseWeights;
    const N frozen =
        named<N>(scaled(denseMatrices) * linearBytes + scaled(frozenOthers) * otherBytes, "frozen weights", "bytes");

    Parameters dense, expert;
    expert.matrices = sums.expertAdapterWeights;
    dense.matrices = valueOf(expert.matrices) > 0 ? sums.adapterWeights - expert.matrices : sums.adapterWeights;
    dense.factors = sums.adapterFactorElements;
    Figure weight = bytes.weights, gradient = bytes.gradients, masterFigure = bytes.master, state = bytes.states;
    if (framework.adapterBytes) {
        weight = {.value = framework.adapterBytes->value, .source = framework.adapterBytes->source};
        gradient = weight;
        masterFigure.value = 0;
        state = setting_.optimizer->bytesPerState || bytes.statesAreTotal ? bytes.states : weight;
    }
    const N w = number<N>(weight, "bytes of an adapter's weight");
    const N g = number<N>(gradient, "bytes of an adapter's gradient");
    const N m = number<N>(masterFigure, "bytes of an adapter's master weight");
    const N modulesWeight = number<N>(bytes.weights, "bytes of a trained module's weight");
    const N modulesGradient = number<N>(bytes.gradients, "bytes of a trained module's gradient");
    const N modulesMaster = number<N>(bytes.master, "bytes of a trained module's master weight");
    const N adapters = named<N>(dense.matrices, "adapters on this rank");
    const auto trained = [&](const N &ofAdapter, const N &ofModule) {
        return plus<N>(adapters * ofAdapter, trainedModules * ofModule);
    };
    weights = spread(plus<N>(frozen, trained(w, modulesWeight)), plus<N>(frozenExperts, expert.matrices * w),
                     Sharding::Parameters);
    gradients = spread(trained(g, modulesGradient), expert.matrices * g, Sharding::Gradients);
    master = spread(trained(m, modulesMaster), expert.matrices * m, Sharding::Optimizer);
    Parameters modules;
    modules.others = trainedModules;
    N states = stateBytes(dense, state);
    if (valueOf(trainedModules) > 0) {
        states = plus<N>(states, stateBytes(modules, bytes.states));
    }
    optimizerStates =
        spread(states, valueOf(expert.matrices) > 0 ? stateBytes(expert, state) : N(0.0), Sharding::Optimizer);
    if (framework.optimizerStepCopies.value > 0 && valueOf(optimizerStates) > 0) {
        const N copies = number<N>(framework.optimizerStepCopies, "temporary copies of the optimizer step", "");
        temporaries =
            spread(trained(copies * number<N>(state, "bytes of an adapter's state"),
                           copies * number<N>(bytes.states, "bytes of a trained module's state")),
                   expert.matrices * copies * number<N>(state, "bytes of an adapter's state"), Sharding::Optimizer);
    }
    layerGradients = smaller(plus<N>(larger(embeddings ? scaled(sums.embeddingWeights) * modulesGradient : N(0.0),
                                            head ? scaled(sums.headWeights) * modulesGradient : N(0.0)),
                                     sums.layer.adapterWeights * g),
                             gradients);
}

template <Number N>
void TrainingStates<N>::units(const StageSums<N> &sums, const KeptTensors<N> &kept) {
    const bool recipeNamed = !setting_.scenario->training.recipeBytes;
    const Parallelism &layout = setting_.scenario->parallelism;
    gathers = (sharded(Sharding::Parameters) && setting_.shards > 1) || (recipeNamed && setting_.recipe->shardsAll) ||
              layout.offload == Offload::OptimizerAndParameters;
    N linear = number<N>(setting_.bytes.gathered, "bytes of a gathered weight");
    N other = linear;
    if (kept.hasAdapters()) {
        const StorageFormat &base = *setting_.catalog->format(setting_.scenario->training.lora->base);
        linear = number<N>(base.bitsPerLinearWeight, "bits of a frozen linear weight", "bits") / N(bitsPerByte);
        other = number<N>(base.bitsPerOtherWeight, "bits of other frozen weights", "bits") / N(bitsPerByte);
    } else {
        layerGradientUnit =
            named<N>(scaled(sums.layer.linearWeights()), "gradient of the layer being reduced") * linear;
        if (recipeNamed && setting_.recipe->castsWeights) {
            castCopies = scaled(sums.linearWeights() + sums.headWeights) *
                         number<N>(setting_.bytes.gathered, "bytes of an autocast copy");
        }
    }
    gatheredLayer = named<N>(scaled(sums.layer.linearWeights()), "matrix weights of a layer") * linear;
    gatheredRoot = named<N>(scaled(sums.embeddingWeights + sums.headWeights), "embedding and head (root unit)") * other;
}

/// ZeRO-Offload and ZeRO-Infinity (Ren et al. 2021; Rajbhandari et al. 2021): the optimizer steps in the host.
template <Number N>
void TrainingStates<N>::offload() {
    const auto move = [this](N &bytes) {
        hostBytes = plus(hostBytes, bytes);
        bytes = N(0.0);
    };
    const Offload mode = setting_.scenario->parallelism.offload;
    if (mode == Offload::Optimizer || mode == Offload::OptimizerAndParameters) {
        move(master);
        move(optimizerStates);
        temporaries = N(0.0);
    }
    if (mode == Offload::OptimizerAndParameters) {
        move(weights);
    }
}

template class TrainingStates<double>;
template class TrainingStates<Traced>;

} // namespace ridgepoint
