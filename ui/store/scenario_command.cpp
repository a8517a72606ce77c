// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One step of the history: the scenario before and after, and when two of them are one.
#include "ui/store/scenario_command.h"

namespace ridgepoint {

namespace {

/// Keys, wheel turns and typed values further apart are steps of their own.
constexpr qint64 mergeMilliseconds = 1000;

} // namespace

ScenarioCommand::ScenarioCommand(ScenarioStore &store, Edit edit, Scenario after, const QString &text)
    : QUndoCommand(text), store_(store), edit_(std::move(edit)), before_(store.scenario()), after_(std::move(after)) {}

bool ScenarioCommand::mergeWith(const QUndoCommand *other) {
    const auto *next = static_cast<const ScenarioCommand *>(other);
    const bool sameField = !edit_.fieldId.isEmpty() && next->edit_.fieldId == edit_.fieldId;
    if (!sameField || next->edit_.epoch != edit_.epoch || next->edit_.gesture != edit_.gesture)
        return false;
    if (edit_.gesture == 0 && next->edit_.milliseconds - edit_.milliseconds >= mergeMilliseconds)
        return false;
    edit_.milliseconds = next->edit_.milliseconds;
    after_ = next->after_;
    setObsolete(before_ == after_);
    return true;
}

} // namespace ridgepoint
