// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads architectures and accelerators.
#include "core/catalog/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint::catalog {

using nlohmann::json;

namespace {

struct EfficiencyKey {
    std::string_view key;
    Fact Efficiency::*member;
    const Range &range;
};

const std::array<EfficiencyKey, 15> efficiencyKeys = {{
    {"matmul_share_of_peak", &Efficiency::matmulShareOfPeak, share},
    {"matmul_share_of_peak_narrow", &Efficiency::matmulShareOfPeakNarrow, share},
    {"matmul_share_of_peak_fp4", &Efficiency::matmulShareOfPeakFp4, share},
    {"half_accumulate_speedup", &Efficiency::halfAccumulateSpeedup, atLeastOne},
    {"streaming_share_of_bandwidth", &Efficiency::streamingShareOfBandwidth, share},
    {"attention_forward_share_of_peak", &Efficiency::attentionForwardShareOfPeak, share},
    {"attention_backward_share_of_peak", &Efficiency::attentionBackwardShareOfPeak, share},
    {"older_attention_share", &Efficiency::olderAttentionShare, share},
    {"tile_rows", &Efficiency::tileRows, atLeastOne},
    {"tile_columns", &Efficiency::tileColumns, atLeastOne},
    {"k_depth_ramp", &Efficiency::kDepthRamp, notNegative},
    {"kernel_s", &Efficiency::kernelSeconds, notNegative},
    {"link_share", &Efficiency::linkShare, share},
    {"pcie_share", &Efficiency::pcieShare, share},
    {"link_latency_s", &Efficiency::linkLatencySeconds, notNegative},
}};

void readOverrides(Entry &entry, Efficiency &efficiency) {
    const json *object = entry.raw("efficiency");
    if (object == nullptr) {
        return;
    }
    if (!object->is_object()) {
        entry.report("efficiency", shownValue(*object), "an object");
        return;
    }
    Entry inner(*object, entry.path() + ".efficiency", entry.context(), entry.problems());
    for (const EfficiencyKey &key : efficiencyKeys) {
        if (std::optional<Fact> fact = inner.optionalFact(key.key, key.range)) {
            efficiency.*key.member = *std::move(fact);
        }
    }
    inner.finish();
}

void readArchitecture(Entry &entry, Gpu &gpu, const Catalog &catalog) {
    gpu.architectureId = entry.text("architecture");
    const Architecture *architecture = catalog.architecture(gpu.architectureId);
    if (architecture == nullptr) {
        std::vector<std::string_view> ids;
        for (const Architecture &known : catalog.architectures) {
            ids.emplace_back(known.id);
        }
        if (!gpu.architectureId.empty()) {
            entry.report("architecture", shownText(gpu.architectureId), fmt::format("one of {}", fmt::join(ids, ", ")));
        }
        return;
    }
    gpu.architecture = architecture->name;
    gpu.efficiency = architecture->efficiency;
    readOverrides(entry, gpu.efficiency);
}

void readMemory(Entry &entry, Gpu &gpu) {
    gpu.memoryBytes = entry.fact("memory_bytes", positive);
    gpu.bandwidthBytesPerSecond = entry.fact("bandwidth_bytes_per_s", positive);
    gpu.l2CacheBytes = entry.optionalFact("l2_cache_bytes", positive);
    if (std::optional<Fact> capacity = entry.optionalFact("capacity_bytes", positive)) {
        gpu.capacityBytes = *std::move(capacity);
    } else {
        gpu.capacityBytes = gpu.memoryBytes;
        gpu.capacityBytes.estimate = true;
        gpu.capacityBytes.note = "no driver report given: the nominal capacity";
    }
    if (gpu.capacityBytes.value > gpu.memoryBytes.value && gpu.memoryBytes.value > 0) {
        entry.report("capacity_bytes", fmt::format("{:.0f}", gpu.capacityBytes.value),
                     fmt::format("at most memory_bytes, {:.0f}", gpu.memoryBytes.value));
    }
}

void readPeaks(Entry &entry, Gpu &gpu) {
    bool any = false;
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        const std::string key = fmt::format("peak_{}_flops_per_s", idOf(static_cast<ComputeFormat>(i)));
        any = any || entry.has(key);
        gpu.peakFlopsPerSecond[i] = entry.optionalFact(key, positive);
    }
    if (!any) {
        entry.report("peak_bf16_flops_per_s", "no peak at all", "at least one of peak_<format>_flops_per_s");
    }
    gpu.structuredSparsity = entry.flag("structured_sparsity", false);
}

