// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Advice: which single change of a scenario would make it fit on a GPU, and what it costs in time.
#pragma once

#include "core/report/report.h"

namespace ridgepoint {

/// Fills `advice` of every GPU that does not fit: single changes that do, on the same number of GPUs, cheapest in time
/// first. Each was checked and evaluated like any scenario. Pre: `report` is evaluate() of `scenario`.
void addAdvice(Report<double> &report, const Scenario &scenario, const Catalog &catalog,
               const EvaluateOptions &options = {});

} // namespace ridgepoint
