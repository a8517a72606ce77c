// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of every key of the scenario file: how it is read, written and checked. Reader, writer and checks walk it.
#pragma once

#include "core/scenario/reading.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct Field {
    std::string path;     ///< as `training.micro_batch`
    std::string_view key; ///< the part after the section
    /// Stores the value, or reports why it cannot.
    std::function<void(const nlohmann::json &, Scenario &, Reading &)> read;
    std::function<nlohmann::ordered_json(const Scenario &)> write;
    /// Ranges and ids of a scenario that did not come from a file; empty where the type says it all.
    std::function<void(const Scenario &, const Catalog &, Problems &)> check;
};

/// One object of the file, in the order in which it is written.
struct Section {
    std::string_view name; ///< empty: the top level
    std::vector<Field> fields;

    const Field *field(std::string_view key) const;
    std::vector<std::string_view> keys() const;
};

/// Top level (ridgepoint, name, task), then training, inference, parallelism, hardware, economics. `model` is apart: it
/// has four forms (model_choice.h).
std::span<const Section> sections();

/// The keys of an explicit model.
const Section &shapeSection();

/// The names of the top level in the order of the file, sections included.
std::vector<std::string_view> topLevelKeys();

/// The sections by themselves, so that each has its own file.
Section topSection();
Section trainingSection();
Section inferenceSection();
Section parallelismSection();
Section hardwareSection();
Section economicsSection();
Section modelShapeSection();

} // namespace ridgepoint
