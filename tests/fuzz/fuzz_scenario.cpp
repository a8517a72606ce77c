// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer: any text as a scenario ends in problems, or in a scenario that saves, reads back the same and evaluates.
#include "core/report/report.h"
#include "core/scenario/file.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace ridgepoint;
    static const CatalogResult shipped = builtInCatalog();
    static const ConfigLoader noFiles = [](const std::string &) -> Expected<ModelChoice> {
        return tl::make_unexpected(Problems{{"", "a path", "no file here"}});
    };
    const auto scenario = readScenario(textOf(data, size), shipped.catalog, noFiles);
    checkProblems(scenario);
    if (!scenario) {
        return 0;
    }
    const auto again = readScenario(writeScenario(*scenario), shipped.catalog, noFiles);
    require(again && *again == *scenario);
    const auto report = evaluate<double>(*scenario, shipped.catalog);
    require(report.gpus.size() == scenario->hardware.gpus.size());
    for (const auto &gpu : report.gpus) {
        require(std::isfinite(gpu.memory.stages[gpu.memory.worstStage].totalBytes) &&
                gpu.memory.stages[gpu.memory.worstStage].totalBytes >= 0);
    }
    return 0;
}
