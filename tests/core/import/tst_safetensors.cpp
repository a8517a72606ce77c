// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors headers and indexes: strict as the format, and packed checkpoints counted in the model's own elements.
#include "core/import/import.h"
#include "core/import/import_report.h"
#include "core/import/safetensors.h"
#include "core/import/weight_model.h"

#include "tests/core/import/import_test.h"
#include "tests/core/import/weight_bytes.h"

#include <QTest>

using namespace ridgepoint;

namespace {

Expected<SafetensorsHeader> headerOf(const std::string &bytes) {
    return readSafetensorsHeader(MemorySource(bytes));
}

ImportedModel modelOf(const SafetensorsBytes &file, const std::optional<std::string> &config = std::nullopt) {
    auto header = headerOf(file.whole());
    return header ? modelOfCheckpoint(std::move(header->tensors), config) : ImportedModel{};
}

constexpr const char *tinyConfig = R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,
"intermediate_size":256,"num_hidden_layers":1,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":32,
"max_position_embeddings":512,"tie_word_embeddings":false,"attention_bias":false,"mlp_bias":false})";

/// The tensors of tinyConfig; `linear` adds one linear layer of a shape, in whatever form.
template <class Linear>
SafetensorsBytes tinyLayer(Linear linear) {
    SafetensorsBytes file;
    file.tensor("model.embed_tokens.weight", "BF16", {32, 64}, 16).tensor("lm_head.weight", "BF16", {32, 64}, 16);
    file.tensor("model.norm.weight", "BF16", {64}, 16);
    const std::string at = "model.layers.0.";
    file.tensor(at + "input_layernorm.weight", "BF16", {64}, 16);
    file.tensor(at + "post_attention_layernorm.weight", "BF16", {64}, 16);
    linear(file, at + "self_attn.q_proj", 64, 64);
    linear(file, at + "self_attn.k_proj", 32, 64);
    linear(file, at + "self_attn.v_proj", 32, 64);
    linear(file, at + "self_attn.o_proj", 64, 64);
    linear(file, at + "mlp.gate_proj", 256, 64);
    linear(file, at + "mlp.up_proj", 256, 64);
    linear(file, at + "mlp.down_proj", 64, 256);
    return file;
}

constexpr double linearElements = 64 * 64 * 2 + 32 * 64 * 2 + 3 * 256 * 64;
constexpr double otherElements = 2 * 32 * 64 + 3 * 64;

} // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsATinyModelToTheByte();
    void takesTheShapeFromTheConfigBesideIt();
    void countsPackedWeightsByTheirMethod_data();
    void countsPackedWeightsByTheirMethod();
    void countsTheBlocksOfMxfp4Experts();
    void masksAreStoredAndNoParameters();
    void aTiedHeadThatIsStoredCountsOnce();
    void metadataIsNotBelieved();
    void readsAnIndexedModel();
    void namesWhatAnIndexMisses();
    void readsAllPartsByTheirNames();
    void aFolderIsItsWeightsAndItsConfig();
    void refusesBrokenHeaders_data();
    void refusesBrokenHeaders();
    void refusesBrokenIndexes_data();
    void refusesBrokenIndexes();
};

void SafetensorsTest::readsATinyModelToTheByte() {
    const SafetensorsBytes file =
        tinyLayer([](SafetensorsBytes &f, const std::string &name, std::uint64_t out, std::uint64_t in) {
            f.tensor(name + ".weight", "F16", {out, in}, 16);
        });
    const ImportedModel model = modelOf(file);
    QVERIFY(!model.hasShape);
    QCOMPARE(model.whyNoShape,
             std::string("a safetensors header names no heads, and there is no config.json beside it"));
    QCOMPARE(model.parametersTotal, linearElements + otherElements);
    QCOMPARE(model.stored->bytes(), static_cast<double>(file.dataBytes()));
    QCOMPARE(model.stored->linear.elements, linearElements);
    QCOMPARE(model.stored->head.bytes, 2.0 * 32 * 64);
    QCOMPARE(model.stored->vectors.elements, 3.0 * 64);
}

