// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for what the work runs on and what that costs: GPUs, network, economics.
#include "ui/store/field_rows.h"
#include "ui/store/stops.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::rows {

namespace {

ControlField gpuListRow() {
    ControlField field =
        row("hardware.gpus", FieldGroup::Hardware, Text::tr("GPUs"),
            Text::tr("Each ticked GPU is computed on its own under the same workload."), FieldKind::GpuList, &always);
    field.get = [](const Scenario &s) -> FieldValue {
        std::vector<std::string> ids;
        for (const GpuChoice &gpu : s.hardware.gpus)
            ids.push_back(gpu.id);
        return ids;
    };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &) {
        std::vector<GpuChoice> chosen;
        for (const std::string &id : std::get<std::vector<std::string>>(value)) {
            const auto known = std::ranges::find(s.hardware.gpus, id, &GpuChoice::id);
            GpuChoice plain;
            plain.id = plain.base = id;
            chosen.push_back(known != s.hardware.gpus.end() ? *known : plain);
        }
        s.hardware.gpus = std::move(chosen);
    };
    return field;
}

/// Limits that every ticked GPU takes: from the highest of their least ones to the lowest of their own.
Stops powerStops(const Scenario &s, const Catalog &catalog) {
    double least = 0;
    double most = 5000;
    for (const GpuChoice &choice : s.hardware.gpus) {
        const Gpu *gpu = catalog.gpu(choice.base);
        if (gpu == nullptr)
            continue;
        least =
            std::max(least, gpu->minimumPowerLimitWatts ? gpu->minimumPowerLimitWatts->value : gpu->idleWatts.value);
        most = std::min(most, choice.boardWatts.value_or(gpu->boardWatts.value));
    }
    if (least >= most)
        return linearStops(50, 1500, 10);
    return linearStops(least, most, 5);
}

/// A figure of the economics preset that the scenario may override.
ControlField economicsRow(const char *id, const QString &label, const QString &help, Bounds bounds, Stops stops,
                          std::optional<double> &(*member)(Scenario &), Fact EconomicsPreset::*preset) {
    ControlField field = quantity(id, FieldGroup::Economics, label, help, bounds, &always, member, std::move(stops));
    field.automatic = [preset](const Scenario &s, const Catalog &catalog) -> std::optional<double> {
        const EconomicsPreset *from = catalog.economicsPreset(s.economics.preset);
        return from != nullptr ? std::optional((from->*preset).value) : std::nullopt;
    };
    return field;
}

ControlField priceRow(const char *id, const QString &label, const QString &help, Bounds bounds, Stops stops,
                      std::optional<double> &(*member)(Scenario &)) {
    ControlField field = quantity(id, FieldGroup::Economics, label, help, bounds, &always, member, std::move(stops));
    field.automaticText = Text::tr("each GPU's");
    return field;
}

} // namespace

std::vector<ControlField> hardwareRows() {
    ControlField perNode = quantity(
        "hardware.gpus_per_node", FieldGroup::Hardware, Text::tr("GPUs per node"), Text::tr("GPUs in one server."),
        {Unit::Count, 1, 1024}, &always, [](Scenario &s) -> int & { return s.hardware.gpusPerNode; },
        Stops{{1, 2, 4, 8, 16, 32, 36, 72}});
    ControlField network = quantity(
        "hardware.network_gbit_per_s", FieldGroup::Hardware, Text::tr("Network of a node"),
        Text::tr("All adapters of one node together, one direction. Empty: the job stays inside one node."),
        {Unit::GbitPerSecond, 1, 1e6, Scale::Logarithmic, false}, &always,
        [](Scenario &s) -> std::optional<double> & { return s.hardware.networkGbitPerSecond; },
        Stops{{1, 10, 25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800}});
    network.automaticText = Text::tr("one node");
    ControlField limit =
        quantity("hardware.power_limit_w", FieldGroup::Hardware, Text::tr("Power limit"),
                 Text::tr("Per GPU; clocks and so peaks follow it. Empty: each GPU's own."),
                 {Unit::Watts, 10, 5000, Scale::Linear, false}, &always,
                 [](Scenario &s) -> std::optional<double> & { return s.hardware.powerLimitWatts; }, {});
    limit.stops = [](const Scenario &s, const Catalog &catalog) { return powerStops(s, catalog); };
    limit.automaticText = Text::tr("each GPU's");
    return {gpuListRow(), std::move(perNode), std::move(network), std::move(limit)};
}

