// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Relative errors as people read them.
#pragma once

#include <fmt/format.h>

#include <string>

namespace ridgepoint {

/// `3.1%`
inline std::string percentText(double share) {
    return fmt::format("{:.1f}%", share * 100);
}

/// `+3.1%`
inline std::string signedPercentText(double share) {
    return fmt::format("{:+.1f}%", share * 100);
}

} // namespace ridgepoint
