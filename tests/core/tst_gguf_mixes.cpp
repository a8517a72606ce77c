// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Weights in GGUF mixes against the published sizes of well-known files.
#include "core/memory/stored_weights.h"

#include "tests/core/scenarios.h"

#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::testing;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

TransformerShape mixtral() {
    TransformerShape shape = catalog().model("mistral-7b-v0.1")->shape;
    shape.attentionWindow.reset();
    shape.experts = Experts{.count = 8, .active = 2, .ffn = 14336};
    return shape;
}

double weightsOf(const TransformerShape &shape, const std::string &format) {
    Scenario s = scenario(
        {{"model", {{"preset", "llama-2-7b"}}}, {"task", "inference"}, {"hardware", {{"gpus", {"nvidia-h100-sxm"}}}}});
    s.model.source = ModelChoice::Source::Explicit;
    s.model.shape = shape;
    s.inference.weights = format;
    const Setting setting = resolve(s, *catalog().gpu("nvidia-h100-sxm"), catalog());
    const auto list = describeInference<double>(setting, 1, 1, 1);
    return storedWeightBytes<double>(setting, list, setting.stages.front(), {.first = 0, .end = shape.layers});
}

} // namespace

class GgufMixes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesHaveTheirPublishedSize_data();
    void filesHaveTheirPublishedSize();
    void rowsThatTheBlockDoesNotDivideTakeAnotherType();
    void aStageHasTheMixOfItsOwnLayers();
    void everyMixIsBetweenItsNarrowestAndItsWidestType();
    void gatesOfExpertsAndNormsStayWide();
};

void GgufMixes::filesHaveTheirPublishedSize_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("format");
    QTest::addColumn<double>("bytes");
    // Files of huggingface.co/TheBloke/Llama-2-7B-Chat-GGUF.
    QTest::newRow("Llama 2 7B, Q4_K_M") << "llama-2-7b"
                                        << "q4_k_m" << 4081004224.0;
    QTest::newRow("Llama 2 7B, Q8_0") << "llama-2-7b"
                                      << "q8_0" << 7161089728.0;
    QTest::newRow("Llama 2 7B, Q4_0") << "llama-2-7b"
                                      << "q4_0" << 3.56 * gib; // llama-bench
    // llama.cpp, tools/quantize/README.md, Llama 3.1 8B.
    QTest::newRow("Llama 3.1 8B, Q2_K") << "llama-3-8b"
                                        << "q2_k" << 2.95 * gib;
    QTest::newRow("Llama 3.1 8B, IQ4_XS") << "llama-3-8b"
                                          << "iq4_xs" << 4.17 * gib;
    QTest::newRow("Llama 3.1 8B, Q4_K_M") << "llama-3-8b"
                                          << "q4_k_m" << 4.58 * gib;
    QTest::newRow("Llama 3.1 8B, Q5_K_M") << "llama-3-8b"
                                          << "q5_k_m" << 5.33 * gib;
    QTest::newRow("Llama 3.1 8B, Q6_K") << "llama-3-8b"
                                        << "q6_k" << 6.14 * gib;
    QTest::newRow("Llama 3.1 8B, Q8_0") << "llama-3-8b"
                                        << "q8_0" << 7.95 * gib;
    QTest::newRow("Llama 3 8B, Q3_K_M") << "llama-3-8b"
                                        << "q3_k_m" << 4.02e9; // huggingface.co/bartowski
    // llama-bench tables: `llama 70B`, `llama 8x7B`, `qwen2 7B`, each `Q4_K - Medium`.
    QTest::newRow("Llama 3.1 70B, Q4_K_M") << "llama-3-70b"
                                           << "q4_k_m" << 39.59 * gib;
    QTest::newRow("Mixtral 8x7B, Q4_K_M") << "mixtral"
                                          << "q4_k_m" << 26.49 * gib;
    QTest::newRow("Qwen2.5 7B, Q4_K_M") << "qwen2.5-7b"
                                        << "q4_k_m" << 4.36 * gib;
}

void GgufMixes::filesHaveTheirPublishedSize() {
    QFETCH(QString, model);
    QFETCH(QString, format);
    QFETCH(double, bytes);
    const TransformerShape shape = model == "mixtral" ? mixtral() : catalog().model(model.toStdString())->shape;
    const double weights = weightsOf(shape, format.toStdString());
    QVERIFY2(qAbs(weights / bytes - 1) < 0.005, qPrintable(QString::number(weights / bytes - 1)));
}

void GgufMixes::rowsThatTheBlockDoesNotDivideTakeAnotherType() {
    // Rows of 896 weights are no multiple of 256: 5.5 bits in place of 4.5, and 8.5 for the tied embedding. The file of
    // huggingface.co/bartowski has 397,808,192 bytes, of which 6 MB are its vocabulary.
    const TransformerShape &shape = catalog().model("qwen2.5-0.5b")->shape;
    const double weights = weightsOf(shape, "q4_k_m");
    QVERIFY(weights < 397808192.0);
    QVERIFY(weights > 397808192.0 - 7e6);
}

void GgufMixes::aStageHasTheMixOfItsOwnLayers() {
    Scenario s = scenario({{"model", {{"preset", "llama-3-8b"}}},
                           {"task", "inference"},
                           {"inference", {{"weights", "q4_k_m"}}},
                           {"parallelism", {{"pipeline", 4}}},
                           {"hardware", {{"gpus", {"nvidia-h100-sxm"}}}}});
    const auto report = evaluate<double>(s, catalog()).gpus.at(0);
    double sum = 0;
    for (const auto &stage : report.memory.stages) {
        sum += stage[MemoryComponent::Weights];
    }
    QVERIFY(qAbs(sum - weightsOf(s.model.shape, "q4_k_m")) < 8);
    // The last eighth has six bits for all its value and down projections, the layers before only every third.
    const auto linear = [&](std::size_t stage) { return report.memory.stages.at(stage)[MemoryComponent::Weights]; };
    QVERIFY(linear(3) > linear(2));
    QVERIFY(linear(2) != linear(1));
}

void GgufMixes::everyMixIsBetweenItsNarrowestAndItsWidestType() {
    const TransformerShape &shape = catalog().model("llama-3-8b")->shape;
    double before = 0;
    for (const char *id : {"q2_k", "q3_k_m", "iq4_xs", "q4_0", "q4_k_m", "q5_k_m", "q6_k", "q8_0"}) {
        const double bits = weightsOf(shape, id) * 8 / catalog().model("llama-3-8b")->parameters;
        QVERIFY2(bits > before, id); // in the order of their names
        before = bits;
    }
    QVERIFY(before < 8.51);
}

void GgufMixes::gatesOfExpertsAndNormsStayWide() {
    const TransformerShape with = mixtral();
    TransformerShape routerBias = with;
    routerBias.experts->routerBias = true;
    QCOMPARE(weightsOf(routerBias, "q2_k") - weightsOf(with, "q2_k"), 32.0 * 8 * 4); // fp32, 8 experts, 32 layers
}

QTEST_APPLESS_MAIN(GgufMixes)
#include "tst_gguf_mixes.moc"
