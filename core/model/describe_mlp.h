// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The feed-forward half of a layer: a dense MLP, or a router with routed and shared experts.
#pragma once

#include "core/model/describe_writer.h"

#include <cmath>

namespace ridgepoint::description {

struct MlpNames {
    std::string_view up, activation, down;
};

/// The names a dense MLP has; experts have their own.
inline MlpNames denseNames(bool gated) {
    return {gated ? "up and gate projection" : "up projection", "activation", "down projection"};
}

template <Number N>
void activation(Writer<N> &w, std::string_view name, Repeat repeat, const N &tokens, const N &ffn) {
    const N activated = tokens * ffn;
    Operation<N> &op = w.streaming(name, repeat, activated * N(w.sizes.gate), activated);
    op.forwardFlops = w.shape.gatedMlp
                          ? w.elementwiseFlops(activated, 5, "operations: exponential, add, divide, two products")
                          : w.elementwiseFlops(activated, 8, "operations of GELU's tanh form");
    // Fused, the gated product is computed again from gate and up; unfused, the activated gate is kept too.
    const double tensorsKept = w.shape.gatedMlp ? (w.execution.fusedKernels ? 2 : 3) : 1;
    w.keep(op, activated * w.sizes.activationBytes * fact<N>(tensorsKept, "tensors the activation keeps"));
}

/// Up, activation, down over `stream`. `keepsInput`: not where a norm's output is kept by another linear already.
template <Number N>
void denseMlp(Writer<N> &w, const MlpNames &names, Repeat repeat, const Stream<N> &stream, const N &ffn,
              bool keepsInput = true) {
    const N gate(w.sizes.gate);
    Operation<N> &up = w.linear(names.up, WeightRole::UpAndGate, repeat, stream.tokens, ffn * gate, w.sizes.hidden);
    up.factorElements = (w.sizes.hidden + ffn) * gate;
    if (hasBias(w.shape.biases, WeightRole::UpAndGate)) {
        up.vectorWeights = ffn * gate;
    }
    w.columnParallelInput(up, stream, keepsInput);
    activation(w, names.activation, repeat, stream.tokens, ffn);
    Operation<N> &down = w.linear(names.down, WeightRole::Down, repeat, stream.tokens, w.sizes.hidden, ffn);
    if (hasBias(w.shape.biases, WeightRole::Down)) {
        down.vectorWeights = w.sizes.hidden;
    }
    w.keep(down, stream.tokens * ffn * w.sizes.activationBytes);
    w.rowParallelOutput(down, stream);
}

/// Share of the experts that at least one of `tokens` tokens chooses, when choices are even: 1 - (1 - k/E)^tokens.
template <Number N>
N shareOfExpertsRead(const Experts &experts, const N &tokens) {
    const double unused = 1 - static_cast<double>(experts.active) / experts.count;
    return fact<N>(1 - std::pow(unused, valueOf(tokens)), "share of the experts that some token chooses", "",
                   "1 - (1 - k/E)^T, even choices");
}

/// Router, dispatch, the local experts' grouped matmuls, combine; shared experts beside them.
/// Tokens are taken as evenly spread over the experts (what a balancing loss trains for).
template <Number N>
void mixtureOfExperts(Writer<N> &w, const Stream<N> &stream) {
    constexpr Repeat repeat = Repeat::MoeLayer;
    const Experts &experts = *w.shape.experts;
    const Execution<N> &execution = w.execution;
    const N bytes = w.sizes.activationBytes;
    const N hidden = w.sizes.hidden;
    const N count = fact<N>(experts.count, "experts");
    const N active = fact<N>(experts.active, "experts of one token");
    const double local = static_cast<double>(experts.count) / execution.expert;
    const N localExperts = execution.expert > 1 ? fact<N>(local, "experts on this rank") : count;
    const bool hasExchange = execution.expert > 1;

    // The router and what it decides from are the same on all tensor ranks, or split with the sequence.
    Operation<N> &router = w.linear("router", WeightRole::Router, repeat, stream.outside, count, hidden);
    if (experts.routerBias) {
        router.vectorWeights = count;
    }
    // Its input is the norm's output, which the experts' dispatch reads too; its probabilities are kept in fp32.
    w.keep(router, stream.outside * (hidden * bytes + count * fact<N>(4, "bytes of a routing probability")));

    // Of the tokens that the group brings together, this rank's share of experts takes T k et/t rows.
    N routed = named<N>(stream.tokens * active, "tokens x experts of one token");
    if (execution.expertTensor != execution.tensor) {
        routed = named<N>(routed * fact<N>(static_cast<double>(execution.expertTensor) / execution.tensor,
                                           "expert tensor degree over tensor degree"),
                          "rows through the experts of this rank");
    }
    const N ffn = execution.expertTensor > 1
                      ? named<N>(fact<N>(experts.ffn, "expert feed-forward size") /
                                     fact<N>(execution.expertTensor, "tensor degree inside an expert"),
                                 "expert feed-forward size on this rank")
                      : fact<N>(experts.ffn, "expert feed-forward size");
    const N dispatched = stream.outside * active * hidden;
    Operation<N> &dispatch = w.streaming("dispatch to experts", repeat, stream.outside * hidden, dispatched);
    if (hasExchange) {
        dispatch.exchange = Exchange::ExpertAllToAll;
        dispatch.exchangeBytes = dispatched * bytes;
    }
    const N share = shareOfExpertsRead<N>(
        experts, stream.tokens * N(static_cast<double>(execution.expert) * execution.expertTensor / execution.tensor));
    const auto grouped = [&](Operation<N> &op) {
        op.weightClass = WeightClass::Expert;
        op.groups = local;
        op.matrixWeights = named<N>(op.matrixWeights * localExperts, op.name, "elements");
        op.factorElements = op.factorElements * localExperts;
        op.readWeights = op.matrixWeights * share;
    };
    const N gate(w.sizes.gate);
    Operation<N> &up =
        w.linear("experts' up and gate projection", WeightRole::UpAndGate, repeat, routed, ffn * gate, hidden);
    up.factorElements = (hidden + ffn) * gate;
    grouped(up);
    if (experts.biases) {
        up.vectorWeights = localExperts * ffn * gate;
    }
    w.keep(up, routed * hidden * bytes); // the permuted tokens
    if (execution.tensor > 1 && !hasExchange) {
        if (execution.sequenceParallel) {
            up.collective = TensorCollective::AllGather;
            up.collectiveBytes = stream.tokens * hidden * bytes;
        }
    } else if (execution.expertTensor > 1) {
        up.collective = TensorCollective::AllGather;
        up.collectiveBytes = routed * hidden * bytes;
    }
    activation(w, "experts' activation", repeat, routed, ffn);
    Operation<N> &down = w.linear("experts' down projection", WeightRole::Down, repeat, routed, hidden, ffn);
    grouped(down);
    if (experts.biases) {
        down.vectorWeights = localExperts * hidden;
    }
    w.keep(down, routed * ffn * bytes);
    if (!hasExchange) {
        w.rowParallelOutput(down, stream);
    } else if (execution.expertTensor > 1) {
        down.collective = TensorCollective::ReduceScatter;
        down.collectiveBytes = routed * hidden * bytes;
    }
    Operation<N> &combine = w.streaming("combine experts", repeat, dispatched, stream.outside * hidden);
    combine.forwardFlops = w.elementwiseFlops(dispatched, 2, "operations: weigh, add");
    if (hasExchange) {
        combine.exchange = Exchange::ExpertAllToAll;
        combine.exchangeBytes = dispatched * bytes;
    }
    if (experts.shared > 0) {
        const N shared = named<N>(fact<N>(experts.shared, "shared experts") *
                                      fact<N>(experts.sharedFfn, "shared expert's feed-forward size") /
                                      fact<N>(execution.tensor, "tensor-parallel degree"),
                                  "shared experts' width on this rank");
        denseMlp(
            w,
            {"shared experts' up and gate projection", "shared experts' activation", "shared experts' down projection"},
            repeat, stream, shared, false);
        if (experts.sharedGate) {
            w.linear("gate of the shared experts", WeightRole::Router, repeat, stream.outside, N(1.0), hidden);
        }
    }
}

} // namespace ridgepoint::description
