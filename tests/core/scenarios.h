// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios and shapes that several tests start from.
#pragma once

#include "core/catalog/catalog.h"
#include "core/report/report.h"
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>

namespace ridgepoint::testing {

inline const Catalog &catalog() {
    static const Catalog instance = builtInCatalog().catalog;
    return instance;
}

/// Reads a scenario through the public reader; throws with every problem's text, so that a test fails in words.
inline Scenario scenario(const nlohmann::json &json) {
    Expected<Scenario> result = readScenario(json.dump(), catalog(), {});
    if (!result) {
        std::string text;
        for (const Problem &problem : result.error()) {
            text += problem.message() + "\n";
        }
        throw std::runtime_error(text);
    }
    return *result;
}

inline GpuReport<double> reportOf(const nlohmann::json &json) {
    const Scenario s = scenario(json);
    return evaluate<double>(s, catalog()).gpus.at(0);
}

/// Seven billion parameters exactly, as the founding documents count.
inline nlohmann::json sevenBillion(nlohmann::json training = nlohmann::json::object(),
                                   const std::string &gpu = "nvidia-a100-sxm-80gb") {
    return {{"model", {{"parameters", 7e9}}},
            {"task", "training"},
            {"training", std::move(training)},
            {"hardware", {{"gpus", {gpu}}}}};
}

/// A GPT layer stack as in the papers: learned positions, biases, GELU, no grouped queries, tied embeddings.
inline nlohmann::json gpt(int layers, int hidden, int heads, int vocabulary = 51200) {
    return {{"layers", layers},         {"hidden", hidden},      {"heads", heads},          {"ffn", 4 * hidden},
            {"vocabulary", vocabulary}, {"gated_mlp", false},    {"tied_embeddings", true}, {"norm", "layernorm"},
            {"biases", "all"},          {"positions", "learned"}};
}

} // namespace ridgepoint::testing
