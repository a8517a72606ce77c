// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that mistakes in scenario files are all named, with their place and what is allowed, however hostile the text.
#include "core/scenario/file.h"

#include "tests/core/scenario_text.h"

#include <QtTest>

#include <ctime>

using namespace ridgepoint;
using namespace ridgepoint::test;

class TestScenarioMistakes : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Expected<Scenario> read(const std::string &text) { return readScenario(text, catalog_, {}); }

    static void problemColumns() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
    }
    static void row(const char *name, const std::string &text, const std::string &message) {
        QTest::newRow(name) << QByteArray(text.data(), static_cast<qsizetype>(text.size()))
                            << QByteArray::fromStdString(message + "\n");
    }
    void compareProblems() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const auto result = readScenario({text.data(), static_cast<std::size_t>(text.size())}, catalog_, {});
        QVERIFY(!result);
        QCOMPARE(QByteArray::fromStdString(lines(result.error())), message);
    }

private Q_SLOTS:
    void everyMistakeIsListedAtOnce() {
        const auto result = read(fileText("many-mistakes.ridgepoint"));
        QVERIFY(!result);
        const std::vector<std::string> fields{"trainig",
                                              "model.heads",
                                              "model.vocabulary",
                                              "model.hidden",
                                              "model.kv_heads",
                                              "ridgepoint",
                                              "task",
                                              "training.micro_batches",
                                              "training.micro_batch",
                                              "training.optimizer",
                                              "training.recompute",
                                              "parallelism.tensor",
                                              "parallelism.context",
                                              "parallelism.sharding",
                                              "parallelism.offload",
                                              "hardware.gpus[0]",
                                              "hardware.gpus[1]",
                                              "hardware.power_limit_w",
                                              "economics.pue",
                                              "economics.utilization"};
        std::vector<std::string> found;
        for (const Problem &problem : result.error()) {
            found.push_back(problem.field);
        }
        std::string expectedText;
        for (const std::string &field : fields) {
            expectedText += field + "\n";
        }
        std::string foundText;
        for (const std::string &field : found) {
            foundText += field + "\n";
        }
        QCOMPARE(QByteArray::fromStdString(foundText), QByteArray::fromStdString(expectedText));
    }

    void brokenTextIsRefusedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("said");
        const auto text = [](const char *name, const std::string &bytes, const char *field, const char *said) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QByteArray(field)
                                << QByteArray(said);
        };
        text("nothing", "", "", "empty file");
        text("blanks", "  \n", "", "blanks only");
        text("null", "null", "", "null at the top level, allowed an object");
        text("list", "[1]", "", "a list at the top level, allowed an object");
        text("cut off", R"({"model": {"preset": "llama-2-7b")", "byte 33", "the end of the file");
        text("NUL byte", std::string("{\"name\":\0\"a\"}", 13), "byte 8", "NUL byte");
        text("UTF-16", std::string("\xFF\xFE{\0}\0", 6), "", "UTF-16");
        text("Latin-1", "{\"name\": \"caf\xE9\"}", "name", "0xE9 at byte 13");
        text("lone surrogate", R"({"name": "\ud800"})", "name", "surrogate");
        text("duplicate", with(R"("training": {"micro_batch": 1, "micro_batch": 2})"), "training.micro_batch",
             "byte 67");
        text("huge number", with(R"("training": {"micro_batch": 1e400})"), "training.micro_batch", "1e400 at byte 64");
        text("NaN", with(R"("training": {"micro_batch": NaN})"), "training.micro_batch", "NaN at byte 64");
        text("Infinity", with(R"("training": {"micro_batch": -Infinity})"), "training.micro_batch",
             "-Infinity at byte 64");
        text("hexadecimal", with(R"("training": {"micro_batch": 0x20})"), "training.micro_batch", "0x20 at byte 64");
        text("too deep", "{\"name\": " + std::string(500, '[') + std::string(500, ']') + "}", "byte 72", "64");
    }
    void brokenTextIsRefusedWithItsPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, said);
        const auto result = readScenario({text.data(), static_cast<std::size_t>(text.size())}, catalog_, {});
        QVERIFY(!result);
        QCOMPARE(result.error().size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(result.error()[0].field), field);
        const QByteArray message = QByteArray::fromStdString(result.error()[0].message());
        QVERIFY2(message.contains(said), message.constData());
    }

    void mistakesNameWhatIsAllowed_data() {
        problemColumns();
        row("no model", "{}",
            "model: found nothing, allowed exactly one of preset, config, parameters, or an explicit shape");
        row("mixed forms", with("", R"({"preset": "llama-2-7b", "parameters": 7e9, "layers": 2})"),
            "model: found preset, parameters, layers together, allowed exactly one of preset, config, parameters, or "
            "an explicit shape");
        row("model is text", with("", R"("llama-2-7b")"),
            "model: found text \"llama-2-7b\", allowed exactly one of preset, config, parameters, or an explicit "
            "shape");
        row("unknown key", with(R"("nmae": "x")"),
            "nmae: found an unknown key, allowed one of ridgepoint, name, model, task, training, inference, "
            "parallelism, "
            "hardware, economics; did you mean \"name\"?");
        row("key at the wrong place", with(R"("micro_batch": 4)"),
            "micro_batch: found an unknown key, allowed one of ridgepoint, name, model, task, training, inference, "
            "parallelism, hardware, economics; did you mean \"training.micro_batch\"?");
        row("foreign project file", R"({"dp":4,"tp":2})",
            "dp: found an unknown key, allowed one of ridgepoint, name, model, task, training, inference, parallelism, "
            "hardware, "
            "economics\n"
            "tp: found an unknown key, allowed one of ridgepoint, name, model, task, training, inference, parallelism, "
            "hardware, "
            "economics\n"
            "model: found nothing, allowed exactly one of preset, config, parameters, or an explicit shape");
        row("count as text", with(R"("training": {"micro_batch": "32"})"),
            "training.micro_batch: found text \"32\", allowed a whole number");
        row("count as boolean", with(R"("training": {"micro_batch": true})"),
            "training.micro_batch: found true, allowed a whole number");
        row("count as null", with(R"("training": {"micro_batch": null})"),
            "training.micro_batch: found null, allowed a whole number");
        row("count as list", with(R"("training": {"micro_batch": [32]})"),
            "training.micro_batch: found a list, allowed a whole number");
        row("fraction", with(R"("training": {"micro_batch": 32.5})"),
            "training.micro_batch: found 32.5, allowed a whole number");
        row("zero", with(R"("training": {"micro_batch": 0})"),
            "training.micro_batch: found 0, allowed a whole number of at least 1");
        row("minus zero", with(R"("training": {"micro_batch": -0.0})"),
            "training.micro_batch: found 0, allowed a whole number of at least 1");
        row("1e308", with(R"("training": {"micro_batch": 1e308})"),
            "training.micro_batch: found 1e+308, allowed a whole number of at most 1000000000");
        row("section as list", with(R"("training": [])"), "training: found a list, allowed an object");
        row("flag as number", with(R"("training": {"dropout": 1})"),
            "training.dropout: found 1, allowed true or false");
        row("newer version", with(R"("ridgepoint": 2)"),
            "ridgepoint: found 2, allowed 1, the version of this format; the file was made by a newer version of "
            "Ridgepoint");
        row("optimizer", with(R"("training": {"optimizer": "adamv"})"),
            "training.optimizer: found \"adamv\", allowed an optimizer: adamw, adamw-bf16, adamw-8bit, adafactor, "
            "lion, muon, sgd, "
            "sgd-momentum; did you mean \"adamw\"?");
        row("escape in an id", with(R"("training": {"optimizer": "ada\u0000mw"})"),
            "training.optimizer: found \"ada\\u0000mw\", allowed an optimizer: adamw, adamw-bf16, adamw-8bit, "
            "adafactor, lion, "
            "muon, sgd, sgd-momentum; did you mean \"adamw\"?");
        row("control character in the name", with(R"("name": "a\nb")"),
            "name: found \"a\\u000ab\", allowed a text of at most 500 bytes without control characters");
        row("missing shape keys", with("", R"({"layers": 4, "hidden": 64})"),
            "model.heads: found nothing, allowed a whole number; an explicit shape needs layers, hidden, heads, ffn "
            "and vocabulary\n"
            "model.ffn: found nothing, allowed a whole number; an explicit shape needs layers, hidden, heads, ffn and "
            "vocabulary\n"
            "model.vocabulary: found nothing, allowed a whole number; an explicit shape needs layers, hidden, heads, "
            "ffn and "
            "vocabulary");
        row("zeros in a shape",
            with("",
                 R"({"layers": 0, "hidden": 0, "heads": 0, "kv_heads": 0, "head_dim": 0, "ffn": 0, "vocabulary": 0})"),
            "model.layers: found 0, allowed a whole number of at least 1\n"
            "model.hidden: found 0, allowed a whole number of at least 1\n"
            "model.heads: found 0, allowed a whole number of at least 1\n"
            "model.kv_heads: found 0, allowed a whole number of at least 1\n"
            "model.head_dim: found 0, allowed a whole number of at least 1\n"
            "model.ffn: found 0, allowed a whole number of at least 1\n"
            "model.vocabulary: found 0, allowed a whole number of at least 1");
        const auto shaped = [](const std::string &more) {
            return with("", R"({"layers": 4, "hidden": 64, "heads": 4, "ffn": 128, "vocabulary": 1000, )" + more + "}");
        };
        row("experts without their sizes", shaped(R"("experts": {"count": 8})"),
            "model.experts.active: found nothing, allowed a whole number; model.experts needs count, active, ffn\n"
            "model.experts.ffn: found nothing, allowed a whole number; model.experts needs count, active, ffn");
        row("experts as a number", shaped(R"("experts": 8)"),
            "model.experts: found 8, allowed null or an object with count, active, ffn");
        row("a wrong key of experts", shaped(R"("experts": {"count": 8, "activ": 2, "active": 2, "ffn": 64})"),
            "model.experts.activ: found an unknown key, allowed one of count, active, ffn, shared, shared_ffn, "
            "dense_layers, "
            "every, router_bias, biases, shared_gate; did you mean \"active\"?");
        row("more active experts than there are", shaped(R"("experts": {"count": 8, "active": 9, "ffn": 64})"),
            "model.experts.active: found 9, allowed at most 8, the count of experts");
        row("only dense layers beside experts",
            shaped(R"("experts": {"count": 8, "active": 2, "ffn": 64, "dense_layers": 4})"),
            "model.experts.dense_layers: found 4, allowed at most 3, so that one of 4 layers has experts");
        row("a shared width without shared experts",
            shaped(R"("experts": {"count": 8, "active": 2, "ffn": 64, "shared_ffn": 32})"),
            "model.experts.shared: found nothing, allowed a whole number of at least 1 with shared_ffn 32");
        row("latent attention without its sizes", shaped(R"("mla": {"kv_rank": 8, "rope_dim": 4})"),
            "model.mla.nope_dim: found nothing, allowed a whole number; model.mla needs kv_rank, rope_dim, nope_dim, "
            "v_dim\n"
            "model.mla.v_dim: found nothing, allowed a whole number; model.mla needs kv_rank, rope_dim, nope_dim, "
            "v_dim");
        row("latent attention with grouped heads",
            shaped(R"("kv_heads": 2, "mla": {"kv_rank": 8, "rope_dim": 4, "nope_dim": 8, "v_dim": 8})"),
            "model.kv_heads: found 2, allowed 4 as heads, or left out: all heads share the latent");
        row("linear attention beside a window",
            shaped(R"("attention_window": 8, "linear_attention": {"key_heads": 2, "value_heads": 3, "key_dim": 8,
                      "value_dim": 8, "convolution": 4, "full_every": 4})"),
            "model.linear_attention.value_heads: found 3, allowed a multiple of 2 key_heads\n"
            "model.attention_window: found 8, allowed null beside linear_attention: windows there are not modelled");
        row("an encoder-decoder with experts", shaped(R"("experts": {"count": 8, "active": 2, "ffn": 64},
                      "encoder": {"layers": 2, "heads": 4, "head_dim": 16, "ffn": 128})"),
            "model.experts: found experts, allowed null beside an encoder: not modelled there");
        row("no words", with("", R"({"layers": 2, "hidden": 64, "heads": 4, "ffn": 128, "vocabulary": 0})"),
            "model.vocabulary: found 0, allowed a whole number of at least 1");
        row("heads that do not divide",
            with("", R"({"layers": 32, "hidden": 4096, "heads": 27, "ffn": 14336, "vocabulary": 128256})"),
            "model.head_dim: found nothing, allowed a whole number, since hidden 4096 does not divide by 27 heads");
        row("kv heads",
            with("",
                 R"({"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 5, "ffn": 14336, "vocabulary": 128256})"),
            "model.kv_heads: found 5, allowed a divisor of 32 heads: 1, 2, 4, 8, 16, 32");
        row("more kv heads than heads",
            with("",
                 R"({"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 64, "ffn": 14336, "vocabulary": 128256})"),
            "model.kv_heads: found 64, allowed a divisor of 32 heads: 1, 2, 4, 8, 16, 32");
        row("config without a loader", with("", R"({"config": "config.json"})"),
            "model.config: found \"config.json\", allowed a preset, a parameter count or an explicit shape, since no "
            "file can be "
            "read here");
        row("unknown GPU", with(R"("hardware": {"gpus": ["nvidia-h100-sxn"]})"),
            "hardware.gpus[0]: found \"nvidia-h100-sxn\", allowed a GPU of the catalogue; did you mean "
            "\"nvidia-h100-sxm\"?");
        row("GPU twice", with(R"("hardware": {"gpus": ["nvidia-h100-sxm", "nvidia-h100-sxm"]})"),
            "hardware.gpus[1]: found \"nvidia-h100-sxm\" a second time, allowed each GPU once");
        row("derived GPU", with(R"("hardware": {"gpus": [{"base": "nvidia-h100", "memory_bytes": -1, "memory": 5}]})"),
            "hardware.gpus[0].id: found nothing, allowed a text\n"
            "hardware.gpus[0].base: found \"nvidia-h100\", allowed a GPU of the catalogue; did you mean "
            "\"nvidia-h100-pcie\"?\n"
            "hardware.gpus[0].memory_bytes: found -1, allowed a number of at least 1000000\n"
            "hardware.gpus[0].memory: found an unknown key, allowed one of base, id, memory_bytes, "
            "bandwidth_bytes_per_s, "
            "board_w, price_usd, gpus_per_domain, peak_fp32_flops_per_s, peak_tf32_flops_per_s, peak_fp16_flops_per_s, "
            "peak_bf16_flops_per_s, peak_fp8_flops_per_s, peak_mxfp8_flops_per_s, peak_nvfp4_flops_per_s, "
            "peak_int8_flops_per_s; did you mean \"memory_bytes\"?");
        row("derived GPU with a catalogue id",
            with(R"("hardware": {"gpus": [{"base": "nvidia-h100-sxm", "id": "nvidia-h100-sxm"}]})"),
            "hardware.gpus[0].id: found \"nvidia-h100-sxm\", allowed a name of its own for the derived GPU: no id of "
            "the "
            "catalogue, 1 to 100 bytes, a letter or digit first, no blanks or hidden characters");
        row("recipe parts", with(R"("training": {"recipe": {"weights": "bf17", "states": -1, "moments": 4}})"),
            "training.recipe.weights: found \"bf17\", allowed a number of bytes or a weight format: fp32, bf16, fp16, "
            "fp8, int8, "
            "int4, int8-g128, int4-g128, nf4, nf4-dq, mxfp4, nvfp4, q8_0, q6_k; did you mean \"bf16\"?\n"
            "training.recipe.states: found -1, allowed a number of at least 0\n"
            "training.recipe.moments: found an unknown key, allowed one of weights, gradients, master, states, "
            "activations");
        row("economics",
            with(R"("economics": {"pue": 0.5, "utilization": 0, "lifetime_years": 0, "residual_fraction": 2})"),
            "economics.pue: found 0.5, allowed a number of at least 1\n"
            "economics.lifetime_years: found 0, allowed a number of at least 0.01\n"
            "economics.utilization: found 0, allowed a number of at least 0.001\n"
            "economics.residual_fraction: found 2, allowed a number of at most 1");
    }
    void mistakesNameWhatIsAllowed() { compareProblems(); }

    void layoutsThatCannotBeNameThoseThatCan_data() {
        problemColumns();
        row("context", with(R"("parallelism": {"context": 3}, "training": {"sequence_length": 4096})"),
            "training.sequence_length: found 4096, allowed a multiple of context 3: 4095 or 4098");
        row("context is a count", with(R"("parallelism": {"context": true})"),
            "parallelism.context: found true, allowed a whole number");
        row("chunks without their schedule", with(R"("parallelism": {"pipeline": 4, "virtual_stages": 2})"),
            "parallelism.virtual_stages: found 2, allowed 1, or the schedule interleaved, which runs several chunks on "
            "a stage");
        row("a schedule without chunks", with(R"("parallelism": {"pipeline": 4, "schedule": "interleaved"})"),
            "parallelism.virtual_stages: found 1, allowed at least 2 under the interleaved schedule; with 1 it is the "
            "schedule 1f1b");
        row("more chunks than layers",
            with(R"("parallelism": {"pipeline": 8, "virtual_stages": 5, "schedule": "interleaved"})"),
            "parallelism.virtual_stages: found 5, allowed at most 4, so that each chunk of 8 stages has a layer");
        row("entries", with(R"("parallelism": {"pipeline": 2, "virtual_stages": 2, "schedule": "interleaved",
            "layers_per_stage": [16, 8, 8]})"),
            "parallelism.layers_per_stage: found 3 entries, allowed 2, one for each pipeline stage, or 4, one for each "
            "of its 2 chunks");
        row("experts of a dense model", with(R"("parallelism": {"data": 4, "expert": 2})"),
            "parallelism.expert: found 2, allowed 1 for a model without experts");
        row("adapters",
            with(R"("training": {"lora": {"rank": 0, "targets": ["q", "w"], "also": "head", "base": "q4"}})"),
            "training.lora.rank: found 0, allowed a whole number of at least 1\n"
            "training.lora.targets[1]: found text \"w\", allowed \"attention\", \"all-linear\", or a list of q, k, v, "
            "o, "
            "gate, up, down\n"
            "training.lora.also: found text \"head\", allowed a list of embeddings, head\n"
            "training.lora.base: found text \"q4\", allowed bf16, int8, int4-g128, nf4, nf4-dq");
        row("no adapters", with(R"("training": {"lora": {"targets": []}})"),
            "training.lora.targets: found an empty list, allowed at least one of q, k, v, o, gate, up, down");
        row("recompute", with(R"("training": {"recompute": {"full_layers": 0}})"),
            "training.recompute.full_layers: found 0, allowed a whole number of at least 1");
    }
    void layoutsThatCannotBeNameThoseThatCan() { compareProblems(); }

    void whatIsNotModelledIsRefusedByName_data() {
        problemColumns();
        const auto beside = [](const char *name, const std::string &more, const std::string &message) {
            row(name,
                with("", R"({"layers": 4, "hidden": 64, "heads": 4, "ffn": 128, "vocabulary": 1000, )" + more + "}"),
                message);
        };
        beside("sinks with latent attention",
               R"("attention_sinks": true, "mla": {"kv_rank": 8, "rope_dim": 4, "nope_dim": 8, "v_dim": 8})",
               "model.attention_sinks: found true, allowed false beside mla: not modelled with latent attention");
        beside("experts in parallel to attention",
               R"("block_norms": "parallel-shared", "experts": {"count": 8, "active": 2, "ffn": 64})",
               "model.block_norms: found a parallel block beside experts, allowed before, around or after: experts in "
               "parallel to attention are not modelled");
        beside("a head on an encoder", R"("causal": false)",
               "model.has_head: found true, allowed false where causal is false: an encoder's pre-training head is not "
               "modelled");
    }
    void whatIsNotModelledIsRefusedByName() { compareProblems(); }

    void hostileTextsEndQuickly() {
        std::string keys = "{";
        for (int i = 0; keys.size() < 1'000'000; ++i) {
            keys += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
        }
        keys += "}";
        const std::clock_t start = std::clock(); // of this process: other programs do not count
        const auto many = read(keys);
        QVERIFY(!many);
        QVERIFY(many.error().size() < 200);
        const auto zeros = read(std::string(1048576, '\0'));
        QVERIFY(!zeros);
        QVERIFY(!read(std::string(9'000'000, ' ')));
        QVERIFY(std::clock() - start < 2 * CLOCKS_PER_SEC);
    }

    void nearestKeyForgivesSmallSlips() {
        const std::vector<std::string_view> known{"micro_batch", "global_batch", "data", "hidden"};
        QCOMPARE(nearestKey("microbatch", known), std::string("micro_batch"));
        QCOMPARE(nearestKey("mirco_batch", known), std::string("micro_batch"));
        QCOMPARE(nearestKey("Data", known), std::string("data"));
        QCOMPARE(nearestKey("hidden_size", known), std::string("hidden"));
        QCOMPARE(nearestKey("zzz", known), std::string());
    }
};

QTEST_APPLESS_MAIN(TestScenarioMistakes)
#include "tst_scenario_mistakes.moc"
