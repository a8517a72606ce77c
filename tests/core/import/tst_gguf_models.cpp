// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Headers laid out as llama.cpp converts published models: parameters and cache to the element, no word of doubt.
#include "core/import/import_report.h"
#include "core/import/weight_model.h"

#include "tests/core/import/import_test.h"
#include "tests/core/import/weight_bytes.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

using namespace ridgepoint;

namespace {

using Json = nlohmann::ordered_json;

/// One model's sizes and the kinds of its layers.
struct Layout {
    const char *architecture;
    std::uint32_t layers, hidden, heads, kvHeads, headDim, ffn, vocabulary;
    bool tied = false, qkvBiases = false, qkNorms = false, normsAround = false, fusedRows = false;
    std::uint32_t window = 0;
    std::uint32_t experts = 0, activeExperts = 0, expertFfn = 0, denseLayers = 0, sharedFfn = 0;
    bool isGptOss = false;
    bool isDeepSeek = false;
};

void addKeys(GgufBytes &file, const Layout &m) {
    const std::string at = std::string(m.architecture) + ".";
    file.text("general.architecture", m.architecture).number(at + "block_count", m.layers);
    file.number(at + "embedding_length", m.hidden).number(at + "feed_forward_length", m.ffn);
    file.number(at + "attention.head_count", m.heads).number(at + "attention.head_count_kv", m.kvHeads);
    file.real(at + "attention.layer_norm_rms_epsilon", 1e-6F);
    if (m.window > 0) {
        file.number(at + "attention.sliding_window", m.window);
    }
    if (m.experts > 0) {
        file.number(at + "expert_count", m.experts).number(at + "expert_used_count", m.activeExperts);
        file.number(at + "expert_feed_forward_length", m.expertFfn);
        file.number(at + "leading_dense_block_count", m.denseLayers);
    }
    if (m.isDeepSeek) {
        file.number(at + "attention.q_lora_rank", 1536).number(at + "attention.kv_lora_rank", 512);
        file.number(at + "attention.key_length", 576).number(at + "attention.value_length", 512);
        file.number(at + "attention.key_length_mla", 192).number(at + "attention.value_length_mla", 128);
        file.number(at + "rope.dimension_count", 64).number(at + "expert_shared_count", 1);
    } else if (m.headDim * m.heads != m.hidden) {
        file.number(at + "attention.key_length", m.headDim).number(at + "attention.value_length", m.headDim);
    }
}

void addAttention(GgufBytes &file, const std::string &at, const Layout &m) {
    const std::uint64_t query = std::uint64_t{m.heads} * m.headDim;
    const std::uint64_t key = std::uint64_t{m.kvHeads} * m.headDim;
    if (m.isDeepSeek) {
        file.tensor(at + "attn_q_a.weight", {1536, m.hidden}, "Q8_0").tensor(at + "attn_q_a_norm.weight", {1536});
        file.tensor(at + "attn_q_b.weight", {m.heads * 192, 1536}, "Q8_0");
        file.tensor(at + "attn_kv_a_mqa.weight", {576, m.hidden}, "Q8_0").tensor(at + "attn_kv_a_norm.weight", {512});
        file.tensor(at + "attn_k_b.weight", {m.heads, 512, 128}).tensor(at + "attn_v_b.weight", {m.heads, 128, 512});
        file.tensor(at + "attn_output.weight", {m.hidden, m.heads * 128});
        return;
    }
    file.tensor(at + "attn_output.weight", {m.hidden, query});
    if (m.fusedRows) {
        file.tensor(at + "attn_qkv.weight", {query + 2 * key, m.hidden});
    } else {
        file.tensor(at + "attn_q.weight", {query, m.hidden}).tensor(at + "attn_k.weight", {key, m.hidden});
        file.tensor(at + "attn_v.weight", {key, m.hidden});
    }
    if (m.qkvBiases) {
        file.tensor(at + "attn_q.bias", {query}).tensor(at + "attn_k.bias", {key}).tensor(at + "attn_v.bias", {key});
    }
    if (m.qkNorms) {
        file.tensor(at + "attn_q_norm.weight", {m.headDim}).tensor(at + "attn_k_norm.weight", {m.headDim});
    }
    if (m.isGptOss) {
        file.tensor(at + "attn_output.bias", {m.hidden}).tensor(at + "attn_sinks.weight", {m.heads});
    }
}

void addMlp(GgufBytes &file, const std::string &at, std::uint32_t layer, const Layout &m) {
    const auto gated = [&](const std::string &end, std::uint32_t width) {
        file.tensor(at + "ffn_gate" + end, {width, m.hidden}).tensor(at + "ffn_up" + end, {width, m.hidden});
        file.tensor(at + "ffn_down" + end, {m.hidden, width});
    };
    if (m.fusedRows) {
        file.tensor(at + "ffn_up.weight", {2 * m.ffn, m.hidden}).tensor(at + "ffn_down.weight", {m.hidden, m.ffn});
        return;
    }
    if (m.experts == 0 || layer < m.denseLayers) {
        gated(".weight", m.ffn);
        return;
    }
    file.tensor(at + "ffn_gate_inp.weight", {m.experts, m.hidden});
    file.tensor(at + "ffn_gate_exps.weight", {m.experts, m.expertFfn, m.hidden}, "MXFP4");
    file.tensor(at + "ffn_up_exps.weight", {m.experts, m.expertFfn, m.hidden}, "MXFP4");
    file.tensor(at + "ffn_down_exps.weight", {m.experts, m.hidden, m.expertFfn}, "MXFP4");
    if (m.sharedFfn > 0) {
        gated("_shexp.weight", m.sharedFfn);
        file.tensor(at + "exp_probs_b.bias", {m.experts});
    }
    if (m.isGptOss) {
        file.tensor(at + "ffn_gate_inp.bias", {m.experts}).tensor(at + "ffn_gate_exps.bias", {m.experts, m.expertFfn});
        file.tensor(at + "ffn_up_exps.bias", {m.experts, m.expertFfn});
        file.tensor(at + "ffn_down_exps.bias", {m.experts, m.hidden});
    }
}

std::string headerOf(const Layout &m) {
    GgufBytes file;
    addKeys(file, m);
    file.tensor("token_embd.weight", {m.vocabulary, m.hidden}, "BF16").tensor("output_norm.weight", {m.hidden});
    if (!m.tied) {
        file.tensor("output.weight", {m.vocabulary, m.hidden}, "BF16");
    }
    for (std::uint32_t layer = 0; layer < m.layers; ++layer) {
        const std::string at = "blk." + std::to_string(layer) + ".";
        file.tensor(at + "attn_norm.weight", {m.hidden});
        file.tensor(at + (m.isGptOss ? "post_attention_norm.weight" : "ffn_norm.weight"), {m.hidden});
        if (m.normsAround) {
            file.tensor(at + "post_attention_norm.weight", {m.hidden}).tensor(at + "post_ffw_norm.weight", {m.hidden});
        }
        addAttention(file, at, m);
        addMlp(file, at, layer, m);
    }
    return file.header();
}

Json publishedModel(const std::string &id) {
    QFile file(QStringLiteral(RIDGEPOINT_TEST_DATA "/hf-configs/index.json"));
    const Json index = file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString()) : Json();
    for (const Json &model : index["models"]) {
        if (model["id"] == id) {
            return model;
        }
    }
    return {};
}

} // namespace

