// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of a rank: the founding numbers of seven billion parameters, sharding laws, instants, stages, the cache.
#include "tests/core/scenarios.h"

#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::testing;
using nlohmann::json;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

double part(const GpuReport<double> &report, MemoryComponent component) {
    return report.memory.worst()[component];
}

GpuReport<double> sharded(const char *recipe, const char *sharding, int data) {
    json s = sevenBillion({{"recipe", recipe}});
    s["parallelism"] = {{"data", data}, {"sharding", sharding}};
    return reportOf(s);
}

json serving(json inference, const char *gpu = "nvidia-a100-sxm-80gb") {
    return {{"model", {{"parameters", 7e9}}},
            {"task", "inference"},
            {"inference", std::move(inference)},
            {"hardware", {{"gpus", {gpu}}}}};
}

} // namespace

class Memory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mixedPrecisionAdamOfSevenBillionIs112GB();
    void itDoesNotFitOne80GBCardButServesOn40();
    void trainingCostsEightTimesInference();
    void sgdWithoutMomentumIs56GB();
    void weightsByFormat_data();
    void weightsByFormat();
    void bytesPerParameterByRecipe_data();
    void bytesPerParameterByRecipe();
    void bytesPerParameterByShardingStage_data();
    void bytesPerParameterByShardingStage();
    void eightWayFsdpStateIs13GiBPerRank();
    void optimizerStates_data();
    void optimizerStates();
    void activationsGrowWithBatchAndSequenceAndRecomputeShrinksThem();
    void cacheOfOneRequestOf2048TokensIsOneGiB();
    void groupedQueriesShrinkTheCacheAndTensorRanksReplicateIt();
    void aWindowCapsTheCache();
    void theCacheGetsWhatSlackAndContextLeave();
    void partsSumToTotals();
    void theLossIsAPeakOfItsOwn();
    void earlyStagesHoldMoreMicroBatches();
    void gradientsThatAreConsumedAtOnceNeverAddUp();
    void enginesThatPreallocateMustFitTheirShare();
};

void Memory::mixedPrecisionAdamOfSevenBillionIs112GB() {
    const auto report = reportOf(sevenBillion({{"recipe", "mixed-bf16"}, {"optimizer", "adamw"}}));
    QCOMPARE(part(report, MemoryComponent::Weights), 14.0e9);
    QCOMPARE(part(report, MemoryComponent::Gradients), 14.0e9);
    QCOMPARE(part(report, MemoryComponent::MasterWeights), 28.0e9);
    QCOMPARE(part(report, MemoryComponent::OptimizerStates), 56.0e9);
    QCOMPARE(report.memory.worst().modelStatesBytes, 112.0e9);
    QCOMPARE(std::round(report.memory.worst().modelStatesBytes / gib * 100) / 100, 104.31);
    QCOMPARE(part(report, MemoryComponent::OptimizerStates) / part(report, MemoryComponent::Weights), 4.0);
}

void Memory::itDoesNotFitOne80GBCardButServesOn40() {
    QVERIFY(!reportOf(sevenBillion()).fits);
    QVERIFY(reportOf(serving({{"weights", "fp16"}}, "nvidia-a100-sxm-40gb")).fits);
    QVERIFY(reportOf(serving({{"weights", "fp16"}}, "nvidia-a100-sxm-80gb")).fits);
    // A quantized 13B serves on 24 GB.
    json thirteen = serving({{"weights", "int4-g128"}}, "nvidia-rtx-4090");
    thirteen["model"] = {{"preset", "llama-2-13b"}};
    QVERIFY(reportOf(thirteen).fits);
}

void Memory::trainingCostsEightTimesInference() {
    const double training = reportOf(sevenBillion()).memory.worst().modelStatesBytes;
    const double half = part(reportOf(serving({{"weights", "fp16"}})), MemoryComponent::Weights);
    const double bareFourBit = part(reportOf(serving({{"weights", "int4"}})), MemoryComponent::Weights);
    const double realFourBit = part(reportOf(serving({{"weights", "int4-g128"}})), MemoryComponent::Weights);
    QCOMPARE(training / half, 8.0);
    QCOMPARE(training / bareFourBit, 32.0);
    QCOMPARE(bareFourBit, 3.5e9);
    QVERIFY2(realFourBit > 3.8e9 && realFourBit < 4.2e9, qPrintable(QString::number(realFourBit)));
}

