// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Total cost of ownership term by term, what a token and a run cost, and buying against renting.
#include "core/economics/economics.h"
#include "core/economics/terms.h"
#include "core/performance/machine.h"

#include <algorithm>

namespace ridgepoint {

namespace {

template <Number N>
class Ownership {
public:
    Ownership(const Setting &setting, const PerformanceReport<N> &performance, const PowerReport<N> &power)
        : setting_(setting), own_(setting.scenario->economics), preset_(*setting.economics), time_(performance.time),
          power_(power), world_(fact<N>(setting.scenario->parallelism.world(), "GPUs")),
          years_(termOf<N>(own_.lifetimeYears, preset_.lifetimeYears, "lifetime", "years")),
          hours_(named<N>(years_ * factOf<N>(setting.catalog->general.hoursPerYear, "hours of a year", "h"),
                          "hours of the lifetime", "h")),
          utilization_(termOf<N>(own_.utilization, preset_.utilization, "utilization", "")),
          busyHours_(named<N>(hours_ * utilization_, "busy hours of the lifetime", "h")) {}

    CostReport<N> evaluate() {
        purchase();
        running();
        ownership();
        rent();
        return std::move(cost_);
    }

private:
    void purchase() {
        // A job smaller than a node carries its share of the node.
        nodes_ = named<N>(world_ / fact<N>(setting_.scenario->hardware.gpusPerNode, "GPUs per node"), "nodes");
        cost_.serverUsd =
            named<N>(nodes_ * termOf<N>(own_.serverUsdPerNode, preset_.serverUsdPerNode, "server, per node", "$"),
                     "servers", "$");
        cost_.networkUsd =
            named<N>(nodes_ * termOf<N>(own_.networkUsdPerNode, preset_.networkUsdPerNode, "network, per node", "$"),
                     "network", "$");
        if (own_.gpuUsd) {
            cost_.gpuUsd = world_ * fact<N>(*own_.gpuUsd, "price of a GPU", "$", "scenario");
        } else if (setting_.gpu.priceUsd) {
            cost_.gpuUsd = world_ * factOf<N>(*setting_.gpu.priceUsd, "price of a GPU", "$");
        }
        if (cost_.gpuUsd) {
            cost_.gpuUsd = named<N>(*cost_.gpuUsd, "GPUs", "$");
            systemUsd_ = named<N>(*cost_.gpuUsd + *cost_.serverUsd + *cost_.networkUsd, "system price", "$");
            const N rate = termOf<N>(own_.costOfCapital, preset_.costOfCapital, "cost of capital, per year", "");
            const N residual = termOf<N>(own_.residualFraction, preset_.residualFraction, "residual value", "");
            cost_.capitalUsd =
                named<N>(*systemUsd_ * (rate * years_ - residual), "cost of capital less residual value", "$");
        }
    }

    /// kW of the cluster in hours without work: GPUs idle; hosts keep drawing what they draw at work.
    N idleKilowatts() const {
        const N hosts = wholeNodes<N>(setting_) * hostWattsInNode<N>(setting_, power_.gpusInNode);
        return named<N>((world_ * factOf<N>(setting_.gpu.idleWatts, "idle power", "W") + hosts) / N(1000.0),
                        "cluster power in hours without work", "kW");
    }

    void running() {
        busyKilowatts_ = named<N>(power_.clusterWatts / N(1000.0), "cluster power at work", "kW");
        idleKilowatts_ = idleKilowatts();
        price_ = termOf<N>(own_.usdPerKwh, preset_.usdPerKwh, "price of energy", "$/kWh");
        const N idleHours = named<N>(hours_ - busyHours_, "hours without work", "h");
        const N energy =
            named<N>(busyHours_ * busyKilowatts_ + idleHours * idleKilowatts_, "IT energy of the lifetime", "kWh");
        cost_.energyUsd = named<N>(energy * price_, "energy", "$");
        cost_.coolingUsd = named<N>(cost_.energyUsd * (pueOf<N>(setting_) - N(1.0)), "cooling", "$");
        const N months = years_ * N(12.0);
        cost_.facilityUsd = named<N>(busyKilowatts_ *
                                         termOf<N>(own_.facilityUsdPerKwMonth, preset_.facilityUsdPerKwMonth,
                                                   "facility, per kW and month", "$") *
                                         named<N>(months, "months of the lifetime", "months"),
                                     "facility", "$");
        // A scenario gives what the whole system costs a year; a preset what a node does.
        const auto yearly = [this](const std::optional<double> &own, const Fact &preset, std::string_view perYear,
                                   std::string_view perNode, std::string_view label) {
            const N each = own ? fact<N>(*own, perYear, "$", "scenario") : nodes_ * factOf<N>(preset, perNode, "$");
            return named<N>(years_ * each, label, "$");
        };
        cost_.maintenanceUsd = yearly(own_.maintenanceUsdPerYear, preset_.maintenanceUsdPerYear,
                                      "maintenance, per year", "maintenance, per node and year", "maintenance");
        cost_.peopleUsd = yearly(own_.peopleUsdPerYear, preset_.peopleUsdPerYear, "people, per year",
                                 "people, per node and year", "people");
        cost_.otherUsd = yearly(own_.otherUsdPerYear, preset_.otherUsdPerYear, "other, per year",
                                "other, per node and year", "other");
    }

