// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the catalogue kind by kind.
#include "core/export/catalog_json.h"

#include "core/scenario/model_choice.h"
#include "core/scenario/reading.h"

#include <fmt/format.h>

#include <map>

namespace ridgepoint {

namespace {

using Json = nlohmann::ordered_json;

/// One entry of a list under construction.
class EntryWriter {
public:
    EntryWriter(std::string_view id, std::string_view name) { text("id", id).text("name", name); }

    EntryWriter &text(std::string_view key, std::string_view value) {
        if (!value.empty()) {
            json_[std::string(key)] = value;
        }
        return *this;
    }
    EntryWriter &flag(std::string_view key, bool value) {
        json_[std::string(key)] = value;
        return *this;
    }
    EntryWriter &fact(std::string_view key, const Fact &fact) {
        Json &json = json_[std::string(key)];
        json["value"] = numberJson(fact.value);
        json["source"] = fact.source;
        if (fact.estimate) {
            json["estimate"] = true;
        }
        if (!fact.note.empty()) {
            json["note"] = fact.note;
        }
        if (!fact.confidence.empty()) {
            json["confidence"] = fact.confidence;
        }
        return *this;
    }
    EntryWriter &fact(std::string_view key, const std::optional<Fact> &value) {
        return value ? fact(key, *value) : *this;
    }
    EntryWriter &json(std::string_view key, Json value) {
        json_[std::string(key)] = std::move(value);
        return *this;
    }
    Json take() { return std::move(json_); }

private:
    Json json_ = Json::object();
};

Json gpuJson(const Gpu &gpu) {
    EntryWriter entry(gpu.id, gpu.name);
    entry.text("vendor", gpu.vendor).text("architecture", gpu.architecture).text("form_factor", gpu.formFactor);
    entry.json("launch_year", gpu.launchYear);
    entry.fact("memory_bytes", gpu.memoryBytes).fact("capacity_bytes", gpu.capacityBytes);
    entry.fact("bandwidth_bytes_per_s", gpu.bandwidthBytesPerSecond);
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        entry.fact(fmt::format("peak_{}_flops_per_s", idOf(static_cast<ComputeFormat>(i))), gpu.peakFlopsPerSecond[i]);
    }
    entry.flag("structured_sparsity_2x", gpu.structuredSparsity);
    entry.fact("board_w", gpu.boardWatts)
        .fact("idle_w", gpu.idleWatts)
        .fact("minimum_power_limit_w", gpu.minimumPowerLimitWatts);
    entry.text("link", gpu.linkName)
        .fact("link_bytes_per_s", gpu.linkBytesPerSecond)
        .fact("gpus_per_domain", gpu.gpusPerDomain);
    entry.fact("pcie_bytes_per_s", gpu.pcieBytesPerSecond).flag("pcie_peer_access", gpu.pciePeerAccess);
    entry.text("pcie_peer_access_source", gpu.pciePeerAccessSource);
    entry.fact("multiprocessors", gpu.multiprocessors)
        .fact("max_resident_threads", gpu.maxResidentThreads)
        .fact("l2_cache_bytes", gpu.l2CacheBytes);
    entry.fact("price_usd", gpu.priceUsd).fact("rent_usd_per_gpu_hour", gpu.rentUsdPerHour);
    entry.text("launch_note", gpu.launchNote);
    if (!gpu.disputes.empty()) {
        entry.json("disputes", gpu.disputes);
    }
    return entry.take();
}

Json modelJsonOf(const ModelPreset &model) {
    ModelChoice shape;
    shape.source = ModelChoice::Source::Explicit;
    shape.shape = model.shape;
    return EntryWriter(model.id, model.name)
        .json("parameters", numberJson(model.parameters))
        .json("shape", modelJson(shape))
        .text("source", model.source)
        .take();
}

Json formatJson(const StorageFormat &format) {
    return EntryWriter(format.id, format.name)
        .fact("bits_per_linear_weight", format.bitsPerLinearWeight)
        .fact("bits_per_other_weight", format.bitsPerOtherWeight)
        .flag("weights", format.forWeights)
        .flag("kv_cache", format.forCache)
        .flag("experts_only", format.expertsOnly)
        .flag("mix", format.mix.has_value())
        .text("help", format.help)
        .take();
}

Json optimizerJson(const Optimizer &optimizer) {
    return EntryWriter(optimizer.id, optimizer.name)
        .fact("states_per_parameter", optimizer.statesPerParameter)
        .fact("bytes_per_state", optimizer.bytesPerState)
        .fact("block_constant_bytes_per_state", optimizer.blockConstantBytesPerState)
        .fact("states_per_non_matrix_parameter", optimizer.statesPerNonMatrixParameter)
        .flag("factored", optimizer.factored)
        .flag("small_tensors_in_fp32", optimizer.smallTensorsInFp32)
        .text("help", optimizer.help)
        .take();
}

Json recipeJson(const Recipe &recipe) {
    return EntryWriter(recipe.id, recipe.name)
        .fact("weight_bytes", recipe.weightBytes)
        .fact("gradient_bytes", recipe.gradientBytes)
        .fact("master_bytes", recipe.masterBytes)
        .fact("state_bytes", recipe.stateBytes)
        .fact("activation_bytes", recipe.activationBytes)
        .text("compute", idOf(recipe.compute))
        .flag("gathers_16_bit_copies", recipe.shardsAll)
        .flag("casts_weights", recipe.castsWeights)
        .text("help", recipe.help)
        .take();
}

Json frameworkJson(const Framework &framework) {
    return EntryWriter(framework.id, framework.name)
        .fact("loss_bytes_per_logit_materialized", framework.lossBytesPerLogitMaterialized)
        .fact("loss_bytes_per_logit_fused", framework.lossBytesPerLogitFused)
        .fact("workspace_bytes", framework.workspaceBytes)
        .fact("fragmentation_fraction", framework.fragmentationFraction)
        .fact("vocabulary_multiple", framework.vocabularyMultiple)
        .flag("gradient_buffer_persistent", framework.gradientBufferPersistent)
        .fact("optimizer_step_copies", framework.optimizerStepCopies)
        .fact("exposed_tensor_communication", framework.exposedTensorCommunication)
        .fact("host_s_per_kernel", framework.hostSecondsPerKernel)
        .fact("host_s_per_layer_pass", framework.hostSecondsPerLayerPass)
        .fact("elementwise_traffic", framework.elementwiseTraffic)
        .fact("communication_bucket_bytes", framework.communicationBucketBytes)
        .text("help", framework.help)
        .take();
}

Json engineJson(const Engine &engine) {
    return EntryWriter(engine.id, engine.name)
        .fact("cache_block_tokens", engine.cacheBlockTokens)
        .flag("preallocates", engine.preallocates)
        .fact("hidden_tensors", engine.hiddenTensors)
        .fact("activation_bytes", engine.activationBytes)
        .fact("most_tokens_per_pass", engine.mostTokensPerPass)
        .fact("warm_up_rows", engine.warmUp ? std::optional(engine.warmUp->rows) : std::nullopt)
        .fact("warm_up_rows_on_large_cards", engine.warmUp ? engine.warmUp->rowsOnLargeCards : std::nullopt)
        .fact("warm_up_bytes_per_logit", engine.warmUp ? std::optional(engine.warmUp->bytesPerLogit) : std::nullopt)
        .fact("workspace_bytes", engine.workspaceBytes)
        .fact("graph_bytes", engine.graphBytes)
        .fact("context_bytes", engine.contextBytes)
        .fact("communication_bytes", engine.communicationBytes)
        .fact("host_s_per_step", engine.hostSecondsPerStep)
        .fact("s_per_sequence", engine.secondsPerSequence)
        .fact("kernels_per_layer", engine.kernelsPerLayer)
        .fact("host_s_per_layer", engine.hostSecondsPerLayer)
        .fact("matrix_vector_bytes_per_s_per_multiprocessor", engine.matrixVectorBytesPerSecondPerMultiprocessor)
        .text("help", engine.help)
        .take();
}

Json economicsJson(const EconomicsPreset &preset) {
    return EntryWriter(preset.id, preset.name)
        .fact("usd_per_kwh", preset.usdPerKwh)
        .fact("pue", preset.pue)
        .fact("lifetime_years", preset.lifetimeYears)
        .fact("utilization", preset.utilization)
        .fact("server_usd_per_node", preset.serverUsdPerNode)
        .fact("network_usd_per_node", preset.networkUsdPerNode)
        .fact("facility_usd_per_kw_month", preset.facilityUsdPerKwMonth)
        .fact("maintenance_usd_per_year", preset.maintenanceUsdPerYear)
        .fact("people_usd_per_year", preset.peopleUsdPerYear)
        .fact("other_usd_per_year", preset.otherUsdPerYear)
        .fact("cost_of_capital", preset.costOfCapital)
        .fact("residual_fraction", preset.residualFraction)
        .fact("grid_kg_co2_per_kwh", preset.gridKgCo2PerKwh)
        .fact("host_w_per_node", preset.hostWattsPerNode)
        .text("help", preset.help)
        .take();
}

/// The links between GPUs, each once, with the accelerators that have it.
Json linksJson(const Catalog &catalog) {
    Json list = Json::array();
    std::map<std::string, std::size_t> places;
    for (const Gpu &gpu : catalog.gpus) {
        const std::optional<Fact> &rate = gpu.linkBytesPerSecond ? gpu.linkBytesPerSecond : gpu.pcieBytesPerSecond;
        if (!rate) {
            continue;
        }
        const std::string name = gpu.linkBytesPerSecond ? gpu.linkName : "PCIe";
        const std::string id = fmt::format("{} at {:g} GB/s per direction", name, rate->value / 1e9);
        const auto [place, added] = places.try_emplace(id, list.size());
        if (added) {
            list.push_back(EntryWriter(id, name)
                               .fact("bytes_per_s", *rate)
                               .fact("gpus_per_domain", gpu.gpusPerDomain)
                               .json("gpus", Json::array())
                               .take());
        }
        list[place->second]["gpus"].push_back(gpu.id);
    }
    return list;
}

template <class Entries, class Write>
Json listOf(const Entries &entries, Write write) {
    Json list = Json::array();
    for (const auto &entry : entries) {
        list.push_back(write(entry));
    }
    return list;
}

std::string cell(const Json &value) {
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    std::string safe;
    for (const char c : text) {
        safe += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
    }
    return safe;
}

} // namespace

