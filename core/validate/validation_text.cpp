// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the JSON and Markdown forms of a validation.
#include "core/validate/validation_text.h"

#include "core/export/report_json.h"
#include "core/number/quantity.h"
#include "core/scenario/reading.h"
#include "core/validate/percent.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ridgepoint {

namespace {

using Json = nlohmann::ordered_json;

/// The cases by id.
class CaseIndex {
public:
    explicit CaseIndex(const MeasuredSet &set) {
        for (const MeasuredCase &each : set.cases) {
            cases_.emplace(each.id, &each);
        }
    }
    const MeasuredCase *find(const std::string &id) const {
        const auto it = cases_.find(id);
        return it != cases_.end() ? it->second : nullptr;
    }

private:
    std::map<std::string, const MeasuredCase *> cases_;
};

Json caseJson(const Comparison &comparison, const MeasuredCase *measured, const MeasuredSource *source) {
    Json json{{"id", comparison.caseId},
              {"source", comparison.source},
              {"kind", comparison.measured.kind},
              {"quantity", comparison.measured.quantity}};
    if (comparison.measured.key == "memory" || comparison.measured.at == MeasuredAt::AllGpus) {
        json["at"] = keyOf(comparison.measured.at);
    }
    json["predicted"] = comparison.predicted ? numberJson(*comparison.predicted) : Json(nullptr);
    json["measured"] = numberJson(comparison.measured.value);
    json["error"] = comparison.error;
    if (comparison.measured.uncertainty) {
        json["uncertainty"] = *comparison.measured.uncertainty;
    }
    if (measured != nullptr) {
        json["quality"] = measured->quality;
        json["model"] = measured->model;
        if (!measured->where.empty()) {
            json["where"] = measured->where;
        }
        json["url"] = measured->url;
        std::vector<std::string> assumed = source != nullptr ? source->assumed : std::vector<std::string>();
        assumed.insert(assumed.end(), measured->assumed.begin(), measured->assumed.end());
        json["assumed"] = assumed;
    }
    json["problems"] = problemsJson(comparison.problems);
    return json;
}

Json sourceJson(const SourceSummary &summary, const MeasuredSource *source, const ErrorBound *bound) {
    Json json{{"kind", summary.kind}, {"source", summary.source}};
    if (source != nullptr) {
        json["name"] = source->name;
        json["url"] = source->url;
    }
    json["cases"] = summary.count;
    json["refused"] = summary.refused;
    json["median_absolute_error"] = summary.medianAbsoluteError;
    json["p90_absolute_error"] = summary.p90AbsoluteError;
    json["widest_absolute_error"] = summary.widestAbsoluteError;
    json["median_error"] = summary.medianError;
    if (bound != nullptr && bound->reason.empty()) {
        json["bound"] = {{"median", bound->median}, {"bias", bound->bias}, {"widest", bound->widest}};
    } else if (bound != nullptr) {
        json["reason"] = bound->reason;
    }
    return json;
}

Json kindJson(const KindSummary &summary) {
    return {{"kind", summary.kind},
            {"cases", summary.count},
            {"refused", summary.refused},
            {"sources", summary.sources},
            {"mean_of_source_medians", summary.meanOfSourceMedians},
            {"median_absolute_error", summary.medianAbsoluteError},
            {"p90_absolute_error", summary.p90AbsoluteError}};
}

std::size_t refusedFigures(const ValidationResult &result) {
    return static_cast<std::size_t>(std::count_if(result.comparisons.begin(), result.comparisons.end(),
                                                  [](const Comparison &each) { return !each.predicted; }));
}

/// Text that cannot break a table.
std::string cell(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '<') {
            safe += '\\';
        }
        safe += c == '\n' || c == '\r' ? ' ' : c;
    }
    return safe;
}

std::string shown(const Comparison &comparison, double value) {
    NumberStyle style;
    style.significantDigits = 4;
    return formatQuantity(value, unitOfKey(comparison.measured.quantity), style);
}

std::string whatWasMeasured(const Measurement &measured) {
    if (measured.at == MeasuredAt::AllGpus) {
        return measured.quantity + ", all GPUs";
    }
    if (measured.key != "memory") {
        return measured.quantity;
    }
    return measured.quantity + (measured.at == MeasuredAt::FirstStage  ? ", first stage"
                                : measured.at == MeasuredAt::LastStage ? ", last stage"
                                                                       : ", worst stage");
}

std::string kindTable(const ValidationResult &result) {
    std::string text = "| kind | cases | refused | sources | mean of the sources' medians | median error | 90 % within "
                       "|\n|---|---:|---:|---:|---:|---:|---:|\n";
    for (const KindSummary &kind : result.kinds) {
        text += fmt::format("| {} | {} | {} | {} | **{}** | {} | {} |\n", kind.kind, kind.count, kind.refused,
                            kind.sources, percentText(kind.meanOfSourceMedians), percentText(kind.medianAbsoluteError),
                            percentText(kind.p90AbsoluteError));
    }
    return text;
}

