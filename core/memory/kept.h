// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation keeps for backward in this run: the operation list's own account, less what frozen weights do not
// need, with the copies that adapters and frameworks add.
#pragma once

#include "core/model/setting.h"

namespace ridgepoint {

/// Adapters (Hu et al. 2021) on column-parallel matrices split their output side, on row-parallel ones their input
/// side; the other factor is whole on every rank.
template <Number N>
class KeptTensors {
public:
    explicit KeptTensors(const Setting &setting)
        : lora_(setting.isTraining() && setting.scenario->training.lora ? &*setting.scenario->training.lora : nullptr),
          shape_(&setting.shape), framework_(setting.framework), tensor_(setting.scenario->parallelism.tensor),
          activationBytes_(fact<N>(setting.bytes.activations.value, "bytes per activation", "bytes",
                                   setting.bytes.activations.source)) {
        if (lora_ == nullptr) {
            return;
        }
        constexpr double bitsOfActivations = 16;
        const StorageFormat *base = setting.catalog->format(lora_->base);
        keepsNarrowInput_ = framework_->narrowLinearsKeepInputs && base->bitsPerLinearWeight.value < bitsOfActivations;
        rank_ = fact<N>(lora_->rank, "rank of the adapters", "", "scenario");
    }

    bool hasAdapters() const { return lora_ != nullptr; }
    bool trains(WeightClass part) const {
        return lora_ == nullptr || (part == WeightClass::Embedding && trainsEmbeddings()) ||
               (part == WeightClass::Head && lora_->trainsHead);
    }

    bool isGated() const { return shape_->gatedMlp; }
    double tensor() const { return tensor_; }
    const N &activationBytes() const { return activationBytes_; }
    /// Share of the q, k, v projection's columns that are queries.
    N queryShare(const Operation<N> &op) const { return (op.n - keyWidth() - valueWidth()) / op.n; }

    /// Adapters that read the operation's input.
    int readers(const Operation<N> &op) const {
        const Lora::Targets &targets = lora_->targets;
        switch (op.role) {
        case WeightRole::Qkv:
            return int{targets.q} + int{targets.k} + int{targets.v};
        case WeightRole::AttentionOutput:
            return int{targets.o};
        case WeightRole::UpAndGate:
            return int{targets.up} + int{targets.gate && shape_->gatedMlp};
        case WeightRole::Down:
            return int{targets.down};
        default:
            return 0;
        }
    }

    /// Elements of the adapters beside one operation: r (in + out) each.
    N elements(const Operation<N> &op) const {
        const int count = readers(op);
        if (count == 0) {
            return N(0.0);
        }
        N sides = op.k * fact<N>(count, "adapters on this input") + outputs(op);
        if (op.groups > 1) {
            sides = sides * fact<N>(op.groups, "local experts");
        }
        return named<N>(rank_ * sides, op.name, "elements", "Hu et al. 2021: r (in + out) per matrix");
    }

    /// Rows plus columns of the adapters' matrices (factored optimizer states).
    N factorElements(const Operation<N> &op) const {
        const int count = readers(op);
        return count == 0 ? N(0.0) : op.k * N(count) + outputs(op) + rank_ * N(2.0 * count);
    }

    N bytes(const Operation<N> &op) const {
        N kept = lora_ != nullptr ? besideFrozen(op) : op.keptBytes;
        if (framework_->keepsGatheredInputs && op.collective == TensorCollective::AllGather) {
            kept = named<N>(op.collectiveBytes, "input, kept gathered", "bytes");
        }
        if (framework_->keepsAttentionCopies && op.role == WeightRole::Qkv) {
            kept += named<N>(op.writtenBytes, "contiguous copies of q, k and v", "bytes");
        }
        return kept;
    }

private:
    /// The weight itself is frozen: an input is needed only where an adapter, or a narrow linear of this framework,
    /// reads it again; and every adapter's r-wide intermediate.
    N besideFrozen(const Operation<N> &op) const {
        if (op.kind != OperationKind::MatMul || op.role == WeightRole::Other) {
            return op.keptBytes;
        }
        const int count = readers(op);
        // Flash attention's backward reads its own output, whoever else does.
        const bool keepsAnyway = op.role == WeightRole::AttentionOutput || keepsNarrowInput_;
        if (count == 0) {
            return keepsAnyway ? op.keptBytes : N(0.0);
        }
        const double copies = framework_->adaptersCopyInputs ? 1 + count : 1;
        const N inner = op.m * rank_ * activationBytes_ * fact<N>(count, "adapters on this input");
        return op.keptBytes * fact<N>(copies, "copies of the input: the layer's, and one cast for each adapter") +
               inner;
    }

    bool trainsEmbeddings() const { return lora_->trainsEmbeddings || (lora_->trainsHead && shape_->tiedEmbeddings); }

    /// Summed output widths of the adapted matrices.
    N outputs(const Operation<N> &op) const {
        const Lora::Targets &targets = lora_->targets;
        if (op.role == WeightRole::UpAndGate) {
            return op.n * N(readers(op) / (shape_->gatedMlp ? 2.0 : 1.0));
        }
        if (op.role != WeightRole::Qkv) {
            return op.n;
        }
        N sum{};
        if (targets.q) {
            sum += op.n - keyWidth() - valueWidth();
        }
        if (targets.k) {
            sum += keyWidth();
        }
        if (targets.v) {
            sum += valueWidth();
        }
        return sum;
    }

    double keyValueHeads() const { return std::max(1.0, static_cast<double>(shape_->kvHeads) / tensor_); }
    N keyWidth() const { return fact<N>(keyValueHeads() * shape_->headDim, "key width on this rank"); }
    N valueWidth() const { return fact<N>(keyValueHeads() * shape_->valueDim(), "value width on this rank"); }

    const Lora *lora_;
    const TransformerShape *shape_;
    const Framework *framework_;
    double tensor_;
    N activationBytes_;
    bool keepsNarrowInput_ = false;
    N rank_{};
};

} // namespace ridgepoint
