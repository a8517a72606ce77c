// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The answer first: words and figures of the verdict strip.
#include "ui/shell/verdict.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::Verdict)
};

constexpr int mostAdvice = 3;
constexpr qsizetype mostNames = 4;

/// Four digits, so that tokens per second read as 21,340 and not as 21.3 k.
QString rounded(double value, const NumberStyle &style) {
    if (!(value > 0) || value >= 1e7)
        return QString::fromStdString(formatQuantity(value, Unit::Count, style));
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(value)) - 3));
    if (value < 1000)
        return QString::fromStdString(formatQuantity(value, Unit::None, style));
    return QString::fromStdString(formatExact(std::round(value / unit) * unit, Unit::Count, style));
}

QString text(double value, Unit unit, const NumberStyle &style) {
    return QString::fromStdString(formatQuantity(value, unit, style));
}

/// One decimal from 10 up: 85.9 GB and 124.6 GB stand side by side.
QString bytesText(double bytes, NumberStyle style) {
    const double base = style.bytes == ByteUnits::Decimal ? 1000 : 1024;
    double shown = std::abs(bytes);
    while (shown >= base)
        shown /= base;
    style.significantDigits = shown >= 100 ? 4 : 3;
    return text(bytes, Unit::Bytes, style);
}

QString listed(const QStringList &names) {
    if (names.size() > mostNames)
        return Text::tr("%1 and %2 more", "names, how many others")
            .arg(names.mid(0, mostNames - 1).join(QStringLiteral(", ")))
            .arg(names.size() - mostNames + 1);
    if (names.size() < 2)
        return names.join(QString());
    return Text::tr("%1 and %2", "last of a list")
        .arg(names.mid(0, names.size() - 1).join(QStringLiteral(", ")), names.back());
}

QStringList othersThat(bool fit, const Report<double> &report, std::size_t selected) {
    QStringList names;
    for (std::size_t i = 0; i < report.gpus.size(); ++i) {
        if (i != selected && report.gpus[i].fits == fit)
            names.append(QString::fromStdString(report.gpus[i].gpuShortName));
    }
    return names;
}

/// `+6%`, `−9%`; with a true minus sign.
QString percentChange(double ratio) {
    const auto percent = static_cast<int>(std::lround((ratio - 1) * 100));
    return (percent < 0 ? QStringLiteral("−") : QStringLiteral("+")) + QString::number(std::abs(percent)) + u'%';
}

QString adviceText(const GpuReport<double> &gpu, const NumberStyle &style) {
    if (gpu.advice.empty())
        return {};
    QStringList changes;
    for (std::size_t i = 0; i < std::min<std::size_t>(gpu.advice.size(), mostAdvice); ++i) {
        const Advice &advice = gpu.advice[i];
        changes.append(Text::tr("%1 (%2, %3 time)", "change, memory after it, change of time in percent")
                           .arg(QString::fromStdString(advice.change), bytesText(advice.totalBytes, style),
                                percentChange(advice.stepRatio)));
    }
    const auto count = static_cast<int>(gpu.advice.size());
    const QString list = changes.join(QStringLiteral(", ")) + (count > mostAdvice ? u'…' : u'.');
    return count == 1 ? Text::tr("One change makes it fit here: %1").arg(list)
                      : Text::tr("%1 changes make it fit here: %2").arg(count).arg(list);
}

/// `412 sequences of 2,560 tokens fit at a memory share of 90%`; empty where nothing of the kind is known.
QString sequencesText(const MemoryReport<double> &memory, const Scenario &scenario, const NumberStyle &style) {
    if (!memory.maxConcurrentSequences)
        return {};
    const Inference &asked = scenario.inference;
    const auto whole = [&style](double value) {
        return QString::fromStdString(formatExact(value, Unit::Count, style));
    };
    const double fitting = *memory.maxConcurrentSequences;
    const QString tokens = whole(asked.promptTokens + asked.outputTokens);
    const QString share = text(asked.memoryFraction, Unit::Percent, style);
    if (fitting < 1) {
        const QString none = Text::tr("no sequence of %1 tokens fits at a memory share of %2").arg(tokens, share);
        return memory.maxSequenceTokens && *memory.maxSequenceTokens > 0
                   ? none + Text::tr(", one alone up to %1 tokens").arg(whole(*memory.maxSequenceTokens))
                   : none;
    }
    if (fitting < asked.concurrentSequences)
        return Text::tr("only %1 of %2 sequences of %3 tokens fit at a memory share of %4")
            .arg(whole(fitting), whole(asked.concurrentSequences), tokens, share);
    const QString fit =
        fitting == 1
            ? Text::tr("1 sequence of %1 tokens fits at a memory share of %2").arg(tokens, share)
            : Text::tr("%1 sequences of %2 tokens fit at a memory share of %3").arg(whole(fitting), tokens, share);
    return memory.maxSequenceTokens
               ? fit + Text::tr(", one alone up to %1 tokens").arg(whole(*memory.maxSequenceTokens))
               : fit;
}

