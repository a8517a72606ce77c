// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Explains one number of a report, by its path: the worked sum that the formula itself produced.
#pragma once

#include "core/number/explain.h"
#include "core/report/report.h"

#include <string_view>

namespace ridgepoint {

/// `path` as in the JSON report under a GPU. Errors: no such GPU in the scenario (field `--gpu`), or no such number in
/// its report (field `QUANTITY`, with the nearest path). Pre: checkScenario() found nothing. An empty `gpuId` means the
/// scenario's first GPU.
Expected<ExplainedStep> explainQuantity(const Scenario &scenario, const Catalog &catalog, std::string_view gpuId,
                                        std::string_view path, const EvaluateOptions &options = {});

/// Every path that explainQuantity() can explain for that report, in its order.
std::vector<std::string> quantityPaths(const GpuReport<double> &report);

/// The value at a path; nullopt where there is no such number.
std::optional<double> quantityAt(const GpuReport<double> &report, std::string_view path);

} // namespace ridgepoint
