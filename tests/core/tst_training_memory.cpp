// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of training: adapters, offload, chunks of a pipeline, what is computed again, and the figures that users asked
// about.
#include "tests/core/scenarios.h"

#include <QTest>

#include <iterator>

using namespace ridgepoint;
using namespace ridgepoint::testing;
using nlohmann::json;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

double part(const GpuReport<double> &report, MemoryComponent component) {
    return report.memory.worst()[component];
}

double at(const StageMemory<double> &stage, Instant instant) {
    return stage.allocatedByInstant[static_cast<std::size_t>(instant)].value();
}

json training(json model, json keys, json parallelism = json::object()) {
    return {{"model", std::move(model)},
            {"task", "training"},
            {"training", std::move(keys)},
            {"parallelism", std::move(parallelism)},
            {"hardware", {{"gpus", {"nvidia-a100-sxm-80gb"}}, {"network_gbit_per_s", 1600}}}};
}

/// Kept for backward by the first stage: what twice the micro-batch adds at the end of forward. With gradients that
/// always exist nothing else depends on it.
double keptByTheFirstStage(json s, double sequences) {
    s["training"]["micro_batch"] = sequences;
    const double once = at(reportOf(s).memory.stages.front(), Instant::ForwardEnd);
    s["training"]["micro_batch"] = 2 * sequences;
    s["training"]["global_batch"] =
        s["training"].contains("global_batch") ? json(2 * s["training"]["global_batch"].get<double>()) : json(nullptr);
    return at(reportOf(s).memory.stages.front(), Instant::ForwardEnd) - once;
}

const json codeLlama = {{"layers", 32}, {"hidden", 4096},      {"heads", 32},       {"kv_heads", 32},
                        {"ffn", 11008}, {"vocabulary", 32016}, {"gated_mlp", true}, {"norm", "rmsnorm"}};

json withLora(const char *base, double batch = 1) {
    return training(codeLlama, {{"micro_batch", batch},
                                {"sequence_length", 2048},
                                {"recipe", "pure-bf16"},
                                {"recompute", "full"},
                                {"loss", "fused"},
                                {"framework", "transformers"},
                                {"lora", {{"rank", 8}, {"targets", {"q", "v"}}, {"base", base}}}});
}

} // namespace

class TrainingMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void adaptersAreRTimesInPlusOut() {
        json s = training(codeLlama, {{"recipe", "mixed-bf16"}, {"lora", {{"rank", 16}, {"targets", "all-linear"}}}});
        const auto report = reportOf(s);
        // q, k, v, o: 16 (4096 + 4096) each; gate, up, down: 16 (4096 + 11008) each; 32 layers.
        const double adapters = 32 * 16.0 * (4 * 8192 + 3 * 15104);
        QCOMPARE(part(report, MemoryComponent::OptimizerStates), 8 * adapters);
        QCOMPARE(part(report, MemoryComponent::MasterWeights), 4 * adapters);
        const double base = 6738415616.0 + 2 * 16 * 4096; // Llama 2 7B with 16 more words, twice
        QCOMPARE(part(report, MemoryComponent::Weights), 2 * base + 2 * adapters);
        // Column-parallel ones split their output side, row-parallel ones their input side.
        s["parallelism"] = {{"tensor", 2}};
        const double half = 32 * 16.0 * (3 * (4096 + 2048) + (2048 + 4096) + 2 * (4096 + 5504) + (5504 + 4096));
        QCOMPARE(part(reportOf(s), MemoryComponent::OptimizerStates), 8 * half);
    }

    // Report: 177 GB for LoRA, 180 GB for QLoRA, 216 GB in full for a 7B model; about 16 GB is right for LoRA.
    void qloraTakesLessThanLoraAndLoraLessThanAll() {
        const auto qlora = reportOf(withLora("nf4"));
        const auto lora = reportOf(withLora("bf16"));
        json all = withLora("bf16");
        all["training"]["lora"] = nullptr;
        const auto full = reportOf(all);
        QVERIFY(qlora.memory.worst().totalBytes < lora.memory.worst().totalBytes);
        QVERIFY(lora.memory.worst().totalBytes < full.memory.worst().totalBytes);
        const double gigabytes = lora.memory.worst().allocatedBytes / 1e9;
        QVERIFY2(gigabytes > 14 && gigabytes < 17, qPrintable(QString::number(gigabytes)));
        // Only activations and logits grow with the batch.
        const auto four = reportOf(withLora("bf16", 4));
        QCOMPARE(four.memory.worst().modelStatesBytes, lora.memory.worst().modelStatesBytes);
        QVERIFY(part(four, MemoryComponent::Activations) + part(four, MemoryComponent::Logits) >
                3.5 * (part(lora, MemoryComponent::Activations) + part(lora, MemoryComponent::Logits)));
        // A preset and the same shape written out agree.
        json preset = withLora("bf16");
        preset["model"] = {{"preset", "llama-2-7b"}};
        QVERIFY(qAbs(reportOf(preset).memory.worst().totalBytes / lora.memory.worst().totalBytes - 1) < 1e-3);
    }

    void baseFormatsHaveTheirTrueBits_data() {
        QTest::addColumn<QString>("base");
        QTest::addColumn<double>("bits");
        QTest::newRow("nf4: 4 bits and 32 per 64 weights") << QStringLiteral("nf4") << 4.5;
        QTest::newRow("double quantized: 0.127 (Dettmers et al. 2023)") << QStringLiteral("nf4-dq") << 4.127;
        QTest::newRow("bf16") << QStringLiteral("bf16") << 16.0;
    }
    void baseFormatsHaveTheirTrueBits() {
        QFETCH(QString, base);
        QFETCH(double, bits);
        const auto report = reportOf(withLora(qPrintable(base)));
        const double linear = 32 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008);
        const double others = 2.0 * 32016 * 4096 + 65 * 4096;
        const double adapters = 32 * 8.0 * 2 * 8192;
        const double expected = linear * bits / 8 + 2 * others + 4 * adapters; // adapters in fp32 (PEFT)
        QVERIFY(qAbs(part(report, MemoryComponent::Weights) / expected - 1) < 1e-4);
    }

    // Report: the ZeRO-3 helper says 0.49, measured were 14.7 GiB: it counts model states only.
    void offloadMovesStatesToTheHostAndTheRestStays() {
        json s = training({{"parameters", 6805e6}}, {{"recipe", "mixed-bf16"}, {"framework", "deepspeed"}},
                          {{"data", 4}, {"sharding", "parameters"}});
        const auto all = reportOf(s);
        QVERIFY(qAbs(all.memory.worst().modelStatesBytes - 16 * 6805e6 / 4) < 10);
        QCOMPARE(all.memory.worst().hostBytes, 0.0);
        s["parallelism"]["offload"] = "optimizer+parameters";
        const auto offloaded = reportOf(s);
        QCOMPARE(part(offloaded, MemoryComponent::Weights) + part(offloaded, MemoryComponent::OptimizerStates) +
                     part(offloaded, MemoryComponent::MasterWeights),
                 0.0);
        QVERIFY(qAbs(offloaded.memory.worst().hostBytes - 14 * 6805e6 / 4) < 10);
        for (const MemoryComponent row : {MemoryComponent::Activations, MemoryComponent::CommunicationBuffers,
                                          MemoryComponent::GatheredWeights, MemoryComponent::Workspace}) {
            QVERIFY2(part(offloaded, row) > 0, nameOf(row).data());
        }
        QVERIFY(offloaded.memory.worst().totalBytes > 10 * gib); // far from 0.49
        s["parallelism"]["offload"] = "activations";
        const auto activations = reportOf(s);
        QVERIFY(activations.memory.worst().hostBytes > 0);
        QVERIFY(activations.memory.worst().totalBytes < all.memory.worst().totalBytes);
    }

    // Report: four conventions of bytes per parameter; Llama 2 7B over 8 ranks.
    void bytesPerParameterAreTheUsersChoice_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("sharding");
        QTest::addColumn<double>("gibibytes");
        QTest::newRow("ZeRO-2: 2 + 14/N") << QStringLiteral(R"("mixed-bf16")") << QStringLiteral("gradients") << 23.5;
        QTest::newRow("4 + 16/N") << QStringLiteral(R"({"weights": 2, "gradients": 2, "master": 4, "states": 12})")
                                  << QStringLiteral("optimizer") << 37.7;
        QTest::newRow("2 + 18/N") << QStringLiteral(R"({"weights": 2, "gradients": 6, "master": 4, "states": 8})")
                                  << QStringLiteral("gradients") << 26.7;
    }
    void bytesPerParameterAreTheUsersChoice() {
        QFETCH(QString, recipe);
        QFETCH(QString, sharding);
        QFETCH(double, gibibytes);
        const auto report =
            reportOf(training({{"preset", "llama-2-7b"}}, {{"recipe", json::parse(recipe.toStdString())}},
                              {{"data", 8}, {"sharding", sharding.toStdString()}}));
        QCOMPARE(std::round(report.memory.worst().modelStatesBytes / gib * 10) / 10, gibibytes);
    }

    // Report: full fine-tuning of 90B on one node: 1.44 TB; with a frozen base 22.5 GB of weights a GPU.
    void ninetyBillionOverEight() {
        json s =
            training({{"parameters", 90e9}}, {{"recipe", "mixed-bf16"}}, {{"data", 8}, {"sharding", "parameters"}});
        const auto full = reportOf(s);
        QVERIFY(qAbs(full.memory.worst().modelStatesBytes * 8 - 1.44e12) < 100);
        QVERIFY(!full.fits);
        QVERIFY(full.memory.headroomBytes < -100e9);
        s["training"]["lora"] = {{"rank", 16}};
        const double weights = part(reportOf(s), MemoryComponent::Weights);
        QVERIFY2(weights > 22.5e9 && weights < 22.6e9, qPrintable(QString::number(weights)));
    }

    // Report: from one accumulation step to two a buffer as large as the parameters is added.
    void accumulationAddsABufferOfTheGradients() {
        const auto added = [](const char *recipe) {
            json s = training({{"preset", "llama-2-7b"}}, {{"recipe", recipe}, {"framework", "transformers"}});
            const auto once = reportOf(s);
            s["training"]["global_batch"] = 2;
            return at(reportOf(s).memory.worst(), Instant::Loss) - at(once.memory.worst(), Instant::Loss);
        };
        QCOMPARE(std::round(added("fp32") / gib * 10) / 10, 25.1);
        QCOMPARE(std::round(added("pure-bf16") / gib * 100) / 100, 12.55);
    }

    // Report: allocated, reserved and what nvidia-smi shows are three numbers.
    void allocatedReservedAndTotalAreToldApart() {
        json s = sevenBillion();
        s["hardware"]["fragmentation_fraction"] = 0.25;
        s["hardware"]["context_bytes"] = 1e9;
        const auto stage = reportOf(s).memory.worst();
        QCOMPARE(stage.reservedBytes, stage.allocatedBytes + std::round(stage.allocatedBytes * 0.25));
        QCOMPARE(stage.totalBytes, stage.reservedBytes + 1e9);
    }

    // Report: 40 layers, hidden 6144, 48 heads, 2048 tokens, 4 sequences: s b h (34 + 5 a s / h) a layer.
    void theWholeSumOfALayerStackHolds() {
        json s = training(
            gpt(40, 6144, 48),
            {{"sequence_length", 2048}, {"recipe", "mixed-fp16"}, {"attention", "materialized"}, {"dropout", true}});
        const double outside = 2048.0 * 4 * 6144 * 5; // embedding's mask, inputs of the final norm and the head
        QVERIFY(qAbs((keptByTheFirstStage(s, 4) - outside) / gib - 213.75) < 0.01);
        s["training"]["recompute"] = "selective";
        QVERIFY(qAbs((keptByTheFirstStage(s, 4) - outside) / gib - 63.75) < 0.01);
    }

    // Report: eager attention of Gemma 2 9B at 4,096 tokens keeps half a gibibyte of scores in each of 42 layers.
    void eagerAttentionKeepsItsScores() {
        json s = training({{"preset", "gemma-2-9b"}}, {{"sequence_length", 4096}, {"attention", "materialized"}});
        const double eager = keptByTheFirstStage(s, 1);
        s["training"]["attention"] = "flash";
        const double logSumExp = 42.0 * 4096 * 16 * 4;
        QVERIFY(qAbs(eager - keptByTheFirstStage(s, 1) + logSumExp - 21 * gib) < 1e6);
    }

    // Report: 8,192 tokens x 151,936 words are 4.64 GiB in fp32, in chunks of 1,024 0.58.
    void logitsFollowTheChunk() {
        json s = training({{"preset", "qwen2.5-0.5b"}}, {{"sequence_length", 8192}, {"recompute", "full"}});
        const double logits = 8192.0 * 151936;
        QCOMPARE(part(reportOf(s), MemoryComponent::Logits), logits * (2 + 4 + 2));
        QCOMPARE(std::round(logits * 4 / gib * 100) / 100, 4.64);
        s["training"]["loss"] = "chunked";
        s["training"]["loss_chunk_tokens"] = 1024;
        const auto chunked = reportOf(s);
        QVERIFY(at(chunked.memory.worst(), Instant::Loss) < at(reportOf(s).memory.worst(), Instant::Loss) + 1);
        s["training"]["loss_chunk_tokens"] = 2048;
        QCOMPARE(
            std::round((at(reportOf(s).memory.worst(), Instant::Loss) - at(chunked.memory.worst(), Instant::Loss)) /
                       gib * 1000) /
                1000,
            0.58);
    }

    // Korthikanti et al. 2022, section 4.2.3: L (1 + (p - 1) / (p v)) layers' worth on the first stage.
    void interleavingKeepsMoreOnTheFirstStage_data() {
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("chunks");
        for (const auto &[p, v] : {std::pair{4, 2}, {4, 3}, {2, 6}, {8, 3}}) {
            QTest::addRow("p %d, v %d", p, v) << p << v;
        }
    }
    void interleavingKeepsMoreOnTheFirstStage() {
        QFETCH(int, pipeline);
        QFETCH(int, chunks);
        json s = training(
            gpt(48, 1024, 16),
            {{"sequence_length", 1024}, {"recipe", "megatron-bf16"}, {"recompute", "full"}, {"global_batch", 64}},
            {{"pipeline", pipeline}, {"virtual_stages", chunks}, {"schedule", "interleaved"}});
        const double layer = 2.0 * 1024 * 1024;
        const double layers = 48 * (1 + (pipeline - 1.0) / (pipeline * chunks));
        QVERIFY(qAbs(keptByTheFirstStage(s, 1) / layer - layers) < 1e-3);
    }

    void nLayersOfAStageCanBeRecomputed() {
        json s = training(gpt(24, 1024, 16), {{"sequence_length", 1024}, {"recipe", "megatron-bf16"}});
        const double none = keptByTheFirstStage(s, 1);
        s["training"]["recompute"] = "full";
        const double full = keptByTheFirstStage(s, 1);
        s["training"]["recompute"] = {{"full_layers", 6}};
        QVERIFY(qAbs(keptByTheFirstStage(s, 1) - (0.75 * none + 0.25 * full)) < 0.02 * none);
        s["training"]["recompute"] = {{"full_layers", 24}};
        QCOMPARE(keptByTheFirstStage(s, 1), full);
    }

    // TorchTitan keeps q, v, gate and down outputs and the attention output: every other matrix multiplication.
    void recomputeByOperationKeepsEveryOtherProduct() {
        json s = training({{"preset", "llama-3-8b"}},
                          {{"sequence_length", 8192}, {"recompute", "selective-ops"}, {"recipe", "mixed-bf16"}});
        const double perToken = 32 * (2.0 * (4096 + 4096 + 1024 + 4096 + 14336 + 4096) + 4 * 32) + 2 * 2 * 4096;
        QVERIFY(qAbs(keptByTheFirstStage(s, 1) / 8192 - perToken) < 1);
    }

    void contextRanksShareTokensAndShards() {
        json s = training({{"preset", "llama-3-8b"}}, {{"sequence_length", 8192}, {"recipe", "mixed-bf16"}},
                          {{"data", 2}, {"sharding", "optimizer"}});
        const double whole = keptByTheFirstStage(s, 1);
        const double states = reportOf(s).memory.worst().modelStatesBytes;
        s["parallelism"]["context"] = 2;
        QCOMPARE(keptByTheFirstStage(s, 1), whole / 2);
        QVERIFY(reportOf(s).memory.worst().modelStatesBytes < states);
        QVERIFY(qAbs(reportOf(s).memory.worst().modelStatesBytes / 8030261248.0 - (4 + 12.0 / 4)) < 1e-6);
    }

    void hybridShardingDividesOverOneNode() {
        json s = training({{"parameters", 7e9}}, {{"recipe", "mixed-bf16"}}, {{"data", 32}, {"sharding", "hybrid"}});
        s["hardware"]["gpus_per_node"] = 8;
        QVERIFY(qAbs(reportOf(s).memory.worst().modelStatesBytes / 7e9 - 16.0 / 8) < 1e-6);
        s["parallelism"]["sharding"] = "parameters";
        QVERIFY(qAbs(reportOf(s).memory.worst().modelStatesBytes / 7e9 - 16.0 / 32) < 1e-6);
    }

    // Experts over 8 ranks of 16: two ranks hold the same ones and share their optimizer states.
    void expertsAreShardedOverTheRanksThatHoldTheSame() {
        json dense = training({{"layers", 4}, {"hidden", 1024}, {"heads", 8}, {"ffn", 4096}, {"vocabulary", 32000}},
                              {{"recipe", "mixed-bf16"}}, {{"data", 16}, {"sharding", "optimizer"}});
        Scenario s = scenario(dense);
        s.model.shape.experts = Experts{.count = 8, .active = 2, .ffn = 4096};
        s.parallelism.expert = 8;
        QVERIFY(checkScenario(s, catalog()).empty());
        const auto report = evaluate<double>(s, catalog()).gpus.at(0);
        const double experts = 4 * 3.0 * 1024 * 4096; // one of eight, four layers
        const double all = part(report, MemoryComponent::Weights) / 2;
        QVERIFY(qAbs(part(report, MemoryComponent::OptimizerStates) - 8 * ((all - experts) / 16 + experts / 2)) < 2);
    }

    void expertDegreesThatDoNotDivideNameThoseThatDo() {
        Scenario s =
            scenario(training({{"layers", 4}, {"hidden", 1024}, {"heads", 8}, {"ffn", 4096}, {"vocabulary", 32000}},
                              json::object(), {{"data", 4}}));
        s.model.shape.experts = Experts{.count = 8, .active = 2, .ffn = 4096};
        s.parallelism.expert = 3;
        const Problems problems = checkScenario(s, catalog());
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(
            QByteArray::fromStdString(problems.front().message()),
            QByteArray("parallelism.expert: found 3, allowed a divisor of 8 experts and of data x context x tensor "
                       "= 4: 1, 2, 4"));
    }

    // Published peaks of an 8B model in pure bf16 (10.0 bytes per parameter) and under FSDP over 2 and 4 ranks (20.0):
    // weights, gradients, states and one copy that the optimizer's foreach step holds.
    void theOptimizerStepHasASpike() {
        const auto peak = [](const char *recipe, int data) {
            const auto report = reportOf(training(
                {{"preset", "llama-3-8b"}},
                {{"recipe", recipe}, {"framework", "transformers"}, {"recompute", "full"}, {"loss", "chunked"}},
                {{"data", data}, {"sharding", data > 1 ? "parameters" : "none"}}));
            return at(report.memory.worst(), Instant::OptimizerStep) / gib;
        };
        QVERIFY(qAbs(peak("pure-bf16", 1) / 74.802 - 1) < 0.001);
        QVERIFY(qAbs(peak("fsdp-bf16", 2) / 74.804 - 1) < 0.001);
        QVERIFY(qAbs(peak("fsdp-bf16", 4) / 37.410 - 1) < 0.001);
    }
};

QTEST_APPLESS_MAIN(TrainingMemory)
#include "tst_training_memory.moc"
