// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF headers: every tensor type's bytes, shapes of known architectures, split files, and each way a header can lie.
#include "core/import/gguf.h"
#include "core/import/import.h"
#include "core/import/import_report.h"
#include "core/import/weight_model.h"

#include "tests/core/import/import_test.h"
#include "tests/core/import/weight_bytes.h"

#include <QTest>

#include <cmath>

using namespace ridgepoint;

namespace {

Expected<GgufHeader> headerOf(const std::string &bytes) {
    return readGgufHeader(MemorySource(bytes));
}

Expected<ImportedModel> modelOf(const std::string &bytes) {
    const Expected<GgufHeader> header = headerOf(bytes);
    return header ? modelOfGguf(*header) : tl::make_unexpected(header.error());
}

/// Layers of a mixture: attention of 4 heads of 16, 2 for keys and values, `experts` of width 32.
void addMixedLayer(GgufBytes &file, const std::string &at, std::uint64_t experts) {
    file.tensor(at + "attn_norm.weight", {64}).tensor(at + "ffn_norm.weight", {64});
    file.tensor(at + "attn_q.weight", {64, 64}).tensor(at + "attn_k.weight", {32, 64});
    file.tensor(at + "attn_v.weight", {32, 64}).tensor(at + "attn_output.weight", {64, 64});
    file.tensor(at + "ffn_gate_inp.weight", {experts, 64}).tensor(at + "ffn_gate_exps.weight", {experts, 32, 64});
    file.tensor(at + "ffn_up_exps.weight", {experts, 32, 64}).tensor(at + "ffn_down_exps.weight", {experts, 64, 32});
}

GgufBytes keysOf(const std::string &architecture, std::uint32_t layers, std::uint32_t hidden, std::uint32_t heads,
                 std::uint32_t kvHeads, std::uint32_t keyLength) {
    const std::string at = architecture + ".";
    GgufBytes file;
    file.text("general.architecture", architecture).number(at + "block_count", layers);
    file.number(at + "embedding_length", hidden).number(at + "attention.head_count", heads);
    file.number(at + "attention.head_count_kv", kvHeads).number(at + "attention.key_length", keyLength);
    return file.number(at + "attention.value_length", keyLength);
}

} // namespace

class GgufTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsTheBytesOfEveryTensorType_data();
    void knowsTheBytesOfEveryTensorType();
    void readsALlamaToTheByte();
    void weighsGptOss120b();
    void takesTheCacheFromKeyAndValueLengths();
    void versionTwoIsReadTheSame();
    void aTiedHeadIsTheOneThatIsMissing();
    void readsExpertsFromTheirTensors();
    void readsLatentAttentionInBothForms();
    void readsWindowsByArchitectureAndByPattern();
    void readsKindsOfNormsAndBiasesFromTheFirstLayer();
    void blocksThatPredictFurtherTokensStandBeside();
    void anUnknownArchitectureStillWeighs();
    void layersThatDifferLeaveAReason();
    void saysWhereTheCountsDiffer();
    void readsAllPartsOfASplitFile();
    void namesTheMissingPart();
    void aFileOfItsHeaderAloneIsReadWithAWarning();
    void refusesHeadersThatLie_data();
    void refusesHeadersThatLie();
    void listsEveryMissingKeyOfAKnownArchitecture();
};

