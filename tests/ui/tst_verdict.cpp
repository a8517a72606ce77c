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
        report.gpus[0].memory.headroomBytes = -10e9;
        QVERIFY(nextOf(report).contains(u"Only 12 of 16 sequences of 2,560 tokens fit at a memory share of 90%. "_s));
    }

    void noSequenceAtAllNamesTheLongest() {
        Report<double> report = demo::inference(1);
        report.gpus[0].fits = false;
        report.gpus[0].memory.maxConcurrentSequences = 0;
        report.gpus[0].memory.maxSequenceTokens = 1024;
        report.gpus[0].memory.headroomBytes = -10e9;
        QVERIFY(nextOf(report).contains(
            u"No sequence of 2,560 tokens fits at a memory share of 90%, one alone up to 1,024 tokens. "_s));
    }

    void whatFitsNamesTheLongestAlone() {
        Report<double> report = demo::inference(1);
        report.gpus[0].memory.maxConcurrentSequences = 40;
        report.gpus[0].memory.maxSequenceTokens = 39154;
        QVERIFY(nextOf(report).contains(
            u"40 sequences of 2,560 tokens fit at a memory share of 90%, one alone up to 39,154 tokens."_s));
    }

    void missingBytesAreNamedPerGpu() {
        const Report<double> report = demo::training(1);
        Scenario scenario;
        QVERIFY(verdictOf(report, scenario, 0, readingStyle()).next.startsWith(u"Short by 38.7 GB. "_s));
        scenario.parallelism.data = 8;
        const Verdict verdict = verdictOf(report, scenario, 0, readingStyle());
        QVERIFY(verdict.next.startsWith(u"Short by 38.7 GB per GPU. "_s));
        QVERIFY(verdict.tip.contains(u"reserved, with the allocator's slack: 123.8 GB = 115.3 GiB"_s));
    }

    void servingNamesTheObstacle() {
        const auto obstacle = [](double weights, double cache, double workspace) {
            Report<double> report = demo::inference(1);
            GpuReport<double> &gpu = report.gpus[0];
            StageMemory<double> &stage = gpu.memory.stages[0];
            stage[MemoryComponent::Weights] = weights;
            stage[MemoryComponent::KvCache] = cache;
            stage[MemoryComponent::Workspace] = workspace;
            stage.contextBytes = 0.6e9;
            stage.totalBytes = weights + cache + workspace + 0.6e9;
            gpu.memory.headroomBytes = 77e9 - stage.totalBytes;
            gpu.fits = false;
            return nextOf(report);
        };
        QVERIFY(obstacle(141e9, 43e9, 1e9).contains(u"The weights alone take 141.0 GB of 77.0 GB."_s));
        QVERIFY(obstacle(70.5e9, 21.5e9, 1e9)
                    .contains(u"The cache is the obstacle: it needs 21.5 GB, and 4.90 GB are left for it."_s));
        QVERIFY(obstacle(70e9, 1e9, 8e9).contains(u"The reserve is the obstacle: "_s));
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