Q_DECLARE_METATYPE(Layout)

class GgufModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsPublishedModelsExactly_data();
    void countsPublishedModelsExactly();
};

void GgufModelsTest::countsPublishedModelsExactly_data() {
    QTest::addColumn<Layout>("layout");
    const auto row = [](const char *id, const Layout &layout) { QTest::newRow(id) << layout; };
    row("llama-3-8b", {.architecture = "llama",
                       .layers = 32,
                       .hidden = 4096,
                       .heads = 32,
                       .kvHeads = 8,
                       .headDim = 128,
                       .ffn = 14336,
                       .vocabulary = 128256});
    row("qwen2.5-7b", {.architecture = "qwen2",
                       .layers = 28,
                       .hidden = 3584,
                       .heads = 28,
                       .kvHeads = 4,
                       .headDim = 128,
                       .ffn = 18944,
                       .vocabulary = 152064,
                       .qkvBiases = true});
    row("qwen3-8b", {.architecture = "qwen3",
                     .layers = 36,
                     .hidden = 4096,
                     .heads = 32,
                     .kvHeads = 8,
                     .headDim = 128,
                     .ffn = 12288,
                     .vocabulary = 151936,
                     .qkNorms = true});
    row("gemma-2-9b", {.architecture = "gemma2",
                       .layers = 42,
                       .hidden = 3584,
                       .heads = 16,
                       .kvHeads = 8,
                       .headDim = 256,
                       .ffn = 14336,
                       .vocabulary = 256000,
                       .tied = true,
                       .normsAround = true,
                       .window = 4096});
    row("phi-3-mini-4k", {.architecture = "phi3",
                          .layers = 32,
                          .hidden = 3072,
                          .heads = 32,
                          .kvHeads = 32,
                          .headDim = 96,
                          .ffn = 8192,
                          .vocabulary = 32064,
                          .fusedRows = true,
                          .window = 2047});
    row("mixtral-8x7b", {.architecture = "llama",
                         .layers = 32,
                         .hidden = 4096,
                         .heads = 32,
                         .kvHeads = 8,
                         .headDim = 128,
                         .ffn = 14336,
                         .vocabulary = 32000,
                         .experts = 8,
                         .activeExperts = 2,
                         .expertFfn = 14336});
    row("qwen3-30b-a3b", {.architecture = "qwen3moe",
                          .layers = 48,
                          .hidden = 2048,
                          .heads = 32,
                          .kvHeads = 4,
                          .headDim = 128,
                          .ffn = 6144,
                          .vocabulary = 151936,
                          .qkNorms = true,
                          .experts = 128,
                          .activeExperts = 8,
                          .expertFfn = 768});
    row("gpt-oss-20b", {.architecture = "gpt-oss",
                        .layers = 24,
                        .hidden = 2880,
                        .heads = 64,
                        .kvHeads = 8,
                        .headDim = 64,
                        .ffn = 2880,
                        .vocabulary = 201088,
                        .qkvBiases = true,
                        .window = 128,
                        .experts = 32,
                        .activeExperts = 4,
                        .expertFfn = 2880,
                        .isGptOss = true});
    row("deepseek-v3", {.architecture = "deepseek2",
                        .layers = 61,
                        .hidden = 7168,
                        .heads = 128,
                        .kvHeads = 1,
                        .headDim = 192,
                        .ffn = 18432,
                        .vocabulary = 129280,
                        .experts = 256,
                        .activeExperts = 8,
                        .expertFfn = 2048,
                        .denseLayers = 3,
                        .sharedFfn = 2048,
                        .isDeepSeek = true});
}

