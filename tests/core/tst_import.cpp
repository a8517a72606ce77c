// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Imports real configs to the exact parameter, and turns every kind of broken or foreign config away with a clear word.
#include "core/import/import.h"
#include "core/import/import_report.h"

#include "tests/core/import/import_test.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace ridgepoint;
using namespace std::string_literals;

namespace {

using Json = nlohmann::ordered_json;

std::string fileText(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

QString configPath(const QString &name) {
    return QStringLiteral(RIDGEPOINT_TEST_DATA "/hf-configs/") + name;
}

Json realConfig(const char *name) {
    return Json::parse(fileText(configPath(QString::fromLatin1(name) + QStringLiteral(".json"))));
}

Json with(Json config, const char *key, Json value) {
    config[key] = std::move(value);
    return config;
}

Json without(Json config, const char *key) {
    config.erase(key);
    return config;
}

std::string messagesOf(const Json &config) {
    return messages(importHuggingFaceConfig(config.dump()));
}

bool anyContains(const std::vector<std::string> &texts, const std::string &part) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string &text) { return contains(text, part); });
}

} // namespace

class ImportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAVisionTowerBesideTheLanguageModel();
    void readsGpt2UnderItsOwnNames();
    void takesTheHeadSizeFromTheConfigWhereItIsGiven();
    void tiesEmbeddingsAsTheClassDoes();
    void knowsTheBiasesOfQwen2ThatNoKeyNames();
    void addsDeclaredBiases();
    void readsWindowsAsEachFamilyUsesThem();
    void readsLayerTypes();
    void listsEveryAssumption();
    void readsTheShapeOfQuantizedModelsWithAWarning();
    void reportHasTheKeysOfTheImportCommand();
    void reportRefersToTheConfigWhereAShapeCannotSayIt();
    void refusesImpossibleFields_data();
    void refusesImpossibleFields();
    void listsAllMissingKeysAtOnce();
    void listsAllProblemsAtOnce();
    void countsTheLargestSizesWithoutOverflow();
    void readsFoldersAndFiles();
    void saysWhatTheSystemSaysAboutFiles();
};

void ImportTest::countsAVisionTowerBesideTheLanguageModel() {
    const auto model = importHuggingFaceConfig(realConfig("gemma-3-27b").dump());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->shape.towerParameters, 423060336.0); // published breakdown of the checkpoint
    QCOMPARE(model->shape.vocabulary, 262208);           // the class's own, absent in the file
    Json broken = realConfig("gemma-3-27b");
    broken["vision_config"]["patch_size"] = 0;
    broken["text_config"].erase("hidden_size");
    const std::string said = messagesOf(broken);
    VERIFY_SAYS(said, "vision_config.patch_size: found 0");
    VERIFY_SAYS(said, "text_config.hidden_size: found nothing");
    VERIFY_SAYS(messagesOf(without(realConfig("gemma-3-27b"), "vision_config")), "vision_config: found nothing");
}

void ImportTest::readsGpt2UnderItsOwnNames() {
    const auto model = importHuggingFaceConfig(realConfig("gpt2-xl").dump());
    QVERIFY2(model, messages(model).c_str());
    TransformerShape shape;
    shape.layers = 48;
    shape.hidden = 1600;
    shape.heads = 25;
    shape.kvHeads = 25;
    shape.headDim = 64;
    shape.ffn = 6400;
    shape.vocabulary = 50257;
    shape.gatedMlp = false;
    shape.tiedEmbeddings = true;
    shape.norm = NormKind::LayerNorm;
    shape.biases = Biases::All;
    shape.positions = Positions::Learned;
    shape.maxPositions = 1024;
    QVERIFY(model->shape == shape);
    QCOMPARE(model->family, "gpt2"s);

    Json common = without(without(realConfig("gpt2"), "n_embd"), "n_layer");
    common = with(with(common, "hidden_size", 768), "num_hidden_layers", 12);
    const auto same = importHuggingFaceConfig(common.dump());
    QVERIFY2(same, messages(same).c_str());
    QCOMPARE(same->parametersTotal, 124439808.0);
    QCOMPARE(importHuggingFaceConfig(with(realConfig("gpt2"), "n_inner", 1024).dump())->shape.ffn, 1024);
    QCOMPARE(importHuggingFaceConfig(with(realConfig("gpt2"), "n_inner", nullptr).dump())->shape.ffn, 3072);
    VERIFY_SAYS(messagesOf(with(realConfig("gpt2"), "hidden_size", 1024)), "hidden_size: found 1024 beside n_embd 768");
    VERIFY_SAYS(messagesOf(with(realConfig("gpt2"), "add_cross_attention", true)), "add_cross_attention: found true");
}

