// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue this user sees: the built-in facts and the files of the user's data folder.
#pragma once

#include "core/catalog/catalog.h"

#include <string>

namespace ridgepoint {

/// `$XDG_DATA_HOME/ridgepoint`, or `~/.local/share/ridgepoint`; empty where neither variable is set.
std::string userDataFolder();

/// Built-in facts plus those of `folder`. Mistakes in a file are printed on standard error, and the rest loads.
Catalog catalogWithUserFiles(const std::string &folder);

} // namespace ridgepoint