void SafetensorsTest::takesTheShapeFromTheConfigBesideIt() {
    const SafetensorsBytes file =
        tinyLayer([](SafetensorsBytes &f, const std::string &name, std::uint64_t out, std::uint64_t in) {
            f.tensor(name + ".weight", "F16", {out, in}, 16);
        });
    const ImportedModel model = modelOf(file, tinyConfig);
    QVERIFY2(model.hasShape, model.whyNoShape.c_str());
    QCOMPARE(model.shape.kvHeads, 2);
    QVERIFY2(model.warnings.empty(), model.warnings.empty() ? "" : model.warnings.front().c_str());
    const ImportedModel broken = modelOf(file, R"({"model_type":"llama"})");
    QVERIFY(!broken.hasShape);
    VERIFY_SAYS(broken.whyNoShape, "config.json: num_hidden_layers: found nothing");
    QCOMPARE(broken.parametersTotal, linearElements + otherElements);
}

void SafetensorsTest::countsPackedWeightsByTheirMethod_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("config");
    QTest::newRow("gptq, bits of the config") << "gptq"
                                              << R"({"quant_method":"gptq","bits":4})";
    QTest::newRow("gptq, bits from the order") << "gptq"
                                               << "";
    QTest::newRow("awq, bits of the config") << "awq"
                                             << R"({"quant_method":"awq","bits":4})";
    QTest::newRow("awq, bits from the scales") << "awq"
                                               << "";
    QTest::newRow("nf4, nested") << "nf4"
                                 << R"({"quant_method":"bitsandbytes","load_in_4bit":true})";
    QTest::newRow("int8") << "int8"
                          << R"({"quant_method":"bitsandbytes","load_in_8bit":true})";
    QTest::newRow("fp8 blocks") << "fp8"
                                << R"({"quant_method":"fp8"})";
    QTest::newRow("compressed, 8 bits")
        << "compressed"
        << R"({"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8}}}})";
    QTest::newRow("nvfp4") << "nvfp4"
                           << "";
}

void SafetensorsTest::countsPackedWeightsByTheirMethod() {
    QFETCH(QString, method);
    QFETCH(QString, config);
    double bytes = 0;
    const auto add = [&](SafetensorsBytes &f, const std::string &name, std::uint64_t out, std::uint64_t in) {
        const std::uint64_t before = f.dataBytes();
        if (method == QStringLiteral("gptq")) {
            f.tensor(name + ".qweight", "I32", {in / 8, out}, 32)
                .tensor(name + ".qzeros", "I32", {in / 32, out / 8}, 32);
            f.tensor(name + ".scales", "F16", {in / 32, out}, 16).tensor(name + ".g_idx", "I32", {in}, 32);
        } else if (method == QStringLiteral("awq")) {
            f.tensor(name + ".qweight", "I32", {in, out / 8}, 32)
                .tensor(name + ".qzeros", "I32", {in / 32, out / 8}, 32);
            f.tensor(name + ".scales", "F16", {in / 32, out}, 16);
        } else if (method == QStringLiteral("nf4")) {
            f.tensor(name + ".weight", "U8", {out * in / 2, 1}, 8)
                .tensor(name + ".weight.absmax", "U8", {out * in / 64}, 8);
            f.tensor(name + ".weight.nested_absmax", "F32", {1}, 32)
                .tensor(name + ".weight.nested_quant_map", "F32", {256}, 32);
            f.tensor(name + ".weight.quant_map", "F32", {16}, 32)
                .tensor(name + ".weight.quant_state.bitsandbytes__nf4", "U8", {77}, 8);
        } else if (method == QStringLiteral("int8")) {
            f.tensor(name + ".weight", "I8", {out, in}, 8).tensor(name + ".SCB", "F32", {out}, 32);
            f.tensor(name + ".weight_format", "U8", {}, 8);
        } else if (method == QStringLiteral("fp8")) {
            f.tensor(name + ".weight", "F8_E4M3", {out, in}, 8).tensor(name + ".weight_scale_inv", "F32", {1, 1}, 32);
            f.tensor(name + ".input_scale", "F32", {}, 32);
        } else if (method == QStringLiteral("compressed")) {
            f.tensor(name + ".weight_packed", "I32", {out, in / 4}, 32).tensor(name + ".weight_shape", "I64", {2}, 64);
            f.tensor(name + ".weight_scale", "BF16", {out, in / 32}, 16);
        } else {
            f.tensor(name + ".weight", "U8", {out, in / 2}, 8)
                .tensor(name + ".weight_scale", "F8_E4M3", {out, in / 16}, 8);
            f.tensor(name + ".weight_scale_2", "F32", {}, 32);
        }
        bytes += static_cast<double>(f.dataBytes() - before);
    };
    const SafetensorsBytes file = tinyLayer(add);
    std::string text = tinyConfig;
    if (!config.isEmpty()) {
        text.insert(1, "\"quantization_config\":" + config.toStdString() + ",");
    }
    const ImportedModel model = modelOf(file, text);
    QCOMPARE(model.stored->linear.elements, linearElements);
    QCOMPARE(model.stored->linear.bytes, bytes);
    QCOMPARE(model.parametersTotal, linearElements + otherElements);
    QCOMPARE(model.stored->bytes(), static_cast<double>(file.dataBytes()));
}

