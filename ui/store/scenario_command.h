// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One step of the history: the scenario before and after, and when two of them are one.
#pragma once

#include "ui/store/scenario_store.h"

#include <QUndoCommand>

namespace ridgepoint {

class ScenarioCommand : public QUndoCommand {
public:
    struct Edit {
        QString fieldId;
        Gesture gesture = 0;
        int epoch = 0;
        qint64 milliseconds = 0;
    };

    ScenarioCommand(ScenarioStore &store, Edit edit, Scenario after, const QString &text);

    void undo() override { store_.apply(before_); }
    void redo() override { store_.apply(after_); }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    ScenarioStore &store_;
    Edit edit_;
    Scenario before_, after_;
};

} // namespace ridgepoint
