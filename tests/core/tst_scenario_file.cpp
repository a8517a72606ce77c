// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks what scenario files mean, and that they are written so that they read back the same.
#include "core/catalog/embedded.h"
#include "core/scenario/checks.h"
#include "core/scenario/fields.h"
#include "core/scenario/file.h"

#include "tests/core/scenario_text.h"

#include <QtTest>

#include <random>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

class Generator {
public:
    Generator(const Catalog &catalog, unsigned seed) : catalog_(catalog), random_(seed) {}

    Scenario scenario() {
        Scenario s = defaultScenario(catalog_);
        s.name = pick<std::string>({"", "plain", "Ümläut \xF0\x9F\x98\x80", "quotes \" and \\ slashes"});
        s.task = coin() ? Task::Training : Task::Inference;
        parallelism(s.parallelism);
        if (s.task == Task::Inference) {
            s.parallelism.context = 1;
        }
        model(s.model, s.parallelism);
        training(s.training, s.parallelism);
        inference(s.inference);
        hardware(s);
        economics(s.economics);
        return s;
    }

private:
    bool coin() { return random_() % 2 == 0; }
    int whole(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
    double real(double least, double most) { return std::uniform_real_distribution<double>(least, most)(random_); }
    template <class T>
    T pick(const std::vector<T> &values) {
        return values[random_() % values.size()];
    }
    std::optional<double> maybe(double least, double most) {
        return coin() ? std::optional<double>(real(least, most)) : std::nullopt;
    }
    template <class List>
    std::string anyId(const List &list) {
        return list[random_() % list.size()].id;
    }

    void parallelism(Parallelism &p) {
        p.data = whole(1, 6);
        p.tensor = 1 << whole(0, 3);
        p.pipeline = whole(1, 4);
        p.sharding = static_cast<Sharding>(whole(0, 4));
        p.context = whole(1, 2);
        p.offload = static_cast<Offload>(whole(0, 3));
        p.sequenceParallel = coin();
        p.schedule = static_cast<Schedule>(whole(0, p.pipeline > 1 ? 2 : 1));
        p.virtualStages = p.schedule == Schedule::Interleaved ? 2 : 1;
    }

    void model(ModelChoice &m, Parallelism &p) {
        const int form = whole(0, 2);
        if (form == 0) {
            m = {ModelChoice::Source::Preset, "llama-2-7b", catalog_.model("llama-2-7b")->shape, {}};
        } else if (form == 1) {
            m = readScenario(with("", R"({"parameters": )" + std::to_string(whole(1000, 2000000000)) + "}"), catalog_,
                             {})
                    ->model;
            p.tensor = 1;
            p.virtualStages = 1; // a small count may have fewer layers than chunks
            p.schedule = p.schedule == Schedule::Interleaved ? Schedule::Gpipe : p.schedule;
        } else {
            TransformerShape shape;
            shape.kvHeads = 8 * whole(1, 2);
            shape.heads = shape.kvHeads * whole(1, 4);
            shape.headDim = whole(1, 256);
            shape.layers = whole(8, 100);
            shape.hidden = whole(1, 20000);
            shape.ffn = 8 * whole(1, 9000);
            shape.vocabulary = whole(1, 300000);
            shape.gatedMlp = coin();
            shape.tiedEmbeddings = coin();
            shape.norm = static_cast<NormKind>(whole(0, 1));
            shape.biases = static_cast<Biases>(whole(0, 2));
            shape.positions = static_cast<Positions>(whole(0, 3));
            shape.blockNorms = coin() ? BlockNorms::Around : BlockNorms::ParallelOwn;
            shape.qkNorm = coin() ? QkNorm::PerHead : QkNorm::None;
            shape.maxPositions = coin() ? std::optional<int>(whole(100000, 1000000)) : std::nullopt;
            shape.attentionWindow = coin() ? std::optional<int>(whole(1, 9000)) : std::nullopt;
            shape.attentionWindowEvery =
                shape.attentionWindow && coin() ? std::optional<int>(whole(1, 9)) : std::nullopt;
            m = {ModelChoice::Source::Explicit, "", shape, {}};
        }
        if (coin()) {
            p.layersPerStage.assign(static_cast<std::size_t>(p.pipeline), 0);
            p.layersPerStage.front() = m.shape.layers;
        }
    }

    void training(Training &t, const Parallelism &p) {
        t.microBatch = whole(1, 9);
        t.globalBatch = coin() ? t.microBatch * p.data * whole(1, 50) : 0;
        t.sequenceLength = 16 * whole(1, 4500);
        t.compute = coin() ? std::optional(ComputeFormat::Fp16) : std::nullopt;
        t.recipe = anyId(catalog_.recipes);
        if (coin()) {
            t.recipe = defaultScenario(catalog_).training.recipe; // an object has no name
            t.recipeBytes = RecipeBytes{real(0.1, 8), real(0, 8), real(0, 8), real(0, 16), real(0.1, 4)};
        }
        t.optimizer = anyId(catalog_.optimizers);
        t.optimizerInBackward = coin();
        t.recompute = static_cast<Recompute>(whole(0, 4));
        t.recomputeLayers = t.recompute == Recompute::FullLayers ? whole(1, 50) : 1;
        if (coin()) {
            t.lora = Lora{1,
                          {coin(), coin(), coin(), coin(), coin(), coin(), true},
                          coin(),
                          coin(),
                          pick<std::string>({"bf16", "int8", "int4-g128", "nf4", "nf4-dq"})};
        }
        t.attention = static_cast<AttentionKernel>(whole(0, 1));
        t.fusedKernels = coin();
        t.loss = static_cast<LossKernel>(whole(0, 2));
        t.lossChunkTokens = whole(1, 100000);
        t.dropout = coin();
        t.framework = anyId(catalog_.frameworks);
        t.tokens = maybe(1, 1e16);
    }

    void inference(Inference &i) {
        i.weights = pick<std::string>({"bf16", "fp16", "int8", "int4-g128"});
        i.kvCache = pick<std::string>({"bf16", "fp8"});
        i.compute = coin() ? std::optional(ComputeFormat::Fp16) : std::nullopt;
        i.concurrentSequences = whole(1, 5000);
        i.promptTokens = whole(1, 50000);
        i.outputTokens = whole(1, 9999);
        i.prefillChunkTokens = whole(1, 99999);
        i.memoryFraction = real(0.01, 1);
        i.attention = static_cast<AttentionKernel>(whole(0, 1));
        i.engine = anyId(catalog_.engines);
        i.arrivalPerSecond = maybe(1e-3, 1e3);
    }

    void hardware(Scenario &s) {
        Hardware &h = s.hardware;
        h.gpusPerNode = s.parallelism.world();
        h.networkGbitPerSecond = maybe(1, 3200);
        h.inputTokensPerSecond = maybe(1, 1e9);
        h.contextBytes = maybe(0, 1e10);
        h.fragmentationFraction = maybe(0, 1);
        h.reservedBytes = maybe(0, 1e10);
        h.gpus.clear();
        for (const char *id : {"nvidia-a100-sxm-80gb", "nvidia-h100-sxm", "amd-mi300x"}) {
            if (h.gpus.empty() || coin()) {
                h.gpus.push_back({id, id, {}, {}, {}, {}, {}, {}});
            }
        }
        GpuChoice &last = h.gpus.back();
        if (coin()) {
            last.id = "mine-" + last.base;
            last.memoryBytes = maybe(1e9, 1e12);
            last.bandwidthBytesPerSecond = maybe(1e9, 1e13);
            last.boardWatts = maybe(400, 2000);
            last.priceUsd = maybe(0, 1e5);
            last.gpusPerDomain = coin() ? std::optional<double>(whole(1, 100)) : std::nullopt;
            for (auto &peak : last.peakFlopsPerSecond) {
                peak = maybe(1e12, 1e16);
            }
        }
        h.powerLimitWatts = h.gpus.size() == 1 && !h.gpus[0].isDerived() ? std::optional(real(300, 390)) : std::nullopt;
    }

    void economics(Economics &e) {
        e.preset = anyId(catalog_.economics);
        e.usdPerKwh = maybe(0, 2);
        e.pue = maybe(1, 3);
        e.lifetimeYears = maybe(0.5, 10);
        e.utilization = maybe(0.01, 1);
        for (auto *usd : {&e.gpuUsd, &e.serverUsdPerNode, &e.networkUsdPerNode, &e.facilityUsdPerKwMonth,
                          &e.maintenanceUsdPerYear, &e.peopleUsdPerYear, &e.otherUsdPerYear, &e.rentUsdPerGpuHour}) {
            *usd = maybe(0, 1e5);
        }
        e.costOfCapital = maybe(0, 1);
        e.residualFraction = maybe(0, 1);
        e.gridKgCo2PerKwh = maybe(0, 1);
    }

    const Catalog &catalog_;
    std::mt19937 random_;
};

} // namespace