void readPower(Entry &entry, Gpu &gpu, const GeneralFacts &general) {
    gpu.boardWatts = entry.fact("board_w", positive);
    gpu.minimumPowerLimitWatts = entry.optionalFact("minimum_power_limit_w", positive);
    if (std::optional<Fact> idle = entry.optionalFact("idle_w", notNegative)) {
        gpu.idleWatts = *std::move(idle);
    } else {
        gpu.idleWatts = general.idleShareOfBoardPower;
        gpu.idleWatts.value *= gpu.boardWatts.value;
        gpu.idleWatts.estimate = true;
    }
    const auto atMostBoard = [&](std::string_view key, double watts) {
        if (watts > gpu.boardWatts.value && gpu.boardWatts.value > 0) {
            entry.report(key, fmt::format("{:g}", watts), fmt::format("at most board_w, {:g}", gpu.boardWatts.value));
        }
    };
    atMostBoard("idle_w", gpu.idleWatts.value);
    if (gpu.minimumPowerLimitWatts) {
        atMostBoard("minimum_power_limit_w", gpu.minimumPowerLimitWatts->value);
    }
}

void readLinks(Entry &entry, Gpu &gpu) {
    gpu.linkName = entry.optionalText("link_name");
    gpu.linkBytesPerSecond = entry.optionalFact("link_bytes_per_s", positive);
    gpu.pcieBytesPerSecond = entry.optionalFact("pcie_bytes_per_s", positive);
    gpu.pciePeerAccess = entry.sourcedFlag("pcie_peer_access", true, gpu.pciePeerAccessSource);
    if (std::optional<Fact> domain = entry.optionalFact("gpus_per_domain", atLeastOne)) {
        gpu.gpusPerDomain = *std::move(domain);
    } else {
        gpu.gpusPerDomain = {1, gpu.memoryBytes.source, true, "no domain given: taken to be alone", ""};
    }
    if (gpu.gpusPerDomain.value > 1 && !gpu.linkBytesPerSecond) {
        entry.report("link_bytes_per_s", "nothing", "the rate of the link that joins the GPUs of a domain");
    }
}

Gpu readGpu(Entry &entry, const Catalog &catalog) {
    Gpu gpu;
    gpu.id = entry.text("id");
    gpu.name = entry.text("name");
    gpu.shortName = entry.optionalText("short_name");
    if (gpu.shortName.empty()) {
        gpu.shortName = gpu.name;
    }
    gpu.vendor = entry.optionalText("vendor");
    gpu.formFactor = entry.optionalText("form_factor");
    gpu.launchYear = entry.optionalWhole("launch_year").value_or(0);
    gpu.launchNote = entry.optionalText("launch_note");
    gpu.disputes = entry.optionalTexts("disputes");
    readArchitecture(entry, gpu, catalog);
    readMemory(entry, gpu);
    readPeaks(entry, gpu);
    readPower(entry, gpu, catalog.general);
    readLinks(entry, gpu);
    gpu.multiprocessors = entry.optionalFact("multiprocessors", atLeastOne);
    gpu.maxResidentThreads = entry.optionalFact("max_resident_threads", atLeastOne);
    gpu.priceUsd = entry.optionalFact("price_usd", notNegative);
    gpu.rentUsdPerHour = entry.optionalFact("rent_usd_per_hour", notNegative);
    return gpu;
}

} // namespace

void readArchitectures(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "architectures", context, problems, [&](Entry &entry) {
        Architecture architecture;
        architecture.id = entry.text("id");
        architecture.name = entry.text("name");
        for (const EfficiencyKey &key : efficiencyKeys) {
            architecture.efficiency.*key.member = entry.fact(key.key, key.range);
        }
        if (entry.finish()) {
            catalog.architectures.push_back(std::move(architecture));
        }
    });
}

void readGpus(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "gpus", context, problems, [&](Entry &entry) {
        Gpu gpu = readGpu(entry, catalog);
        if (!entry.finish()) {
            return;
        }
        const auto it =
            std::find_if(catalog.gpus.begin(), catalog.gpus.end(), [&](const Gpu &old) { return old.id == gpu.id; });
        if (it == catalog.gpus.end()) {
            catalog.gpus.push_back(std::move(gpu));
        } else {
            *it = std::move(gpu);
        }
    });
}

} // namespace ridgepoint::catalog
