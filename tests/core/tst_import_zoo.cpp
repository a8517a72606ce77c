// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Public configs of every kind of family come out at the counts their publishers give, to the last parameter.
#include "core/import/import.h"
#include "core/import/import_report.h"
#include "core/model/cache_elements.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

#include <string>

using namespace ridgepoint;

namespace {

using Json = nlohmann::ordered_json;

std::string fileText(const QString &name) {
    QFile file(QStringLiteral(RIDGEPOINT_TEST_DATA "/hf-configs/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Json index() {
    return Json::parse(fileText(QStringLiteral("index.json")));
}

std::string problemsOf(const Expected<ImportedModel> &model) {
    std::string text;
    if (!model) {
        for (const Problem &problem : model.error()) {
            text += problem.message() + "\n";
        }
    }
    return text;
}

void addModels() {
    QTest::addColumn<QString>("entry");
    const Json models = index()["models"];
    for (const Json &model : models) {
        QTest::newRow(model["id"].get<std::string>().c_str()) << QString::fromStdString(model.dump());
    }
}

} // namespace

class ImportZoo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knownConfigs_countExactly_data() { addModels(); }
    void knownConfigs_countExactly();
};

void ImportZoo::knownConfigs_countExactly() {
    QFETCH(QString, entry);
    const Json expected = Json::parse(entry.toStdString());
    const auto model = importHuggingFaceConfig(fileText(QString::fromStdString(expected["file"])));
    QVERIFY2(model, problemsOf(model).c_str());
    const Json report = importReport(*model, "config.json");
    const auto total = expected["params_unique"].get<qint64>();
    const auto towers = expected.value("params_towers", qint64{0});
    QCOMPARE(report["parameters"]["total"].get<qint64>(), total);
    QCOMPARE(report["parameters"]["active"].get<qint64>(), expected.value("params_active_per_token", total - towers));
    QCOMPARE(static_cast<qint64>(model->shape.towerParameters), towers);
    const Json &cache = report["kv_cache"];
    const Json &kv = expected["kv"];
    if (kv.is_null()) { // an encoder
        QCOMPARE(cache["elements_per_token"].get<int>(), 0);
        QCOMPARE(cache["layers_full"].get<int>() + cache["layers_windowed"].get<int>(), 0);
        return;
    }
    QCOMPARE(cache["elements_per_token"].get<int>(), kv["elements_per_token_all_layers"].get<int>());
    QCOMPARE(cache["layers_full"].get<int>(), kv["layers_keeping_full_context"].get<int>());
    QCOMPARE(cache["layers_windowed"].get<int>(), kv["layers_windowed"].get<int>());
    QCOMPARE(cache["window_tokens"].dump(), kv["window_tokens"].dump());
}

QTEST_APPLESS_MAIN(ImportZoo)
#include "tst_import_zoo.moc"
