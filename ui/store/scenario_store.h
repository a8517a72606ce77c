// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the window's state lives: scenario, history, report and problems. Controls ask it, views listen
// to it.
#pragma once

#include "core/number/explain.h"
#include "core/report/report.h"

#include "ui/store/field.h"

#include <QObject>
#include <QTimer>
#include <QUndoStack>

#include <functional>
#include <optional>

namespace ridgepoint {

/// Names one drag, so that it is one undo step; 0 for keys, wheel and typing, which merge within a second.
using Gesture = quint64;

class ScenarioStore : public QObject {
    Q_OBJECT

public:
    /// The catalogue must outlive the store.
    ScenarioStore(const Catalog &catalog, Scenario scenario, QObject *parent = nullptr);

    const Catalog &catalog() const { return catalog_; }
    const Scenario &scenario() const { return scenario_; }
    /// Of the last scenario that worked; see isReportCurrent().
    const Report<double> &report() const { return report_; }
    /// The scenario that report() belongs to.
    const Scenario &reportedScenario() const { return reported_; }
    /// False while problems() keep the scenario from being evaluated.
    bool isReportCurrent() const { return problems_.empty(); }
    const Problems &problems() const { return problems_; }
    /// Those that name this field or a part of it.
    Problems problemsOf(const QString &fieldId) const;

    /// Stores one value. A value that the field cannot take is refused: nothing changes and the reason comes back. A
    /// value that does not go with the other fields is stored, and problems() says so.
    std::optional<Problem> edit(const QString &fieldId, const FieldValue &value, Gesture gesture = 0);
    /// A name for a drag that begins now.
    Gesture newGesture() { return ++lastGesture_; }
    /// Changes the model as one undo step, as an import does.
    void setModel(const ModelChoice &model, const QString &undoText);

    QUndoStack &history() { return history_; }
    bool isClean() const { return history_.isClean(); }

    /// Starts over with another scenario and an empty history. `isSaved`: the file holds just this. Pre:
    /// checkScenario() found nothing.
    void open(const Scenario &scenario, const QString &fileName, bool isSaved = true);
    /// The scenario was written to this file.
    void markSaved(const QString &fileName);
    QString fileName() const { return fileName_; }

    /// Which GPU of the report the verdict speaks of. An index into report().gpus, always valid while that is not
    /// empty.
    std::size_t selectedGpu() const { return selectedGpu_; }
    void selectGpu(const QString &gpuId);

    /// The worked sum of one number of the report, by GPU and path as `memory.weights_bytes`.
    std::optional<ExplainedStep> explain(const QString &gpuId, const QString &path) const;

    /// Evaluates now what otherwise waits for the end of the event-loop turn.
    void flush();
    /// Looks now for what would make the scenario fit, which otherwise waits until edits have paused.
    void adviseNow();
    /// Milliseconds from any start; tests bring their own.
    void setClock(std::function<qint64()> milliseconds) { clock_ = std::move(milliseconds); }

Q_SIGNALS:
    void scenarioChanged();
    void problemsChanged();
    void reportChanged();
    void adviceChanged(); ///< of the same report
    void selectedGpuChanged();
    void fileNameChanged();

private:
    friend class ScenarioCommand;
    void apply(const Scenario &scenario);
    void push(const QString &fieldId, Scenario after, const QString &text, Gesture gesture);
    void evaluateNow();
    void keepSelection();

    const Catalog &catalog_;
    Scenario scenario_, reported_;
    Report<double> report_;
    Problems problems_;
    QUndoStack history_;
    QTimer evaluation_, advising_;
    QString fileName_;
    std::string selectedId_;
    std::size_t selectedGpu_ = 0;
    Gesture lastGesture_ = 0;
    int epoch_ = 0; ///< changes with every undo, redo, save and opening: steps of two epochs never merge
    bool isPushing_ = false;
    std::function<qint64()> clock_;
};

} // namespace ridgepoint
