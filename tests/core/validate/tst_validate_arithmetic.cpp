// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of a validation on figures that were worked out by hand, and the refusals of its files.
#include "core/validate/bounds.h"
#include "core/validate/validate.h"
#include "core/validate/validation_text.h"

#include "tests/core/scenario_text.h"
#include "tests/core/validate/measured_file.h"

#include <QtTest>

#include <cmath>

using namespace ridgepoint;
using test::measuredFile;
using test::someMemory;

namespace {

Comparison off(const std::string &source, double error, const std::string &kind = "memory") {
    static int next = 0;
    Comparison comparison;
    comparison.caseId = "case-" + std::to_string(++next);
    comparison.source = source;
    comparison.measured.key = "memory";
    comparison.measured.kind = kind;
    comparison.measured.quantity = "memory.allocated_bytes";
    comparison.measured.value = 1e9;
    comparison.predicted = 1e9 * (1 + error);
    comparison.error = error;
    return comparison;
}

Comparison refused(const std::string &source) {
    Comparison comparison = off(source, -1);
    comparison.predicted.reset();
    comparison.problems = {{"training.lora", "an object", "null"}};
    return comparison;
}

bool isNear(double a, double b) {
    return std::abs(a - b) < 1e-12;
}

Expected<MeasuredSet> read(const std::string &text) {
    return readMeasured(std::array{std::string_view(text)});
}

} // namespace