void Memory::sgdWithoutMomentumIs56GB() {
    QCOMPARE(reportOf(sevenBillion({{"optimizer", "sgd"}})).memory.worst().modelStatesBytes, 56.0e9);
}

void Memory::weightsByFormat_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<double>("gibibytes");
    QTest::newRow("fp32") << QStringLiteral("fp32") << 26.08;
    QTest::newRow("bf16") << QStringLiteral("bf16") << 13.04;
    QTest::newRow("int8") << QStringLiteral("int8") << 6.52;
}

void Memory::weightsByFormat() {
    QFETCH(QString, format);
    QFETCH(double, gibibytes);
    const auto report = reportOf(serving({{"weights", format.toStdString()}}));
    QCOMPARE(std::round(part(report, MemoryComponent::Weights) / gib * 100) / 100, gibibytes);
}

void Memory::bytesPerParameterByRecipe_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<double>("bytes");
    const std::pair<const char *, double> rows[] = {{"fp32", 16},          {"mixed-fp16", 16}, {"mixed-bf16", 16},
                                                    {"megatron-bf16", 18}, {"fsdp-bf16", 16},  {"autocast-bf16", 16},
                                                    {"pure-bf16", 8}};
    for (const auto &[recipe, bytes] : rows) {
        QTest::newRow(recipe) << QString::fromLatin1(recipe) << bytes;
    }
}

void Memory::bytesPerParameterByRecipe() {
    QFETCH(QString, recipe);
    QFETCH(double, bytes);
    QCOMPARE(reportOf(sevenBillion({{"recipe", recipe.toStdString()}})).memory.worst().modelStatesBytes / 7e9, bytes);
}

void Memory::bytesPerParameterByShardingStage_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("sharding");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<double>("bytes");
    for (const int n : {2, 8}) {
        const auto row = [n](const char *recipe, const char *sharding, double bytes) {
            QTest::addRow("%s, %s over %d", recipe, sharding, n)
                << QString::fromLatin1(recipe) << QString::fromLatin1(sharding) << n << bytes;
        };
        row("mixed-bf16", "none", 16);
        row("mixed-bf16", "optimizer", 4 + 12.0 / n);
        row("mixed-bf16", "gradients", 2 + 14.0 / n);
        row("mixed-bf16", "parameters", 16.0 / n);
        row("megatron-bf16", "optimizer", 6 + 12.0 / n);
        row("fsdp-bf16", "parameters", 16.0 / n);
    }
}

void Memory::bytesPerParameterByShardingStage() {
    QFETCH(QString, recipe);
    QFETCH(QString, sharding);
    QFETCH(int, ranks);
    QFETCH(double, bytes);
    const auto report = sharded(qPrintable(recipe), qPrintable(sharding), ranks);
    QVERIFY(qAbs(report.memory.worst().modelStatesBytes / 7e9 - bytes) < 1e-9);
}

void Memory::eightWayFsdpStateIs13GiBPerRank() {
    const auto report = sharded("mixed-bf16", "parameters", 8);
    QCOMPARE(std::round(report.memory.worst().modelStatesBytes / gib * 100) / 100, 13.04);
    QVERIFY(part(report, MemoryComponent::GatheredWeights) > 0);
}

void Memory::optimizerStates_data() {
    QTest::addColumn<QString>("optimizer");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::newRow("AdamW: two fp32 moments") << QStringLiteral("adamw") << 8.0 << 8.0;
    QTest::newRow("AdamW in bf16") << QStringLiteral("adamw-bf16") << 4.0 << 4.0;
    // 1 + 1 bytes and block constants of 4 per 256 and state; embeddings and small tensors at 8.
    QTest::newRow("8-bit Adam") << QStringLiteral("adamw-8bit") << 2.03125 << 2.4;
    QTest::newRow("Adafactor: rows and columns") << QStringLiteral("adafactor") << 0.0005 << 0.01;
    QTest::newRow("Lion: one moment") << QStringLiteral("lion") << 4.0 << 4.0;
    QTest::newRow("Muon: one on matrices, two elsewhere") << QStringLiteral("muon") << 4.0 << 4.3;
    QTest::newRow("SGD") << QStringLiteral("sgd") << 0.0 << 0.0;
    QTest::newRow("SGD with momentum") << QStringLiteral("sgd-momentum") << 4.0 << 4.0;
}

