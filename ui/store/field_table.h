// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of every control: a new slider is a new row.
#pragma once

#include "ui/store/field.h"

#include <span>

namespace ridgepoint {

/// All rows, group by group, in the order in which they stand on screen.
std::span<const ControlField> fieldTable();
/// The row of one scenario path; nullptr for none.
const ControlField *fieldOf(const QString &id);

QString groupName(FieldGroup group);

} // namespace ridgepoint
