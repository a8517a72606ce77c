// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What engines keep beside weights and cache, against their own start-up logs and published peaks.
#include "core/model/parameters.h"

#include "tests/core/scenarios.h"

#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::testing;
using nlohmann::json;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;
constexpr double mib = 1024.0 * 1024;

json serving(const char *model, const char *gpu, json inference) {
    return {{"model", {{"preset", model}}},
            {"task", "inference"},
            {"inference", std::move(inference)},
            {"hardware", {{"gpus", {gpu}}}}};
}

MemoryReport<double> memoryOf(const json &s) {
    return reportOf(s).memory;
}

double at(const MemoryReport<double> &memory, MemoryComponent component) {
    return memory.worst()[component];
}

TransformerShape gptOss120b() {
    TransformerShape shape = catalog().model("llama-2-7b")->shape;
    shape.layers = 36;
    shape.hidden = 2880;
    shape.heads = 64;
    shape.kvHeads = 8;
    shape.headDim = 64;
    shape.vocabulary = 201088;
    shape.biases = Biases::Attention;
    shape.attentionSinks = true;
    shape.experts =
        Experts{.count = 128, .active = 4, .ffn = 2880, .routerBias = true, .biases = true, .sharedGate = false};
    return shape;
}

MemoryReport<double> memoryOfShape(json s, const TransformerShape &shape) {
    Scenario own = scenario(s);
    own.model.source = ModelChoice::Source::Explicit;
    own.model.shape = shape;
    return evaluate<double>(own, catalog()).gpus.at(0).memory;
}

} // namespace

class ServingMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void vllmsCacheCapacity_data();
    void vllmsCacheCapacity();
    void vllmMeasuresAFullChunkWhateverThePrompts();
    void vllmsSamplerWarmUp();
    void graphsComeBesideTheShare();
    void whatFitsAndHowManyFitAgree();
    void transformersRunsWholePrompts_data();
    void transformersRunsWholePrompts();
    void llamaCppsComputeBuffer();
    void layersLeftToTheHost();
    void wrongSplitsAreRefused();
    void fullContextOfLlama70B();
    void theFilesOwnTypeDoesNotChangeTheTarget();
    void allExpertsAreInMemory();
    void mxfp4OfAModelWithExpertsIsOfItsExperts();
    void fourBitsOfSeventyBillionOverTwoCards();
    void capacitiesAreTheDriversOwn_data();
    void capacitiesAreTheDriversOwn();
    void everyReserveExplainsItself();
};

void ServingMemory::vllmsCacheCapacity_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<double>("chunk");
    QTest::addColumn<double>("tokens");
    // github.com/vllm-project/vllm/issues/10517, two start-ups on a 24 GB card
    QTest::newRow("20,000 tokens") << "llama-3-8b"
                                   << "nvidia-rtx-3090" << 20000.0 << 31232.0;
    QTest::newRow("29,000 tokens") << "llama-3-8b"
                                   << "nvidia-rtx-3090" << 29000.0 << 23648.0;
    // github.com/vllm-project/vllm/pull/2031
    QTest::newRow("A100") << "llama-2-7b"
                          << "nvidia-a100-sxm-80gb" << 4096.0 << 117616.0;
}

void ServingMemory::vllmsCacheCapacity() {
    QFETCH(QString, model);
    QFETCH(QString, gpu);
    QFETCH(double, chunk);
    QFETCH(double, tokens);
    const auto memory = memoryOf(serving(qPrintable(model), qPrintable(gpu),
                                         {{"engine", "vllm"}, {"weights", "bf16"}, {"prefill_chunk_tokens", chunk}}));
    const double error = *memory.kvCacheCapacityTokens / tokens - 1;
    QVERIFY2(qAbs(error) < 0.02, qPrintable(QString::number(error)));
    QCOMPARE(std::fmod(*memory.kvCacheCapacityTokens, 16), 0.0);
}

void ServingMemory::vllmMeasuresAFullChunkWhateverThePrompts() {
    const auto capacity = [](double prompt, double chunk) {
        return *memoryOf(serving("llama-2-7b", "nvidia-h100-sxm",
                                 {{"engine", "vllm"},
                                  {"prompt_tokens", prompt},
                                  {"output_tokens", 16},
                                  {"prefill_chunk_tokens", chunk}}))
                    .kvCacheCapacityTokens;
    };
    QCOMPARE(capacity(128, 65536), capacity(4096, 65536));
    QVERIFY(capacity(128, 65536) < capacity(128, 8192));
    // Three hidden states, gate and up, and their product: 90,624 bytes per token.
    const auto memory =
        memoryOf(serving("llama-2-7b", "nvidia-h100-sxm", {{"engine", "vllm"}, {"prefill_chunk_tokens", 65536}}));
    QCOMPARE(at(memory, MemoryComponent::Activations), 65536 * 90624.0);
    QCOMPARE(at(memory, MemoryComponent::Logits), 0.0);
    QCOMPARE(memory.worst().peakInstant, Instant::Prefill);
}

