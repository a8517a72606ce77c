// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Weights on disk: one file, or all the parts that a name or an index stands for.
#pragma once

#include "core/import/gguf.h"
#include "core/import/safetensors.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// The header of a GGUF file; of a split one (`split.count`, names as NAME-00001-of-00003.gguf) the keys of the first
/// part and the tensors of all. Errors of a part, a missing one too, name its file.
Expected<GgufHeader> readGgufFiles(const std::string &path, std::vector<std::string> &warnings);

/// All tensors of a safetensors file, of the parts of one (NAME-00001-of-00003.safetensors) or of an index
/// (NAME.safetensors.index.json). Errors of a part, a missing one too, name its file.
Expected<std::vector<StoredTensor>> readSafetensorsFiles(const std::string &path, std::vector<std::string> &warnings);

/// Whether the file is the index of a model in parts, by its name.
bool isSafetensorsIndex(const std::string &path);

} // namespace ridgepoint