void ImportTest::takesTheHeadSizeFromTheConfigWhereItIsGiven() {
    const auto given = importHuggingFaceConfig(realConfig("gemma-2-9b").dump());
    QVERIFY2(given, messages(given).c_str());
    QCOMPARE(given->shape.headDim, 256); // 16 x 256 = 4096 while hidden is 3584
    QCOMPARE(given->shape.hidden, 3584);
    const auto odd = importHuggingFaceConfig(
        with(with(with(baseConfig(), "num_attention_heads", 27), "num_key_value_heads", 27), "head_dim", 100).dump());
    QVERIFY2(odd, messages(odd).c_str());
    QCOMPARE(odd->shape.headDim, 100);
    const auto null = importHuggingFaceConfig(with(baseConfig(), "head_dim", nullptr).dump());
    QVERIFY2(null, messages(null).c_str());
    QCOMPARE(null->shape.headDim, 128);
    QVERIFY(anyContains(null->assumptions, "head_dim: 128 = hidden_size / num_attention_heads"));
    const auto gemma = importHuggingFaceConfig(without(realConfig("gemma-7b"), "head_dim").dump());
    QVERIFY2(gemma, messages(gemma).c_str());
    QCOMPARE(gemma->parametersTotal, 8537680896.0);
}

void ImportTest::tiesEmbeddingsAsTheClassDoes() {
    // Counting the head of this model again would give 1,498,482,688, a figure that has been published.
    QCOMPARE(importHuggingFaceConfig(realConfig("llama-3.2-1b").dump())->parametersTotal, 1235814400.0);
    QVERIFY(!importHuggingFaceConfig(without(realConfig("llama-2-7b"), "tie_word_embeddings").dump())
                 ->shape.tiedEmbeddings);
    QVERIFY(!importHuggingFaceConfig(without(realConfig("qwen2.5-7b"), "tie_word_embeddings").dump())
                 ->shape.tiedEmbeddings);
    QVERIFY(!importHuggingFaceConfig(without(realConfig("mistral-7b-v0.1"), "tie_word_embeddings").dump())
                 ->shape.tiedEmbeddings);
    for (const char *tied : {"gpt2", "gemma-2b", "gemma-2-9b", "gemma-3-1b"}) {
        const auto model = importHuggingFaceConfig(realConfig(tied).dump());
        QVERIFY(model->shape.tiedEmbeddings);
        QVERIFY(anyContains(model->assumptions, "tie_word_embeddings: true, the default of"));
    }
    const auto untied = importHuggingFaceConfig(with(realConfig("gemma-2b"), "tie_word_embeddings", false).dump());
    QCOMPARE(untied->parametersTotal, 2506172416.0 + 256000.0 * 2048.0);
}

void ImportTest::knowsTheBiasesOfQwen2ThatNoKeyNames() {
    const auto model = importHuggingFaceConfig(realConfig("qwen2.5-7b").dump());
    QVERIFY(model->shape.biases == Biases::Qkv);
    QVERIFY(anyContains(model->assumptions, "biases on query, key and value"));
}

void ImportTest::addsDeclaredBiases() {
    const auto plain = importHuggingFaceConfig(baseConfig().dump());
    const auto biased =
        importHuggingFaceConfig(with(with(baseConfig(), "attention_bias", true), "mlp_bias", true).dump());
    QVERIFY2(biased, messages(biased).c_str());
    // q, k, v, output; gate, up, down.
    const double perLayer = 4096 + 1024 + 1024 + 4096 + 14336 + 14336 + 4096;
    QCOMPARE(biased->parametersTotal - plain->parametersTotal, 32 * perLayer);
    const auto attention = importHuggingFaceConfig(with(baseConfig(), "attention_bias", true).dump());
    QCOMPARE(attention->parametersTotal - plain->parametersTotal, 32.0 * (4096 + 1024 + 1024 + 4096));
    const auto mlp = importHuggingFaceConfig(with(baseConfig(), "mlp_bias", true).dump());
    QCOMPARE(mlp->parametersTotal - plain->parametersTotal, 32.0 * (14336 + 14336 + 4096));
    // Where a class knows no such key the checkpoint has no such tensor.
    VERIFY_SAYS(messagesOf(with(realConfig("mixtral-8x7b"), "attention_bias", true)), "attention_bias: found true");
}

