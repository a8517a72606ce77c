// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario whose model is a file of weights serves them at the file's own bytes, until a format is chosen.
#include "core/import/load_scenario.h"
#include "core/model/parameters.h"
#include "core/report/report.h"

#include "tests/core/import/import_test.h"
#include "tests/core/import/weight_bytes.h"

#include <QTest>

#include <cmath>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

double weightBytes(const Scenario &scenario) {
    double bytes = 0;
    const Report<double> report = evaluate<double>(scenario, catalog());
    for (const auto &stage : report.gpus.front().memory.stages) {
        bytes += stage[MemoryComponent::Weights];
    }
    return bytes;
}

} // namespace

class StoredWeightsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void servesTheFilesOwnBytes_data();
    void servesTheFilesOwnBytes();
    void eachPartHasItsOwnWidth();
    void aChosenFormatWins();
    void trainingDoesNotKnowOfIt();
    void nullIsWrittenAndReadBack();
    void nullWithoutStoredWeightsIsAMistake();

private:
    Expected<Scenario> scenario(const std::string &rest) const {
        folder_->write("s.ridgepoint", R"({"model":{"config":"m.gguf"},"task":"inference")" + rest + "}");
        return loadScenario(folder_->path("s.ridgepoint"), catalog());
    }
    std::unique_ptr<TestFolder> folder_;
};

void StoredWeightsTest::init() {
    folder_ = std::make_unique<TestFolder>();
}

void StoredWeightsTest::servesTheFilesOwnBytes_data() {
    QTest::addColumn<QString>("type");
    for (const char *type : {"F32", "Q8_0", "Q4_0", "MXFP4"}) {
        QTest::newRow(type) << QString::fromLatin1(type);
    }
}

void StoredWeightsTest::servesTheFilesOwnBytes() {
    QFETCH(QString, type);
    const GgufBytes file = tinyLlama(type.toStdString());
    folder_->write("m.gguf", file.whole());
    const auto read = scenario("");
    QVERIFY2(read, messages(read).c_str());
    QVERIFY(servesStoredWeights(*read));
    QCOMPARE(weightBytes(*read), read->model.stored->bytes());
    Scenario split = *read;
    split.parallelism.pipeline = 2;
    QVERIFY(std::abs(weightBytes(split) - read->model.stored->bytes()) <= 2);
}

void StoredWeightsTest::eachPartHasItsOwnWidth() {
    folder_->write("m.gguf", tinyLlama("Q4_0").whole());
    const auto read = scenario(R"(,"parallelism":{"pipeline":2})");
    QVERIFY2(read, messages(read).c_str());
    const StoredWeights &stored = *read->model.stored;
    const Report<double> report = evaluate<double>(*read, catalog());
    const auto &stages = report.gpus.front().memory.stages;
    // One of two layers each; the table in front, head and last norm behind; norms in full precision.
    const double layer = (stored.linear.bytes + 4 * 64 * 4) / 2;
    QVERIFY(std::abs(stages[0][MemoryComponent::Weights] - (layer + stored.embedding.bytes + stored.buffers.bytes)) <=
            1);
    QVERIFY(std::abs(stages[1][MemoryComponent::Weights] - (layer + stored.head.bytes + 64 * 4)) <= 1);
    Scenario after = *read;
    after.inference.weights = "q4_k_m"; // what was chosen before the file came
    QCOMPARE(weightBytes(after), weightBytes(*read));
}

void StoredWeightsTest::aChosenFormatWins() {
    folder_->write("m.gguf", tinyLlama("Q4_0").whole());
    const auto read = scenario(R"(,"inference":{"weights":"int8"})");
    QVERIFY2(read, messages(read).c_str());
    QVERIFY(!servesStoredWeights(*read));
    QCOMPARE(weightBytes(*read), countParameters(read->model.shape).total);
}

void StoredWeightsTest::trainingDoesNotKnowOfIt() {
    folder_->write("m.gguf", tinyLlama("Q4_0").whole());
    const auto read = scenario("");
    QVERIFY2(read, messages(read).c_str());
    Scenario training = *read;
    training.task = Task::Training;
    Scenario bare = training;
    bare.model.stored.reset();
    QCOMPARE(weightBytes(training), weightBytes(bare));
}

void StoredWeightsTest::nullIsWrittenAndReadBack() {
    folder_->write("m.gguf", tinyLlama("Q4_0").whole());
    for (const char *weights : {"", R"(,"inference":{"weights":null})", R"(,"inference":{"weights":"int4"})"}) {
        const auto read = scenario(weights);
        QVERIFY2(read, messages(read).c_str());
        const std::string written = writeScenario(*read);
        QCOMPARE(contains(written, "\"weights\": null"), !contains(weights, "int4"));
        const auto again = readScenario(written, catalog(), configLoaderFor(folder_->path(".")));
        QVERIFY2(again, messages(again).c_str());
        QVERIFY(*again == *read);
    }
}

void StoredWeightsTest::nullWithoutStoredWeightsIsAMistake() {
    const auto read = readScenario(R"({"model":{"preset":"llama-2-7b"},"inference":{"weights":null}})", catalog(), {});
    QVERIFY(!read);
    VERIFY_SAYS(messages(read), "inference.weights: found null, allowed a weight format");
}

QTEST_APPLESS_MAIN(StoredWeightsTest)
#include "tst_stored_weights.moc"
