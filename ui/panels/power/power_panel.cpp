// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Power bars and the cost bar of one GPU, with a selector where several are ticked.
#include "ui/panels/power/power_panel.h"

#include "ui/panels/drawing.h"
#include "ui/panels/power/power_bars.h"

#include <QComboBox>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

struct PowerPanel::Parts {
    PowerBars power;
    CostBars cost;
    QComboBox *selector = nullptr; // child of the panel
    double powerTop = 0;           ///< watts at the right end of the bars
    std::vector<std::string> listed;
};

PowerPanel::PowerPanel(QWidget *parent, PowerContent content)
    : Panel(parent), content_(content), parts_(std::make_unique<Parts>()) {
    auto *selector = new QComboBox(this);
    selector->setObjectName(QStringLiteral("power.gpu"));
    selector->setAccessibleName(tr("GPU shown in the power and cost panel"));
    selector->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    selector->hide();
    connect(selector, &QComboBox::activated, this,
            [this](int index) { Q_EMIT gpuSelected(parts_->selector->itemData(index).toString()); });
    parts_->selector = selector;
}

PowerPanel::~PowerPanel() = default;

QString PowerPanel::id() const {
    return content_ == PowerContent::Cost ? QStringLiteral("cost") : QStringLiteral("power");
}

QString PowerPanel::title() const {
    switch (content_) {
    case PowerContent::Power:
        return tr("Power");
    case PowerContent::Cost:
        return tr("Total cost of ownership");
    case PowerContent::PowerAndCost:
        break;
    }
    return tr("Power and total cost of ownership");
}

QString PowerPanel::subtitle() const {
    const GpuReport<double> *gpu = selectedReport();
    if (!gpu)
        return {};
    QStringList facts;
    if (isAway() || report().gpus.size() < 2)
        facts.append(QString::fromStdString(gpu->gpuShortName.empty() ? gpu->gpuName : gpu->gpuShortName));
    if (const std::optional<SystemFacts> &system = options().system) {
        const NumberStyle &style = options().style;
        if (system->gpuCount > 0)
            facts.append(system->gpuCount == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(system->gpuCount));
        facts.append(QString::fromStdString(formatQuantity(system->lifetimeYears, Unit::Years, style)));
        facts.append(QString::fromStdString(formatQuantity(system->usdPerKwh, Unit::UsdPerKwh, style)));
    }
    return facts.join(QStringLiteral(", "));
}

QString PowerPanel::shortSubtitle() const {
    const std::optional<SystemFacts> &system = options().system;
    if (!system || system->gpuCount <= 0)
        return {};
    return system->gpuCount == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(system->gpuCount);
}

std::unique_ptr<Panel> PowerPanel::sibling() const {
    return std::make_unique<PowerPanel>(nullptr, content_);
}

double PowerPanel::titleRowReserve() const {
    return parts_->selector->isVisibleTo(this) ? parts_->selector->width() + 10 : 0;
}

void PowerPanel::refresh() {
    Parts &p = *parts_;
    const GpuReport<double> *gpu = selectedReport();
    if (!gpu) {
        p.selector->hide();
        p.listed.clear();
        return;
    }
    p.power = powerBars(*gpu, options());
    p.cost = costBars(*gpu, options());
    const double needed = p.power.mostWatts > 0 ? p.power.mostWatts : 1;
    p.powerTop = options().dragging ? std::max(p.powerTop, needed) : needed;
    if (isAway())
        return;
    std::vector<std::string> listed;
    for (const GpuReport<double> &each : report().gpus)
        listed.push_back(each.gpu);
    const QSignalBlocker blocker(p.selector);
    if (listed != p.listed) {
        p.selector->clear();
        for (const GpuReport<double> &each : report().gpus)
            p.selector->addItem(QString::fromStdString(each.gpuShortName.empty() ? each.gpuName : each.gpuShortName),
                                QString::fromStdString(each.gpu));
        p.listed = std::move(listed);
    }
    p.selector->setCurrentIndex(p.selector->findData(QString::fromStdString(gpu->gpu)));
    const QFont font = theme().font(TextRole::Secondary);
    if (p.selector->font() != font)
        p.selector->setFont(font);
    p.selector->setVisible(report().gpus.size() > 1);
    placeSelector();
}

