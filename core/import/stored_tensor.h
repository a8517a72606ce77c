// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor as the header of a weights file describes it, with the arithmetic that cannot wrap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct StoredTensor {
    std::string name;
    std::string_view type; ///< as the format names it: `q4_K`, `BF16`
    /// Slowest first, as PyTorch writes a shape. Of more than four, the fourth holds the product of the rest.
    std::array<std::uint64_t, 4> shape{1, 1, 1, 1};
    int rank = 0;
    std::uint64_t elements = 1;
    std::uint64_t bytes = 0;
};

/// Bounds of a header: far above what models have (a trillion parameters in experts make 220,000 tensors), and low
/// enough that a hostile file takes neither time nor memory.
inline constexpr std::uint64_t longestHeaderBytes = 100'000'000;
inline constexpr std::size_t mostTensorsOfFile = 250'000;
inline constexpr std::size_t mostTensorsOfModel = 500'000;
inline constexpr std::size_t longestTensorName = 256;
/// Of a tensor and of a file, in elements and in bytes: beyond it a double no longer tells neighbouring counts apart.
inline constexpr std::uint64_t mostElements = std::uint64_t{1} << 53U;

/// Absent where 64 bits do not hold it.
inline std::optional<std::uint64_t> checkedProduct(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}
inline std::optional<std::uint64_t> checkedSum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
}

/// `4096 x 128`, for messages.
std::string shownDimensions(const std::vector<std::uint64_t> &dimensions);

/// Name of a tensor in a message, made safe to show.
std::string shownTensor(std::string_view name);

} // namespace ridgepoint
