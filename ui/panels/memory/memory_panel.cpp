// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The memory card: which GPU and stage it shows, its words, its table; memory_paint.cpp draws it.
#include "ui/panels/memory/memory_panel.h"

#include "ui/panels/axis.h"
#include "ui/panels/drawing.h"
#include "ui/panels/memory/memory_parts.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr int axisLines = 5;

/// What stands behind an entry of the selector: -1 the heaviest stage, -2 all, else the stage.
constexpr int heaviestEntry = -1;
constexpr int besideEntry = -2;

} // namespace

MemoryPanel::MemoryPanel(QWidget *parent) : Panel(parent), parts_(std::make_unique<Parts>()) {
    auto *selector = new QComboBox(this);
    selector->setObjectName(QStringLiteral("memory.stage"));
    selector->setAccessibleName(tr("Pipeline stage shown in the memory panel"));
    selector->setToolTip(tr("Pipeline stages differ in layers and in what is in flight; the heaviest one decides "
                            "whether it fits."));
    selector->setAccessibleDescription(selector->toolTip());
    selector->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    selector->hide();
    connect(selector, &QComboBox::activated, this, [this](int index) {
        const int entry = parts_->selector->itemData(index).toInt();
        setStageView(entry == heaviestEntry ? StageView{}
                     : entry == besideEntry ? StageView{StageView::Kind::SideBySide, 0}
                                            : StageView{StageView::Kind::One, static_cast<std::size_t>(entry)});
    });
    parts_->selector = selector;
}

MemoryPanel::~MemoryPanel() = default;

QString MemoryPanel::id() const {
    return QStringLiteral("memory");
}

QString MemoryPanel::title() const {
    return tr("Memory per GPU");
}

QString MemoryPanel::workloadText() const {
    const auto &system = options().system;
    if (!system || !(system->sequenceTokens > 0))
        return {};
    const auto count = [&](double value) {
        return QString::fromStdString(formatExact(value, Unit::Count, options().style));
    };
    return system->microBatch > 0
               ? tr("micro-batch %1 × %2 tokens").arg(count(system->microBatch), count(system->sequenceTokens))
               : tr("%1 × %2 tokens", "sequences, tokens of each")
                     .arg(count(system->concurrentSequences), count(system->sequenceTokens));
}

QString MemoryPanel::subtitle() const {
    const MemoryBars &bars = parts_->bars;
    if (bars.bars.empty())
        return {};
    QStringList words{bars.scale.unit};
    const MemoryBar &selected = bars.bars[bars.selected];
    if (bars.stageCount > 1) {
        const NumberStyle &style = options().style;
        words.append(bars.view.kind == StageView::Kind::One ? tr("stage %1").arg(bars.view.stage)
                                                            //: least and most memory of a pipeline stage
                                                            : tr("stages %1 to %2")
                                                                  .arg(textIn(bars.scale, bars.leastStageBytes, style),
                                                                       textIn(bars.scale, bars.mostStageBytes, style)));
    }
    //: %1: as "at the loss"
    words.append(tr("peak %1").arg(selected.peak));
    if (const QString workload = workloadText(); !workload.isEmpty())
        words.append(workload);
    return words.join(QStringLiteral(", "));
}

QString MemoryPanel::shortSubtitle() const {
    const MemoryBars &bars = parts_->bars;
    if (bars.bars.empty())
        return {};
    if (bars.stageCount > 1 && bars.view.kind != StageView::Kind::One)
        return tr("%1, stages %2 to %3")
            .arg(bars.scale.unit, textIn(bars.scale, bars.leastStageBytes, options().style),
                 textIn(bars.scale, bars.mostStageBytes, options().style));
    const QString workload = workloadText();
    return workload.isEmpty() ? tr("%1, peak %2").arg(bars.scale.unit, bars.bars[bars.selected].peak)
                              : tr("%1, %2").arg(bars.scale.unit, workload);
}

std::unique_ptr<Panel> MemoryPanel::sibling() const {
    auto copy = std::make_unique<MemoryPanel>();
    copy->parts_->view = parts_->view;
    return copy;
}

void MemoryPanel::setStageView(const StageView &view) {
    if (view == parts_->view)
        return;
    parts_->view = view;
    setReport(report(), options());
}

StageView MemoryPanel::stageView() const {
    return parts_->bars.view;
}

double MemoryPanel::titleRowReserve() const {
    return parts_->selector->isVisibleTo(this) ? parts_->selector->width() + 10 : 0;
}

