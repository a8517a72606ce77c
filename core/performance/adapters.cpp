// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times the thin matrix multiplications of adapters and the expansion of quantized bases.
#include "core/performance/adapters.h"

namespace ridgepoint {

namespace {

template <Number N>
Operation<N> thinLinear(const Operation<N> &beside, std::string_view name, const N &columns, const N &depth,
                        const N &width) {
    Operation<N> op;
    op.name = name;
    op.kind = OperationKind::MatMul;
    op.repeat = beside.repeat;
    op.m = beside.m;
    op.n = columns;
    op.k = depth;
    op.groups = beside.groups;
    op.forwardFlops = N(2.0) * op.m * columns * depth;
    op.readBytes = op.m * depth * width;
    op.writtenBytes = op.m * columns * width;
    op.matrixWeights = columns * depth * N(beside.groups);
    return op;
}

} // namespace

template <Number N>
Adapters<N>::Adapters(const Setting &setting, const Machine<N> &machine, const Traffic<N> &traffic)
    : setting_(setting), machine_(machine), traffic_(traffic),
      lora_(setting.scenario->training.lora ? &*setting.scenario->training.lora : nullptr) {
    if (lora_ == nullptr) {
        return;
    }
    rank_ = fact<N>(lora_->rank, "rank of the adapters", "", "scenario");
    width_ =
        fact<N>(setting.bytes.activations.value, "bytes per activation", "bytes", setting.bytes.activations.source);
    const StorageFormat *base = setting.catalog->format(lora_->base);
    if (base != nullptr && base->bitsPerLinearWeight.value < 16) {
        isGrouped_ = base->id.ends_with("-g128");
        baseBytes_ = factOf<N>(base->bitsPerLinearWeight, "bits of a frozen weight", "bits") / N(8.0);
    }
}

template <Number N>
bool Adapters<N>::isFrozen(const Operation<N> &op) const {
    if (lora_ == nullptr) {
        return false;
    }
    switch (op.weightClass) {
    case WeightClass::Embedding:
        return !lora_->trainsEmbeddings;
    case WeightClass::Head:
        return !lora_->trainsHead;
    case WeightClass::Linear:
    case WeightClass::Expert:
    case WeightClass::Norm:
        return true;
    }
    return true;
}

template <Number N>
typename Adapters<N>::Targets Adapters<N>::targetsOf(const Operation<N> &op) const {
    Targets targets;
    const auto add = [&targets](bool isChosen, const N &in, const N &out) {
        if (isChosen) {
            targets.all[targets.count++] = {in, out};
        }
    };
    const Lora::Targets &chosen = lora_->targets;
    switch (op.role) {
    case WeightRole::Qkv: {
        const double keyValues = setting_.shape.kvHeads;
        const double width = setting_.shape.heads + 2 * keyValues;
        const N query = op.n * fact<N>(setting_.shape.heads / width, "share of q in q, k and v");
        const N keyValue = op.n * fact<N>(keyValues / width, "share of k, and of v, in q, k and v");
        add(chosen.q, op.k, query);
        add(chosen.k, op.k, keyValue);
        add(chosen.v, op.k, keyValue);
        break;
    }
    case WeightRole::MlaQueryDown:
    case WeightRole::MlaQueryUp:
        add(chosen.q, op.k, op.n);
        break;
    case WeightRole::MlaCacheDown:
    case WeightRole::MlaCacheUp:
        add(chosen.k || chosen.v, op.k, op.n);
        break;
    case WeightRole::AttentionOutput:
        add(chosen.o, op.k, op.n);
        break;
    case WeightRole::UpAndGate:
        if (setting_.shape.gatedMlp) {
            add(chosen.gate, op.k, op.n * N(0.5));
            add(chosen.up, op.k, op.n * N(0.5));
        } else {
            add(chosen.up, op.k, op.n);
        }
        break;
    case WeightRole::Down:
        add(chosen.down, op.k, op.n);
        break;
    case WeightRole::Other:
    case WeightRole::Router:
        break;
    }
    return targets;
}

template <Number N>
void Adapters<N>::addMatrix(AdapterTime<N> &time, const Operation<N> &op, const Target &target) const {
    const auto add = [&](const Operation<N> &kernel) {
        time.forward[time.count] = forwardTime(kernel, machine_, traffic_, N(1.0));
        time.backward[time.count] = backwardTime(kernel, machine_, traffic_, N(1.0));
        ++time.count;
    };
    add(thinLinear(op, "adapter, down", rank_, target.in, width_));
    add(thinLinear(op, "adapter, up", target.out, rank_, width_));
    Operation<N> sum;
    sum.name = "adapter, scaled and added";
    sum.repeat = op.repeat;
    sum.writtenBytes = op.m * target.out * width_;
    sum.readBytes = sum.writtenBytes * N(2.0);
    add(sum);
}

template <Number N>
AdapterTime<N> Adapters<N>::timeOf(const Operation<N> &op) const {
    AdapterTime<N> time;
    if (lora_ == nullptr || op.kind != OperationKind::MatMul) {
        return time;
    }
    const bool isLayerLinear = op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert;
    if (isLayerLinear && valueOf(baseBytes_) > 0) {
        N each = baseBytes_ + width_;
        if (!setting_.scenario->training.fusedKernels && isGrouped_) {
            each += factOf<N>(setting_.catalog->general.unfusedExpansionBytes,
                              "bytes of element-wise operators that unpack a weight", "bytes");
        }
        const OperationTime<N> expansion = streamingTime(
            named<N>(op.matrixWeights * each, "frozen weights read narrow, written wide", "bytes"), machine_);
        time.forward[time.count] = expansion;
        time.backward[time.count] = expansion;
        ++time.count;
    }
    const Targets targets = targetsOf(op);
    for (std::size_t i = 0; i < targets.count; ++i) {
        addMatrix(time, op, targets.all[i]);
    }
    return time;
}

template <Number N>
N Adapters<N>::elements(const Operation<N> &op) const {
    N sum{};
    if (lora_ == nullptr) {
        return sum;
    }
    const Targets targets = targetsOf(op);
    for (std::size_t i = 0; i < targets.count; ++i) {
        sum += N(op.groups) * rank_ * (targets.all[i].in + targets.all[i].out);
    }
    return sum;
}

template class Adapters<double>;
template class Adapters<Traced>;

} // namespace ridgepoint
