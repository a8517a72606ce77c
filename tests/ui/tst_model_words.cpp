// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says of a model: published shapes in words, with published counts and bytes per token.
#include "core/scenario/file.h"

#include "ui/store/model_words.h"

#include <QTest>

#include <algorithm>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

namespace {

class TestModelWords : public QObject {
    Q_OBJECT

    static const Catalog &catalog() {
        static const CatalogResult result = builtInCatalog();
        return result.catalog;
    }
    static std::vector<ModelLine> linesOf(const TransformerShape &shape, const std::string &cache = "bf16") {
        Scenario scenario = defaultScenario(catalog());
        scenario.model = {ModelChoice::Source::Explicit, {}, shape, {}};
        scenario.inference.kvCache = cache;
        return modelLines(scenario, catalog(), readingStyle());
    }
    static QString line(const std::vector<ModelLine> &lines, const QString &id) {
        const auto found = std::find_if(lines.begin(), lines.end(), [&](const ModelLine &l) { return l.id == id; });
        return found != lines.end() ? found->text : QString();
    }
    static TransformerShape llama3() {
        TransformerShape shape; // Llama-3-8B
        shape.kvHeads = 8;
        shape.ffn = 14336;
        shape.vocabulary = 128256;
        return shape;
    }

private Q_SLOTS:
    void llama3SaysRatioAndBytesPerToken() {
        const auto lines = linesOf(llama3());
        QCOMPARE(line(lines, u"parameters"_s), u"8,030,261,248 parameters, all active"_s);
        QCOMPARE(line(lines, u"layers"_s), u"32 layers, attention full"_s);
        QCOMPARE(line(lines, u"heads"_s), u"8 KV heads, 4 query heads per KV head"_s);
        QCOMPARE(line(lines, u"head_size"_s), u"head size 128 = hidden / heads"_s);
        QCOMPARE(line(lines, u"cache"_s), u"cache 131,072 B per token"_s);
        QCOMPARE(line(lines, u"cache_formula"_s), u"= 2 × 32 layers × 8 KV heads × 128 × 2 B"_s);
        QVERIFY(line(lines, u"tied"_s).isEmpty() && line(lines, u"experts"_s).isEmpty());
        QCOMPARE(line(linesOf(llama3(), "fp8"), u"cache"_s), u"cache 65,536 B per token"_s);
    }

    void llama2KeepsAKeyForEveryQuery() {
        const auto lines = linesOf({});
        QCOMPARE(line(lines, u"heads"_s), u"32 heads, each with its own KV head"_s);
        QCOMPARE(line(lines, u"cache"_s), u"cache 524,288 B per token"_s);
    }

    void givenHeadSizeIsNotTheQuotient() {
        TransformerShape shape; // Qwen3-4B
        shape.layers = 36;
        shape.hidden = 2560;
        shape.kvHeads = 8;
        shape.ffn = 9728;
        shape.vocabulary = 151936;
        shape.tiedEmbeddings = true;
        const auto lines = linesOf(shape);
        QCOMPARE(line(lines, u"head_size"_s), u"head size 128, given by the model"_s);
        QCOMPARE(line(lines, u"cache"_s), u"cache 147,456 B per token"_s);
        QCOMPARE(line(lines, u"tied"_s), u"tied: counted once"_s);
    }

    void windowsAreCountedByKind() {
        TransformerShape shape; // Gemma-3-12B
        shape.layers = 48;
        shape.hidden = 3840;
        shape.heads = 16;
        shape.kvHeads = 8;
        shape.headDim = 256;
        shape.attentionWindow = 1024;
        shape.attentionWindowEvery = 6;
        const auto lines = linesOf(shape);
        QCOMPARE(line(lines, u"layers"_s), u"48 layers: 8 full, 40 within 1,024 tokens"_s);
        QCOMPARE(line(lines, u"cache_window"_s), u"65,536 B per token beyond the window"_s);
    }

    void latentAttentionAndExperts() {
        TransformerShape shape; // DeepSeek-V3
        shape.layers = 61;
        shape.hidden = 7168;
        shape.heads = shape.kvHeads = 128;
        shape.ffn = 18432;
        shape.vocabulary = 129280;
        shape.mla = Mla{1536, 512, 64, 128, 128};
        shape.experts =
            Experts{.count = 256, .active = 8, .ffn = 2048, .shared = 1, .sharedFfn = 2048, .denseLayers = 3};
        const auto lines = linesOf(shape);
        QCOMPARE(line(lines, u"layers"_s), u"61 layers, attention latent (MLA)"_s);
        QCOMPARE(line(lines, u"heads"_s), u"128 heads over a latent of 512 + 64 rotary"_s);
        QCOMPARE(line(lines, u"experts"_s), u"experts: 8 of 256 + 1 shared, first 3 layers dense"_s);
        QCOMPARE(line(lines, u"cache"_s), u"cache 70,272 B per token"_s);
        QCOMPARE(line(lines, u"parameters"_s), u"671 B in all, 37.6 B active per token"_s);
        QVERIFY(line(lines, u"head_size"_s).isEmpty());
    }

    void linearLayersKeepAState() {
        TransformerShape shape;
        shape.layers = 48;
        shape.linearAttention.emplace();
        const auto lines = linesOf(shape);
        QCOMPARE(line(lines, u"layers"_s), u"48 layers: 12 full, 36 linear"_s);
        QVERIFY(line(lines, u"cache_state"_s).contains(u"state per sequence"_s));
    }

    void encoderHasNoCache() {
        TransformerShape shape;
        shape.causal = false;
        QCOMPARE(line(linesOf(shape), u"cache"_s), u"no cache: an encoder"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestModelWords)
#include "tst_model_words.moc"
