// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads, checks and writes the errors that must hold.
#include "core/validate/bounds.h"

#include "core/catalog/embedded.h"
#include "core/import/strict_json.h"
#include "core/validate/percent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

using nlohmann::json;

std::string textAt(const json &entry, const char *key) {
    const auto it = entry.find(key);
    return it != entry.end() && it->is_string() ? it->get<std::string>() : std::string();
}

double errorAt(const json &entry, const char *key, const std::string &field, Problems &problems) {
    const auto it = entry.find(key);
    if (it != entry.end() && it->is_number() && it->get<double>() >= 0) {
        return it->get<double>();
    }
    problems.push_back(
        {field + '.' + key, it != entry.end() ? shownValue(*it) : "nothing", "a relative error, as 0.03"});
    return 0;
}

ErrorBound readBound(const json &entry, const std::string &field, Problems &problems) {
    ErrorBound bound;
    if (!entry.is_object()) {
        problems.push_back({field, shownValue(entry), "an object"});
        return bound;
    }
    bound.source = textAt(entry, "source");
    bound.kind = textAt(entry, "kind");
    bound.reason = textAt(entry, "reason");
    const auto kinds = measuredKinds();
    if (std::find(kinds.begin(), kinds.end(), bound.kind) == kinds.end()) {
        problems.push_back({field + ".kind", shownText(bound.kind), fmt::format("one of {}", fmt::join(kinds, ", "))});
    }
    if (bound.source.empty()) {
        problems.push_back({field + ".source", "nothing", "the id of a source"});
    }
    if (bound.reason.empty()) {
        bound.median = errorAt(entry, "median", field, problems);
        bound.bias = errorAt(entry, "bias", field, problems);
        bound.widest = errorAt(entry, "widest", field, problems);
    }
    return bound;
}

/// Rounded up to a tenth of a percentage point.
double withMargin(double error) {
    return std::ceil((std::abs(error) * 1.05 + 0.0025) * 1000) / 1000;
}

} // namespace

const ErrorBound *ErrorBounds::find(std::string_view source, std::string_view kind) const {
    const auto it = std::find_if(bounds.begin(), bounds.end(),
                                 [&](const ErrorBound &each) { return each.source == source && each.kind == kind; });
    return it != bounds.end() ? &*it : nullptr;
}

Expected<ErrorBounds> readBounds(std::string_view text) {
    const Expected<json> file = parseStrictJsonObject(text);
    if (!file) {
        return tl::make_unexpected(file.error());
    }
    ErrorBounds bounds;
    Problems problems;
    for (const char *key : {"kinds", "bounds"}) {
        const auto list = file->find(key);
        if (list == file->end() || !list->is_array()) {
            problems.push_back({key, list == file->end() ? "nothing" : shownValue(*list), "a list"});
            continue;
        }
        std::size_t index = 0;
        for (const json &entry : *list) {
            const std::string field = fmt::format("{}[{}]", key, index++);
            if (key == std::string_view("bounds")) {
                bounds.bounds.push_back(readBound(entry, field, problems));
            } else if (entry.is_string()) {
                bounds.kinds.push_back(entry.get<std::string>());
            } else {
                problems.push_back({field, shownValue(entry), "a kind"});
            }
        }
    }
    if (!problems.empty()) {
        return tl::make_unexpected(std::move(problems));
    }
    return bounds;
}

Expected<ErrorBounds> measuredBounds() {
    return readBounds(embeddedResource("resources/measured/bounds.json"));
}

std::vector<std::string> brokenBounds(const ValidationResult &result, const ErrorBounds &bounds) {
    std::vector<std::string> broken;
    for (const SourceSummary &summary : result.sources) {
        const ErrorBound *bound = bounds.find(summary.source, summary.kind);
        if (bound == nullptr) {
            if (std::find(bounds.kinds.begin(), bounds.kinds.end(), summary.kind) != bounds.kinds.end()) {
                broken.push_back(fmt::format("{} of {}: neither a bound nor a reason", summary.kind, summary.source));
            }
            continue;
        }
        if (!bound->reason.empty()) {
            continue;
        }
        if (summary.medianAbsoluteError > bound->median) {
            broken.push_back(fmt::format("{} of {}: median absolute error {}, bound {}", summary.kind, summary.source,
                                         percentText(summary.medianAbsoluteError), percentText(bound->median)));
        }
        if (std::abs(summary.medianError) > bound->bias) {
            broken.push_back(fmt::format("{} of {}: median signed error {}, bound {}", summary.kind, summary.source,
                                         signedPercentText(summary.medianError), percentText(bound->bias)));
        }
        for (const Comparison &comparison : result.comparisons) {
            if (comparison.source == summary.source && comparison.measured.kind == summary.kind &&
                std::abs(comparison.error) > bound->widest) {
                broken.push_back(fmt::format("{} of {}: {} is off by {}, bound {}", summary.kind, summary.source,
                                             comparison.caseId, signedPercentText(comparison.error),
                                             percentText(bound->widest)));
            }
        }
    }
    for (const ErrorBound &bound : bounds.bounds) {
        if (std::none_of(result.sources.begin(), result.sources.end(), [&](const SourceSummary &summary) {
                return summary.source == bound.source && summary.kind == bound.kind;
            })) {
            broken.push_back(fmt::format("{} of {}: a bound without a case", bound.kind, bound.source));
        }
    }
    return broken;
}

std::string boundsFile(const ValidationResult &result, const ErrorBounds &bounds) {
    std::vector<std::string> rows;
    for (const SourceSummary &summary : result.sources) {
        if (std::find(bounds.kinds.begin(), bounds.kinds.end(), summary.kind) == bounds.kinds.end()) {
            continue;
        }
        nlohmann::ordered_json row{{"source", summary.source}, {"kind", summary.kind}};
        if (const ErrorBound *old = bounds.find(summary.source, summary.kind); old != nullptr && !old->reason.empty()) {
            row["reason"] = old->reason;
        } else {
            row["median"] = withMargin(summary.medianAbsoluteError);
            row["bias"] = withMargin(summary.medianError);
            row["widest"] = withMargin(summary.widestAbsoluteError);
        }
        rows.push_back("    " + row.dump());
    }
    return fmt::format("{{\n  \"kinds\": {},\n  \"bounds\": [\n{}\n  ]\n}}\n", json(bounds.kinds).dump(),
                       fmt::join(rows, ",\n"));
}

} // namespace ridgepoint
