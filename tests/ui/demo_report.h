// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A report made by hand, so that panels are tested against figures that a reader can add up.
#pragma once

#include "core/report/report.h"

#include "ui/panels/display.h"

#include <cmath>
#include <string>
#include <vector>

namespace ridgepoint::demo {

struct GpuFacts {
    std::string id, name, shortName;
    double capacityBytes, bandwidthBytesPerSecond, peakFlopsPerSecond, boardWatts, priceUsd;
};

inline std::vector<GpuFacts> gpuFacts() {
    return {
        {"nvidia-a100-80gb-sxm", "NVIDIA A100 80GB SXM", "A100 80GB", 85.9e9, 2.039e12, 312e12, 400, 15000},
        {"nvidia-h100-sxm", "NVIDIA H100 SXM", "H100 SXM", 85.5e9, 3.35e12, 989.4e12, 700, 30000},
        {"nvidia-h200-sxm", "NVIDIA H200 SXM", "H200 SXM", 150.7e9, 4.8e12, 989.4e12, 700, 35000},
        {"nvidia-b200", "NVIDIA B200", "B200", 192e9, 8e12, 2250e12, 1000, 45000},
        {"nvidia-rtx-4090", "NVIDIA GeForce RTX 4090", "RTX 4090", 25.7e9, 1.008e12, 165.2e12, 450, 2000},
        {"nvidia-l40s", "NVIDIA L40S", "L40S", 48.3e9, 0.864e12, 362e12, 350, 8000},
        {"amd-mi300x", "AMD Instinct MI300X", "MI300X", 205.8e9, 5.3e12, 1307e12, 750, 20000},
        {"nvidia-rtx-pro-6000", "NVIDIA RTX PRO 6000 Blackwell", "RTX PRO 6000 Blackwell", 102e9, 1.79e12, 503e12, 600,
         9000},
    };
}

inline OperationReport<double> operation(std::string_view name, Phase phase, double count, double flops, double bytes,
                                         const GpuFacts &gpu, double efficiency) {
    OperationReport<double> op;
    op.name = name;
    op.phase = phase;
    op.count = count;
    op.flops = flops;
    op.bytes = bytes;
    op.intensityFlopPerByte = flops / bytes;
    const double attainable = std::min(gpu.peakFlopsPerSecond, *op.intensityFlopPerByte * gpu.bandwidthBytesPerSecond);
    op.attainableFlopsPerSecond = attainable;
    op.bound = attainable < gpu.peakFlopsPerSecond ? Bound::Memory : Bound::Compute;
    op.timeSeconds = flops / (attainable * efficiency);
    return op;
}

/// Full fine-tuning of a 7B model, 124.6 GB: fits where the capacity is larger.
inline GpuReport<double> trainingOn(const GpuFacts &gpu) {
    GpuReport<double> report;
    report.gpu = gpu.id;
    report.gpuName = gpu.name;
    report.gpuShortName = gpu.shortName;
    StageMemory<double> stage;
    stage[MemoryComponent::Weights] = 13.5e9;
    stage[MemoryComponent::Gradients] = 13.5e9;
    stage[MemoryComponent::MasterWeights] = 26.9e9;
    stage[MemoryComponent::OptimizerStates] = 53.9e9;
    stage[MemoryComponent::Activations] = 9.8e9;
    stage[MemoryComponent::Logits] = 1.6e9;
    stage[MemoryComponent::CommunicationBuffers] = 1.4e9;
    stage[MemoryComponent::Workspace] = 0.7e9;
    stage.allocatedBytes = 121.3e9;
    stage.fragmentationBytes = 2.5e9;
    stage.reservedBytes = 123.8e9;
    stage.contextBytes = 0.8e9;
    stage.totalBytes = 124.6e9;
    stage.peakInstant = Instant::BackwardStart;
    report.memory.stages = {stage};
    report.memory.capacityBytes = gpu.capacityBytes;
    report.memory.headroomBytes = gpu.capacityBytes - stage.totalBytes;
    report.fits = report.memory.headroomBytes >= 0;

    RooflineReport<double> &roofline = report.roofline;
    roofline.compute = ComputeFormat::Bf16;
    roofline.peaks[std::size_t(ComputeFormat::Bf16)] = gpu.peakFlopsPerSecond;
    roofline.bandwidthBytesPerSecond = gpu.bandwidthBytesPerSecond;
    roofline.ridgeFlopPerByte = gpu.peakFlopsPerSecond / gpu.bandwidthBytesPerSecond;
    roofline.operations = {
        operation("qkv", Phase::Forward, 32, 412e9, 250e6, gpu, 0.78),
        operation("attention", Phase::Forward, 32, 275e9, 0.9e9, gpu, 0.55),
        operation("attention_output", Phase::Forward, 32, 137e9, 120e6, gpu, 0.75),
        operation("gate_up", Phase::Forward, 32, 739e9, 480e6, gpu, 0.82),
        operation("down", Phase::Forward, 32, 369e9, 300e6, gpu, 0.8),
        operation("norm", Phase::Forward, 65, 0.17e9, 0.14e9, gpu, 0.9),
        operation("gate_up", Phase::Backward, 32, 1478e9, 960e6, gpu, 0.8),
        operation("attention", Phase::Backward, 32, 687e9, 2.1e9, gpu, 0.45),
        operation("down", Phase::Backward, 32, 739e9, 600e6, gpu, 0.8),
        operation("qkv", Phase::Backward, 32, 824e9, 500e6, gpu, 0.78),
        operation("head", Phase::Forward, 1, 1074e9, 560e6, gpu, 0.8),
        operation("optimizer", Phase::OptimizerStep, 1, 80e9, 175e9, gpu, 0.85),
    };
    TimeBreakdown<double> &b = report.time.breakdown;
    for (const OperationReport<double> &op : roofline.operations) {
        double &part = op.phase == Phase::OptimizerStep ? b.optimizerSeconds
                       : op.bound == Bound::Compute     ? b.computeSeconds
                                                        : b.memorySeconds;
        part += op.timeSeconds * op.count;
    }
    b.communicationSeconds = 0.05 + 0.2e12 / gpu.bandwidthBytesPerSecond;
    b.launchSeconds = 0.031;
    b.totalSeconds = b.computeSeconds + b.memorySeconds + b.communicationSeconds + b.launchSeconds + b.optimizerSeconds;
    report.time.stepSeconds = b.totalSeconds;
    report.time.mfu = 6 * 6.738e9 * 4096 / b.totalSeconds / gpu.peakFlopsPerSecond;
    report.time.tokensPerSecond = 8 * 4096 / b.totalSeconds;

    PowerReport<double> &power = report.power;
    power.gpuWatts = gpu.boardWatts * 0.9;
    power.nameplateWatts = gpu.boardWatts;
    power.gpusInNode = 8;
    power.nodeWatts = power.gpuWatts * 8 + 2300;
    power.clusterWatts = power.nodeWatts;
    power.siteWatts = power.clusterWatts * 1.3;
    power.energyPerTokenJoules = power.siteWatts / *report.time.tokensPerSecond;
    power.runEnergyKwh = 41000;
    power.runCo2Kg = 15900;

    CostReport<double> &cost = report.cost;
    cost.gpuUsd = gpu.priceUsd * 8;
    cost.serverUsd = 38000;
    cost.networkUsd = 13000;
    cost.capitalUsd = 9000;
    cost.energyUsd = 24000;
    cost.coolingUsd = 7200;
    cost.facilityUsd = 26000;
    cost.maintenanceUsd = 6000;
    cost.peopleUsd = 20000;
    cost.tcoUsd = *cost.gpuUsd + 38000 + 13000 + 9000 + 24000 + 7200 + 26000 + 6000 + 20000;
    cost.tcoOverGpuPrice = *cost.tcoUsd / *cost.gpuUsd;
    cost.usdPerMillionTokens = 0.31;
    cost.rentUsd = 402000;
    cost.breakEvenUtilization = 0.47;
    return report;
}

inline Report<double> training(std::size_t gpuCount = 5) {
    Report<double> report;
    report.scenario = "demo";
    report.task = Task::Training;
    for (std::size_t i = 0; i < gpuCount; ++i)
        report.gpus.push_back(trainingOn(gpuFacts()[i]));
    return report;
}

/// Serving: weights, cache and an engine that takes nine tenths of the memory at the start.
inline Report<double> inference(std::size_t gpuCount = 2) {
    Report<double> report = training(gpuCount);
    report.task = Task::Inference;
    for (std::size_t i = 0; i < gpuCount; ++i) {
        GpuReport<double> &gpu = report.gpus[i];
        StageMemory<double> stage;
        stage[MemoryComponent::Weights] = 13.5e9;
        stage[MemoryComponent::KvCache] = 19.3e9;
        stage[MemoryComponent::Workspace] = 1.1e9;
        stage.allocatedBytes = 33.9e9;
        stage.reservedBytes = 33.9e9;
        stage.contextBytes = 0.6e9;
        stage.totalBytes = 34.5e9;
        stage.peakInstant = Instant::Decode;
        gpu.memory.stages = {stage};
        gpu.memory.preallocatedBytes = gpu.memory.capacityBytes * 0.9;
        gpu.memory.headroomBytes = gpu.memory.capacityBytes * 0.9 - 34.5e9;
        gpu.fits = gpu.memory.headroomBytes >= 0;
        TimeReport<double> time;
        time.breakdown.computeSeconds = 0.31;
        time.breakdown.memorySeconds = 2.6;
        time.breakdown.launchSeconds = 0.2;
        time.breakdown.totalSeconds = 3.11;
        time.timeToFirstTokenSeconds = 0.31;
        time.timePerOutputTokenSeconds = 0.0109;
        gpu.time = time;
        gpu.roofline.operations = {operation("qkv", Phase::Decode, 32, 3.2e9, 0.1e9, gpuFacts()[i], 0.8),
                                   operation("attention", Phase::Decode, 32, 0.6e9, 0.6e9, gpuFacts()[i], 0.7),
                                   operation("gate_up", Phase::Decode, 32, 5.8e9, 0.18e9, gpuFacts()[i], 0.85),
                                   operation("gate_up", Phase::Prefill, 32, 739e9, 0.48e9, gpuFacts()[i], 0.8)};
        gpu.power.runEnergyKwh.reset();
        gpu.power.runCo2Kg.reset();
    }
    return report;
}

/// Four uneven stages on two GPUs; the second is the heaviest.
inline Report<double> pipelined() {
    Report<double> report = training(2);
    for (GpuReport<double> &gpu : report.gpus) {
        const StageMemory<double> first = gpu.memory.stages.front();
        gpu.memory.stages.clear();
        for (int i = 0; i < 4; ++i) {
            StageMemory<double> stage = first;
            stage.stage = i;
            const double less = i == 1 ? 0 : 5e9 * (i + 1);
            stage[MemoryComponent::OptimizerStates] -= less;
            stage.allocatedBytes -= less;
            stage.reservedBytes -= less;
            stage.totalBytes -= less;
            gpu.memory.stages.push_back(stage);
        }
        gpu.memory.worstStage = 1;
    }
    return report;
}

inline DisplayOptions options() {
    DisplayOptions result;
    result.system = SystemFacts{8, 4, 0.10, 1.3, 0.8};
    return result;
}

} // namespace ridgepoint::demo
