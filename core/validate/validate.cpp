// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates the measured cases and summarizes the errors.
#include "core/validate/validate.h"

#include "core/report/report.h"
#include "core/scenario/file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ridgepoint {

namespace {

using Stage = StageMemory<double>;
using Time = TimeReport<double>;

struct TimeQuantity {
    std::string_view path;
    std::optional<double> Time::*value;
};

constexpr std::array timeQuantities{
    TimeQuantity{"time.tokens_per_s_per_gpu", &Time::tokensPerSecondPerGpu},
    TimeQuantity{"time.step_s", &Time::stepSeconds},
    TimeQuantity{"time.model_flops_per_s_per_gpu", &Time::modelFlopsPerSecondPerGpu},
    TimeQuantity{"time.hardware_flops_per_s_per_gpu", &Time::hardwareFlopsPerSecondPerGpu},
    TimeQuantity{"time.decode_tokens_per_s", &Time::decodeTokensPerSecond},
    TimeQuantity{"time.output_tokens_per_s", &Time::outputTokensPerSecond},
    TimeQuantity{"time.prefill_tokens_per_s", &Time::prefillTokensPerSecond},
    TimeQuantity{"time.time_to_first_token_s", &Time::timeToFirstTokenSeconds},
    TimeQuantity{"time.time_per_output_token_s", &Time::timePerOutputTokenSeconds},
};

double bytesOf(const Stage &stage, std::string_view quantity) {
    return quantity == "memory.allocated_bytes"  ? stage.allocatedBytes
           : quantity == "memory.reserved_bytes" ? stage.reservedBytes
                                                 : stage.totalBytes;
}

double memoryOf(const MemoryReport<double> &memory, const Scenario &scenario, const Measurement &measured) {
    switch (measured.at) {
    case MeasuredAt::FirstStage:
        return bytesOf(memory.stages.front(), measured.quantity);
    case MeasuredAt::LastStage:
        return bytesOf(memory.stages.back(), measured.quantity);
    case MeasuredAt::AllGpus: {
        double bytes = 0;
        for (const Stage &stage : memory.stages) {
            bytes += bytesOf(stage, measured.quantity);
        }
        return bytes * scenario.parallelism.tensor * scenario.parallelism.data;
    }
    case MeasuredAt::WorstStage:
        break;
    }
    return bytesOf(memory.worst(), measured.quantity);
}

std::optional<double> predictionOf(const GpuReport<double> &report, const Scenario &scenario,
                                   const Measurement &measured) {
    if (measured.quantity == "memory.kv_cache_capacity_tokens") {
        return report.memory.kvCacheCapacityTokens;
    }
    if (measured.quantity == "power.gpu_w") {
        return report.power.gpuWatts;
    }
    for (const TimeQuantity &quantity : timeQuantities) {
        if (quantity.path == measured.quantity) {
            return report.time.*quantity.value;
        }
    }
    return memoryOf(report.memory, scenario, measured);
}

Comparison compare(const MeasuredCase &measured, const Measurement &measurement, std::optional<double> predicted) {
    Comparison comparison{measured.id, measured.source, measurement, {}, -1, {}, {}};
    // An infinite or zero time has no error; the report shows none either.
    if (predicted && std::isfinite(*predicted) && (!measurement.isDuration || *predicted > 0)) {
        comparison.predicted = predicted;
        comparison.error =
            (measurement.isDuration ? measurement.value / *predicted : *predicted / measurement.value) - 1;
    } else {
        comparison.problems.push_back({measurement.quantity, "nothing", "a finite prediction of what was measured"});
    }
    return comparison;
}

double median(const std::vector<double> &sorted) {
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double p90(const std::vector<double> &sorted) {
    // Whole numbers, so that the rank is exact: 0.9 (n - 1) rounded down.
    return sorted[9 * (sorted.size() - 1) / 10];
}

/// The errors of one kind, at one source or at all.
struct Errors {
    std::vector<double> signedErrors;
    std::size_t refused = 0;

    void add(const Comparison &comparison) {
        signedErrors.push_back(comparison.error);
        refused += comparison.predicted ? std::size_t{0} : std::size_t{1};
    }
    std::vector<double> sortedSigned() const {
        std::vector<double> sorted = signedErrors;
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }
    std::vector<double> sortedAbsolute() const {
        std::vector<double> sorted = signedErrors;
        for (double &error : sorted) {
            error = std::abs(error);
        }
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }
};

SourceSummary sourceSummary(std::string_view kind, const std::string &source, const Errors &errors) {
    const std::vector<double> absolute = errors.sortedAbsolute();
    SourceSummary summary;
    summary.kind = kind;
    summary.source = source;
    summary.count = absolute.size();
    summary.refused = errors.refused;
    summary.medianAbsoluteError = median(absolute);
    summary.p90AbsoluteError = p90(absolute);
    summary.widestAbsoluteError = absolute.back();
    summary.medianError = median(errors.sortedSigned());
    return summary;
}

KindSummary kindSummary(std::string_view kind, const Errors &errors, std::span<const SourceSummary> sources) {
    constexpr double casesOfFullWeight = 5;
    const std::vector<double> absolute = errors.sortedAbsolute();
    KindSummary summary;
    summary.kind = kind;
    summary.count = absolute.size();
    summary.refused = errors.refused;
    summary.sources = sources.size();
    summary.medianAbsoluteError = median(absolute);
    summary.p90AbsoluteError = p90(absolute);
    double weights = 0;
    for (const SourceSummary &source : sources) {
        const double weight = std::min(1.0, static_cast<double>(source.count) / casesOfFullWeight);
        weights += weight;
        summary.meanOfSourceMedians += weight * source.medianAbsoluteError;
    }
    summary.meanOfSourceMedians /= weights;
    return summary;
}

} // namespace

ValidationResult summarize(std::vector<Comparison> comparisons) {
    ValidationResult result;
    for (const std::string_view kind : measuredKinds()) {
        std::map<std::string, Errors> bySource;
        Errors all;
        for (const Comparison &comparison : comparisons) {
            if (comparison.measured.kind == kind) {
                bySource[comparison.source].add(comparison);
                all.add(comparison);
            }
        }
        if (bySource.empty()) {
            continue;
        }
        const std::size_t first = result.sources.size();
        for (const auto &[source, errors] : bySource) {
            result.sources.push_back(sourceSummary(kind, source, errors));
        }
        result.kinds.push_back(kindSummary(kind, all, std::span(result.sources).subspan(first)));
    }
    result.comparisons = std::move(comparisons);
    return result;
}

ValidationResult validate(const MeasuredSet &set, const Catalog &catalog) {
    const ConfigLoader noFiles = [](const std::string &path) -> Expected<ModelChoice> {
        return tl::make_unexpected(Problems{{"", path, "a shape: measured cases carry their model"}});
    };
    std::vector<Comparison> comparisons;
    comparisons.reserve(set.cases.size());
    for (const MeasuredCase &measured : set.cases) {
        const Expected<Scenario> scenario = readScenario(measured.scenario, catalog, noFiles);
        const Report<double> report = scenario ? evaluate<double>(*scenario, catalog) : Report<double>{};
        for (const Measurement &measurement : measured.measurements) {
            if (scenario && !report.gpus.empty()) {
                comparisons.push_back(
                    compare(measured, measurement, predictionOf(report.gpus.front(), *scenario, measurement)));
                comparisons.back().stack =
                    scenario->task == Task::Training ? scenario->training.framework : scenario->inference.engine;
            } else {
                Comparison refused{measured.id, measured.source, measurement, {}, -1, {}, {}};
                refused.problems = scenario ? Problems{{"hardware.gpus", "nothing", "a GPU"}} : scenario.error();
                comparisons.push_back(std::move(refused));
            }
        }
    }
    return summarize(std::move(comparisons));
}

} // namespace ridgepoint
