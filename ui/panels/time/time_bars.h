// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the time panel draws, computed from a report without a screen.
#pragma once

#include "core/report/report.h"

#include "ui/panels/display.h"
#include "ui/theme/parts.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace ridgepoint {

/// A number at the end of a bar, with its path in the report.
struct TimeFigure {
    QString text; ///< `3.07 s`, `TTFT 310 ms`
    QString path;
    QString spoken; ///< `Step time: 3.07 s`
};

struct TimeBar {
    QString gpuId, gpuName;
    std::array<double, timePartCount> seconds{};
    double totalSeconds = 0;
    std::vector<TimeFigure> figures;
    bool fits = true; ///< false: what it would be if the memory sufficed
    QString note;     ///< says so; empty where it fits
};

struct TimeBars {
    Task task = Task::Training;
    std::vector<TimeBar> bars;
    std::size_t selected = 0;
    std::vector<TimePart> legend; ///< parts that are zero everywhere are left out
    double longestSeconds = 0;
};

TimeBars timeBars(const Report<double> &report, const NumberStyle &style, const QString &selectedGpu);

/// What the bars are of: one step, or prefill and output of all concurrent requests.
struct TimeWords {
    QString title, subtitle, shortSubtitle;
};
TimeWords timeWords(Task task, const std::optional<SystemFacts> &system, const NumberStyle &style);

QString nameOf(TimePart part); ///< `Communication`
QString pathOf(TimePart part); ///< `time.breakdown.communication_s`

} // namespace ridgepoint
