// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors in messages.
#include "core/import/stored_tensor.h"

#include "core/import/strict_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridgepoint {

std::string shownDimensions(const std::vector<std::uint64_t> &dimensions) {
    return dimensions.empty() ? std::string("no dimensions") : fmt::format("{}", fmt::join(dimensions, " x "));
}

std::string shownTensor(std::string_view name) {
    constexpr std::size_t longest = 120;
    return "tensor " + (name.empty() ? std::string("\"\"") : shownText(name, longest));
}

} // namespace ridgepoint