void SafetensorsTest::countsTheBlocksOfMxfp4Experts() {
    SafetensorsBytes file;
    const std::string at = "model.layers.0.mlp.experts.";
    file.tensor(at + "gate_up_proj_blocks", "U8", {4, 64, 2, 16}, 8)
        .tensor(at + "gate_up_proj_scales", "U8", {4, 64, 2}, 8);
    file.tensor(at + "gate_up_proj_bias", "BF16", {4, 64}, 16);
    const ImportedModel model = modelOf(file);
    QCOMPARE(model.stored->experts.elements, 4.0 * 64 * 64);
    QCOMPARE(model.stored->expertVectors.elements, 4.0 * 64);
    QCOMPARE(model.stored->experts.bytes, 4.0 * 64 * 64 * 4.25 / 8);
}

void SafetensorsTest::masksAreStoredAndNoParameters() {
    SafetensorsBytes file;
    file.tensor("h.0.attn.bias", "F32", {1, 1, 16, 16}, 32).tensor("h.0.attn.c_attn.weight", "F32", {8, 24}, 32);
    file.tensor("rotary_emb.inv_freq", "F32", {8}, 32);
    const ImportedModel model = modelOf(file);
    QCOMPARE(model.parametersTotal, 8.0 * 24);
    QCOMPARE(model.stored->buffers.bytes, 16.0 * 16 * 4 + 8 * 4);
    QCOMPARE(model.stored->bytes(), static_cast<double>(file.dataBytes()));
}

void SafetensorsTest::aTiedHeadThatIsStoredCountsOnce() {
    const SafetensorsBytes file =
        tinyLayer([](SafetensorsBytes &f, const std::string &name, std::uint64_t out, std::uint64_t in) {
            f.tensor(name + ".weight", "F16", {out, in}, 16);
        });
    std::string tied = tinyConfig;
    tied.replace(tied.find("\"tie_word_embeddings\":false"), 27, "\"tie_word_embeddings\":true");
    const ImportedModel model = modelOf(file, tied);
    QCOMPARE(model.parametersTotal, linearElements + otherElements - 32 * 64);
    QCOMPARE(model.warnings.size(), std::size_t{1});
    VERIFY_SAYS(model.warnings.front(), "the head is stored although it is tied");
    QCOMPARE(model.stored->bytes(), static_cast<double>(file.dataBytes()));
}

