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

/// Layers below `layer` of those that get more bits: the first and last eighth of n, and of the others every third
/// (llama.cpp, use_more_bits).
int moreBitsBelow(int layer, int layers) {
    const int eighth = layers / 8;
    const int last = 7 * layers / 8;
    return std::min(layer, eighth) + std::max(0, layer - last) + std::max(0, std::min(layer, last) - eighth) / 3;
}

/// Layers below `layer` that a rule holds for.
int countBelow(MixLayers which, int layer, int layers) {
    switch (which) {
    case MixLayers::All:
        return layer;
    case MixLayers::FirstTwo:
        return std::min(layer, 2);
    case MixLayers::FirstSixteenth:
        return std::min(layer, layers / 16);
    case MixLayers::FirstEighth:
        return std::min(layer, layers / 8);
    case MixLayers::MoreBits:
        return moreBitsBelow(layer, layers);
    }
    return 0;
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
    return countBelow(which, layer + 1, layers) > countBelow(which, layer, layers);
}

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

    /// Mean over the layers of the range that have the operation.
    double bits(MixTensor tensor, double columns, LayerRange layers, Repeat repeat) const {
        Rules rules;
        for (const TensorMix::Rule &rule : mix_.rules) {
            if (rule.tensor == tensor && holdsFor(rule.models, shape_) && rules.count < rules.list.size()) {
                rules.list[rules.count++] = &rule;
                rules.byLayer += rule.layers != MixLayers::All ? 1 : 0;
            }
        }
        const auto bitsIn = [&](auto applies) { return bits(typeWith(rules, applies), columns); };
        if (rules.byLayer == 0) {
            return bitsIn([](MixLayers) { return true; });
        }
        if (rules.byLayer == 1 && isOfEveryLayer(repeat)) {
            MixLayers which = MixLayers::All;
            for (std::size_t i = 0; i < rules.count; ++i) {
                which = rules.list[i]->layers != MixLayers::All ? rules.list[i]->layers : which;
            }
            const double with =
                countBelow(which, layers.end, shape_.layers) - countBelow(which, layers.first, shape_.layers);
            const double all = std::max(1, layers.end - layers.first);
            return (with * bitsIn([](MixLayers) { return true; }) +
                    (all - with) * bitsIn([](MixLayers each) { return each == MixLayers::All; })) /
                   all;
        }
        double sum = 0;
        int having = 0;
        for (int layer = layers.first; layer < layers.end; ++layer) {
            if (isInLayer(shape_, repeat, layer)) {
                sum += bitsIn([&](MixLayers each) { return holdsFor(each, layer, shape_.layers); });
                ++having;
            }
        }
        return having > 0 ? sum / having : bits(mix_.base, columns);
    }

private:
    struct Rules {
        std::array<const TensorMix::Rule *, 8> list{};
        std::size_t count = 0;
        int byLayer = 0;
    };

    bool isOfEveryLayer(Repeat repeat) const {
        switch (repeat) {
        case Repeat::MoeLayer:
            return shape_.experts->denseLayers == 0 && shape_.experts->every == 1;
        case Repeat::DenseLayer:
        case Repeat::LinearAttentionLayer:
        case Repeat::WindowedLayer:
        case Repeat::FullAttentionLayer:
            return false;
        default:
            return true;
        }
    }

    template <class Applies>
    int typeWith(const Rules &rules, Applies applies) const {
        int type = mix_.base;
        for (std::size_t i = 0; i < rules.count; ++i) {
            const TensorMix::Rule &rule = *rules.list[i];
            const bool isReplaced = rule.replaces.empty() ||
                                    std::find(rule.replaces.begin(), rule.replaces.end(), type) != rule.replaces.end();
            if (isReplaced && applies(rule.layers)) {
                type = rule.type;
            }
        }
        return type;
    }

    const TransformerShape &shape_;
    const std::vector<BlockType> &types_;
    const TensorMix &mix_;
};

template <Number N>
double mixedBits(const Setting &setting, const Operation<N> &op, LayerRange layers) {
    const TransformerShape &shape = setting.shape;
    const Parallelism &parallelism = setting.scenario->parallelism;
    const TensorMix &mix = *setting.weightFormat->mix;
    const Mixer mixer(setting, mix);
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
        return (query * mixer.bits(MixTensor::Query, depth, layers, op.repeat) +
                key * mixer.bits(MixTensor::Key, depth, layers, op.repeat) +
                value * mixer.bits(MixTensor::Value, depth, layers, op.repeat)) /
               (query + key + value);
    }
    case WeightRole::AttentionOutput:
        return mixer.bits(MixTensor::AttentionOutput, depth * parallelism.tensor, layers, op.repeat);
    case WeightRole::Down: {
        const int inside = op.weightClass == WeightClass::Expert ? expertTensorOf(parallelism, setting.isTraining())
                                                                 : parallelism.tensor;
        return mixer.bits(MixTensor::Down, depth * inside, layers, op.repeat);
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
    double bits = 0;
    double weights = 0;
    for (const Operation<N> &op : list.operations) {
        double elements = 0;
        for (const StagePlan &plan : setting.stages) {
            elements += valueOf(op.matrixWeights) * plan.executions(op.repeat);
        }
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
