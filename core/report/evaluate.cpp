// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// evaluate(): a scenario goes in, a report comes out.
#include "core/economics/economics.h"
#include "core/memory/host_split.h"
#include "core/memory/memory.h"
#include "core/model/parameters.h"
#include "core/report/assumptions.h"
#include "core/report/prediction_bands.h"
#include "core/report/report.h"
#include "core/scenario/checks.h"

namespace ridgepoint {

template <Number N>
GpuReport<N> evaluateGpu(const Scenario &scenario, const Gpu &gpu, const Catalog &catalog,
                         const EvaluateOptions &options) {
    const Setting setting = resolve(scenario, gpu, catalog);
    GpuReport<N> report;
    report.gpu = gpu.id;
    report.gpuName = gpu.name;
    report.gpuShortName = gpu.shortName;
    report.task = scenario.task;
    report.memory = evaluateMemory<N>(setting);
    report.fits = fits(report.memory);
    addMemoryBand(setting, report);
    // An encoder alone generates nothing: there is no token to time.
    report.hasPerformance = !splitsWithHost(setting) && (setting.isTraining() || setting.shape.causal);
    if (!report.hasPerformance) {
        return report;
    }
    PerformanceReport<N> performance = evaluatePerformance<N>(setting, options);
    report.power = evaluatePower(setting, performance);
    report.cost = evaluateCost(setting, performance, report.power);
    report.roofline = std::move(performance.roofline);
    report.time = performance.time;
    addPerformanceBands(setting, report);
    return report;
}

template <Number N>
Report<N> evaluate(const Scenario &scenario, const Catalog &catalog, const EvaluateOptions &options) {
    Report<N> report;
    report.scenario = scenario.name;
    report.task = scenario.task;
    report.model = describeModel(scenario);
    report.assumptions = assumptionsOf(scenario, catalog);
    report.gpus.reserve(scenario.hardware.gpus.size());
    for (const GpuChoice &choice : scenario.hardware.gpus) {
        // A plain choice is read in place: copying a GPU with all its sources costs more than evaluating it.
        if (const Gpu *plain = choice.isDerived() ? nullptr : catalog.gpu(choice.base)) {
            report.gpus.push_back(evaluateGpu<N>(scenario, *plain, catalog, options));
        } else if (const std::optional<Gpu> derived = resolveGpu(choice, catalog)) {
            report.gpus.push_back(evaluateGpu<N>(scenario, *derived, catalog, options));
        }
    }
    return report;
}

ModelReport describeModel(const Scenario &scenario) {
    ModelReport model;
    model.shape = scenario.model.shape;
    if (model.shape.positions == Positions::Learned && !model.shape.maxPositions) {
        model.shape.maxPositions = learnedPositions(scenario);
    }
    model.name = scenario.model.source == ModelChoice::Source::Explicit ? "explicit" : scenario.model.reference;
    const ParameterCount count = countParameters(model.shape);
    model.parametersTotal = count.total;
    model.parametersActive = count.active;
    return model;
}

template GpuReport<double> evaluateGpu(const Scenario &, const Gpu &, const Catalog &, const EvaluateOptions &);
template GpuReport<Traced> evaluateGpu(const Scenario &, const Gpu &, const Catalog &, const EvaluateOptions &);
template Report<double> evaluate(const Scenario &, const Catalog &, const EvaluateOptions &);
template Report<Traced> evaluate(const Scenario &, const Catalog &, const EvaluateOptions &);

} // namespace ridgepoint