std::span<const std::string_view> catalogKinds() {
    static constexpr std::array<std::string_view, 10> kinds{
        "gpus", "models", "formats", "optimizers", "recipes", "frameworks", "engines", "links", "grids", "economics"};
    return kinds;
}

Json catalogJson(std::string_view kind, const Catalog &catalog) {
    if (kind == "gpus") {
        return listOf(catalog.gpus, gpuJson);
    }
    if (kind == "models") {
        return listOf(catalog.models, modelJsonOf);
    }
    if (kind == "formats") {
        return listOf(catalog.formats, formatJson);
    }
    if (kind == "optimizers") {
        return listOf(catalog.optimizers, optimizerJson);
    }
    if (kind == "recipes") {
        return listOf(catalog.recipes, recipeJson);
    }
    if (kind == "frameworks") {
        return listOf(catalog.frameworks, frameworkJson);
    }
    if (kind == "engines") {
        return listOf(catalog.engines, engineJson);
    }
    if (kind == "links") {
        return linksJson(catalog);
    }
    if (kind == "grids") {
        return listOf(catalog.grids, [](const Grid &grid) {
            return EntryWriter(grid.id, grid.name).fact("kg_co2_per_kwh", grid.kgCo2PerKwh).take();
        });
    }
    return listOf(catalog.economics, economicsJson);
}

std::string catalogMarkdown(std::string_view kind, const Catalog &catalog) {
    std::string text = fmt::format("# {}\n", kind);
    for (const Json &entry : catalogJson(kind, catalog)) {
        text += fmt::format("\n## {}\n\n| | value | source |\n|---|---|---|\n", cell(entry["name"]));
        for (const auto &[key, value] : entry.items()) {
            if (key == "name") {
                continue;
            }
            if (value.is_object() && value.contains("value")) {
                const bool estimate = value.value("estimate", false);
                const std::string note = value.value("note", std::string());
                text += fmt::format("| {} | {}{} | {}{} |\n", key, cell(value["value"]), estimate ? " (estimate)" : "",
                                    cell(value["source"]), note.empty() ? note : "; " + cell(note));
            } else {
                text += fmt::format("| {} | {} | |\n", key, cell(value));
            }
        }
    }
    return text;
}

} // namespace ridgepoint
