// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks power from board to site and the energies that follow.
#include "core/report/report.h"
#include "core/scenario/checks.h"
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

class TestPower : public QObject {
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

private Q_SLOTS:
    void eightH100DrawFivePointSixKilowatts() {
        const PowerReport<double> power = reportOf(scenario()).power;
        QCOMPARE(power.nameplateWatts, 700.0);
        QCOMPARE(8 * power.nameplateWatts, 5600.0);
    }

    void wholeNodeIsOnePointFiveToOnePointEightTimesItsGpus() {
        const PowerReport<double> power = reportOf(scenario()).power;
        QCOMPARE(power.gpusInNode, 8);
        const double ratio = power.nodeWatts / (8 * power.gpuWatts);
        QVERIFY2(ratio > 1.5 && ratio < 1.8, qPrintable(QString::number(ratio)));
    }

    void siteIsClusterTimesPue() {
        Scenario s = scenario();
        s.parallelism.data = 32;
        s.economics.pue = 1.25;
        s.training.globalBatch = 0;
        const PowerReport<double> power = reportOf(s).power;
        QCOMPARE(power.clusterWatts, 4 * power.nodeWatts);
        QCOMPARE(power.siteWatts, 1.25 * power.clusterWatts);
    }

    void smallerJobCarriesItsShareOfTheHost() {
        Scenario s = scenario();
        s.parallelism.data = 2;
        s.training.globalBatch = 0;
        const PowerReport<double> power = reportOf(s).power;
        QCOMPARE(power.gpusInNode, 2);
        QVERIFY(isNear(power.nodeWatts, 2 * power.gpuWatts + 2880.0 * 2 / 8));
        QCOMPARE(power.clusterWatts, power.nodeWatts);
    }

    void powerStaysBetweenIdleAndLimit() {
        for (const Gpu &gpu : catalog_.gpus) {
            for (const Task task : {Task::Training, Task::Inference}) {
                Scenario s = scenario(gpu.id);
                s.task = task;
                s.training.recipe = "mixed-fp16";
                s.inference.weights = "fp16";
                if (!checkScenario(s, catalog_).empty()) {
                    continue;
                }
                const double watts = reportOf(s).power.gpuWatts;
                QVERIFY2(watts > gpu.idleWatts.value && watts <= gpu.boardWatts.value, gpu.id.c_str());
            }
        }
    }

    void limitHolds() {
        Scenario s = scenario();
        s.hardware.powerLimitWatts = 400;
        const PowerReport<double> power = reportOf(s).power;
        QVERIFY(power.gpuWatts <= 400);
        QCOMPARE(power.nameplateWatts, 700.0);
    }

    void cappedGpuDoesMorePerJoule() {
        Scenario s = scenario();
        const double full = reportOf(s).power.energyPerTokenJoules;
        s.hardware.powerLimitWatts = 500;
        QVERIFY(reportOf(s).power.energyPerTokenJoules < full);
    }

    void starvedGpuDrawsTowardsIdle() {
        Scenario s = scenario();
        s.hardware.inputTokensPerSecond = 1;
        const double idle = catalog_.gpu("nvidia-h100-sxm")->idleWatts.value;
        QVERIFY(std::abs(reportOf(s).power.gpuWatts / idle - 1) < 0.05);
    }

    void decodingDrawsLessThanTraining() {
        Scenario s = scenario();
        const double training = reportOf(s).power.gpuWatts;
        s.task = Task::Inference;
        QVERIFY(reportOf(s).power.gpuWatts < 0.85 * training);
    }

    void energiesAreSitePowerTimesTime() {
        Scenario s = scenario();
        s.training.tokens = 1e9;
        s.economics.gridKgCo2PerKwh = 0.4;
        const GpuReport<double> report = reportOf(s);
        const PowerReport<double> &power = report.power;
        QVERIFY(isNear(*power.energyPerStepJoules, power.siteWatts * *report.time.stepSeconds));
        QVERIFY(isNear(power.energyPerTokenJoules, power.siteWatts / *report.time.tokensPerSecond));
        QVERIFY(isNear(*power.runEnergyKwh * 3.6e6, power.energyPerTokenJoules * 1e9));
        QVERIFY(isNear(*power.runCo2Kg, 0.4 * *power.runEnergyKwh));
    }

    void servingHasNoStepAndNoRun() {
        Scenario s = scenario();
        s.task = Task::Inference;
        const GpuReport<double> report = reportOf(s);
        QVERIFY(!report.power.energyPerStepJoules && !report.power.runEnergyKwh && !report.power.runCo2Kg);
        QVERIFY(isNear(report.power.energyPerTokenJoules, report.power.siteWatts / *report.time.outputTokensPerSecond));
    }
};

QTEST_APPLESS_MAIN(TestPower)
#include "tst_power.moc"
