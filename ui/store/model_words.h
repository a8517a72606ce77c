// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A model's shape in words: what of it memory and speed depend on, as lines of text without a widget.
#pragma once

#include "core/number/quantity.h"
#include "core/scenario/scenario.h"

#include <QString>

#include <vector>

namespace ridgepoint {

struct ModelLine {
    QString id;   ///< as `layers`
    QString text; ///< `48 layers: 8 full, 40 within 1,024 tokens`
    QString tip;
    bool isBadge = false; ///< something that people expect to be otherwise
    friend bool operator==(const ModelLine &, const ModelLine &) = default;
};

/// Parameters, layers by kind of attention, experts, heads, head size, cache per token, what was assumed.
std::vector<ModelLine> modelLines(const Scenario &scenario, const Catalog &catalog, const NumberStyle &style);

} // namespace ridgepoint
