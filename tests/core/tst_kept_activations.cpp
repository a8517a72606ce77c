// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a layer keeps for backward is what Korthikanti et al. 2022 derive: 34 + 5as/h, 10 + 24/t, and each mode of
// recompute.
#include "core/model/operation.h"

#include "tests/core/scenarios.h"

#include <QTest>

using namespace ridgepoint;

namespace {

constexpr double sequence = 2048;
constexpr double hidden = 12288;
constexpr double heads = 96;
constexpr double micro = 1;

TransformerShape gptShape() {
    TransformerShape shape;
    shape.layers = 96;
    shape.hidden = static_cast<int>(hidden);
    shape.heads = shape.kvHeads = static_cast<int>(heads);
    shape.headDim = 128;
    shape.ffn = 4 * shape.hidden;
    shape.vocabulary = 51200;
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.biases = Biases::All;
    shape.positions = Positions::Learned;
    return shape;
}

struct Kept {
    double layer = 0; ///< without the attention core's
    double core = 0;
    double layerInput = 0;
};

Kept keptPerLayer(Execution<double> execution) {
    execution.activationBytes = execution.cacheBytes = 2;
    const Workload<double> workload{
        .sequences = micro, .queryTokens = sequence, .contextTokens = sequence, .training = true};
    const OperationList<double> list = describe(gptShape(), workload, execution);
    Kept kept;
    kept.layerInput = list.layerInputBytes;
    for (const Operation<double> &op : list.operations) {
        if (op.repeat == Repeat::EveryLayer) {
            kept.layer += op.keptBytes;
            kept.core += op.keptCoreBytes;
        }
    }
    return kept;
}

Execution<double> paper(int tensor, bool sequenceParallel) {
    Execution<double> execution;
    execution.tensor = tensor;
    execution.sequenceParallel = sequenceParallel;
    execution.attention = AttentionKernel::Materialized;
    execution.dropout = true;
    return execution;
}

constexpr double sbh = sequence * micro * hidden;
constexpr double quadratic = 5 * heads * sequence / hidden;

} // namespace

class KeptActivations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGptLayerKeeps34PlusTheQuadraticTerm();
    void tensorParallelSplitsAllButTenths_data();
    void tensorParallelSplitsAllButTenths();
    void sequenceParallelSplitsEverything();
    void selectiveRecomputeRemovesTheQuadraticTerm();
    void fullRecomputeKeepsTheLayerInput();
    void flashAttentionKeepsNoScores();
    void unfusedNormsKeepAnFp32Copy();
    void aGatedMlpKeepsGateAndUp();
    void fortyLayersOfAUserReportKeep206GiBWithoutNormInputs();
};

void KeptActivations::aGptLayerKeeps34PlusTheQuadraticTerm() {
    const Kept kept = keptPerLayer(paper(1, false));
    QCOMPARE(kept.layer + kept.core, sbh * (34 + quadratic));
}

void KeptActivations::tensorParallelSplitsAllButTenths_data() {
    QTest::addColumn<int>("tensor");
    for (const int tensor : {2, 4, 8}) {
        QTest::addRow("t = %d", tensor) << tensor;
    }
}

void KeptActivations::tensorParallelSplitsAllButTenths() {
    QFETCH(int, tensor);
    const Kept kept = keptPerLayer(paper(tensor, false));
    QCOMPARE(kept.layer + kept.core, sbh * (10 + 24.0 / tensor + quadratic / tensor));
}

void KeptActivations::sequenceParallelSplitsEverything() {
    const Kept kept = keptPerLayer(paper(8, true));
    QCOMPARE(kept.layer + kept.core, sbh * (34 + quadratic) / 8);
}

void KeptActivations::selectiveRecomputeRemovesTheQuadraticTerm() {
    QCOMPARE(keptPerLayer(paper(1, false)).core, sbh * quadratic);
    QCOMPARE(keptPerLayer(paper(1, false)).layer, sbh * 34);
}

void KeptActivations::fullRecomputeKeepsTheLayerInput() {
    QCOMPARE(keptPerLayer(paper(1, false)).layerInput, 2 * sbh);
    QCOMPARE(keptPerLayer(paper(8, true)).layerInput, 2 * sbh / 8);
}

void KeptActivations::flashAttentionKeepsNoScores() {
    Execution<double> execution = paper(1, false);
    execution.attention = AttentionKernel::Flash;
    const Kept kept = keptPerLayer(execution);
    QCOMPARE(kept.layer, sbh * 34);
    QCOMPARE(kept.core, sequence * micro * heads * 4); // log-sum-exp
}

void KeptActivations::unfusedNormsKeepAnFp32Copy() {
    Execution<double> execution = paper(1, false);
    execution.fusedKernels = false;
    QCOMPARE(keptPerLayer(execution).layer, sbh * (34 + 2 * 4)); // two norms: 4 + 2 bytes in place of 2
}

void KeptActivations::aGatedMlpKeepsGateAndUp() {
    TransformerShape shape = gptShape();
    shape.gatedMlp = true;
    Execution<double> execution;
    execution.activationBytes = execution.cacheBytes = 2;
    const Workload<double> workload{.sequences = 1, .queryTokens = 128, .contextTokens = 128, .training = true};
    for (const bool fused : {true, false}) {
        execution.fusedKernels = fused;
        for (const Operation<double> &op : describe(shape, workload, execution).operations) {
            if (op.name == "activation") {
                QCOMPARE(op.keptBytes, 128.0 * shape.ffn * 2 * (fused ? 2 : 3));
            }
        }
    }
}

void KeptActivations::fortyLayersOfAUserReportKeep206GiBWithoutNormInputs() {
    // 40 layers, hidden 6144, 48 heads, s 2048, b 4: the whole sum is 213.75 GiB, 63.75 GiB without the quadratic term.
    TransformerShape shape = gptShape();
    shape.hidden = 6144;
    shape.heads = shape.kvHeads = 48;
    shape.ffn = 4 * 6144;
    Execution<double> execution = paper(1, false);
    execution.activationBytes = execution.cacheBytes = 2;
    const Workload<double> workload{.sequences = 4, .queryTokens = 2048, .contextTokens = 2048, .training = true};
    double kept = 0;
    double core = 0;
    for (const Operation<double> &op : describe(shape, workload, execution).operations) {
        if (op.repeat == Repeat::EveryLayer) {
            kept += op.keptBytes;
            core += op.keptCoreBytes;
        }
    }
    constexpr double gib = 1024.0 * 1024 * 1024;
    QCOMPARE(40 * (kept + core) / gib, 213.75);
    QCOMPARE(40 * kept / gib, 63.75);
}

QTEST_APPLESS_MAIN(KeptActivations)
#include "tst_kept_activations.moc"
