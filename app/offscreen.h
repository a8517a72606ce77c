// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing without a display: picks the platform and keeps Qt's remarks about it off standard error.
#pragma once

namespace ridgepoint {

/// Before the application object is made.
void prepareOffscreen();

} // namespace ridgepoint
