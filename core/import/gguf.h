// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a GGUF file: keys and tensors, without the tensors' data.
#pragma once

#include "core/import/byte_source.h"
#include "core/import/stored_tensor.h"
#include "core/scenario/problem.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ridgepoint {

/// A list is counted; its numbers are kept where it is short, whole (or true and false), and no tokenizer's.
struct GgufList {
    std::uint64_t count = 0;
    std::vector<std::int64_t> numbers;
};

/// Whole numbers are signed where 63 bits hold them.
using GgufValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, GgufList>;

struct GgufHeader {
    std::uint32_t version = 0;
    std::map<std::string, GgufValue, std::less<>> values; ///< texts are cut after 256 bytes
    std::vector<StoredTensor> tensors;
    std::uint64_t headerBytes = 0; ///< up to where data begins
    std::uint64_t dataBytes = 0;   ///< that the tensors need, gaps for alignment included
    bool hasData = true;           ///< false: the file ends with its header

    const GgufValue *find(std::string_view key) const {
        const auto it = values.find(key);
        return it == values.end() ? nullptr : &it->second;
    }
};

/// Reads versions 2 and 3, little endian. Reads no more than the header, through a buffer. Errors name the key, the
/// tensor or the byte: foreign files, counts and lengths beyond the file, unknown types, keys or tensors that stand
/// twice, sizes that 64 bits do not hold, tensors that overlap or lie outside the file, a header above 100 MB.
/// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
Expected<GgufHeader> readGgufHeader(const ByteSource &file);

} // namespace ridgepoint
