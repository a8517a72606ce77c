// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Public configs of every kind of family come out at the counts their publishers give, to the last parameter.
#include "core/import/import.h"
#include "core/import/import_report.h"

#include "tests/core/import/import_test.h"
#include "tests/core/scenarios.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

#include <algorithm>
#include <string>

using namespace ridgepoint;

namespace {

using Json = nlohmann::ordered_json;

std::string fileText(const QString &name) {
    QFile file(QStringLiteral(RIDGEPOINT_TEST_DATA "/hf-configs/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void addModels(const char *list) {
    QTest::addColumn<QString>("entry");
    const Json models = Json::parse(fileText(QString::fromLatin1(list)))["models"];
    for (const Json &model : models) {
        QTest::newRow(model["id"].get<std::string>().c_str()) << QString::fromStdString(model.dump());
    }
}

} // namespace

class ImportZoo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knownConfigs_countExactly_data() { addModels("index.json"); }
    void knownConfigs_countExactly();
    void importedModels_readBackAsScenarios_data() { addModels("index.json"); }
    void importedModels_readBackAsScenarios();
    void moreFamilies_countExactly_data() { addModels("more-families.json"); }
    void moreFamilies_countExactly();
    void unknownFamilies_areReadAsLlamaOnlyWhereNothingElseIsSaid();
    void predictionBlocks_areNamedWithTheirSize();
    void denseLayers_amongExpertsAreTheOnesTheConfigNames();
    void presets_haveTheShapesOfTheirConfigs_data() { addModels("index.json"); }
    void presets_haveTheShapesOfTheirConfigs();
    void reportedMistakes_areNotRepeated();
};

void ImportZoo::knownConfigs_countExactly() {
    QFETCH(QString, entry);
    const Json expected = Json::parse(entry.toStdString());
    const auto model = importHuggingFaceConfig(fileText(QString::fromStdString(expected["file"])));
    QVERIFY2(model, messages(model).c_str());
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

void ImportZoo::importedModels_readBackAsScenarios() {
    QFETCH(QString, entry);
    const Json expected = Json::parse(entry.toStdString());
    const auto model = importHuggingFaceConfig(fileText(QString::fromStdString(expected["file"])));
    QVERIFY2(model, messages(model).c_str());
    const Json written = importReport(*model, "config.json")["model"];
    if (model->shape.towerParameters > 0) { // no key says a tower
        QCOMPARE(written.dump(), std::string(R"({"config":"config.json"})"));
        return;
    }
    const auto scenario =
        readScenario(Json{{"model", written}, {"training", {{"sequence_length", 128}}}}.dump(), testing::catalog(), {});
    QVERIFY2(scenario, messages(scenario).c_str());
    QVERIFY2(scenario->model.shape == model->shape, written.dump().c_str());
    QVERIFY(scenario->model.source == ModelChoice::Source::Explicit);
}

void ImportZoo::moreFamilies_countExactly() {
    QFETCH(QString, entry);
    const Json expected = Json::parse(entry.toStdString());
    const auto model = importHuggingFaceConfig(expected["config"].dump());
    QVERIFY2(model, messages(model).c_str());
    const Json report = importReport(*model, "config.json");
    QCOMPARE(report["parameters"]["total"].get<qint64>(), expected["params_unique"].get<qint64>());
    if (expected.contains("params_active_per_token")) {
        QCOMPARE(report["parameters"]["active"].get<qint64>(), expected["params_active_per_token"].get<qint64>());
    }
    if (expected.contains("params_towers")) {
        QCOMPARE(static_cast<qint64>(model->shape.towerParameters), expected["params_towers"].get<qint64>());
    }
    if (expected.contains("elements_per_token")) {
        QCOMPARE(report["kv_cache"]["elements_per_token"].get<int>(), expected["elements_per_token"].get<int>());
    }
    if (expected.contains("warning")) {
        QVERIFY2(report["warnings"].dump().find(expected["warning"]) != std::string::npos,
                 report["warnings"].dump().c_str());
    }
    if (model->shape.towerParameters == 0) {
        const Json scenario{{"model", report["model"]}, {"training", {{"sequence_length", 128}}}};
        const auto again = readScenario(scenario.dump(), testing::catalog(), {});
        QVERIFY2(again, messages(again).c_str());
        QVERIFY2(again->model.shape == model->shape, report["model"].dump().c_str());
    }
}

void ImportZoo::unknownFamilies_areReadAsLlamaOnlyWhereNothingElseIsSaid() {
    Json config = Json::parse(fileText(QStringLiteral("llama-3-8b.json")));
    config["model_type"] = "frobnicate";
    config["architectures"] = {"FrobnicateForCausalLM"};
    const auto model = importHuggingFaceConfig(config.dump());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->parametersTotal, 8030261248.0);
    QVERIFY2(model->assumptions.front().starts_with("the family frobnicate is not known: read as Llama"),
             model->assumptions.front().c_str());
    const auto refused = [&](const char *key, const Json &value, const std::string &said) {
        Json other = config;
        other[key] = value;
        const std::string text = messages(importHuggingFaceConfig(other.dump()));
        return text.find(said) != std::string::npos;
    };
    QVERIFY(refused("num_experts", 8, "num_experts: found 8, allowed Llama's keys only: the family frobnicate"));
    QVERIFY(refused("kv_sharing_stride", 2, "kv_sharing_stride: found 2"));
    QVERIFY(refused("hidden_act", "relu2", "hidden_act: found text \"relu2\""));
    QVERIFY(refused("architectures", {"FrobnicateForImageClassification"}, "model_type: found \"frobnicate\""));
    QVERIFY(refused("model_type", "jamba", "model_type: found \"jamba\": state-space layers are not modelled"));
}

void ImportZoo::predictionBlocks_areNamedWithTheirSize() {
    const auto warningsOf = [](const char *file) {
        const auto model = importHuggingFaceConfig(fileText(QString::fromLatin1(file)));
        return importReport(*model, "config.json")["warnings"].dump();
    };
    // Both by the checkpoints' headers.
    QVERIFY(warningsOf("deepseek-v3.json").find("1 multi-token-prediction block of 13463426304 parameters") !=
            std::string::npos);
    QVERIFY(warningsOf("glm-4.5.json").find("1 multi-token-prediction block of 5539962272 parameters") !=
            std::string::npos);
    QVERIFY(warningsOf("kimi-k2.json").find("multi-token") == std::string::npos);
}

void ImportZoo::denseLayers_amongExpertsAreTheOnesTheConfigNames() {
    const auto read = [](const Json &config) { return importHuggingFaceConfig(config.dump()); };
    Json qwen = Json::parse(fileText(QStringLiteral("qwen3-30b-a3b.json")));
    qwen["mlp_only_layers"] = {0, 1};
    const auto leading = read(qwen);
    QVERIFY2(leading, messages(leading).c_str());
    QVERIFY(!leading->shape.isMoe(1) && leading->shape.isMoe(2));
    qwen["mlp_only_layers"] = {5};
    QVERIFY(messages(read(qwen)).find("mlp_only_layers: found a list, allowed the first layers only") !=
            std::string::npos);
    qwen["mlp_only_layers"] = Json::array();
    qwen["decoder_sparse_step"] = 2;
    const auto everySecond = read(qwen);
    QVERIFY(!everySecond->shape.isMoe(0) && everySecond->shape.isMoe(1));
    qwen["decoder_sparse_step"] = 100;
    const auto dense = read(qwen);
    QVERIFY(!dense->shape.experts);
    QCOMPARE(dense->parametersActive, dense->parametersTotal);
    Json deepSeek = Json::parse(fileText(QStringLiteral("deepseek-v3.json")));
    deepSeek["moe_layer_freq"] = 2;
    QVERIFY(messages(read(deepSeek)).find("moe_layer_freq: found 2, allowed 1") != std::string::npos);
}

void ImportZoo::presets_haveTheShapesOfTheirConfigs() {
    QFETCH(QString, entry);
    const Json expected = Json::parse(entry.toStdString());
    const ModelPreset *preset = testing::catalog().model(expected["id"].get<std::string>());
    if (preset == nullptr) {
        return; // a config that is no preset: the catalogue shows the best known
    }
    const auto model = importHuggingFaceConfig(fileText(QString::fromStdString(expected["file"])));
    QVERIFY2(model, messages(model).c_str());
    QVERIFY(preset->shape == model->shape);
}

/// Mistakes of public calculators, with the values that their users established.
void ImportZoo::reportedMistakes_areNotRepeated() {
    const auto bytesOf = [](const Json &config, double tokens) {
        const auto model = importHuggingFaceConfig(config.dump());
        const Json cache = importReport(*model, "config.json")["kv_cache"];
        const double layers = cache["layers_full"].get<double>() + cache["layers_windowed"].get<double>();
        const double perLayer = 2 * cache["elements_per_token"].get<double>() / layers;
        const double window = cache["window_tokens"].is_null() ? 0 : cache["window_tokens"].get<double>();
        return perLayer * (cache["layers_full"].get<double>() * tokens +
                           cache["layers_windowed"].get<double>() * std::min(tokens, window));
    };
    const auto config = [](const char *file) { return Json::parse(fileText(QString::fromLatin1(file))); };
    // https://github.com/LMCache/LMCache/issues/688: the head size is the config's, not hidden / heads.
    Json qwen3 = config("qwen3-8b.json");
    qwen3["hidden_size"] = 2560;
    qwen3["intermediate_size"] = 9728;
    QCOMPARE(bytesOf(qwen3, 1), 147456.0); // Qwen3-4B; 92,160 by hidden / heads
    const auto shown = importHuggingFaceConfig(qwen3.dump());
    QVERIFY(Json(shown->assumptions)
                .dump()
                .find("head_dim: 128 from head_dim; hidden_size / num_attention_heads "
                      "would be 80") != std::string::npos);
    const auto even = importHuggingFaceConfig(config("llama-3-8b.json").dump());
    QVERIFY(Json(even->assumptions).dump().find("head_dim: 128 = hidden_size / num_attention_heads") !=
            std::string::npos);
    // https://github.com/unslothai/unsloth/pull/4757: one sequence at its longest, 16 bits, in GiB.
    constexpr double gib = 1073741824;
    QCOMPARE(qRound(bytesOf(config("gemma-3-27b.json"), 131072) / gib * 100), 1041);
    QCOMPARE(qRound(bytesOf(config("deepseek-v3.json"), 163840) / gib * 100), 1072);
    QCOMPARE(bytesOf(config("qwen3-0.6b.json"), 40960) / gib, 4.375);
    // https://github.com/mistralai/platform-docs-public/pull/44: 8 x 22 is not 176, and memory is not "active".
    const auto mixtral = importHuggingFaceConfig(config("mixtral-8x22b.json").dump());
    QCOMPARE(mixtral->parametersTotal, 140620634112.0);
    QCOMPARE(mixtral->parametersActive, 39152031744.0);
    const auto small = importHuggingFaceConfig(config("mixtral-8x7b.json").dump());
    QCOMPARE(small->parametersTotal, 46702792704.0);
    QCOMPARE(small->parametersActive, 12879925248.0);
    // https://github.com/TigerResearch/TigerBot/issues/6: a head of its own, with that tokenizer.
    Json bloom = config("bloom.json");
    bloom["vocab_size"] = 250682;
    const double tied = importHuggingFaceConfig(bloom.dump())->parametersTotal;
    bloom["tie_word_embeddings"] = false;
    QCOMPARE(importHuggingFaceConfig(bloom.dump())->parametersTotal - tied, 3593777152.0);
    // https://github.com/huggingface/accelerate/issues/3379: the config's own type halves nothing.
    Json llama = config("llama-3-70b.json");
    const auto half = importHuggingFaceConfig(llama.dump());
    llama["torch_dtype"] = "float32";
    QCOMPARE(importHuggingFaceConfig(llama.dump())->parametersTotal, half->parametersTotal);
}

QTEST_APPLESS_MAIN(ImportZoo)
#include "tst_import_zoo.moc"
