// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The panels: hands them the report, the selection and the theme, and the picked number to the inspector.
#include "ui/shell/panel_grid.h"

#include "ui/panels/power/power_panel.h"
#include "ui/shell/chart_export.h"

#include <QAction>
#include <QRegularExpression>
#include <QSignalBlocker>

namespace ridgepoint {

namespace {

/// What the inspector opens with, and falls back to when a picked number is no longer in the report.
constexpr auto firstPath = "memory.total_bytes";

const GpuReport<double> *reportOf(const Report<double> &report, const QString &gpuId) {
    for (const GpuReport<double> &gpu : report.gpus) {
        if (QString::fromStdString(gpu.gpu) == gpuId)
            return &gpu;
    }
    return nullptr;
}

/// What owns the number where the path has an index: an operation by name, a stage by number.
QString ownerOf(const QString &path, const GpuReport<double> &gpu) {
    static const QRegularExpression index(QStringLiteral("\\[(\\d+)\\]"));
    const QRegularExpressionMatch match = index.match(path);
    if (!match.hasMatch())
        return {};
    const auto i = static_cast<std::size_t>(match.captured(1).toULongLong());
    if (path.startsWith(QStringLiteral("roofline.operations")) && i < gpu.roofline.operations.size()) {
        const auto name = gpu.roofline.operations[i].name;
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return PanelGrid::tr("stage %1").arg(i);
}

} // namespace

PanelGrid::PanelGrid(ScenarioStore &store, const ViewSettings &settings, QWidget *parent)
    : QSplitter(Qt::Vertical, parent), store_(store), settings_(settings), inspector_(new InspectorPanel(this)) {
    setObjectName(QStringLiteral("panels"));
    setChildrenCollapsible(false);
    auto *upper = new QSplitter(Qt::Horizontal, this);
    auto *lower = new QSplitter(Qt::Horizontal, this);
    for (const auto &[chart, row] :
         {std::pair(QStringLiteral("memory"), upper), std::pair(QStringLiteral("roofline"), upper),
          std::pair(QStringLiteral("time"), lower), std::pair(QStringLiteral("power"), lower)}) {
        // The window shows power and cost on one card; as files they are two charts.
        const bool isPower = chart == QStringLiteral("power");
        Panel *panel = isPower ? new PowerPanel : makePanel(chart).release();
        const QStringList exported = isPower ? QStringList{chart, QStringLiteral("cost")} : QStringList{chart};
        auto *asFile = new QAction(tr("&Export…"), panel);
        panel->addAction(asFile);
        connect(asFile, &QAction::triggered, this, [this, exported] { Q_EMIT exportAsked(exported); });
        row->addWidget(panel);
        panels_.push_back(panel);
        connect(panel, &Panel::quantityPicked, this, &PanelGrid::inspect);
        connect(panel, &Panel::gpuSelected, &store_, &ScenarioStore::selectGpu);
    }
    for (QSplitter *row : {upper, lower}) {
        row->setChildrenCollapsible(false);
        row->setStretchFactor(0, 1);
        row->setStretchFactor(1, 1);
        row->setSizes({1000, 1000});
    }
    inspector_->setObjectName(QStringLiteral("inspector"));
    inspector_->setMinimumHeight(8 * fontMetrics().height());
    addWidget(upper);
    addWidget(lower);
    addWidget(inspector_);
    setStretchFactor(0, 51);
    setStretchFactor(1, 31);
    setStretchFactor(2, 18);
    setSizes({510, 310, 180});
    connect(upper, &QSplitter::splitterMoved, this, [this, upper, lower] { alignRows(upper, lower); });
    connect(lower, &QSplitter::splitterMoved, this, [this, upper, lower] { alignRows(lower, upper); });
    connect(&store_, &ScenarioStore::reportChanged, this, &PanelGrid::showReport);
    connect(&store_, &ScenarioStore::selectedGpuChanged, this, &PanelGrid::showSelection);
    connect(&settings_, &ViewSettings::numbersChanged, this, &PanelGrid::showReport);
    path_ = QString::fromLatin1(firstPath);
    showReport();
}

void PanelGrid::alignRows(QSplitter *moved, QSplitter *other) {
    const QSignalBlocker blocker(other);
    other->setSizes(moved->sizes());
}

void PanelGrid::setTheme(const Theme &theme) {
    for (Panel *panel : panels_)
        panel->setTheme(theme);
    inspector_->setTheme(theme);
}

void PanelGrid::setDragging(bool isDragging) {
    isDragging_ = isDragging;
    if (!isDragging) {
        store_.flush();
        showReport();
    }
}

void PanelGrid::showReport() {
    const DisplayOptions options{settings_.numbers(), isDragging_,
                                 systemFactsOf(store_.reportedScenario(), store_.catalog())};
    for (Panel *panel : panels_)
        panel->setReport(store_.report(), options);
    showSelection();
}

void PanelGrid::showSelection() {
    const auto &gpus = store_.report().gpus;
    if (gpus.empty())
        return;
    const QString selected = QString::fromStdString(gpus[store_.selectedGpu()].gpu);
    for (Panel *panel : panels_)
        panel->setSelectedGpu(selected);
    showInspected(selected);
}

void PanelGrid::inspect(const QString &gpuId, const QString &path) {
    path_ = path;
    const auto &gpus = store_.report().gpus;
    if (!gpus.empty() && QString::fromStdString(gpus[store_.selectedGpu()].gpu) != gpuId)
        store_.selectGpu(gpuId);
    else
        showSelection();
}

void PanelGrid::showInspected(const QString &gpuId) {
    auto step = store_.explain(gpuId, path_);
    if (!step) {
        path_ = QString::fromLatin1(firstPath);
        step = store_.explain(gpuId, path_);
    }
    const GpuReport<double> *gpu = reportOf(store_.report(), gpuId);
    if (!step || gpu == nullptr) {
        inspector_->clear();
        return;
    }
    Inspected inspected;
    const QString key = path_.section(u'.', -1);
    const QuantityInfo *info = store_.catalog().quantity(key.toStdString());
    const QString owner = ownerOf(path_, *gpu);
    inspected.label = info != nullptr ? QString::fromStdString(info->label) : QString::fromStdString(step->label);
    if (!owner.isEmpty())
        inspected.label = tr("%1, %2", "owner, quantity").arg(owner, inspected.label);
    inspected.help = info != nullptr ? QString::fromStdString(info->help) : QString();
    inspected.gpuName = QString::fromStdString(gpu->gpuShortName);
    inspected.step = std::move(*step);
    inspected.style = settings_.numbers();
    inspector_->show(inspected);
    for (Panel *panel : panels_)
        panel->setPickedQuantity(gpuId, path_);
}

} // namespace ridgepoint