void SafetensorsTest::metadataIsNotBelieved() {
    const std::string header =
        R"({"__metadata__":{"total_parameters":"999000000000"},"t":{"dtype":"F32","shape":[10,20],"data_offsets":[0,800]}}  )";
    auto read = headerOf(safetensorsBytes(header, 800));
    QVERIFY2(read, messages(read).c_str());
    QCOMPARE(modelOfCheckpoint(std::move(read->tensors), std::nullopt).parametersTotal, 200.0);
    QVERIFY(headerOf(safetensorsBytes("{}" + std::string(62, ' '))));
    // A key that the format does not name says nothing, whatever is in it.
    QVERIFY(headerOf(safetensorsBytes(R"({"t":{"note":{"a":[{}]},"dtype":"U8","shape":[],"data_offsets":[0,1]}})", 1)));
}

void SafetensorsTest::readsAnIndexedModel() {
    const TestFolder folder;
    folder.write("a.safetensors",
                 SafetensorsBytes().tensor("x", "F32", {4}, 32).tensor("more", "F32", {2}, 32).whole());
    folder.write("b.safetensors", SafetensorsBytes().tensor("y", "F16", {2, 4}, 16).whole());
    folder.write("model.safetensors.index.json",
                 R"({"metadata":{"total_size":99},"weight_map":{"y":"b.safetensors","x":"a.safetensors"}})");
    const auto model = importModelFile(folder.path("model.safetensors.index.json"));
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->stored->bytes(), 32.0);
    QCOMPARE(model->parametersTotal, 12.0);
    VERIFY_SAYS(model->warnings[0], "a.safetensors: 1 tensors that the index does not name were left out");
    VERIFY_SAYS(model->warnings[1], "metadata.total_size: 99 bytes, while the tensors take 32");
}

void SafetensorsTest::namesWhatAnIndexMisses() {
    const TestFolder folder;
    folder.write("a.safetensors", SafetensorsBytes().tensor("x", "F32", {4}, 32).whole());
    folder.write("model.safetensors.index.json",
                 R"({"weight_map":{"x":"a.safetensors","z":"a.safetensors","y":"gone-\u202e.safetensors"}})");
    const std::string said = messages(importModelFile(folder.path("model.safetensors.index.json")));
    VERIFY_SAYS(said, "weight_map.z: found a.safetensors, which does not hold it");
    VERIFY_SAYS(said, "gone-\\u202e.safetensors: found No such file or directory");
}

void SafetensorsTest::readsAllPartsByTheirNames() {
    const TestFolder folder;
    folder.write("m-00001-of-00002.safetensors", SafetensorsBytes().tensor("x", "F32", {4}, 32).whole());
    folder.write("m-00002-of-00002.safetensors", SafetensorsBytes().tensor("y", "F32", {4}, 32).whole());
    const auto model = importModelFile(folder.path("m-00002-of-00002.safetensors"));
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->stored->bytes(), 32.0);
    folder.write("m-00002-of-00002.safetensors", SafetensorsBytes().tensor("x", "F32", {4}, 32).whole());
    VERIFY_SAYS(messages(importModelFile(folder.path("m-00001-of-00002.safetensors"))),
                "tensor x: found the name in two parts");
    folder.write("n-00001-of-00002.safetensors", SafetensorsBytes().whole());
    VERIFY_SAYS(messages(importModelFile(folder.path("n-00001-of-00002.safetensors"))),
                "n-00002-of-00002.safetensors: found No such file or directory");
}