void PowerPanel::placeSelector() {
    QComboBox &selector = *parts_->selector;
    const QSize hint = selector.sizeHint();
    const int height = std::min(hint.height(), int(contentArea(size()).top()) - 6);
    const int width = std::min(hint.width(), this->width() / 3);
    selector.setGeometry(this->width() - 12 - width, 6, width, height);
}

void PowerPanel::resizeEvent(QResizeEvent *event) {
    Panel::resizeEvent(event);
    placeSelector();
}

void PowerPanel::paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    if (content_ == PowerContent::Power) {
        paintPower(painter, area, spots);
        return;
    }
    if (content_ == PowerContent::Cost) {
        paintCost(painter, area, spots);
        return;
    }
    const double gap = std::clamp(area.width() * 0.04, 16.0, 40.0);
    const double left = std::round((area.width() - gap) * (area.width() < 520 ? 0.46 : 0.49));
    paintPower(painter, QRectF(area.left(), area.top(), left, area.height()), spots);
    paintCost(painter, QRectF(area.left() + left + gap, area.top(), area.width() - left - gap, area.height()), spots);
}

void PowerPanel::paintPower(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    const Parts &p = *parts_;
    const Theme &t = theme();
    const QString gpuId = selectedGpu();
    const QFont secondary = t.font(TextRole::Secondary);
    const QFont label = t.font(TextRole::Label);
    const QFont heading = [&] {
        QFont font = secondary;
        font.setWeight(QFont::DemiBold);
        return font;
    }();
    const double headingRow = lineHeight(heading);
    const double textRow = lineHeight(secondary);
    drawText(painter, QRectF(area.left(), area.top(), area.width(), headingRow), Qt::AlignLeft, tr("Power"), heading,
             t.secondaryInk);

    double nameWidth = 0;
    double valueWidth = 0;
    for (const PowerBar &bar : p.power.bars) {
        nameWidth = std::max(nameWidth, textWidth(secondary, bar.name));
        valueWidth = std::max(valueWidth, textWidth(label, bar.value));
    }
    // Where names would take the bars' room, the short ones do.
    const bool isNarrow = nameWidth > area.width() * 0.36;
    if (isNarrow) {
        nameWidth = 0;
        for (const PowerBar &bar : p.power.bars)
            nameWidth = std::max(nameWidth, textWidth(secondary, bar.shortName.isEmpty() ? bar.name : bar.shortName));
    }
    const double energyRow = textRow + 8;
    const double top = area.top() + headingRow + 5;
    const double row = std::clamp((area.bottom() - energyRow - top) / double(p.power.bars.size()), textRow, 40.0);
    const double barLeft = area.left() + nameWidth + 10;
    const double room = std::max(area.right() - barLeft - valueWidth - 8, 10.0);
    double y = top;
    for (const PowerBar &bar : p.power.bars) {
        drawText(painter, QRectF(area.left(), y, nameWidth, row), Qt::AlignLeft | Qt::AlignVCenter,
                 isNarrow && !bar.shortName.isEmpty() ? bar.shortName : bar.name, secondary, t.ink);
        const double thickness = std::min(18.0, row - 5);
        const double length = std::max(room * bar.watts / p.powerTop, 2.0);
        const QRectF mark(barLeft, std::round(y + (row - thickness) / 2), length, thickness);
        const MarkStyle style = t.mark(t.powerColour);
        painter.setPen(style.outlined ? QPen(style.edge, 1) : QPen(Qt::NoPen));
        painter.setBrush(style.fill);
        const double inset = style.outlined ? 0.5 : 0;
        painter.drawRoundedRect(mark.adjusted(inset, inset, -inset, -inset), 2, 2);
        const double valueLeft = mark.right() + 7;
        const double width = textWidth(label, bar.value);
        drawText(painter, QRectF(valueLeft, y, width, row), Qt::AlignLeft | Qt::AlignVCenter, bar.value, label, t.ink);
        QString spoken = bar.name % QStringLiteral(": ") % bar.value;
        if (!bar.note.isEmpty()) {
            spoken += QStringLiteral(" (") % bar.note % QLatin1Char(')');
            const double noteRoom = area.right() - valueLeft - width - 6;
            const QString full = QStringLiteral("(") % bar.note % QLatin1Char(')');
            const QString note = firstThatFits({full, bar.shortNote}, secondary, noteRoom);
            drawText(painter, QRectF(valueLeft + width + 6, y, noteRoom, row), Qt::AlignLeft | Qt::AlignVCenter, note,
                     secondary, t.secondaryInk);
        }
        spots.push_back(
            {QRectF(area.left(), y + 1, valueLeft + width - area.left(), row - 2), gpuId, bar.path, spoken});
        y += row;
    }
    const QRectF energy(area.left(), y + 6, area.width(), textRow);
    if (energy.bottom() <= area.bottom() + 2) {
        const QString line =
            firstThatFits({p.power.energy, p.power.shortEnergy, p.power.shortestEnergy}, secondary, area.width());
        drawText(painter, energy, Qt::AlignLeft | Qt::AlignVCenter, line, secondary, t.secondaryInk);
        spots.push_back(
            {QRectF(energy.topLeft(), QSizeF(std::min(textWidth(secondary, p.power.energy), energy.width()), textRow)),
             gpuId, p.power.energyPath, p.power.energy});
    }
}