/// Which of weights, reserves and cache is too large for what a serving engine may use.
QString obstacleText(const GpuReport<double> &gpu, const NumberStyle &style) {
    const StageMemory<double> &worst = gpu.memory.worst();
    const double limit = gpu.memory.headroomBytes + worst.totalBytes;
    const double weights = worst[MemoryComponent::Weights];
    const double cache = worst[MemoryComponent::KvCache];
    const double others = worst.totalBytes - weights - cache;
    if (weights > limit)
        return Text::tr("The weights alone take %1 of %2.").arg(bytesText(weights, style), bytesText(limit, style));
    if (weights + others > limit)
        return Text::tr(
                   "The reserve is the obstacle: activations, workspace and context take %1, and the weights leave "
                   "%2.")
            .arg(bytesText(others, style), bytesText(limit - weights, style));
    return Text::tr("The cache is the obstacle: it needs %1, and %2 are left for it.")
        .arg(bytesText(cache, style), bytesText(limit - weights - others, style));
}

/// With a capital and a full stop.
QString asSentence(const QString &words) {
    return words.isEmpty() ? QString() : QString(words.front().toUpper() + words.mid(1) + u'.');
}

QString nextSentence(const Report<double> &report, const Scenario &scenario, std::size_t selected,
                     const NumberStyle &style) {
    const GpuReport<double> &gpu = report.gpus[selected];
    const QString sequences = report.task == Task::Inference ? sequencesText(gpu.memory, scenario, style) : QString();
    const QStringList fitting = othersThat(true, report, selected);
    const QStringList failing = othersThat(false, report, selected);
    if (!gpu.fits) {
        const QString others = !fitting.isEmpty()  ? Text::tr("Fits on %1.").arg(listed(fitting))
                               : failing.isEmpty() ? QString()
                                                   : Text::tr("None of the ticked GPUs fits.");
        const QString advice = adviceText(gpu, style);
        const QString help = others.isEmpty() && advice.isEmpty()
                                 ? Text::tr("Shard over more GPUs, recompute activations, or tick a larger GPU.")
                                 : QString();
        const QString obstacle = report.task == Task::Inference ? obstacleText(gpu, style) : QString();
        const QString missing = bytesText(-gpu.memory.headroomBytes, style);
        const QString isShort = scenario.parallelism.world() > 1 ? Text::tr("Short by %1 per GPU.").arg(missing)
                                                                 : Text::tr("Short by %1.").arg(missing);
        QStringList sentences{isShort, obstacle, asSentence(sequences), others, advice, help};
        sentences.removeAll(QString());
        return sentences.join(u' ');
    }
    const QString room = Text::tr("%1 left").arg(bytesText(gpu.memory.headroomBytes, style));
    QString left = room + (sequences.isEmpty() ? QString() : QString(QStringLiteral("; ") + sequences)) + u'.';
    if (!fitting.isEmpty())
        left += u' ' + Text::tr("Also fits on %1.").arg(listed(fitting));
    if (!failing.isEmpty())
        left += u' ' + Text::tr("Does not fit on %1.").arg(listed(failing));
    return left;
}

class Figures {
public:
    Figures(std::vector<Figure> &figures, const NumberStyle &style, bool fits)
        : figures_(figures), style_(style), fits_(fits) {}

    void add(const QString &label, const QString &value, const QString &note, const char *path) {
        figures_.push_back({label, value, note, QString::fromLatin1(path)});
    }
    void add(const QString &label, const std::optional<double> &value, Unit unit, const QString &note,
             const char *path) {
        if (value)
            add(label, text(*value, unit, style_), note, path);
    }

    /// The note of a speed: that it is none where the GPU cannot run it.
    QString speedNote(const QString &note) const { return fits_ ? note : Text::tr("if it fit"); }

private:
    std::vector<Figure> &figures_;
    const NumberStyle &style_;
    bool fits_;
};

void addTraining(Figures &figures, const GpuReport<double> &gpu, const Scenario &scenario, const NumberStyle &style) {
    const TimeReport<double> &time = gpu.time;
    if (time.tokensPerSecond) {
        const QString note = time.tokensPerSecondPerGpu
                                 ? Text::tr("per GPU %1").arg(rounded(*time.tokensPerSecondPerGpu, style))
                                 : QString();
        figures.add(Text::tr("tokens / s"), rounded(*time.tokensPerSecond, style), figures.speedNote(note),
                    "time.tokens_per_s");
    }
    figures.add(Text::tr("MFU"), time.mfu, Unit::Percent,
                figures.speedNote(time.hfu ? Text::tr("HFU %1").arg(text(*time.hfu, Unit::Percent, style)) : QString()),
                "time.mfu");
    const auto count = [&](double value) { return QString::fromStdString(formatExact(value, Unit::Count, style)); };
    figures.add(Text::tr("step"), time.stepSeconds, Unit::Seconds,
                figures.speedNote(Text::tr("%1 × %2 tokens", "global batch, sequence length")
                                      .arg(count(globalBatchOf(scenario)), count(scenario.training.sequenceLength))),
                "time.step_s");
}

