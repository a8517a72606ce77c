// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the memory panel share: its state, and the layout of one drawing.
#pragma once

#include "ui/panels/memory/memory_bars.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/stacked_chart.h"

class QComboBox;

namespace ridgepoint {

struct MemoryPanel::Parts {
    MemoryBars bars;
    LinearAxis axis; ///< in the scale's unit
    ByteScale axisScale;
    StackedChart chart{StackedChart::Direction::Up, memoryPartCount};
    StageView view;                 ///< asked for
    QComboBox *selector = nullptr;  ///< child of the panel
    std::size_t listedStages = 0;   ///< in the selector
    std::size_t listedHeaviest = 0; ///< named there
};

/// A line of the legend, from the top of the stack down.
struct MemoryLegendLine {
    enum class Kind { Heading, Total, Part };
    Kind kind = Kind::Part;
    MemoryPart part = MemoryPart::Weights; ///< of Kind::Part
    QString name, value;
    QString path; ///< empty for what is no number of the report
    QString tip;
};
enum class Tips { Written, LeftOut };
/// As many kinds of lines as `rows` hold: first family headings go, then totals.
std::vector<MemoryLegendLine> memoryLegend(const MemoryBars &bars, const NumberStyle &style, int rows,
                                           Tips tips = Tips::Written);

} // namespace ridgepoint
