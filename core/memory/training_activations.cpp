// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Activations of one pipeline stage in training.
#include "core/memory/training_activations.h"

namespace ridgepoint {

using training::number;
using training::plus;

/// Micro-batches whose activations the stage holds at once. Interleaved: chunks in flight, each 1/v of the stage.
template <Number N>
N TrainingActivations<N>::flights() const {
    const Parallelism &layout = setting_.scenario->parallelism;
    const int behind = layout.pipeline - plan_.index - 1; // stages after this one
    switch (layout.schedule) {
    case Schedule::Gpipe:
        return fact<N>(setting_.microBatches, "micro-batches in flight", "", "GPipe: Huang et al. 2019");
    case Schedule::Interleaved: {
        const double chunks = std::min(static_cast<double>(setting_.microBatches) * layout.virtualStages,
                                       2.0 * behind + (layout.virtualStages - 1.0) * layout.pipeline + 1);
        return fact<N>(chunks, "chunks in flight: min(m v, 2 (p - k - 1) + (v - 1) p + 1)", "",
                       "interleaved 1F1B: Narayanan et al. 2021, section 2.2; Korthikanti et al. 2022, section 4.2.3") /
               fact<N>(layout.virtualStages, "chunks of a stage");
    }
    case Schedule::OneForwardOneBackward:
        break;
    }
    return fact<N>(std::min(setting_.microBatches, behind + 1), "micro-batches in flight", "",
                   "1F1B: Narayanan et al. 2021");
}

/// What the stage's layers keep of one micro-batch; sets what is computed again beside it.
template <Number N>
N TrainingActivations<N>::layersKeep() {
    N whole = plus(sums_.keptBytes, sums_.keptCoreBytes);
    const N wholeLayer =
        named<N>(plus(sums_.layer.keptBytes, sums_.layer.keptCoreBytes), "the layer being recomputed", "bytes");
    const N input = list_.layerInputBytes;
    const int layers = plan_.layers + plan_.encoderLayers;
    switch (training().recompute) {
    case Recompute::None:
        break;
    case Recompute::Selective:
        recomputed_ = named<N>(sums_.layer.keptCoreBytes, "attention core of the layer being recomputed", "bytes");
        return sums_.keptBytes;
    case Recompute::SelectiveOps:
        recomputed_ = larger(wholeLayer - named<N>(sums_.layer.savedOutputBytes, "outputs it kept", "bytes"), N(0.0));
        return fact<N>(layers, "layers on this stage") * input +
               named<N>(sums_.savedOutputBytes, "outputs kept", "bytes");
    case Recompute::Full:
        recomputed_ = wholeLayer;
        return fact<N>(layers, "layers on this stage") * input;
    case Recompute::FullLayers: {
        const int again = std::min(training().recomputeLayers, layers);
        if (again == layers) {
            recomputed_ = wholeLayer;
            return fact<N>(layers, "layers on this stage") * input;
        }
        recomputed_ = wholeLayer;
        return fact<N>(again, "layers that are recomputed", "", "scenario") * input +
               whole * fact<N>(static_cast<double>(layers - again) / layers, "share of layers that keep everything");
    }
    }
    return whole;
}

template <Number N>
void TrainingActivations<N>::keep() {
    const N layers = named<N>(layersKeep(), "kept per micro-batch", "bytes");
    const N inFlight = flights();
    const bool interleaved = setting_.scenario->parallelism.schedule == Schedule::Interleaved;
    held_ = inFlight * layers;
    if (valueOf(sums_.firstOutsideKept) > 0) {
        held_ = plus<N>(held_, inFlight * named<N>(sums_.firstOutsideKept, "kept by the embedding", "bytes"));
    }
    if (valueOf(sums_.lastOutsideKept) > 0) {
        // The last chunk's backward follows its forward at once.
        const N head = named<N>(sums_.lastOutsideKept, "kept by the final norm and the head", "bytes");
        held_ = plus<N>(held_, interleaved ? head : inFlight * head);
    }
    if (plan_.layers + plan_.encoderLayers == 0) {
        return;
    }
    // The layer's output and its gradient; then those inside the MLP or inside attention, whichever is more.
    layerGradients_ = N(2.0) * named<N>(list_.layerInputBytes, "output of the layer, and its gradient", "bytes") +
                      named<N>(larger(sums_.layer.mlpGradientBytes, sums_.layer.scoreGradientBytes),
                               "activation gradients inside the layer", "bytes");
    const N layer = named<N>(plus(sums_.layer.keptBytes, sums_.layer.keptCoreBytes), "the last layer", "bytes");
    lastLayer_ = layer + layerGradients_;
    const Parallelism &layout = setting_.scenario->parallelism;
    const bool frozenUnits = training().lora && setting_.framework->frozenUnitsKeepInputs &&
                             layout.sharding >= Sharding::Parameters && setting_.shards > 1;
    if (frozenUnits) {
        const N others = fact<N>(2.0 * (plan_.layers - 1), "inputs of the other layers, and their gradients");
        lastLayer_ += others * list_.layerInputBytes;
    }
    if (layout.offload == Offload::Activations) {
        offload(layers);
    }
}

/// Kept tensors go to the host; of two layers they are on the device: the one in use and the one in transfer.
template <Number N>
void TrainingActivations<N>::offload(const N &perMicroBatch) {
    const double layers = plan_.layers + plan_.encoderLayers;
    const N here =
        smaller(held_, perMicroBatch * fact<N>(std::min(1.0, 2 / layers), "share of two layers: in use, in transfer"));
    hostBytes = held_ - here;
    held_ = here;
}

template <Number N>
N TrainingActivations<N>::logits() const {
    N rows = list_.tokens;
    if (training().loss == LossKernel::Chunked) {
        rows = smaller(rows, fact<N>(training().lossChunkTokens, "tokens of a loss chunk", "tokens", "scenario"));
    }
    const Framework &framework = *setting_.framework;
    const bool isSplit = setting_.scenario->parallelism.tensor > 1 && framework.lossBytesPerLogitSplit;
    const Fact &perLogit = training().loss != LossKernel::Materialized ? framework.lossBytesPerLogitFused
                           : isSplit                                   ? *framework.lossBytesPerLogitSplit
                                                                       : framework.lossBytesPerLogitMaterialized;
    return rows * list_.vocabulary * number<N>(perLogit, "bytes per logit alive at the loss");
}

template class TrainingActivations<double>;
template class TrainingActivations<Traced>;

} // namespace ridgepoint