void Memory::optimizerStates() {
    QFETCH(QString, optimizer);
    QFETCH(double, least);
    QFETCH(double, most);
    const auto report = reportOf(sevenBillion({{"optimizer", optimizer.toStdString()}}));
    const double bytes = part(report, MemoryComponent::OptimizerStates) / 7e9;
    QVERIFY2(bytes >= least && bytes <= most, qPrintable(QString::number(bytes)));
}

void Memory::activationsGrowWithBatchAndSequenceAndRecomputeShrinksThem() {
    const auto activations = [](json training) {
        const auto report = reportOf(sevenBillion(std::move(training)));
        return report.memory.worst().components[static_cast<std::size_t>(MemoryComponent::Activations)] +
               report.memory.worst().components[static_cast<std::size_t>(MemoryComponent::Logits)];
    };
    const double once = activations({{"sequence_length", 2048}});
    QVERIFY(activations({{"sequence_length", 4096}}) > 1.9 * once);
    QVERIFY(activations({{"sequence_length", 2048}, {"micro_batch", 2}}) > 1.9 * once);
    QVERIFY(activations({{"sequence_length", 2048}, {"recompute", "full"}}) < once / 4);
}

void Memory::cacheOfOneRequestOf2048TokensIsOneGiB() {
    json s = serving({{"kv_cache", "fp16"}, {"prompt_tokens", 1792}, {"output_tokens", 256}});
    s["model"] = {{"preset", "llama-2-7b"}}; // 32 layers, hidden 4096
    const auto report = reportOf(s);
    QCOMPARE(part(report, MemoryComponent::KvCache), gib);
    QCOMPARE(*report.memory.kvCacheBytesPerToken, 524288.0);
    s["inference"]["concurrent_sequences"] = 32;
    const auto many = reportOf(s);
    QCOMPARE(part(many, MemoryComponent::KvCache), 32 * gib);
    QVERIFY(part(many, MemoryComponent::KvCache) > part(many, MemoryComponent::Weights));
}

void Memory::groupedQueriesShrinkTheCacheAndTensorRanksReplicateIt() {
    json s = serving({{"kv_cache", "bf16"}});
    s["model"] = {{"preset", "llama-3-8b"}};
    QCOMPARE(*reportOf(s).memory.kvCacheBytesPerToken, 131072.0);
    s["parallelism"] = {{"tensor", 8}};
    QCOMPARE(*reportOf(s).memory.kvCacheBytesPerToken, 131072.0 / 8);
    s["parallelism"] = {{"tensor", 16}};
    s["hardware"]["network_gbit_per_s"] = 400;
    QCOMPARE(*reportOf(s).memory.kvCacheBytesPerToken, 131072.0 / 8); // eight heads are not split further
}

void Memory::aWindowCapsTheCache() {
    json s = serving({{"kv_cache", "bf16"}, {"prompt_tokens", 16128}, {"output_tokens", 256}});
    s["model"] = {{"preset", "mistral-7b-v0.1"}}; // all layers within 4,096 tokens
    const auto report = reportOf(s);
    QCOMPARE(part(report, MemoryComponent::KvCache), 4096 * 131072.0);
    QVERIFY(!report.memory.maxSequenceTokens);
}

void Memory::theCacheGetsWhatSlackAndContextLeave() {
    json s = serving({{"concurrent_sequences", 1}, {"prompt_tokens", 1792}, {"output_tokens", 256}});
    s["model"] = {{"preset", "llama-2-7b"}};
    const auto tight = [&s](double fragmentation) {
        s["hardware"]["fragmentation_fraction"] = fragmentation;
        const auto report = reportOf(s);
        const double most = *report.memory.maxConcurrentSequences;
        s["inference"]["concurrent_sequences"] = most;
        const auto full = reportOf(s);
        s["inference"]["concurrent_sequences"] = 1;
        // What is said to fit does fit the engine's share of the card, save for the logits of the larger batch.
        const double share = 0.9 * full.memory.capacityBytes;
        const double logits = full.memory.worst()[MemoryComponent::Logits] * (1 + fragmentation);
        return full.memory.worst().totalBytes <= share + logits ? most : -1.0;
    };
    QVERIFY(tight(0) > 50);
    QVERIFY(tight(0.5) > 10 && tight(0.5) < tight(0));
    json learned = serving({{"prompt_tokens", 100}, {"output_tokens", 100}});
    learned["model"] = {{"preset", "gpt2"}};
    QCOMPARE(*reportOf(learned).memory.maxSequenceTokens, 1024.0); // rows of its position table
}

