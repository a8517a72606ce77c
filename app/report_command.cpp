// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `report` and `report --batch`: evaluates scenarios and writes their reports.
#include "core/export/report_json.h"
#include "core/export/report_table.h"
#include "core/import/load_scenario.h"
#include "core/import/read_file.h"
#include "core/scenario/checks.h"
#include "core/search/advice.h"

#include "app/commands.h"
#include "app/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

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

enum class LineRead { Whole, TooLong, End, Failed };

/// One line, bounded: what is longer is skipped up to its end, so that the lines behind it still count.
LineRead readLine(std::FILE *file, std::string &line) {
    line.clear();
    bool isTooLong = false;
    int c = 0;
    while ((c = std::getc(file)) != EOF && c != '\n') {
        if (line.size() < largestTextFileBytes) {
            line += static_cast<char>(c);
        } else {
            isTooLong = true;
        }
    }
    if (c == EOF && std::ferror(file) != 0) {
        return LineRead::Failed;
    }
    if (isTooLong) {
        return LineRead::TooLong;
    }
    return c == EOF && line.empty() ? LineRead::End : LineRead::Whole;
}

int refuseBatch(const ReportOptions &options, int error) {
    printProblems(
        options.file.empty() ? "standard input" : options.file,
        {{.field = "", .found = std::generic_category().message(error), .allowed = "JSON Lines of scenarios"}});
    return ExitBadInput;
}

int runBatch(const ReportOptions &options, const Catalog &catalog) {
    using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;
    const File opened(options.file.empty() ? nullptr : std::fopen(options.file.c_str(), "rb"),
                      [](std::FILE *f) { return f != nullptr ? std::fclose(f) : 0; });
    if (!options.file.empty() && !opened) {
        return refuseBatch(options, errno);
    }
    std::FILE *lines = opened ? opened.get() : stdin;
    const ConfigLoader loader = configLoaderFor(std::filesystem::path(options.file).parent_path().string());
    std::string line;
    std::string out;
    bool allGood = true;
    bool everyoneFits = true;
    for (int number = 1;; ++number) {
        errno = 0;
        const LineRead read = readLine(lines, line);
        if (read == LineRead::Failed) {
            return refuseBatch(options, errno);
        }
        if (read == LineRead::End) {
            break;
        }
        Expected<Scenario> scenario =
            read == LineRead::Whole ? readScenario(line, catalog, loader)
                                    : tl::make_unexpected(Problems{
                                          {.field = "",
                                           .found = fmt::format("a line of more than {} bytes", largestTextFileBytes),
                                           .allowed = "a scenario"}});
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
    if (options.batch && options.format != "json") {
        std::fprintf(stderr, "--format: found %s, allowed json with --batch\n", options.format.c_str());
        return ExitBadInput;
    }
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