void addInference(Figures &figures, const GpuReport<double> &gpu, const NumberStyle &style) {
    const TimeReport<double> &time = gpu.time;
    figures.add(Text::tr("first token"), time.timeToFirstTokenSeconds, Unit::Seconds,
                figures.speedNote(Text::tr("TTFT, one prompt")), "time.time_to_first_token_s");
    figures.add(Text::tr("per token"), time.timePerOutputTokenSeconds, Unit::Seconds,
                figures.speedNote(Text::tr("TPOT, mean")), "time.time_per_output_token_s");
    if (time.outputTokensPerSecond) {
        const QString note = time.requestsPerSecond
                                 ? Text::tr("%1 requests / s").arg(text(*time.requestsPerSecond, Unit::None, style))
                                 : QString();
        figures.add(Text::tr("output tokens / s"), rounded(*time.outputTokensPerSecond, style), figures.speedNote(note),
                    "time.output_tokens_per_s");
    }
}

void addMoney(Figures &figures, const GpuReport<double> &gpu, const Scenario &scenario, const NumberStyle &style) {
    const int world = scenario.parallelism.world();
    figures.add(Text::tr("power"), gpu.power.nodeWatts, Unit::Watts,
                Text::tr("site %1", "power of the site").arg(text(gpu.power.siteWatts, Unit::Watts, style)),
                "power.node_w");
    figures.add(Text::tr("$ / M tokens"), gpu.cost.usdPerMillionTokens, Unit::Usd,
                figures.speedNote(world == 1 ? Text::tr("own, 1 GPU") : Text::tr("own, %1 GPUs").arg(world)),
                "cost.usd_per_million_tokens");
    figures.add(Text::tr("TCO / GPU price"), gpu.cost.tcoOverGpuPrice, Unit::Factor,
                gpu.cost.gpuUsd ? Text::tr("of %1").arg(text(*gpu.cost.gpuUsd, Unit::Usd, style)) : QString(),
                "cost.tco_over_gpu_price");
}

/// The three totals that people compare, each in both units.
QString totalsTip(const GpuReport<double> &gpu, const NumberStyle &style) {
    NumberStyle other = style;
    other.bytes = style.bytes == ByteUnits::Decimal ? ByteUnits::Binary : ByteUnits::Decimal;
    const auto both = [&](double bytes) {
        return Text::tr("%1 = %2", "GB, GiB").arg(bytesText(bytes, style), bytesText(bytes, other));
    };
    const StageMemory<double> &worst = gpu.memory.worst();
    return QStringList{Text::tr("allocated by the framework at its peak: %1").arg(both(worst.allocatedBytes)),
                       Text::tr("reserved, with the allocator's slack: %1").arg(both(worst.reservedBytes)),
                       Text::tr("nvidia-smi, with the driver's context: %1").arg(both(worst.totalBytes)),
                       Text::tr("usable: %1").arg(both(worst.totalBytes + gpu.memory.headroomBytes))}
        .join(u'\n');
}

} // namespace

Verdict verdictOf(const Report<double> &report, const Scenario &scenario, std::size_t selected,
                  const NumberStyle &style) {
    const GpuReport<double> &gpu = report.gpus[selected];
    Verdict verdict;
    verdict.fits = gpu.fits;
    verdict.gpu = QString::fromStdString(gpu.gpu);
    const double needed = gpu.memory.worst().totalBytes;
    const QString needs = bytesText(needed, style);
    // Engines that allocate ahead may use only their share of the memory: that is what there is.
    const QString has = bytesText(needed + gpu.memory.headroomBytes, style);
    const QString name = QString::fromStdString(gpu.gpuShortName);
    verdict.headline = gpu.fits ? Text::tr("Fits on %1: needs %2, has %3.").arg(name, needs, has)
                                : Text::tr("Does not fit on %1: needs %2, has %3.").arg(name, needs, has);
    verdict.tip = totalsTip(gpu, style);
    verdict.next = nextSentence(report, scenario, selected, style);
    Figures figures(verdict.figures, style, gpu.fits);
    if (report.task == Task::Training)
        addTraining(figures, gpu, scenario, style);
    else
        addInference(figures, gpu, style);
    if (gpu.hasPerformance)
        addMoney(figures, gpu, scenario, style);
    return verdict;
}

} // namespace ridgepoint
