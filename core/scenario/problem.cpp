// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a problem reads in words.
#include "core/scenario/problem.h"

namespace ridgepoint {

std::string Problem::message() const {
    std::string text;
    if (!field.empty()) {
        text += field + ": ";
    }
    text += "found " + found;
    if (!allowed.empty()) {
        text += ", allowed " + allowed;
    }
    return text;
}

} // namespace ridgepoint
