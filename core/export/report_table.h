// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a table for spreadsheets (CSV) and as a readable page (Markdown).
#pragma once

#include "core/catalog/catalog.h"
#include "core/number/quantity.h"
#include "core/report/report.h"

#include <string>

namespace ridgepoint {

/// One row per quantity, one column per GPU; RFC 4180, C locale, all digits. The first row holds `quantity` and the
/// GPUs' IDs. A cell is empty where a GPU's report has no such quantity.
std::string reportCsv(const Report<double> &report);

/// The verdict, memory, time, power and cost of every GPU, then what the numbers rest on.
std::string reportMarkdown(const Report<double> &report, const Catalog &catalog, const NumberStyle &style = {});

/// One sentence: `Does not fit on A100 80GB SXM: needs 124.6 GB, has 85.9 GB.`
std::string verdict(const GpuReport<double> &report, const NumberStyle &style = {});

} // namespace ridgepoint