void ImportTest::readsWindowsAsEachFamilyUsesThem() {
    const auto shapeOf = [](const Json &config) {
        const auto model = importHuggingFaceConfig(config.dump());
        return model ? model->shape : TransformerShape{};
    };
    const Json mistral = realConfig("mistral-7b-v0.1");
    QCOMPARE(shapeOf(mistral).attentionWindow.value_or(0), 4096);
    QVERIFY(!shapeOf(mistral).attentionWindowEvery);
    QVERIFY(!shapeOf(with(mistral, "sliding_window", nullptr)).attentionWindow);
    QCOMPARE(shapeOf(without(mistral, "sliding_window")).attentionWindow.value_or(0), 4096);

    const Json qwen = realConfig("qwen2.5-7b"); // names a window of 131072 and does not use it
    QVERIFY(!shapeOf(qwen).attentionWindow);
    const Json qwenOn = with(qwen, "use_sliding_window", true);
    QVERIFY(!shapeOf(qwenOn).attentionWindow); // max_window_layers keeps all 28 full
    QCOMPARE(shapeOf(with(qwenOn, "max_window_layers", 0)).attentionWindow.value_or(0), 131072);
    const TransformerShape late = shapeOf(with(qwenOn, "max_window_layers", 21));
    QVERIFY(!late.isWindowed(20) && late.isWindowed(21) && late.isWindowed(27));

    QCOMPARE(shapeOf(realConfig("gemma-2-9b")).attentionWindowEvery.value_or(0), 2);
    QCOMPARE(shapeOf(without(realConfig("gemma-3-1b"), "sliding_window_pattern")).attentionWindowEvery.value_or(0), 6);
    QCOMPARE(shapeOf(with(realConfig("gemma-3-1b"), "sliding_window_pattern", 4)).attentionWindowEvery.value_or(0), 4);
    QVERIFY(shapeOf(realConfig("gemma-3-1b")).qkNorm == QkNorm::PerHead);
    QVERIFY(shapeOf(realConfig("gemma-3-1b")).blockNorms == BlockNorms::Around);
    QVERIFY(shapeOf(realConfig("gemma-2-9b")).blockNorms == BlockNorms::Around);
    QVERIFY(shapeOf(realConfig("gemma-7b")).blockNorms == BlockNorms::Before);

    const auto llama = importHuggingFaceConfig(with(baseConfig(), "sliding_window", 4096).dump());
    QVERIFY(!llama->shape.attentionWindow);
    QVERIFY(anyContains(llama->warnings, "sliding_window: 4096 is not used by LlamaConfig"));
}

void ImportTest::readsLayerTypes() {
    Json types = Json::array();
    for (int layer = 0; layer < 26; ++layer) {
        types.push_back((layer + 1) % 6 == 0 ? "full_attention" : "sliding_attention");
    }
    const Json gemma = without(realConfig("gemma-3-1b"), "sliding_window_pattern");
    const auto model = importHuggingFaceConfig(with(gemma, "layer_types", types).dump());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->shape.attentionWindowEvery.value_or(0), 6);
    QVERIFY(!anyContains(model->assumptions, "sliding_window_pattern"));

    const auto all = importHuggingFaceConfig(
        with(gemma, "layer_types", Json(std::vector<std::string>(26, "full_attention"))).dump());
    QVERIFY(!all->shape.attentionWindow);
    Json irregular = types;
    irregular[25] = "full_attention";
    VERIFY_SAYS(messagesOf(with(gemma, "layer_types", irregular)),
                "layer_types: found text \"full_attention\" at layer 25");
    VERIFY_SAYS(messagesOf(with(gemma, "layer_types", Json::array({"full_attention"}))),
                "found a list of 1, allowed a list of 26");
    irregular[3] = "chunked_attention";
    VERIFY_SAYS(messagesOf(with(gemma, "layer_types", irregular)), "layer_types[3]: found text \"chunked_attention\"");
    VERIFY_SAYS(messagesOf(with(baseConfig(), "layer_types", Json(std::vector<std::string>(32, "sliding_attention")))),
                "32 layers of sliding_attention without a window");
}

