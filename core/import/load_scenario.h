// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a scenario file from disk, with the model file it may point to.
#pragma once

#include "core/import/import.h"
#include "core/scenario/file.h"

#include <string>

namespace ridgepoint {

/// An imported model as a scenario takes it. Error: weights that do not tell the model's shape.
Expected<ModelChoice> choiceOf(const ImportedModel &model, const std::string &reference);

/// Loads the model that `model.config` names, relative to `folder` (empty: the working directory).
ConfigLoader configLoaderFor(const std::string &folder);

/// Reads and checks the scenario at `path`. Errors: those of the file system, of the text and of its rules, all at
/// once.
Expected<Scenario> loadScenario(const std::string &path, const Catalog &catalog);

} // namespace ridgepoint
