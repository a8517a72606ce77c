// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A trace becomes a worked sum that a person can follow, and stays readable and finite for every shape of trace.
#include "core/number/explain.h"
#include "core/number/number.h"

#include <QtTest/QTest>

using namespace ridgepoint;
using N = Traced;

namespace {

N a() {
    return fact<N>(2, "a");
}
N b() {
    return fact<N>(3, "b");
}
N c() {
    return fact<N>(5, "c");
}

std::string wordsOf(const N &number) {
    return explainTrace(number, "it", Unit::None).words;
}
std::string figuresOf(const N &number) {
    return explainTrace(number, "it", Unit::None).figures;
}

N parametersOnRank() {
    return named<N>(fact<N>(32, "layers") *
                            fact<N>(202383360, "parameters per layer", "parameters", "Llama 2 configuration") +
                        fact<N>(262148096, "embeddings, head and last norm", "parameters"),
                    "parameters on this rank");
}

N optimizerStates() {
    return parametersOnRank() * fact<N>(8, "bytes of optimizer states", "bytes", "recipe mixed-bf16") /
           fact<N>(1, "data-parallel shards");
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void optimizerStatesOfLlama2() {
        const N states = named<N>(optimizerStates(), "optimizer states", "bytes", "Rajbhandari et al. 2020");
        const std::string expected = "Optimizer states = 53.9 GB (53,907,324,928 bytes)  [Rajbhandari et al. 2020]\n"
                                     "  = parameters on this rank × bytes of optimizer states ÷ data-parallel shards\n"
                                     "  = 6.738 B × 8 bytes ÷ 1\n"
                                     "  parameters on this rank = 6,738,415,616\n"
                                     "    = layers × parameters per layer + embeddings, head and last norm\n"
                                     "    = 32 × 202.4 M + 262.1 M\n"
                                     "    layers = 32\n"
                                     "    parameters per layer = 202,383,360 parameters  [Llama 2 configuration]\n"
                                     "    embeddings, head and last norm = 262,148,096 parameters\n"
                                     "  bytes of optimizer states = 8 bytes  [recipe mixed-bf16]\n"
                                     "  data-parallel shards = 1\n";
        QCOMPARE(renderText(explainTrace(states, "Optimizer states", Unit::Bytes)), expected);
    }

    void styleReachesEveryFigure() {
        const NumberStyle german{
            .bytes = ByteUnits::Binary, .decimalPoint = ',', .groupSeparator = ".", .significantDigits = 3};
        const ExplainedStep step = explainTrace(optimizerStates(), "Zustände", Unit::Bytes, german);
        QCOMPARE(step.figures, std::string("6,738 B × 8 bytes ÷ 1"));
        QVERIFY(renderText(step, german).starts_with("Zustände = 50,2 GiB (53.907.324.928 bytes)\n"));
    }

    void parenthesesOnlyWherePrecedenceNeedsThem_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("figures");
        QTest::addColumn<QString>("key");
        const auto row = [](const char *key, const char *words, const char *figures) {
            QTest::newRow(key) << QString::fromUtf8(words) << QString::fromUtf8(figures) << QString::fromUtf8(key);
        };
        row("a+b+c", "a + b + c", "2 + 3 + 5");
        row("a+(b+c)", "a + b + c", "2 + 3 + 5");
        row("a-(b+c)", "a − (b + c)", "2 − (3 + 5)");
        row("a-(b-c)", "a − (b − c)", "2 − (3 − 5)");
        row("(a-b)-c", "a − b − c", "2 − 3 − 5");
        row("a*b+c", "a × b + c", "2 × 3 + 5");
        row("a*(b+c)", "a × (b + c)", "2 × (3 + 5)");
        row("a/(b*c)", "a ÷ (b × c)", "2 ÷ (3 × 5)");
        row("a/b/c", "a ÷ b ÷ c", "2 ÷ 3 ÷ 5");
        row("a*(b/c)", "a × b ÷ c", "2 × 3 ÷ 5");
        row("a-b*c", "a − b × c", "2 − 3 × 5");
        row("power", "(a + b) ^ c × a", "(2 + 3) ^ 5 × 2");
        row("root", "a × square root of (b + c)", "2 × square root of (3 + 5)");
        row("larger", "a × the larger of (b, a + c)", "2 × the larger of (3, 2 + 5)");
        row("largest", "the largest of (a, b, c)", "the largest of (2, 3, 5)");
        row("smaller", "the smaller of (a, b)", "the smaller of (2, 3)");
        row("round up", "round up(a ÷ b) × c", "round up(2 ÷ 3) × 5");
        row("round down", "round down(a ÷ b)", "round down(2 ÷ 3)");
        row("round", "round(a ÷ b) + c", "round(2 ÷ 3) + 5");
        row("x*1", "a × 1", "2 × 1");
        row("constants", "2 × (a + 0.25) − 1,000,000", "2 × (2 + 0.25) − 1,000,000");
        row("negative", "a × (−3)", "2 × (−3)");
        row("negative leaf", "a − loss", "2 − (−7)");
    }

