// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of a whole report over random valid scenarios: parts sum to totals, nothing is infinite, the worked sum is the
// number.
#include "core/report/explain_report.h"
#include "core/report/paths.h"
#include "core/search/advice.h"

#include "tests/core/random_scenarios.h"

#include <QTest>

#include <map>

using namespace ridgepoint;
using namespace ridgepoint::testing;
using nlohmann::json;

namespace {

/// Collects every number of a report by path.
struct Numbers {
    std::map<std::string, double> values;
    template <class N>
    void number(const std::string &path, std::string_view, const N &value) {
        values[path] = valueOf(value);
    }
    void count(const std::string &path, std::string_view, double value) { values[path] = value; }
    void text(const std::string &, std::string_view, std::string_view) {}
    void flag(const std::string &, std::string_view, bool) {}
    void null(const std::string &, std::string_view) {}
};

template <class N>
std::map<std::string, double> numbersOf(const GpuReport<N> &report) {
    Numbers numbers;
    PathVisitor<Numbers> visitor(numbers);
    visitReport(report, visitor);
    return numbers.values;
}

} // namespace

class ReportLaws : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsSumToTotalsAndNothingIsInfinite();
    void theWorkedSumIsTheNumber();
    void shardedStatesNeverGrowWithTheDataDegree();
    void oneGpuCommunicatesNothing();
    void everyAdviceFitsAndKeepsItsWord();
    void aServerThatAsksForTooManySequencesIsToldHowManyFit();
    void aJobOfSeveralGpusNeedsALink();
    void anUnknownQuantityNamesTheNearest();
};

void ReportLaws::partsSumToTotalsAndNothingIsInfinite() {
    std::mt19937 random(20261201);
    for (int i = 0; i < roundsOf(800); ++i) {
        const Scenario s = randomValid(random);
        const GpuReport<double> report = evaluate<double>(s, catalog()).gpus.at(0);
        for (const auto &[path, value] : numbersOf(report)) {
            QVERIFY2(std::isfinite(value), qPrintable(QString::fromStdString(path + " of " + writeScenario(s))));
            QVERIFY2(value >= 0 || path == "memory.headroom_bytes" || path.starts_with("cost.capital"), path.c_str());
        }
        for (const StageMemory<double> &stage : report.memory.stages) {
            double sum = 0;
            for (const double component : stage.components) {
                sum += component;
            }
            QCOMPARE(stage.allocatedBytes, sum);
            QCOMPARE(stage.totalBytes, sum + stage.fragmentationBytes + stage.contextBytes);
            QVERIFY(stage.totalBytes <= report.memory.worst().totalBytes);
        }
        const TimeBreakdown<double> &b = report.time.breakdown;
        const double parts = b.computeSeconds + b.memorySeconds + b.communicationSeconds + b.bubbleSeconds +
                             b.launchSeconds + b.optimizerSeconds + b.inputSeconds;
        QVERIFY(qAbs(parts / b.totalSeconds - 1) < 1e-12);
        for (const OperationReport<double> &op : report.roofline.operations) {
            if (op.attainableFlopsPerSecond) {
                QVERIFY2(op.flops / op.timeSeconds <= *op.attainableFlopsPerSecond * (1 + 1e-12), op.name.data());
            }
        }
    }
}

void ReportLaws::theWorkedSumIsTheNumber() {
    std::mt19937 random(7);
    for (int i = 0; i < 40; ++i) {
        const Scenario s = randomValid(random);
        const Gpu &gpu = *catalog().gpu(s.hardware.gpus.front().base);
        const auto plain = numbersOf(evaluateGpu<double>(s, gpu, catalog()));
        const auto traced = numbersOf(evaluateGpu<Traced>(s, gpu, catalog()));
        QCOMPARE(traced.size(), plain.size());
        for (const auto &[path, value] : plain) {
            QVERIFY2(traced.at(path) == value, path.c_str());
        }
    }
    const Scenario s = scenario(sevenBillion());
    const auto step = explainQuantity(s, catalog(), {}, "memory.optimizer_states_bytes");
    QVERIFY(step);
    QCOMPARE(step->value, 56e9);
    QVERIFY2(step->words.find("optimizer states per parameter") != std::string::npos, step->words.c_str());
    QVERIFY(renderText(*step).find("Loshchilov") != std::string::npos); // its source
}

