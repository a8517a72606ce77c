// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Report to time bars and the figures at their ends.
#include "ui/panels/time/time_bars.h"

#include <QCoreApplication>

#include <algorithm>

namespace ridgepoint {

namespace {

QString translated(const char *text) {
    return QCoreApplication::translate("TimePanel", text);
}

QString quantity(double value, Unit unit, const NumberStyle &style) {
    return QString::fromStdString(formatQuantity(value, unit, style));
}

std::vector<TimeFigure> figuresOf(const TimeReport<double> &time, Task task, const NumberStyle &style) {
    std::vector<TimeFigure> figures;
    const auto add = [&](const std::optional<double> &value, Unit unit, const QString &before, const char *path,
                         const QString &name) {
        if (!value)
            return;
        const QString text = quantity(*value, unit, style);
        figures.push_back({before + text, QLatin1String(path), name % QStringLiteral(": ") % text});
    };
    if (task == Task::Training) {
        add(time.stepSeconds, Unit::Seconds, {}, "time.step_s", translated("Step time"));
        add(time.mfu, Unit::Percent, {}, "time.mfu", translated("Model FLOP utilization (MFU)"));
    } else {
        add(time.timeToFirstTokenSeconds, Unit::Seconds, translated("TTFT "), "time.time_to_first_token_s",
            translated("Time to first token"));
        add(time.timePerOutputTokenSeconds, Unit::Seconds, translated("TPOT "), "time.time_per_output_token_s",
            translated("Time per output token"));
    }
    return figures;
}

} // namespace

TimeBars timeBars(const Report<double> &report, const NumberStyle &style, const QString &selectedGpu) {
    TimeBars result;
    result.task = report.task;
    std::array<bool, timePartCount> used{};
    for (const GpuReport<double> &gpu : report.gpus) {
        const TimeBreakdown<double> &b = gpu.time.breakdown;
        TimeBar bar;
        bar.gpuId = QString::fromStdString(gpu.gpu);
        bar.gpuName = QString::fromStdString(gpu.gpuShortName.empty() ? gpu.gpuName : gpu.gpuShortName);
        bar.seconds = {b.computeSeconds, b.memorySeconds,    b.communicationSeconds, b.bubbleSeconds,
                       b.launchSeconds,  b.optimizerSeconds, b.inputSeconds};
        bar.totalSeconds = b.totalSeconds;
        bar.figures = figuresOf(gpu.time, report.task, style);
        bar.fits = gpu.fits;
        if (!gpu.fits)
            bar.note = translated("if it fit");
        for (std::size_t part = 0; part < timePartCount; ++part)
            used[part] = used[part] || bar.seconds[part] > 0;
        result.longestSeconds = std::max(result.longestSeconds, bar.totalSeconds);
        if (bar.gpuId == selectedGpu)
            result.selected = result.bars.size();
        result.bars.push_back(std::move(bar));
    }
    for (std::size_t part = 0; part < timePartCount; ++part) {
        if (used[part])
            result.legend.push_back(TimePart(part));
    }
    return result;
}

TimeWords timeWords(Task task, const std::optional<SystemFacts> &system, const NumberStyle &style) {
    if (task == Task::Training)
        return {translated("Where a step goes"), translated("time of one step; MFU at the end of the bar"),
                translated("MFU at the end")};
    const double requests = system ? system->concurrentSequences : 0;
    if (requests == 1)
        return {translated("Where a request goes"),
                translated("prefill and output of one request; TTFT is of a prompt on an idle engine"),
                translated("prefill and output of one request")};
    const QString count = requests > 1 ? quantity(requests, Unit::Count, style) % QLatin1Char(' ') : QString();
    return {translated("Where a batch goes"),
            translated("prefill and output of all %1concurrent requests; TTFT is of one prompt on an idle engine")
                .arg(count),
            translated("prefill and output of all %1requests").arg(count)};
}

QString nameOf(TimePart part) {
    switch (part) {
    case TimePart::Compute:
        return translated("Compute");
    case TimePart::Memory:
        return translated("Memory");
    case TimePart::Communication:
        return translated("Communication");
    case TimePart::Bubble:
        return translated("Bubble");
    case TimePart::Launch:
        return translated("Launch");
    case TimePart::Optimizer:
        return translated("Optimizer");
    case TimePart::Input:
        return translated("Input");
    }
    return {};
}

QString pathOf(TimePart part) {
    static const std::array<QString, timePartCount> keys{QStringLiteral("compute"),       QStringLiteral("memory"),
                                                         QStringLiteral("communication"), QStringLiteral("bubble"),
                                                         QStringLiteral("launch"),        QStringLiteral("optimizer"),
                                                         QStringLiteral("input")};
    return QStringLiteral("time.breakdown.") % keys[std::size_t(part)] % QStringLiteral("_s");
}

} // namespace ridgepoint
