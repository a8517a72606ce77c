// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the training step: FLOPs by convention, bubble, collectives, overlap, host, input, and that the parts sum to
// the whole.
#include "core/model/parameters.h"
#include "core/performance/model_flops.h"
#include "core/report/report.h"
#include "core/scenario/file.h"

#include <QtTest>

using namespace ridgepoint;

namespace {

GpuChoice plain(const std::string &id) {
    return {id, id, {}, {}, {}, {}, {}, {}};
}

const OperationReport<double> *find(const GpuReport<double> &report, std::string_view name) {
    for (const OperationReport<double> &row : report.roofline.operations) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

bool isNear(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

} // namespace

class TestStepTime : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Scenario llama(const std::string &gpu = "nvidia-h100-sxm") const {
        Scenario s = defaultScenario(catalog_);
        s.model.shape = catalog_.model("llama-2-7b")->shape;
        s.hardware.gpus = {plain(gpu)};
        return s;
    }

    /// GPT-3 175B as in Narayanan et al. 2021, table 1 and section 5.
    Scenario gpt3() const {
        Scenario s = defaultScenario(catalog_);
        TransformerShape shape;
        shape.layers = 96;
        shape.hidden = 12288;
        shape.heads = shape.kvHeads = 96;
        shape.headDim = 128;
        shape.ffn = 4 * 12288;
        shape.vocabulary = 51200;
        shape.gatedMlp = false;
        shape.tiedEmbeddings = true;
        shape.norm = NormKind::LayerNorm;
        shape.biases = Biases::All;
        shape.positions = Positions::Learned;
        s.model.source = ModelChoice::Source::Explicit;
        s.model.shape = shape;
        s.training.sequenceLength = 2048;
        s.training.microBatch = 1;
        s.training.globalBatch = 64;
        s.training.recompute = Recompute::Full;
        s.training.attention = AttentionKernel::Materialized;
        s.training.dropout = true;
        s.training.framework = "megatron";
        s.parallelism.tensor = 8;
        s.parallelism.pipeline = 8;
        s.parallelism.sequenceParallel = false;
        s.hardware.networkGbitPerSecond = 1600;
        s.hardware.gpus = {plain("nvidia-a100-sxm-80gb")};
        return s;
    }

    GpuReport<double> reportOf(const Scenario &s, FlopConvention convention = FlopConvention::Model) const {
        return evaluate<double>(s, catalog_, {.convention = convention}).gpus.front();
    }

    static double sumOf(const TimeBreakdown<double> &b) {
        return b.computeSeconds + b.memorySeconds + b.communicationSeconds + b.bubbleSeconds + b.launchSeconds +
               b.optimizerSeconds + b.inputSeconds;
    }

private Q_SLOTS:
    void hardwareFlopsAreNarayanansFormula() {
        const Scenario s = gpt3();
        const TimeReport<double> time = reportOf(s).time;
        const double B = 64, l = 96, h = 12288, V = 51200, length = 2048;
        const double published = 96 * B * length * l * h * h * (1 + length / (6 * h) + V / (16 * l * h));
        QVERIFY(isNear(*time.hardwareFlopsPerSecondPerGpu * 64 * *time.stepSeconds, published));
    }

    void gpt3StepIsNearThePublishedOne() {
        // Korthikanti et al. 2022, table 5: 175B, t = p = 8, batch 64, full recomputation: 18.13 s an iteration.
        // They interleave 3 chunks per stage; without it the bubble is 7/64 where theirs is 7/192.
        const TimeBreakdown<double> b = reportOf(gpt3()).time.breakdown;
        const double interleaved = b.totalSeconds - b.bubbleSeconds * 2 / 3;
        QVERIFY(interleaved > 18.13 * 0.75 && interleaved < 18.13 * 1.25);
    }

    void modelFlopsFollowTheConvention() {
        Scenario s = llama();
        const double parameters = countParameters(s.model.shape).total;
        const double matrices = matmulParameters(s.model.shape);
        const double attention = 4.0 * s.training.sequenceLength * 4096 * 32;
        const auto perToken = [&](FlopConvention convention) {
            const TimeReport<double> time = reportOf(s, convention).time;
            return *time.modelFlopsPerSecondPerGpu / *time.tokensPerSecondPerGpu;
        };
        QVERIFY(isNear(perToken(FlopConvention::Model), 6 * matrices + 3 * attention));
        QVERIFY(isNear(perToken(FlopConvention::Causal), 6 * matrices + 1.5 * attention));
        QVERIFY(isNear(perToken(FlopConvention::SixN), 6 * parameters));
    }

    void tiedHeadStillCounts() {
        Scenario s = llama();
        s.model.shape.tiedEmbeddings = false;
        const auto untied = reportOf(s).time;
        s.model.shape.tiedEmbeddings = true;
        const auto tied = reportOf(s).time;
        QVERIFY(isNear(*tied.modelFlopsPerSecondPerGpu / *tied.tokensPerSecondPerGpu,
                       *untied.modelFlopsPerSecondPerGpu / *untied.tokensPerSecondPerGpu));
    }

    void attendedShareCountsWhatTheMaskLeaves_data() {
        QTest::addColumn<double>("queries");
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("window");
        QTest::newRow("whole sequence") << 4096.0 << 0.0 << 0.0;
        QTest::newRow("chunk after cached tokens") << 512.0 << 1536.0 << 0.0;
        QTest::newRow("window") << 4096.0 << 0.0 << 1024.0;
        QTest::newRow("window within a chunk") << 1024.0 << 512.0 << 768.0;
        QTest::newRow("window shorter than the cache") << 512.0 << 4096.0 << 1024.0;
    }
    void attendedShareCountsWhatTheMaskLeaves() {
        QFETCH(double, queries);
        QFETCH(double, before);
        QFETCH(double, window);
        double pairs = 0;
        for (double i = 1; i <= queries; ++i) {
            pairs +=
                std::min(before + i, window > 0 ? window : 1e18) - 0.5; // the diagonal counts by half, as in s x s / 2
        }
        const double keys = window > 0 ? std::min(window, before + queries) : before + queries;
        QVERIFY(std::abs(attendedShare(queries, before, window) - pairs / (queries * keys)) < 1e-3);
    }

    void mfuLeavesRecomputationOut() {
        Scenario s = llama();
        const TimeReport<double> kept = reportOf(s).time;
        QCOMPARE(*kept.hfu, *kept.mfu);
        s.training.recompute = Recompute::Full;
        const TimeReport<double> recomputed = reportOf(s).time;
        QVERIFY(*recomputed.stepSeconds > *kept.stepSeconds);
        QVERIFY(*recomputed.mfu < *kept.mfu);
        const double ratio = *recomputed.hfu / *recomputed.mfu;
        QVERIFY(ratio > 1.3 && ratio < 4.0 / 3); // a third more, less the head
        QVERIFY(*recomputed.hfu < 1);
    }

    void bubbleIsStagesLessOneOverMicroBatches() {
        Scenario s = llama();
        s.model.shape.vocabulary = 1; // stages are equal without the ends
        s.parallelism.data = 1;
        s.parallelism.pipeline = 4;
        s.training.globalBatch = 16;
        const TimeBreakdown<double> b = reportOf(s).time.breakdown;
        QVERIFY(isNear(b.bubbleSeconds, 3.0 / 16 * (b.computeSeconds + b.memorySeconds), 0.01));
        s.training.globalBatch = 64;
        const TimeBreakdown<double> more = reportOf(s).time.breakdown;
        QVERIFY(isNear(more.bubbleSeconds, b.bubbleSeconds));
        s.parallelism.pipeline = 1;
        QCOMPARE(reportOf(s).time.breakdown.bubbleSeconds, 0.0);
    }

    void oneWayDegreesCommunicateNothing() {
        Scenario s = llama();
        s.parallelism.data = s.parallelism.tensor = s.parallelism.pipeline = 1;
        for (const Sharding sharding :
             {Sharding::None, Sharding::Optimizer, Sharding::Gradients, Sharding::Parameters}) {
            s.parallelism.sharding = sharding;
            const GpuReport<double> report = reportOf(s);
            QCOMPARE(report.time.breakdown.communicationSeconds, 0.0);
            for (const OperationReport<double> &row : report.roofline.operations) {
                QVERIFY(row.phase != Phase::Communication);
            }
        }
    }

    void gradientAllReduceIsTheRingFormula() {
        Scenario s = llama();
        s.parallelism.data = 8;
        const GpuReport<double> report = reportOf(s);
        const OperationReport<double> *row = find(report, "gradient all-reduce");
        QVERIFY(row != nullptr);
        const double gradients = 6738415616.0 * 2;
        const Efficiency &e = catalog_.gpu("nvidia-h100-sxm")->efficiency;
        QVERIFY(isNear(row->bytes, 2 * 7.0 / 8 * gradients));
        QVERIFY(isNear(row->timeSeconds, row->bytes / (450e9 * e.linkShare.value) + 14 * e.linkLatencySeconds.value));
        QCOMPARE(row->flops, 0.0);
        QCOMPARE(row->bound, Bound::Communication);
    }

    void groupsUseTheWiresBetweenThem() {
        Scenario s = llama();
        const auto gradientSeconds = [&](const std::string &gpu, int data, double networkGbit) {
            s.hardware.gpus = {plain(gpu)};
            s.parallelism.data = data;
            s.training.globalBatch = 0;
            s.hardware.networkGbitPerSecond = networkGbit;
            const GpuReport<double> report = reportOf(s);
            return find(report, "gradient all-reduce")->timeSeconds;
        };
        // Two A100 PCIe share a bridge; eight go over PCIe.
        QVERIFY(gradientSeconds("nvidia-a100-pcie-80gb", 8, 1600) >
                8 * gradientSeconds("nvidia-a100-pcie-80gb", 2, 1600));
        // Beyond the node the network decides, and never beats the link.
        const double inside = gradientSeconds("nvidia-h100-sxm", 8, 400);
        const double between = gradientSeconds("nvidia-h100-sxm", 16, 400);
        QVERIFY(between > 5 * inside);
        QVERIFY(gradientSeconds("nvidia-h100-sxm", 16, 1e6) > inside);
        // A rack's domain reaches across nodes.
        QVERIFY(gradientSeconds("nvidia-gb200", 64, 400) < 2 * gradientSeconds("nvidia-gb200", 8, 400));
    }

    void narrowerNodeShareMeansSlowerDataParallelism() {
        Scenario s = llama();
        s.parallelism.data = 4;
        s.parallelism.tensor = 8;
        s.hardware.networkGbitPerSecond = 400;
        const GpuReport<double> report = reportOf(s);
        const OperationReport<double> *row = find(report, "gradient all-reduce");
        // One rank of each group in a node: an eighth of its network.
        const double rate = 400e9 / 8 * catalog_.general.networkShare.value / 8;
        QVERIFY(isNear(row->timeSeconds, row->bytes / rate + 6 * catalog_.general.networkLatencySeconds.value, 1e-6));
    }

    void shardingMovesTheSameGradientsAndMoreWeights() {
        Scenario s = llama();
        s.parallelism.data = 8;
        s.parallelism.sharding = Sharding::Optimizer;
        const GpuReport<double> optimizer = reportOf(s);
        QVERIFY(isNear(find(optimizer, "gradient reduce-scatter")->bytes, 7.0 / 8 * 2 * 6738415616.0));
        QVERIFY(isNear(find(optimizer, "weight all-gather")->bytes, 7.0 / 8 * 2 * 6738415616.0));
        QCOMPARE(find(optimizer, "weight all-gather")->count, 1.0);
        QVERIFY(optimizer.time.breakdown.optimizerSeconds < reportOf(llama()).time.breakdown.optimizerSeconds / 7);
        s.parallelism.sharding = Sharding::Parameters;
        s.training.globalBatch = 16;
        const GpuReport<double> parameters = reportOf(s);
        QCOMPARE(find(parameters, "weight all-gather")->count, 4.0); // 2 micro-batches, forward and backward
        QCOMPARE(find(parameters, "gradient reduce-scatter")->count, 2.0);
    }

    void tensorParallelCollectivesMirrorInBackward() {
        Scenario s = llama();
        s.parallelism.data = 1;
        s.parallelism.tensor = 4;
        s.parallelism.sequenceParallel = false;
        s.training.globalBatch = 2;
        GpuReport<double> report = reportOf(s);
        const OperationReport<double> *row = find(report, "tensor-parallel all-reduce");
        QCOMPARE(row->count, 2.0 * 2 * (2 * 32 + 1)); // 2 micro-batches, both ways, two a layer and the embedding
        QVERIFY(isNear(row->bytes, 2 * 3.0 / 4 * s.training.microBatch * s.training.sequenceLength * 4096 * 2));
        QVERIFY(isNear(report.time.breakdown.communicationSeconds, row->count * row->timeSeconds));
        s.training.framework = "megatron-core";
        report = reportOf(s);
        row = find(report, "tensor-parallel all-reduce");
        QVERIFY(isNear(report.time.breakdown.communicationSeconds,
                       catalog_.framework("megatron-core")->exposedTensorCommunication.value * row->count *
                           row->timeSeconds));
        s.parallelism.sequenceParallel = true;
        const GpuReport<double> split = reportOf(s);
        QVERIFY(find(split, "tensor-parallel all-reduce") == nullptr);
        QVERIFY(isNear(find(split, "tensor-parallel all-gather")->bytes, row->bytes / 2));
        QCOMPARE(find(split, "tensor-parallel all-gather")->count,
                 find(split, "tensor-parallel reduce-scatter")->count);
    }

    void optimizerStepIsItsTrafficOverTheBandwidth() {
        Scenario s = llama();
        s.parallelism.data = 1;
        s.training.recipe = "megatron-bf16"; // fp32 gradients: 4 + 2 x 4 + 2 x 8 + 2 = 30 bytes per parameter
        const GpuReport<double> report = reportOf(s);
        QVERIFY(isNear(find(report, "optimizer step")->bytes, 30 * 6738415616.0));
        s.training.optimizer = "sgd"; // 4 + 2 x 4 + 2
        const GpuReport<double> plainSgd = reportOf(s);
        QVERIFY(isNear(find(plainSgd, "optimizer step")->bytes, 14 * 6738415616.0));
    }

    void breakdownSumsToTheStep() {
        Scenario s = gpt3();
        s.hardware.inputTokensPerSecond = 1000;
        for (const FlopConvention convention : {FlopConvention::Model, FlopConvention::SixN}) {
            const TimeReport<double> time = reportOf(s, convention).time;
            QVERIFY(isNear(sumOf(time.breakdown), *time.stepSeconds, 1e-14));
            QCOMPARE(time.breakdown.totalSeconds, *time.stepSeconds);
        }
    }

    void rowsAddUpToComputeAndMemoryTime() {
        Scenario s = llama();
        s.training.recompute = Recompute::Full;
        const GpuReport<double> report = reportOf(s);
        double sum = 0;
        for (const OperationReport<double> &row : report.roofline.operations) {
            if (row.phase == Phase::Forward || row.phase == Phase::Backward || row.phase == Phase::Recompute) {
                sum += row.count * row.timeSeconds;
            }
        }
        QVERIFY(isNear(sum, report.time.breakdown.computeSeconds + report.time.breakdown.memorySeconds));
    }

    void starvedStepTakesAsLongAsItsInput() {
        Scenario s = llama();
        const TimeReport<double> fed = reportOf(s).time;
        s.hardware.inputTokensPerSecond = *fed.tokensPerSecond / 3;
        const TimeReport<double> starved = reportOf(s).time;
        QVERIFY(isNear(*starved.stepSeconds, 3 * *fed.stepSeconds));
        QVERIFY(isNear(starved.breakdown.inputSeconds, 2 * *fed.stepSeconds));
        QVERIFY(isNear(*starved.mfu, *fed.mfu / 3));
        s.hardware.inputTokensPerSecond = *fed.tokensPerSecond * 2;
        QCOMPARE(reportOf(s).time.breakdown.inputSeconds, 0.0);
    }

    void hostDecidesSmallWorkOnly() {
        Scenario s = llama();
        QCOMPARE(reportOf(s).time.breakdown.launchSeconds, 0.0);
        s.training.framework = "transformers";
        s.training.sequenceLength = 16;
        const TimeBreakdown<double> small = reportOf(s).time.breakdown;
        QVERIFY(small.launchSeconds > small.computeSeconds);
    }

    void slowestStageSetsThePace() {
        Scenario s = llama();
        s.parallelism.data = 1;
        s.parallelism.pipeline = 2;
        s.training.globalBatch = 8;
        s.parallelism.layersPerStage = {16, 16};
        const double even = *reportOf(s).time.stepSeconds;
        s.parallelism.layersPerStage = {8, 24};
        // 8 x 3/4 + 1/4 of the whole work against 8 x 1/2 + 1/2.
        QVERIFY(*reportOf(s).time.stepSeconds > 1.35 * even);
        QVERIFY(find(reportOf(s), "output head") != nullptr); // the last stage decides
        s.parallelism.layersPerStage = {24, 8};
        QVERIFY(find(reportOf(s), "output head") == nullptr);
    }

    void runTakesItsTokens() {
        Scenario s = llama();
        s.training.tokens = 2e12;
        const TimeReport<double> time = reportOf(s).time;
        QVERIFY(isNear(*time.runSeconds, 2e12 / *time.tokensPerSecond));
        s.training.tokens.reset();
        QVERIFY(!reportOf(s).time.runSeconds);
    }

    void tracedStepIsTheSameNumber() {
        for (const Scenario &s : {gpt3(), llama("nvidia-rtx-4090")}) {
            const GpuReport<double> fast = reportOf(s);
            const GpuReport<Traced> traced = evaluate<Traced>(s, catalog_).gpus.front();
            QCOMPARE(valueOf(*traced.time.stepSeconds), *fast.time.stepSeconds);
            QCOMPARE(valueOf(*traced.time.mfu), *fast.time.mfu);
            QCOMPARE(traced.roofline.operations.size(), fast.roofline.operations.size());
        }
    }
};

QTEST_APPLESS_MAIN(TestStepTime)
#include "tst_step_time.moc"
