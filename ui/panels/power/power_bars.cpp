// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Report to power bars, cost slices and the sentences beside them.
#include "ui/panels/power/power_bars.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

QString translated(const char *text) {
    return QCoreApplication::translate("PowerPanel", text);
}

QString quantity(double value, Unit unit, const NumberStyle &style) {
    return QString::fromStdString(formatQuantity(value, unit, style));
}

} // namespace

PowerBars powerBars(const GpuReport<double> &gpu, const DisplayOptions &options) {
    const PowerReport<double> &power = gpu.power;
    const NumberStyle &style = options.style;
    PowerBars result;
    const auto add = [&](const QString &name, double watts, const QString &path, const QString &note = {},
                         const QString &shortNote = {}, const QString &shortName = {}) {
        result.bars.push_back({name, shortName, watts, quantity(watts, Unit::Watts, style), note, shortNote, path});
        result.mostWatts = std::max(result.mostWatts, watts);
    };
    const QString nameplate = quantity(power.nameplateWatts, Unit::Watts, style);
    add(translated("GPU"), power.gpuWatts, QStringLiteral("power.gpu_w"), translated("nameplate %1").arg(nameplate),
        translated("of %1").arg(nameplate));
    if (power.gpusInNode > 1)
        add(translated("%1 GPUs").arg(power.gpusInNode), power.gpuWatts * power.gpusInNode,
            QStringLiteral("power.gpu_w"));
    add(translated("node"), power.nodeWatts, QStringLiteral("power.node_w"));
    if (power.clusterWatts > power.nodeWatts * 1.001)
        add(translated("cluster"), power.clusterWatts, QStringLiteral("power.cluster_w"));
    if (power.clusterWatts > 0) {
        add(translated("site (PUE %1)").arg(quantity(power.siteWatts / power.clusterWatts, Unit::None, style)),
            power.siteWatts, QStringLiteral("power.site_w"), {}, {}, translated("site"));
    }
    if (power.runEnergyKwh) {
        result.energyPath = QStringLiteral("power.run_energy_kwh");
        const QString energy = quantity(*power.runEnergyKwh, Unit::KilowattHours, style);
        const QString all =
            power.runCo2Kg
                ? translated("%1, %2 CO\u2082").arg(energy, quantity(*power.runCo2Kg, Unit::Kilograms, style))
                : energy;
        result.energy = translated("Energy of the run: %1").arg(all);
        result.shortEnergy = translated("Run: %1").arg(all);
        result.shortestEnergy = translated("Run: %1").arg(energy);
    } else {
        result.energyPath = QStringLiteral("power.energy_per_token_j");
        result.energy =
            translated("Energy per token: %1").arg(quantity(power.energyPerTokenJoules, Unit::Joules, style));
        result.shortEnergy = translated("%1 per token").arg(quantity(power.energyPerTokenJoules, Unit::Joules, style));
    }
    return result;
}