void ServingMemory::vllmsSamplerWarmUp() {
    const json inference = {{"engine", "vllm"}, {"prefill_chunk_tokens", 2048}};
    const auto small = memoryOf(serving("llama-3-8b", "nvidia-a100-sxm-80gb", inference));
    QVERIFY(qAbs(at(small, MemoryComponent::Logits) / gib - 1.19) < 0.02); // logged by version 0.7
    QCOMPARE(small.worst().peakInstant, Instant::Decode);
    const auto large = memoryOf(serving("llama-3-8b", "nvidia-h100-sxm", inference));
    QVERIFY(qAbs(at(large, MemoryComponent::Logits) - 4 * at(small, MemoryComponent::Logits)) < 4); // 1,024 sequences
    json many = inference;
    many["concurrent_sequences"] = 2048;
    many["prompt_tokens"] = many["output_tokens"] = 1;
    QVERIFY(qAbs(at(memoryOf(serving("llama-3-8b", "nvidia-h100-sxm", many)), MemoryComponent::Logits) /
                     at(large, MemoryComponent::Logits) -
                 2) < 1e-6);
}

void ServingMemory::graphsComeBesideTheShare() {
    json s = serving("llama-2-7b", "nvidia-h100-sxm", {{"engine", "vllm"}});
    const auto memory = memoryOf(s);
    const double graphs = catalog().engine("vllm")->graphBytes->value;
    QCOMPARE(*memory.preallocatedBytes, std::round(0.9 * memory.capacityBytes));
    const double usable = 0.9 * (memory.capacityBytes - 440 * mib); // the driver keeps the rest
    QVERIFY(qAbs(memory.headroomBytes - (usable + graphs - memory.worst().totalBytes)) <= 1);
    s["inference"]["memory_fraction"] = 1;
    s["inference"]["concurrent_sequences"] = 100;
    const auto full = memoryOf(s);
    QVERIFY(full.headroomBytes <= full.capacityBytes - full.worst().totalBytes);
    s["hardware"]["reserved_bytes"] = 0;
    QCOMPARE(at(memoryOf(s), MemoryComponent::Workspace), 0.0);
}

void ServingMemory::whatFitsAndHowManyFitAgree() {
    for (const char *engine : {"vllm", "tensorrt-llm"}) {
        json s = serving("llama-3-8b", "nvidia-rtx-4090",
                         {{"engine", engine}, {"prefill_chunk_tokens", 2048}, {"output_tokens", 240}});
        const double most = *memoryOf(s).maxConcurrentSequences;
        QVERIFY(most > 1);
        s["inference"]["concurrent_sequences"] = most;
        QVERIFY2(reportOf(s).fits, engine);
        s["inference"]["concurrent_sequences"] = most + 1;
        QVERIFY2(!reportOf(s).fits, engine);
    }
}

void ServingMemory::transformersRunsWholePrompts_data() {
    QTest::addColumn<QString>("weights");
    QTest::addColumn<double>("prompt");
    QTest::addColumn<double>("gigabytes");
    // qwen.readthedocs.io/en/v2.5/benchmark/speed_benchmark.html, Qwen2.5 7B, torch.cuda.max_memory_allocated
    QTest::newRow("bf16, 1") << "bf16" << 1.0 << 15.440;
    QTest::newRow("bf16, 6144") << "bf16" << 6144.0 << 16.514;
    QTest::newRow("bf16, 30720") << "bf16" << 30720.0 << 21.443;
    QTest::newRow("GPTQ, 30720") << "int4-g128" << 30720.0 << 11.929;
}

void ServingMemory::transformersRunsWholePrompts() {
    QFETCH(QString, weights);
    QFETCH(double, prompt);
    QFETCH(double, gigabytes);
    const auto memory = memoryOf(serving("qwen2.5-7b", "nvidia-a100-sxm-80gb",
                                         {{"engine", "transformers"},
                                          {"weights", qPrintable(weights)},
                                          {"prompt_tokens", prompt},
                                          {"output_tokens", 2048}}));
    const double error = memory.worst().allocatedBytes / (gigabytes * 1e9) - 1;
    QVERIFY2(qAbs(error) < 0.05, qPrintable(QString::number(error)));
}