void ImportTest::listsEveryAssumption() {
    Json config = baseConfig();
    for (const char *key : {"architectures", "num_key_value_heads", "tie_word_embeddings"}) {
        config = without(config, key);
    }
    const auto model = importHuggingFaceConfig(config.dump());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->shape.kvHeads, 32);
    for (const char *assumed :
         {"architectures: LlamaForCausalLM",
          "num_key_value_heads: 32 = num_attention_heads, the default of LlamaConfig", "head_dim: 128",
          "tie_word_embeddings: false, the default of LlamaConfig", "attention_bias: false", "mlp_bias: false"}) {
        QVERIFY2(anyContains(model->assumptions, assumed), assumed);
    }
    QCOMPARE(model->assumptions.size(), std::size_t{6});
}

void ImportTest::readsTheShapeOfQuantizedModelsWithAWarning() {
    for (const char *method : {"awq", "gptq", "bitsandbytes", "fp8"}) {
        const auto model = importHuggingFaceConfig(
            with(baseConfig(), "quantization_config", {{"quant_method", method}, {"bits", 4}}).dump());
        QVERIFY2(model, messages(model).c_str());
        QCOMPARE(model->parametersTotal, 8030261248.0);
        QVERIFY(anyContains(model->warnings, "the weight widths of "s + method));
    }
    const std::string said =
        messagesOf(with(baseConfig(), "quantization_config", {{"quant_method", "mystery"}, {"bits", 3}}));
    VERIFY_SAYS(said, "quantization_config.quant_method: found text \"mystery\", allowed one of aqlm, awq, ");
    VERIFY_SAYS(messagesOf(with(baseConfig(), "quantization_config", {{"bits", 3}})),
                "quantization_config.quant_method: found nothing");
    VERIFY_SAYS(messagesOf(with(baseConfig(), "quantization_config", "awq")),
                "quantization_config: found text \"awq\", allowed an object");
}

void ImportTest::reportHasTheKeysOfTheImportCommand() {
    const auto gpt2 = importHuggingFaceConfig(realConfig("gpt2").dump());
    const Json report = importReport(*gpt2, "gpt2/config.json");
    std::vector<std::string> keys;
    for (const auto &[key, value] : report.items()) {
        keys.push_back(key);
    }
    QVERIFY((keys == std::vector<std::string>{"model", "parameters", "kv_cache", "assumptions", "warnings"}));
    QCOMPARE(report["parameters"].dump(), R"({"total":124439808,"active":124439808})"s);
    QCOMPARE(report["kv_cache"].dump(),
             R"({"elements_per_token":18432,"layers_full":12,"layers_windowed":0,"window_tokens":null})"s);
    QCOMPARE(
        report["model"].dump(),
        R"({"layers":12,"hidden":768,"heads":12,"kv_heads":12,"head_dim":64,"ffn":3072,"vocabulary":50257,)"
        R"("gated_mlp":false,"tied_embeddings":true,"norm":"layernorm","biases":"all","positions":"learned","max_positions":1024})"s);
    QVERIFY(report["assumptions"].is_array() && !report["assumptions"].empty());
    QVERIFY(report["warnings"].is_array());
    const Json mistral = importReport(*importHuggingFaceConfig(realConfig("mistral-7b-v0.1").dump()), "m");
    QCOMPARE(mistral["model"]["attention_window"].get<int>(), 4096);
    QCOMPARE(mistral["model"]["biases"].get<std::string>(), "none"s);
    QCOMPARE(mistral["kv_cache"]["window_tokens"].get<int>(), 4096);
}

void ImportTest::reportRefersToTheConfigWhereAShapeCannotSayIt() {
    const Json tower = importReport(*importHuggingFaceConfig(realConfig("gemma-3-27b").dump()), "models/config.json");
    QCOMPARE(tower["model"].dump(), R"({"config":"models/config.json"})"s);
    QCOMPARE(tower["kv_cache"]["layers_windowed"].get<int>(), 52);
    // Norms that few families have are keys of their own, and only where they are set.
    const Json gemma = importReport(*importHuggingFaceConfig(realConfig("gemma-3-1b").dump()), "m");
    QVERIFY(gemma["model"]["block_norms"] == "around" && gemma["model"]["qk_norm"] == "per-head");
}