void Memory::partsSumToTotals() {
    for (const char *recompute : {"none", "selective", "full"}) {
        json s = sevenBillion({{"recompute", recompute}, {"attention", "materialized"}, {"global_batch", 64}});
        s["parallelism"] = {{"data", 2}, {"tensor", 2}, {"pipeline", 2}, {"sharding", "optimizer"}};
        const auto report = reportOf(s);
        for (const StageMemory<double> &stage : report.memory.stages) {
            double sum = 0;
            for (const double component : stage.components) {
                QCOMPARE(component, std::round(component));
                sum += component;
            }
            QCOMPARE(stage.allocatedBytes, sum);
            QCOMPARE(stage.reservedBytes, sum + stage.fragmentationBytes);
            QCOMPARE(stage.totalBytes, stage.reservedBytes + stage.contextBytes);
            for (const auto &instant : stage.allocatedByInstant) {
                QVERIFY(!instant || *instant <= stage.allocatedBytes);
            }
        }
    }
}

void Memory::theLossIsAPeakOfItsOwn() {
    json s = sevenBillion({{"recompute", "full"}, {"sequence_length", 8192}});
    s["model"] = {{"preset", "gemma-2b"}}; // 256,000 rows
    const auto whole = reportOf(s);
    QCOMPARE(whole.memory.worst().peakInstant, Instant::Loss);
    s["training"]["loss"] = "chunked";
    QVERIFY(reportOf(s).memory.worst().allocatedBytes < whole.memory.worst().allocatedBytes - 5e9);
}

void Memory::earlyStagesHoldMoreMicroBatches() {
    json s = sevenBillion({{"global_batch", 16}, {"micro_batch", 1}});
    s["parallelism"] = {{"pipeline", 4}};
    const auto report = reportOf(s);
    const auto kept = [&](std::size_t stage) { return report.memory.stages[stage]; };
    QCOMPARE(report.memory.stages.size(), std::size_t{4});
    // 8 layers each; 4, 3, 2, 1 micro-batches in flight: a micro-batch is the difference between neighbours.
    const auto forward = [](const StageMemory<double> &stage) {
        return *stage.allocatedByInstant[static_cast<std::size_t>(Instant::ForwardEnd)];
    };
    QVERIFY(kept(0)[MemoryComponent::Activations] > kept(1)[MemoryComponent::Activations]);
    const double one = forward(kept(1)) - forward(kept(2)); // stages 1 and 2 hold the same weights
    QVERIFY(one > 0);
    s["parallelism"]["schedule"] = "gpipe";
    QCOMPARE(forward(reportOf(s).memory.stages[1]) - forward(kept(1)), (16 - 3) * one);
}

void Memory::gradientsThatAreConsumedAtOnceNeverAddUp() {
    const auto report = reportOf(sevenBillion({{"recipe", "pure-bf16"}, {"optimizer_in_backward", true}}));
    QVERIFY(part(report, MemoryComponent::Gradients) < 1e9);
    QCOMPARE(report.memory.worst().modelStatesBytes / 7e9, 8.0); // counted in full whenever they are freed
}

void Memory::enginesThatPreallocateMustFitTheirShare() {
    json s = serving({{"engine", "vllm"}, {"memory_fraction", 0.5}}, "nvidia-h100-sxm");
    const auto report = reportOf(s);
    QCOMPARE(*report.memory.preallocatedBytes, std::round(report.memory.capacityBytes * 0.5));
    QVERIFY(report.fits);
    s["inference"]["memory_fraction"] = 0.15;
    QVERIFY(!reportOf(s).fits);
}

QTEST_APPLESS_MAIN(Memory)
#include "tst_memory.moc"
