// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Measured cases: what somebody ran, what they measured, and where they published it. The yardstick of `validate`.
#pragma once

#include "core/scenario/problem.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Which rank a measured memory figure belongs to.
enum class MeasuredAt { WorstStage, FirstStage, LastStage, AllGpus };
std::string_view keyOf(MeasuredAt at); ///< as `first_stage`

/// One figure that was measured.
struct Measurement {
    std::string key;      ///< as in the file: `memory`, or the report's key, as `step_s`
    std::string quantity; ///< path in the report that predicts it, as `memory.reserved_bytes`
    std::string kind;     ///< what is summarized together, as `memory` or `decode`
    MeasuredAt at = MeasuredAt::WorstStage;
    double value = 0;                  ///< in the unit of the quantity's name
    std::optional<double> uncertainty; ///< relative, of the reading itself: unit, counter, rank, unrecorded settings
    bool isDuration = false;           ///< of a step: the error is that of the rate, so that faster is positive
};

struct MeasuredSource {
    std::string id;
    std::string name;
    std::string url;
    std::vector<std::string> assumed; ///< holds for all its cases
};

struct MeasuredCase {
    std::string id;
    std::string source;   ///< MeasuredSource::id
    std::string where;    ///< table and row; empty where the source has only one
    std::string url;      ///< the source's unless the case has its own
    std::string quality;  ///< `A`: everything known; `B`: what `assumed` lists was filled in
    std::string model;    ///< id of the shape in the file
    std::string scenario; ///< scenario file text
    std::vector<Measurement> measurements;
    std::vector<std::string> assumed; ///< beside those of the source
};

struct MeasuredSet {
    std::vector<MeasuredSource> sources;
    std::vector<MeasuredCase> cases;
    const MeasuredSource *source(std::string_view id) const;
};

/// Every kind, in the order in which summaries list them: `memory` (reading uncertain by up to 3 %), `memory-loose`
/// (the others), ... A speed whose reading is uncertain by more than 10 % is `speed-loose`.
std::span<const std::string_view> measuredKinds();

/// Reads files of the form of resources/measured/training.json: `sources` (with what their cases share: `scenario`
/// keys and `assumed`), `models` (shapes by id) and `cases`, whose `scenario` adds to that of its source. Errors: every
/// mistake, with its field.
Expected<MeasuredSet> readMeasured(std::span<const std::string_view> texts);

/// The cases that the program ships with. Parsed on each call, never at the start of the program.
Expected<MeasuredSet> measuredSet();

} // namespace ridgepoint
