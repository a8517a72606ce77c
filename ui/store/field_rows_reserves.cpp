// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for bytes set one by one: a recipe's own widths, and what allocator, driver and engine keep for themselves.
#include "ui/store/field_rows.h"
#include "ui/store/stops.h"

namespace ridgepoint::rows {

namespace {

bool hasOwnBytes(const Scenario &s) {
    return isTraining(s) && s.training.recipeBytes.has_value();
}

ControlField widthRow(const char *id, const QString &label, const QString &help, double least, double most,
                      double RecipeBytes::*member) {
    ControlField field = row(id, FieldGroup::Precision, label, help, FieldKind::Quantity, &hasOwnBytes);
    field.unit = Unit::Bytes;
    field.minimum = least;
    field.maximum = most;
    field.scale = Scale::Linear;
    field.get = [member](const Scenario &s) -> FieldValue {
        return s.training.recipeBytes.value_or(RecipeBytes()).*member;
    };
    field.set = [member](Scenario &s, const FieldValue &value, const Catalog &) {
        if (s.training.recipeBytes)
            (*s.training.recipeBytes).*member = std::get<double>(value);
    };
    field.stops = [stops = linearStops(least, most, 0.5)](const Scenario &, const Catalog &) { return stops; };
    return field;
}

} // namespace

std::vector<ControlField> recipeBytesRows() {
    using B = RecipeBytes;
    return {
        widthRow("training.recipe.weights", Text::tr("Weights"), Text::tr("Bytes per parameter."), 0.5, 8, &B::weights),
        widthRow("training.recipe.gradients", Text::tr("Gradients"), Text::tr("Bytes per trained parameter."), 0, 8,
                 &B::gradients),
        widthRow("training.recipe.master", Text::tr("Master weights"),
                 Text::tr("Bytes per parameter of the precise copy; 0: none is kept."), 0, 8, &B::master),
        widthRow("training.recipe.states", Text::tr("Optimizer states"),
                 Text::tr("Bytes per parameter, all moments together."), 0, 16, &B::states),
        widthRow("training.recipe.activations", Text::tr("Activations"), Text::tr("Bytes per element kept."), 0.5, 8,
                 &B::activations),
    };
}

std::vector<ControlField> reserveRows() {
    using Optional = std::optional<double> &;
    const auto reserve = [](const char *id, const QString &label, const QString &help, Bounds bounds, Stops stops,
                            Optional (*member)(Scenario &)) {
        ControlField field = quantity(id, FieldGroup::Reserves, label, help, bounds, &always, member, std::move(stops));
        field.automaticText = Text::tr("catalogue's");
        return field;
    };
    return {
        reserve("hardware.context_bytes", Text::tr("Driver context"),
                Text::tr("What driver, libraries and communicators keep on every GPU; nvidia-smi shows it, the "
                         "framework does not. Empty: as measured for the framework or engine."),
                {Unit::Bytes, 0, 1e12, Scale::Linear, false}, linearStops(0, 8e9, 1e8),
                [](Scenario &s) -> Optional { return s.hardware.contextBytes; }),
        reserve("hardware.fragmentation_fraction", Text::tr("Allocator slack"),
                Text::tr("Reserved beyond the allocated peak, as a share of it. Empty: as measured for the framework "
                         "or engine."),
                {Unit::Percent, 0, 10, Scale::Linear, false}, linearStops(0, 0.5, 0.01),
                [](Scenario &s) -> Optional { return s.hardware.fragmentationFraction; }),
        reserve("hardware.reserved_bytes", Text::tr("Workspace"),
                Text::tr("Scratch memory of kernels and of the serving engine. Empty: as measured for the framework or "
                         "engine."),
                {Unit::Bytes, 0, 1e12, Scale::Linear, false}, linearStops(0, 16e9, 1e8),
                [](Scenario &s) -> Optional { return s.hardware.reservedBytes; }),
    };
}

} // namespace ridgepoint::rows
