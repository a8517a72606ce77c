// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What closing keeps and reopening brings back: the last scenario that worked, its file, and how the window stood.
#pragma once

#include "core/scenario/scenario.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace ridgepoint {

struct SessionState {
    std::optional<Scenario> scenario; ///< absent: nothing was kept, or it can no longer be read
    QString fileName;
    bool isSaved = true;
    QByteArray geometry;
    QByteArray columns; ///< of the splitter between controls and panels
    bool binaryBytes = false;
    int theme = 0; ///< of ThemeChoice
};

class Session {
public:
    /// Everything lies in this folder; an empty name keeps nothing.
    explicit Session(QString folder) : folder_(std::move(folder)) {}

    SessionState load(const Catalog &catalog) const;
    /// False where the folder cannot be written.
    bool save(const SessionState &state) const;

private:
    QString folder_;
};

} // namespace ridgepoint
