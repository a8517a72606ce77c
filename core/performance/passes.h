// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of operation times by how often the operations run, so that any stage's pass is a few products.
#pragma once

#include "core/performance/collectives.h"
#include "core/performance/operation_time.h"

#include <array>
#include <string_view>

namespace ridgepoint {

/// Time and work of one pass over some operations, on one rank.
template <Number N>
struct PassTime {
    N computeSeconds{}, memorySeconds{}; ///< of the operations each bounds
    N flops{}, bytes{};
    bool any = false;

    N seconds() const {
        if constexpr (isTraced<N>) {
            if (valueOf(memorySeconds) == 0 || valueOf(computeSeconds) == 0) {
                return valueOf(memorySeconds) == 0 ? computeSeconds : memorySeconds;
            }
        }
        return computeSeconds + memorySeconds;
    }

    void add(const OperationTime<N> &time, std::string_view name) {
        (time.countsAsCompute ? computeSeconds : memorySeconds) += named<N>(time.seconds, name, "s");
        if constexpr (isTraced<N>) {
            flops = N(valueOf(flops) + valueOf(time.flops)); // for power only: a worked sum of these would not be read
            bytes = N(valueOf(bytes) + valueOf(time.bytes));
        } else {
            flops += time.flops;
            bytes += time.bytes;
        }
        any = true;
    }
    /// Terms that are zero stay out of worked sums, here and below.
    void add(const PassTime &other) {
        if (!other.any) {
            return;
        }
        if (valueOf(other.computeSeconds) > 0) {
            computeSeconds += other.computeSeconds;
        }
        if (valueOf(other.memorySeconds) > 0) {
            memorySeconds += other.memorySeconds;
        }
        flops += other.flops;
        bytes += other.bytes;
        any = true;
    }
    void addTimes(const PassTime &other, const N &times) {
        if (!other.any) {
            return;
        }
        if (valueOf(other.computeSeconds) > 0) {
            computeSeconds += times * other.computeSeconds;
        }
        if (valueOf(other.memorySeconds) > 0) {
            memorySeconds += times * other.memorySeconds;
        }
        flops += times * other.flops;
        bytes += times * other.bytes;
        any = true;
    }
};

inline constexpr std::size_t repeatKinds = repeatCount;
inline constexpr std::array<Repeat, repeatKinds> allRepeats{
    Repeat::EveryLayer,           Repeat::FullAttentionLayer, Repeat::WindowedLayer,
    Repeat::LinearAttentionLayer, Repeat::DenseLayer,         Repeat::MoeLayer,
    Repeat::EncoderLayer,         Repeat::FirstStage,         Repeat::LastStage};
inline constexpr std::size_t indexOf(Repeat repeat) {
    return static_cast<std::size_t>(repeat);
}
inline constexpr bool isLayer(Repeat repeat) {
    return repeat != Repeat::FirstStage && repeat != Repeat::LastStage;
}

/// What one execution of each kind of repeat takes.
template <Number N>
using PassByRepeat = std::array<PassTime<N>, repeatKinds>;

/// How often a kind repeats on a stage, as a number that an explanation can show.
template <Number N>
N executionsOf(const StagePlan &plan, Repeat repeat) {
    constexpr std::array<std::string_view, repeatKinds> labels{"layers on this stage",
                                                               "layers with full attention on this stage",
                                                               "layers with windowed attention on this stage",
                                                               "layers with linear attention on this stage",
                                                               "layers with a dense MLP on this stage",
                                                               "layers with experts on this stage",
                                                               "encoder layers",
                                                               "first stage",
                                                               "last stage"};
    return fact<N>(plan.executions(repeat), labels[indexOf(repeat)]);
}

/// What a pass over a stage is called in a worked sum.
struct PassLabels {
    std::string_view compute, memory;
};
inline constexpr PassLabels forwardLabels{.compute = "compute-bound operations, forward",
                                          .memory = "memory-bound operations, forward"};
inline constexpr PassLabels backwardLabels{.compute = "compute-bound operations, backward",
                                           .memory = "memory-bound operations, backward"};
inline constexpr PassLabels recomputeLabels{.compute = "compute-bound operations, recomputed",
                                            .memory = "memory-bound operations, recomputed"};

/// One pass over a stage.
template <Number N>
PassTime<N> stagePass(const PassByRepeat<N> &passes, const StagePlan &plan, const PassLabels &labels = forwardLabels) {
    PassTime<N> sum;
    for (const Repeat repeat : allRepeats) {
        const PassTime<N> &one = passes[indexOf(repeat)];
        const int times = plan.executions(repeat);
        if (!one.any || times == 0) {
            continue;
        }
        if (isLayer(repeat)) {
            sum.addTimes(one, executionsOf<N>(plan, repeat));
        } else {
            sum.add(one);
        }
    }
    sum.computeSeconds = named<N>(sum.computeSeconds, labels.compute, "s");
    sum.memorySeconds = named<N>(sum.memorySeconds, labels.memory, "s");
    return sum;
}

/// The part of the roofline that holds whatever the task is.
template <Number N>
void fillRoofs(const Setting &setting, const Machine<N> &machine, RooflineReport<N> &roofline);

/// Collectives of one kind: how many, and the full size of what they move together.
template <Number N>
struct Collectives {
    double count = 0;
    N bytes{};

