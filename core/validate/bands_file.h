// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the bands of measured errors that reports carry beside each predicted total.
#pragma once

#include "core/validate/validate.h"

#include <string>

namespace ridgepoint {

/// The text of resources/bands.json for these results. A framework or engine with at least eight measured cases of a
/// kind has a band of its own: measured / predicted at the 5th and 95th percentile; all others share `generic`, in
/// which every source counts the same. Refused cases are left out.
std::string bandsFile(const ValidationResult &result);

} // namespace ridgepoint
