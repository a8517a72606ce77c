// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the window's state lives: edits become undo steps, and every change one evaluation per event-loop
// turn.
#include "ui/store/scenario_store.h"

#include "core/report/explain_report.h"
#include "core/scenario/checks.h"
#include "core/search/advice.h"

#include "ui/store/field_table.h"
#include "ui/store/scenario_command.h"

#include <QElapsedTimer>
#include <QScopedValueRollback>

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr int historySteps = 1000;
/// Advice tries many changes: too much for every step of a drag.
constexpr int adviceMilliseconds = 150;

std::function<qint64()> steadyClock() {
    QElapsedTimer timer;
    timer.start();
    return [timer] { return timer.elapsed(); };
}

/// `hardware.gpus` has `hardware.gpus[1].id` as a part.
bool isPart(std::string_view path, std::string_view field) {
    return path.starts_with(field) &&
           (path.size() == field.size() || path[field.size()] == '.' || path[field.size()] == '[');
}

} // namespace

ScenarioStore::ScenarioStore(const Catalog &catalog, Scenario scenario, QObject *parent)
    : QObject(parent), catalog_(catalog), scenario_(std::move(scenario)), clock_(steadyClock()) {
    history_.setUndoLimit(historySteps);
    evaluation_.setSingleShot(true);
    evaluation_.setInterval(0);
    connect(&evaluation_, &QTimer::timeout, this, &ScenarioStore::evaluateNow);
    advising_.setSingleShot(true);
    advising_.setInterval(adviceMilliseconds);
    connect(&advising_, &QTimer::timeout, this, &ScenarioStore::adviseNow);
    connect(&history_, &QUndoStack::indexChanged, this, [this] {
        if (!isPushing_)
            ++epoch_;
    });
    evaluateNow();
}

Problems ScenarioStore::problemsOf(const QString &fieldId) const {
    if (problems_.empty())
        return {};
    const std::string id = fieldId.toStdString();
    // A part with a row of its own says its problem there.
    const auto hasOwnRow = [&](const Problem &problem) {
        return std::ranges::any_of(fieldTable(), [&](const ControlField &other) {
            const std::string otherId = other.id.toStdString();
            return otherId.size() > id.size() && isPart(otherId, id) && isPart(problem.field, otherId) &&
                   other.appliesTo(scenario_);
        });
    };
    Problems own;
    std::ranges::copy_if(problems_, std::back_inserter(own),
                         [&](const Problem &p) { return isPart(p.field, id) && !hasOwnRow(p); });
    return own;
}

std::optional<Problem> ScenarioStore::edit(const QString &fieldId, const FieldValue &value, Gesture gesture) {
    const ControlField *field = fieldOf(fieldId);
    if (field == nullptr)
        return Problem{fieldId.toStdString(), "no such field", "a field of the scenario"};
    if (auto problem = field->refusal(value, scenario_, catalog_))
        return problem;
    Scenario after = scenario_;
    field->set(after, value, catalog_);
    push(fieldId, std::move(after), field->label, gesture);
    return std::nullopt;
}

void ScenarioStore::setModel(const ModelChoice &model, const QString &undoText) {
    Scenario after = scenario_;
    adoptModel(after, model);
    push({}, std::move(after), undoText, newGesture());
}

void ScenarioStore::push(const QString &fieldId, Scenario after, const QString &text, Gesture gesture) {
    if (after == scenario_)
        return;
    const QScopedValueRollback<bool> pushing(isPushing_, true);
    history_.push(new ScenarioCommand(*this, {fieldId, gesture, epoch_, clock_()}, std::move(after), text));
}

void ScenarioStore::apply(const Scenario &scenario) {
    scenario_ = scenario;
    evaluation_.start();
    Q_EMIT scenarioChanged();
}

void ScenarioStore::open(const Scenario &scenario, const QString &fileName, bool isSaved) {
    history_.clear();
    if (!isSaved)
        history_.resetClean();
    ++epoch_;
    fileName_ = fileName;
    apply(scenario);
    flush();
    Q_EMIT fileNameChanged();
}

void ScenarioStore::markSaved(const QString &fileName) {
    fileName_ = fileName;
    ++epoch_;
    history_.setClean();
    Q_EMIT fileNameChanged();
}

void ScenarioStore::flush() {
    if (!evaluation_.isActive())
        return;
    evaluation_.stop();
    evaluateNow();
}

void ScenarioStore::adviseNow() {
    advising_.stop();
    addAdvice(report_, reported_, catalog_);
    Q_EMIT adviceChanged();
}

void ScenarioStore::evaluateNow() {
    Problems problems = checkScenario(scenario_, catalog_);
    const bool changed = problems != problems_;
    problems_ = std::move(problems);
    if (problems_.empty()) {
        report_ = evaluate<double>(scenario_, catalog_);
        reported_ = scenario_;
        keepSelection();
        advising_.start();
    }
    if (changed)
        Q_EMIT problemsChanged();
    if (problems_.empty())
        Q_EMIT reportChanged();
}

void ScenarioStore::keepSelection() {
    const auto found = std::ranges::find(report_.gpus, selectedId_, &GpuReport<double>::gpu);
    selectedGpu_ = found != report_.gpus.end() ? static_cast<std::size_t>(found - report_.gpus.begin()) : 0;
    selectedId_ = report_.gpus.empty() ? std::string() : report_.gpus[selectedGpu_].gpu;
}

void ScenarioStore::selectGpu(const QString &gpuId) {
    if (selectedId_ == gpuId.toStdString())
        return;
    selectedId_ = gpuId.toStdString();
    keepSelection();
    Q_EMIT selectedGpuChanged();
}

std::optional<ExplainedStep> ScenarioStore::explain(const QString &gpuId, const QString &path) const {
    auto step = explainQuantity(reported_, catalog_, gpuId.toStdString(), path.toStdString());
    return step ? std::optional(std::move(*step)) : std::nullopt;
}

} // namespace ridgepoint
