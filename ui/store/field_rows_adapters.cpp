// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for low-rank adapters: on or off, and, where they are on, what carries them and what they stand on.
#include "ui/store/field_rows.h"
#include "ui/store/stops.h"

namespace ridgepoint::rows {

namespace {

constexpr FieldGroup group = FieldGroup::Workload;
/// Id of the entry that stands for layers picked one by one; choosing it changes nothing.
constexpr std::string_view ownList = "own";

constexpr Lora::Targets attentionTargets{};
constexpr Lora::Targets allTargets{true, true, true, true, true, true, true};

bool hasAdapters(const Scenario &s) {
    return isTraining(s) && s.training.lora.has_value();
}

/// Latent and linear attention: adapters on their projections are not modelled.
bool projectionsTakeNone(const Scenario &s) {
    return s.model.shape.mla || s.model.shape.linearAttention;
}

ControlField switchRow() {
    ControlField field = row("training.lora", group, Text::tr("LoRA adapters"),
                             Text::tr("Freezes the weights and trains low-rank adapters beside them (Hu et al. 2021); "
                                      "on a 4-bit base it is QLoRA."),
                             FieldKind::Switch, &isTraining);
    field.get = [](const Scenario &s) -> FieldValue { return s.training.lora.has_value(); };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &) {
        if (!std::get<bool>(value)) {
            s.training.lora.reset();
        } else if (!s.training.lora) {
            s.training.lora.emplace();
            if (projectionsTakeNone(s))
                s.training.lora->targets = {false, false, false, true, true, true, true};
        }
    };
    return field;
}

ControlField rankRow() {
    ControlField field = row("training.lora.rank", group, Text::tr("Rank"),
                             Text::tr("Width of an adapter: it trains rank × (inputs + outputs) weights of each layer "
                                      "that carries one."),
                             FieldKind::Quantity, &hasAdapters);
    field.unit = Unit::Count;
    field.minimum = 1;
    field.maximum = 65536;
    field.scale = Scale::Logarithmic;
    field.whole = true;
    field.get = [](const Scenario &s) -> FieldValue { return s.training.lora.value_or(Lora()).rank; };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &) {
        if (s.training.lora)
            s.training.lora->rank = std::get<double>(value);
    };
    field.stops = [stops = binaryStops(1, 1024)](const Scenario &, const Catalog &) { return stops; };
    return field;
}

ControlField targetsRow() {
    ControlField field = row("training.lora.targets", group, Text::tr("Adapters on"),
                             Text::tr("Linear layers that carry an adapter. Pick layers one by one below."),
                             FieldKind::Choice, &hasAdapters);
    field.get = [](const Scenario &s) -> FieldValue {
        const Lora::Targets targets = s.training.lora.value_or(Lora()).targets;
        return std::string(targets == attentionTargets ? "attention" : targets == allTargets ? "all-linear" : ownList);
    };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &) {
        const auto &id = std::get<std::string>(value);
        if (s.training.lora && id != ownList)
            s.training.lora->targets = id == "attention" ? attentionTargets : allTargets;
    };
    field.choices = [get = field.get](const Scenario &s, const Catalog &) {
        std::vector<FieldChoice> choices{
            {"attention", Text::tr("Attention"), Text::tr("The query, key, value and output projections.")},
            {"all-linear", Text::tr("All linear"), Text::tr("Attention and MLP; never the head.")}};
        if (get(s) == FieldValue(std::string(ownList)))
            choices.push_back({std::string(ownList), Text::tr("Own list"), Text::tr("As picked below.")});
        return choices;
    };
    return field;
}

Lora *loraOf(Scenario &s) {
    return s.training.lora ? &*s.training.lora : nullptr;
}

ControlField baseRow() {
    ControlField field = row("training.lora.base", group, Text::tr("Frozen base"),
                             Text::tr("How the frozen weights are stored; NF4 is QLoRA's (Dettmers et al. 2023)."),
                             FieldKind::Choice, &hasAdapters);
    field.get = [](const Scenario &s) -> FieldValue { return s.training.lora.value_or(Lora()).base; };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &) {
        if (s.training.lora)
            s.training.lora->base = std::get<std::string>(value);
    };
    field.choices = [](const Scenario &, const Catalog &catalog) {
        std::vector<FieldChoice> choices;
        for (const std::string_view id : {"bf16", "int8", "int4-g128", "nf4", "nf4-dq"}) {
            if (const StorageFormat *format = catalog.format(id))
                choices.push_back(
                    {format->id, QString::fromStdString(format->name), QString::fromStdString(format->help)});
        }
        return choices;
    };
    return field;
}

} // namespace

std::vector<ControlField> adapterRows() {
    using T = Lora::Targets;
    return {
        switchRow(),
        rankRow(),
        targetsRow(),
        flags<T>("training.lora.targets.list", group, Text::tr("Layers with an adapter"),
                 Text::tr("Each linear layer of a block by itself."), &hasAdapters,
                 [](Scenario &s) -> T * { return s.training.lora ? &s.training.lora->targets : nullptr; },
                 {{&T::q, "q", QStringLiteral("q"), Text::tr("Query projection")},
                  {&T::k, "k", QStringLiteral("k"), Text::tr("Key projection")},
                  {&T::v, "v", QStringLiteral("v"), Text::tr("Value projection")},
                  {&T::o, "o", QStringLiteral("o"), Text::tr("Output projection of attention")},
                  {&T::gate, "gate", QStringLiteral("gate"), Text::tr("Gate of the MLP")},
                  {&T::up, "up", QStringLiteral("up"), Text::tr("Up projection of the MLP")},
                  {&T::down, "down", QStringLiteral("down"), Text::tr("Down projection of the MLP")}}),
        flags<Lora>("training.lora.also", group, Text::tr("Also trained in full"),
                    Text::tr("Beside the adapters, with gradients and optimizer states of their own."), &hasAdapters,
                    &loraOf,
                    {{&Lora::trainsEmbeddings, "embeddings", Text::tr("embeddings"), Text::tr("The token embedding")},
                     {&Lora::trainsHead, "head", Text::tr("head"), Text::tr("The output head")}}),
        baseRow(),
    };
}

} // namespace ridgepoint::rows
