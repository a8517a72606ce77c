// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The walk itself: every key of a report, in the contract's order.
#pragma once

namespace ridgepoint {

namespace visiting {

template <Number N, class Visitor>
void optional(Visitor &visitor, std::string_view key, const std::optional<N> &value) {
    if (value) {
        visitor.number(key, *value);
    }
}

template <Number N, class Visitor>
void band(Visitor &visitor, std::string_view low, std::string_view high, const std::optional<PredictionBand<N>> &band) {
    if (band) {
        visitor.number(low, band->low);
        visitor.number(high, band->high);
    }
}

/// Components that the task has: a served model has no gradients, a trained one no cache.
inline bool applies(MemoryComponent component, Task task) {
    switch (component) {
    case MemoryComponent::Gradients:
    case MemoryComponent::MasterWeights:
    case MemoryComponent::OptimizerStates:
    case MemoryComponent::GatheredWeights:
    case MemoryComponent::CommunicationBuffers:
        return task == Task::Training;
    case MemoryComponent::KvCache:
        return task == Task::Inference;
    default:
        return true;
    }
}

template <Number N, class Visitor>
void stage(Visitor &visitor, const StageMemory<N> &stage, Task task) {
    for (std::size_t i = 0; i < memoryComponentCount; ++i) {
        const auto component = static_cast<MemoryComponent>(i);
        if (applies(component, task)) {
            visitor.number(keyOf(component), stage.components[i]);
        }
    }
    visitor.number("allocated_bytes", stage.allocatedBytes);
    visitor.number("fragmentation_bytes", stage.fragmentationBytes);
    visitor.number("reserved_bytes", stage.reservedBytes);
    visitor.number("context_bytes", stage.contextBytes);
    visitor.number("total_bytes", stage.totalBytes);
    visitor.number("model_states_bytes", stage.modelStatesBytes);
    visitor.number("host_bytes", stage.hostBytes);
}

template <Number N, class Visitor>
void memory(Visitor &visitor, const MemoryReport<N> &memory, Task task) {
    stage(visitor, memory.worst(), task);
    visitor.number("total_bytes_low", memory.totalBand.low);
    visitor.number("total_bytes_high", memory.totalBand.high);
    optional(visitor, "preallocated_bytes", memory.preallocatedBytes);
    visitor.number("capacity_bytes", memory.capacityBytes);
    visitor.number("headroom_bytes", memory.headroomBytes);
    optional(visitor, "host_bytes", memory.hostBytes);
    optional(visitor, "kv_cache_bytes_per_token", memory.kvCacheBytesPerToken);
    optional(visitor, "kv_cache_bytes_per_token_beyond_window", memory.kvCacheBytesPerTokenBeyondWindow);
    optional(visitor, "kv_cache_capacity_tokens", memory.kvCacheCapacityTokens);
    optional(visitor, "max_concurrent_sequences", memory.maxConcurrentSequences);
    optional(visitor, "max_sequence_tokens", memory.maxSequenceTokens);
    if (memory.maxConcurrentSequences && !memory.maxSequenceTokens) {
        visitor.null("max_sequence_tokens");
        visitor.flag("max_sequence_unlimited", true);
    }
    visitor.text("peak_instant", keyOf(memory.worst().peakInstant));
    visitor.count("worst_stage", memory.worst().stage);
    visitor.beginObject("by_instant");
    for (std::size_t i = 0; i < instantCount; ++i) {
        optional(visitor, keyOf(static_cast<Instant>(i)), memory.worst().allocatedByInstant[i]);
    }
    visitor.endObject();
    visitor.beginArray("stages");
    for (const StageMemory<N> &each : memory.stages) {
        visitor.beginItem();
        visitor.count("stage", each.stage);
        stage(visitor, each, task);
        visitor.text("peak_instant", keyOf(each.peakInstant));
        visitor.endItem();
    }
    visitor.endArray();
}

template <Number N, class Visitor>
void roofline(Visitor &visitor, const RooflineReport<N> &roofline) {
    visitor.number("ridge_flop_per_byte", roofline.ridgeFlopPerByte);
    visitor.text("compute", idOf(roofline.compute));
    visitor.beginObject("peaks");
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        optional(visitor, idOf(static_cast<ComputeFormat>(i)), roofline.peaks[i]);
    }
    visitor.endObject();
    visitor.number("bandwidth_bytes_per_s", roofline.bandwidthBytesPerSecond);
    visitor.beginArray("operations");
    for (const OperationReport<N> &op : roofline.operations) {
        visitor.beginItem();
        visitor.text("name", op.name);
        visitor.text("phase", keyOf(op.phase));
        visitor.count("count", op.count);
        visitor.number("flops", op.flops);
        visitor.number("bytes", op.bytes);
        optional(visitor, "intensity_flop_per_byte", op.intensityFlopPerByte);
        visitor.text("bound", keyOf(op.bound));
        optional(visitor, "attainable_flops_per_s", op.attainableFlopsPerSecond);
        visitor.number("time_s", op.timeSeconds);
        optional(visitor, "occupancy", op.occupancy);
        optional(visitor, "sm_utilization", op.smUtilization);
        visitor.endItem();
    }
    visitor.endArray();
}

template <Number N, class Visitor>
void time(Visitor &visitor, const TimeReport<N> &time) {
    optional(visitor, "step_s", time.stepSeconds);
    band(visitor, "step_s_low", "step_s_high", time.stepBand);
    optional(visitor, "tokens_per_s", time.tokensPerSecond);
    optional(visitor, "tokens_per_s_per_gpu", time.tokensPerSecondPerGpu);
    optional(visitor, "model_flops_per_s_per_gpu", time.modelFlopsPerSecondPerGpu);
    optional(visitor, "hardware_flops_per_s_per_gpu", time.hardwareFlopsPerSecondPerGpu);
    optional(visitor, "mfu", time.mfu);
    optional(visitor, "hfu", time.hfu);
    if (time.mfu) {
        visitor.text("flop_convention", keyOf(time.convention));
    }
    optional(visitor, "run_s", time.runSeconds);
    optional(visitor, "time_to_first_token_s", time.timeToFirstTokenSeconds);
    band(visitor, "time_to_first_token_s_low", "time_to_first_token_s_high", time.firstTokenBand);
    optional(visitor, "prefill_tokens_per_s", time.prefillTokensPerSecond);
    optional(visitor, "prefill_s", time.prefillSeconds);
    optional(visitor, "time_per_output_token_s", time.timePerOutputTokenSeconds);
    band(visitor, "time_per_output_token_s_low", "time_per_output_token_s_high", time.outputTokenBand);
    optional(visitor, "decode_tokens_per_s", time.decodeTokensPerSecond);
    optional(visitor, "output_tokens_per_s", time.outputTokensPerSecond);
    band(visitor, "output_tokens_per_s_low", "output_tokens_per_s_high", time.throughputBand);
    optional(visitor, "requests_per_s", time.requestsPerSecond);
    visitor.beginObject("breakdown");
    visitor.number("compute_s", time.breakdown.computeSeconds);
    visitor.number("memory_s", time.breakdown.memorySeconds);
    visitor.number("communication_s", time.breakdown.communicationSeconds);
    visitor.number("bubble_s", time.breakdown.bubbleSeconds);
    visitor.number("launch_s", time.breakdown.launchSeconds);
    visitor.number("optimizer_s", time.breakdown.optimizerSeconds);
    visitor.number("input_s", time.breakdown.inputSeconds);
    visitor.endObject();
}

template <Number N, class Visitor>
void power(Visitor &visitor, const PowerReport<N> &power) {
    visitor.number("gpu_w", power.gpuWatts);
    visitor.number("gpu_w_low", power.gpuBand.low);
    visitor.number("gpu_w_high", power.gpuBand.high);
    visitor.number("nameplate_w", power.nameplateWatts);
    visitor.number("node_w", power.nodeWatts);
    visitor.number("cluster_w", power.clusterWatts);
    visitor.number("site_w", power.siteWatts);
    optional(visitor, "energy_per_step_j", power.energyPerStepJoules);
    visitor.number("energy_per_token_j", power.energyPerTokenJoules);
    optional(visitor, "run_energy_kwh", power.runEnergyKwh);
    optional(visitor, "run_co2_kg", power.runCo2Kg);
}

template <Number N, class Visitor>
void cost(Visitor &visitor, const CostReport<N> &cost) {
    optional(visitor, "gpu_usd", cost.gpuUsd);
    optional(visitor, "server_usd", cost.serverUsd);
    optional(visitor, "network_usd", cost.networkUsd);
    visitor.number("energy_usd", cost.energyUsd);
    visitor.number("cooling_usd", cost.coolingUsd);
    visitor.number("facility_usd", cost.facilityUsd);
    visitor.number("maintenance_usd", cost.maintenanceUsd);
    visitor.number("people_usd", cost.peopleUsd);
    visitor.number("other_usd", cost.otherUsd);
    optional(visitor, "capital_usd", cost.capitalUsd);
    optional(visitor, "tco_usd", cost.tcoUsd);
    optional(visitor, "tco_over_gpu_price", cost.tcoOverGpuPrice);
    optional(visitor, "tco_over_system_price", cost.tcoOverSystemPrice);
    optional(visitor, "usd_per_million_tokens", cost.usdPerMillionTokens);
    optional(visitor, "run_usd", cost.runUsd);
    optional(visitor, "rent_usd", cost.rentUsd);
    optional(visitor, "break_even_utilization", cost.breakEvenUtilization);
    if (cost.rentNeverBreaksEven) {
        visitor.null("break_even_utilization");
        visitor.flag("rent_always_cheaper", true);
    }
}

} // namespace visiting

template <Number N, class Visitor>
void visitReport(const GpuReport<N> &report, Visitor &visitor) {
    visitor.text("gpu", report.gpu);
    visitor.flag("fits", report.fits);
    visitor.beginObject("memory");
    visiting::memory(visitor, report.memory, report.task);
    visitor.endObject();
    if (report.hasPerformance) {
        visitor.beginObject("roofline");
        visiting::roofline(visitor, report.roofline);
        visitor.endObject();
        visitor.beginObject("time");
        visiting::time(visitor, report.time);
        visitor.endObject();
        visitor.beginObject("power");
        visiting::power(visitor, report.power);
        visitor.endObject();
        visitor.beginObject("cost");
        visiting::cost(visitor, report.cost);
        visitor.endObject();
    }
    visitor.beginArray("advice");
    for (const Advice &advice : report.advice) {
        visitor.beginItem();
        visitor.text("change", advice.change);
        visitor.text("path", advice.path);
        visitor.text("from", advice.from);
        visitor.text("to", advice.to);
        visitor.count("total_bytes", advice.totalBytes);
        visitor.count("step_s_ratio", advice.stepRatio);
        visitor.endItem();
    }
    visitor.endArray();
}

} // namespace ridgepoint
