// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes as the command line writes them.
#pragma once

#include <QSize>

#include <optional>
#include <string>

namespace ridgepoint {

/// `1600x900`; nullopt for anything else and for sizes that no picture can have (1 to 16,384 each way).
std::optional<QSize> sizeFrom(const std::string &text);

/// Prints why a size was refused.
void refuseSize(const std::string &text);

} // namespace ridgepoint