void GgufModelsTest::countsPublishedModelsExactly() {
    QFETCH(Layout, layout);
    const Json published = publishedModel(QTest::currentDataTag());
    QVERIFY(!published.is_null());
    const std::string bytes = headerOf(layout);
    const auto header = readGgufHeader(MemorySource(bytes));
    QVERIFY2(header, messages(header).c_str());
    const auto model = modelOfGguf(*header);
    QVERIFY2(model, messages(model).c_str());
    QVERIFY2(model->hasShape, model->whyNoShape.c_str());
    QVERIFY2(model->warnings.empty(), model->warnings.empty() ? "" : model->warnings.front().c_str());
    const double total = published["params_unique"].get<double>();
    QCOMPARE(model->parametersTotal, total);
    QCOMPARE(model->parametersActive, published.value("params_active_per_token", total));
    const Json cache = importReport(*model, "m.gguf")["kv_cache"];
    const Json &kv = published["kv"];
    QCOMPARE(cache["elements_per_token"].get<double>(), kv["elements_per_token_all_layers"].get<double>());
    QCOMPARE(cache["layers_full"].get<int>(), kv["layers_keeping_full_context"].get<int>());
    QCOMPARE(cache["layers_windowed"].get<int>(), kv["layers_windowed"].get<int>());
}

QTEST_APPLESS_MAIN(GgufModelsTest)
#include "tst_gguf_models.moc"
