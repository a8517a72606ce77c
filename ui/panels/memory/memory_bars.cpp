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

MemoryBars memoryBars(const Report<double> &report, ByteUnits units, const QString &selectedGpu) {
    MemoryBars result;
    std::array<bool, memoryPartCount> used{};
    for (const GpuReport<double> &gpu : report.gpus) {
        const StageMemory<double> &worst = gpu.memory.worst();
        MemoryBar bar;
        bar.gpuId = QString::fromStdString(gpu.gpu);
        bar.gpuName = QString::fromStdString(gpu.gpuShortName.empty() ? gpu.gpuName : gpu.gpuShortName);
        std::copy(worst.components.begin(), worst.components.end(), bar.bytes.begin());
        bar.bytes[std::size_t(MemoryPart::Fragmentation)] = worst.fragmentationBytes;
        bar.bytes[std::size_t(MemoryPart::Context)] = worst.contextBytes;
        bar.totalBytes = worst.totalBytes;
        bar.capacityBytes = gpu.memory.capacityBytes;
        bar.limitBytes = std::min(gpu.memory.headroomBytes + worst.totalBytes, bar.capacityBytes);
        bar.preallocatedBytes = gpu.memory.preallocatedBytes;
        bar.fits = gpu.fits;
        bar.peak = wordsFor(worst.peakInstant);
        for (std::size_t part = 0; part < memoryPartCount; ++part)
            used[part] = used[part] || bar.bytes[part] > 0;
        result.neededTop = std::max({result.neededTop, bar.totalBytes, bar.capacityBytes});
        if (bar.gpuId == selectedGpu)
            result.selected = result.bars.size();
        result.bars.push_back(std::move(bar));
    }
    result.scale = byteScaleFor(result.neededTop, units);
    if (result.bars.empty())
        return result;
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

QString pathOf(MemoryPart part) {
    static const std::array<QString, memoryPartCount> keys{
        QStringLiteral("weights"),          QStringLiteral("gradients"),        QStringLiteral("master_weights"),
        QStringLiteral("optimizer_states"), QStringLiteral("activations"),      QStringLiteral("logits"),
        QStringLiteral("kv_cache"),         QStringLiteral("gathered_weights"), QStringLiteral("communication_buffers"),
        QStringLiteral("workspace"),        QStringLiteral("fragmentation"),    QStringLiteral("context")};
    return QStringLiteral("memory.") % keys[std::size_t(part)] % QStringLiteral("_bytes");
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
