// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of memory over ten thousand random valid scenarios.
#include "core/memory/memory.h"

#include "tests/core/random_scenarios.h"

#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::testing;

namespace {

MemoryReport<double> memoryOf(const Scenario &s) {
    return evaluateMemory<double>(resolve(s, *catalog().gpu(s.hardware.gpus.front().base), catalog()));
}

QString shown(const Scenario &s) {
    return QString::fromStdString(writeScenario(s));
}

/// Half of the explicit shapes get experts.
Scenario randomAny(std::mt19937 &random) {
    for (;;) {
        Scenario s = randomValid(random);
        if (s.model.source == ModelChoice::Source::Explicit && random() % 2 == 0) {
            s.model.shape.experts = Experts{.count = 16,
                                            .active = 2,
                                            .ffn = 1024,
                                            .shared = pick<int>(random, {0, 1}),
                                            .sharedFfn = 2048,
                                            .denseLayers = pick<int>(random, {0, 2}),
                                            .every = pick<int>(random, {1, 2})};
            s.parallelism.expert = pick<int>(random, {1, 2, 4});
            if (random() % 2 == 0) {
                s.parallelism.expertTensor = 1;
            }
        }
        if (checkScenario(s, catalog()).empty()) {
            return s;
        }
    }
}

Scenario randomTraining(std::mt19937 &random) {
    for (;;) {
        Scenario s = randomAny(random);
        if (s.task == Task::Training) {
            return s;
        }
    }
}

} // namespace

class TrainingLaws : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsSumToTotalsExactly() {
        std::mt19937 random(3); // NOLINT(cert-msc51-cpp): the same scenarios every time
        for (int i = 0; i < roundsOf(10000); ++i) {
            const Scenario s = randomAny(random);
            const MemoryReport<double> memory = memoryOf(s);
            for (const StageMemory<double> &stage : memory.stages) {
                double sum = 0;
                for (const double component : stage.components) {
                    QVERIFY2(component >= 0 && component == std::round(component), qPrintable(shown(s)));
                    sum += component;
                }
                QVERIFY2(stage.allocatedBytes == sum, qPrintable(shown(s)));
                QVERIFY2(stage.reservedBytes == sum + stage.fragmentationBytes, qPrintable(shown(s)));
                QVERIFY2(stage.totalBytes == stage.reservedBytes + stage.contextBytes, qPrintable(shown(s)));
                QVERIFY2(stage.totalBytes <= memory.worst().totalBytes, qPrintable(shown(s)));
                QVERIFY2(stage.hostBytes >= 0, qPrintable(shown(s)));
                for (const auto &instant : stage.allocatedByInstant) {
                    QVERIFY2(!instant || *instant <= stage.allocatedBytes, qPrintable(shown(s)));
                }
            }
        }
    }

    /// Of every rank: what is trained, its gradients and its states, whatever holds them.
    void statesNeverGrowWithTheDataDegree() {
        std::mt19937 random(5); // NOLINT(cert-msc51-cpp)
        for (int i = 0; i < roundsOf(2000); ++i) {
            Scenario s = randomTraining(random);
            s.training.globalBatch = 0;
            const auto before = memoryOf(s);
            s.parallelism.data *= 2;
            const auto after = memoryOf(s);
            for (std::size_t stage = 0; stage < before.stages.size(); ++stage) {
                const double device = before.stages[stage].modelStatesBytes;
                QVERIFY2(after.stages[stage].modelStatesBytes <= device, qPrintable(shown(s)));
                for (const MemoryComponent each : {MemoryComponent::MasterWeights, MemoryComponent::OptimizerStates}) {
                    QVERIFY2(after.stages[stage][each] <= before.stages[stage][each], qPrintable(shown(s)));
                }
            }
        }
    }

    /// Twice and three times the micro-batch add the same; states do not change.
    void activationsScaleWithTheMicroBatch() {
        std::mt19937 random(11); // NOLINT(cert-msc51-cpp)
        for (int i = 0; i < roundsOf(1000); ++i) {
            Scenario s = randomTraining(random);
            const double steps = std::max(1.0, globalBatchOf(s) / (s.training.microBatch * s.parallelism.data));
            const auto with = [&](double micro) {
                s.training.microBatch = micro;
                s.training.globalBatch = micro * s.parallelism.data * steps;
                return memoryOf(s);
            };
            const auto one = with(2), two = with(4), three = with(6);
            for (std::size_t stage = 0; stage < one.stages.size(); ++stage) {
                QVERIFY(one.stages[stage].modelStatesBytes == three.stages[stage].modelStatesBytes);
                const auto forward = [&](const MemoryReport<double> &memory) {
                    return *memory.stages[stage].allocatedByInstant[static_cast<std::size_t>(Instant::ForwardEnd)];
                };
                QVERIFY2(qAbs(forward(three) - 2 * forward(two) + forward(one)) <= 4, qPrintable(shown(s)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TrainingLaws)
#include "tst_training_laws.moc"
