// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks time under every kind of parallelism, adapters, recomputation and offloading: what each term must be, and laws
// that hold in any scenario.
#include "core/model/parameters.h"
#include "core/performance/groups.h"
#include "core/performance/model_flops.h"
#include "core/report/report.h"
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

#include <fmt/format.h>

#include <QtTest>

#include <random>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const Catalog instance = builtInCatalog().catalog;
    return instance;
}

GpuChoice plain(const std::string &id) {
    return {id, id, {}, {}, {}, {}, {}, {}};
}

Scenario llama(const std::string &gpu = "nvidia-h100-sxm") {
    Scenario s = defaultScenario(catalog());
    s.model.shape = catalog().model("llama-2-7b")->shape;
    s.model.source = ModelChoice::Source::Explicit;
    s.hardware.gpus = {plain(gpu)};
    s.hardware.networkGbitPerSecond = 3200;
    return s;
}

/// Eight experts, two of them active, as wide as the dense MLP.
Scenario mixture() {
    Scenario s = llama();
    s.model.shape.experts = Experts{.count = 8, .active = 2, .ffn = 11008};
    return s;
}

GpuReport<double> reportOf(const Scenario &s) {
    return evaluate<double>(s, catalog()).gpus.front();
}

const OperationReport<double> *find(const GpuReport<double> &report, std::string_view name, Phase phase) {
    for (const OperationReport<double> &row : report.roofline.operations) {
        if (row.name == name && row.phase == phase) {
            return &row;
        }
    }
    return nullptr;
}

double sumOf(const TimeBreakdown<double> &b) {
    return b.computeSeconds + b.memorySeconds + b.communicationSeconds + b.bubbleSeconds + b.launchSeconds +
           b.optimizerSeconds + b.inputSeconds;
}

bool isNear(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

/// A valid scenario of training or serving, of any kind that time distinguishes.
Scenario randomScenario(std::mt19937 &random) {
    const auto pick = [&random](std::initializer_list<int> of) {
        return *(of.begin() + static_cast<int>(random() % of.size()));
    };
    const auto often = [&random](int oneIn) { return random() % static_cast<unsigned>(oneIn) == 0; };
    for (;;) {
        Scenario s = often(3) ? mixture() : llama(often(2) ? "nvidia-a100-sxm-80gb" : "nvidia-b200-sxm");
        Parallelism &p = s.parallelism;
        p.tensor = pick({1, 1, 2, 4, 8});
        p.data = pick({1, 2, 4, 8, 16});
        s.task = often(4) ? Task::Inference : Task::Training;
        if (s.task == Task::Training) {
            p.pipeline = pick({1, 1, 2, 4});
            p.context = pick({1, 1, 2});
            p.sharding = static_cast<Sharding>(pick({0, 1, 2, 3, 4}));
            p.schedule = static_cast<Schedule>(pick({0, 1}));
            if (p.pipeline > 1 && often(2)) {
                p.schedule = Schedule::Interleaved;
                p.virtualStages = pick({2, 4});
            }
            p.offload = static_cast<Offload>(often(4) ? pick({1, 2, 3}) : 0);
            s.training.microBatch = pick({1, 2});
            s.training.globalBatch = s.training.microBatch * p.data * pick({4, 8, 16});
            s.training.recompute = static_cast<Recompute>(pick({0, 1, 2, 3, 4}));
            s.training.recomputeLayers = pick({1, 4});
            s.training.fusedKernels = often(2);
            if (often(4)) {
                s.training.lora = Lora{};
                s.training.lora->base = often(2) ? "nf4" : "bf16";
            }
        }
        if (s.model.shape.experts) {
            p.expert = pick({1, 2, 4, 8});
        }
        if (p.world() <= 8) {
            s.hardware.gpusPerNode = 8;
        }
        if (checkScenario(s, catalog()).empty()) {
            return s;
        }
    }
}

} // namespace

class TestParallelTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupsArePlacedTensorThenContextThenDataThenPipeline() {
        Parallelism p;
        p.tensor = 2;
        p.context = 4;
        p.data = 8;
        p.pipeline = 3;
        p.expert = 8;
        const Groups g = groupsOf(p, true);
        QCOMPARE(g.context.stride, 2);
        QCOMPARE(g.data.ranks, 32);
        QCOMPARE(g.data.stride, 2);
        QCOMPARE(g.pipeline.stride, 64);
        QCOMPARE(g.expert.stride, 2); // the tensor degree inside an expert
        QCOMPARE(g.expertData.ranks, 4);
        QCOMPARE(g.expertData.stride, 16);
    }

    void equalStagesHaveTheTextbookBubble_data() {
        QTest::addColumn<int>("chunks");
        QTest::newRow("1F1B") << 1;
        QTest::newRow("interleaved") << 4;
    }
    void equalStagesHaveTheTextbookBubble() {
        QFETCH(int, chunks);
        Scenario s = llama();
        s.model.shape.vocabulary = 1; // the ends weigh nothing
        s.parallelism.pipeline = 4;
        s.parallelism.schedule = chunks > 1 ? Schedule::Interleaved : Schedule::OneForwardOneBackward;
        s.parallelism.virtualStages = chunks;
        s.training.globalBatch = 16;
        const TimeBreakdown<double> b = reportOf(s).time.breakdown;
        const double work = b.computeSeconds + b.memorySeconds + b.launchSeconds;
        QVERIFY(isNear(b.bubbleSeconds, work * 3 / (16.0 * chunks), 0.01));
    }

    void theBubbleOfUnevenStagesIsTheOthersTime() {
        Scenario s = llama();
        s.model.shape.vocabulary = 1;
        s.parallelism.pipeline = 2;
        s.training.globalBatch = 8;
        s.parallelism.layersPerStage = {24, 8};
        const TimeBreakdown<double> b = reportOf(s).time.breakdown;
        QVERIFY(isNear(b.bubbleSeconds * 8, (b.computeSeconds + b.memorySeconds) / 3, 0.01));
    }

    void chunkedWindowsEndAtTheirChunk() {
        // Two chunks of 4 of a sequence of 8: each half of a 4 x 4 square.
        QVERIFY(isNear(attendedShare(8, 0, 4, true), (8.0 + 8.0) / (8 * 4)));
        // The last two tokens of the second chunk see 3 and 4 keys, the diagonal by half.
        QVERIFY(isNear(attendedShare(2, 6, 4, true), (2.5 + 3.5) / (2 * 4)));
        QVERIFY(attendedShare(4096, 4096, 1024, true) < attendedShare(4096, 4096, 1024, false));
    }

    void aMixtureCountsItsActiveExperts() {
        const Scenario dense = llama();
        Scenario s = mixture();
        s.model.shape.experts->active = 1;
        const auto flops = [](const Scenario &of) {
            const TimeReport<double> t = reportOf(of).time;
            return *t.modelFlopsPerSecondPerGpu / *t.tokensPerSecondPerGpu;
        };
        const double router = 6.0 * 32 * 4096 * 8;
        QVERIFY(isNear(flops(s), flops(dense) + router));
    }

    void expertsAcrossNodesExchangeOverTheNetwork() {
        Scenario s = mixture();
        s.parallelism.data = 8;
        s.parallelism.expert = 8;
        s.training.globalBatch = 64;
        const auto perExchange = [](const Scenario &of) {
            const GpuReport<double> report = reportOf(of);
            return find(report, "experts' all-to-all", Phase::Communication)->timeSeconds;
        };
        const double inside = perExchange(s);
        s.hardware.gpusPerNode = 4;
        QVERIFY(perExchange(s) > 2 * inside); // 4/7 of it at a quarter of the rate
    }

    void fewTokensReadFewExperts() {
        Scenario s = mixture();
        s.task = Task::Inference;
        s.inference.concurrentSequences = 1;
        const GpuReport<double> report = reportOf(s);
        const OperationReport<double> *down = find(report, "experts' down projection", Phase::Decode);
        const double weights = 2.0 * 2 * 11008 * 4096; // two of eight experts, 16 bits
        QVERIFY(down->bytes > weights && down->bytes < weights * 1.01);
    }

    void contextRanksHideTheirExchangeBehindAttention() {
        Scenario s = llama();
        s.training.sequenceLength = 131072;
        s.parallelism.context = 8;
        const GpuReport<double> longer = reportOf(s);
        QVERIFY(find(longer, "keys and values around the context ring", Phase::Communication) != nullptr);
        s.training.sequenceLength = 8192; // too short to hide anything across a slow network
        s.hardware.gpusPerNode = 1;
        s.hardware.networkGbitPerSecond = 50;
        const GpuReport<double> shorter = reportOf(s);
        const double longShare = longer.time.breakdown.communicationSeconds / *longer.time.stepSeconds;
        const double shortShare = shorter.time.breakdown.communicationSeconds / *shorter.time.stepSeconds;
        QVERIFY(longShare < 0.02 && shortShare > 0.2);
    }

    void hybridShardingGathersInsideTheNode() {
        Scenario s = llama();
        s.parallelism.data = 16;
        s.training.globalBatch = 16;
        s.hardware.networkGbitPerSecond = 100;
        s.parallelism.sharding = Sharding::Parameters;
        const GpuReport<double> whole = reportOf(s);
        s.parallelism.sharding = Sharding::Hybrid;
        const GpuReport<double> hybrid = reportOf(s);
        QVERIFY(find(hybrid, "gradient all-reduce across nodes", Phase::Communication) != nullptr);
        QVERIFY(find(hybrid, "weight all-gather", Phase::Communication)->timeSeconds <
                find(whole, "weight all-gather", Phase::Communication)->timeSeconds / 2);
        QVERIFY(*hybrid.time.stepSeconds < *whole.time.stepSeconds);
    }

    void anOffloadedOptimizerStepsAtTheHostsRate() {
        Scenario s = llama();
        s.parallelism.offload = Offload::Optimizer;
        const GpuReport<double> report = reportOf(s);
        const double parameters = countParameters(s.model.shape).total;
        const double step = parameters / (catalog().general.hostAdamParametersPerSecond.value / 8);
        const double back = find(report, "weights from the host", Phase::Communication)->timeSeconds;
        QVERIFY(isNear(report.time.breakdown.optimizerSeconds, step + back, 0.01));
    }

    void adaptersTrainFasterThanAllWeights() {
        Scenario s = llama();
        const double full = *reportOf(s).time.stepSeconds;
        s.training.lora = Lora{};
        const GpuReport<double> adapted = reportOf(s);
        QVERIFY(*adapted.time.stepSeconds < full);
        QVERIFY(find(adapted, "up and gate projection", Phase::Backward)->flops ==
                find(adapted, "up and gate projection", Phase::Forward)->flops);
        s.training.lora->base = "nf4";
        QVERIFY(*reportOf(s).time.stepSeconds > *adapted.time.stepSeconds); // expanded before each use
    }

    void perOperationRecomputationRunsEverySecondMultiplication() {
        Scenario s = llama();
        s.training.recompute = Recompute::SelectiveOps;
        const TimeReport<double> t = reportOf(s).time;
        // Of q, k, v, output, gate, up and down: k, output and up.
        const double again = 2.0 * 32 * (4096.0 * 4096 + 4096.0 * 4096 + 4096.0 * 11008);
        QVERIFY(
            isNear((*t.hardwareFlopsPerSecondPerGpu - *t.modelFlopsPerSecondPerGpu) / *t.tokensPerSecondPerGpu, again));
    }

    void recomputedLayersCountOneByOne() {
        Scenario s = llama();
        s.training.framework = "megatron-core";
        const double none = *reportOf(s).time.stepSeconds;
        s.training.recompute = Recompute::Full;
        const double full = *reportOf(s).time.stepSeconds;
        s.training.recompute = Recompute::FullLayers;
        s.training.recomputeLayers = 8;
        QVERIFY(isNear(*reportOf(s).time.stepSeconds, none + (full - none) / 4));
    }

    void lawsHoldInRandomScenarios() {
        std::mt19937 random(4);
        for (int i = 0; i < 400; ++i) {
            Scenario s = randomScenario(random);
            const GpuReport<double> report = reportOf(s);
            const TimeBreakdown<double> &b = report.time.breakdown;
            QVERIFY(isNear(sumOf(b), b.totalSeconds));
            for (const OperationReport<double> &row : report.roofline.operations) {
                QVERIFY(!row.attainableFlopsPerSecond ||
                        row.flops <= *row.attainableFlopsPerSecond * row.timeSeconds * (1 + 1e-9));
            }
            if (s.parallelism.world() == 1 && s.parallelism.offload == Offload::None) {
                QCOMPARE(b.communicationSeconds, 0.0);
                QCOMPARE(b.bubbleSeconds, 0.0);
            }
            GpuChoice &gpu = s.hardware.gpus.front();
            gpu.id = "faster";
            gpu.bandwidthBytesPerSecond = catalog().gpu(gpu.base)->bandwidthBytesPerSecond.value * 2;
            const std::string which = fmt::format("d{} t{} p{} c{} e{} sharding {} offload {} m {}", s.parallelism.data,
                                                  s.parallelism.tensor, s.parallelism.pipeline, s.parallelism.context,
                                                  s.parallelism.expert, static_cast<int>(s.parallelism.sharding),
                                                  static_cast<int>(s.parallelism.offload), s.training.globalBatch);
            QVERIFY2(reportOf(s).time.breakdown.totalSeconds <= b.totalSeconds * (1 + 1e-9), which.c_str());
            gpu = plain(gpu.base);
            s.hardware.networkGbitPerSecond = *s.hardware.networkGbitPerSecond * 2;
            QVERIFY(reportOf(s).time.breakdown.totalSeconds <= b.totalSeconds * (1 + 1e-9));
        }
    }

    void everyTermOfAnyScenarioIsExplained() {
        std::mt19937 random(7);
        for (int i = 0; i < 40; ++i) {
            const Scenario s = randomScenario(random);
            const double plainSeconds = reportOf(s).time.breakdown.totalSeconds;
            const Report<Traced> traced = evaluate<Traced>(s, catalog());
            QVERIFY(isNear(valueOf(traced.gpus.front().time.breakdown.totalSeconds), plainSeconds));
        }
    }
};

QTEST_APPLESS_MAIN(TestParallelTime)
#include "tst_parallel_time.moc"