void ImportTest::refusesImpossibleFields_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const char *key, const char *value, const char *said) {
        QTest::newRow(name) << QString::fromUtf8(key) << QString::fromUtf8(value) << QString::fromUtf8(said);
    };
    row("count as text", "num_hidden_layers", "\"32\"",
        "num_hidden_layers: found text \"32\", allowed a whole number of at least 1");
    row("count as truth", "num_hidden_layers", "true", "num_hidden_layers: found true, allowed a whole number");
    row("count as null", "num_hidden_layers", "null", "num_hidden_layers: found null, allowed a whole number");
    row("count as list", "num_hidden_layers", "[32]", "num_hidden_layers: found a list, allowed a whole number");
    row("count as fraction", "num_hidden_layers", "32.5", "num_hidden_layers: found 32.5, allowed a whole number");
    row("architectures as text", "architectures", "\"LlamaForCausalLM\"",
        "architectures: found text \"LlamaForCausalLM\", allowed a list");
    row("other architecture", "architectures", "[\"LlamaForSequenceClassification\"]",
        "architectures: found a list with text \"LlamaForSequenceClassification\", allowed a list with "
        "LlamaForCausalLM");
    row("flag as number", "tie_word_embeddings", "1", "tie_word_embeddings: found 1, allowed true or false");
    row("negative", "hidden_size", "-1", "hidden_size: found -1, allowed a whole number, must be at least 1");
    row("negative zero", "hidden_size", "-0", "hidden_size: found 0, allowed a whole number, must be at least 1");
    row("1e308", "hidden_size", "1e308", "hidden_size: found 1e+308, allowed a whole number");
    row("2^63", "hidden_size", "9223372036854775808", "hidden_size: found 9.22337");
    row("too large", "hidden_size", "9223372036854775807",
        "hidden_size: found 9223372036854775807, allowed a whole number of 16777216 at most");
    row("no layers", "num_hidden_layers", "0",
        "num_hidden_layers: found 0, allowed a whole number, must be at least 1");
    row("no heads", "num_attention_heads", "0",
        "num_attention_heads: found 0, allowed a whole number, must be at least 1");
    row("no width", "hidden_size", "0", "hidden_size: found 0, allowed a whole number, must be at least 1");
    row("no vocabulary", "vocab_size", "0", "vocab_size: found 0, allowed a whole number, must be at least 1");
    row("no key heads", "num_key_value_heads", "0",
        "num_key_value_heads: found 0, allowed a whole number, must be at least 1");
    row("no head size", "head_dim", "0", "head_dim: found 0, allowed a whole number, must be at least 1");
    row("heads do not divide", "num_attention_heads", "27",
        "num_attention_heads: found 27 heads for hidden_size 4096 and no head_dim");
    row("key heads do not divide", "num_key_value_heads", "5",
        "num_key_value_heads: found 5 key and value heads for 32 heads, allowed a divisor of 32 heads: 1, 2, 4, 8, 16, "
        "32");
    row("more key heads than heads", "num_key_value_heads", "64",
        "num_key_value_heads: found 64 key and value heads for 32 heads");
    row("family left out", "model_type", "\"mamba2\"",
        "model_type: found \"mamba2\": state-space layers are not modelled, allowed a family that is modelled: "
        "RefinedWeb, RefinedWebModel, arcee, bart, bert, bloom");
    row("family with a NUL", "model_type", "\"lla\\u0000ma\"", "model_type: found text \"lla\\u0000ma\"");
    row("family without a name", "model_type", "\"\"", "model_type: found text \"\"");
    row("family as list", "model_type", "[\"llama\"]", "model_type: found a list");
    row("nested list", "text_config", "[1,2]", "text_config: found a list");
    row("nested model", "text_config", "{\"hidden_size\":8}", "text_config: found an object");
    row("tower", "vision_config", "{}", "vision_config: found an object");
    row("experts", "num_local_experts", "8", "num_local_experts: found 8");
}

