// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What one control edits: a row of the field table, with its words, its range and how it reads and writes a scenario.
#pragma once

#include "core/number/quantity.h"
#include "core/scenario/scenario.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ridgepoint {

/// monostate: automatic, as `null` in a file. Choices are ids of the file format, lists are GPU ids or flags that are
/// on.
using FieldValue = std::variant<std::monostate, double, bool, std::string, std::vector<std::string>>;

enum class FieldGroup { Model, Workload, Precision, Parallelism, Hardware, Reserves, Economics };
enum class FieldKind { Quantity, Choice, Switch, Flags, GpuList };
enum class Scale { Linear, Logarithmic };

/// A value that people would try and that does not work here, with the reason.
struct RefusedStop {
    double value = 0;
    QString reason;
    friend bool operator==(const RefusedStop &, const RefusedStop &) = default;
};

/// The values a slider stops at, ascending. `only`: no other value works, so the track shows a dot at each, and a ring
/// at each refused one.
struct Stops {
    std::vector<double> values;
    bool only = false;
    std::vector<RefusedStop> refused = {};
};

struct FieldChoice {
    std::string id;
    QString name;
    QString help;
};

struct ControlField {
    QString id; ///< scenario path, as `training.micro_batch`; also the objectName of its control
    FieldGroup group = FieldGroup::Workload;
    QString label;
    QString help; ///< one sentence or two, for the tool tip
    FieldKind kind = FieldKind::Quantity;

    // quantities
    Unit unit = Unit::None;
    double minimum = 0, maximum = 0; ///< inclusive; a value outside is refused
    Scale scale = Scale::Linear;
    bool whole = false;    ///< only whole numbers
    bool optional = false; ///< may be automatic
    QString automaticText; ///< shown where an automatic value has no single figure, as `one node`

    std::function<FieldValue(const Scenario &)> get;
    std::function<void(Scenario &, const FieldValue &, const Catalog &)> set; ///< pre: accept() found nothing
    std::function<bool(const Scenario &)> appliesTo;
    std::function<Stops(const Scenario &, const Catalog &)> stops;                      ///< quantities
    std::function<std::optional<double>(const Scenario &, const Catalog &)> automatic;  ///< optional quantities
    std::function<std::vector<FieldChoice>(const Scenario &, const Catalog &)> choices; ///< choices, flags

    /// Why this value cannot be stored in this field; nullopt when it can. Rules between fields are not looked at.
    std::optional<Problem> refusal(const FieldValue &value, const Scenario &scenario, const Catalog &catalog) const;
    /// A value as its text field shows it: whole numbers in full up to seven digits, else rounded with a prefix.
    QString text(double value, const NumberStyle &style) const;
};

} // namespace ridgepoint