void PowerPanel::paintCost(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) {
    const Parts &p = *parts_;
    const Theme &t = theme();
    const QString gpuId = selectedGpu();
    const QFont secondary = t.font(TextRole::Secondary);
    const QFont heading = [&] {
        QFont font = secondary;
        font.setWeight(QFont::DemiBold);
        return font;
    }();
    const double headingRow = lineHeight(heading);
    const QRectF headingPlace(area.left(), area.top(), area.width(), headingRow);
    drawText(painter, headingPlace, Qt::AlignLeft,
             firstThatFits({p.cost.heading, p.cost.shortHeading}, heading, area.width()), heading, t.secondaryInk);
    if (!p.cost.headingPath.isEmpty())
        spots.push_back({QRectF(headingPlace.topLeft(),
                                QSizeF(std::min(textWidth(heading, p.cost.heading), area.width()), headingRow)),
                         gpuId, p.cost.headingPath, p.cost.heading});

    // What is under the bar decides how high it may be.
    std::vector<LegendEntry> legend;
    for (const CostSlice &slice : p.cost.slices)
        legend.push_back({t.cost(slice.term), slice.name, slice.value});
    LegendSize legendSize = LegendSize::Usual;
    LegendFlow flow = flowLegend(legend, t, area.width(), false);
    const double sentenceRow = lineHeight(secondary) + 2;
    // Every segment keeps its name: first the figures go, then type gets smaller, then the sentences go.
    const auto isTooHigh = [&] { return area.height() - headingRow - flow.height - 34 < sentenceRow; };
    if (isTooHigh()) {
        for (LegendEntry &entry : legend)
            entry.value.clear();
        flow = flowLegend(legend, t, area.width(), false);
    }
    if (isTooHigh()) {
        legendSize = LegendSize::Tight;
        flow = flowLegend(legend, t, area.width(), false, legendSize);
    }
    const double rest = area.height() - headingRow - 6 - flow.height - 12;
    const std::size_t sentences =
        std::min(p.cost.sentences.size(), std::size_t(std::max(rest - 10, 0.0) / sentenceRow));
    const double barHeight = std::clamp(rest - double(sentences) * sentenceRow, 8.0, 30.0);
    const QRectF bar(area.left(), area.top() + headingRow + 6, area.width(), std::round(barHeight));
    double x = bar.left();
    const QFont figure = t.font(TextRole::Label);
    for (const CostSlice &slice : p.cost.slices) {
        const double width = p.cost.totalUsd > 0 ? bar.width() * slice.usd / p.cost.totalUsd : 0;
        const QRectF place(x, bar.top(), width, bar.height());
        const MarkStyle style = t.cost(slice.term);
        painter.setBrush(style.fill);
        painter.setPen(QPen(style.edge, style.outlined ? 1 : 0.8));
        painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
        if (bar.height() >= lineHeight(figure) && textWidth(figure, slice.value) + 10 <= width)
            drawText(painter, place, Qt::AlignHCenter | Qt::AlignVCenter, slice.value, figure, t.textOn(style.fill));
        spots.push_back({place, gpuId, slice.path, slice.name % QStringLiteral(": ") % slice.value});
        x += width;
    }
    const QPointF corner(area.left(), bar.bottom() + 6);
    drawLegend(painter, corner, legend, flow, t, false, legendSize);
    for (std::size_t i = 0; i < legend.size(); ++i) {
        const CostSlice &slice = p.cost.slices[i];
        spots.push_back(
            {flow.places[i].translated(corner), gpuId, slice.path, slice.name % QStringLiteral(": ") % slice.value});
    }
    double y = corner.y() + flow.height + 4;
    for (const CostSentence &sentence : p.cost.sentences) {
        if (y + sentenceRow > area.bottom() + 3)
            break;
        const bool good = sentence.tone == CostSentence::Tone::Good;
        const QRectF place(area.left(), y, area.width(), sentenceRow);
        const QFont font = good ? t.font(TextRole::Label) : secondary;
        const QString line = firstThatFits({sentence.text, sentence.shortText}, font, area.width());
        if (line.isEmpty())
            continue;
        drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, line, font, good ? t.fits : t.ink);
        if (!sentence.path.isEmpty())
            spots.push_back({QRectF(place.topLeft(),
                                    QSizeF(std::min(textWidth(secondary, sentence.text), place.width()), sentenceRow)),
                             gpuId, sentence.path, sentence.text});
        y += sentenceRow;
    }
}

