// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a number of the traced report by its path and renders its trace.
#include "core/report/explain_report.h"

#include "core/report/paths.h"
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

namespace ridgepoint {

namespace {

/// Leaves of numbers, all kinds of value ignored but numbers.
struct NumbersOnly {
    void text(const std::string &, std::string_view, std::string_view) {}
    void flag(const std::string &, std::string_view, bool) {}
    void null(const std::string &, std::string_view) {}
};

struct Finder : NumbersOnly {
    std::string_view wanted;
    std::optional<Traced> found;
    std::string key;

    void number(const std::string &path, std::string_view leafKey, const Traced &value) {
        if (path == wanted) {
            found = value;
            key = leafKey;
        }
    }
    void count(const std::string &path, std::string_view leafKey, double value) {
        number(path, leafKey, Traced::leaf(value, leafKey, {}, {}));
    }
};

struct Collector : NumbersOnly {
    std::vector<std::pair<std::string, double>> numbers;
    void number(const std::string &path, std::string_view, double value) { numbers.emplace_back(path, value); }
    void count(const std::string &path, std::string_view, double value) { numbers.emplace_back(path, value); }
};

std::vector<std::pair<std::string, double>> numbersOf(const GpuReport<double> &report) {
    Collector collector;
    PathVisitor<Collector> visitor(collector);
    visitReport(report, visitor);
    return std::move(collector.numbers);
}

std::string listGpus(const Scenario &scenario) {
    std::string list;
    for (const GpuChoice &choice : scenario.hardware.gpus) {
        list += list.empty() ? choice.id : ", " + choice.id;
    }
    return list;
}

const GpuChoice *chosen(const Scenario &scenario, std::string_view gpuId) {
    for (const GpuChoice &choice : scenario.hardware.gpus) {
        if (gpuId.empty() || choice.id == gpuId) {
            return &choice;
        }
    }
    return nullptr;
}

} // namespace

Expected<ExplainedStep> explainQuantity(const Scenario &scenario, const Catalog &catalog, std::string_view gpuId,
                                        std::string_view path, const EvaluateOptions &options) {
    const GpuChoice *choice = chosen(scenario, gpuId);
    const std::optional<Gpu> gpu = choice != nullptr ? resolveGpu(*choice, catalog) : std::nullopt;
    if (!gpu) {
        return tl::make_unexpected(Problems{{.field = "--gpu",
                                             .found = std::string(gpuId),
                                             .allowed = "a GPU of the scenario: " + listGpus(scenario)}});
    }
    const GpuReport<Traced> report = evaluateGpu<Traced>(scenario, *gpu, catalog, options);
    Finder finder;
    finder.wanted = path;
    PathVisitor<Finder> visitor(finder);
    visitReport(report, visitor);
    if (!finder.found) {
        // Only a wrong path needs the right ones: the inspector asks at every step of a slider.
        const std::vector<std::string> paths = quantityPaths(evaluateGpu<double>(scenario, *gpu, catalog, options));
        const std::vector<std::string_view> known(paths.begin(), paths.end());
        const std::string nearest = nearestKey(path, known);
        return tl::make_unexpected(
            Problems{{.field = "QUANTITY",
                      .found = std::string(path),
                      .allowed = "a number of the report, as memory.total_bytes" +
                                 (nearest.empty() ? std::string() : "; did you mean " + nearest + "?")}});
    }
    const QuantityInfo *info = catalog.quantity(finder.key);
    return explainTrace(*finder.found, info != nullptr ? std::string_view(info->label) : path, unitOfKey(finder.key));
}

std::vector<std::string> quantityPaths(const GpuReport<double> &report) {
    std::vector<std::string> paths;
    for (auto &[path, value] : numbersOf(report)) {
        paths.push_back(path);
    }
    return paths;
}

std::optional<double> quantityAt(const GpuReport<double> &report, std::string_view path) {
    for (const auto &[each, value] : numbersOf(report)) {
        if (each == path) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace ridgepoint
