// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Short ways to write a row of the field table, and the groups of rows by themselves, so that each has its own file.
#pragma once

#include "ui/store/field.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ridgepoint::rows {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::Fields)
};

std::vector<ControlField> modelRows();
std::vector<ControlField> trainingRows();
std::vector<ControlField> adapterRows();
std::vector<ControlField> inferenceRows();
std::vector<ControlField> precisionRows();
std::vector<ControlField> recipeBytesRows();
std::vector<ControlField> parallelismRows();
std::vector<ControlField> reserveRows();
std::vector<ControlField> hardwareRows();
std::vector<ControlField> economicsRows();

inline bool isTraining(const Scenario &s) {
    return s.task == Task::Training;
}
inline bool isInference(const Scenario &s) {
    return s.task == Task::Inference;
}
inline bool always(const Scenario &) {
    return true;
}

using Applies = bool (*)(const Scenario &);

/// Bounds of a quantity and how its track runs.
struct Bounds {
    Unit unit = Unit::Count;
    double minimum = 1, maximum = 1;
    Scale scale = Scale::Logarithmic;
    bool whole = true;
};

/// A row without get and set.
ControlField row(const char *id, FieldGroup group, const QString &label, const QString &help, FieldKind kind,
                 Applies applies);

template <class T>
inline constexpr bool isOptional = false;
template <class T>
inline constexpr bool isOptional<std::optional<T>> = true;

/// A number; `member` gives a reference to an int, a double or an optional double of the scenario.
template <class Member>
ControlField quantity(const char *id, FieldGroup group, const QString &label, const QString &help, Bounds bounds,
                      Applies applies, Member member, Stops fixedStops) {
    using T = std::remove_cvref_t<decltype(member(std::declval<Scenario &>()))>;
    ControlField field = row(id, group, label, help, FieldKind::Quantity, applies);
    field.unit = bounds.unit;
    field.minimum = bounds.minimum;
    field.maximum = bounds.maximum;
    field.scale = bounds.scale;
    field.whole = bounds.whole;
    field.optional = isOptional<T>;
    field.get = [member](const Scenario &s) -> FieldValue {
        const T &value = member(const_cast<Scenario &>(s)); // NOLINT(cppcoreguidelines-pro-type-const-cast): read only
        if constexpr (isOptional<T>) {
            return value ? FieldValue(static_cast<double>(*value)) : FieldValue();
        } else {
            return static_cast<double>(value);
        }
    };
    field.set = [member](Scenario &s, const FieldValue &value, const Catalog &) {
        if constexpr (isOptional<T>) {
            const double *number = std::get_if<double>(&value);
            member(s) = number != nullptr ? T(static_cast<typename T::value_type>(*number)) : T();
        } else {
            member(s) = static_cast<T>(std::get<double>(value));
        }
    };
    field.stops = [stops = std::move(fixedStops)](const Scenario &, const Catalog &) { return stops; };
    return field;
}

template <class E>
struct Word {
    E value;
    std::string_view id;
    QString name;
    QString help;
};

/// A choice among the values of an enumeration.
template <class E, class Member>
ControlField words(const char *id, FieldGroup group, const QString &label, const QString &help, Applies applies,
                   Member member, std::vector<Word<E>> list) {
    ControlField field = row(id, group, label, help, FieldKind::Choice, applies);
    field.get = [member, list](const Scenario &s) -> FieldValue {
        for (const Word<E> &word : list) {
            if (member(const_cast<Scenario &>(s)) == word.value) // NOLINT(cppcoreguidelines-pro-type-const-cast)
                return std::string(word.id);
        }
        return {};
    };
    field.set = [member, list](Scenario &s, const FieldValue &value, const Catalog &) {
        for (const Word<E> &word : list) {
            if (std::get<std::string>(value) == word.id)
                member(s) = word.value;
        }
    };
    field.choices = [list](const Scenario &, const Catalog &) {
        std::vector<FieldChoice> choices;
        choices.reserve(list.size());
        for (const Word<E> &word : list)
            choices.push_back({std::string(word.id), word.name, word.help});
        return choices;
    };
    return field;
}

template <class Member>
ControlField toggle(const char *id, FieldGroup group, const QString &label, const QString &help, Applies applies,
                    Member member) {
    ControlField field = row(id, group, label, help, FieldKind::Switch, applies);
    field.get = [member](const Scenario &s) -> FieldValue {
        return static_cast<bool>(member(const_cast<Scenario &>(s))); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    };
    field.set = [member](Scenario &s, const FieldValue &value, const Catalog &) { member(s) = std::get<bool>(value); };
    return field;
}

/// Switches beside each other, each a flag of the same part of the scenario; `part` gives nullptr where that is absent.
template <class Part, class PartOf>
ControlField flags(const char *id, FieldGroup group, const QString &label, const QString &help, Applies applies,
                   PartOf part, std::vector<Word<bool Part::*>> list) {
    ControlField field = row(id, group, label, help, FieldKind::Flags, applies);
    field.get = [part, list](const Scenario &s) -> FieldValue {
        std::vector<std::string> on;
        const Part *from = part(const_cast<Scenario &>(s)); // NOLINT(cppcoreguidelines-pro-type-const-cast): read only
        for (const auto &word : list) {
            if (from != nullptr && from->*word.value)
                on.emplace_back(word.id);
        }
        return on;
    };
    field.set = [part, list](Scenario &s, const FieldValue &value, const Catalog &) {
        const auto &on = std::get<std::vector<std::string>>(value);
        Part *to = part(s);
        for (const auto &word : list) {
            if (to != nullptr)
                to->*word.value = std::ranges::find(on, word.id) != on.end();
        }
    };
    field.choices = [list](const Scenario &, const Catalog &) {
        std::vector<FieldChoice> choices;
        choices.reserve(list.size());
        for (const auto &word : list)
            choices.push_back({std::string(word.id), word.name, word.help});
        return choices;
    };
    return field;
}

/// A choice among the entries of a catalogue list, by id.
template <class Entries, class Member>
ControlField entries(const char *id, FieldGroup group, const QString &label, const QString &help, Applies applies,
                     Member member, Entries list) {
    ControlField field = row(id, group, label, help, FieldKind::Choice, applies);
    field.get = [member](const Scenario &s) -> FieldValue {
        return std::string(member(const_cast<Scenario &>(s))); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    };
    field.set = [member](Scenario &s, const FieldValue &value, const Catalog &) {
        member(s) = std::get<std::string>(value);
    };
    field.choices = [list](const Scenario &, const Catalog &catalog) {
        std::vector<FieldChoice> choices;
        for (const auto &entry : catalog.*list)
            choices.push_back({entry.id, QString::fromStdString(entry.name), QString::fromStdString(entry.help)});
        return choices;
    };
    return field;
}

/// The compute format; the first choice leaves it to the recipe or the weights.
ControlField computeFormat(const char *id, Applies applies, std::optional<ComputeFormat> &(*member)(Scenario &),
                           const QString &automatic);

} // namespace ridgepoint::rows
