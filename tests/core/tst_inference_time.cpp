// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks serving times: prefill in chunks, the mean decode step over a growing context, and the rates that follow.
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

class TestInferenceTime : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Scenario serving(const std::string &gpu = "nvidia-h100-sxm") const {
        Scenario s = defaultScenario(catalog_);
        s.model.shape = catalog_.model("llama-2-7b")->shape;
        s.task = Task::Inference;
        s.hardware.gpus = {plain(gpu)};
        s.parallelism.data = s.parallelism.tensor = s.parallelism.pipeline = 1;
        return s;
    }
    GpuReport<double> reportOf(const Scenario &s) const { return evaluate<double>(s, catalog_).gpus.front(); }

private Q_SLOTS:
    void decodeIsBoundByBandwidthAndPrefillByCompute() {
        Scenario s = serving();
        s.inference.promptTokens = 4096;
        bool sawDecode = false;
        bool sawPrefill = false;
        for (const OperationReport<double> &row : reportOf(s).roofline.operations) {
            if (row.name == "up and gate projection") {
                sawDecode = sawDecode || row.phase == Phase::Decode;
                sawPrefill = sawPrefill || row.phase == Phase::Prefill;
                QCOMPARE(row.bound, row.phase == Phase::Prefill ? Bound::Compute : Bound::Memory);
            }
        }
        QVERIFY(sawDecode && sawPrefill);
    }

    void tokenTakesAtLeastItsWeightsAndCache() {
        const Scenario s = serving();
        const TimeReport<double> time = reportOf(s).time;
        const double weights = 2.0 * (6738415616.0 - 32000.0 * 4096);
        const double cache = 2.0 * 32 * 4096 * 2 * s.inference.promptTokens;
        const double least = (weights + cache) / 3.35e12;
        QVERIFY(*time.timePerOutputTokenSeconds > least);
        QVERIFY(*time.timePerOutputTokenSeconds < 1.6 * least);
    }

    void timePerTokenIsTheMeanOverTheOutput_data() {
        QTest::addColumn<int>("window");
        QTest::addColumn<int>("every");
        QTest::newRow("full attention") << 0 << 0;
        QTest::newRow("window reached within the output") << 1030 << 0;
        QTest::newRow("window shorter than the prompt") << 512 << 0;
        QTest::newRow("every second layer windowed") << 1030 << 2;
    }
    void timePerTokenIsTheMeanOverTheOutput() {
        QFETCH(int, window);
        QFETCH(int, every);
        Scenario s = serving();
        if (window > 0) {
            s.model.shape.attentionWindow = window;
        }
        if (every > 0) {
            s.model.shape.attentionWindowEvery = every;
        }
        s.inference.concurrentSequences = 8;
        s.inference.promptTokens = 1024;
        s.inference.outputTokens = 16;
        const double mean = *reportOf(s).time.timePerOutputTokenSeconds;
        double sum = 0;
        for (int j = 1; j <= 16; ++j) {
            Scenario step = s;
            step.inference.promptTokens = 1024 + j - 1;
            step.inference.outputTokens = 1;
            sum += *reportOf(step).time.timePerOutputTokenSeconds;
        }
        QVERIFY(isNear(mean, sum / 16));
    }

    void idleEnginePrefillsOnePrompt() {
        Scenario s = serving();
        const TimeReport<double> one = reportOf(s).time;
        QCOMPARE(*one.timeToFirstTokenSeconds, *one.prefillSeconds);
        s.inference.concurrentSequences = 12;
        const TimeReport<double> many = reportOf(s).time;
        QVERIFY(isNear(*many.timeToFirstTokenSeconds, *one.timeToFirstTokenSeconds));
        QVERIFY(*many.prefillSeconds > 10 * *one.prefillSeconds);
        QVERIFY(*many.prefillSeconds < 12 * *one.prefillSeconds); // 4 prompts share a chunk
    }

    void chunksCoverThePrompt() {
        Scenario s = serving();
        s.inference.promptTokens = 5000;
        s.inference.prefillChunkTokens = 8192;
        const auto flops = [this](const Scenario &scenario) {
            double sum = 0;
            for (const OperationReport<double> &row : reportOf(scenario).roofline.operations) {
                if (row.phase == Phase::Prefill && row.name != "output head") {
                    sum += row.count * row.flops;
                }
            }
            return sum;
        };
        const double whole = flops(s);
        double previous = *reportOf(s).time.timeToFirstTokenSeconds;
        for (const double chunk : {2500.0, 1024.0, 300.0}) {
            s.inference.prefillChunkTokens = chunk;
            QVERIFY(isNear(flops(s), whole));
            const double seconds = *reportOf(s).time.timeToFirstTokenSeconds;
            QVERIFY(seconds > previous); // weights are read once for each chunk
            previous = seconds;
        }
    }

    void ratesFollowFromTheTimes() {
        Scenario s = serving();
        s.parallelism.data = 3;
        s.inference.concurrentSequences = 20;
        const TimeReport<double> t = reportOf(s).time;
        const double prompt = s.inference.promptTokens;
        const double output = s.inference.outputTokens;
        const double whole = *t.prefillSeconds + output * *t.timePerOutputTokenSeconds;
        QVERIFY(isNear(*t.prefillTokensPerSecond, 3 * 20 * prompt / *t.prefillSeconds));
        QVERIFY(isNear(*t.decodeTokensPerSecond, 3 * 20 / *t.timePerOutputTokenSeconds));
        QVERIFY(isNear(*t.outputTokensPerSecond, 3 * 20 * output / whole));
        QVERIFY(isNear(*t.requestsPerSecond, 3 * 20 / whole));
        const TimeBreakdown<double> &b = t.breakdown;
        QVERIFY(isNear(b.totalSeconds, whole));
        QVERIFY(isNear(b.computeSeconds + b.memorySeconds + b.communicationSeconds + b.bubbleSeconds + b.launchSeconds +
                           b.optimizerSeconds + b.inputSeconds,
                       whole));
    }

    void oneWayDegreesCommunicateNothing() { QCOMPARE(reportOf(serving()).time.breakdown.communicationSeconds, 0.0); }

    void tensorParallelismDividesTheWeightsAndAddsAllReduces() {
        Scenario s = serving();
        const TimeReport<double> one = reportOf(s).time;
        s.parallelism.tensor = 4;
        const GpuReport<double> four = reportOf(s);
        QVERIFY(*four.time.timePerOutputTokenSeconds < *one.timePerOutputTokenSeconds);
        QVERIFY(*four.time.timePerOutputTokenSeconds > *one.timePerOutputTokenSeconds / 4);
        double allReduces = 0;
        for (const OperationReport<double> &row : four.roofline.operations) {
            if (row.phase == Phase::Communication) {
                allReduces += row.name == "tensor-parallel all-reduce, decode" ? row.count : 0;
            }
        }
        QCOMPARE(allReduces, 2.0 * 32 + 1);
    }

    void pipelineStagesRunOneAfterAnother() {
        Scenario s = serving();
        const TimeReport<double> one = reportOf(s).time;
        s.parallelism.pipeline = 4;
        const TimeReport<double> four = reportOf(s).time;
        QVERIFY(isNear(four.breakdown.computeSeconds + four.breakdown.memorySeconds,
                       one.breakdown.computeSeconds + one.breakdown.memorySeconds));
        QVERIFY(*four.timePerOutputTokenSeconds > *one.timePerOutputTokenSeconds);
    }

    void fewerBitsDecodeFaster() {
        Scenario s = serving();
        double previous = *reportOf(s).time.timePerOutputTokenSeconds;
        for (const char *format : {"fp8", "int4-g128"}) {
            s.inference.weights = format;
            const double seconds = *reportOf(s).time.timePerOutputTokenSeconds;
            QVERIFY(seconds < previous);
            previous = seconds;
        }
    }

    void batchingIsNearlyFreeUntilTheRidge() {
        Scenario s = serving();
        s.inference.promptTokens = 128;
        s.inference.outputTokens = 1;
        const double one = *reportOf(s).time.timePerOutputTokenSeconds;
        s.inference.concurrentSequences = 32;
        const double many = *reportOf(s).time.timePerOutputTokenSeconds;
        QVERIFY(many < 1.6 * one);
    }

    void engineOverheadsCount() {
        Scenario s = serving();
        s.inference.concurrentSequences = 100;
        const double generic = reportOf(s).time.breakdown.launchSeconds;
        s.inference.engine = "vllm";
        const double vllm = reportOf(s).time.breakdown.launchSeconds;
        const Engine &engine = *catalog_.engine("vllm");
        QVERIFY(vllm - generic > s.inference.outputTokens * 100 * 0.9 * (engine.secondsPerSequence.value - 3e-6));
    }

    void starvedPrefillWaitsForItsPrompts() {
        Scenario s = serving();
        const TimeReport<double> fed = reportOf(s).time;
        s.hardware.inputTokensPerSecond = *fed.prefillTokensPerSecond / 2;
        const TimeReport<double> starved = reportOf(s).time;
        QVERIFY(isNear(*starved.prefillSeconds, 2 * *fed.prefillSeconds));
        QVERIFY(isNear(*starved.timeToFirstTokenSeconds, 2 * *fed.timeToFirstTokenSeconds));
        QVERIFY(isNear(starved.breakdown.inputSeconds, *fed.prefillSeconds));
    }

    void tracedTimesAreTheSameNumbers() {
        Scenario s = serving("nvidia-b200-sxm");
        s.parallelism.tensor = 2;
        s.parallelism.pipeline = 2;
        s.model.shape.attentionWindow = 1000;
        s.inference.concurrentSequences = 9;
        const TimeReport<double> fast = reportOf(s).time;
        const TimeReport<Traced> traced = evaluate<Traced>(s, catalog_).gpus.front().time;
        QCOMPARE(valueOf(*traced.timeToFirstTokenSeconds), *fast.timeToFirstTokenSeconds);
        QCOMPARE(valueOf(*traced.timePerOutputTokenSeconds), *fast.timePerOutputTokenSeconds);
        QCOMPARE(valueOf(*traced.outputTokensPerSecond), *fast.outputTokensPerSecond);
        QCOMPARE(valueOf(traced.breakdown.totalSeconds), fast.breakdown.totalSeconds);
    }
};

QTEST_APPLESS_MAIN(TestInferenceTime)
#include "tst_inference_time.moc"
