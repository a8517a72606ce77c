// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the rules between the fields of a scenario: what is refused, and that the values named as working do work.
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

#include <QtTest>

#include <ctime>
#include <functional>
#include <limits>

using namespace ridgepoint;

using Edit = std::function<void(Scenario &)>;
Q_DECLARE_METATYPE(Edit)

namespace {

QByteArray lines(const Problems &problems) {
    std::string text;
    for (const Problem &problem : problems) {
        text += problem.message() + "\n";
    }
    return QByteArray::fromStdString(text);
}

GpuChoice plain(const std::string &id) {
    return {id, id, {}, {}, {}, {}, {}, {}};
}

} // namespace

class TestScenarioChecks : public QObject {
    Q_OBJECT

private:
    Catalog catalog_ = builtInCatalog().catalog;

    Scenario edited(const Edit &edit) const {
        Scenario s = defaultScenario(catalog_);
        s.hardware.gpus = {plain("nvidia-a100-sxm-80gb")};
        edit(s);
        return s;
    }

private Q_SLOTS:
    void brokenRulesNameWhatWorks_data() {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char *name, const Edit &edit, const QByteArray &message) {
            QTest::newRow(name) << edit << message + "\n";
        };
        const QByteArray idle = QByteArray::number(catalog_.gpu("nvidia-a100-sxm-80gb")->idleWatts.value);
        row(
            "tensor 3 of 32 heads",
            [](Scenario &s) {
                s.parallelism.tensor = 3;
                s.training.sequenceLength = 4098;
            },
            "parallelism.tensor: found 3, allowed a divisor of 32 heads and a divisor of ffn 11008 and a divisor or "
            "multiple of 32 "
            "kv_heads: 1, 2, 4, 8, 16, 32");
        row(
            "tensor against ffn",
            [](Scenario &s) {
                s.parallelism.tensor = 4;
                s.model.shape.ffn = 11010;
            },
            "parallelism.tensor: found 4, allowed a divisor of ffn 11010: 1, 2");
        row(
            "tensor against kv heads",
            [](Scenario &s) {
                s.model.shape.heads = 24;
                s.model.shape.kvHeads = 6;
                s.model.shape.ffn = 24000;
                s.parallelism.tensor = 4;
            },
            "parallelism.tensor: found 4, allowed a divisor or multiple of 6 kv_heads: 1, 2, 3, 6, 12, 24");
        row(
            "kv heads", [](Scenario &s) { s.model.shape.kvHeads = 5; },
            "model.kv_heads: found 5, allowed a divisor of 32 heads: 1, 2, 4, 8, 16, 32");
        row(
            "window without a length", [](Scenario &s) { s.model.shape.attentionWindowEvery = 6; },
            "model.attention_window_every: found 6, allowed nothing without attention_window");
        row(
            "pipeline above layers",
            [](Scenario &s) {
                s.parallelism.pipeline = 33;
                s.hardware.gpusPerNode = 33;
            },
            "parallelism.pipeline: found 33, allowed at most 32, a layer for each stage");
        row(
            "stages do not match",
            [](Scenario &s) {
                s.parallelism.pipeline = 4;
                s.parallelism.layersPerStage = {10, 10, 11};
            },
            "parallelism.layers_per_stage: found 3 entries, allowed 4, one for each pipeline stage\n"
            "parallelism.layers_per_stage: found 31 layers in all, allowed the 32 layers of the model");
        row(
            "more than a node without network",
            [](Scenario &s) {
                s.parallelism.data = 4;
                s.parallelism.tensor = 2;
                s.parallelism.pipeline = 2;
                s.hardware.networkGbitPerSecond = std::nullopt;
            },
            "hardware.network_gbit_per_s: found null, allowed the rate of a node's network, since 16 GPUs (data 4 x "
            "tensor 2 x "
            "pipeline 2) are more than the 8 of one node");
        row(
            "half a node",
            [](Scenario &s) {
                s.parallelism.data = 12;
                s.hardware.networkGbitPerSecond = 1600;
            },
            "parallelism.data: found 12 GPUs (data 12 x tensor 1 x pipeline 1), allowed full nodes of 8 GPUs: 8 or 16");
        row(
            "degrees without end",
            [](Scenario &s) {
                s.parallelism.data = 1000000;
                s.parallelism.tensor = 32;
                s.parallelism.pipeline = 32;
                s.hardware.networkGbitPerSecond = 1600;
            },
            "parallelism.data: found 1024000000 GPUs (data 1000000 x tensor 32 x pipeline 32), allowed at most "
            "1000000000 GPUs");
        row(
            "global batch",
            [](Scenario &s) {
                s.training.globalBatch = 61;
                s.training.microBatch = 2;
                s.parallelism.data = 4;
            },
            "training.global_batch: found 61, allowed a multiple of micro_batch 2 x data 4: 56 or 64");
        row(
            "global batch below one step",
            [](Scenario &s) {
                s.training.globalBatch = 3;
                s.parallelism.data = 8;
            },
            "training.global_batch: found 3, allowed a multiple of micro_batch 1 x data 8: 8");
        row(
            "sequence parallelism",
            [](Scenario &s) {
                s.parallelism.tensor = 8;
                s.training.sequenceLength = 4095;
            },
            "training.sequence_length: found 4095, allowed a multiple of tensor 8 under sequence parallelism: 4088 or "
            "4096");
        row(
            "learned positions, training",
            [](Scenario &s) {
                s.model.shape.positions = Positions::Learned;
                s.model.shape.maxPositions = 1024;
            },
            "training.sequence_length: found 4096, allowed at most 1024, the rows of the learned position table");
        row(
            "learned positions, inference",
            [](Scenario &s) {
                s.task = Task::Inference;
                s.inference.promptTokens = 1000;
                s.inference.outputTokens = 100;
                s.model.shape.positions = Positions::Learned;
                s.model.shape.maxPositions = 1024;
            },
            "inference.prompt_tokens: found 1000 with 100 output tokens, 1100 in all, allowed at most 1024, the rows "
            "of the learned "
            "position table");
        row(
            "format that the GPU lacks", [](Scenario &s) { s.training.compute = ComputeFormat::Fp8; },
            "training.compute: found \"fp8\", allowed a format that nvidia-a100-sxm-80gb computes: fp32, tf32, fp16, "
            "bf16");
        row(
            "format of the recipe", [](Scenario &s) { s.hardware.gpus.push_back(plain("nvidia-v100-sxm2-32gb")); },
            "training.compute: found \"bf16\" of the recipe mixed-bf16, allowed a format that nvidia-v100-sxm2-32gb "
            "computes: fp32, "
            "fp16");
        row(
            "power limit above the board", [](Scenario &s) { s.hardware.powerLimitWatts = 1000; },
            QByteArray("hardware.power_limit_w: found 1000, allowed above ") + idle +
                " and at most 400 W for nvidia-a100-sxm-80gb");
        row(
            "no GPU", [](Scenario &s) { s.hardware.gpus.clear(); },
            "hardware.gpus: found 0 GPUs, allowed 1 to 100 GPUs");
        row(
            "unknown GPU", [](Scenario &s) { s.hardware.gpus = {plain("nvidia-a100-sxm-80g")}; },
            "hardware.gpus[0]: found \"nvidia-a100-sxm-80g\", allowed a GPU of the catalogue; did you mean "
            "\"nvidia-a100-sxm-80gb\"?");
        row(
            "board below idle",
            [](Scenario &s) {
                s.hardware.gpus[0].id = "cold";
                s.hardware.gpus[0].boardWatts = 1;
            },
            QByteArray("hardware.gpus[0].board_w: found 1, allowed more than the ") + idle + " W that it draws idle");
        row(
            "changed but not renamed", [](Scenario &s) { s.hardware.gpus[0].memoryBytes = 1e9; },
            "hardware.gpus[0].id: found \"nvidia-a100-sxm-80gb\", allowed a name of its own for the derived GPU: no id "
            "of the "
            "catalogue, 1 to 100 bytes, a letter or digit first, no blanks or hidden characters");
        row(
            "count beside a preset", [](Scenario &s) { s.model.shape.exactParameters = 7e9; },
            "model.parameters: found 7000000000, allowed nothing beside another form of the model");
        row(
            "zeros do not divide",
            [](Scenario &s) {
                s.model.shape.heads = 0;
                s.model.shape.kvHeads = 0;
                s.parallelism.tensor = 0;
                s.hardware.gpusPerNode = 0;
                s.training.microBatch = 0;
            },
            "model.heads: found 0, allowed a whole number of at least 1\n"
            "model.kv_heads: found 0, allowed a whole number of at least 1\n"
            "training.micro_batch: found 0, allowed a whole number of at least 1\n"
            "parallelism.tensor: found 0, allowed a whole number of at least 1\n"
            "hardware.gpus_per_node: found 0, allowed a whole number of at least 1");
        row(
            "not finite",
            [](Scenario &s) {
                s.inference.memoryFraction = std::numeric_limits<double>::quiet_NaN();
                s.economics.usdPerKwh = std::numeric_limits<double>::infinity();
            },
            "inference.memory_fraction: found nan, allowed a number above 0\n"
            "economics.usd_per_kwh: found inf, allowed a number of at most 1000000");
    }
    void brokenRulesNameWhatWorks() {
        QFETCH(Edit, edit);
        QFETCH(QByteArray, message);
        QCOMPARE(lines(checkScenario(edited(edit), catalog_)), message);
    }

    void layoutsThatExistPass_data() {
        QTest::addColumn<Edit>("edit");
        const auto row = [](const char *name, const Edit &edit) { QTest::newRow(name) << edit; };
        row("tensor above kv heads: replicated", [](Scenario &s) {
            s.model.shape.kvHeads = 4;
            s.parallelism.tensor = 8;
        });
        row("a stage without layers", [](Scenario &s) {
            s.parallelism.pipeline = 3;
            s.parallelism.layersPerStage = {16, 16, 0};
        });
        row("two nodes", [](Scenario &s) {
            s.parallelism.data = 16;
            s.hardware.networkGbitPerSecond = 400;
        });
        row("odd sequence without sequence parallelism", [](Scenario &s) {
            s.parallelism.tensor = 8;
            s.parallelism.sequenceParallel = false;
            s.training.sequenceLength = 4095;
        });
        row("batch of another task", [](Scenario &s) {
            s.task = Task::Inference;
            s.training.globalBatch = 3;
            s.parallelism.data = 2;
        });
        row("vocabulary that is padded", [](Scenario &s) {
            s.model.shape.vocabulary = 50257;
            s.parallelism.tensor = 8;
        });
        row("bf16 left open on a GPU without it", [](Scenario &s) {
            s.task = Task::Inference;
            s.hardware.gpus = {plain("nvidia-v100-sxm2-32gb")};
        });
        row("fp8 on a derived GPU with a peak for it", [](Scenario &s) {
            s.training.compute = ComputeFormat::Fp8;
            s.hardware.gpus[0].id = "a100-with-fp8";
            s.hardware.gpus[0].peakFlopsPerSecond[static_cast<std::size_t>(ComputeFormat::Fp8)] = 1e15;
        });
        row("power limit", [](Scenario &s) { s.hardware.powerLimitWatts = 250; });
    }
    void layoutsThatExistPass() {
        QFETCH(Edit, edit);
        QCOMPARE(lines(checkScenario(edited(edit), catalog_)), QByteArray());
    }

    void tensorDegreesNamedAsWorkingWork() {
        Scenario s = defaultScenario(catalog_);
        s.hardware.gpusPerNode = 1000;
        s.parallelism.sequenceParallel = false;
        for (const auto &[heads, kvHeads, ffn] :
             {std::array{32, 8, 14336}, {28, 4, 18944}, {24, 6, 24000}, {7, 1, 70}}) {
            s.model.shape.heads = heads;
            s.model.shape.kvHeads = kvHeads;
            s.model.shape.ffn = ffn;
            s.parallelism.tensor = 999;
            const Problems problems = checkScenario(s, catalog_);
            QCOMPARE(problems.size(), std::size_t{1});
            const std::string &allowed = problems[0].allowed;
            const auto degrees = QByteArray::fromStdString(allowed.substr(allowed.rfind(": ") + 2)).split(',');
            QVERIFY(degrees.size() >= 2);
            for (const QByteArray &degree : degrees) {
                s.parallelism.tensor = degree.trimmed().toInt();
                QVERIFY(s.parallelism.tensor > 0);
                QCOMPARE(lines(checkScenario(s, catalog_)), QByteArray());
            }
        }
    }

    void everyGpuOfTheCatalogueCanBeChosenWithAFormatItHas() {
        for (const Gpu &gpu : catalog_.gpus) {
            Scenario s = defaultScenario(catalog_);
            s.hardware.gpus = {plain(gpu.id)};
            s.training.compute = gpu.peak(ComputeFormat::Bf16) ? ComputeFormat::Bf16 : ComputeFormat::Fp16;
            QCOMPARE(lines(checkScenario(s, catalog_)), QByteArray());
        }
    }

    void aGoodScenarioIsCheckedWithinAFractionOfASliderStep() {
        const Scenario s = defaultScenario(catalog_);
        const std::clock_t start = std::clock(); // of this process: other programs do not count
        for (int i = 0; i < 1000; ++i) {
            QVERIFY(checkScenario(s, catalog_).empty());
        }
        const double microseconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC * 1000;
        qInfo("one check: %.1f us", microseconds);
        QVERIFY(microseconds < 500); // generous, for builds with sanitizers
    }
};

QTEST_APPLESS_MAIN(TestScenarioChecks)
#include "tst_scenario_checks.moc"
