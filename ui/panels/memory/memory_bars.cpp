// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Report to memory stacks and their legend.
#include "ui/panels/memory/memory_bars.h"

#include <QCoreApplication>

#include <algorithm>

namespace ridgepoint {

namespace {

QString translated(const char *text) {
    return QCoreApplication::translate("MemoryPanel", text);
}

QString wordsFor(Instant instant) {
    switch (instant) {
    case Instant::ForwardEnd:
        return translated("at the end of forward");
    case Instant::Loss:
        return translated("at the loss");
    case Instant::BackwardStart:
        return translated("as backward starts");
    case Instant::BackwardEnd:
        return translated("at the end of backward");
    case Instant::OptimizerStep:
        return translated("at the optimizer step");
    case Instant::Prefill:
        return translated("during prefill");
    case Instant::Decode:
        return translated("during decode");
    }
    return {};
}

/// The instant itself, as a heading.
QString nameFor(Instant instant) {
    switch (instant) {
    case Instant::ForwardEnd:
        return translated("forward");
    case Instant::Loss:
        return translated("loss");
    case Instant::BackwardStart:
        return translated("backward starts");
    case Instant::BackwardEnd:
        return translated("backward ends");
    case Instant::OptimizerStep:
        return translated("optimizer");
    case Instant::Prefill:
        return translated("prefill");
    case Instant::Decode:
        return translated("decode");
    }
    return {};
}

} // namespace

ByteScale byteScaleFor(double largestBytes, ByteUnits units) {
    const bool binary = units == ByteUnits::Binary;
    const double kilo = binary ? 1024 : 1000;
    const double giga = kilo * kilo * kilo;
    if (largestBytes >= 20 * giga * kilo)
        return {giga * kilo, binary ? QStringLiteral("TiB") : QStringLiteral("TB")};
    if (largestBytes >= giga)
        return {giga, binary ? QStringLiteral("GiB") : QStringLiteral("GB")};
    return {kilo * kilo, binary ? QStringLiteral("MiB") : QStringLiteral("MB")};
}

namespace {

QString shortName(const GpuReport<double> &gpu) {
    return QString::fromStdString(gpu.gpuShortName.empty() ? gpu.gpuName : gpu.gpuShortName);
}

MemoryBar barOf(const GpuReport<double> &gpu, const StageMemory<double> &stage) {
    MemoryBar bar;
    bar.gpuId = QString::fromStdString(gpu.gpu);
    bar.gpuName = bar.owner = shortName(gpu);
    std::copy(stage.components.begin(), stage.components.end(), bar.bytes.begin());
    bar.bytes[std::size_t(MemoryPart::Fragmentation)] = stage.fragmentationBytes;
    bar.bytes[std::size_t(MemoryPart::Context)] = stage.contextBytes;
    bar.allocatedBytes = stage.allocatedBytes;
    bar.reservedBytes = stage.reservedBytes;
    bar.totalBytes = stage.totalBytes;
    bar.hostBytes = gpu.memory.hostBytes.value_or(stage.hostBytes);
    bar.capacityBytes = gpu.memory.capacityBytes;
    bar.limitBytes = std::min(gpu.memory.headroomBytes + gpu.memory.worst().totalBytes, bar.capacityBytes);
    bar.preallocatedBytes = gpu.memory.preallocatedBytes;
    bar.fits = stage.totalBytes <= bar.limitBytes;
    bar.peak = wordsFor(stage.peakInstant);
    return bar;
}

MemoryBar barOfStage(const GpuReport<double> &gpu, std::size_t stage) {
    MemoryBar bar = barOf(gpu, gpu.memory.stages[stage]);
    bar.prefix = QStringLiteral("memory.stages[%1].").arg(stage);
    bar.owner = translated("stage %1 on %2").arg(stage).arg(bar.gpuName);
    bar.isHeaviest = stage == gpu.memory.worstStage;
    return bar;
}

std::vector<MemoryInstant> instantsOf(const GpuReport<double> &gpu) {
    std::vector<MemoryInstant> instants;
    const StageMemory<double> &worst = gpu.memory.worst();
    for (std::size_t i = 0; i < instantCount; ++i) {
        if (const auto &bytes = worst.allocatedByInstant[i]) {
            const auto instant = Instant(i);
            instants.push_back(
                {nameFor(instant),
                 QStringLiteral("memory.by_instant.") +
                     QString::fromUtf8(ridgepoint::keyOf(instant).data(), qsizetype(ridgepoint::keyOf(instant).size())),
                 *bytes, instant == worst.peakInstant});
        }
    }
    return instants;
}

void addStages(MemoryBars &result, const GpuReport<double> &gpu) {
    const auto &stages = gpu.memory.stages;
    result.stageCount = stages.size();
    result.heaviestStage = gpu.memory.worstStage;
    const auto [least, most] = std::ranges::minmax(stages, {}, &StageMemory<double>::totalBytes);
    result.leastStageBytes = least.totalBytes;
    result.mostStageBytes = most.totalBytes;
    result.instants = instantsOf(gpu);
}

void addBars(MemoryBars &result, const Report<double> &report, const QString &selectedGpu) {
    for (const GpuReport<double> &gpu : report.gpus) {
        const bool isSelected = QString::fromStdString(gpu.gpu) == selectedGpu;
        if (isSelected)
            result.selected = result.bars.size();
        if (result.view.kind == StageView::Kind::One && result.view.stage < gpu.memory.stages.size()) {
            result.bars.push_back(barOfStage(gpu, result.view.stage));
        } else {
            result.bars.push_back(barOf(gpu, gpu.memory.worst()));
            result.bars.back().fits = gpu.fits;
        }
    }
}

} // namespace

MemoryBars memoryBars(const Report<double> &report, ByteUnits units, const QString &selectedGpu,
                      const StageView &view) {
    MemoryBars result;
    if (report.gpus.empty())
        return result;
    const auto found = std::ranges::find_if(
        report.gpus, [&](const auto &gpu) { return QString::fromStdString(gpu.gpu) == selectedGpu; });
    const GpuReport<double> &gpu = found != report.gpus.end() ? *found : report.gpus.front();
    addStages(result, gpu);
    result.view = view;
    const bool isBeside = view.kind == StageView::Kind::SideBySide;
    if (result.stageCount < 2 || (isBeside && result.stageCount > mostStagesBeside) ||
        (view.kind == StageView::Kind::One && view.stage >= result.stageCount))
        result.view = {};
    if (result.view.kind == StageView::Kind::SideBySide) {
        for (std::size_t stage = 0; stage < result.stageCount; ++stage) {
            result.bars.push_back(barOfStage(gpu, stage));
            result.bars.back().gpuName = translated("stage %1").arg(stage);
        }
        result.selected = result.heaviestStage;
    } else {
        addBars(result, report, selectedGpu);
    }
    std::array<bool, memoryPartCount> used{};
    for (const MemoryBar &bar : result.bars) {
        for (std::size_t part = 0; part < memoryPartCount; ++part)
            used[part] = used[part] || bar.bytes[part] > 0;
        result.neededTop = std::max({result.neededTop, bar.totalBytes, bar.capacityBytes});
    }
    result.scale = byteScaleFor(result.neededTop, units);
    const MemoryBar &selected = result.bars[result.selected];
    for (std::size_t i = memoryPartCount; i-- > 0;) {
        if (!used[i])
            continue;
        const auto part = MemoryPart(i);
        if (result.legend.empty() || result.legend.back().family != familyOf(part))
            result.legend.push_back({familyOf(part), 0, {}});
        result.legend.back().rows.push_back({part, selected.bytes[i]});
        result.legend.back().bytes += selected.bytes[i];
    }
    return result;
}

QString bothUnits(double bytes, const NumberStyle &style) {
    NumberStyle other = style;
    other.bytes = style.bytes == ByteUnits::Decimal ? ByteUnits::Binary : ByteUnits::Decimal;
    return QString::fromStdString(formatQuantity(bytes, Unit::Bytes, style)) % QStringLiteral(" = ") %
           QString::fromStdString(formatQuantity(bytes, Unit::Bytes, other));
}

QString totalsText(const MemoryBar &bar, const NumberStyle &style) {
    QString text = translated("allocated (the framework's peak): %1\n"
                              "reserved (with the allocator's slack): %2\n"
                              "nvidia-smi (with the driver's context): %3")
                       .arg(bothUnits(bar.allocatedBytes, style), bothUnits(bar.reservedBytes, style),
                            bothUnits(bar.totalBytes, style));
    if (bar.totalBytes > bar.limitBytes)
        text += u'\n' % translated("short by %1 per GPU").arg(bothUnits(bar.totalBytes - bar.limitBytes, style));
    return text;
}

QString nameOf(MemoryPart part) {
    switch (part) {
    case MemoryPart::Weights:
        return translated("Weights");
    case MemoryPart::Gradients:
        return translated("Gradients");
    case MemoryPart::MasterWeights:
        return translated("Master weights");
    case MemoryPart::OptimizerStates:
        return translated("Optimizer states");
    case MemoryPart::Activations:
        return translated("Activations");
    case MemoryPart::Logits:
        return translated("Logits and loss");
    case MemoryPart::KvCache:
        return translated("KV cache");
    case MemoryPart::GatheredWeights:
        return translated("Gathered weights");
    case MemoryPart::CommunicationBuffers:
        return translated("Buffers");
    case MemoryPart::Workspace:
        return translated("Workspace");
    case MemoryPart::Fragmentation:
        return translated("Allocator slack");
    case MemoryPart::Context:
        return translated("Driver context");
    }
    return {};
}

QString nameOf(MemoryFamily family) {
    switch (family) {
    case MemoryFamily::ModelStates:
        return translated("model states");
    case MemoryFamily::Activations:
        return translated("activations");
    case MemoryFamily::Cache:
        return translated("cache");
    case MemoryFamily::Runtime:
        return translated("runtime");
    }
    return {};
}

QString keyOf(MemoryPart part) {
    static const std::array<QString, memoryPartCount> keys{QStringLiteral("weights_bytes"),
                                                           QStringLiteral("gradients_bytes"),
                                                           QStringLiteral("master_weights_bytes"),
                                                           QStringLiteral("optimizer_states_bytes"),
                                                           QStringLiteral("activations_bytes"),
                                                           QStringLiteral("logits_bytes"),
                                                           QStringLiteral("kv_cache_bytes"),
                                                           QStringLiteral("gathered_weights_bytes"),
                                                           QStringLiteral("communication_buffers_bytes"),
                                                           QStringLiteral("workspace_bytes"),
                                                           QStringLiteral("fragmentation_bytes"),
                                                           QStringLiteral("context_bytes")};
    return keys[std::size_t(part)];
}

QString pathOf(MemoryPart part) {
    return QStringLiteral("memory.") % keyOf(part);
}

QString textIn(const ByteScale &scale, double bytes, const NumberStyle &style) {
    const double value = bytes / scale.bytesPerUnit;
    if (value > 0 && value < 0.005)
        return QStringLiteral("<0") % QLatin1Char(style.decimalPoint) % QStringLiteral("01");
    if (value >= 0.005 && value < 1) {
        // As many decimals as its neighbours in the column have at most.
        return QString::number(value, 'f', 2).replace(QLatin1Char('.'), QLatin1Char(style.decimalPoint));
    }
    return QString::fromStdString(formatQuantity(value, Unit::None, style));
}

} // namespace ridgepoint
