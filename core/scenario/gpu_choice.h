// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs that a scenario ticks: catalogue ids, or GPUs derived from them with some figures changed.
#pragma once

#include "core/scenario/fields.h"

namespace ridgepoint {

/// `hardware.gpus`. An empty list leaves the default.
Field gpusField();

} // namespace ridgepoint