class TestScenarioFile : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Expected<Scenario> read(const std::string &text, const ConfigLoader &load = {}) {
        return readScenario(text, catalog_, load);
    }

private Q_SLOTS:
    void theDocumentedExampleReadsWithoutAProblem() {
        const auto s = read(fileText("every-key.ridgepoint"));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(s->name, std::string("Llama 2 7B, full fine-tune"));
        QCOMPARE(s->model.reference, std::string("llama-2-7b"));
        QCOMPARE(s->model.shape, catalog_.model("llama-2-7b")->shape);
        QCOMPARE(s->training.globalBatch, 64.0);
        QCOMPARE(s->training.compute, std::optional(ComputeFormat::Bf16));
        QCOMPARE(s->training.tokens, std::optional(2.0e12));
        QCOMPARE(s->parallelism.data, 8);
        QCOMPARE(s->hardware.gpus.size(), std::size_t{1});
        QCOMPARE(s->hardware.gpus[0].id, std::string("nvidia-a100-sxm-80gb"));
        QCOMPARE(s->hardware.networkGbitPerSecond, std::optional(1600.0));
        QVERIFY(!s->hardware.powerLimitWatts);
        QCOMPARE(s->economics.usdPerKwh, std::optional(0.1));
    }

    void theScenarioThatShipsReadsWithoutAProblem() {
        const auto s = read(std::string(embeddedResource("resources/default.ridgepoint")));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
    }

    void keysThatAreLeftOutTakeTheirDefaults() {
        const auto s = read(with(""));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(*s, defaultScenario(catalog_));
        QVERIFY(!defaultScenario(catalog_).hardware.gpus.empty());
        const auto none = read(with(R"("hardware": {"gpus": []})"));
        QVERIFY(!none && lines(none.error()).find("hardware.gpus: found an empty list") != std::string::npos);
    }

    void theTableOfDefaultsSaysWhatTheInitialValuesSay() {
        const Scenario initial;
        for (const Section &section : sections()) {
            for (const Field &field : section.fields) {
                if (field.path == "ridgepoint" || field.path == "name") {
                    continue;
                }
                const ScenarioDefault *entry = catalog_.scenarioDefault(field.path);
                QVERIFY2(entry != nullptr, field.path.c_str());
                if (field.path != "hardware.gpus") {
                    const std::string said = nlohmann::json::parse(entry->json).dump();
                    QCOMPARE(field.path + " " + said, field.path + " " + nlohmann::json(field.write(initial)).dump());
                }
            }
        }
        for (const ScenarioDefault &entry : catalog_.defaults) { // nor does it name a key that nobody reads
            const auto dot = entry.key.find('.');
            const std::string first = entry.key.substr(0, dot);
            const std::string rest = dot == std::string::npos ? "" : entry.key.substr(dot + 1);
            bool isKnown = first == "model" || first == "ridgepoint" || first == "name" || first == "task";
            for (const Section &section : sections()) {
                isKnown = isKnown || (section.name == first && section.field(rest) != nullptr);
            }
            QVERIFY2(isKnown, entry.key.c_str());
        }
    }

    void theDefaultScenarioKeepsEveryRule() {
        QCOMPARE(QByteArray::fromStdString(lines(checkScenario(defaultScenario(catalog_), catalog_))), QByteArray());
    }

    void neutralValuesOfWhatIsNotModelledAreAccepted() {
        const auto s = read(with(
            R"("training": {"lora": null}, "inference": {"gpu_layers": null}, "parallelism": {"virtual_stages": 1.0,
            "context": 1, "expert": 1, "expert_tensor": null, "offload": "none"})"));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(*s, defaultScenario(catalog_));
    }

    void wholeFloatsCountAsWholeNumbers() {
        const auto s = read("\xEF\xBB\xBF" +
                            with(R"("training": {"micro_batch": 2.0, "sequence_length": 1e3, "tokens": 2.0e12})"));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(s->training.microBatch, 2.0);
        QCOMPARE(s->training.sequenceLength, 1000.0);
    }

    void aBareCountScalesTheNearestLlama() {
        const auto small = read(with("", R"({"parameters": 7e9})"));
        QVERIFY2(small, small ? "" : lines(small.error()).c_str());
        QCOMPARE(small->model.source, ModelChoice::Source::Parameters);
        QCOMPARE(small->model.reference, std::string("llama-2-7b"));
        QCOMPARE(small->model.shape.exactParameters, std::optional(7e9));
        QCOMPARE(small->model.shape.layers, 32);
        QCOMPARE(small->model.assumptions.size(), std::size_t{1});
        QVERIFY(small->model.assumptions[0].find("7000000000") != std::string::npos);
        const auto large = read(with("", R"({"parameters": 70e9})"));
        QVERIFY(large);
        QCOMPARE(large->model.shape.layers, 80);
        const auto fraction = read(with("", R"({"parameters": 7.5})"));
        QVERIFY(!fraction);
        QCOMPARE(lines(fraction.error()), std::string("model.parameters: found 7.5, allowed a whole number\n"));
    }

    void anExplicitShapeFillsInHeads() {
        const auto s = read(with(
            "", R"({"layers": 3, "hidden": 640, "heads": 10, "ffn": 1000, "vocabulary": 5000, "tied_embeddings": true,
            "norm": "layernorm", "biases": "all", "positions": "learned", "max_positions": 8192, "gated_mlp": false})"));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(s->model.source, ModelChoice::Source::Explicit);
        QCOMPARE(s->model.shape.kvHeads, 10);
        QCOMPARE(s->model.shape.headDim, 64);
        QCOMPARE(s->model.shape.maxPositions, std::optional(8192));
        QCOMPARE(s->model.shape.biases, Biases::All);
    }

    void aConfigIsLoadedAndItsProblemsKeepTheirFields() {
        const std::string text = with("", R"({"config": "models/one.json"})");
        const auto good = read(text, [](const std::string &path) -> Expected<ModelChoice> {
            ModelChoice choice;
            choice.assumptions = {"read from " + path};
            return choice;
        });
        QVERIFY(good);
        QCOMPARE(good->model.source, ModelChoice::Source::Config);
        QCOMPARE(good->model.reference, std::string("models/one.json"));
        QCOMPARE(good->model.assumptions, std::vector<std::string>{"read from models/one.json"});
        const auto bad = read(text, [](const std::string &) -> Expected<ModelChoice> {
            return tl::unexpected(Problems{
                {"hidden_size", "text \"4\"", "a whole number"}, {"byte 3", "x", "JSON"}, {"", "nothing", "a file"}});
        });
        QVERIFY(!bad);
        QCOMPARE(lines(bad.error()), std::string("model.config.hidden_size: found text \"4\", allowed a whole number\n"
                                                 "model.config, byte 3: found x, allowed JSON\n"
                                                 "model.config: found nothing, allowed a file\n"));
    }

    void aRecipeObjectTakesFormatsAndBytes() {
        const auto s = read(with(
            R"("training": {"recipe": {"weights": "bf16", "gradients": "fp32", "master": 0, "states": "fp32", "activations": 1.5}})"));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(*s->training.recipeBytes, (RecipeBytes{2, 4, 0, 8, 1.5})); // AdamW has two states
        const auto sgd = read(with(R"("training": {"optimizer": "sgd", "recipe": {"weights": 2}})"));
        QVERIFY2(sgd, sgd ? "" : lines(sgd.error()).c_str());
        QCOMPARE(sgd->training.recipeBytes->states, 0.0);
        const auto sum = read(with(R"("training": {"recipe": {"states": 6}})"));
        QVERIFY(sum);
        QCOMPARE(sum->training.recipeBytes->states, 6.0);
    }

    void aDerivedGpuChangesItsFigures() {
        const auto s = read(with(
            R"("hardware": {"gpus": ["nvidia-h100-sxm", {"base": "nvidia-h100-sxm", "id": "h100-double", "memory_bytes": 160e9,
            "bandwidth_bytes_per_s": 6e12, "board_w": 900, "peak_bf16_flops_per_s": 2e15, "price_usd": 1, "gpus_per_domain": 16}]})"));
        QVERIFY2(s, s ? "" : lines(s.error()).c_str());
        QCOMPARE(s->hardware.gpus.size(), std::size_t{2});
        QVERIFY(s->hardware.gpus[1].isDerived());
        const auto gpu = resolveGpu(s->hardware.gpus[1], catalog_);
        QVERIFY(gpu);
        QCOMPARE(gpu->id, std::string("h100-double"));
        QCOMPARE(gpu->memoryBytes.value, 160e9);
        QCOMPARE(gpu->capacityBytes.value, 160e9);
        QCOMPARE(gpu->bandwidthBytesPerSecond.value, 6e12);
        QCOMPARE(gpu->boardWatts.value, 900.0);
        QCOMPARE(gpu->peak(ComputeFormat::Bf16)->value, 2e15);
        QCOMPARE(gpu->peak(ComputeFormat::Fp16)->value,
                 catalog_.gpu("nvidia-h100-sxm")->peak(ComputeFormat::Fp16)->value);
        QCOMPARE(gpu->gpusPerDomain.value, 16.0);
        QVERIFY(!resolveGpu({"x", "unknown", {}, {}, {}, {}, {}, {}}, catalog_));
    }

    void everyKeyIsWrittenInAStableOrder() {
        const std::string text = writeScenario(*read(fileText("every-key.ridgepoint")));
        const auto json = nlohmann::ordered_json::parse(text);
        std::vector<std::string> keys;
        for (const auto &item : json.items()) {
            keys.push_back(item.key());
        }
        QCOMPARE(keys, (std::vector<std::string>{"ridgepoint", "name", "model", "task", "training", "inference",
                                                 "parallelism", "hardware", "economics"}));
        for (const Section &section : sections()) {
            for (const Field &field : section.fields) {
                const auto &object = section.name.empty() ? json : json.at(std::string(section.name));
                QVERIFY2(object.contains(std::string(field.key)), field.path.c_str());
            }
        }
        QCOMPARE(json["training"]["tokens"].dump(), std::string("2000000000000"));
        QCOMPARE(json["economics"]["usd_per_kwh"].dump(), std::string("0.1"));
        QVERIFY(text.ends_with("}\n"));
    }

    void writingAndReadingGivesTheSameScenario() {
        Generator generator(catalog_, 20250101);
        for (int i = 0; i < 2000; ++i) {
            const Scenario scenario = generator.scenario();
            const std::string text = writeScenario(scenario);
            const auto again = read(text);
            QVERIFY2(again, again ? "" : (lines(again.error()) + text).c_str());
            QVERIFY2(*again == scenario, text.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestScenarioFile)
#include "tst_scenario_file.moc"
