// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a safetensors file, and the index of a model in several: tensors without their data.
#pragma once

#include "core/import/byte_source.h"
#include "core/import/stored_tensor.h"
#include "core/scenario/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

struct SafetensorsHeader {
    std::vector<StoredTensor> tensors; ///< in the order of their data
    std::uint64_t headerBytes = 0;     ///< up to where data begins
    std::uint64_t dataBytes = 0;
    bool hasData = true; ///< false: the file ends with its header
};

/// Reads the header through a small window. Errors name the tensor's field or the byte: a length beyond the file or
/// above 100 MB, text that is not strict JSON of the format's form, unknown types, sizes that 64 bits do not hold or
/// that differ from shape x type, names that stand twice, data that overlaps, leaves gaps, or lies outside the file.
/// Source: https://github.com/huggingface/safetensors, format section of the README and safetensors/src/tensor.rs.
Expected<SafetensorsHeader> readSafetensorsHeader(const ByteSource &file);

struct SafetensorsIndex {
    struct Entry {
        std::string tensor;
        std::size_t file; ///< into `files`
    };
    std::vector<std::string> files;   ///< names beside the index, sorted
    std::vector<Entry> entries;       ///< sorted by file, then tensor
    std::optional<double> totalBytes; ///< as `metadata.total_size` says
};

/// Reads a model.safetensors.index.json. Errors as above; file names must be plain.
Expected<SafetensorsIndex> readSafetensorsIndex(const ByteSource &file);

} // namespace ridgepoint