void GgufTest::knowsTheBytesOfEveryTensorType_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<double>("bitsPerElement");
    // Bits per weight as llama.cpp's quantization table and ggml's comments state them.
    for (const auto &[type, bits] :
         {std::pair{"F32", 32.0}, {"F16", 16.0},      {"BF16", 16.0},    {"F64", 64.0},       {"I8", 8.0},
          {"I16", 16.0},          {"I32", 32.0},      {"I64", 64.0},     {"Q4_0", 4.5},       {"Q4_1", 5.0},
          {"Q5_0", 5.5},          {"Q5_1", 6.0},      {"Q8_0", 8.5},     {"Q8_1", 9.0},       {"Q2_K", 2.625},
          {"Q3_K", 3.4375},       {"Q4_K", 4.5},      {"Q5_K", 5.5},     {"Q6_K", 6.5625},    {"Q8_K", 9.125},
          {"IQ2_XXS", 2.0625},    {"IQ2_XS", 2.3125}, {"IQ2_S", 2.5625}, {"IQ3_XXS", 3.0625}, {"IQ3_S", 3.4375},
          {"IQ1_S", 1.5625},      {"IQ1_M", 1.75},    {"IQ4_NL", 4.5},   {"IQ4_XS", 4.25},    {"TQ1_0", 1.6875},
          {"TQ2_0", 2.0625},      {"MXFP4", 4.25},    {"NVFP4", 4.5},    {"Q1_0", 1.125},     {"Q2_0", 2.25}}) {
        QTest::newRow(type) << QString::fromLatin1(type) << bits;
    }
}

void GgufTest::knowsTheBytesOfEveryTensorType() {
    QFETCH(QString, type);
    QFETCH(double, bitsPerElement);
    const auto header = headerOf(GgufBytes().tensor("t", {3, 512}, type.toStdString()).whole());
    QVERIFY2(header, messages(header).c_str());
    QCOMPARE(header->tensors.front().elements, std::uint64_t{1536});
    QCOMPARE(static_cast<double>(header->tensors.front().bytes) * 8, 1536 * bitsPerElement);
    QCOMPARE(ggmlTypes.size(), std::size_t{35});
}

void GgufTest::readsALlamaToTheByte() {
    const auto model = modelOf(tinyLlama("Q8_0").whole());
    QVERIFY2(model, messages(model).c_str());
    const TransformerShape &shape = model->shape;
    QVERIFY(model->hasShape && shape.gatedMlp && !shape.tiedEmbeddings);
    QCOMPARE(shape.layers, 2);
    QCOMPARE(shape.hidden, 64);
    QCOMPARE(shape.heads, 4);
    QCOMPARE(shape.kvHeads, 2);
    QCOMPARE(shape.headDim, 16);
    QCOMPARE(shape.ffn, 256);
    QCOMPARE(shape.vocabulary, 32);
    const double perLayer = 64 * 64 * 2 + 32 * 64 * 2 + 3 * 256 * 64;
    QCOMPARE(model->parametersTotal, 2 * (perLayer + 2 * 64) + 2 * 32 * 64 + 64);
    QVERIFY2(model->warnings.empty(), model->warnings.empty() ? "" : model->warnings.front().c_str());
    const StoredWeights &stored = *model->stored;
    QCOMPARE(stored.linear.elements, 2 * perLayer);
    QCOMPARE(stored.linear.bytes, 2 * perLayer * 34 / 32);
    QCOMPARE(stored.embedding.bytes, 32.0 * 64 * 34 / 32);
    QCOMPARE(stored.head.bytes, stored.embedding.bytes);
    QCOMPARE(stored.vectors.bytes, 5.0 * 64 * 4);
    QCOMPARE(stored.buffers.bytes, 8.0 * 4); // frequencies of the rotary embedding: stored, no parameters
    const auto report = importReport(*model, "m.gguf");
    QCOMPARE(report["weights_bytes"].get<double>(), stored.bytes());
    QCOMPARE(report["kv_cache"]["elements_per_token"].get<int>(), 2 * 2 * 2 * 16);
}

