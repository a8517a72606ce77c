// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long one evaluation takes: as double, traced, and of the whole default scenario with advice.
#include "core/report/explain_report.h"
#include "core/scenario/checks.h"
#include "core/scenario/file.h"
#include "core/search/advice.h"

#include <benchmark/benchmark.h>

namespace {

using namespace ridgepoint;

const Catalog &catalog() {
    static const Catalog instance = builtInCatalog().catalog;
    return instance;
}

Scenario sharded() {
    Scenario scenario = defaultScenario(catalog());
    scenario.parallelism.data = 8;
    scenario.parallelism.sharding = Sharding::Parameters;
    scenario.training.globalBatch = 64;
    return scenario;
}

Scenario serving() {
    Scenario scenario = defaultScenario(catalog());
    scenario.task = Task::Inference;
    scenario.inference.concurrentSequences = 16;
    return scenario;
}

void evaluation(benchmark::State &state, const Scenario &scenario) {
    const Gpu &gpu = *catalog().gpu("nvidia-h100-sxm");
    for (auto _ : state) {
        benchmark::DoNotOptimize(evaluateGpu<double>(scenario, gpu, catalog()));
    }
}

void training(benchmark::State &state) {
    evaluation(state, sharded());
}
BENCHMARK(training)->Unit(benchmark::kMicrosecond);

void inference(benchmark::State &state) {
    evaluation(state, serving());
}
BENCHMARK(inference)->Unit(benchmark::kMicrosecond);

void inferenceOfAMix(benchmark::State &state) {
    Scenario scenario = serving();
    scenario.model.shape = catalog().model("llama-3-70b")->shape;
    scenario.inference.weights = "q4_k_m";
    scenario.inference.engine = "llama.cpp";
    evaluation(state, scenario);
}
BENCHMARK(inferenceOfAMix)->Unit(benchmark::kMicrosecond);

void pipelineOfEight(benchmark::State &state) {
    Scenario scenario = sharded();
    scenario.parallelism.data = 1;
    scenario.parallelism.pipeline = 8;
    scenario.parallelism.sharding = Sharding::None;
    evaluation(state, scenario);
}
BENCHMARK(pipelineOfEight)->Unit(benchmark::kMicrosecond);

void traced(benchmark::State &state) {
    const Scenario scenario = sharded();
    const Gpu &gpu = *catalog().gpu("nvidia-h100-sxm");
    for (auto _ : state) {
        benchmark::DoNotOptimize(evaluateGpu<Traced>(scenario, gpu, catalog()));
    }
}
BENCHMARK(traced)->Unit(benchmark::kMicrosecond);

void wholeReportWithAdvice(benchmark::State &state) {
    Scenario scenario = defaultScenario(catalog());
    scenario.parallelism.data = 8;
    for (auto _ : state) {
        Report<double> report = evaluate<double>(scenario, catalog());
        addAdvice(report, scenario, catalog());
        benchmark::DoNotOptimize(report);
    }
}
BENCHMARK(wholeReportWithAdvice)->Unit(benchmark::kMicrosecond);

void check(benchmark::State &state) {
    const Scenario scenario = sharded();
    for (auto _ : state) {
        benchmark::DoNotOptimize(checkScenario(scenario, catalog()));
    }
}
BENCHMARK(check)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