void ServingMemory::llamaCppsComputeBuffer() {
    json s = serving("llama-2-7b", "nvidia-rtx-3090",
                     {{"engine", "llama.cpp"},
                      {"weights", "q4_k_m"},
                      {"attention", "materialized"},
                      {"prompt_tokens", 256},
                      {"output_tokens", 256}});
    const auto buffer = [](const MemoryReport<double> &memory) {
        return (at(memory, MemoryComponent::Activations) + at(memory, MemoryComponent::Logits)) / mib;
    };
    QVERIFY(qAbs(buffer(memoryOf(s)) - 70.5) < 4); // logged at 512 cells
    s["inference"]["prompt_tokens"] = 3840;
    QVERIFY(qAbs(buffer(memoryOf(s)) / 296 - 1) < 0.1); // logged at 4,096: the scores of 512 tokens
    s["inference"]["attention"] = "flash";
    QVERIFY(buffer(memoryOf(s)) < 100);
}

void ServingMemory::layersLeftToTheHost() {
    json s = serving("llama-2-70b", "nvidia-rtx-3090",
                     {{"engine", "llama.cpp"}, {"weights", "q4_k_m"}, {"prompt_tokens", 2000}, {"output_tokens", 48}});
    const auto whole = reportOf(s);
    QVERIFY(!whole.fits && !whole.memory.hostBytes && whole.hasPerformance);
    s["inference"]["gpu_layers"] = 40;
    const auto split = reportOf(s);
    QVERIFY(split.fits);
    QVERIFY(!split.hasPerformance); // the host's speed is no fact of the catalogue
    QCOMPARE(at(split.memory, MemoryComponent::KvCache), at(whole.memory, MemoryComponent::KvCache) / 2);
    QCOMPARE(at(split.memory, MemoryComponent::Weights) + at(split.memory, MemoryComponent::KvCache) +
                 *split.memory.hostBytes,
             at(whole.memory, MemoryComponent::Weights) + at(whole.memory, MemoryComponent::KvCache));
    QCOMPARE(at(split.memory, MemoryComponent::Logits), 0.0); // the head is on the host
    s["inference"]["gpu_layers"] = 0;
    QCOMPARE(at(memoryOf(s), MemoryComponent::Weights), 0.0);
    s["inference"]["gpu_layers"] = 81;
    QCOMPARE(at(memoryOf(s), MemoryComponent::Weights), at(whole.memory, MemoryComponent::Weights));
    QVERIFY(reportOf(s).hasPerformance);
}

void ServingMemory::wrongSplitsAreRefused() {
    const auto problem = [](const json &s) {
        const auto result = readScenario(s.dump(), catalog(), {});
        return result ? std::string() : result.error().front().message();
    };
    json s = serving("llama-2-7b", "nvidia-rtx-3090", {{"engine", "llama.cpp"}, {"gpu_layers", 34}});
    QVERIFY(problem(s).find("at most 33: the 32 layers and the head") != std::string::npos);
    s["inference"] = {{"engine", "vllm"}, {"gpu_layers", 20}};
    QVERIFY(problem(s).find("the engine llama.cpp") != std::string::npos);
    s["inference"] = {{"engine", "llama.cpp"}, {"gpu_layers", 20}};
    s["parallelism"] = {{"pipeline", 2}};
    QVERIFY(problem(s).find("several GPUs") != std::string::npos);
    s["inference"]["gpu_layers"] = 33;
    QVERIFY(problem(s).empty());
}

void ServingMemory::fullContextOfLlama70B() {
    json s = serving("llama-3-70b", "nvidia-h100-sxm",
                     {{"weights", "fp16"}, {"kv_cache", "fp16"}, {"prompt_tokens", 131071}, {"output_tokens", 1}});
    s["parallelism"] = {{"tensor", 2}};
    const auto two = memoryOf(s);
    QCOMPARE(at(two, MemoryComponent::KvCache) * 2, 40 * gib);
    QVERIFY(qAbs(at(two, MemoryComponent::Weights) * 2 / gib - 131.42) < 0.01);
    QVERIFY(*two.kvCacheCapacityTokens < 39154); // before activations
    QVERIFY(two.headroomBytes < 0);
    json bare = s;
    bare["hardware"]["context_bytes"] = bare["hardware"]["reserved_bytes"] = 0;
    bare["inference"]["prefill_chunk_tokens"] = 1;
    const double nothingElse = *memoryOf(bare).kvCacheCapacityTokens;
    QVERIFY(nothingElse <= 39154 && nothingElse > 39140);
    s["parallelism"] = {{"tensor", 4}};
    QVERIFY(reportOf(s).fits);
    QVERIFY(*memoryOf(s).kvCacheCapacityTokens > 131072);
    // 378 blocks of 16 tokens
    json blocks = serving("llama-3-70b", "nvidia-h100-sxm", {{"prompt_tokens", 6047}, {"output_tokens", 1}});
    QVERIFY(qAbs(at(memoryOf(blocks), MemoryComponent::KvCache) / gib - 1.85) < 0.005);
}

