// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Power climbs from GPU to site, cost slices sum to the total, and the buy-or-rent sentence says when.
#include "ui/panels/power/power_bars.h"
#include "ui/panels/power/power_panel.h"

#include "tests/ui/demo_report.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

class TestPowerPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void powerClimbsFromGpuToSite() {
        GpuReport<double> gpu = demo::training(1).gpus.front();
        PowerBars bars = powerBars(gpu, demo::options());
        QCOMPARE(bars.bars.size(), std::size_t(4)); // no cluster: one node
        QCOMPARE(bars.bars[0].value, u"360 W"_s);
        QCOMPARE(bars.bars[0].note, u"nameplate 400 W"_s);
        QCOMPARE(bars.bars[1].name, u"8 GPUs"_s);
        QCOMPARE(bars.bars[1].watts, 2880.0);
        QVERIFY(std::is_sorted(bars.bars.begin(), bars.bars.end(),
                               [](const PowerBar &a, const PowerBar &b) { return a.watts < b.watts; }));
        gpu.power.clusterWatts *= 4;
        gpu.power.siteWatts *= 4;
        bars = powerBars(gpu, demo::options());
        QCOMPARE(bars.bars.size(), std::size_t(5));
        QCOMPARE(bars.bars[3].path, u"power.cluster_w"_s);
    }

    void slicesSumToTheTotalAndZeroTermsAreLeftOut() {
        const GpuReport<double> gpu = demo::training(1).gpus.front();
        const CostBars bars = costBars(gpu, demo::options());
        QVERIFY(std::abs(bars.totalUsd - *gpu.cost.tcoUsd) < 1e-6);
        QVERIFY(std::none_of(bars.slices.begin(), bars.slices.end(),
                             [](const CostSlice &slice) { return slice.term == CostTerm::Other; }));
        QCOMPARE(bars.slices.front().path, u"cost.gpu_usd"_s);
        QVERIFY(bars.heading.contains(u"2.19"_s)); // 263,200 / 120,000
    }

    void breakEvenIsASentenceWithThePlan() {
        GpuReport<double> gpu = demo::training(1).gpus.front();
        CostBars bars = costBars(gpu, demo::options());
        QCOMPARE(bars.sentences.front().text, u"Owning is cheaper above 47% utilization (planned: 80%)"_s);
        QCOMPARE(bars.sentences.front().tone, CostSentence::Tone::Good);
        gpu.cost.breakEvenUtilization.reset();
        gpu.cost.rentNeverBreaksEven = true;
        bars = costBars(gpu, demo::options());
        QCOMPARE(bars.sentences.front().text, u"Renting is cheaper at any utilization"_s);
    }

    void gpuWithoutAPriceShowsItsRunningCost() {
        GpuReport<double> gpu = demo::training(1).gpus.front();
        gpu.cost.gpuUsd.reset();
        gpu.cost.tcoUsd.reset();
        gpu.cost.tcoOverGpuPrice.reset();
        gpu.cost.breakEvenUtilization.reset();
        gpu.cost.rentUsd.reset();
        const CostBars bars = costBars(gpu, demo::options());
        QVERIFY(bars.heading.contains(u"no price"_s));
        QVERIFY(bars.headingPath.isEmpty());
        QVERIFY(std::none_of(bars.slices.begin(), bars.slices.end(),
                             [](const CostSlice &slice) { return slice.term == CostTerm::Gpus; }));
    }

    void selectorOffersTheTickedGpus() {
        PowerPanel panel;
        panel.resize(760, 260);
        panel.setReport(demo::training(3), demo::options());
        auto *selector = panel.findChild<QComboBox *>(u"power.gpu"_s);
        QVERIFY(selector && selector->isVisibleTo(&panel));
        QCOMPARE(selector->count(), 3);
        QSignalSpy chosen(&panel, &Panel::gpuSelected);
        QTest::keyClick(selector, Qt::Key_Down);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), u"nvidia-h100-sxm"_s);
        panel.setSelectedGpu(u"nvidia-h200-sxm"_s);
        QCOMPARE(selector->currentIndex(), 2);
        QVERIFY(panel.accessibleDescription().startsWith(u"NVIDIA H200 SXM"_s));
        panel.setReport(demo::training(1), demo::options());
        QVERIFY(!selector->isVisibleTo(&panel));
    }

    void everyNumberCanBePickedAndStaysInside() {
        for (const QSize &size : {QSize(460, 146), QSize(760, 260)}) {
            PowerPanel panel;
            panel.resize(size);
            panel.setReport(demo::training(2), demo::options());
            for (const QString &path : {u"power.gpu_w"_s, u"power.site_w"_s, u"cost.tco_usd"_s, u"cost.energy_usd"_s,
                                        u"cost.break_even_utilization"_s}) {
                const auto &spots = panel.spots();
                const auto spot =
                    std::find_if(spots.begin(), spots.end(), [&](const PanelSpot &each) { return each.path == path; });
                QVERIFY2(spot != spots.end(), qPrintable(path));
                QVERIFY2(QRectF(panel.rect()).contains(spot->area), qPrintable(path));
                QSignalSpy picked(&panel, &Panel::quantityPicked);
                QTest::mouseClick(&panel, Qt::LeftButton, {}, spot->area.center().toPoint());
                QCOMPARE(picked.size(), 1);
                QCOMPARE(picked[0][1].toString(), path);
            }
        }
    }

    void tableHasPowerAndCost() {
        PowerPanel panel;
        panel.setReport(demo::training(1), demo::options());
        QVERIFY(panel.asTable().contains(u"node\t5180\n"_s));
        QVERIFY(panel.asTable().contains(u"Energy\t24000\n"_s));
    }
};

QTEST_MAIN(TestPowerPanel)
#include "tst_power_panel.moc"
