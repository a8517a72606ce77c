// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks total cost of ownership term by term, published energy bills, and buying against renting.
#include "core/report/report.h"
#include "core/scenario/file.h"

#include <QtTest>

using namespace ridgepoint;

namespace {

GpuChoice plain(const std::string &id) {
    return {id, id, {}, {}, {}, {}, {}, {}};
}

bool isNear(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

} // namespace

class TestCost : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Scenario scenario(const std::string &gpu = "nvidia-h100-sxm") const {
        Scenario s = defaultScenario(catalog_);
        s.model.shape = catalog_.model("llama-2-7b")->shape;
        s.parallelism.data = 8;
        s.hardware.gpus = {plain(gpu)};
        s.economics.preset = "colocation";
        return s;
    }
    GpuReport<double> reportOf(const Scenario &s) const { return evaluate<double>(s, catalog_).gpus.front(); }

    /// GPUs that draw their board power at work and nothing without, and no hosts: the arithmetic of a bill alone.
    Catalog bareCatalog() const {
        Catalog bare = catalog_;
        bare.general.powerActivityBase.value = 1;
        for (Gpu &gpu : bare.gpus) {
            gpu.idleWatts.value = 0;
        }
        for (EconomicsPreset &preset : bare.economics) {
            preset.hostWattsPerNode.value = 0;
        }
        return bare;
    }

private Q_SLOTS:
    void monthlyBillOfEightGpusIsThePublishedExample() {
        // 8 x 700 W, 70 % used, 730 h, 0.12 $/kWh, PUE 1.3: 2,861.6 kWh at the GPUs, 3,720.1 kWh at the meter, 446.41
        // $.
        Scenario s = scenario();
        s.economics.usdPerKwh = 0.12;
        s.economics.pue = 1.3;
        s.economics.utilization = 0.7;
        s.economics.lifetimeYears = 730.0 / 8760;
        const CostReport<double> cost = evaluate<double>(s, bareCatalog()).gpus.front().cost;
        QVERIFY(isNear(cost.energyUsd / 0.12, 2861.6));
        QVERIFY(std::abs((cost.energyUsd + cost.coolingUsd) / 0.12 - 3720.1) < 0.05);
        QVERIFY(std::abs(cost.energyUsd + cost.coolingUsd - 446.41) < 0.005);
    }

    void energyAndCoolingAreTheSiteEnergy() {
        Scenario s = scenario();
        s.economics.utilization = 1;
        s.economics.usdPerKwh = 0.08;
        s.economics.lifetimeYears = 3;
        const GpuReport<double> report = reportOf(s);
        QVERIFY(
            isNear(report.cost.energyUsd + report.cost.coolingUsd, report.power.siteWatts / 1000 * 3 * 8760 * 0.08));
    }

    void unusedHoursDrawIdlePower() {
        Scenario s = scenario();
        s.economics.usdPerKwh = 1;
        s.economics.lifetimeYears = 1;
        s.economics.utilization = 0;
        const double idle = catalog_.gpu("nvidia-h100-sxm")->idleWatts.value;
        QVERIFY(isNear(reportOf(s).cost.energyUsd, (8 * idle + 2880) / 1000 * 8760));
    }

    void aPresetsYearlyCostsGrowWithTheNodes() {
        Scenario s = scenario();
        s.hardware.networkGbitPerSecond = 400;
        const double oneNode = reportOf(s).cost.maintenanceUsd;
        QVERIFY(oneNode > 0);
        s.parallelism.data = 64;
        QVERIFY(isNear(reportOf(s).cost.maintenanceUsd, 8 * oneNode));
        s.parallelism.data = 1; // an eighth of a node
        QVERIFY(isNear(reportOf(s).cost.maintenanceUsd, oneNode / 8));
        s.economics.maintenanceUsdPerYear = 1000; // given: of the whole system
        s.economics.lifetimeYears = 2;
        QCOMPARE(reportOf(s).cost.maintenanceUsd, 2000.0);
    }

    void everyTermIsItsOwnSum() {
        Scenario s = scenario();
        s.economics.gpuUsd = 25000;
        s.economics.serverUsdPerNode = 60000;
        s.economics.networkUsdPerNode = 10000;
        s.economics.facilityUsdPerKwMonth = 150;
        s.economics.maintenanceUsdPerYear = 5000;
        s.economics.peopleUsdPerYear = 50000;
        s.economics.otherUsdPerYear = 700;
        s.economics.costOfCapital = 0.06;
        s.economics.residualFraction = 0.1;
        s.economics.lifetimeYears = 5;
        const GpuReport<double> report = reportOf(s);
        const CostReport<double> &c = report.cost;
        QCOMPARE(*c.gpuUsd, 200000.0);
        QCOMPARE(*c.serverUsd, 60000.0);
        QCOMPARE(*c.networkUsd, 10000.0);
        QCOMPARE(c.maintenanceUsd, 25000.0);
        QCOMPARE(c.peopleUsd, 250000.0);
        QCOMPARE(c.otherUsd, 3500.0);
        QVERIFY(isNear(c.facilityUsd, report.power.clusterWatts / 1000 * 150 * 60));
        QVERIFY(isNear(*c.capitalUsd, 270000 * (0.06 * 5 - 0.1)));
        const double sum = *c.gpuUsd + *c.serverUsd + *c.networkUsd + c.energyUsd + c.coolingUsd + c.facilityUsd +
                           c.maintenanceUsd + c.peopleUsd + c.otherUsd + *c.capitalUsd;
        QVERIFY(isNear(*c.tcoUsd, sum, 1e-14));
        QVERIFY(isNear(*c.tcoOverGpuPrice, sum / 200000));
        QVERIFY(isNear(*c.tcoOverSystemPrice, sum / 270000));
    }

