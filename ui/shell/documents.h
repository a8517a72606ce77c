// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the window: scenarios in and out, models in. Errors are problems for people; nothing is half written.
#pragma once

#include "core/scenario/scenario.h"

#include <QString>

namespace ridgepoint {

enum class DocumentKind { Scenario, Model };

/// By name: folders and config files hold a model, everything else is tried as a scenario.
DocumentKind kindOf(const QString &path);

/// What a window starts with: the scenario the program ships with, on GPUs that tell each other apart.
Scenario firstScenario(const Catalog &catalog);

Expected<Scenario> readScenarioFile(const QString &path, const Catalog &catalog);
Expected<ModelChoice> readModelFile(const QString &path);
/// The system's words when it cannot be written; empty when it was.
QString writeScenarioFile(const QString &path, const Scenario &scenario);

/// One line per problem, `FILE: field: found, allowed`.
QString problemLines(const QString &path, const Problems &problems);

} // namespace ridgepoint