class TestValidateArithmetic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSourceHasItsMedianNinetiethPercentileAndBias() {
        const ValidationResult result =
            summarize({off("lab", 0.10), off("lab", -0.02), off("lab", 0.04), off("lab", -0.30)});
        QCOMPARE(result.sources.size(), std::size_t{1});
        const SourceSummary &lab = result.sources[0];
        QCOMPARE(lab.count, std::size_t{4});
        QVERIFY(isNear(lab.medianAbsoluteError, 0.07)); // of 0.02 0.04 0.10 0.30
        QVERIFY(isNear(lab.p90AbsoluteError, 0.10));    // rank floor(0.9 x 3) = 2
        QVERIFY(isNear(lab.widestAbsoluteError, 0.30));
        QVERIFY(isNear(lab.medianError, 0.01)); // of -0.30 -0.02 0.04 0.10
    }

    void theNinetiethPercentileOfElevenIsTheTenth() {
        std::vector<Comparison> comparisons;
        for (int i = 1; i <= 11; ++i) {
            comparisons.push_back(off("lab", i / 100.0));
        }
        QVERIFY(isNear(summarize(comparisons).sources[0].p90AbsoluteError, 0.10));
    }

    void aSourceOfFewerThanFiveCasesWeighsAFifthOfTheirNumber() {
        std::vector<Comparison> comparisons{off("small", 0.50)};
        for (int i = 0; i < 40; ++i) {
            comparisons.push_back(off("large", 0.02));
        }
        const KindSummary kind = summarize(comparisons).kinds.at(0);
        QVERIFY(isNear(kind.meanOfSourceMedians, (0.2 * 0.50 + 1 * 0.02) / 1.2)); // 10 %
        QVERIFY(isNear(kind.medianAbsoluteError, 0.02));
        QCOMPARE(kind.sources, std::size_t{2});
        QCOMPARE(kind.count, std::size_t{41});
    }

    void aRefusedCaseIsAFullMiss() {
        const ValidationResult result = summarize({off("lab", 0.02), refused("lab"), off("lab", 0.04)});
        QCOMPARE(result.sources[0].refused, std::size_t{1});
        QCOMPARE(result.sources[0].widestAbsoluteError, 1.0);
        QVERIFY(isNear(result.sources[0].medianAbsoluteError, 0.04));
        QVERIFY(isNear(result.sources[0].medianError, 0.02));
    }

    void kindsAndSourcesKeepTheirOrder() {
        const ValidationResult result =
            summarize({off("b", 0.1, "gpu_w"), off("b", 0.1), off("a", 0.1, "speed"), off("a", 0.1)});
        QStringList order;
        for (const SourceSummary &source : result.sources) {
            order << QString::fromStdString(source.kind + " " + source.source);
        }
        QCOMPARE(order, QStringList({"memory a", "memory b", "speed a", "gpu_w b"}));
    }

    void aCaseAddsToTheScenarioOfItsSource() {
        const auto set =
            read(measuredFile(someMemory, R"({"training": {"framework": "deepspeed"}, "parallelism": {"data": 8}})"));
        QVERIFY2(set.has_value(), set ? "" : test::lines(set.error()).c_str());
        const auto scenario = nlohmann::json::parse(set->cases.at(0).scenario);
        QVERIFY(scenario["training"] ==
                nlohmann::json::parse(R"({"framework": "deepspeed", "global_batch": 8, "sequence_length": 2048})"));
        QVERIFY(scenario["parallelism"] == nlohmann::json::parse(R"({"data": 8})"));
        QVERIFY(scenario["model"]["layers"] == 2);
        QVERIFY(scenario["name"] == "one");
        QCOMPARE(set->cases[0].url, std::string("https://example.org"));
    }

    void uncertaintyOfTheReadingDecidesTheKind() {
        const auto kindOf = [](const std::string &measured, const std::string &more = "") {
            const auto set = read(measuredFile(measured, "{}", more));
            return set ? set->cases.at(0).measurements.at(0).kind : test::lines(set.error());
        };
        const std::string memory = R"({"memory": {"key": "total_bytes", "stage": "max", "bytes": 5, "uncertainty": )";
        QCOMPARE(kindOf(memory + "0.03}}"), std::string("memory"));
        QCOMPARE(kindOf(memory + "0.031}}"), std::string("memory-loose"));
        QCOMPARE(kindOf(R"({"step_s": 2})", R"(, "speed_uncertainty": 0.1)"), std::string("speed"));
        QCOMPARE(kindOf(R"({"step_s": 2})", R"(, "speed_uncertainty": 0.3)"), std::string("speed-loose"));
        QCOMPARE(kindOf(R"({"decode_tokens_per_s_total": 2})"), std::string("decode"));
    }

    void aShorterStepIsAPositiveError() {
        const Catalog catalog = builtInCatalog().catalog;
        const std::string scenario = R"({"parallelism": {"data": 8}})";
        const auto error = [&](const std::string &measured) {
            const auto set = read(measuredFile(measured, scenario));
            return set ? validate(*set, catalog).comparisons.at(0) : Comparison{};
        };
        const Comparison step = error(R"({"step_s": 1000})");
        QVERIFY(step.predicted && *step.predicted < 1000);
        QVERIFY(isNear(step.error, 1000 / *step.predicted - 1));
        const Comparison rate = error(R"({"tokens_per_s_per_gpu": 10})");
        QVERIFY(rate.predicted && isNear(rate.error, *rate.predicted / 10 - 1));
    }

    void everyMistakeOfAFileIsNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *name, const std::string &text, const char *field) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(field);
        };
        row("no JSON", "{", "byte");
        row("unknown quantity", measuredFile(R"({"speed": 3})"), "cases[0].measured.speed");
        row("nothing measured", measuredFile("{}"), "cases[0].measured");
        row("negative", measuredFile(R"({"step_s": -3})"), "cases[0].measured.step_s");
        row("unknown stage",
            measuredFile(R"({"memory": {"key": "total_bytes", "stage": "second", "bytes": 5, "uncertainty": 0.01}})"),
            "cases[0].measured.memory.stage");
        row("no sources", R"({"models": {}, "cases": []})", "sources");
        row("unknown source", R"({"sources": [], "models": {}, "cases": [{"id": "a", "source": "b", "quality": "A",
            "model": "c", "scenario": {}, "measured": {"step_s": 1}}]})",
            "cases[0].source");
    }
    void everyMistakeOfAFileIsNamed() {
        QFETCH(QString, text);
        QFETCH(QString, field);
        const auto set = read(text.toStdString());
        QVERIFY(!set.has_value());
        QVERIFY2(QString::fromStdString(test::lines(set.error())).contains(field), test::lines(set.error()).c_str());
    }

    void aBrokenBoundIsSaidAndAKeptOneIsNot() {
        const ValidationResult result = summarize({off("lab", 0.02), off("lab", 0.03), off("lab", 0.10)});
        ErrorBounds bounds{{"memory"}, {{"lab", "memory", 0.03, 0.03, 0.10 + 1e-9, ""}}};
        QVERIFY(brokenBounds(result, bounds).empty());
        bounds.bounds[0].median = 0.029;
        QCOMPARE(brokenBounds(result, bounds).size(), std::size_t{1});
        bounds.bounds[0].bias = 0.029;
        QCOMPARE(brokenBounds(result, bounds).size(), std::size_t{2});
        bounds.bounds[0].widest = 0.099;
        QCOMPARE(brokenBounds(result, bounds).size(), std::size_t{3});
        bounds.bounds[0].reason = "The counter of the source is not stated.";
        QVERIFY(brokenBounds(result, bounds).empty());
    }

    void aSourceNeedsABoundOrAReason() {
        const ValidationResult result = summarize({off("lab", 0.02)});
        QCOMPARE(brokenBounds(result, ErrorBounds{{"memory"}, {}}).size(), std::size_t{1});
        QVERIFY(brokenBounds(result, ErrorBounds{{"speed"}, {}}).empty()); // a kind that nobody has bounded yet
        const ErrorBounds stale{{}, {{"elsewhere", "memory", 1, 1, 1, ""}}};
        QCOMPARE(brokenBounds(result, stale).size(), std::size_t{1});
    }

    void renewedBoundsHoldAndKeepTheirReasons() {
        const ValidationResult result =
            summarize({off("a", 0.02), off("b", -0.5), off("b", 0.1), off("c", 9, "speed")});
        const ErrorBounds old{{"memory"}, {{"b", "memory", 0, 0, 0, "The counter is not stated."}}};
        const auto renewed = readBounds(boundsFile(result, old));
        QVERIFY2(renewed.has_value(), renewed ? "" : test::lines(renewed.error()).c_str());
        QCOMPARE(renewed->bounds.size(), std::size_t{2});
        QVERIFY(brokenBounds(result, *renewed).empty());
        QCOMPARE(renewed->find("b", "memory")->reason, std::string("The counter is not stated."));
        QVERIFY(isNear(renewed->find("a", "memory")->median, 0.024)); // 0.02 x 1.05 + 0.0025, rounded up
    }

    void aRefusedCaseIsShownWithItsProblem() {
        const ValidationResult result = summarize({refused("lab")});
        const auto json = validationJson(result, {}, {});
        QVERIFY(json["cases"][0]["predicted"].is_null());
        QVERIFY(json["cases"][0]["error"] == -1);
        QVERIFY(json["cases"][0]["problems"][0]["field"] == "training.lora");
        QVERIFY(json["totals"]["refused"] == 1);
        const MeasuredSet set{{{"lab", "A lab", "https://example.org", {}}}, {}};
        QVERIFY(validationMarkdown(result, set, {}).find("training.lora") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestValidateArithmetic)
#include "tst_validate_arithmetic.moc"
