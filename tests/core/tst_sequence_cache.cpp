// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of every kind of attention, against published sizes.
#include "core/memory/sequence_cache.h"
#include "core/model/cache_elements.h"

#include "tests/core/scenarios.h"

#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::testing;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

TransformerShape llama2() {
    return catalog().model("llama-2-7b")->shape;
}
TransformerShape deepSeekV3() {
    TransformerShape shape = llama2();
    shape.layers = 61;
    shape.hidden = 7168;
    shape.heads = shape.kvHeads = 128;
    shape.ffn = 18432;
    shape.vocabulary = 129280;
    shape.mla = Mla{.qRank = 1536, .kvRank = 512, .ropeDim = 64, .nopeDim = 128, .vDim = 128};
    return shape;
}
TransformerShape gemma3() {
    TransformerShape shape = llama2();
    shape.layers = 62;
    shape.hidden = 5376;
    shape.heads = 32;
    shape.kvHeads = 16;
    shape.attentionWindow = 1024;
    shape.attentionWindowEvery = 6;
    return shape;
}
TransformerShape qwen3Next() {
    TransformerShape shape = llama2();
    shape.layers = 48;
    shape.hidden = 2048;
    shape.heads = 16;
    shape.kvHeads = 2;
    shape.headDim = 256;
    shape.linearAttention = LinearAttention{};
    return shape;
}

Scenario serving(const TransformerShape &shape, double prompt, double output, double sequences = 1) {
    Scenario s = scenario(
        {{"model", {{"preset", "llama-2-7b"}}}, {"task", "inference"}, {"hardware", {{"gpus", {"nvidia-h100-sxm"}}}}});
    s.model.source = ModelChoice::Source::Explicit;
    s.model.shape = shape;
    s.inference.promptTokens = prompt;
    s.inference.outputTokens = output;
    s.inference.concurrentSequences = sequences;
    return s;
}

MemoryReport<double> memoryOf(const Scenario &s) {
    return evaluate<double>(s, catalog()).gpus.at(0).memory;
}
double cacheOf(const Scenario &s) {
    return memoryOf(s).worst()[MemoryComponent::KvCache];
}

} // namespace

class CacheTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysAndValuesOfKeyValueHeadsOnly() {
        QCOMPARE(*memoryOf(serving(llama2(), 1, 1)).kvCacheBytesPerToken, 524288.0);
        const TransformerShape &llama3 = catalog().model("llama-3-8b")->shape;
        QCOMPARE(*memoryOf(serving(llama3, 1, 1)).kvCacheBytesPerToken, 131072.0);
        TransformerShape groups = llama2();
        groups.kvHeads = 8; // "8 groups" are eight key-value heads
        QCOMPARE(*memoryOf(serving(groups, 1, 1)).kvCacheBytesPerToken, 131072.0);
    }

    void thirtyTwoThousandTokens() {
        QCOMPARE(cacheOf(serving(llama2(), 32767, 1)), 16 * gib);
        const TransformerShape &llama3 = catalog().model("llama-3-70b")->shape;
        QCOMPARE(cacheOf(serving(llama3, 32767, 1)), 10 * gib);
        QVERIFY(qAbs(cacheOf(serving(llama3, 31999, 1)) - 10.49e9) < 0.01e9);
    }

    void windowsLatentsAndHeadSizes_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<double>("tokens");
        QTest::addColumn<double>("expected"); // GiB, github.com/unslothai/unsloth/pull/4757
        QTest::newRow("Gemma 3 27B") << 0 << 131072.0 << 10.41;
        QTest::newRow("DeepSeek-V3") << 1 << 163840.0 << 10.72;
        QTest::newRow("Qwen3 0.6B") << 2 << 40960.0 << 4.375;
    }
    void windowsLatentsAndHeadSizes() {
        QFETCH(int, which);
        QFETCH(double, tokens);
        QFETCH(double, expected);
        TransformerShape qwen3 = llama2();
        qwen3.layers = 28;
        qwen3.hidden = 1024;
        qwen3.heads = 16;
        qwen3.kvHeads = 8;
        const TransformerShape shape = which == 0 ? gemma3() : which == 1 ? deepSeekV3() : qwen3;
        QVERIFY(qAbs(cacheOf(serving(shape, tokens - 1, 1)) / gib - expected) < 0.006);
    }

    void theLatentIsWholeOnEveryTensorRank() {
        Scenario s = serving(deepSeekV3(), 32767, 1, 32);
        s.parallelism.tensor = 8;
        QCOMPARE(*memoryOf(s).kvCacheBytesPerToken, 70272.0);
        QVERIFY(qAbs(cacheOf(s) / gib - 68.6) < 0.05);
        s.parallelism.tensor = 1;
        s.parallelism.data = 8;
        s.inference.concurrentSequences = 4;
        QVERIFY(qAbs(cacheOf(s) / gib - 8.6) < 0.05);
    }

    void beyondTheWindowOnlyFullLayersGrow() {
        TransformerShape gptOss = llama2();
        gptOss.layers = 36;
        gptOss.heads = 64;
        gptOss.kvHeads = 8;
        gptOss.headDim = 64;
        gptOss.attentionWindow = 128;
        gptOss.attentionWindowEvery = 2;
        const auto memory = memoryOf(serving(gptOss, 4095, 1));
        QCOMPARE(*memory.kvCacheBytesPerToken, 73728.0);
        QCOMPARE(*memory.kvCacheBytesPerTokenBeyondWindow, 36864.0);
        const double one = cacheOf(serving(gptOss, 4096, 1));
        QCOMPARE(one - cacheOf(serving(gptOss, 4095, 1)), 36864.0);
        QVERIFY(!memoryOf(serving(llama2(), 1, 1)).kvCacheBytesPerTokenBeyondWindow);
    }

    void linearAttentionKeepsAStateOfFixedSize() {
        // 12 of 48 layers have a cache; 36 keep 32 x 128 x 128 numbers in fp32 and three tokens of 8,192 in 16 bits.
        const auto memory = memoryOf(serving(qwen3Next(), 1023, 1));
        QCOMPARE(*memory.kvCacheBytesPerToken, 12 * 2.0 * 2 * 256 * 2);
        const double state = 36 * (32.0 * 128 * 128 * 4 + 3 * 8192 * 2);
        QCOMPARE(memory.worst()[MemoryComponent::KvCache], 1024 * 24576.0 + state);
        const CacheElements elements = cacheElements(qwen3Next());
        QCOMPARE(elements.layersWithout, 36);
        QCOMPARE(elements.layersFull, 12);
        QCOMPARE(elements.elementsPerToken, 12288.0);
    }

    void keysAndValuesOfDifferentWidths() {
        TransformerShape shape = llama2();
        shape.headDim = 192;
        shape.valueHeadDim = 128;
        QCOMPARE(*memoryOf(serving(shape, 1, 1)).kvCacheBytesPerToken, 32 * 32 * (192.0 + 128) * 2);
        QCOMPARE(cacheElements(shape).elementsPerToken, 32 * 32 * 320.0);
    }

    void anEncoderAloneKeepsNothing() {
        TransformerShape bert = llama2();
        bert.causal = false;
        const auto memory = memoryOf(serving(bert, 512, 1));
        QCOMPARE(memory.worst()[MemoryComponent::KvCache], 0.0);
        QCOMPARE(*memory.kvCacheBytesPerToken, 0.0);
        QVERIFY(!memory.kvCacheCapacityTokens && !memory.maxConcurrentSequences && !memory.maxSequenceTokens);
        QCOMPARE(cacheElements(bert).layersFull, 0);
    }

    void crossAttentionKeepsTheEncodersTokens() {
        TransformerShape whisper = llama2();
        whisper.encoder = Encoder{.layers = 32, .heads = 32, .headDim = 128, .ffn = 11008, .tokens = 1500};
        QCOMPARE(cacheOf(serving(whisper, 4, 100)), (104 + 1500) * 524288.0);
        whisper.encoder->tokens.reset(); // as in T5: the prompt goes through the encoder
        QCOMPARE(cacheOf(serving(whisper, 300, 100)), 400 * 524288.0);
        QCOMPARE(cacheElements(whisper).elementsPerToken, 262144.0); // the decoder's own
    }

    void layersByKindOfAttention() {
        const CacheElements gemma = cacheElements(gemma3());
        QCOMPARE(gemma.layersFull, 10);
        QCOMPARE(gemma.layersWindowed, 52);
        QCOMPARE(gemma.elementsPerToken, 253952.0);
        QCOMPARE(cacheElements(deepSeekV3()).elementsPerToken, 35136.0);
        TransformerShape llama4 = llama2();
        llama4.layers = 48;
        llama4.heads = 40;
        llama4.kvHeads = 8;
        llama4.attentionWindow = 8192;
        llama4.attentionWindowEvery = 4;
        llama4.chunkedWindow = true;
        QCOMPARE(cacheElements(llama4).elementsPerToken, 98304.0);
        QCOMPARE(cacheElements(llama4).layersWindowed, 36);
    }

    void whatFitsIsConsistent() {
        for (const TransformerShape &shape : {llama2(), gemma3(), deepSeekV3(), qwen3Next()}) {
            Scenario s = serving(shape, 4096, 256);
            s.parallelism.tensor = 1;
            s.inference.weights = "int4-g128";
            const Setting setting = resolve(s, *catalog().gpu("nvidia-h100-sxm"), catalog());
            const SequenceCache<double> cache(setting);
            const StagePlan &plan = setting.stages.front();
            const double left = 20 * gib;
            const double longest = *cache.longest(plan, left);
            QVERIFY(cache.ofSequence(plan, longest) <= left);
            QVERIFY(cache.ofSequence(plan, longest + 1) > left);
        }
    }

    void blocksRoundUp() {
        Scenario s = serving(llama2(), 100, 1);
        s.inference.engine = "vllm";
        QCOMPARE(cacheOf(s), 112 * 524288.0); // seven blocks of 16
    }
};

QTEST_APPLESS_MAIN(CacheTest)
#include "tst_sequence_cache.moc"
