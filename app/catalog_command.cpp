// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `catalog`: the facts and their sources.
#include "core/export/catalog_json.h"

#include "app/commands.h"
#include "app/output.h"

namespace ridgepoint {

int runCatalog(const CatalogOptions &options, const Catalog &catalog) {
    return writeOutput(
        {},
        options.format == "markdown"
            ? catalogMarkdown(options.kind, catalog)
            : catalogJson(options.kind, catalog).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                  "\n");
}

} // namespace ridgepoint