    void add(const N &more) {
        count += 1;
        bytes += more;
    }
    void addTimes(const Collectives &other, double times) {
        if (other.count > 0 && times > 0) {
            count += other.count * times;
            bytes += other.bytes * fact<N>(times, "executions on this stage");
        }
    }
    /// All of them, one after another.
    Transfer<N> time(const Ring<N> &ring, Transfer<N> (Ring<N>::*pass)(const N &, const N &) const) const {
        return count > 0 ? (ring.*pass)(bytes, fact<N>(count, "collectives")) : Transfer<N>{};
    }
};

/// What the tensor-parallel group passes around.
template <Number N>
struct TensorTraffic {
    Collectives<N> allReduces, allGathers, reduceScatters;

    void add(const Operation<N> &op) {
        switch (op.collective) {
        case TensorCollective::None:
            return;
        case TensorCollective::AllReduce:
            allReduces.add(op.collectiveBytes);
            return;
        case TensorCollective::AllGather:
            allGathers.add(op.collectiveBytes);
            return;
        case TensorCollective::ReduceScatter:
            reduceScatters.add(op.collectiveBytes);
            return;
        }
    }
    void addTimes(const TensorTraffic &other, double times) {
        allReduces.addTimes(other.allReduces, times);
        allGathers.addTimes(other.allGathers, times);
        reduceScatters.addTimes(other.reduceScatters, times);
    }
    /// Backward: what was gathered is scattered, and the other way round.
    TensorTraffic mirrored() const {
        return {.allReduces = allReduces, .allGathers = reduceScatters, .reduceScatters = allGathers};
    }
};

/// Of one execution of each kind of repeat.
template <Number N>
using TensorTrafficByRepeat = std::array<TensorTraffic<N>, repeatKinds>;

template <Number N>
TensorTraffic<N> onStage(const TensorTrafficByRepeat<N> &traffic, const StagePlan &plan) {
    TensorTraffic<N> sum;
    for (const Repeat repeat : allRepeats) {
        sum.addTimes(traffic[indexOf(repeat)], plan.executions(repeat));
    }
    return sum;
}

/// Whether two stages do the same work.
inline bool isSameWork(const StagePlan &a, const StagePlan &b) {
    for (const Repeat repeat : allRepeats) {
        if (a.executions(repeat) != b.executions(repeat)) {
            return false;
        }
    }
    return true;
}

/// Whether the operation is attention that sees only a window.
template <Number N>
bool isWindowedAttention(const Operation<N> &op, const TransformerShape &shape) {
    return op.kind == OperationKind::Attention && shape.attentionWindow && op.repeat != Repeat::FullAttentionLayer;
}

/// A row for time on the wires.
template <Number N>
OperationReport<N> wireRow(std::string_view name, double count, const N &bytes, const N &seconds) {
    OperationReport<N> row;
    row.name = name;
    row.phase = Phase::Communication;
    row.count = count;
    row.bytes = bytes;
    row.bound = Bound::Communication;
    row.timeSeconds = seconds;
    return row;
}

/// The same for one of `count` that took `all` together.
template <Number N>
OperationReport<N> meanWireRow(std::string_view name, double count, const Transfer<N> &all) {
    const N pieces = fact<N>(count, "collectives");
    return wireRow<N>(name, count, all.bytes / pieces, all.seconds / pieces);
}

} // namespace ridgepoint
