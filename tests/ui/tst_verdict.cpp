// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict says how many sequences fit, and that the speeds of a GPU that cannot run it are none.
#include "ui/shell/verdict.h"

#include "tests/ui/demo_report.h"

#include <QTest>

#include <algorithm>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

class TestVerdict : public QObject {
    Q_OBJECT

    static Scenario serving() {
        Scenario scenario;
        scenario.task = Task::Inference;
        scenario.inference.concurrentSequences = 16;
        scenario.inference.promptTokens = 2048;
        scenario.inference.outputTokens = 512;
        scenario.inference.memoryFraction = 0.9;
        return scenario;
    }
    static QString nextOf(const Report<double> &report) { return verdictOf(report, serving(), 0, readingStyle()).next; }

private Q_SLOTS:
    void servingSaysHowManySequencesFit() {
        Report<double> report = demo::inference(1);
        report.gpus[0].memory.maxConcurrentSequences = 1412;
        QCOMPARE(nextOf(report), u"42.8 GB left; 1,412 sequences of 2,560 tokens fit at a memory share of 90%."_s);
        report.gpus[0].memory.maxConcurrentSequences.reset();
        QCOMPARE(nextOf(report), u"42.8 GB left."_s);
    }

    void fewerThanAskedIsSaidEvenWhereTheTotalFits() {
        Report<double> report = demo::inference(1);
        report.gpus[0].memory.maxConcurrentSequences = 12;
        QVERIFY(report.gpus[0].fits);
        QCOMPARE(nextOf(report),
                 u"42.8 GB left; only 12 of 16 sequences of 2,560 tokens fit at a memory share of 90%."_s);
        report.gpus[0].fits = false;
        QVERIFY(nextOf(report).startsWith(u"Only 12 of 16 sequences of 2,560 tokens fit at a memory share of 90%. "_s));
    }

    void noSequenceAtAllNamesTheLongest() {
        Report<double> report = demo::inference(1);
        report.gpus[0].fits = false;
        report.gpus[0].memory.maxConcurrentSequences = 0;
        report.gpus[0].memory.maxSequenceTokens = 1024;
        QVERIFY(nextOf(report).startsWith(
            u"No sequence of 2,560 tokens fits at a memory share of 90%, one alone up to 1,024 tokens. "_s));
    }

    void trainingSaysNothingOfSequences() {
        Scenario scenario;
        const Verdict verdict = verdictOf(demo::training(4), scenario, 2, readingStyle());
        QVERIFY(verdict.next.startsWith(u"26.1 GB left. "_s));
    }

    void speedsOfAGpuThatDoesNotFitAreMarked() {
        const Scenario scenario;
        const Report<double> report = demo::training(3);
        const auto isSpeed = [](const Figure &figure) {
            return figure.path.startsWith(u"time."_s) || figure.path == u"cost.usd_per_million_tokens"_s;
        };
        for (std::size_t gpu = 0; gpu < report.gpus.size(); ++gpu) {
            const Verdict verdict = verdictOf(report, scenario, gpu, readingStyle());
            QVERIFY(std::any_of(verdict.figures.begin(), verdict.figures.end(), isSpeed));
            for (const Figure &figure : verdict.figures)
                QCOMPARE(figure.note == u"if it fit"_s, isSpeed(figure) && !report.gpus[gpu].fits);
        }
    }
};

QTEST_MAIN(TestVerdict)
#include "tst_verdict.moc"
