// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the rates of a GPU from its facts.
#include "core/performance/machine.h"

namespace ridgepoint {

bool isNarrow(ComputeFormat format) {
    return format == ComputeFormat::Fp8 || format == ComputeFormat::Mxfp8 || format == ComputeFormat::Nvfp4 ||
           format == ComputeFormat::Int8;
}

ComputeFormat attentionFormat(const Gpu &gpu, ComputeFormat compute) {
    if (!isNarrow(compute)) {
        return compute;
    }
    for (const ComputeFormat wide : {ComputeFormat::Bf16, ComputeFormat::Fp16}) {
        if (gpu.peak(wide)) {
            return wide;
        }
    }
    return compute;
}

template <Number N>
N clockShare(const Setting &setting) {
    const auto &limit = setting.scenario->hardware.powerLimitWatts;
    if (!limit || *limit >= setting.gpu.boardWatts.value) {
        return N(1.0);
    }
    const N idle = factOf<N>(setting.gpu.idleWatts, "idle power", "W");
    const N dynamic = (fact<N>(*limit, "power limit", "W", "scenario") - idle) /
                      (factOf<N>(setting.gpu.boardWatts, "board power", "W") - idle);
    return named<N>(
        power(dynamic, factOf<N>(setting.catalog->general.powerCapExponent, "exponent of clocks over power")),
        "share of the peak left under the power limit");
}

template <Number N>
N peakOf(const Setting &setting, ComputeFormat format, const N &clocks) {
    const N peak = factOf<N>(*setting.gpu.peak(format), "dense peak", "FLOP/s");
    return valueOf(clocks) == 1 ? peak : named<N>(peak * clocks, "dense peak under the power limit", "FLOP/s");
}

template <Number N>
Machine<N> machineOf(const Setting &setting) {
    const Gpu &gpu = setting.gpu;
    const Efficiency &e = gpu.efficiency;
    const N clocks = clockShare<N>(setting);
    Machine<N> m;
    m.matmulPeak = peakOf<N>(setting, setting.compute, clocks);
    m.attentionPeak = peakOf<N>(setting, attentionFormat(gpu, setting.compute), clocks);
    const Fact &share = setting.compute == ComputeFormat::Nvfp4 ? e.matmulShareOfPeakFp4
                        : isNarrow(setting.compute)             ? e.matmulShareOfPeakNarrow
                                                                : e.matmulShareOfPeak;
    m.matmulRate = named<N>(m.matmulPeak * factOf<N>(share, "sustained share of the peak"),
                            "sustained matrix-multiplication rate", "FLOP/s");
    const bool is16Bit = setting.compute == ComputeFormat::Fp16 || setting.compute == ComputeFormat::Bf16;
    if (!setting.isTraining() && setting.engine->accumulatesInHalf && is16Bit && e.halfAccumulateSpeedup.value != 1) {
        const N speedup = factOf<N>(e.halfAccumulateSpeedup, "speed-up of accumulating in 16 bits");
        m.matmulPeak = named<N>(m.matmulPeak * speedup, "dense peak, accumulating in 16 bits", "FLOP/s");
        m.matmulRate = m.matmulRate * speedup;
    }
    if (const auto *own = setting.isTraining() ? nullptr : &setting.engine->matmulShare; own != nullptr && *own) {
        m.matmulRate = named<N>(m.matmulRate * factOf<N>(**own, "share of it that the engine's own kernels reach"),
                                "matrix-multiplication rate of the engine", "FLOP/s");
    }
    m.groupedRate = named<N>(m.matmulRate * factOf<N>(setting.catalog->general.groupedMatmulShare,
                                                      "share that grouped multiplications reach"),
                             "grouped matrix-multiplication rate", "FLOP/s");
    const bool isTuned = setting.isTraining() ? setting.framework->tunedAttention : setting.engine->tunedAttention;
    const auto attentionRate = [&](const Fact &ofPeak, std::string_view label) {
        N rate = m.attentionPeak * factOf<N>(ofPeak, "attention's share of the peak");
        if (!isTuned && e.olderAttentionShare.value != 1) {
            rate = rate * factOf<N>(e.olderAttentionShare, "share of it with kernels of the generation before");
        }
        if (setting.isTraining() && setting.framework->attentionShare) {
            rate = rate * factOf<N>(*setting.framework->attentionShare, "share of it in the framework's own kernels");
        }
        return named<N>(rate, label, "FLOP/s");
    };
    m.attentionForwardRate = attentionRate(e.attentionForwardShareOfPeak, "attention rate, forward");
    m.attentionBackwardRate = attentionRate(e.attentionBackwardShareOfPeak, "attention rate, backward");
    m.bandwidth = factOf<N>(gpu.bandwidthBytesPerSecond, "memory bandwidth", "bytes/s");
    m.streamingRate = named<N>(m.bandwidth * factOf<N>(e.streamingShareOfBandwidth, "sustained share of the bandwidth"),
                               "sustained bandwidth", "bytes/s");
    m.cacheRate = m.streamingRate;
    if (!setting.isTraining() && setting.engine->cacheShareOfBandwidth) {
        m.cacheRate = named<N>(
            m.streamingRate * factOf<N>(*setting.engine->cacheShareOfBandwidth, "share that reading the cache reaches"),
            "sustained bandwidth of reading the cache", "bytes/s");
    }
    m.narrowWeightsRate = m.streamingRate;
    if (!setting.isTraining() && setting.engine->narrowWeightsShare) {
        m.narrowWeightsRate = named<N>(
            m.streamingRate * factOf<N>(*setting.engine->narrowWeightsShare, "share that expanding kernels reach"),
            "sustained bandwidth of kernels that expand weights", "bytes/s");
    }
    m.kernelSeconds = factOf<N>(e.kernelSeconds, "fixed time of a kernel", "s");
    m.tileRows = factOf<N>(e.tileRows, "rows of an output tile");
    m.tileColumns = factOf<N>(e.tileColumns, "columns of an output tile");
    m.depthRamp = factOf<N>(e.kDepthRamp, "depth at which half the rate is reached");
    m.waveTailShare = factOf<N>(setting.catalog->general.waveTailShare, "share of the wave tail that counts");
    if (gpu.multiprocessors) {
        m.multiprocessors = factOf<N>(*gpu.multiprocessors, "multiprocessors");
    }
    if (gpu.maxResidentThreads) {
        m.residentThreads = factOf<N>(*gpu.maxResidentThreads, "resident threads of the GPU");
    }
    if (!setting.isTraining() && setting.engine->matrixVectorBytesPerSecondPerMultiprocessor && m.multiprocessors) {
        m.matrixVectorRate =
            named<N>(*m.multiprocessors * factOf<N>(*setting.engine->matrixVectorBytesPerSecondPerMultiprocessor,
                                                    "most a multiprocessor reads in a matrix-vector kernel", "bytes/s"),
                     "most the engine's matrix-vector kernels read", "bytes/s");
    }
    return m;
}

template double clockShare(const Setting &);
template Traced clockShare(const Setting &);
template double peakOf(const Setting &, ComputeFormat, const double &);
template Traced peakOf(const Setting &, ComputeFormat, const Traced &);
template Machine<double> machineOf(const Setting &);
template Machine<Traced> machineOf(const Setting &);

} // namespace ridgepoint
