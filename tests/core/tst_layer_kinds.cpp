// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experts, latent attention and mixed stacks: published parameter counts, splits over ranks, and what is kept.
#include "core/model/parameters.h"

#include <QTest>

#include <cmath>

using namespace ridgepoint;

namespace {

TransformerShape mixtral() {
    TransformerShape shape;
    shape.ffn = 14336;
    shape.kvHeads = 8;
    shape.experts = Experts{.count = 8, .active = 2, .ffn = 14336};
    return shape;
}

TransformerShape deepSeekV3() {
    TransformerShape shape;
    shape.layers = 61;
    shape.hidden = 7168;
    shape.heads = shape.kvHeads = 128;
    shape.ffn = 18432;
    shape.vocabulary = 129280;
    shape.experts = Experts{
        .count = 256, .active = 8, .ffn = 2048, .shared = 1, .sharedFfn = 2048, .denseLayers = 3, .routerBias = true};
    shape.mla = Mla{.qRank = 1536, .kvRank = 512, .ropeDim = 64, .nopeDim = 128, .vDim = 128};
    return shape;
}

OperationList<double> training(const TransformerShape &shape, Execution<double> execution) {
    execution.activationBytes = execution.cacheBytes = 2;
    return describe(shape, Workload<double>{.sequences = 1, .queryTokens = 4096, .contextTokens = 4096}, execution);
}

const Operation<double> &find(const OperationList<double> &list, std::string_view name) {
    const auto found = std::find_if(list.operations.begin(), list.operations.end(),
                                    [&](const Operation<double> &op) { return op.name == name; });
    return *found;
}

double moeKept(const OperationList<double> &list) {
    double sum = 0;
    for (const Operation<double> &op : list.operations) {
        sum += op.repeat == Repeat::MoeLayer ? op.keptBytes : 0;
    }
    return sum;
}

} // namespace

class LayerKinds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void parameters_ofMixtures_matchTheCheckpoints() {
        const ParameterCount mixtralCount = countParameters(mixtral());
        QCOMPARE(mixtralCount.total, 46702792704.0); // checkpoint header
        QCOMPARE(mixtralCount.active, 12879925248.0);
        const ParameterCount deepSeek = countParameters(deepSeekV3());
        QCOMPARE(deepSeek.total, 671026419200.0); // without the multi-token-prediction block
        QCOMPARE(deepSeek.active, 37552297472.0); // "37B activated", DeepSeek-V3 technical report
    }

    void expertParallel_splitsOnlyTheExperts() {
        const OperationList<double> whole = training(mixtral(), {});
        const OperationList<double> split = training(mixtral(), {.expert = 4});
        QCOMPARE(find(split, "experts' down projection").matrixWeights * 4,
                 find(whole, "experts' down projection").matrixWeights);
        QCOMPARE(find(split, "experts' down projection").groups, 2.0);
        QCOMPARE(find(split, "router").matrixWeights, find(whole, "router").matrixWeights);
        // Balanced: a rank keeps as many rows as without the split, from other ranks' tokens too.
        QCOMPARE(moeKept(split), moeKept(whole));
        QVERIFY(find(split, "dispatch to experts").exchangeBytes == 4096.0 * 2 * 4096 * 2);
        QVERIFY(find(whole, "dispatch to experts").exchange == Exchange::None);
    }

    void expertTensor_dividesWidthOrRows_alwaysTheWork() {
        for (const int expertTensor : {1, 2, 4}) {
            const OperationList<double> list =
                training(mixtral(), {.tensor = 4, .expert = 2, .expertTensor = expertTensor, .sequenceParallel = true});
            QCOMPARE(find(list, "experts' down projection").forwardFlops, 2.0 * 4096 * 2 * 4096 * 14336 / 4);
        }
    }

    void readWeights_growWithTokensUpToAll() {
        TransformerShape shape = mixtral();
        Execution<double> execution;
        execution.activationBytes = execution.cacheBytes = 2;
        const auto share = [&](double sequences) {
            const auto list = describe(
                shape,
                Workload<double>{.sequences = sequences, .queryTokens = 1, .contextTokens = 1024, .training = false},
                execution);
            const Operation<double> &op = find(list, "experts' down projection");
            return op.readWeights / op.matrixWeights;
        };
        QCOMPARE(share(1), 0.25);
        QVERIFY(std::abs(share(4) - (1 - std::pow(0.75, 4))) < 1e-12);
        QVERIFY(share(64) > 0.999999);
    }

    void latentAttention_decodingReadsOnlyTheLatent() {
        Execution<double> execution;
        execution.activationBytes = execution.cacheBytes = 2;
        execution.tensor = 8;
        const auto list = describe(
            deepSeekV3(), Workload<double>{.sequences = 1, .queryTokens = 1, .contextTokens = 1000, .training = false},
            execution);
        const Operation<double> &core = find(list, "attention");
        QCOMPARE(core.readBytes, 2.0 * (128 / 8 * 576 + 1000 * 576)); // not split over tensor ranks
    }

    void contextParallel_dividesTokensAndExchangesKeys() {
        const TransformerShape shape = mixtral();
        const OperationList<double> whole = training(shape, {});
        const OperationList<double> split = training(shape, {.context = 4});
        QCOMPARE(split.tokens * 4, whole.tokens);
        QCOMPARE(find(split, "attention").forwardFlops * 4, find(whole, "attention").forwardFlops);
        QCOMPARE(find(split, "attention").exchangeBytes, 4096.0 * 2 * 1024 * 2);
        QVERIFY(find(split, "attention").exchange == Exchange::ContextKeyValues);
    }

    void stages_countEachKindOfLayer() {
        TransformerShape shape = deepSeekV3();
        Parallelism parallelism;
        parallelism.pipeline = 2;
        const auto plans = planStages(shape, parallelism);
        QCOMPARE(plans[0].denseLayers, 3);
        QCOMPARE(plans[0].moeLayers, 28);
        QCOMPARE(plans[1].moeLayers, 30);
        parallelism.virtualStages = 2;
        const auto interleaved = planStages(shape, parallelism); // 16, 15, 15, 15
        QCOMPARE(interleaved[0].layers, 31);
        QCOMPARE(interleaved[1].layers, 30);
        TransformerShape hybrid;
        hybrid.layers = 48;
        hybrid.linearAttention = LinearAttention{};
        const StagePlan plan = planStages(hybrid, Parallelism{}).front();
        QCOMPARE(plan.linearAttentionLayers, 36);
        QCOMPARE(plan.fullAttentionLayers, 12);
    }
};

QTEST_APPLESS_MAIN(LayerKinds)
#include "tst_layer_kinds.moc"