    void parenthesesOnlyWherePrecedenceNeedsThem() {
        QFETCH(QString, key);
        QFETCH(QString, words);
        QFETCH(QString, figures);
        const std::vector<std::pair<const char *, N>> sums = {
            {"a+b+c", a() + b() + c()},
            {"a+(b+c)", a() + (b() + c())},
            {"a-(b+c)", a() - (b() + c())},
            {"a-(b-c)", a() - (b() - c())},
            {"(a-b)-c", (a() - b()) - c()},
            {"a*b+c", a() * b() + c()},
            {"a*(b+c)", a() * (b() + c())},
            {"a/(b*c)", a() / (b() * c())},
            {"a/b/c", a() / b() / c()},
            {"a*(b/c)", a() * (b() / c())},
            {"a-b*c", a() - b() * c()},
            {"power", power(a() + b(), c()) * a()},
            {"root", a() * squareRoot(b() + c())},
            {"larger", a() * larger(b(), a() + c())},
            {"largest", larger(larger(a(), b()), c())},
            {"smaller", smaller(a(), b())},
            {"round up", roundedUp(a() / b()) * c()},
            {"round down", roundedDown(a() / b())},
            {"round", rounded(a() / b()) + c()},
            {"x*1", a() * 1.0},
            {"constants", 2.0 * (a() + 0.25) - 1e6},
            {"negative", a() * -3.0},
            {"negative leaf", a() - fact<N>(-7, "loss")},
        };
        const auto found =
            std::find_if(sums.begin(), sums.end(), [&key](const auto &sum) { return key == QLatin1String(sum.first); });
        QVERIFY(found != sums.end());
        QCOMPARE(QString::fromStdString(wordsOf(found->second)), words);
        QCOMPARE(QString::fromStdString(figuresOf(found->second)), figures);
    }

    void namedPartStandsAsItsName() {
        const ExplainedStep step = explainTrace(named<N>(a() + b(), "sum") * c(), "it", Unit::None);
        QCOMPARE(step.words, std::string("sum × c"));
        QCOMPARE(step.figures, std::string("5 × 5"));
        QCOMPARE(step.parts.size(), std::size_t(2));
        QCOMPARE(step.parts[0].label, std::string("sum"));
        QCOMPARE(step.parts[0].value, 5.0);
        QCOMPARE(step.parts[0].words, std::string("a + b"));
        QVERIFY(step.parts[1].words.empty());
    }

    void leafAndConstantHaveNoFormula() {
        const ExplainedStep leaf =
            explainTrace(fact<N>(80e9, "capacity", "bytes", "datasheet"), "Capacity", Unit::Bytes);
        QVERIFY(leaf.words.empty() && leaf.parts.empty());
        QCOMPARE(renderText(leaf), std::string("Capacity = 80.0 GB  [datasheet]\n"));
        QCOMPARE(renderText(explainTrace(4.0, "Four", Unit::None)), std::string("Four = 4\n"));
        QCOMPARE(explainTrace(fact<N>(1, "its own name", "bytes"), "", Unit::None).label, std::string("its own name"));
        QCOMPARE(explainTrace(fact<N>(1, "its own name", "bytes"), "", Unit::None).unit, std::string("bytes"));
    }

    void namedConstantIsALeafWithItsSource() {
        const ExplainedStep step =
            explainTrace(a() * named<N>(16.0, "bytes per parameter", "bytes", "paper"), "it", Unit::Bytes);
        QCOMPARE(step.parts[1].source, std::string("paper"));
        QVERIFY(step.parts[1].words.empty());
    }

    void repeatedPartIsExplainedOnce() {
        // Two evaluations of one formula, as memory does for weights and for gradients.
        const N total = named<N>(parametersOnRank() * 2.0, "weights", "bytes") +
                        named<N>(parametersOnRank() * 2.0, "gradients", "bytes");
        const ExplainedStep step = explainTrace(total, "it", Unit::Bytes);
        QVERIFY(!step.parts[0].parts[0].explainedAbove);
        QVERIFY(!step.parts[0].parts[0].words.empty());
        QVERIFY(step.parts[1].parts[0].explainedAbove);
        QVERIFY(step.parts[1].parts[0].words.empty());
        QCOMPARE(step.parts[1].parts[0].value, 6738415616.0);
        const QString text = QString::fromStdString(renderText(step));
        QCOMPARE(text.count(QLatin1String("parameters per layer = ")), 1);
        QCOMPARE(text.count(QLatin1String("6,738,415,616, as above\n")), 1);
        QCOMPARE(explainTrace(a() * a() + a(), "it", Unit::None).parts.size(), std::size_t(1));
    }

