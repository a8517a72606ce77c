// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `explain`: the worked sum of one number of the report.
#include "core/report/explain_report.h"
#include "core/scenario/checks.h"

#include "app/commands.h"
#include "app/output.h"

#include <nlohmann/json.hpp>

namespace ridgepoint {

namespace {

nlohmann::ordered_json treeOf(const ExplainedStep &step) {
    nlohmann::ordered_json json{{"label", step.label}, {"value", step.value}};
    const auto add = [&json](const char *key, const std::string &text) {
        if (!text.empty()) {
            json[key] = text;
        }
    };
    add("unit", step.unit);
    add("words", step.words);
    add("figures", step.figures);
    add("source", step.source);
    if (!step.parts.empty()) {
        json["parts"] = nlohmann::ordered_json::array();
        for (const ExplainedStep &part : step.parts) {
            json["parts"].push_back(treeOf(part));
        }
    }
    return json;
}

} // namespace

int runExplain(const ExplainOptions &options, const Catalog &catalog) {
    const Expected<Scenario> scenario =
        scenarioFor(options.file, options.gpu.empty() ? std::vector<std::string>() : std::vector{options.gpu}, catalog);
    if (!scenario) {
        return ExitBadInput;
    }
    const EvaluateOptions how{.convention = flopConventionFrom(options.flops)};
    if (options.list) {
        std::string text;
        const std::optional<Gpu> gpu = resolveGpu(scenario->hardware.gpus.front(), catalog);
        for (const std::string &path : quantityPaths(evaluateGpu<double>(*scenario, *gpu, catalog, how))) {
            text += path + "\n";
        }
        return writeOutput({}, text);
    }
    const Expected<ExplainedStep> step = explainQuantity(*scenario, catalog, options.gpu, options.quantity, how);
    if (!step) {
        printProblems(options.file, step.error());
        return ExitBadInput;
    }
    return writeOutput({},
                       options.format == "json"
                           ? treeOf(*step).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"
                           : renderText(*step));
}

} // namespace ridgepoint
