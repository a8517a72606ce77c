// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of every control: puts the groups of rows together.
#include "ui/store/field_table.h"

#include "ui/store/field_rows.h"

#include <algorithm>

namespace ridgepoint {

namespace {

std::vector<ControlField> allRows() {
    std::vector<ControlField> all;
    for (auto *group :
         {&rows::modelRows, &rows::trainingRows, &rows::adapterRows, &rows::inferenceRows, &rows::precisionRows,
          &rows::parallelismRows, &rows::hardwareRows, &rows::reserveRows, &rows::economicsRows}) {
        for (ControlField &field : group())
            all.push_back(std::move(field));
    }
    return all;
}

} // namespace

std::span<const ControlField> fieldTable() {
    static const std::vector<ControlField> table = allRows();
    return table;
}

const ControlField *fieldOf(const QString &id) {
    const auto table = fieldTable();
    const auto found = std::ranges::find(table, id, &ControlField::id);
    return found != table.end() ? &*found : nullptr;
}

QString groupName(FieldGroup group) {
    switch (group) {
    case FieldGroup::Model:
        return rows::Text::tr("Model");
    case FieldGroup::Workload:
        return rows::Text::tr("Workload");
    case FieldGroup::Precision:
        return rows::Text::tr("Precision and kernels");
    case FieldGroup::Parallelism:
        return rows::Text::tr("Parallelism");
    case FieldGroup::Hardware:
        return rows::Text::tr("GPUs and network");
    case FieldGroup::Reserves:
        return rows::Text::tr("Reserved memory");
    case FieldGroup::Economics:
        return rows::Text::tr("Economics");
    }
    return {};
}

namespace rows {

ControlField row(const char *id, FieldGroup group, const QString &label, const QString &help, FieldKind kind,
                 Applies applies) {
    ControlField field;
    field.id = QString::fromLatin1(id);
    field.group = group;
    field.label = label;
    field.help = help;
    field.kind = kind;
    field.appliesTo = applies;
    return field;
}

ControlField computeFormat(const char *id, Applies applies, std::optional<ComputeFormat> &(*member)(Scenario &),
                           const QString &automatic) {
    ControlField field =
        row(id, FieldGroup::Precision, Text::tr("Compute format"),
            Text::tr("Format that matrix multiplications run in; it picks the peak, always the dense one. Each GPU "
                     "must have it."),
            FieldKind::Choice, applies);
    field.get = [member](const Scenario &s) -> FieldValue {
        const auto &format = member(const_cast<Scenario &>(s)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
        return format ? std::string(idOf(*format)) : std::string("automatic");
    };
    field.set = [member](Scenario &s, const FieldValue &value, const Catalog &) {
        member(s) = computeFormatFromId(std::get<std::string>(value));
    };
    field.choices = [automatic, training = applies == &isTraining](const Scenario &, const Catalog &) {
        std::vector<FieldChoice> choices{{"automatic", automatic, {}}};
        for (std::size_t i = 0; i < computeFormatCount; ++i) {
            const auto format = static_cast<ComputeFormat>(i);
            if (format == ComputeFormat::Int8 && training)
                continue;
            const std::string formatId(idOf(format));
            choices.push_back({formatId, QString::fromStdString(formatId).toUpper(), {}});
        }
        return choices;
    };
    return field;
}

} // namespace rows

} // namespace ridgepoint
