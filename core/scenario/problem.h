// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A mistake that a user can make, as a value: which field, what was found there, what is allowed.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace ridgepoint {

struct Problem {
    std::string
        field; ///< path in the file or scenario, as `parallelism.tensor`; or `byte 24`; empty for the whole file
    std::string found;   ///< what was there, short, as `3`
    std::string allowed; ///< what would have been right, as `a divisor of 32 heads: 1, 2, 4, 8, 16, 32`

    /// `FIELD: found FOUND, allowed ALLOWED`: the text on screen and, behind `FILE: `, on standard error.
    std::string message() const;
    friend bool operator==(const Problem &, const Problem &) = default;
};

using Problems = std::vector<Problem>;

template <class T>
using Expected = tl::expected<T, Problems>;

} // namespace ridgepoint
