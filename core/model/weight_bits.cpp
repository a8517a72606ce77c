// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Applies the rules of a storage format to one matrix.
#include "core/model/weight_bits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double fullPrecisionBits = 32;
constexpr double towerBits = 16; // a vision tower is a file of its own, in 16 bits

/// The first and last eighth of n layers, and of the others every third (llama.cpp, use_more_bits).
bool hasMoreBits(int layer, int layers) {
    const int eighth = layers / 8;
    return layer < eighth || layer >= 7 * layers / 8 || (layer - eighth) % 3 == 2;
}

bool holdsFor(MixModels models, const TransformerShape &shape) {
    const bool hasEightExperts = shape.experts && shape.experts->count == 8;
    switch (models) {
    case MixModels::All:
        return true;
    case MixModels::FourQueriesPerKey:
        return shape.heads >= 4 * shape.kvHeads;
    case MixModels::EightyLayersGrouped:
        return shape.layers == 80 && shape.heads > shape.kvHeads;
    case MixModels::EightExperts:
        return hasEightExperts;
    case MixModels::NotEightExperts:
        return !hasEightExperts;
    }
    return false;
}

bool holdsFor(MixLayers which, int layer, int layers) {
    switch (which) {
    case MixLayers::All:
        return true;
    case MixLayers::FirstTwo:
        return layer < 2;
    case MixLayers::FirstSixteenth:
        return layer < layers / 16;
    case MixLayers::FirstEighth:
        return layer < layers / 8;
    case MixLayers::MoreBits:
        return hasMoreBits(layer, layers);
    }
    return false;
}

class Mixer {
public:
    Mixer(const Setting &setting, const TensorMix &mix)
        : shape_(setting.shape), types_(setting.catalog->blockTypes), mix_(mix) {}

    /// Of a type in rows of `columns` weights, which its blocks must divide.
    double bits(int type, double columns) const {
        const BlockType *chosen = &types_[static_cast<std::size_t>(type)];
        while (chosen->fallback >= 0 && std::fmod(columns, chosen->weightsPerBlock) != 0) {
            chosen = &types_[static_cast<std::size_t>(chosen->fallback)];
        }
        return chosen->bitsPerWeight.value;
    }

    /// Mean over the layers of the range that `has` says have the tensor.
    template <class Has>
    double bits(MixTensor tensor, double columns, LayerRange layers, Has has) const {
        std::array<const TensorMix::Rule *, 8> rules{};
        std::size_t count = 0;
        bool isByLayer = false;
        for (const TensorMix::Rule &rule : mix_.rules) {
            if (rule.tensor == tensor && holdsFor(rule.models, shape_) && count < rules.size()) {
                rules[count++] = &rule;
                isByLayer = isByLayer || rule.layers != MixLayers::All;
            }
        }
        if (!isByLayer) {
            return bits(typeIn(0, rules, count), columns);
        }
        double sum = 0;
        int having = 0;
        for (int layer = layers.first; layer < layers.end; ++layer) {
            if (has(layer)) {
                sum += bits(typeIn(layer, rules, count), columns);
                ++having;
            }
        }
        return having > 0 ? sum / having : bits(mix_.base, columns);
    }

private:
    int typeIn(int layer, const std::array<const TensorMix::Rule *, 8> &rules, std::size_t count) const {
        int type = mix_.base;
        for (std::size_t i = 0; i < count; ++i) {
            const TensorMix::Rule &rule = *rules[i];
            const bool isReplaced = rule.replaces.empty() ||
                                    std::find(rule.replaces.begin(), rule.replaces.end(), type) != rule.replaces.end();
            if (isReplaced && holdsFor(rule.layers, layer, shape_.layers)) {
                type = rule.type;
            }
        }
        return type;
    }

    const TransformerShape &shape_;
    const std::vector<BlockType> &types_;
    const TensorMix &mix_;
};

bool isInLayer(const TransformerShape &shape, Repeat repeat, int layer) {
    switch (repeat) {
    case Repeat::MoeLayer:
        return shape.isMoe(layer);
    case Repeat::DenseLayer:
        return !shape.isMoe(layer);
    case Repeat::LinearAttentionLayer:
        return shape.isLinear(layer);
    case Repeat::WindowedLayer:
        return shape.isWindowed(layer);
    case Repeat::FullAttentionLayer:
        return !shape.isWindowed(layer) && !shape.isLinear(layer);
    default:
        return true;
    }
}

