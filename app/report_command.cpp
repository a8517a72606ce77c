// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `report` and `report --batch`: evaluates scenarios and writes their reports.
#include "core/export/report_json.h"
#include "core/export/report_table.h"
#include "core/import/load_scenario.h"
#include "core/scenario/checks.h"
#include "core/search/advice.h"

#include "app/commands.h"
#include "app/output.h"

#include <algorithm>
#include <fstream>
#include <iostream>

namespace ridgepoint {

namespace {

/// The choice that an id names: one of the scenario's, or a GPU of the catalogue.
Expected<GpuChoice> choiceOf(const std::string &id, const Scenario &scenario, const Catalog &catalog) {
    for (const GpuChoice &choice : scenario.hardware.gpus) {
        if (choice.id == id) {
            return choice;
        }
    }
    if (catalog.gpu(id) != nullptr) {
        GpuChoice choice;
        choice.id = id;
        choice.base = id;
        return choice;
    }
    std::vector<std::string_view> known;
    for (const Gpu &gpu : catalog.gpus) {
        known.push_back(gpu.id);
    }
    const std::string nearest = nearestKey(id, known);
    return tl::make_unexpected(
        Problems{{.field = "--gpu",
                  .found = id,
                  .allowed = "a GPU of the scenario or of `ridgepoint catalog gpus`" +
                             (nearest.empty() ? std::string() : "; did you mean " + nearest + "?")}});
}

Expected<Scenario> withGpus(Scenario scenario, const std::vector<std::string> &gpus, const Catalog &catalog) {
    if (gpus.empty()) {
        return scenario;
    }
    Problems problems;
    std::vector<GpuChoice> choices;
    for (const std::string &id : gpus) {
        if (Expected<GpuChoice> choice = choiceOf(id, scenario, catalog)) {
            if (std::none_of(choices.begin(), choices.end(), [&](const GpuChoice &each) { return each.id == id; })) {
                choices.push_back(std::move(*choice));
            }
        } else {
            problems.insert(problems.end(), choice.error().begin(), choice.error().end());
        }
    }
    if (!problems.empty()) {
        return tl::make_unexpected(std::move(problems));
    }
    scenario.hardware.gpus = std::move(choices);
    problems = checkScenario(scenario, catalog);
    if (!problems.empty()) {
        return tl::make_unexpected(std::move(problems));
    }
    return scenario;
}

Report<double> reportOf(const Scenario &scenario, const Catalog &catalog, const std::string &flops) {
    const EvaluateOptions options{.convention = flopConventionFrom(flops)};
    Report<double> report = evaluate<double>(scenario, catalog, options);
    addAdvice(report, scenario, catalog, options);
    return report;
}

bool allFit(const Report<double> &report) {
    return std::all_of(report.gpus.begin(), report.gpus.end(), [](const GpuReport<double> &gpu) { return gpu.fits; });
}

int runBatch(const ReportOptions &options, const Catalog &catalog) {
    std::ifstream file;
    if (!options.file.empty()) {
        file.open(options.file);
        if (!file) {
            printProblems(options.file,
                          {{.field = "", .found = "a file that cannot be read", .allowed = "JSON Lines of scenarios"}});
            return ExitBadInput;
        }
    }
    std::istream &lines = options.file.empty() ? std::cin : file;
    const ConfigLoader loader = configLoaderFor({});
    std::string line;
    std::string out;
    bool allGood = true;
    bool everyoneFits = true;
    for (int number = 1; std::getline(lines, line); ++number) {
        Expected<Scenario> scenario = readScenario(line, catalog, loader);
        if (scenario) {
            scenario = withGpus(std::move(*scenario), options.gpus, catalog);
        }
        if (scenario) {
            const Report<double> report = reportOf(*scenario, catalog, options.flops);
            everyoneFits = everyoneFits && allFit(report);
            out += reportJson(report).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        } else {
            allGood = false;
            const nlohmann::ordered_json bad{{"line", number}, {"problems", problemsJson(scenario.error())}};
            out += bad.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        }
        out += '\n';
        // Standard output is a stream: whoever reads it gets each report as it is ready.
        if (options.output.empty()) {
            if (const int failed = writeOutput({}, out); failed != ExitDone) {
                return failed;
            }
            out.clear();
        }
    }
    if (!options.output.empty()) {
        if (const int failed = writeOutput(options.output, out); failed != ExitDone) {
            return failed;
        }
    }
    if (!allGood) {
        return ExitBadInput;
    }
    return options.requireFit && !everyoneFits ? ExitDoesNotFit : ExitDone;
}

} // namespace

FlopConvention flopConventionFrom(const std::string &id) {
    return id == "6n" ? FlopConvention::SixN : id == "causal" ? FlopConvention::Causal : FlopConvention::Model;
}

Expected<Scenario> scenarioFor(const std::string &file, const std::vector<std::string> &gpus, const Catalog &catalog) {
    Expected<Scenario> scenario = loadScenario(file, catalog);
    if (scenario) {
        scenario = withGpus(std::move(*scenario), gpus, catalog);
    }
    if (!scenario) {
        printProblems(file, scenario.error());
    }
    return scenario;
}

int runReport(const ReportOptions &options, const Catalog &catalog) {
    if (options.batch) {
        return runBatch(options, catalog);
    }
    const Expected<Scenario> scenario = scenarioFor(options.file, options.gpus, catalog);
    if (!scenario) {
        return ExitBadInput;
    }
    const Report<double> report = reportOf(*scenario, catalog, options.flops);
    std::string text;
    if (options.format == "csv") {
        text = reportCsv(report);
    } else if (options.format == "markdown") {
        text = reportMarkdown(report, catalog);
    } else {
        text = reportJson(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
    if (const int failed = writeOutput(options.output, text); failed != ExitDone) {
        return failed;
    }
    return options.requireFit && !allFit(report) ? ExitDoesNotFit : ExitDone;
}

} // namespace ridgepoint