void GgufTest::weighsGptOss120b() {
    // 128 experts of 2880 x 2880 in 36 layers at 4.25 bits, everything else at 16: 60.8 GiB, where engines log 65.97
    // after repacking (vLLM issue 23278).
    GgufBytes file = keysOf("gpt-oss", 36, 2880, 64, 8, 64);
    file.number("gpt-oss.feed_forward_length", 2880)
        .number("gpt-oss.expert_count", 128)
        .number("gpt-oss.expert_used_count", 4);
    for (int layer = 0; layer < 36; ++layer) {
        for (const char *name : {"gate", "up", "down"}) {
            file.tensor("blk." + std::to_string(layer) + ".ffn_" + name + "_exps.weight", {128, 2880, 2880}, "MXFP4");
        }
    }
    file.tensor("token_embd.weight", {201088, 2880}, "BF16").tensor("output.weight", {201088, 2880}, "BF16");
    file.tensor("blk.0.others.weight", {2167371072 - 2 * 201088 * 2880}, "BF16");
    const auto model = modelOf(file.header());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->stored->experts.elements, 114661785600.0);
    QCOMPARE(std::round(model->stored->bytes() / 1073741824 * 100), 6077.0);
}

void GgufTest::takesTheCacheFromKeyAndValueLengths() {
    const auto bytesPerToken = [](GgufBytes file, const std::string &architecture) {
        file.number(architecture + ".feed_forward_length", 9728).tensor("token_embd.weight", {1000, 64});
        const auto model = modelOf(file.header());
        return model ? importReport(*model, "m")["kv_cache"]["elements_per_token"].get<int>() * 2 : 0;
    };
    // Qwen3-4B: 32 heads of 128 in a width of 2560. Llama 3 8B at 8192 tokens: 1 GiB.
    QCOMPARE(bytesPerToken(keysOf("qwen3", 36, 2560, 32, 8, 128), "qwen3"), 147456);
    QCOMPARE(bytesPerToken(keysOf("llama", 32, 4096, 32, 8, 128), "llama") * 8192LL, 1LL << 30U);
}

void GgufTest::versionTwoIsReadTheSame() {
    const std::string three = tinyLlama().whole();
    std::string two = three;
    two[4] = 2;
    const auto one = modelOf(three);
    const auto other = modelOf(two);
    QVERIFY(one && other && one->shape == other->shape && *one->stored == *other->stored);
}

void GgufTest::aTiedHeadIsTheOneThatIsMissing() {
    GgufBytes file = tinyGguf();
    file.tensor("token_embd.weight", {48, 64}).tensor("output_norm.weight", {64});
    const auto model = modelOf(file.whole());
    QVERIFY2(model, messages(model).c_str());
    QVERIFY(model->shape.tiedEmbeddings);
    QCOMPARE(model->shape.vocabulary, 48); // the tensor's rows, not the tokenizer's 32
}

void GgufTest::readsExpertsFromTheirTensors() {
    GgufBytes file = tinyGguf("qwen3moe");
    file.number("qwen3moe.expert_count", 8).number("qwen3moe.expert_used_count", 2);
    file.number("qwen3moe.expert_feed_forward_length", 32);
    file.tensor("token_embd.weight", {32, 64}).tensor("output_norm.weight", {64}).tensor("output.weight", {32, 64});
    addMixedLayer(file, "blk.0.", 8);
    addMixedLayer(file, "blk.1.", 8);
    const auto model = modelOf(file.whole());
    QVERIFY2(model, messages(model).c_str());
    QVERIFY2(model->hasShape, model->whyNoShape.c_str());
    const Experts &experts = model->shape.experts.value();
    QCOMPARE(experts.count, 8);
    QCOMPARE(experts.active, 2);
    QCOMPARE(experts.ffn, 32);
    QCOMPARE(experts.shared, 0);
    QCOMPARE(experts.denseLayers, 0);
    const double expertElements = 2.0 * 8 * 3 * 32 * 64;
    QCOMPARE(model->stored->experts.elements, expertElements);
    QCOMPARE(model->parametersTotal - model->parametersActive, expertElements * 6 / 8);
    QVERIFY2(model->warnings.empty(), model->warnings.empty() ? "" : model->warnings.front().c_str());
}