CostBars costBars(const GpuReport<double> &gpu, const DisplayOptions &options) {
    const CostReport<double> &cost = gpu.cost;
    const NumberStyle &style = options.style;
    const auto usd = [&](double value) { return quantity(value, Unit::Usd, style); };
    CostBars result;
    const std::array<double, costTermCount> terms{cost.gpuUsd.value_or(0),
                                                  cost.serverUsd.value_or(0),
                                                  cost.networkUsd.value_or(0),
                                                  cost.capitalUsd.value_or(0),
                                                  cost.energyUsd,
                                                  cost.coolingUsd,
                                                  cost.facilityUsd,
                                                  cost.maintenanceUsd,
                                                  cost.peopleUsd,
                                                  cost.otherUsd};
    for (std::size_t i = 0; i < costTermCount; ++i) {
        if (!(terms[i] > 0))
            continue;
        const auto term = CostTerm(i);
        result.slices.push_back({term, terms[i], nameOf(term), usd(terms[i]), pathOf(term)});
        result.totalUsd += terms[i];
    }
    if (cost.tcoUsd && cost.tcoOverGpuPrice) {
        //: %1: money, %2: a factor as 2.10
        result.heading = translated("TCO %1 = %2 \u00d7 the GPUs")
                             .arg(usd(*cost.tcoUsd), quantity(*cost.tcoOverGpuPrice, Unit::None, style));
        result.shortHeading = translated("TCO %1").arg(usd(*cost.tcoUsd));
        result.headingPath = QStringLiteral("cost.tco_usd");
    } else if (cost.tcoUsd) {
        result.heading = translated("TCO %1").arg(usd(*cost.tcoUsd));
        result.headingPath = QStringLiteral("cost.tco_usd");
    } else {
        result.heading = translated("Running cost; this GPU has no price");
        result.shortHeading = translated("Running cost, no price");
    }
    if (cost.breakEvenUtilization) {
        CostSentence sentence;
        sentence.path = QStringLiteral("cost.break_even_utilization");
        const double breakEven = *cost.breakEvenUtilization;
        NumberStyle whole = style;
        whole.significantDigits = 2;
        const QString at = quantity(breakEven, Unit::Percent, whole);
        if (options.system) {
            sentence.text = translated("Owning is cheaper above %1 utilization (planned: %2)")
                                .arg(at, quantity(options.system->utilization, Unit::Percent, whole));
            sentence.shortText = translated("Owning pays above %1 (planned: %2)")
                                     .arg(at, quantity(options.system->utilization, Unit::Percent, whole));
            sentence.tone =
                options.system->utilization > breakEven ? CostSentence::Tone::Good : CostSentence::Tone::Plain;
        } else {
            sentence.text = translated("Owning is cheaper above %1 utilization").arg(at);
        }
        result.sentences.push_back(sentence);
    } else if (cost.rentNeverBreaksEven) {
        result.sentences.push_back({translated("Renting is cheaper at any utilization"),
                                    QStringLiteral("cost.break_even_utilization"),
                                    {},
                                    {}});
    }
    if (cost.usdPerMillionTokens)
        result.sentences.push_back({translated("%1 per million tokens").arg(usd(*cost.usdPerMillionTokens)),
                                    QStringLiteral("cost.usd_per_million_tokens"),
                                    {},
                                    {}});
    if (cost.rentUsd)
        result.sentences.push_back({translated("Renting the same hours: %1").arg(usd(*cost.rentUsd)),
                                    QStringLiteral("cost.rent_usd"),
                                    {},
                                    {}});
    if (cost.capitalUsd && *cost.capitalUsd < 0)
        result.sentences.push_back(
            {translated("Less residual value over cost of capital: %1").arg(usd(-*cost.capitalUsd)),
             QStringLiteral("cost.capital_usd"),
             {},
             {}});
    return result;
}

QString nameOf(CostTerm term) {
    switch (term) {
    case CostTerm::Gpus:
        return translated("GPUs");
    case CostTerm::Server:
        return translated("Server");
    case CostTerm::Network:
        return translated("Network");
    case CostTerm::Capital:
        return translated("Capital");
    case CostTerm::Energy:
        return translated("Energy");
    case CostTerm::Cooling:
        return translated("Cooling");
    case CostTerm::Facility:
        return translated("Facility");
    case CostTerm::Maintenance:
        return translated("Maintenance");
    case CostTerm::People:
        return translated("People");
    case CostTerm::Other:
        return translated("Other");
    }
    return {};
}

QString pathOf(CostTerm term) {
    static const std::array<QString, costTermCount> keys{
        QStringLiteral("gpu"),    QStringLiteral("server"),  QStringLiteral("network"),  QStringLiteral("capital"),
        QStringLiteral("energy"), QStringLiteral("cooling"), QStringLiteral("facility"), QStringLiteral("maintenance"),
        QStringLiteral("people"), QStringLiteral("other")};
    return QStringLiteral("cost.") % keys[std::size_t(term)] % QStringLiteral("_usd");
}

} // namespace ridgepoint
