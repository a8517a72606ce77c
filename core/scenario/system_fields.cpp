// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of `parallelism`, `hardware` and `economics`.
#include "core/scenario/field_kinds.h"
#include "core/scenario/gpu_choice.h"

namespace ridgepoint {

namespace {

constexpr Range degrees{1, 1e6};
constexpr Range pipelines{1, 1024}; // far above any real pipeline; every stage of every GPU is reported

/// An empty list in the scenario and null in the file: as even as it goes.
Field layersPerStageField() {
    static constexpr std::string_view path = "parallelism.layers_per_stage";
    static constexpr Range layers{0, 10000};
    Field field;
    field.path = path;
    field.key = "layers_per_stage";
    field.read = [](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (value.is_null()) {
            s.parallelism.layersPerStage.clear();
            return;
        }
        if (!value.is_array()) {
            reading.report(std::string(path), shownValue(value), "a list of layers, one for each stage, or null");
            return;
        }
        std::vector<int> stages;
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string at = fmt::format("{}[{}]", path, i);
            if (const auto count = detail::numberIn(value[i], at, layers, true, "", reading)) {
                stages.push_back(static_cast<int>(*count));
            }
        }
        s.parallelism.layersPerStage = std::move(stages);
    };
    field.write = [](const Scenario &s) -> nlohmann::ordered_json {
        const auto &stages = s.parallelism.layersPerStage;
        return stages.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(stages);
    };
    field.check = [](const Scenario &s, const Catalog &, Problems &problems) {
        for (std::size_t i = 0; i < s.parallelism.layersPerStage.size(); ++i) {
            const int count = s.parallelism.layersPerStage[i];
            if (!layers.holds(count)) {
                problems.push_back(
                    {fmt::format("{}[{}]", path, i), numberText(count), layers.broken("a whole number", count)});
            }
        }
    };
    return field;
}

template <class Get>
Field economicsField(std::string_view key, Get get, Range range) {
    return numberField("economics", key, get, range);
}

} // namespace

Section parallelismSection() {
    constexpr std::string_view at = "parallelism";
    return {at,
            {
                countField(
                    at, "data", [](auto &s) -> auto & { return s.parallelism.data; }, degrees),
                countField(
                    at, "tensor", [](auto &s) -> auto & { return s.parallelism.tensor; }, degrees),
                countField(
                    at, "pipeline", [](auto &s) -> auto & { return s.parallelism.pipeline; }, pipelines),
                countField(
                    at, "virtual_stages", [](auto &s) -> auto & { return s.parallelism.virtualStages; }, pipelines),
                countField(
                    at, "context", [](auto &s) -> auto & { return s.parallelism.context; }, degrees),
                countField(
                    at, "expert", [](auto &s) -> auto & { return s.parallelism.expert; }, degrees),
                countField(
                    at, "expert_tensor", [](auto &s) -> auto & { return s.parallelism.expertTensor; }, degrees),
                choiceField<Sharding>(at, "sharding", [](auto &s) -> auto & { return s.parallelism.sharding; },
                                      {{"none", Sharding::None},
                                       {"optimizer", Sharding::Optimizer},
                                       {"gradients", Sharding::Gradients},
                                       {"parameters", Sharding::Parameters},
                                       {"hybrid", Sharding::Hybrid}}),
                flagField(
                    at, "sequence_parallel", [](auto &s) -> auto & { return s.parallelism.sequenceParallel; }),
                choiceField<Schedule>(at, "schedule", [](auto &s) -> auto & { return s.parallelism.schedule; },
                                      {{"1f1b", Schedule::OneForwardOneBackward},
                                       {"gpipe", Schedule::Gpipe},
                                       {"interleaved", Schedule::Interleaved}}),
                layersPerStageField(),
                choiceField<Offload>(at, "offload", [](auto &s) -> auto & { return s.parallelism.offload; },
                                     {{"none", Offload::None},
                                      {"optimizer", Offload::Optimizer},
                                      {"optimizer+parameters", Offload::OptimizerAndParameters},
                                      {"activations", Offload::Activations}}),
            }};
}

Section hardwareSection() {
    constexpr std::string_view at = "hardware";
    return {
        at,
        {
            gpusField(),
            countField(at, "gpus_per_node", [](auto &s) -> auto & { return s.hardware.gpusPerNode; }, {1, 1e6}),
            numberField(at, "network_gbit_per_s", [](auto &s) -> auto & { return s.hardware.networkGbitPerSecond; },
                        {1e-3, 1e9}),
            numberField(at, "power_limit_w", [](auto &s) -> auto & { return s.hardware.powerLimitWatts; },
                        {0, 1e6, true}),
            numberField(at, "input_tokens_per_second",
                        [](auto &s) -> auto & { return s.hardware.inputTokensPerSecond; }, {1e-3, 1e15}),
            numberField(at, "context_bytes", [](auto &s) -> auto & { return s.hardware.contextBytes; }, {0, 1e15}),
            numberField(at, "fragmentation_fraction",
                        [](auto &s) -> auto & { return s.hardware.fragmentationFraction; }, {0, 10}),
            numberField(at, "reserved_bytes", [](auto &s) -> auto & { return s.hardware.reservedBytes; }, {0, 1e15}),
        }};
}

Section economicsSection() {
    constexpr Range usd{0, 1e12};
    constexpr Range share{0, 1};
    return {
        "economics",
        {
            idField(
                "economics", "preset", [](auto &s) -> auto & { return s.economics.preset; }, economicsIds()),
            economicsField("usd_per_kwh", [](auto &s) -> auto & { return s.economics.usdPerKwh; }, {0, 1e6}),
            economicsField("pue", [](auto &s) -> auto & { return s.economics.pue; }, {1, 100}),
            economicsField("lifetime_years", [](auto &s) -> auto & { return s.economics.lifetimeYears; }, {0.01, 1000}),
            economicsField("utilization", [](auto &s) -> auto & { return s.economics.utilization; }, {0.001, 1}),
            economicsField(
                "gpu_usd", [](auto &s) -> auto & { return s.economics.gpuUsd; }, usd),
            economicsField(
                "server_usd_per_node", [](auto &s) -> auto & { return s.economics.serverUsdPerNode; }, usd),
            economicsField(
                "network_usd_per_node", [](auto &s) -> auto & { return s.economics.networkUsdPerNode; }, usd),
            economicsField(
                "facility_usd_per_kw_month", [](auto &s) -> auto & { return s.economics.facilityUsdPerKwMonth; }, usd),
            economicsField(
                "maintenance_usd_per_year", [](auto &s) -> auto & { return s.economics.maintenanceUsdPerYear; }, usd),
            economicsField(
                "people_usd_per_year", [](auto &s) -> auto & { return s.economics.peopleUsdPerYear; }, usd),
            economicsField(
                "other_usd_per_year", [](auto &s) -> auto & { return s.economics.otherUsdPerYear; }, usd),
            economicsField(
                "cost_of_capital", [](auto &s) -> auto & { return s.economics.costOfCapital; }, share),
            economicsField(
                "residual_fraction", [](auto &s) -> auto & { return s.economics.residualFraction; }, share),
            economicsField("rent_usd_per_gpu_hour", [](auto &s) -> auto & { return s.economics.rentUsdPerGpuHour; },
                           {0, 1e6}),
            economicsField("grid_kg_co2_per_kwh", [](auto &s) -> auto & { return s.economics.gridKgCo2PerKwh; },
                           {0, 100}),
        }};
}

} // namespace ridgepoint