std::vector<ControlField> economicsRows() {
    using E = EconomicsPreset;
    using Optional = std::optional<double> &;
    constexpr Scale linear = Scale::Linear;
    return {
        entries(
            "economics.preset", FieldGroup::Economics, Text::tr("Setting"),
            Text::tr("Where the GPUs stand; sets every price below that is not set by hand."), &always,
            [](Scenario &s) -> std::string & { return s.economics.preset; }, &Catalog::economics),
        economicsRow(
            "economics.usd_per_kwh", Text::tr("Electricity"),
            Text::tr("Price of a kilowatt-hour. Empty: the setting's."), {Unit::UsdPerKwh, 0, 10, linear, false},
            linearStops(0, 0.5, 0.005), [](Scenario &s) -> Optional { return s.economics.usdPerKwh; }, &E::usdPerKwh),
        economicsRow(
            "economics.pue", Text::tr("PUE"),
            Text::tr("Power of the site over power of the machines. Empty: the setting's."),
            {Unit::None, 1, 5, linear, false}, linearStops(1, 2, 0.01),
            [](Scenario &s) -> Optional { return s.economics.pue; }, &E::pue),
        economicsRow(
            "economics.lifetime_years", Text::tr("Lifetime"), Text::tr("Years until the machines are replaced."),
            {Unit::Years, 0.1, 50, linear, false}, linearStops(0.5, 10, 0.5),
            [](Scenario &s) -> Optional { return s.economics.lifetimeYears; }, &E::lifetimeYears),
        economicsRow(
            "economics.utilization", Text::tr("Utilization"), Text::tr("Share of all hours in which the GPUs work."),
            {Unit::Percent, 0.001, 1, linear, false}, linearStops(0.01, 1, 0.01),
            [](Scenario &s) -> Optional { return s.economics.utilization; }, &E::utilization),
        economicsRow(
            "economics.cost_of_capital", Text::tr("Cost of capital"), Text::tr("Per year, on what was bought."),
            {Unit::Percent, 0, 1, linear, false}, linearStops(0, 0.3, 0.005),
            [](Scenario &s) -> Optional { return s.economics.costOfCapital; }, &E::costOfCapital),
        economicsRow(
            "economics.residual_fraction", Text::tr("Residual value"), Text::tr("Share of the price left at the end."),
            {Unit::Percent, 0, 1, linear, false}, linearStops(0, 0.9, 0.01),
            [](Scenario &s) -> Optional { return s.economics.residualFraction; }, &E::residualFraction),
        priceRow("economics.gpu_usd", Text::tr("GPU price"),
                 Text::tr("For every ticked GPU alike. Empty: each GPU's own."),
                 {Unit::Usd, 1, 1e7, Scale::Logarithmic, false}, decimalStops(100, 200000, false),
                 [](Scenario &s) -> Optional { return s.economics.gpuUsd; }),
        priceRow("economics.rent_usd_per_gpu_hour", Text::tr("Rent"),
                 Text::tr("Price of one GPU for one hour. Empty: each GPU's own."),
                 {Unit::UsdPerHour, 0.01, 1000, Scale::Logarithmic, false}, decimalStops(0.05, 50, false),
                 [](Scenario &s) -> Optional { return s.economics.rentUsdPerGpuHour; }),
    };
}

} // namespace ridgepoint::rows
