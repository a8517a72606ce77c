// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of the catalogue's files, one per kind of entry; each leaves out entries with mistakes and reports them.
#pragma once

#include "core/catalog/entry.h"

namespace ridgepoint::catalog {

void readArchitectures(const nlohmann::json &document, const FileContext &context, Catalog &catalog,
                       Problems &problems);
/// Needs the architectures and the general facts. Entries replace earlier ones of the same id.
void readGpus(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
/// Entries replace earlier ones of the same id.
void readModels(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);

/// Before the formats, whose mixes name them.
void readBlockTypes(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readFormats(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readOptimizers(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readRecipes(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readFrameworks(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readEngines(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);

void readEconomics(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
/// Needs the frameworks and engines, and gives each the band of its own cases or the generic one.
void readBands(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readGrids(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readGeneral(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readDefaults(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);
void readQuantities(const nlohmann::json &document, const FileContext &context, Catalog &catalog, Problems &problems);

} // namespace ridgepoint::catalog
