// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What every fuzzer holds a result against: problems say something, and numbers are finite and not negative.
#pragma once

#include "core/scenario/problem.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ridgepoint {

inline std::string_view textOf(const std::uint8_t *data, std::size_t size) {
    return {reinterpret_cast<const char *>(data), size};
}

inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

template <class T>
void checkProblems(const Expected<T> &result) {
    if (result) {
        return;
    }
    require(!result.error().empty());
    for (const Problem &problem : result.error()) {
        require(!problem.found.empty() && problem.message().size() < 100'000);
    }
}

inline void checkReport(const nlohmann::ordered_json &value) { // NOLINT(misc-no-recursion): reports are shallow
    if (value.is_number_float()) {
        require(std::isfinite(value.get<double>()));
    } else if (value.is_number_integer()) {
        require(value.get<std::int64_t>() >= 0);
    } else if (value.is_structured()) {
        for (const nlohmann::ordered_json &member : value) {
            checkReport(member);
        }
    }
}

} // namespace ridgepoint