void ReportLaws::shardedStatesNeverGrowWithTheDataDegree() {
    for (const char *sharding : {"none", "optimizer", "gradients", "parameters"}) {
        double before = 0;
        for (const int data : {1, 2, 4, 8, 16, 64}) {
            json s = sevenBillion();
            s["parallelism"] = {{"data", data}, {"sharding", sharding}};
            s["hardware"]["network_gbit_per_s"] = 400;
            const double states = reportOf(s).memory.worst().modelStatesBytes;
            QVERIFY(before == 0 || states <= before);
            before = states;
        }
    }
}

void ReportLaws::oneGpuCommunicatesNothing() {
    const auto report = reportOf(sevenBillion());
    QCOMPARE(report.time.breakdown.communicationSeconds, 0.0);
    QCOMPARE(report.time.breakdown.bubbleSeconds, 0.0);
}

void ReportLaws::everyAdviceFitsAndKeepsItsWord() {
    json base = sevenBillion();
    base["parallelism"] = {{"data", 8}};
    const Scenario s = scenario(base);
    Report<double> report = evaluate<double>(s, catalog());
    addAdvice(report, s, catalog());
    QVERIFY(!report.gpus[0].fits);
    QVERIFY(report.gpus[0].advice.size() >= 3);
    double ratio = 0;
    for (const Advice &advice : report.gpus[0].advice) {
        QVERIFY(advice.stepRatio >= ratio); // cheapest first
        ratio = advice.stepRatio;
        json changed = base;
        changed[json::json_pointer("/" + std::string(advice.path).replace(advice.path.find('.'), 1, "/"))] = advice.to;
        const auto after = reportOf(changed);
        QVERIFY2(after.fits, advice.change.c_str());
        QCOMPARE(after.memory.worst().totalBytes, advice.totalBytes);
    }
}

void ReportLaws::aServerThatAsksForTooManySequencesIsToldHowManyFit() {
    const json base = {{"model", {{"preset", "llama-3-70b"}}},
                       {"task", "inference"},
                       {"inference", {{"weights", "int4-g128"}, {"concurrent_sequences", 200}}},
                       {"hardware", {{"gpus", {"nvidia-h100-sxm"}}}}};
    const Scenario s = scenario(base);
    Report<double> report = evaluate<double>(s, catalog());
    addAdvice(report, s, catalog());
    const auto &advice = report.gpus[0].advice;
    const auto fewer = std::find_if(advice.begin(), advice.end(),
                                    [](const Advice &each) { return each.path == "inference.concurrent_sequences"; });
    QVERIFY(fewer != advice.end());
    QCOMPARE(std::stod(fewer->to), *report.gpus[0].memory.maxConcurrentSequences);
    QVERIFY(fewer->stepRatio > 1); // fewer at a time: each token costs more
}

void ReportLaws::aJobOfSeveralGpusNeedsALink() {
    CatalogResult result = builtInCatalog();
    addUserFile(result, "mine.json",
                R"({"gpus": [{"id": "acme-one", "name": "Acme One", "architecture": "hopper", "memory_bytes": 100e9,
        "bandwidth_bytes_per_s": 4e12, "board_w": 500, "peak_bf16_flops_per_s": 1e15}]})");
    Scenario s = defaultScenario(result.catalog);
    s.hardware.gpus.front().id = s.hardware.gpus.front().base = "acme-one";
    QVERIFY(checkScenario(s, result.catalog).empty());
    s.parallelism.data = 8;
    const Problems problems = checkScenario(s, result.catalog);
    QCOMPARE(problems.size(), std::size_t{1});
    QVERIFY(problems.front().message().find("link_bytes_per_s") != std::string::npos);
}

void ReportLaws::anUnknownQuantityNamesTheNearest() {
    const auto step = explainQuantity(scenario(sevenBillion()), catalog(), {}, "memory.totel_bytes");
    QVERIFY(!step);
    QVERIFY(step.error().front().allowed.find("memory.total_bytes") != std::string::npos);
}

QTEST_APPLESS_MAIN(ReportLaws)
#include "tst_report.moc"
