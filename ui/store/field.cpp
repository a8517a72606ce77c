// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which values a field takes, in words when it does not, and how it shows them.
#include "ui/store/field.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

std::string rangeText(const ControlField &field) {
    return (field.whole ? "a whole number from " : "from ") + formatQuantity(field.minimum, field.unit) + " to " +
           formatQuantity(field.maximum, field.unit) + (field.optional ? ", or empty" : "");
}

Problem outside(const ControlField &field, double value) {
    // All digits where three would show a value just outside as if it were inside.
    return {field.id.toStdString(), formatExact(value, field.unit), rangeText(field)};
}

std::string joined(const std::vector<FieldChoice> &choices) {
    std::string text;
    for (const FieldChoice &choice : choices)
        text += (text.empty() ? "" : ", ") + choice.id;
    return text;
}

std::optional<Problem> quantityRefusal(const ControlField &field, const FieldValue &value) {
    if (std::holds_alternative<std::monostate>(value))
        return field.optional ? std::nullopt
                              : std::optional(Problem{field.id.toStdString(), "nothing", rangeText(field)});
    const double *number = std::get_if<double>(&value);
    if (number == nullptr)
        return Problem{field.id.toStdString(), "no number", rangeText(field)};
    const bool isWhole = std::floor(*number) == *number;
    if (!std::isfinite(*number) || *number < field.minimum || *number > field.maximum || (field.whole && !isWhole))
        return outside(field, *number);
    return std::nullopt;
}

/// `2.000 T` as `2 T`, `1.300` as `1.3`: a field shows what was set, not a measured precision.
QString withoutTrailingZeros(QString text, char decimalPoint) {
    const qsizetype point = text.indexOf(QLatin1Char(decimalPoint));
    if (point < 0)
        return text;
    qsizetype end = point + 1;
    while (end < text.size() && text[end].isDigit())
        ++end;
    qsizetype kept = end;
    while (kept > point + 1 && text[kept - 1] == u'0')
        --kept;
    if (kept == point + 1)
        --kept;
    return text.remove(kept, end - kept);
}

} // namespace

std::optional<Problem> ControlField::refusal(const FieldValue &value, const Scenario &scenario,
                                             const Catalog &catalog) const {
    const std::string path = id.toStdString();
    switch (kind) {
    case FieldKind::Quantity:
        return quantityRefusal(*this, value);
    case FieldKind::Choice: {
        const auto allowed = choices(scenario, catalog);
        const std::string *chosen = std::get_if<std::string>(&value);
        if (chosen != nullptr && std::ranges::any_of(allowed, [&](const FieldChoice &c) { return c.id == *chosen; }))
            return std::nullopt;
        return Problem{path, chosen != nullptr ? *chosen : "no name", "one of " + joined(allowed)};
    }
    case FieldKind::Switch:
        if (std::holds_alternative<bool>(value))
            return std::nullopt;
        return Problem{path, "neither", "true or false"};
    case FieldKind::Flags: {
        const auto allowed = choices(scenario, catalog);
        const auto *flags = std::get_if<std::vector<std::string>>(&value);
        if (flags == nullptr)
            return Problem{path, "no list", "a list of " + joined(allowed)};
        for (const std::string &flag : *flags) {
            if (std::ranges::none_of(allowed, [&](const FieldChoice &c) { return c.id == flag; }))
                return Problem{path, flag, "of " + joined(allowed)};
        }
        return std::nullopt;
    }
    case FieldKind::GpuList: {
        const auto *ids = std::get_if<std::vector<std::string>>(&value);
        if (ids == nullptr || ids->empty())
            return Problem{path, "no GPU", "at least one"};
        for (const std::string &gpu : *ids) {
            const bool isOpen =
                std::ranges::any_of(scenario.hardware.gpus, [&](const GpuChoice &g) { return g.id == gpu; });
            if (!isOpen && catalog.gpu(gpu) == nullptr)
                return Problem{path, gpu, "a GPU of the catalogue"};
        }
        return std::nullopt;
    }
    }
    return std::nullopt;
}

QString ControlField::text(double value, const NumberStyle &style) const {
    if (whole && std::abs(value) < 1e7)
        return QString::fromStdString(formatExact(value, unit, style));
    NumberStyle fine = style;
    fine.significantDigits = 4;
    const QString shown = QString::fromStdString(formatQuantity(value, unit, fine));
    // Money keeps its cents.
    return shown.contains(u'$') ? shown : withoutTrailingZeros(shown, style.decimalPoint);
}

} // namespace ridgepoint