void GgufTest::readsLatentAttentionInBothForms() {
    const auto mlaOf = [](bool isNew) {
        GgufBytes file = tinyGguf("deepseek2");
        const std::string at = "deepseek2.";
        file.number(at + "attention.kv_lora_rank", 16).number(at + "attention.q_lora_rank", 24);
        file.number(at + "rope.dimension_count", 8);
        // Newer files keep the cache's widths under the plain keys.
        file.number(at + "attention.key_length", isNew ? 16 + 8 : 12 + 8);
        file.number(at + "attention.value_length", isNew ? 16 : 10);
        if (isNew) {
            file.number(at + "attention.key_length_mla", 20).number(at + "attention.value_length_mla", 10);
        }
        file.tensor("token_embd.weight", {32, 64});
        const auto model = modelOf(file.whole());
        return model && model->shape.mla ? *model->shape.mla : Mla{};
    };
    const Mla expected{.qRank = 24, .kvRank = 16, .ropeDim = 8, .nopeDim = 12, .vDim = 10};
    QVERIFY(mlaOf(false) == expected);
    QVERIFY(mlaOf(true) == expected);
}

void GgufTest::readsWindowsByArchitectureAndByPattern() {
    const auto shapeOf = [](const std::string &architecture, const std::vector<std::uint32_t> &pattern) {
        GgufBytes file = tinyGguf(architecture);
        file.number(architecture + ".attention.sliding_window", 512);
        if (!pattern.empty()) {
            file.numbers(architecture + ".attention.sliding_window_pattern", pattern);
        }
        const auto model = modelOf(file.tensor("token_embd.weight", {32, 64}).whole());
        return model ? model->shape : TransformerShape{};
    };
    QCOMPARE(shapeOf("gemma2", {}).attentionWindowEvery.value_or(0), 2);
    QCOMPARE(shapeOf("gemma3", {}).attentionWindowEvery.value_or(0), 6);
    QCOMPARE(shapeOf("gpt-oss", {}).attentionWindow.value_or(0), 512);
    QVERIFY(!shapeOf("phi3", {}).attentionWindowEvery);
    QCOMPARE(shapeOf("gemma3", {1, 0}).attentionWindowEvery.value_or(0), 2);
    QVERIFY(!shapeOf("gemma3", {0, 0}).attentionWindow);
}

void GgufTest::readsKindsOfNormsAndBiasesFromTheFirstLayer() {
    const auto shapeOf = [](const std::string &architecture, const std::vector<const char *> &names) {
        GgufBytes file = tinyGguf(architecture);
        file.tensor("token_embd.weight", {32, 64}).tensor("blk.0.attn_output.weight", {64, 64});
        for (const char *name : names) {
            file.tensor(std::string("blk.0.") + name, {16});
        }
        const auto model = modelOf(file.whole());
        return model ? model->shape : TransformerShape{};
    };
    QVERIFY(shapeOf("qwen2", {"attn_norm.weight", "attn_q.bias"}).biases == Biases::Qkv);
    QVERIFY(shapeOf("gpt-oss", {"attn_norm.weight", "attn_q.bias", "attn_output.bias"}).biases == Biases::Attention);
    QVERIFY(shapeOf("phi2", {"attn_norm.weight", "attn_qkv.bias", "attn_output.bias", "ffn_up.bias"}).biases ==
            Biases::All);
    QVERIFY(shapeOf("phi2", {"attn_norm.weight"}).blockNorms == BlockNorms::ParallelShared);
    QVERIFY(shapeOf("falcon", {"attn_norm.weight", "attn_norm_2.weight"}).blockNorms == BlockNorms::ParallelOwn);
    QVERIFY(shapeOf("olmo2", {"post_attention_norm.weight", "post_ffw_norm.weight"}).blockNorms == BlockNorms::After);
    QVERIFY(shapeOf("gpt-oss", {"attn_norm.weight", "post_attention_norm.weight"}).blockNorms == BlockNorms::Before);
    QVERIFY(shapeOf("gemma2", {"attn_norm.weight", "post_attention_norm.weight", "ffn_norm.weight"}).blockNorms ==
            BlockNorms::Around);
    QVERIFY(shapeOf("qwen3", {"attn_norm.weight", "attn_q_norm.weight"}).qkNorm == QkNorm::PerHead);
}

