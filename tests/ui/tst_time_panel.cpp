// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Time bars split a step, end in its total and MFU, and change their words for inference.
#include "ui/panels/time/time_bars.h"
#include "ui/panels/time/time_panel.h"

#include "tests/ui/demo_report.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

class TestTimePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partsSumToTheStep() {
        const TimeBars bars = timeBars(demo::training(), {}, {});
        for (const TimeBar &bar : bars.bars)
            QVERIFY(std::abs(std::accumulate(bar.seconds.begin(), bar.seconds.end(), 0.0) / bar.totalSeconds - 1) <
                    1e-12);
        QCOMPARE(bars.bars.front().figures.size(), std::size_t(2));
        QCOMPARE(bars.bars.front().figures[0].path, u"time.step_s"_s);
        QCOMPARE(bars.bars.front().figures[1].path, u"time.mfu"_s);
        QVERIFY(bars.bars.front().figures[1].text.endsWith(u'%'));
    }

    void legendLeavesOutWhatIsZeroEverywhere() {
        const TimeBars bars = timeBars(demo::training(), {}, {});
        QVERIFY(std::find(bars.legend.begin(), bars.legend.end(), TimePart::Bubble) == bars.legend.end());
        QVERIFY(std::find(bars.legend.begin(), bars.legend.end(), TimePart::Communication) != bars.legend.end());
    }

    void inferenceEndsInLatencies() {
        const TimeBars bars = timeBars(demo::inference(), {}, {});
        QCOMPARE(bars.bars.front().figures[0].text, u"TTFT 310 ms"_s);
        QCOMPARE(bars.bars.front().figures[1].path, u"time.time_per_output_token_s"_s);
        TimePanel panel;
        panel.setReport(demo::inference(), demo::options());
        QVERIFY(panel.title() != [] {
            TimePanel training;
            training.setReport(demo::training(), demo::options());
            return training.title();
        }());
    }

    void batchIsCalledABatch() {
        SystemFacts facts;
        facts.concurrentSequences = 16;
        const TimeWords words = timeWords(Task::Inference, facts, readingStyle());
        QCOMPARE(words.title, u"Where a batch goes"_s);
        QCOMPARE(words.subtitle, u"prefill and output of all 16 concurrent requests; TTFT is of one prompt on an idle "
                                 "engine"_s);
        facts.concurrentSequences = 1;
        QCOMPARE(timeWords(Task::Inference, facts, readingStyle()).title, u"Where a request goes"_s);
        QVERIFY(timeWords(Task::Inference, {}, readingStyle()).subtitle.contains(u"all concurrent requests"_s));
        QCOMPARE(timeWords(Task::Training, {}, readingStyle()).title, u"Where a step goes"_s);
    }

    void timesOfAGpuThatDoesNotFitAreMarkedInWords() {
        const Report<double> report = demo::training(3); // only the H200 fits
        const TimeBars bars = timeBars(report, {}, {});
        for (std::size_t i = 0; i < bars.bars.size(); ++i)
            QCOMPARE(bars.bars[i].note, report.gpus[i].fits ? QString() : u"if it fit"_s);
        QVERIFY(bars.bars[0].note != bars.bars[2].note);
        TimePanel panel;
        panel.resize(700, 250);
        panel.setReport(report, demo::options());
        QVERIFY(panel.asTable().contains(u"Fits\tno, times as if it fit\tno, times as if it fit\tyes\n"_s));
        for (const PanelSpot &spot : panel.spots())
            QCOMPARE(spot.text.endsWith(u"if it fit"_s), spot.gpuId != u"nvidia-h200-sxm"_s);
        panel.setReport(demo::inference(1), demo::options());
        QVERIFY(!panel.asTable().contains(u"Fits"_s));
    }

    void clickOnAPartPicksIt() {
        TimePanel panel;
        panel.resize(700, 250);
        panel.setReport(demo::training(), demo::options());
        QSignalSpy picked(&panel, &Panel::quantityPicked);
        const auto &spots = panel.spots();
        for (const QString &path : {u"time.breakdown.communication_s"_s, u"time.step_s"_s, u"time.mfu"_s}) {
            const auto spot =
                std::find_if(spots.begin(), spots.end(), [&](const PanelSpot &each) { return each.path == path; });
            QVERIFY2(spot != spots.end(), qPrintable(path));
            QTest::mouseClick(&panel, Qt::LeftButton, {}, spot->area.center().toPoint());
            QCOMPARE(picked.takeFirst()[1].toString(), path);
        }
    }

    void barsKeepTheirScaleWhileASliderMoves() {
        TimePanel panel;
        panel.resize(700, 250);
        DisplayOptions options = demo::options();
        panel.setReport(demo::training(1), options);
        const auto width = [&panel] {
            double right = 0;
            for (const PanelSpot &spot : panel.spots()) {
                if (spot.path == u"time.step_s"_s)
                    right = spot.area.left();
            }
            return right;
        };
        const double full = width();
        Report<double> faster = demo::training(1);
        TimeBreakdown<double> &b = faster.gpus[0].time.breakdown;
        for (double *part : {&b.computeSeconds, &b.memorySeconds, &b.communicationSeconds, &b.launchSeconds,
                             &b.optimizerSeconds, &b.totalSeconds})
            *part /= 2;
        options.dragging = true;
        panel.setReport(faster, options);
        QVERIFY(width() < full - 100);
        options.dragging = false;
        panel.setReport(faster, options);
        QVERIFY(std::abs(width() - full) < 2);
    }

    void numbersStayInsideTheCard() {
        for (const std::size_t gpus : {std::size_t(1), std::size_t(8)}) {
            for (const QSize &size : {QSize(460, 146), QSize(760, 260)}) {
                TimePanel panel;
                panel.resize(size);
                panel.setReport(demo::training(gpus), demo::options());
                for (const PanelSpot &spot : panel.spots())
                    QVERIFY2(QRectF(panel.rect()).contains(spot.area), qPrintable(spot.text));
            }
        }
    }

    void tableAndSpeechSayTheFigures() {
        TimePanel panel;
        panel.setReport(demo::inference(1), demo::options());
        QVERIFY(panel.asTable().contains(u"Memory\t2.6\n"_s));
        QVERIFY(panel.asTable().contains(u"Total\t3.11\n"_s));
        QVERIFY(panel.accessibleDescription().contains(u"Time to first token: 310 ms"_s));
        QVERIFY(panel.accessibleDescription().contains(u"most of it is Memory, 2.60 s"_s));
    }
};

QTEST_MAIN(TestTimePanel)
#include "tst_time_panel.moc"