std::string sourceTable(const ValidationResult &result, const MeasuredSet &set, const ErrorBounds &bounds) {
    std::string text =
        "| kind | source | cases | refused | median error | 90 % within | widest | median signed error | "
        "bound of the median |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n";
    for (const SourceSummary &summary : result.sources) {
        const MeasuredSource *source = set.source(summary.source);
        const ErrorBound *bound = bounds.find(summary.source, summary.kind);
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", summary.kind,
                            source != nullptr ? fmt::format("[{}]({})", cell(source->name), source->url)
                                              : cell(summary.source),
                            summary.count, summary.refused, percentText(summary.medianAbsoluteError),
                            percentText(summary.p90AbsoluteError), percentText(summary.widestAbsoluteError),
                            signedPercentText(summary.medianError),
                            bound == nullptr        ? std::string()
                            : bound->reason.empty() ? percentText(bound->median)
                                                    : "out: " + cell(bound->reason));
    }
    return text;
}

std::string caseRow(const Comparison &comparison, const MeasuredCase *measured) {
    std::string note;
    for (const Problem &problem : comparison.problems) {
        note += (note.empty() ? "" : "; ") + problem.message();
    }
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", cell(comparison.caseId),
                       cell(measured != nullptr ? std::string_view(measured->model) : std::string_view()),
                       comparison.measured.kind, whatWasMeasured(comparison.measured),
                       comparison.predicted ? shown(comparison, *comparison.predicted) : std::string("refused"),
                       shown(comparison, comparison.measured.value), signedPercentText(comparison.error),
                       comparison.measured.uncertainty ? percentText(*comparison.measured.uncertainty) : std::string(),
                       measured != nullptr ? measured->quality : std::string(), cell(note));
}

std::string casesOf(const MeasuredSource &source, const ValidationResult &result, const CaseIndex &cases) {
    std::string text = fmt::format("\n### {}\n\n{}\n", cell(source.name), source.url);
    for (const std::string &assumption : source.assumed) {
        text += fmt::format("\n- Assumed: {}", cell(assumption));
    }
    text += source.assumed.empty() ? "\n" : "\n\n";
    text +=
        "| case | model | kind | quantity | predicted | measured | error | reading uncertain by | quality | problem |\n"
        "|---|---|---|---|---:|---:|---:|---:|---|---|\n";
    for (const Comparison &comparison : result.comparisons) {
        if (comparison.source == source.id) {
            text += caseRow(comparison, cases.find(comparison.caseId));
        }
    }
    return text;
}

} // namespace

Json validationJson(const ValidationResult &result, const MeasuredSet &set, const ErrorBounds &bounds) {
    const CaseIndex cases(set);
    Json json{{"kinds", Json::array()}, {"sources", Json::array()}, {"cases", Json::array()}};
    for (const KindSummary &kind : result.kinds) {
        json["kinds"].push_back(kindJson(kind));
    }
    for (const SourceSummary &summary : result.sources) {
        json["sources"].push_back(
            sourceJson(summary, set.source(summary.source), bounds.find(summary.source, summary.kind)));
    }
    for (const Comparison &comparison : result.comparisons) {
        json["cases"].push_back(caseJson(comparison, cases.find(comparison.caseId), set.source(comparison.source)));
    }
    json["totals"] = {
        {"cases", set.cases.size()}, {"figures", result.comparisons.size()}, {"refused", refusedFigures(result)}};
    return json;
}

std::string validationMarkdown(const ValidationResult &result, const MeasuredSet &set, const ErrorBounds &bounds) {
    const CaseIndex cases(set);
    std::string text = fmt::format(
        "# Predicted against measured\n\n{} published measurements with {} figures; {} figures are refused, and each "
        "counts as a full miss. Errors are predicted / measured - 1 (of a step's duration, of the rate); positive is "
        "too much, or too fast.\n\n## By kind\n\nThe mean weighs each source alike, one of fewer than five cases by a "
        "fifth of their number. Memory is `memory-loose` where its reading (unit, counter, rank, settings) is "
        "uncertain by more than 3 %, a training speed `speed-loose` from 10 % on.\n\n{}\n## By source\n\n{}\n## Every "
        "case\n\nQuality A: everything about the run is known; B: some was assumed, see `assumed` in the JSON form.\n",
        set.cases.size(), result.comparisons.size(), refusedFigures(result), kindTable(result),
        sourceTable(result, set, bounds));
    for (const MeasuredSource &source : set.sources) {
        text += casesOf(source, result, cases);
    }
    return text;
}

} // namespace ridgepoint