void GgufTest::blocksThatPredictFurtherTokensStandBeside() {
    GgufBytes file = tinyLlama().number("llama.nextn_predict_layers", 1);
    const auto model = modelOf(file.whole());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->shape.layers, 1);
    const double layer = 64.0 * 64 * 2 + 32 * 64 * 2 + 3 * 256 * 64 + 2 * 64;
    QCOMPARE(model->stored->tower.elements, layer);
    QCOMPARE(model->shape.towerParameters, layer);
    QCOMPARE(model->parametersTotal - model->parametersActive, layer);
}

void GgufTest::anUnknownArchitectureStillWeighs() {
    GgufBytes file = tinyGguf("frobnicate");
    file.tensor("blk.0.odd.weight", {10, 20}, "F16");
    const auto model = modelOf(file.whole());
    QVERIFY2(model, messages(model).c_str());
    const auto report = importReport(*model, "m.gguf");
    QVERIFY(report["model"].is_null() && report["kv_cache"].is_null());
    VERIFY_SAYS(report["reason"].get<std::string>(), "general.architecture is \"frobnicate\"");
    QCOMPARE(report["parameters"]["total"].get<int>(), 200);
    QCOMPARE(report["weights_bytes"].get<int>(), 400);
}

void GgufTest::layersThatDifferLeaveAReason() {
    GgufBytes file;
    file.text("general.architecture", "llama").number("llama.block_count", 2).number("llama.embedding_length", 64);
    file.number("llama.feed_forward_length", 256).number("llama.attention.head_count", 4);
    file.numbers("llama.attention.head_count_kv", {2, 4}).tensor("token_embd.weight", {32, 64});
    const auto model = modelOf(file.whole());
    QVERIFY2(model, messages(model).c_str());
    QVERIFY(!model->hasShape);
    QCOMPARE(model->whyNoShape, std::string("llama.attention.head_count_kv differs from layer to layer"));
}

void GgufTest::saysWhereTheCountsDiffer() {
    GgufBytes file = tinyLlama();
    const auto model = modelOf(file.tensor("blk.0.more.weight", {7, 3}).whole());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->warnings.size(), std::size_t{1});
    const double tensors = model->parametersTotal;
    VERIFY_SAYS(model->warnings.front(), "the shape has " + std::to_string(static_cast<long>(tensors - 21)) +
                                             ", the tensors sum to " + std::to_string(static_cast<long>(tensors)));
}

void GgufTest::readsAllPartsOfASplitFile() {
    const TestFolder folder;
    GgufBytes first = tinyGguf();
    first.number("split.no", 0).number("split.count", 2).number("split.tensors.count", 2);
    first.tensor("token_embd.weight", {32, 64});
    GgufBytes second;
    second.number("split.no", 1).number("split.count", 2).tensor("output.weight", {32, 64}, "F16");
    folder.write("m-00001-of-00002.gguf", first.whole());
    folder.write("m-00002-of-00002.gguf", second.whole());
    for (const char *name : {"m-00001-of-00002.gguf", "m-00002-of-00002.gguf"}) {
        const auto model = importModelFile(folder.path(name));
        QVERIFY2(model, messages(model).c_str());
        QCOMPARE(model->shape.hidden, 64);
        QCOMPARE(model->stored->embedding.bytes, 32.0 * 64 * 4);
        QCOMPARE(model->stored->head.bytes, 32.0 * 64 * 2);
    }
    folder.write("m-00002-of-00002.gguf", first.whole());
    VERIFY_SAYS(messages(importModelFile(folder.path("m-00001-of-00002.gguf"))),
                "m-00002-of-00002.gguf: split.no: found 0 of 2, allowed 1 of 2, as the name says");
}