    void sameNameWithAnotherValueIsAnotherPart() {
        const N total = named<N>(a() * b(), "stage") + named<N>(a() * c(), "stage");
        const ExplainedStep step = explainTrace(total, "it", Unit::None);
        QCOMPARE(step.parts.size(), std::size_t(2));
        QCOMPARE(step.parts[1].words, std::string("a × c"));
    }

    void longSumHasOneTermPerLine() {
        N total = 0.0;
        for (int i = 1; i <= 30; ++i) {
            total += fact<N>(i, "operation " + std::to_string(i), "bytes");
        }
        const ExplainedStep step = explainTrace(total - 1.0, "Total", Unit::Bytes);
        QCOMPARE(std::count(step.words.begin(), step.words.end(), '\n'), 30);
        QCOMPARE(step.parts.size(), std::size_t(30));
        QVERIFY(step.words.starts_with("operation 1\n+ operation 2\n+ "));
        QVERIFY(renderText(step).starts_with("Total = 464 bytes\n  = operation 1\n    + operation 2\n"));
        QVERIFY(step.words.ends_with("\n− 1"));
    }

    void valuesHaveTheUnitOfTheirPart_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("text");
        const auto row = [](double value, const char *unit, const char *text) {
            QTest::newRow(text) << value << QString::fromUtf8(unit) << QString::fromUtf8(text);
        };
        row(4096, "tokens", "4,096 tokens");
        row(137438953472, "FLOP", "137,438,953,472 FLOP");
        row(312e12, "FLOP/s", "312 TFLOP/s");
        row(2.0393e12, "bytes/s", "2.04 TB/s (2,039,300,000,000 bytes/s)");
        row(4.5e-6, "s", "4.50 µs");
        row(1, "byte", "1 byte");
        row(2, "bytes/parameter", "2 bytes/parameter");
        row(700, "W", "700 W");
        row(700, "W/GPU", "700 W/GPU");
        row(0.1, "USD/kWh", "$0.10/kWh");
        row(0.8, "share", "80%");
        row(1.3, "", "1.3");
        row(32, "layers", "32 layers");
        row(25000, "tokens/s", "25,000 tokens/s");
        row(0.6125, "", "0.613 (0.6125)");
    }

    void valuesHaveTheUnitOfTheirPart() {
        QFETCH(double, value);
        QFETCH(QString, unit);
        QFETCH(QString, text);
        ExplainedStep step;
        step.value = value;
        step.unit = unit.toStdString();
        QCOMPARE(QString::fromStdString(valueText(step)), text);
    }

    void sharedStepsDoNotMultiply() {
        N x = a();
        for (int i = 0; i < 1000; ++i) {
            x = x + x * 0.5;
        }
        const std::string text = renderText(explainTrace(x, "it", Unit::None));
        QVERIFY2(text.size() < 200'000, std::to_string(text.size()).c_str());
        QVERIFY(text.find("intermediate 1 = ") != std::string::npos);
    }

    void smallSharedStepIsWrittenOutWhereItIsUsed() {
        const N tokens = a() * b();
        QCOMPARE(wordsOf(tokens * c() + tokens), std::string("a × b × c + a × b"));
    }

    void depthHasAnEnd_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("nested in turn") << 0;
        QTest::newRow("named") << 1;
        QTest::newRow("rounded") << 2;
        QTest::newRow("named without a label") << 3;
        QTest::newRow("long product") << 4;
    }

    void depthHasAnEnd() {
        QFETCH(int, kind);
        N x = a();
        for (int i = 0; i < 100'000; ++i) {
            switch (kind) {
            case 0:
                x = x * 0.5 + 1.0;
                break;
            case 1:
                x = named<N>(x * 0.5, "step " + std::to_string(i));
                break;
            case 2:
                x = roundedUp(x);
                break;
            case 3:
                x = named<N>(x, "");
                break;
            default:
                x = x * 1.0;
                break;
            }
        }
        const std::string text = renderText(explainTrace(x, "it", Unit::None));
        QVERIFY(text.starts_with("it = "));
        QVERIFY2(text.size() < 2'000'000, std::to_string(text.size()).c_str());
        QCOMPARE(text.back(), '\n');
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
