// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the roofline: ridge points, what bounds an operation, small work, and that no roof is ever exceeded.
#include "core/performance/operation_time.h"
#include "core/performance/performance.h"
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

#include <QtTest>

#include <random>

using namespace ridgepoint;

namespace {

GpuChoice plain(const std::string &id) {
    return {id, id, {}, {}, {}, {}, {}, {}};
}

/// A large matrix multiplication that moves as many bytes as give it the intensity.
Operation<double> multiplication(double intensity) {
    Operation<double> op;
    op.name = "multiplication";
    op.kind = OperationKind::MatMul;
    op.m = op.n = op.k = 8192;
    op.forwardFlops = 2 * op.m * op.n * op.k;
    op.readBytes = op.forwardFlops / intensity;
    op.outputElements = op.m * op.n;
    return op;
}

} // namespace

class TestRoofline : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Scenario scenario(const std::string &gpu) const {
        Scenario s = defaultScenario(catalog_);
        s.hardware.gpus = {plain(gpu)};
        return s;
    }
    GpuReport<double> reportOf(const Scenario &s) const { return evaluate<double>(s, catalog_).gpus.front(); }
    Machine<double> machine(const std::string &gpu) const {
        const Scenario s = scenario(gpu);
        return machineOf<double>(resolve(s, *catalog_.gpu(gpu), catalog_));
    }

    Scenario randomScenario(std::mt19937 &random) const {
        const auto pick = [&random](auto... values) {
            const std::array all{values...};
            return all[random() % all.size()];
        };
        Scenario s = defaultScenario(catalog_);
        const ModelPreset &model = catalog_.models[random() % catalog_.models.size()];
        s.model.reference = model.id;
        s.model.shape = model.shape;
        s.task = pick(Task::Training, Task::Inference);
        s.training.microBatch = pick(1, 2, 8);
        s.training.sequenceLength = pick(128, 512, 2048);
        s.training.recompute = pick(Recompute::None, Recompute::Selective, Recompute::Full);
        s.training.attention = s.inference.attention = pick(AttentionKernel::Flash, AttentionKernel::Materialized);
        s.training.fusedKernels = pick(false, true);
        s.training.framework = catalog_.frameworks[random() % catalog_.frameworks.size()].id;
        s.inference.engine = catalog_.engines[random() % catalog_.engines.size()].id;
        s.inference.weights = pick("bf16", "fp8", "int4-g128");
        s.inference.concurrentSequences = pick(1, 7, 64, 300);
        s.inference.promptTokens = pick(1, 33, 700, 900);
        s.inference.outputTokens = pick(1, 100);
        s.inference.prefillChunkTokens = pick(64, 512, 8192);
        s.parallelism.tensor = pick(1, 2, 4);
        s.parallelism.pipeline = pick(1, 2);
        s.parallelism.data = pick(1, 2, 8);
        s.parallelism.sharding = pick(Sharding::None, Sharding::Optimizer, Sharding::Gradients, Sharding::Parameters);
        s.training.globalBatch = s.training.microBatch * s.parallelism.data * pick(1, 3);
        s.hardware.networkGbitPerSecond = 400;
        s.hardware.gpus = {plain(catalog_.gpus[random() % catalog_.gpus.size()].id)};
        return s;
    }

