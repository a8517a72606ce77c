// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Model states of one training rank: weights, gradients, master copy and optimizer states by recipe, optimizer,
// adapters and sharding.
#pragma once

#include "core/memory/fold.h"

namespace ridgepoint {

namespace training {

template <Number N>
N number(const Figure &figure, std::string_view label, std::string_view unit = "bytes") {
    return fact<N>(figure.value, label, unit, figure.source);
}

template <Number N>
N number(const Fact &figure, std::string_view label, std::string_view unit = "bytes") {
    return fact<N>(figure.value, label, unit, figure.source);
}

/// The sum without terms that are nothing, so that a worked sum shows only what is there.
template <Number N>
N plus(const N &a, const N &b) {
    return valueOf(a) == 0 ? b : valueOf(b) == 0 ? a : a + b;
}

/// A set of parameters that are treated alike.
template <Number N>
struct Parameters {
    N matrices{}; ///< of the layers
    N others{};   ///< embeddings, head, norms, biases
    N vectors{};  ///< of those, norms and biases
    N factors{};  ///< rows and columns of the matrices
    N all() const { return plus(matrices, others); }
};

} // namespace training

/// Bytes on the device unless offloading moved them; then they are in `hostBytes`.
template <Number N>
class TrainingStates {
public:
    TrainingStates(const Setting &setting, const StageSums<N> &sums, const KeptTensors<N> &kept);

    N weights{}, gradients{}, master{}, optimizerStates{}; ///< gradients: in full
    N hostBytes{};
    N layerGradients{};    ///< of the largest unit whose gradient appears at once
    N temporaries{};       ///< of the optimizer step
    N gatheredLayer{};     ///< bytes of one layer's weights, gathered or cast
    N gatheredRoot{};      ///< of embedding and head
    N layerGradientUnit{}; ///< of one layer, unsharded, in the gathered format
    N castCopies{};        ///< autocast's copies of all matrices
    bool gathers = false;  ///< weights are gathered layer by layer

private:
    using Parameters = training::Parameters<N>;

    bool sharded(Sharding from) const { return setting_.scenario->parallelism.sharding >= from; }
    N spread(const N &dense, const N &expert, Sharding from) const;
    N scaled(const N &elements) const;
    N stateBytes(const Parameters &parameters, const Figure &width) const;
    void everything(const StageSums<N> &sums);
    void adapters(const StageSums<N> &sums, const KeptTensors<N> &kept);
    void units(const StageSums<N> &sums, const KeptTensors<N> &kept);
    void offload();

    const Setting &setting_;
};

} // namespace ridgepoint
