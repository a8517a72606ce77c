// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a model that a config can declare and that a reading must not silently leave out.
#pragma once

#include "core/import/config_reader.h"

#include <string_view>

namespace ridgepoint {

/// Refuses every part that would change the weights and that no getter asked for: a config with one is of another kind
/// than its family. Multi-token-prediction blocks are only noted.
void checkStructure(ConfigReader &config);

/// Why a family that is known by name is not modelled; empty for others.
std::string_view reasonNotModelled(std::string_view modelType);

/// Whether the key is one of those that every config has and that size nothing (token ids, dropout, rope, versions).
bool sizesNothing(std::string_view key);

} // namespace ridgepoint
