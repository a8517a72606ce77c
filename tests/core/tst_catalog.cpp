// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped facts are complete, sourced and right where the literature says what is right; mistakes are named, not
// swallowed.
#include "core/catalog/catalog.h"
#include "core/model/parameters.h"

#include <QTest>

#include <set>

using namespace ridgepoint;

namespace {

const CatalogResult &shipped() {
    static const CatalogResult result = builtInCatalog();
    return result;
}

const Catalog &catalog() {
    return shipped().catalog;
}

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

std::string listed(const CatalogResult &result) {
    std::string lines;
    for (const CatalogResult::FileProblem &problem : result.problems) {
        lines += problem.file + ": " + problem.problem.message() + '\n';
    }
    return lines;
}

template <class Entry>
std::set<std::string> idsOf(const std::vector<Entry> &entries) {
    std::set<std::string> ids;
    for (const Entry &entry : entries) {
        ids.insert(entry.id);
    }
    return ids;
}

std::vector<const Fact *> factsOf(const Efficiency &e) {
    return {&e.matmulShareOfPeak,
            &e.matmulShareOfPeakNarrow,
            &e.streamingShareOfBandwidth,
            &e.attentionForwardShareOfPeak,
            &e.attentionBackwardShareOfPeak,
            &e.tileRows,
            &e.tileColumns,
            &e.kDepthRamp,
            &e.kernelSeconds,
            &e.linkShare,
            &e.pcieShare,
            &e.linkLatencySeconds};
}

std::vector<const Fact *> factsOf(const Gpu &gpu) {
    std::vector<const Fact *> facts = factsOf(gpu.efficiency);
    for (const Fact *fact : {&gpu.memoryBytes, &gpu.capacityBytes, &gpu.bandwidthBytesPerSecond, &gpu.boardWatts,
                             &gpu.idleWatts, &gpu.gpusPerDomain}) {
        facts.push_back(fact);
    }
    const auto add = [&](const std::optional<Fact> &fact) {
        if (fact) {
            facts.push_back(&*fact);
        }
    };
    for (const std::optional<Fact> &peak : gpu.peakFlopsPerSecond) {
        add(peak);
    }
    for (const std::optional<Fact> *fact :
         {&gpu.minimumPowerLimitWatts, &gpu.linkBytesPerSecond, &gpu.pcieBytesPerSecond, &gpu.multiprocessors,
          &gpu.maxResidentThreads, &gpu.l2CacheBytes, &gpu.priceUsd, &gpu.rentUsdPerHour}) {
        add(*fact);
    }
    return facts;
}

/// Whether a shape is a plain decoder; the other kinds are counted against their publishers' figures in the tests of
/// the import.
bool isPlainDecoder(const TransformerShape &s) {
    const bool hasPlainNorms = s.blockNorms == BlockNorms::Before || s.blockNorms == BlockNorms::Around ||
                               s.blockNorms == BlockNorms::ParallelOwn;
    return !s.experts && !s.mla && !s.linearAttention && !s.encoder && hasPlainNorms &&
           s.norm != NormKind::LayerNormWithoutBias && s.qkNorm != QkNorm::FullWidth && !s.embeddingNorm &&
           !s.headBias && s.hasHead && s.biases != Biases::Mlp && s.towerParameters == 0 && s.otherParameters == 0;
}

/// The count written out from the shape, independent of the program's own operation list.
double closedForm(const TransformerShape &s) {
    const double h = s.hidden;
    const double queries = double(s.heads) * s.headDim;
    const double keys = double(s.kvHeads) * s.headDim;
    const double f = s.ffn;
    const double up = s.gatedMlp ? 2 : 1;
    const double norm = (s.norm == NormKind::LayerNorm ? 2 : 1) * h;
    double layer = h * queries + 2 * h * keys + queries * h + (up + 1) * h * f;
    layer += norm * (s.blockNorms == BlockNorms::Around ? 4 : 2) + (s.qkNorm != QkNorm::None ? 2.0 * s.headDim : 0);
    if (s.biases != Biases::None) {
        layer += queries + 2 * keys;
    }
    if (s.biases == Biases::All) {
        layer += h + up * f + h;
    }
    double total = s.layers * layer + norm + (s.tiedEmbeddings ? 1 : 2) * double(s.vocabulary) * h;
    if (s.positions == Positions::Learned) {
        total += double(s.maxPositions.value_or(0)) * h;
    }
    return total;
}

} // namespace

class CatalogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shippedFilesHaveNoMistake() { QCOMPARE(listed(shipped()), std::string()); }

    void everyListOfTheContractIsThere() {
        const std::set<std::string> recipes{"fp32",      "mixed-fp16",    "mixed-bf16", "megatron-bf16",
                                            "fsdp-bf16", "autocast-bf16", "pure-bf16"};
        const std::set<std::string> optimizers{"adamw", "adamw-bf16", "adamw-8bit", "adafactor",
                                               "lion",  "muon",       "sgd",        "sgd-momentum"};
        const std::set<std::string> frameworks{"generic",   "megatron",     "megatron-core", "megatron-deepspeed",
                                               "deepspeed", "nanotron",     "torchtitan",    "fsdp",
                                               "torchtune", "transformers", "litgpt",        "llm-foundry",
                                               "maxtext",   "llm.c"};
        const std::set<std::string> engines{"generic", "transformers", "vllm", "tensorrt-llm", "llama.cpp"};
        const std::set<std::string> formats{"fp32",      "bf16",   "fp16",   "fp8",    "int8",   "int4", "int8-g128",
                                            "int4-g128", "nf4",    "nf4-dq", "mxfp4",  "nvfp4",  "q8_0", "q6_k",
                                            "q5_k_m",    "q4_k_m", "q4_0",   "iq4_xs", "q3_k_m", "q2_k"};
        QCOMPARE(idsOf(catalog().recipes), recipes);
        QCOMPARE(idsOf(catalog().optimizers), optimizers);
        QCOMPARE(idsOf(catalog().frameworks), frameworks);
        QCOMPARE(idsOf(catalog().engines), engines);
        QCOMPARE(idsOf(catalog().formats), formats);
        QCOMPARE(idsOf(catalog().economics),
                 (std::set<std::string>{"workstation", "colocation", "own-hall", "hyperscale"}));
        QVERIFY(catalog().grids.size() >= 20);
    }

    void fortyTwoAcceleratorsWithASourceForEveryFigure() {
        QCOMPARE(catalog().gpus.size(), std::size_t(42));
        QCOMPARE(idsOf(catalog().gpus).size(), std::size_t(42));
        std::set<std::string> shortNames;
        for (const Gpu &gpu : catalog().gpus) {
            for (const Fact *fact : factsOf(gpu)) {
                QVERIFY2(!fact->source.empty(), gpu.id.c_str());
            }
            QVERIFY2(shortNames.insert(gpu.shortName).second, gpu.id.c_str());
            QVERIFY2(gpu.idleWatts.value < gpu.boardWatts.value && gpu.launchYear >= 2017, gpu.id.c_str());
            QVERIFY2(!gpu.priceUsd || gpu.priceUsd->note.find("20") != std::string::npos,
                     gpu.id.c_str()); // prices carry their date
        }
    }

    void publishedFiguresOfKnownAccelerators() {
        const Gpu *a100 = catalog().gpu("nvidia-a100-sxm-80gb");
        QVERIFY(a100 != nullptr);
        QCOMPARE(qRound(a100->peak(ComputeFormat::Fp16)->value / a100->bandwidthBytesPerSecond.value), 153);
        const Gpu *h100 = catalog().gpu("nvidia-h100-sxm");
        QVERIFY(h100 != nullptr);
        QCOMPARE(h100->peak(ComputeFormat::Bf16)->value, 989.4e12); // dense; 1,979 is the sparse figure
        QCOMPARE(h100->capacityBytes.value, 81559.0 * 1048576);
        QCOMPARE(h100->boardWatts.value * 8, 5600.0);
        QCOMPARE(h100->minimumPowerLimitWatts->value, 200.0);
        QCOMPARE(h100->linkBytesPerSecond->value, 450e9);
        const Gpu *rtx4090 = catalog().gpu("nvidia-rtx-4090");
        QVERIFY(rtx4090 != nullptr);
        QCOMPARE(rtx4090->peak(ComputeFormat::Fp16)->value, 165.2e12); // FP32 accumulate, half of the marketed rate
        QVERIFY(!rtx4090->linkBytesPerSecond && !rtx4090->pciePeerAccess && !rtx4090->pciePeerAccessSource.empty());
        QCOMPARE(catalog().gpu("nvidia-gb200")->gpusPerDomain.value, 72.0);
        QCOMPARE(catalog().gpu("amd-mi300x")->capacityBytes.value, 196592.0 * 1048576);
    }

    void narrowFormatsOnlyWhereTheHardwareHasThem() {
        for (const Gpu &gpu : catalog().gpus) {
            const bool blackwell = gpu.architectureId.rfind("blackwell", 0) == 0;
            QCOMPARE(gpu.peak(ComputeFormat::Nvfp4).has_value(), blackwell);
            QCOMPARE(gpu.peak(ComputeFormat::Mxfp8).has_value(), blackwell || gpu.id == "amd-mi355x");
        }
        QVERIFY(!catalog().gpu("nvidia-a100-sxm-80gb")->peak(ComputeFormat::Fp8));
        QVERIFY(!catalog().gpu("nvidia-v100-sxm2-16gb")->peak(ComputeFormat::Bf16));
    }

    void figuresThatNobodyReportsAreMarkedAsEstimates() {
        QVERIFY(catalog().gpu("amd-mi210")->idleWatts.estimate);
        QVERIFY(catalog().gpu("amd-mi210")->capacityBytes.estimate);
        QVERIFY(catalog().gpu("google-tpu-v5e")->boardWatts.estimate);
        QVERIFY(catalog().architecture("tpu")->efficiency.matmulShareOfPeak.estimate);
        QVERIFY(!catalog().architecture("hopper")->efficiency.matmulShareOfPeak.estimate);
        for (const Gpu &gpu : catalog().gpus) {
            for (const Fact *fact : factsOf(gpu)) {
                QVERIFY2(!fact->estimate || !fact->note.empty(), gpu.id.c_str());
            }
        }
    }

    void bytesPerParameterOfTheRecipes_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("bytes"); // weights + gradients + master + two Adam states
        QTest::newRow("fp32") << "fp32" << 16.0;
        QTest::newRow("mixed-fp16") << "mixed-fp16" << 16.0; // Rajbhandari et al. 2020
        QTest::newRow("mixed-bf16") << "mixed-bf16" << 16.0;
        QTest::newRow("megatron-bf16") << "megatron-bf16" << 18.0; // Megatron-LM distributed optimizer
        QTest::newRow("fsdp-bf16") << "fsdp-bf16" << 16.0;
        QTest::newRow("autocast-bf16") << "autocast-bf16" << 16.0;
        QTest::newRow("pure-bf16") << "pure-bf16" << 8.0;
    }
    void bytesPerParameterOfTheRecipes() {
        QFETCH(QString, id);
        QFETCH(double, bytes);
        const Recipe *recipe = catalog().recipe(id.toStdString());
        const Optimizer *adamw = catalog().optimizer("adamw");
        QVERIFY(recipe != nullptr && adamw != nullptr);
        QCOMPARE(recipe->weightBytes.value + recipe->gradientBytes.value + recipe->masterBytes.value +
                     recipe->stateBytes.value * adamw->statesPerParameter.value,
                 bytes);
    }

    void trueBitsOfTheFormats_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("linear");
        QTest::addColumn<double>("other");
        QTest::newRow("int4") << "int4" << 4.0 << 4.0;
        QTest::newRow("nf4") << "nf4" << 4.5 << 16.0;         // Dettmers et al. 2023: 0.5 bits of constants
        QTest::newRow("nf4-dq") << "nf4-dq" << 4.127 << 16.0; // 0.127 bits after double quantization
        QTest::newRow("mxfp4") << "mxfp4" << 4.25 << 16.0;    // OCP MX v1.0
        QTest::newRow("nvfp4") << "nvfp4" << 4.5 << 16.0;
        QTest::newRow("int4-g128") << "int4-g128" << 4.15625 << 16.0;
        QTest::newRow("q8_0") << "q8_0" << 8.5 << 8.5;
        QTest::newRow("q6_k") << "q6_k" << 6.5625 << 6.5625;
    }
    void trueBitsOfTheFormats() {
        QFETCH(QString, id);
        QFETCH(double, linear);
        QFETCH(double, other);
        const StorageFormat *format = catalog().format(id.toStdString());
        QVERIFY(format != nullptr);
        QVERIFY(qAbs(format->bitsPerLinearWeight.value - linear) < 0.0005);
        QCOMPARE(format->bitsPerOtherWeight.value, other);
        QVERIFY(!format->bitsPerLinearWeight.source.empty());
    }

    void mixesHaveTheBitsOfTheirTypes() {
        const StorageFormat *q4 = catalog().format("q4_k_m");
        QVERIFY(q4->mix && q4->mix->rules.size() == 6);
        QCOMPARE(catalog().blockTypes.at(static_cast<std::size_t>(q4->mix->base)).id, std::string("q4_k"));
        QCOMPARE(q4->bitsPerLinearWeight.value, 4.5);
        QCOMPARE(q4->bitsPerOtherWeight.value, 6.5625);
        for (const BlockType &type : catalog().blockTypes) {
            QVERIFY2(type.weightsPerBlock == 1 || type.fallback >= 0, type.id.c_str());
        }
    }

    void presetsHaveTheirPublishedParameterCount_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("parameters"); // sums of the published checkpoints' headers, tied embeddings once
        QTest::newRow("gpt2") << "gpt2" << 124439808.0;
        QTest::newRow("gpt2-xl") << "gpt2-xl" << 1557611200.0;
        QTest::newRow("opt-175b") << "opt-175b" << 174604468224.0;
        QTest::newRow("llama-2-7b") << "llama-2-7b" << 6738415616.0;
        QTest::newRow("llama-2-13b") << "llama-2-13b" << 13015864320.0;
        QTest::newRow("llama-2-70b") << "llama-2-70b" << 68976648192.0;
        QTest::newRow("llama-3-8b") << "llama-3-8b" << 8030261248.0;
        QTest::newRow("llama-3-70b") << "llama-3-70b" << 70553706496.0;
        QTest::newRow("llama-3.1-405b") << "llama-3.1-405b" << 405853388800.0;
        QTest::newRow("llama-3.2-1b") << "llama-3.2-1b" << 1235814400.0;
        QTest::newRow("llama-3.2-3b") << "llama-3.2-3b" << 3212749824.0;
        QTest::newRow("mistral-7b-v0.1") << "mistral-7b-v0.1" << 7241732096.0;
        QTest::newRow("qwen2.5-0.5b") << "qwen2.5-0.5b" << 494032768.0;
        QTest::newRow("qwen2.5-7b") << "qwen2.5-7b" << 7615616512.0;
        QTest::newRow("qwen3-8b") << "qwen3-8b" << 8190735360.0;
        QTest::newRow("gemma-2b") << "gemma-2b" << 2506172416.0;
        QTest::newRow("gemma-7b") << "gemma-7b" << 8537680896.0;
        QTest::newRow("gemma-2-9b") << "gemma-2-9b" << 9241705984.0;
        QTest::newRow("gemma-2-27b") << "gemma-2-27b" << 27227128320.0;
        QTest::newRow("gemma-3-1b") << "gemma-3-1b" << 999885952.0;
        QTest::newRow("pythia-6.9b") << "pythia-6.9b" << 6857302016.0;
        QTest::newRow("gpt-neox-20b") << "gpt-neox-20b" << 20554567680.0;
        QTest::newRow("phi-4") << "phi-4" << 14659507200.0;
        QTest::newRow("starcoder2-15b") << "starcoder2-15b" << 15957889024.0;
    }
    void presetsHaveTheirPublishedParameterCount() {
        QFETCH(QString, id);
        QFETCH(double, parameters);
        const ModelPreset *model = catalog().model(id.toStdString());
        QVERIFY(model != nullptr);
        QCOMPARE(closedForm(model->shape), parameters);
    }

    void everyPresetStatesTheCountOfItsShape() {
        QVERIFY(catalog().models.size() >= 20);
        for (const ModelPreset &model : catalog().models) {
            const bool isPlain = isPlainDecoder(model.shape);
            const double count = isPlain ? closedForm(model.shape) : countParameters(model.shape).total;
            QVERIFY2(count == model.parameters, model.id.c_str());
            QVERIFY2(!model.source.empty(), model.id.c_str());
        }
        // Korthikanti et al. 2022, table 3, names them by their size.
        QCOMPARE(qRound(catalog().model("megatron-22b")->parameters / 1e9), 22);
        QCOMPARE(qRound(catalog().model("megatron-530b")->parameters / 1e9), 530);
        QCOMPARE(qRound(catalog().model("megatron-1t")->parameters / 1e11), 10);
    }

    void windowsOfGemmaFollowTheirPattern() {
        const TransformerShape &gemma2 = catalog().model("gemma-2-9b")->shape;
        QVERIFY(gemma2.isWindowed(0) && !gemma2.isWindowed(1));
        const TransformerShape &gemma3 = catalog().model("gemma-3-1b")->shape;
        QVERIFY(gemma3.isWindowed(4) && !gemma3.isWindowed(5));
    }

    void aNodeIsOneAndAHalfTimesItsGpus() {
        // Latif et al. 2024: an 8x H100 node draws at most 8.48 kW; published nodes are 1.5 to 1.8 times their GPUs.
        const double gpus = 8 * catalog().gpu("nvidia-h100-sxm")->boardWatts.value;
        const double node = gpus + catalog().economicsPreset("colocation")->hostWattsPerNode.value;
        QCOMPARE(node, 8480.0);
        QVERIFY(node / gpus >= 1.5 && node / gpus <= 1.8);
    }

    void everyDefaultAndQuantityExplainsItself() {
        for (const ScenarioDefault &item : catalog().defaults) {
            QVERIFY2(!item.help.empty() && !item.json.empty(), item.key.c_str());
        }
        QCOMPARE(catalog().scenarioDefault("training.micro_batch")->json, std::string("1"));
        QCOMPARE(catalog().scenarioDefault("parallelism.sharding")->json, std::string("\"none\""));
        for (const QuantityInfo &info : catalog().quantities) {
            QVERIFY2(!info.label.empty() && text(info.help).endsWith(u'.'), info.key.c_str());
        }
        QCOMPARE(catalog().quantity("optimizer_states_bytes")->label, std::string("Optimizer states"));
        QVERIFY(catalog().quantity("no_such_key") == nullptr);
    }

    void computeFormatsGoBothWays() {
        for (std::size_t i = 0; i < computeFormatCount; ++i) {
            const auto format = static_cast<ComputeFormat>(i);
            QCOMPARE(computeFormatFromId(idOf(format)), std::optional(format));
        }
        QVERIFY(!computeFormatFromId("fp12"));
    }
};

QTEST_APPLESS_MAIN(CatalogTest)
#include "tst_catalog.moc"