void ImportTest::refusesImpossibleFields() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, said);
    const std::string name = key.toStdString();
    const std::string text = without(baseConfig(), name.c_str()).dump();
    const auto model = importHuggingFaceConfig("{\"" + name + "\":" + value.toStdString() + "," + text.substr(1));
    QVERIFY(!model);
    VERIFY_SAYS(messages(model), said.toStdString());
}

void ImportTest::listsAllMissingKeysAtOnce() {
    VERIFY_SAYS(messages(importHuggingFaceConfig("{}")),
                "model_type: found nothing, allowed a family that is modelled");
    const auto bare = importHuggingFaceConfig(R"({"model_type":"llama"})");
    QVERIFY(!bare);
    QCOMPARE(bare.error().size(), std::size_t{5});
    for (const char *key :
         {"num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "vocab_size"}) {
        VERIFY_SAYS(messages(bare), key + ": found nothing, allowed a whole number"s);
    }
    for (const char *key : {"hidden_size", "vocab_size"}) {
        const auto model = importHuggingFaceConfig(without(baseConfig(), key).dump());
        QVERIFY(!model);
        QCOMPARE(model.error().size(), std::size_t{1});
        QCOMPARE(model.error().front().field, std::string(key));
    }
    const auto gpt2 = importHuggingFaceConfig(R"({"model_type":"gpt2"})");
    QVERIFY(!gpt2);
    QCOMPARE(gpt2.error().size(), std::size_t{4});
    VERIFY_SAYS(messages(gpt2), "n_embd: found nothing");
}

void ImportTest::listsAllProblemsAtOnce() {
    Json config = with(with(with(baseConfig(), "num_hidden_layers", "32"), "vocab_size", 0), "num_key_value_heads", 5);
    const std::string said = messagesOf(with(config, "quantization_config", {{"quant_method", "mystery"}}));
    for (const char *field :
         {"num_hidden_layers: ", "vocab_size: ", "num_key_value_heads: ", "quantization_config.quant_method: "}) {
        VERIFY_SAYS(said, field);
    }
    const auto twice = importHuggingFaceConfig(R"({"a":1,"a":2,"b":1,"b":2})");
    QVERIFY(!twice);
    QCOMPARE(twice.error().size(), std::size_t{2});
}

void ImportTest::countsTheLargestSizesWithoutOverflow() {
    Json config = with(with(with(baseConfig(), "hidden_size", 1 << 24), "num_hidden_layers", 65536),
                       "intermediate_size", 1 << 28);
    config = with(with(with(config, "num_attention_heads", 65536), "num_key_value_heads", 65536), "head_dim", 65536);
    VERIFY_SAYS(messagesOf(config), "parameters, allowed fewer than 9e15 parameters");
}

void ImportTest::readsFoldersAndFiles() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("config.json"));
    QVERIFY(QFile::copy(configPath(QStringLiteral("llama-3-8b.json")), path));
    for (const QString &given : {path, folder.path()}) {
        const auto model = importModelFile(given.toStdString());
        QVERIFY2(model, messages(model).c_str());
        QCOMPARE(model->parametersTotal, 8030261248.0);
    }
}

void ImportTest::saysWhatTheSystemSaysAboutFiles() {
    QTemporaryDir folder;
    const std::string root = folder.path().toStdString();
    VERIFY_SAYS(messages(importModelFile(root)), "found a folder without config.json");
    VERIFY_SAYS(messages(importModelFile(root + "/none.json")), "found No such file or directory");
    VERIFY_SAYS(messages(importModelFile("/dev/zero")), "found something that is no regular file");
    const auto write = [&](const char *name, const QByteArray &bytes) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write("model.GGUF", "GGUF") && write("model.safetensors", "x") &&
            write("large.json", QByteArray(9'000'000, ' ')));
    VERIFY_SAYS(messages(importModelFile(root + "/model.GGUF")), "byte 4: found the version, which needs 4 bytes");
    VERIFY_SAYS(messages(importModelFile(root + "/model.safetensors")), "byte 0: found 1 bytes");
    VERIFY_SAYS(messages(importModelFile(root + "/large.json")), "found more than 8000000 bytes");
    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("model.safetensors"))));
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("config.json")));
    VERIFY_SAYS(messages(importModelFile(root)), "found a folder, allowed a config.json file");
}

QTEST_APPLESS_MAIN(ImportTest)
#include "tst_import.moc"