QString PowerPanel::asTable() const {
    const Parts &p = *parts_;
    const auto row = [this](const QString &name, double value) -> QString {
        return name % QLatin1Char('\t') % QString::fromStdString(formatPlain(value, options().style)) %
               QLatin1Char('\n');
    };
    QString text;
    if (showsPower()) {
        text += tr("Power") % QStringLiteral("\tW\n");
        for (const PowerBar &bar : p.power.bars)
            text += row(bar.name, bar.watts);
    }
    if (showsCost()) {
        text += tr("Cost over the lifetime") % QStringLiteral("\tUSD\n");
        for (const CostSlice &slice : p.cost.slices)
            text += row(slice.name, slice.usd);
        for (const CostSentence &sentence : p.cost.sentences)
            text += sentence.text % QLatin1Char('\n');
    }
    return text;
}

QString PowerPanel::spoken() const {
    const Parts &p = *parts_;
    const GpuReport<double> *gpu = selectedReport();
    if (!gpu)
        return {};
    QStringList words{QString::fromStdString(gpu->gpuName)};
    if (showsPower()) {
        for (const PowerBar &bar : p.power.bars)
            words.append(bar.name % QLatin1Char(' ') % bar.value);
    }
    if (showsCost()) {
        words.append(p.cost.heading);
        for (const CostSentence &sentence : p.cost.sentences)
            words.append(sentence.text);
    }
    return words.join(QStringLiteral("; "));
}

} // namespace ridgepoint