void GgufTest::namesTheMissingPart() {
    const TestFolder folder;
    const std::string part = tinyGguf().number("split.no", 0).number("split.count", 3).whole();
    folder.write("m-00001-of-00003.gguf", part);
    folder.write("m.gguf", part);
    const std::string said = messages(importModelFile(folder.path("m-00001-of-00003.gguf")));
    VERIFY_SAYS(said, "m-00002-of-00003.gguf: found No such file or directory");
    VERIFY_SAYS(said, "m-00003-of-00003.gguf: found No such file or directory");
    VERIFY_SAYS(messages(importModelFile(folder.path("m.gguf"))), "split.count: found 3 in a file of this name");
}

void GgufTest::aFileOfItsHeaderAloneIsReadWithAWarning() {
    const TestFolder folder;
    folder.write("m.gguf", tinyLlama().header());
    const auto model = importModelFile(folder.path("m.gguf"));
    QVERIFY2(model, messages(model).c_str());
    VERIFY_SAYS(model->warnings.front(), "m.gguf: the file ends with its header");
}

void GgufTest::refusesHeadersThatLie_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const std::string &bytes, const char *said) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(said);
    };
    const auto counts = [](std::uint64_t tensors, std::uint64_t keys) {
        return "GGUF" + littleEndian(std::uint32_t{3}) + littleEndian(tensors) + littleEndian(keys);
    };
    const auto key = [](std::string_view name, std::uint32_t type, const std::string &value) {
        return GgufBytes().key(name, type, value).header();
    };
    constexpr std::uint64_t all = ~std::uint64_t{0};
    row("nothing", "", "found an empty file");
    row("a tensor more than fits", counts(2, 0) + std::string(47, '\0'), "byte 8: found a count of 2 tensors");
    row("a key more than fits", counts(0, 2) + std::string(20, '\0'), "byte 16: found a count of 2 keys");
    row("many keys", counts(0, 20'000) + std::string(400'000, '\0'),
        "byte 16: found a count of 20000 keys, allowed 10000 at most");
    row("no key", key("", gguf::u32, "1234"), "byte 24: found an empty key");
    row("key twice", GgufBytes().number("a", 1).number("a", 2).header(), "a: found the key a second time at byte 41");
    row("value type", key("a", 13, "12345678"), "a: found value type 13 at byte 33");
    row("truth value", key("a", gguf::boolean, "\2"), "a: found 2 at byte 37 for a truth value, allowed 0 or 1");
    row("cut off in a value", key("a", gguf::u64, "12"), "byte 37: found a, which needs 8 bytes, and 2 bytes");
    row("long text", key("a", gguf::text, littleEndian(all)), "byte 37: found a of 18446744073709551615 bytes");
    row("long list", key("a", gguf::list, littleEndian(gguf::u64) + littleEndian(all)),
        "a: found a list of 18446744073709551615 at byte 41, and 0 bytes after it");
    row("list of texts",
        key("a", gguf::list,
            littleEndian(gguf::text) + littleEndian(std::uint64_t{2}) + ggufText("ab") + std::string(8, '\xff')),
        "byte 59: found a of 18446744073709551615 bytes");
    std::string nested = littleEndian(gguf::u32) + littleEndian(std::uint64_t{0});
    for (int i = 0; i < 20; ++i) {
        nested = littleEndian(gguf::list) + littleEndian(std::uint64_t{1}) + nested;
    }
    row("nested lists", key("a", gguf::list, nested), "a: found more than 8 lists inside one another");
    row("type that was removed", GgufBytes().rawTensor("t", {32}, 4, 0).header(), "tensor t: found type 4 at byte");
    row("type to come", GgufBytes().rawTensor("t", {32}, 99, 0).header(), "tensor t: found type 99 at byte");
    row("rows of part blocks", GgufBytes().rawTensor("t", {33}, 8, 0).header(),
        "tensor t: found rows of 33 elements of type Q8_0, allowed a multiple of 32");
    row("five dimensions", GgufBytes().rawTensor("t", {1, 1, 1, 1, 1}, 0, 0).header(),
        "tensor t: found 5 dimensions at byte");
    row("product of 2^64", GgufBytes().rawTensor("t", {1ULL << 32U, 1ULL << 32U}, 0, 0).header(),
        "tensor t: found 4294967296 x 4294967296 at byte 37: the element count overflows");
    row("bytes of 2^64", GgufBytes().rawTensor("t", {1ULL << 52U}, 28, 0).header(),
        "tensor t: found 4503599627370496 elements of type F64, whose bytes overflow");
    row("tensor twice", GgufBytes().tensor("t", {8}).tensor("t", {8}).whole(),
        "tensor t: found the name a second time");
    row("overlap",
        GgufBytes().rawTensor("a", {64}, 0, 0).rawTensor("b", {64}, 0, 128).header() + std::string(1024, '\0'),
        "tensor b: found data at offset 128, allowed offset 256, where the tensor before it ends");
    row("offset beyond the file", GgufBytes().rawTensor("a", {64}, 0, 1ULL << 60U).header(),
        "tensor a: found data at offset 1152921504606846976");
    row("cut off in the data", GgufBytes().tensor("t", {64}).whole().substr(0, 200),
        "bytes of tensors from byte 64 on, allowed the 256 bytes that the header promises");
    row("alignment", GgufBytes().number("general.alignment", 24).header(),
        "general.alignment: found 24, allowed a power of two");
    row("long name", GgufBytes().tensor(std::string(300, 'x'), {8}).header(),
        "found the name of a tensor of 300 bytes, allowed 256 bytes at most");
    row("name with an escape", GgufBytes().rawTensor("a\x1b[2J\xe2\x80\xae", {3}, 99, 0).header(),
        "tensor a\\u001b[2J\\u202e: found type 99");
    row("no architecture", GgufBytes().header(), "general.architecture: found nothing");
    row("architecture as number", GgufBytes().number("general.architecture", 7).header(),
        "general.architecture: found 7, allowed the name");
    row("heads as text",
        tinyGguf().text("llama.attention.key_length", "x").tensor("token_embd.weight", {32, 64}).whole(),
        "llama.attention.key_length: found text \"x\", allowed a whole number");
    row("huge count",
        GgufBytes()
            .text("general.architecture", "llama")
            .key("llama.block_count", gguf::u64, littleEndian(all))
            .header(),
        "llama.block_count: found 18446744073709551615, allowed a whole number from 1 to 65536");
    row("more experts than there are",
        tinyLlama().number("llama.expert_count", 4).number("llama.expert_used_count", 8).whole(),
        "llama.expert_used_count: found 8 of 4 experts");
    row("all layers predict", tinyLlama().number("llama.nextn_predict_layers", 2).whole(),
        "llama.nextn_predict_layers: found 2, allowed fewer than the 2");
}

void GgufTest::refusesHeadersThatLie() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const auto model = modelOf(bytes.toStdString());
    QVERIFY(!model);
    VERIFY_SAYS(messages(model), said.toStdString());
}

void GgufTest::listsEveryMissingKeyOfAKnownArchitecture() {
    const auto model =
        modelOf(GgufBytes().text("general.architecture", "llama").number("llama.block_count", 0).header());
    QVERIFY(!model);
    const std::string said = messages(model);
    for (const char *part : {"llama.block_count: found 0", "llama.embedding_length: found nothing",
                             "llama.attention.head_count: found nothing", "llama.feed_forward_length: found nothing",
                             "llama.vocab_size: found nothing"}) {
        VERIFY_SAYS(said, part);
    }
}

QTEST_APPLESS_MAIN(GgufTest)
#include "tst_gguf.moc"
