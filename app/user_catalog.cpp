// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and reads the user's own facts.
#include "app/user_catalog.h"

#include "app/output.h"

#include <cstdlib>

namespace ridgepoint {

std::string userDataFolder() {
    if (const char *home = std::getenv("XDG_DATA_HOME"); home != nullptr && *home != '\0') {
        return std::string(home) + "/ridgepoint";
    }
    if (const char *home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        return std::string(home) + "/.local/share/ridgepoint";
    }
    return {};
}

Catalog catalogWithUserFiles(const std::string &folder) {
    CatalogResult result = builtInCatalog();
    if (!folder.empty()) {
        addUserFolder(result, folder);
    }
    for (const CatalogResult::FileProblem &each : result.problems) {
        printProblems(each.file, {each.problem});
    }
    return std::move(result.catalog);
}

} // namespace ridgepoint
