// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue's facts as JSON and as Markdown, each figure with its source.
#pragma once

#include "core/catalog/catalog.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace ridgepoint {

/// The kinds that can be listed: gpus, models, formats, optimizers, recipes, frameworks, engines, links, grids,
/// economics.
std::span<const std::string_view> catalogKinds();

/// A list of entries; each figure is `{"value", "source"}`, with `estimate`, `note` and `confidence` where they apply.
/// Pre: a known kind.
nlohmann::ordered_json catalogJson(std::string_view kind, const Catalog &catalog);

/// The same as a page: a heading per entry and a table of its figures.
std::string catalogMarkdown(std::string_view kind, const Catalog &catalog);

} // namespace ridgepoint