void MemoryPanel::fillSelector() {
    Parts &p = *parts_;
    const QSignalBlocker blocker(p.selector);
    const std::size_t stages = p.bars.stageCount;
    if (stages < 2) {
        p.selector->hide();
        return;
    }
    if (stages != p.listedStages || p.bars.heaviestStage != p.listedHeaviest) {
        p.selector->clear();
        p.selector->addItem(tr("Heaviest: stage %1").arg(p.bars.heaviestStage), heaviestEntry);
        if (stages <= mostStagesBeside)
            p.selector->addItem(tr("All %1 stages").arg(stages), besideEntry);
        for (std::size_t stage = 0; stage < stages; ++stage)
            p.selector->addItem(tr("Stage %1").arg(stage), static_cast<int>(stage));
        p.listedStages = stages;
        p.listedHeaviest = p.bars.heaviestStage;
    }
    const StageView &view = p.bars.view;
    const int entry = view.kind == StageView::Kind::Heaviest     ? heaviestEntry
                      : view.kind == StageView::Kind::SideBySide ? besideEntry
                                                                 : static_cast<int>(view.stage);
    p.selector->setCurrentIndex(p.selector->findData(entry));
    const QFont font = theme().font(TextRole::Secondary);
    if (p.selector->font() != font)
        p.selector->setFont(font);
    p.selector->show();
    placeSelector();
}

void MemoryPanel::placeSelector() {
    QComboBox &selector = *parts_->selector;
    const QSize hint = selector.sizeHint();
    const int height = std::min(hint.height(), int(contentArea(size()).top()) - 6);
    const int width = std::min(hint.width(), this->width() / 3);
    selector.setGeometry(this->width() - 12 - width, 6, width, height);
}

void MemoryPanel::resizeEvent(QResizeEvent *event) {
    Panel::resizeEvent(event);
    placeSelector();
}

void MemoryPanel::refresh() {
    Parts &p = *parts_;
    p.bars = memoryBars(report(), options().style.bytes, selectedGpu(), p.view);
    if (!isAway())
        fillSelector();
    if (p.bars.scale != p.axisScale) {
        p.axisScale = p.bars.scale;
        p.axis = {};
    }
    const double unit = p.bars.scale.bytesPerUnit;
    p.axis = followingAxis(p.axis, p.bars.neededTop / unit * 1.01, axisLines, options().dragging);
    std::vector<std::vector<double>> values;
    for (const MemoryBar &bar : p.bars.bars) {
        values.emplace_back(bar.bytes.begin(), bar.bytes.end());
        for (double &bytes : values.back())
            bytes /= unit;
    }
    p.chart.setValues(values);
    p.chart.setTop(p.axis.top);
    for (std::size_t part = 0; part < memoryPartCount; ++part)
        p.chart.setStyle(part, theme().memory(MemoryPart(part)));
}

QString MemoryPanel::asTable() const {
    const MemoryBars &bars = parts_->bars;
    const NumberStyle &style = options().style;
    QString text = tr("Memory (%1)").arg(bars.scale.unit);
    for (const MemoryBar &bar : bars.bars)
        text += QLatin1Char('\t') % bar.gpuName;
    text += QLatin1Char('\n');
    const auto row = [&](const QString &name, auto &&value) {
        text += name;
        for (const MemoryBar &bar : bars.bars)
            text += QLatin1Char('\t') % value(bar);
        text += QLatin1Char('\n');
    };
    for (const MemoryLegendGroup &group : bars.legend) {
        for (const MemoryLegendRow &entry : group.rows)
            row(nameOf(entry.part),
                [&](const MemoryBar &bar) { return textIn(bars.scale, bar.bytes[std::size_t(entry.part)], style); });
    }
    const auto bytes = [&](double value) { return textIn(bars.scale, value, style); };
    row(tr("Allocated"), [&](const MemoryBar &bar) { return bytes(bar.allocatedBytes); });
    row(tr("Reserved"), [&](const MemoryBar &bar) { return bytes(bar.reservedBytes); });
    row(tr("Total"), [&](const MemoryBar &bar) { return textIn(bars.scale, bar.totalBytes, style); });
    row(tr("Capacity"), [&](const MemoryBar &bar) { return textIn(bars.scale, bar.capacityBytes, style); });
    if (std::ranges::any_of(bars.bars, [](const MemoryBar &bar) { return bar.hostBytes > 0; }))
        row(tr("Host memory"), [&](const MemoryBar &bar) { return bytes(bar.hostBytes); });
    row(tr("Verdict"), [&](const MemoryBar &bar) { return bar.fits ? tr("fits") : tr("does not fit"); });
    return text;
}

QString MemoryPanel::spoken() const {
    const MemoryBars &bars = parts_->bars;
    QStringList sentences;
    for (const MemoryBar &bar : bars.bars) {
        const QString needs = textIn(bars.scale, bar.totalBytes, options().style);
        const QString has = textIn(bars.scale, bar.capacityBytes, options().style);
        sentences.append((bar.fits ? tr("%1 needs %2 of %3 %4: fits.") : tr("%1 needs %2 of %3 %4: does not fit."))
                             .arg(bar.gpuName, needs, has, bars.scale.unit));
        if (bar.totalBytes > bar.limitBytes)
            sentences.append(
                tr("Short by %1 %2.")
                    .arg(textIn(bars.scale, bar.totalBytes - bar.limitBytes, options().style), bars.scale.unit));
    }
    if (!bars.instants.empty())
        sentences.append(tr("The peak is %1.").arg(bars.bars[bars.selected].peak));
    if (bars.stageCount > 1)
        sentences.append(tr("Stage %1 of %2 is the heaviest.").arg(bars.heaviestStage).arg(bars.stageCount));
    return sentences.join(QLatin1Char(' '));
}

} // namespace ridgepoint
