// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The answer first: what the verdict strip says of a report, as text, without a widget.
#pragma once

#include "core/number/quantity.h"
#include "core/report/report.h"

#include <QString>

#include <vector>

namespace ridgepoint {

/// One number of the strip; `path` names it in the report, for the inspector.
struct Figure {
    QString label, value, note;
    QString path;
};

struct Verdict {
    bool fits = false;
    QString gpu;      ///< ID of the GPU it speaks of
    QString headline; ///< `Does not fit on A100 80GB SXM: needs 124.6 GB, has 85.9 GB.`
    QString tip;      ///< the totals behind the headline, in GB and GiB
    QString next;     ///< what follows from it, or what would help
    std::vector<Figure> figures;
};

/// Pre: `selected` is an index into report.gpus.
Verdict verdictOf(const Report<double> &report, const Scenario &scenario, std::size_t selected,
                  const NumberStyle &style);

} // namespace ridgepoint