void SafetensorsTest::aFolderIsItsWeightsAndItsConfig() {
    const TestFolder folder;
    const SafetensorsBytes file =
        tinyLayer([](SafetensorsBytes &f, const std::string &name, std::uint64_t out, std::uint64_t in) {
            f.tensor(name + ".weight", "F16", {out, in}, 16);
        });
    folder.write("config.json", tinyConfig);
    folder.write("model.safetensors", file.whole());
    const auto model = importModelFile(folder.path("."));
    QVERIFY2(model, messages(model).c_str());
    QVERIFY(model->hasShape && model->stored);
    QCOMPARE(model->shape.layers, 1);
    const TestFolder bare;
    bare.write("config.json", tinyConfig);
    bare.write("model.safetensors.index.json", R"({"weight_map":{"x":"a.safetensors"}})");
    const auto config = importModelFile(bare.path("."));
    QVERIFY2(config, messages(config).c_str());
    QVERIFY(config->hasShape && !config->stored);
    VERIFY_SAYS(config->warnings.front(), "none of its files is in the folder");
}

void SafetensorsTest::refusesBrokenHeaders_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const std::string &bytes, const char *said) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(said);
    };
    const auto tensor = [](const char *body, std::size_t data) {
        return safetensorsBytes(std::string("{\"t\":{") + body + "}}", data);
    };
    row("nothing", "", "found an empty file");
    row("five bytes", "12345", "byte 0: found 5 bytes, allowed 8 bytes with the length of the header, first");
    row("length of 2^63-1", littleEndian(~std::uint64_t{0} >> 1U),
        "byte 0: found a header of 9223372036854775807 bytes in a file of 8");
    row("cut off", littleEndian(std::uint64_t{1000}) + R"({"weight":{")", "the header ends at byte 20 of 1008");
    row("no header", littleEndian(std::uint64_t{0}), "byte 8: found an empty header");
    row("space first", safetensorsBytes(" {}"), "byte 8: found ` `, allowed `{`");
    row("line break behind", safetensorsBytes("{}\n"), "byte 10: found byte 0x0a behind the header, allowed spaces");
    row("text behind", safetensorsBytes("{} {}"), "byte 11: found `{`, allowed the end of the file");
    row("list", safetensorsBytes("[]"), "byte 8: found `[`, allowed `{`");
    row("tensor as list", safetensorsBytes(R"({"t":[]})"), "t: found a list, allowed an object with dtype");
    row("tensor as number", safetensorsBytes(R"({"t":1})"), "t: found 1, allowed an object with dtype");
    row("unknown type", tensor(R"("dtype":"Q9","shape":[1],"data_offsets":[0,1])", 1),
        "t.dtype: found text \"Q9\", allowed one of BOOL, F4");
    row("type as number", tensor(R"("dtype":1,"shape":[1],"data_offsets":[0,1])", 1),
        "t.dtype: found 1, allowed a text");
    row("negative dimension", tensor(R"("dtype":"F32","shape":[-4],"data_offsets":[0,16])", 16),
        "t.shape[0]: found -4, allowed a whole number of at least 0");
    row("half a dimension", tensor(R"("dtype":"F32","shape":[2.5],"data_offsets":[0,10])", 10),
        "t.shape[0]: found 2.5");
    row("shape as object", tensor(R"("dtype":"F32","shape":{},"data_offsets":[0,0])", 0),
        "t.shape: found an object, allowed a list");
    row("three offsets", tensor(R"("dtype":"U8","shape":[1],"data_offsets":[0,1,2])", 1),
        "t.data_offsets[2]: found more than 2 numbers");
    row("one offset", tensor(R"("dtype":"U8","shape":[1],"data_offsets":[0])", 1),
        "tensor t.data_offsets: found [0], allowed two whole numbers");
    row("offsets backwards", tensor(R"("dtype":"U8","shape":[1],"data_offsets":[1,0])", 1),
        "tensor t.data_offsets: found [1, 0]");
    row("nothing said", tensor("", 0), "tensor t.dtype: found nothing");
    row("shape twice", tensor(R"("dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1])", 1),
        "t.shape: found the key a second time");
    row("size and shape differ", tensor(R"("dtype":"F32","shape":[4],"data_offsets":[0,15])", 15),
        "tensor t.data_offsets: found 15 bytes of data, allowed 128 bits, which 4 elements of F32 take");
    row("part of a byte", tensor(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])", 1),
        "allowed 12 bits, which 3 elements of F4 take");
    row("product of 2^156",
        tensor(R"("dtype":"F4","shape":[4611686018427387904,4611686018427387904,4294967296],"data_offsets":[0,4])", 4),
        "tensor t.shape: found 4611686018427387904 x 4611686018427387904 x 4294967296, whose element count overflows");
    row("gap", tensor(R"("dtype":"U8","shape":[1],"data_offsets":[1,2])", 2),
        "tensor t.data_offsets: found data from 1 to 2: a gap before it");
    row("overlap",
        safetensorsBytes(
            R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
            3),
        "tensor b.data_offsets: found data from 1 to 3: an overlap");
    row("beyond the file", tensor(R"("dtype":"U8","shape":[4],"data_offsets":[0,4])", 2),
        "found 2 bytes of tensors from byte 61 on, allowed the 4 bytes that the header promises");
    row("bytes that no tensor has", tensor(R"("dtype":"U8","shape":[4],"data_offsets":[0,4])", 9),
        "found 9 bytes of tensors");
    row("name twice",
        safetensorsBytes(
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
            2),
        "tensor a: found the name a second time");
    row("metadata as numbers", safetensorsBytes(R"({"__metadata__":{"a":1}})"),
        "__metadata__.a: found 1, allowed a text");
    row("metadata as text", safetensorsBytes(R"({"__metadata__":"a"})"), "__metadata__: found text \"a\"");
    row("not UTF-8", safetensorsBytes("{\"\xff\":1}"), "byte 10: found byte 0xFF at byte 10, which is not UTF-8");
    row("deep", safetensorsBytes(R"({"t":{"x":)" + std::string(500, '[')),
        "more than 16 objects or lists inside one another");
    row("long name", safetensorsBytes("{\"" + std::string(300, 'x') + "\":{}}"), "found a name of 300 bytes");
}

