// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sums an operation list's weights in the widths of their format.
#include "core/memory/stored_weights.h"

namespace ridgepoint {

namespace {

template <Number N>
class WeightSum {
public:
    WeightSum(const Setting &setting, const StagePlan &plan, LayerRange layers)
        : setting_(setting), format_(*setting.weightFormat), plan_(plan), layers_(layers) {}

    N bytes(const OperationList<N> &list) {
        for (const Operation<N> &op : list.operations) {
            if (const int times = plan_.executions(op.repeat); times > 0) {
                add(op, times);
            }
        }
        if (setting_.storedBits) {
            return mixed_; // summed part by part
        }
        if (format_.mix) {
            addTo(mixed_, wide_, bitsOf(vectorBits(format_), "bits of norms, biases and routers"));
        } else {
            addTo(mixed_, named<N>(linear_, "weights of linear layers on this rank"),
                  factOf(format_.bitsPerLinearWeight, "bits of a linear weight"));
            addTo(mixed_, named<N>(others_, "embeddings, head, norms and biases on this rank"),
                  factOf(format_.bitsPerOtherWeight, "bits of other weights"));
        }
        return setting_.weightScale == 1 ? mixed_ : mixed_ * fact<N>(setting_.weightScale, "weight scale");
    }

private:
    static N factOf(const Fact &figure, std::string_view label) {
        return fact<N>(figure.value, label, "bits", figure.source);
    }
    N bitsOf(double bits, std::string_view label) const {
        return fact<N>(bits, label, "bits", format_.bitsPerLinearWeight.source);
    }
    static N ofFile(double bits) {
        return fact<N>(bits, "bits as stored", "bits", "the model's file, mean over this part of it");
    }
    static void addTo(N &sum, const N &elements, const N &bits) {
        if (valueOf(elements) != 0) {
            accumulate(sum, elements * (bits / N(8.0)));
        }
    }
    static void accumulate(N &sum, const N &part) { sum = valueOf(sum) == 0 ? part : sum + part; }

    static N timesOver(int times, const N &elements, std::string_view name) {
        return times == 1 ? named<N>(elements, name)
                          : fact<N>(times, "layers on this stage") * named<N>(elements, name);
    }

    /// In the widths of the model's own file.
    void addStored(const Operation<N> &op, int times) {
        const StoredBits &bits = *setting_.storedBits;
        if (valueOf(op.vectorWeights) != 0) {
            addTo(mixed_, timesOver(times, op.vectorWeights, op.name), ofFile(bits.vectors));
        }
        if (op.sharedWeights || valueOf(op.matrixWeights) == 0) {
            return;
        }
        const double width = op.weightClass == WeightClass::Embedding ? bits.embedding
                             : op.weightClass == WeightClass::Head    ? bits.head
                             : op.weightClass == WeightClass::Expert  ? bits.experts
                                                                      : bits.linear;
        addTo(mixed_, timesOver(times, op.matrixWeights, op.name), ofFile(width));
    }

    void add(const Operation<N> &op, int times) {
        if (setting_.storedBits) {
            addStored(op, times);
            return;
        }
        if (valueOf(op.vectorWeights) != 0) {
            accumulate(format_.mix ? wide_ : others_, timesOver(times, op.vectorWeights, op.name));
        }
        if (op.sharedWeights || valueOf(op.matrixWeights) == 0) {
            return;
        }
        if (format_.mix) {
            addMixed(op, times);
            return;
        }
        const bool isLinear = matrixBits(setting_, op, layers_) == format_.bitsPerLinearWeight.value &&
                              (op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert);
        accumulate(isLinear ? linear_ : others_, timesOver(times, op.matrixWeights, op.name));
    }

    void addMixed(const Operation<N> &op, int times) {
        const TransformerShape &shape = setting_.shape;
        N elements = op.matrixWeights;
        if (op.weightClass == WeightClass::Embedding) {
            if (shape.positions == Positions::Learned && shape.maxPositions) {
                const N rows = fact<N>(*shape.maxPositions, "positions") * fact<N>(shape.hidden, "hidden size");
                setAside(elements, rows, unquantizedBits(format_), "position embedding");
            }
            setAside(elements, fact<N>(shape.otherParameters, "other tensors"), unquantizedBits(format_),
                     "other tensors");
            setAside(elements, fact<N>(shape.towerParameters, "vision tower"), towerWeightBits(format_),
                     "vision tower");
        }
        addTo(mixed_, timesOver(times, elements, op.name),
              bitsOf(matrixBits(setting_, op, layers_), "bits of a weight, mean over the stage's layers"));
    }

    /// Parts of the embedding operation that have a width of their own.
    void setAside(N &elements, const N &part, double bits, std::string_view name) {
        if (valueOf(part) > 0) {
            elements = elements - part;
            addTo(mixed_, named<N>(part, name), bitsOf(bits, "bits of an unquantized weight"));
        }
    }

    const Setting &setting_;
    const StorageFormat &format_;
    const StagePlan &plan_;
    LayerRange layers_;
    N linear_{}, others_{}; ///< elements, where there are two widths
    N wide_{};              ///< elements in full precision beside a mix
    N mixed_{};             ///< bytes
};

} // namespace

template <Number N>
N storedWeightBytes(const Setting &setting, const OperationList<N> &list, const StagePlan &plan, LayerRange layers) {
    return WeightSum<N>(setting, plan, layers).bytes(list);
}

template double storedWeightBytes(const Setting &, const OperationList<double> &, const StagePlan &, LayerRange);
template Traced storedWeightBytes(const Setting &, const OperationList<Traced> &, const StagePlan &, LayerRange);

} // namespace ridgepoint