    void tokensCarryTheWholeCost() {
        Scenario s = scenario();
        s.training.tokens = 1e12;
        s.economics.lifetimeYears = 4;
        s.economics.utilization = 0.5;
        const GpuReport<double> report = reportOf(s);
        const double lifetimeTokens = *report.time.tokensPerSecond * 4 * 8760 * 3600 * 0.5;
        QVERIFY(isNear(*report.cost.usdPerMillionTokens, *report.cost.tcoUsd / lifetimeTokens * 1e6));
        QVERIFY(isNear(*report.cost.runUsd, *report.cost.usdPerMillionTokens * 1e6));
    }

    void breakEvenIsWhereOwningCostsTheRent() {
        Scenario s = scenario();
        s.economics.rentUsdPerGpuHour = 4;
        const CostReport<double> cost = reportOf(s).cost;
        QVERIFY(cost.breakEvenUtilization.has_value());
        QVERIFY(!cost.rentNeverBreaksEven);
        s.economics.utilization = *cost.breakEvenUtilization;
        const CostReport<double> there = reportOf(s).cost;
        QVERIFY(isNear(*there.tcoUsd, *there.rentUsd));
        QVERIFY(isNear(*there.breakEvenUtilization, *cost.breakEvenUtilization));
    }

    void cheapRentNeverBreaksEven() {
        Scenario s = scenario();
        s.economics.rentUsdPerGpuHour = 0.05;
        const CostReport<double> cost = reportOf(s).cost;
        QVERIFY(!cost.breakEvenUtilization);
        QVERIFY(cost.rentNeverBreaksEven);
        QVERIFY(isNear(*cost.rentUsd, 0.05 * 8 * 4 * 8760 * 0.8));
    }

    void costsThatNeedAMissingPriceAreAbsent() {
        Scenario s = scenario("nvidia-gb200");
        const CostReport<double> unknown = reportOf(s).cost;
        QVERIFY(!unknown.gpuUsd && !unknown.tcoUsd && !unknown.capitalUsd && !unknown.tcoOverGpuPrice &&
                !unknown.tcoOverSystemPrice && !unknown.usdPerMillionTokens && !unknown.runUsd && !unknown.rentUsd &&
                !unknown.breakEvenUtilization);
        QVERIFY(!unknown.rentNeverBreaksEven);
        QVERIFY(unknown.energyUsd > 0 && unknown.serverUsd);
        s.economics.gpuUsd = 60000;
        QCOMPARE(*reportOf(s).cost.gpuUsd, 480000.0);
    }

    void smallerJobCarriesItsShareOfTheNode() {
        Scenario s = scenario();
        s.parallelism.data = 2;
        s.training.globalBatch = 0;
        s.economics.serverUsdPerNode = 80000;
        QCOMPARE(*reportOf(s).cost.serverUsd, 20000.0);
    }

    void assumptionsDecideTheRatioToTheGpuPrice() {
        // Published worked examples give 1.4 to 2.4 times the system's price; 3 to 5 times needs staff or a narrow
        // base.
        Scenario s = scenario();
        const CostReport<double> colocation = reportOf(s).cost;
        QVERIFY(*colocation.tcoOverSystemPrice > 1.3 && *colocation.tcoOverSystemPrice < 2.4);
        s.economics.preset = "own-hall";
        s.economics.peopleUsdPerYear = 100000;
        QVERIFY(*reportOf(s).cost.tcoOverGpuPrice > 3);
    }

    void tracedCostIsTheSameNumber() {
        Scenario s = scenario();
        s.training.tokens = 1e12;
        const CostReport<double> fast = reportOf(s).cost;
        const CostReport<Traced> traced = evaluate<Traced>(s, catalog_).gpus.front().cost;
        QCOMPARE(valueOf(*traced.tcoUsd), *fast.tcoUsd);
        QCOMPARE(valueOf(*traced.runUsd), *fast.runUsd);
        QCOMPARE(valueOf(*traced.breakEvenUtilization), *fast.breakEvenUtilization);
    }
};

QTEST_APPLESS_MAIN(TestCost)
#include "tst_cost.moc"
