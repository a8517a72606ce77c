// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One walk over a GPU's report that names every key of the contract; JSON, CSV, Markdown, explain and the inspector all
// read through it.
#pragma once

#include "core/report/report.h"

namespace ridgepoint {

/// Calls, in the order of the contract:
///   visitor.beginObject(key), visitor.endObject(), visitor.beginArray(key), visitor.endArray(),
///   visitor.beginItem() / visitor.endItem() around each object inside an array,
///   visitor.number(key, const N &) for what formulas produce, visitor.count(key, double) for plain numbers (indices,
///   counts), visitor.text(key, std::string_view), visitor.flag(key, bool), visitor.null(key).
/// Absent quantities are not called at all. Keys carry their unit.
template <Number N, class Visitor>
void visitReport(const GpuReport<N> &report, Visitor &visitor);

} // namespace ridgepoint

#include "core/report/visit.inl"
