// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Model files handed to the window: weights become the model, and a hostile file leaves everything as it was.
#include "core/scenario/file.h"

#include "ui/shell/main_window.h"
#include "ui/shell/run_window.h"

#include "tests/core/import/weight_bytes.h"

#include <QApplication>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

} // namespace

class ModelFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void hostileFile_isAMessage_andTheScenarioStays_data();
    void hostileFile_isAMessage_andTheScenarioStays();
    void weights_becomeTheModel_servedAsStoredUntilAFormatIsChosen();

private:
    QString write(const QString &name, const std::string &bytes) const {
        const QString path = folder_.filePath(name);
        std::ofstream(path.toStdString(), std::ios::binary) << bytes;
        return path;
    }

    QTemporaryDir folder_;
    std::unique_ptr<ScenarioStore> store_;
    std::unique_ptr<ViewSettings> settings_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

void ModelFilesTest::initTestCase() {
    prepareApplication(*qobject_cast<QApplication *>(QCoreApplication::instance()));
}

void ModelFilesTest::init() {
    Scenario scenario = defaultScenario(catalog());
    scenario.task = Task::Inference;
    scenario.inference.concurrentSequences = 4;
    store_ = std::make_unique<ScenarioStore>(catalog(), scenario);
    settings_ = std::make_unique<ViewSettings>(QLocale::c());
    session_ = std::make_unique<Session>(folder_.filePath(QStringLiteral("session")));
    window_ = std::make_unique<MainWindow>(*store_, *settings_, *session_);
    window_->show();
}

void ModelFilesTest::cleanup() {
    window_.reset();
    store_.reset();
}

void ModelFilesTest::hostileFile_isAMessage_andTheScenarioStays_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    QTest::newRow("gguf") << "bad.gguf" << QByteArray("GGUF\3\0\0\0", 8).append(16, '\xff') << "byte 8: found a count";
    QTest::newRow("safetensors") << "bad.safetensors" << QByteArray(8, '\xff') << "byte 0: found a header of";
    QTest::newRow("config") << "bad.json" << QByteArray(5000, '[') << "more than 64 objects or lists";
    QTest::newRow("scenario") << "bad.ridgepoint" << QByteArray("{\"model\":{\"preset\":NaN}}")
                              << "model.preset: found NaN";
    QTest::newRow("name that turns") << QStringLiteral("bad\u202e.gguf") << QByteArray("x")
                                     << "bad\\u202e.gguf: byte 0";
}

void ModelFilesTest::hostileFile_isAMessage_andTheScenarioStays() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const Scenario before = store_->scenario();
    QVERIFY(!window_->openFile(write(name, bytes.toStdString())));
    auto *message = window_->findChild<QMessageBox *>(QStringLiteral("message"));
    QVERIFY(message != nullptr);
    QVERIFY2(message->informativeText().contains(said), qPrintable(message->informativeText()));
    QVERIFY(store_->scenario() == before);
    QCOMPARE(store_->history().count(), 0);
    QVERIFY(store_->isReportCurrent());
}

void ModelFilesTest::weights_becomeTheModel_servedAsStoredUntilAFormatIsChosen() {
    QVERIFY(window_->openFile(write(QStringLiteral("tiny.gguf"), tinyLlama("Q8_0").whole())));
    QVERIFY(servesStoredWeights(store_->scenario()));
    const QString weights = QStringLiteral("inference.weights");
    QVERIFY(!store_->edit(weights, std::string("int8")));
    QVERIFY(!servesStoredWeights(store_->scenario()));
    QVERIFY(!store_->edit(weights, std::string("stored")));
    QVERIFY(servesStoredWeights(store_->scenario()));
    QVERIFY(!store_->edit(QStringLiteral("model.preset"), std::string("llama-2-7b")));
    QVERIFY(!servesStoredWeights(store_->scenario()));
    QVERIFY(store_->edit(weights, std::string("stored")));
    store_->history().undo();
    QVERIFY(servesStoredWeights(store_->scenario()));
}

QTEST_MAIN(ModelFilesTest)
#include "tst_model_files.moc"