void SafetensorsTest::refusesBrokenHeaders() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const auto header = headerOf(bytes.toStdString());
    QVERIFY(!header);
    VERIFY_SAYS(messages(header), said.toStdString());
}

void SafetensorsTest::refusesBrokenIndexes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const char *text, const char *said) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(said);
    };
    row("nothing", "", "found an empty file");
    row("no map", "{}", "weight_map: found nothing");
    row("list", "[]", "byte 0: found a list, allowed an object");
    row("map as text", R"({"weight_map":"x"})", "weight_map: found text \"x\", allowed an object");
    row("file as number", R"({"weight_map":{"a":1}})", "weight_map.a: found 1, allowed the name of a file");
    row("file as object", R"({"weight_map":{"a":{}}})", "weight_map.a: found an object, allowed the name of a file");
    row("way out", R"({"weight_map":{"a":"../../etc/passwd"}})", "weight_map.a: found text \"../../etc/passwd\"");
    row("way up", R"({"weight_map":{"a":".."}})", "weight_map.a: found text \"..\"");
    row("NUL in a name", R"({"weight_map":{"a":"x\u0000y"}})", "weight_map.a: found text \"x\\u0000y\"");
    row("tensor twice", R"({"weight_map":{"a":"x","a":"y"}})", "weight_map.a: found the key a second time");
    row("map twice", R"({"weight_map":{},"weight_map":{}})", "weight_map: found the key a second time");
}

void SafetensorsTest::refusesBrokenIndexes() {
    QFETCH(QString, text);
    QFETCH(QString, said);
    const std::string bytes = text.toStdString();
    const auto index = readSafetensorsIndex(MemorySource(bytes));
    QVERIFY(!index);
    VERIFY_SAYS(messages(index), said.toStdString());
}

QTEST_APPLESS_MAIN(SafetensorsTest)
#include "tst_safetensors.moc"