    void ownership() {
        if (!systemUsd_) {
            return;
        }
        N tco = *cost_.gpuUsd + *cost_.serverUsd + *cost_.networkUsd + cost_.energyUsd + cost_.coolingUsd +
                cost_.facilityUsd;
        tco += cost_.maintenanceUsd + cost_.peopleUsd + cost_.otherUsd + *cost_.capitalUsd;
        cost_.tcoUsd = named<N>(tco, "total cost of ownership", "$");
        if (valueOf(*cost_.gpuUsd) > 0) {
            cost_.tcoOverGpuPrice = *cost_.tcoUsd / *cost_.gpuUsd;
        }
        if (valueOf(*systemUsd_) > 0) {
            cost_.tcoOverSystemPrice = *cost_.tcoUsd / *systemUsd_;
        }
        if (valueOf(busyHours_) > 0) {
            const N perHour = named<N>(*cost_.tcoUsd / busyHours_, "cost of a busy hour", "$");
            const N &tokensPerSecond = setting_.isTraining() ? *time_.tokensPerSecond : *time_.outputTokensPerSecond;
            const N millions = named<N>(tokensPerSecond * N(3600.0) / N(1e6), "million tokens per hour");
            cost_.usdPerMillionTokens = perHour / millions;
            if (time_.runSeconds) {
                cost_.runUsd = perHour * named<N>(*time_.runSeconds / N(3600.0), "hours of the run", "h");
            }
        }
    }

    /// Owning costs fixed + slope x utilization over the lifetime, renting rate x utilization: they meet at fixed /
    /// (rate - slope).
    void rent() {
        const auto &own = own_.rentUsdPerGpuHour;
        const auto &market = setting_.gpu.rentUsdPerHour;
        if (!own && !market) {
            return;
        }
        const N perGpuHour =
            own ? fact<N>(*own, "rent of a GPU-hour", "$", "scenario") : factOf<N>(*market, "rent of a GPU-hour", "$");
        const N perHour = named<N>(world_ * perGpuHour, "rent of all GPUs, per hour", "$");
        cost_.rentUsd = named<N>(perHour * busyHours_, "rent of the same busy hours", "$");
        if (!cost_.tcoUsd) {
            return;
        }
        const N perKwh = named<N>(price_ * pueOf<N>(setting_), "price of energy with cooling", "$/kWh");
        const N busyEnergy =
            named<N>((busyKilowatts_ - idleKilowatts_) * perKwh, "energy that an hour of work adds", "$");
        const N alwaysIdle = hours_ * idleKilowatts_ * perKwh;
        const N fixed = named<N>(*cost_.tcoUsd - cost_.energyUsd - cost_.coolingUsd + alwaysIdle,
                                 "cost of ownership without any work", "$");
        const N saved =
            named<N>(hours_ * (perHour - busyEnergy), "rent less added energy, of a fully used lifetime", "$");
        const bool meets = valueOf(saved) > 0 && valueOf(fixed) <= valueOf(saved);
        if (meets) {
            cost_.breakEvenUtilization = named<N>(larger(N(0.0), fixed / saved), "break-even utilization");
        } else {
            cost_.rentNeverBreaksEven = true;
        }
    }

    const Setting &setting_;
    const Economics &own_;
    const EconomicsPreset &preset_;
    const TimeReport<N> &time_;
    const PowerReport<N> &power_;
    N world_, years_, hours_, utilization_, busyHours_;
    N nodes_{}, busyKilowatts_{}, idleKilowatts_{}, price_{};
    std::optional<N> systemUsd_;
    CostReport<N> cost_;
};

} // namespace

template <Number N>
CostReport<N> evaluateCost(const Setting &setting, const PerformanceReport<N> &performance,
                           const PowerReport<N> &power) {
    return Ownership<N>(setting, performance, power).evaluate();
}

template CostReport<double> evaluateCost(const Setting &, const PerformanceReport<double> &,
                                         const PowerReport<double> &);
template CostReport<Traced> evaluateCost(const Setting &, const PerformanceReport<Traced> &,
                                         const PowerReport<Traced> &);

} // namespace ridgepoint
