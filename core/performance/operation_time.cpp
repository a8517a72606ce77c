// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline model of single operations: arithmetic, traffic, and what small work loses.
#include "core/performance/operation_time.h"

namespace ridgepoint {

namespace {

/// Whole tiles along one side; a side shorter than a tile has kernels of its size.
template <Number N>
N paddedTo(const N &size, const N &tile, const N &tiles) {
    return valueOf(size) < valueOf(tile) ? size : tiles * tile;
}

template <Number N>
struct MatMulShape {
    N m, n, k;
    N groups = 1; ///< multiplications of this shape in one kernel
};

template <Number N>
struct Fit {
    N efficiency;
    std::optional<N> smUtilization;
};

/// Share of the wave's time that `tiles` use; only part of an unfilled tail costs time.
template <Number N>
N waveShare(const N &tiles, const N &places, const N &tailShare) {
    return tiles / (tiles + tailShare * (places - tiles));
}

/// How well a multiplication's shape fits the GPU: 1 for a large one.
template <Number N>
Fit<N> fitOf(const MatMulShape<N> &shape, const Machine<N> &machine) {
    const N rowTiles = roundedUp(shape.m / machine.tileRows);
    const N columnTiles = roundedUp(shape.n / machine.tileColumns);
    const N output = shape.m * shape.n;
    const N padded =
        paddedTo(shape.m, machine.tileRows, rowTiles) * paddedTo(shape.n, machine.tileColumns, columnTiles);
    const N tileShare = named<N>(output / padded, "tile quantization");
    N waveAndDepth = named<N>(shape.k / (shape.k + machine.depthRamp), "depth K / (K + ramp)");
    Fit<N> fit;
    if (machine.multiprocessors) {
        N tiles = rowTiles * columnTiles;
        if (valueOf(shape.groups) != 1) {
            tiles = tiles * shape.groups;
        }
        tiles = named<N>(tiles, "output tiles");
        const N &processors = *machine.multiprocessors;
        const N places = roundedUp(tiles / processors) * processors;
        fit.smUtilization = named<N>(tiles / places, "fill of the waves");
        waveAndDepth = named<N>(waveShare(tiles, places, machine.waveTailShare), "wave quantization") * waveAndDepth;
        const double slices = std::min(std::floor(valueOf(processors) / valueOf(tiles)),
                                       std::floor(valueOf(shape.k) / valueOf(machine.depthRamp)));
        if (slices >= 2) {
            const N split = fact<N>(slices, "slices of the depth");
            const N depth = shape.k / split;
            const N whenSplit = named<N>(waveShare(tiles * split, processors, machine.waveTailShare),
                                         "wave quantization, depth split") *
                                named<N>(depth / (depth + machine.depthRamp), "depth K / (K + ramp), depth split");
            waveAndDepth = larger(waveAndDepth, whenSplit);
        }
    }
    fit.efficiency = named<N>(tileShare * waveAndDepth, "fit of the shape to the GPU");
    return fit;
}

/// Groups that have rows, and how many rows each has.
template <Number N>
struct Grouping {
    N groups = 1, rows;
};

template <Number N>
Grouping<N> groupingOf(const Operation<N> &op) {
    if (op.groups == 1) {
        return {.groups = N(1.0), .rows = op.m};
    }
    N groups = fact<N>(op.groups, "experts on this rank");
    if (valueOf(op.readWeights) > 0) {
        groups = named<N>(groups * (op.readWeights / op.matrixWeights), "experts that have tokens");
    }
    return {.groups = groups, .rows = named<N>(op.m / groups, "tokens of an expert")};
}

template <Number N>
const N &rateOf(const Operation<N> &op, const Machine<N> &machine) {
    return op.groups == 1 ? machine.matmulRate : machine.groupedRate;
}

template <Number N>
N weightTraffic(const Operation<N> &op, const Traffic<N> &traffic, const N &matrixBytes, const N &vectorBytes) {
    N bytes{};
    if (op.kind != OperationKind::Lookup && valueOf(op.matrixWeights) > 0) {
        const N &elements = valueOf(op.readWeights) > 0 ? op.readWeights : op.matrixWeights;
        bytes += traffic.hasWeightScale ? elements * traffic.weightScale * matrixBytes : elements * matrixBytes;
    }
    if (valueOf(op.vectorWeights) > 0) {
        bytes += op.vectorWeights * vectorBytes;
    }
    return bytes;
}

template <Number N>
const N &matrixWidth(const Operation<N> &op, const Traffic<N> &traffic) {
    return op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert ? traffic.weightBytes
                                                                                          : traffic.otherWeightBytes;
}

template <Number N>
N activationTraffic(const Operation<N> &op, const Traffic<N> &traffic) {
    if (op.kind == OperationKind::Attention && valueOf(traffic.cachePasses) > 0) {
        return named<N>(op.readBytes * traffic.cachePasses, "repeated keys and values, moved", "bytes") +
               op.writtenBytes;
    }
    if (op.kind == OperationKind::Attention && valueOf(traffic.scoreTraffic) > 0) {
        return (op.readBytes + op.writtenBytes) * traffic.scoreTraffic;
    }
    const N bytes = op.readBytes + op.writtenBytes;
    return op.kind == OperationKind::Streaming && traffic.hasElementwiseFactor ? bytes * traffic.elementwiseFactor
                                                                               : bytes;
}

template <Number N>
N executedFlops(const Operation<N> &op, const Traffic<N> &traffic, const N &attendedShare) {
    if (op.kind == OperationKind::MatMul) {
        return traffic.hasWeightScale ? op.forwardFlops * traffic.weightScale : op.forwardFlops;
    }
    const bool isMasked =
        op.kind == OperationKind::Attention && traffic.skipsMaskedScores && valueOf(attendedShare) < 1;
    return isMasked ? op.forwardFlops * attendedShare : op.forwardFlops;
}

template <Number N>
N trafficTime(const N &bytes, const Operation<N> &op, const Machine<N> &machine, const Traffic<N> &traffic) {
    if (traffic.matrixVector && op.kind == OperationKind::MatMul) {
        return named<N>(bytes / smaller(machine.streamingRate, *machine.matrixVectorRate), "memory traffic", "s");
    }
    if (traffic.isDecode && op.kind == OperationKind::Attention) {
        return named<N>(bytes / machine.cacheRate, "memory traffic", "s");
    }
    if (traffic.expandsWeights && op.kind == OperationKind::MatMul &&
        (op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert)) {
        return named<N>(bytes / machine.narrowWeightsRate, "memory traffic", "s");
    }
    return named<N>(bytes / machine.streamingRate, "memory traffic", "s");
}

/// Sets time and bound from the two terms. `atBest` is the arithmetic of the same FLOPs at the sustained rate.
template <Number N>
void finish(OperationTime<N> &time, const N &larger, const N &atBest, double kernels, const Machine<N> &machine) {
    const N fixed = kernels == 1 ? machine.kernelSeconds : machine.kernelSeconds * fact<N>(kernels, "kernels");
    time.seconds = named<N>(larger + fixed, "operation time", "s");
    const double explained = std::max(valueOf(atBest), valueOf(time.trafficSeconds));
    time.countsAsCompute = time.arithmeticSeconds >= time.trafficSeconds && valueOf(time.arithmeticSeconds) > 0;
    if (valueOf(time.seconds) > 2 * explained) {
        time.bound = Bound::Latency;
    } else {
        time.bound = time.countsAsCompute ? Bound::Compute : Bound::Memory;
    }
}

} // namespace

template <Number N>
OperationTime<N> forwardTime(const Operation<N> &op, const Machine<N> &machine, const Traffic<N> &traffic,
                             const N &attendedShare) {
    OperationTime<N> time;
    time.flops = executedFlops(op, traffic, attendedShare);
    time.bytes =
        activationTraffic(op, traffic) + weightTraffic(op, traffic, matrixWidth(op, traffic), traffic.otherWeightBytes);
    time.trafficSeconds = trafficTime(time.bytes, op, machine, traffic);
    if (op.kind == OperationKind::MatMul) {
        const Grouping<N> grouping = groupingOf(op);
        const Fit<N> fit = fitOf<N>({grouping.rows, op.n, op.k, grouping.groups}, machine);
        time.arithmeticSeconds = named<N>(time.flops / (rateOf(op, machine) * fit.efficiency), "arithmetic", "s");
        time.smUtilization = fit.smUtilization;
        finish(time, larger(time.arithmeticSeconds, time.trafficSeconds), time.flops / rateOf(op, machine), 1, machine);
    } else if (op.kind == OperationKind::Attention) {
        time.arithmeticSeconds = named<N>(time.flops / machine.attentionForwardRate, "arithmetic", "s");
        finish(time, larger(time.arithmeticSeconds, time.trafficSeconds), time.arithmeticSeconds,
               traffic.attentionKernels, machine);
    } else {
        finish(time, time.trafficSeconds, N(0.0), 1, machine);
    }
    return time;
}

template <Number N>
OperationTime<N> backwardTime(const Operation<N> &op, const Machine<N> &machine, const Traffic<N> &traffic,
                              const N &attendedShare, bool isFrozen) {
    OperationTime<N> time;
    time.flops = executedFlops(op, traffic, attendedShare) * N(op.backwardFlopsFactor);
    const N activations = activationTraffic(op, traffic);
    if (op.kind == OperationKind::MatMul) {
        // Input gradient: m x k over depth n, reads the weights. Weight gradient: k x n over depth m, writes the
        // gradients.
        const N half = time.flops * N(0.5);
        const N inputBytes = activations + weightTraffic(op, traffic, matrixWidth(op, traffic), N(0.0));
        const N weightBytes = activations + weightTraffic(op, traffic, traffic.gradientBytes, traffic.gradientBytes);
        const Grouping<N> grouping = groupingOf(op);
        const Fit<N> input = fitOf<N>({grouping.rows, op.k, op.n, grouping.groups}, machine);
        const N inputArithmetic =
            named<N>(half / (rateOf(op, machine) * input.efficiency), "arithmetic of the input gradient", "s");
        if (isFrozen) {
            time.flops = half;
            time.bytes = inputBytes;
            time.arithmeticSeconds = inputArithmetic;
            time.trafficSeconds = named<N>(inputBytes / machine.streamingRate, "memory traffic", "s");
            time.smUtilization = input.smUtilization;
            finish(time, larger(inputArithmetic, time.trafficSeconds), half / rateOf(op, machine), 1, machine);
            return time;
        }
        const Fit<N> weight = fitOf<N>({op.k, op.n, grouping.rows, grouping.groups}, machine);
        const N weightArithmetic =
            named<N>(half / (rateOf(op, machine) * weight.efficiency), "arithmetic of the weight gradient", "s");
        const N inputTraffic =
            named<N>(inputBytes / machine.streamingRate, "memory traffic of the input gradient", "s");
        const N weightTrafficSeconds =
            named<N>(weightBytes / machine.streamingRate, "memory traffic of the weight gradient", "s");
        time.bytes = inputBytes + weightBytes;
        time.arithmeticSeconds = inputArithmetic + weightArithmetic;
        time.trafficSeconds = inputTraffic + weightTrafficSeconds;
        if (input.smUtilization) {
            time.smUtilization = named<N>((*input.smUtilization + *weight.smUtilization) * N(0.5),
                                          "mean fill of the waves of both gradients");
        }
        finish(time, larger(inputArithmetic, inputTraffic) + larger(weightArithmetic, weightTrafficSeconds),
               time.flops / rateOf(op, machine), 2, machine);
        return time;
    }
    time.bytes = activations * N(2.0) +
                 weightTraffic(op, traffic, traffic.gradientBytes, traffic.gradientBytes + traffic.otherWeightBytes);
    time.trafficSeconds = trafficTime(time.bytes, op, machine, traffic);
    if (op.kind == OperationKind::Attention) {
        time.arithmeticSeconds = named<N>(time.flops / machine.attentionBackwardRate, "arithmetic", "s");
        // A materialized backward has five kernels for the forward's three: four multiplications and the softmax.
        const double kernels = traffic.attentionKernels == 1 ? 1 : traffic.attentionKernels + 2;
        finish(time, larger(time.arithmeticSeconds, time.trafficSeconds), time.arithmeticSeconds, kernels, machine);
    } else {
        finish(time, time.trafficSeconds, N(0.0), 1, machine);
    }
    return time;
}

template <Number N>
OperationTime<N> streamingTime(const N &bytes, const Machine<N> &machine) {
    OperationTime<N> time;
    time.bytes = bytes;
    time.trafficSeconds = named<N>(bytes / machine.streamingRate, "memory traffic", "s");
    finish(time, time.trafficSeconds, N(0.0), 1, machine);
    return time;
}

template <Number N>
OperationTime<N> castTime(const N &elements, const N &bytesPerElement, const Machine<N> &machine) {
    return streamingTime(named<N>(elements * bytesPerElement, "cast to the narrow format", "bytes"), machine);
}

template <Number N>
OperationReport<N> rowOf(const Operation<N> &op, Phase phase, double count, const OperationTime<N> &time,
                         const Machine<N> &machine) {
    OperationReport<N> row;
    row.name = op.name;
    row.phase = phase;
    row.count = count;
    row.flops = time.flops;
    row.bytes = time.bytes;
    row.bound = time.bound;
    row.timeSeconds = time.seconds;
    if (valueOf(time.bytes) > 0) {
        row.intensityFlopPerByte = named<N>(time.flops / time.bytes, "arithmetic intensity", "FLOP/byte");
        const N &peak = op.kind == OperationKind::Attention ? machine.attentionPeak : machine.matmulPeak;
        row.attainableFlopsPerSecond =
            smaller(peak, named<N>(*row.intensityFlopPerByte * machine.bandwidth, "intensity x bandwidth", "FLOP/s"));
    }
    if (machine.residentThreads && valueOf(op.outputElements) > 0) {
        row.occupancy = named<N>(op.outputElements, "output elements") / *machine.residentThreads;
    }
    row.smUtilization = time.smUtilization;
    return row;
}

#define RIDGEPOINT_INSTANTIATE(N)                                                                                      \
    template OperationTime<N> forwardTime(const Operation<N> &, const Machine<N> &, const Traffic<N> &, const N &);    \
    template OperationTime<N> backwardTime(const Operation<N> &, const Machine<N> &, const Traffic<N> &, const N &,    \
                                           bool);                                                                      \
    template OperationTime<N> streamingTime(const N &, const Machine<N> &);                                            \
    template OperationTime<N> castTime(const N &, const N &, const Machine<N> &);                                      \
    template OperationReport<N> rowOf(const Operation<N> &, Phase, double, const OperationTime<N> &,                   \
                                      const Machine<N> &);
RIDGEPOINT_INSTANTIATE(double)
RIDGEPOINT_INSTANTIATE(Traced)
#undef RIDGEPOINT_INSTANTIATE

} // namespace ridgepoint
