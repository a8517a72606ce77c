// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Percentiles of measured / predicted, by kind and stack.
#include "core/validate/bands_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ridgepoint {

namespace {

constexpr std::size_t casesOfOwnBand = 8;
constexpr double tail = 0.05;

struct Kind {
    std::string_view id;
    std::array<std::string_view, 3> measured; ///< kinds of measurement; empty: none. Not `speed-loose`: there the
                                              ///< reading is uncertain, not the prediction
    bool isTraining;
    bool isRate; ///< the error is of a rate, the band of a duration
};

constexpr std::array kinds{
    Kind{"training-memory", {"memory", "memory-loose", ""}, true, false},
    Kind{"step", {"speed", "", ""}, true, true},
    Kind{"serving-memory", {"allocated_bytes_all_gpus", "", ""}, false, false},
    Kind{"first-token", {"time_to_first_token_s", "", ""}, false, false},
    Kind{"output-token", {"time_per_output_token_s", "", ""}, false, false},
    Kind{"throughput", {"output_tokens_per_s", "decode", "prefill_tokens_per_s"}, false, false},
    Kind{"power", {"gpu_w", "", ""}, false, false},
};

/// Measured / predicted with the weight of its case.
struct Ratio {
    double value, weight;
};

double percentile(std::vector<Ratio> ratios, double share) {
    std::sort(ratios.begin(), ratios.end(), [](const Ratio &a, const Ratio &b) { return a.value < b.value; });
    double total = 0;
    for (const Ratio &ratio : ratios) {
        total += ratio.weight;
    }
    double passed = 0;
    for (const Ratio &ratio : ratios) {
        passed += ratio.weight;
        if (passed >= share * total) {
            return ratio.value;
        }
    }
    return ratios.back().value;
}

/// The two ends; a band always holds the prediction itself.
struct Ends {
    double low = 1, high = 1;

    void widen(const Ends &other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

Ends endsOf(const std::vector<Ratio> &ratios) {
    Ends ends;
    ends.widen({percentile(ratios, tail), percentile(ratios, 1 - tail)});
    return ends;
}

std::string row(std::string_view kind, std::string_view stack, const Ends &ends, std::size_t cases) {
    return fmt::format(R"(    {{"id": "{}/{}", "source": "cases", "low": {:.3f}, "high": {:.3f}, "cases": {}}})", kind,
                       stack, std::floor(ends.low * 1000) / 1000, std::ceil(ends.high * 1000) / 1000, cases);
}

} // namespace

std::string bandsFile(const ValidationResult &result) {
    std::vector<std::string> rows;
    for (const Kind &kind : kinds) {
        std::map<std::string, std::vector<Ratio>> byStack;
        std::map<std::string, std::vector<double>> bySource;
        for (const Comparison &comparison : result.comparisons) {
            if (!comparison.predicted || comparison.error <= -1 ||
                std::find(kind.measured.begin(), kind.measured.end(), comparison.measured.kind) ==
                    kind.measured.end()) {
                continue;
            }
            const double ratio = kind.isRate ? 1 + comparison.error : 1 / (1 + comparison.error);
            byStack[comparison.stack].push_back({ratio, 1});
            bySource[comparison.source].push_back(ratio);
        }
        std::vector<Ratio> all;
        for (const auto &[source, ratios] : bySource) {
            for (const double ratio : ratios) {
                all.push_back({ratio, 1.0 / static_cast<double>(ratios.size())});
            }
        }
        if (all.empty()) {
            continue;
        }
        // A stack that was never measured may be as far off as the worst that was.
        Ends generic = endsOf(all);
        if (kind.id != "power") {
            for (const auto &[stack, ratios] : byStack) {
                if (ratios.size() >= casesOfOwnBand && stack != "generic") {
                    const Ends own = endsOf(ratios);
                    generic.widen(own);
                    rows.push_back(row(kind.id, stack, own, ratios.size()));
                }
            }
        }
        rows.push_back(row(kind.id, "generic", generic, all.size()));
    }
    return fmt::format(
        "{{\n  \"sources\": {{\n    \"cases\": \"Measured / predicted of the measured cases that come with the "
        "program, 5th to 95th percentile; `ridgepoint validate --bands` computes it anew\"\n  }},\n  \"bands\": "
        "[\n{}\n  ]\n}}\n",
        fmt::join(rows, ",\n"));
}

} // namespace ridgepoint
