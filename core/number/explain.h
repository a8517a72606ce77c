// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the trace of a number into a worked sum that a person reads: symbols, figures, then each named part, with
// sources.
#pragma once

#include "core/number/quantity.h"
#include "core/number/traced.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// One line of a worked sum: `label = value = words = figures`, its parts below it.
struct ExplainedStep {
    std::string label;
    double value = 0;
    std::string unit;
    std::string words;   ///< the formula with the parts' names, as `parameters x bytes per state / shards`; empty for a
                         ///< leaf. A long sum has one term per line ('\n').
    std::string figures; ///< the same with their values
    std::string source;
    bool explainedAbove = false;      ///< met before in this tree, depth-first: only label and value here
    std::vector<ExplainedStep> parts; ///< only named parts and leaves, each once per step
};

/// Depth-first; a part that appears several times is explained once. `label` names the whole.
/// `style` is how figures look. Steps without a name that occur in several places of a large sum are called
/// `intermediate N`.
ExplainedStep explainTrace(const Traced &number, std::string_view label, Unit unit,
                           const NumberStyle &style = readingStyle());
/// Indented text, ends in a newline.
std::string renderText(const ExplainedStep &step, const NumberStyle &style = readingStyle());
/// The value of a step in its unit, as the text has it: `53.9 GB (53,907,324,928 bytes)`; a leaf in one form where that
/// is exact.
std::string valueText(const ExplainedStep &step, const NumberStyle &style = readingStyle());

} // namespace ridgepoint