template <Number N>
double mixedBits(const Setting &setting, const Operation<N> &op, LayerRange layers) {
    const TransformerShape &shape = setting.shape;
    const Parallelism &parallelism = setting.scenario->parallelism;
    const TensorMix &mix = *setting.weightFormat->mix;
    const Mixer mixer(setting, mix);
    const auto has = [&](int layer) { return isInLayer(shape, op.repeat, layer); };
    if (op.weightClass == WeightClass::Embedding) {
        return mixer.bits(shape.tiedEmbeddings ? mix.head : mix.base, shape.hidden);
    }
    if (op.weightClass == WeightClass::Head) {
        return mixer.bits(mix.head, shape.hidden);
    }
    if (op.kind != OperationKind::MatMul || op.role == WeightRole::Router) {
        return fullPrecisionBits;
    }
    const double depth = valueOf(op.k);
    switch (op.role) {
    case WeightRole::Qkv: {
        if (op.repeat == Repeat::LinearAttentionLayer || shape.encoder) {
            return mixer.bits(mix.base, depth);
        }
        const double query =
            static_cast<double>(shape.heads) / parallelism.tensor * shape.headDim * (shape.attentionOutputGate ? 2 : 1);
        const double heads = std::max(static_cast<double>(shape.kvHeads) / parallelism.tensor, 1.0);
        const double key = heads * shape.headDim;
        const double value = heads * shape.valueDim();
        return (query * mixer.bits(MixTensor::Query, depth, layers, has) +
                key * mixer.bits(MixTensor::Key, depth, layers, has) +
                value * mixer.bits(MixTensor::Value, depth, layers, has)) /
               (query + key + value);
    }
    case WeightRole::AttentionOutput:
        return mixer.bits(MixTensor::AttentionOutput, depth * parallelism.tensor, layers, has);
    case WeightRole::Down: {
        const int inside = op.weightClass == WeightClass::Expert ? expertTensorOf(parallelism, setting.isTraining())
                                                                 : parallelism.tensor;
        return mixer.bits(MixTensor::Down, depth * inside, layers, has);
    }
    default:
        return mixer.bits(mix.base, depth);
    }
}

} // namespace

template <Number N>
double matrixBits(const Setting &setting, const Operation<N> &op, LayerRange layers) {
    const StorageFormat &format = *setting.weightFormat;
    if (format.mix) {
        return mixedBits(setting, op, layers);
    }
    const bool isLinear = op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert;
    const bool isLeftOut = !isLinear || op.kind != OperationKind::MatMul || op.role == WeightRole::Router ||
                           (format.expertsOnly && setting.shape.experts && op.weightClass != WeightClass::Expert);
    return (isLeftOut ? format.bitsPerOtherWeight : format.bitsPerLinearWeight).value;
}

double vectorBits(const StorageFormat &format) {
    return format.mix ? fullPrecisionBits : format.bitsPerOtherWeight.value;
}

double unquantizedBits(const StorageFormat &format) {
    return format.mix ? fullPrecisionBits : format.bitsPerOtherWeight.value;
}

double towerWeightBits(const StorageFormat &format) {
    return format.mix ? towerBits : format.bitsPerOtherWeight.value;
}

template <Number N>
double meanLinearBits(const Setting &setting, const OperationList<N> &list) {
    const StorageFormat &format = *setting.weightFormat;
    if (!format.mix) {
        return format.bitsPerLinearWeight.value;
    }
    const StagePlan whole = planStages(setting.shape, Parallelism{}).front();
    double bits = 0;
    double weights = 0;
    for (const Operation<N> &op : list.operations) {
        const double elements = valueOf(op.matrixWeights) * whole.executions(op.repeat);
        if (elements > 0 && (op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert)) {
            bits += elements * matrixBits(setting, op, {.first = 0, .end = setting.shape.layers});
            weights += elements;
        }
    }
    return weights > 0 ? bits / weights : format.bitsPerLinearWeight.value;
}

template double matrixBits(const Setting &, const Operation<double> &, LayerRange);
template double matrixBits(const Setting &, const Operation<Traced> &, LayerRange);
template double meanLinearBits(const Setting &, const OperationList<double> &);
template double meanLinearBits(const Setting &, const OperationList<Traced> &);

} // namespace ridgepoint
