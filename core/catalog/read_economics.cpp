// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads economics presets, grids, constants that hold for all hardware, scenario defaults and the report's vocabulary.
#include "core/catalog/tables.h"

namespace ridgepoint::catalog {

using nlohmann::json;

void readEconomics(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "economics", context, problems, [&](Entry &entry) {
        EconomicsPreset preset;
        preset.id = entry.text("id");
        preset.name = entry.text("name");
        preset.usdPerKwh = entry.fact("usd_per_kwh", notNegative);
        preset.pue = entry.fact("pue", atLeastOne);
        preset.lifetimeYears = entry.fact("lifetime_years", positive);
        preset.utilization = entry.fact("utilization", fraction);
        preset.serverUsdPerNode = entry.fact("server_usd_per_node", notNegative);
        preset.networkUsdPerNode = entry.fact("network_usd_per_node", notNegative);
        preset.facilityUsdPerKwMonth = entry.fact("facility_usd_per_kw_month", notNegative);
        preset.maintenanceUsdPerYear = entry.fact("maintenance_usd_per_year", notNegative);
        preset.peopleUsdPerYear = entry.fact("people_usd_per_year", notNegative);
        preset.otherUsdPerYear = entry.fact("other_usd_per_year", notNegative);
        preset.costOfCapital = entry.fact("cost_of_capital", fraction);
        preset.residualFraction = entry.fact("residual_fraction", fraction);
        preset.gridKgCo2PerKwh = entry.fact("grid_kg_co2_per_kwh", notNegative);
        preset.hostWattsPerNode = entry.fact("host_w_per_node", notNegative);
        preset.help = entry.text("help");
        if (entry.finish()) {
            catalog.economics.push_back(std::move(preset));
        }
    });
}

void readGrids(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "grids", context, problems, [&](Entry &entry) {
        Grid grid;
        grid.id = entry.text("id");
        grid.name = entry.text("name");
        grid.kgCo2PerKwh = entry.fact("kg_co2_per_kwh", notNegative);
        if (entry.finish()) {
            catalog.grids.push_back(std::move(grid));
        }
    });
}

void readGeneral(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    const auto it = document.find("general");
    if (it == document.end() || !it->is_object()) {
        problems.push_back({"general", it == document.end() ? "nothing" : shownValue(*it), "an object"});
        return;
    }
    Entry entry(*it, "general", context, problems);
    GeneralFacts &facts = catalog.general;
    facts.contextBytes = entry.fact("context_bytes", notNegative);
    facts.driverReservedBytes = entry.fact("driver_reserved_bytes", notNegative);
    facts.networkShare = entry.fact("network_share", share);
    facts.networkLatencySeconds = entry.fact("network_latency_s", notNegative);
    facts.powerActivityBase = entry.fact("power_activity_base", fraction);
    facts.powerActivityMemory = entry.fact("power_activity_memory", fraction);
    facts.powerActivityCompute = entry.fact("power_activity_compute", fraction);
    facts.powerActivityCommunication = entry.fact("power_activity_communication", fraction);
    facts.powerCapExponent = entry.fact("power_cap_exponent", fraction);
    facts.unfusedElementwiseTraffic = entry.fact("unfused_elementwise_traffic", atLeastOne);
    facts.castBytesPerElement = entry.fact("cast_bytes_per_element", notNegative);
    facts.unfusedExpansionBytes = entry.fact("unfused_expansion_bytes", notNegative);
    facts.groupedMatmulShare = entry.fact("grouped_matmul_share", share);
    facts.dataParallelOverlap = entry.fact("data_parallel_overlap", fraction);
    facts.hostLinkShare = entry.fact("host_link_share", share);
    facts.hostAdamParametersPerSecond = entry.fact("host_adam_parameters_per_s", positive);
    facts.gpusPerBoard = entry.fact("gpus_per_board", atLeastOne);
    facts.waveTailShare = entry.fact("wave_tail_share", fraction);
    facts.idleShareOfBoardPower = entry.fact("idle_share_of_board_power", fraction);
    facts.hoursPerYear = entry.fact("hours_per_year", positive);
    entry.finish();
}

void readDefaults(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    const auto read = [&](Entry &entry) {
        ScenarioDefault item;
        item.key = entry.text("key");
        if (const json *value = entry.raw("value")) {
            item.json = value->dump();
        } else {
            entry.report("value", "nothing", "the default, null where there is none");
        }
        item.help = entry.text("help");
        if (entry.finish()) {
            catalog.defaults.push_back(std::move(item));
        }
    };
    forEachEntry(document, "defaults", context, problems, read, "key");
}

void readQuantities(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    const auto read = [&](Entry &entry) {
        QuantityInfo info;
        info.key = entry.text("key");
        info.label = entry.text("label");
        info.help = entry.text("help");
        if (entry.finish()) {
            catalog.quantities.push_back(std::move(info));
        }
    };
    forEachEntry(document, "quantities", context, problems, read, "key");
}

} // namespace ridgepoint::catalog