void ServingMemory::theFilesOwnTypeDoesNotChangeTheTarget() {
    for (const char *format : {"fp16", "bf16"}) {
        const auto memory = memoryOf(serving("llama-3-70b", "nvidia-h200-sxm", {{"weights", format}}));
        QCOMPARE(at(memory, MemoryComponent::Weights), 141107412992.0);
    }
}

void ServingMemory::allExpertsAreInMemory() {
    TransformerShape mixtral = catalog().model("mistral-7b-v0.1")->shape;
    mixtral.attentionWindow.reset();
    mixtral.experts = Experts{.count = 8, .active = 2, .ffn = 14336};
    const json s = serving("llama-2-7b", "nvidia-h200-sxm", {{"weights", "fp16"}});
    QCOMPARE(at(memoryOfShape(s, mixtral), MemoryComponent::Weights), 46702792704.0 * 2);
    QVERIFY(qAbs(countParameters(mixtral).active - 12.88e9) < 0.01e9);
}

void ServingMemory::mxfp4OfAModelWithExpertsIsOfItsExperts() {
    const json s = serving("llama-2-7b", "nvidia-h100-sxm", {{"weights", "mxfp4"}});
    QCOMPARE(at(memoryOfShape(s, gptOss120b()), MemoryComponent::Weights),
             114661785600.0 * 4.25 / 8 + 2167371072.0 * 2); // 60.77 GiB
    // Without experts all linear layers have it.
    const auto dense = memoryOf(serving("llama-2-7b", "nvidia-h100-sxm", {{"weights", "mxfp4"}}));
    const double linear = 32.0 * (4 * 4096 * 4096 + 3 * 4096 * 11008);
    QCOMPARE(at(dense, MemoryComponent::Weights), linear * 4.25 / 8 + (6738415616.0 - linear) * 2);
}

void ServingMemory::fourBitsOfSeventyBillionOverTwoCards() {
    json s = serving("llama-2-70b", "nvidia-rtx-3090", {{"weights", "int4"}, {"prompt_tokens", 512}});
    s["parallelism"] = {{"tensor", 2}};
    QVERIFY(qAbs(at(memoryOf(s), MemoryComponent::Weights) / gib - 16.1) < 0.05);
}

void ServingMemory::capacitiesAreTheDriversOwn_data() {
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<double>("mebibytes");
    QTest::newRow("H100") << "nvidia-h100-sxm" << 81559.0;
    QTest::newRow("A100 80GB") << "nvidia-a100-sxm-80gb" << 81920.0;
    QTest::newRow("A100 40GB") << "nvidia-a100-sxm-40gb" << 40960.0;
    QTest::newRow("A10") << "nvidia-a10" << 23028.0;
    QTest::newRow("L40S") << "nvidia-l40s" << 46068.0;
    QTest::newRow("L4") << "nvidia-l4" << 23034.0;
    QTest::newRow("T4") << "nvidia-t4" << 15360.0;
}

void ServingMemory::capacitiesAreTheDriversOwn() {
    QFETCH(QString, gpu);
    QFETCH(double, mebibytes);
    QCOMPARE(catalog().gpu(gpu.toStdString())->capacityBytes.value, mebibytes * mib);
}

void ServingMemory::everyReserveExplainsItself() {
    for (const Engine &engine : catalog().engines) {
        for (const Fact *fact : {&engine.hiddenTensors, &engine.workspaceBytes, &engine.cacheBlockTokens}) {
            QVERIFY2(!fact->source.empty(), engine.id.c_str());
        }
        QVERIFY2(!engine.preallocates || engine.prefill == PrefillStyle::Profiled, engine.id.c_str());
    }
}

QTEST_APPLESS_MAIN(ServingMemory)
#include "tst_serving_memory.moc"