private Q_SLOTS:
    void a100RidgePointIs153() {
        const RooflineReport<double> roofline = reportOf(scenario("nvidia-a100-sxm-80gb")).roofline;
        QCOMPARE(std::round(roofline.ridgeFlopPerByte), 153.0);
        QCOMPARE(roofline.bandwidthBytesPerSecond, 2039e9);
        QCOMPARE(*roofline.peaks[static_cast<std::size_t>(ComputeFormat::Fp16)], 312e12);
        QCOMPARE(*roofline.peaks[static_cast<std::size_t>(ComputeFormat::Bf16)], 312e12);
        QVERIFY(!roofline.peaks[static_cast<std::size_t>(ComputeFormat::Fp8)]);
    }

    void intensity32IsMemoryBoundAnd256CanBeComputeBound() {
        const Machine<double> a100 = machine("nvidia-a100-sxm-80gb");
        const auto boundAt = [&](double intensity) {
            const Operation<double> op = multiplication(intensity);
            const OperationReport<double> row =
                rowOf(op, Phase::Forward, 1, forwardTime<double>(op, a100, {}, 1.0), a100);
            if (std::abs(*row.intensityFlopPerByte - intensity) > 1e-9) {
                return Bound::Latency;
            }
            return row.bound;
        };
        QCOMPARE(boundAt(32), Bound::Memory);
        QCOMPARE(boundAt(256), Bound::Compute);
    }

    void attainableIsTheRoofAboveTheIntensity() {
        const Machine<double> a100 = machine("nvidia-a100-sxm-80gb");
        const auto attainable = [&](double intensity) {
            const Operation<double> op = multiplication(intensity);
            return *rowOf(op, Phase::Forward, 1, forwardTime<double>(op, a100, {}, 1.0), a100).attainableFlopsPerSecond;
        };
        QCOMPARE(attainable(32), 32 * 2039e9);
        QCOMPARE(attainable(256), 312e12);
    }

    void smallOutputLeavesALargeCardIdle() {
        Operation<double> op;
        op.kind = OperationKind::MatMul;
        op.m = op.n = 128;
        op.k = 1024;
        op.forwardFlops = 2 * op.m * op.n * op.k;
        op.readBytes = 2 * (op.m + op.n) * op.k;
        op.writtenBytes = 2 * op.m * op.n;
        op.outputElements = op.m * op.n;
        QCOMPARE(op.outputElements, 16384.0);
        const Machine<double> h100 = machine("nvidia-h100-sxm");
        const OperationReport<double> row = rowOf(op, Phase::Forward, 1, forwardTime<double>(op, h100, {}, 1.0), h100);
        QCOMPARE(1 / *row.occupancy, 132 * 2048 / 16384.0); // 16.5: a large card wants about 16 times as many threads
        QCOMPARE(*row.smUtilization, 1 / 132.0);
        QCOMPARE(row.bound, Bound::Latency);
    }

    void largerBatchLeavesLatencyBehind() {
        const Machine<double> h100 = machine("nvidia-h100-sxm");
        double previous = 0;
        for (const double tokens : {1.0, 16.0, 256.0, 4096.0}) {
            Operation<double> op = multiplication(1);
            op.m = tokens;
            op.forwardFlops = 2 * op.m * op.n * op.k;
            op.readBytes = 2 * (op.m * op.k + op.m * op.n + op.n * op.k);
            const OperationTime<double> time = forwardTime<double>(op, h100, {}, 1.0);
            const double rate = time.flops / time.seconds;
            QVERIFY(rate > previous);
            previous = rate;
        }
        QVERIFY(previous > 0.6 * 989.4e12); // large multiplications reach 0.69 to 0.83 of the peak in published runs
        QVERIFY(previous < 0.83 * 989.4e12);
    }

    void backwardOfALinearIsTwoForwards() {
        const Machine<double> a100 = machine("nvidia-a100-sxm-80gb");
        const Operation<double> op = multiplication(1000);
        const OperationTime<double> forward = forwardTime<double>(op, a100, {}, 1.0);
        const OperationTime<double> backward = backwardTime<double>(op, a100, {}, 1.0);
        QCOMPARE(backward.flops, 2 * forward.flops);
        QCOMPARE(backward.bytes, 2 * forward.bytes);
        QVERIFY(std::abs(backward.seconds / forward.seconds - 2) < 1e-9);
    }

    void flashAttentionComputesOnlyWhatTheMaskLeaves() {
        Scenario s = scenario("nvidia-h100-sxm");
        const auto attention = [](const GpuReport<double> &report, Phase phase) {
            for (const OperationReport<double> &row : report.roofline.operations) {
                if (row.name == "attention" && row.phase == phase) {
                    return row;
                }
            }
            return OperationReport<double>{};
        };
        const GpuReport<double> flash = reportOf(s);
        const double square =
            4.0 * s.training.sequenceLength * s.training.sequenceLength * s.model.shape.hidden * s.training.microBatch;
        QCOMPARE(attention(flash, Phase::Forward).flops, square / 2);
        QCOMPARE(attention(flash, Phase::Backward).flops, square / 2 * 2.5);
        s.training.attention = AttentionKernel::Materialized;
        const GpuReport<double> materialized = reportOf(s);
        QCOMPARE(attention(materialized, Phase::Forward).flops, square);
        QVERIFY(attention(materialized, Phase::Forward).bytes > 10 * attention(flash, Phase::Forward).bytes);
        QCOMPARE(attention(materialized, Phase::Forward).bound, Bound::Memory);
    }

    void attentionKeepsSixteenBitsUnderNarrowCompute() {
        Scenario s = scenario("nvidia-h100-sxm");
        s.training.compute = ComputeFormat::Fp8;
        const GpuReport<double> report = reportOf(s);
        QCOMPARE(report.roofline.compute, ComputeFormat::Fp8);
        for (const OperationReport<double> &row : report.roofline.operations) {
            if (row.name == "attention") {
                QVERIFY(*row.attainableFlopsPerSecond <=
                        *report.roofline.peaks[static_cast<std::size_t>(ComputeFormat::Bf16)]);
            }
        }
    }

    void roofsFollowThePowerLimit() {
        Scenario s = scenario("nvidia-h100-sxm");
        const GpuReport<double> full = reportOf(s);
        s.hardware.powerLimitWatts = 400;
        const GpuReport<double> capped = reportOf(s);
        const Gpu &gpu = *catalog_.gpu("nvidia-h100-sxm");
        const double share = std::pow((400 - gpu.idleWatts.value) / (700 - gpu.idleWatts.value), 0.33);
        QCOMPARE(capped.roofline.ridgeFlopPerByte, full.roofline.ridgeFlopPerByte * share);
        QVERIFY(*capped.time.stepSeconds > *full.time.stepSeconds);
        QVERIFY(*capped.time.stepSeconds < *full.time.stepSeconds / share);
    }

    void rooflineIsNeverExceeded() {
        std::mt19937 random(20260101);
        int evaluated = 0;
        for (int i = 0; i < 3000; ++i) {
            const Scenario s = randomScenario(random);
            if (!checkScenario(s, catalog_).empty()) {
                continue;
            }
            ++evaluated;
            for (const OperationReport<double> &row : reportOf(s).roofline.operations) {
                QVERIFY2(row.timeSeconds > 0 && std::isfinite(row.timeSeconds), row.name.data());
                QVERIFY(row.count > 0);
                if (row.flops > 0) {
                    QVERIFY2(row.flops / row.timeSeconds <= *row.attainableFlopsPerSecond, row.name.data());
                }
                QVERIFY(!row.smUtilization || (*row.smUtilization > 0 && *row.smUtilization <= 1));
            }
        }
        QVERIFY(evaluated > 500);
    }

    void doublingBandwidthIsNeverSlower() {
        std::mt19937 random(7);
        int evaluated = 0;
        for (int i = 0; i < 600; ++i) {
            Scenario s = randomScenario(random);
            if (!checkScenario(s, catalog_).empty()) {
                continue;
            }
            ++evaluated;
            const double before = reportOf(s).time.breakdown.totalSeconds;
            GpuChoice &choice = s.hardware.gpus.front();
            choice.id = "faster";
            choice.bandwidthBytesPerSecond = 2 * catalog_.gpu(choice.base)->bandwidthBytesPerSecond.value;
            QVERIFY(reportOf(s).time.breakdown.totalSeconds <= before * (1 + 1e-12));
        }
        QVERIFY(evaluated > 100);
    }
};

QTEST_APPLESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
