// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for the model and for the work it does: batches, sequences, prompts.
#include "core/model/parameters.h"
#include "core/scenario/file.h"

#include "ui/store/field_rows.h"
#include "ui/store/stops.h"

#include <cmath>

namespace ridgepoint::rows {

namespace {

/// Id of the entry that stands for a model which is not a preset; choosing it changes nothing.
constexpr std::string_view ownModel = "own";

FieldChoice ownChoice(const ModelChoice &model) {
    const QString reference = QString::fromStdString(model.reference);
    switch (model.source) {
    case ModelChoice::Source::Config:
        return {std::string(ownModel), reference.section(u'/', -2), reference};
    case ModelChoice::Source::Parameters:
        return {std::string(ownModel), Text::tr("By size (Llama shape)"), {}};
    default:
        return {std::string(ownModel), Text::tr("Own shape"), {}};
    }
}

ControlField presetRow() {
    ControlField field =
        row("model.preset", FieldGroup::Model, Text::tr("Preset"),
            Text::tr("A published model. Drop a config.json on the window for any other."), FieldKind::Choice, &always);
    field.get = [](const Scenario &s) -> FieldValue {
        return s.model.source == ModelChoice::Source::Preset ? s.model.reference : std::string(ownModel);
    };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &catalog) {
        const ModelPreset *preset = catalog.model(std::get<std::string>(value));
        if (preset != nullptr)
            s.model = {ModelChoice::Source::Preset, preset->id, preset->shape, {}};
    };
    field.choices = [](const Scenario &s, const Catalog &catalog) {
        std::vector<FieldChoice> choices;
        if (s.model.source != ModelChoice::Source::Preset)
            choices.push_back(ownChoice(s.model));
        for (const ModelPreset &preset : catalog.models)
            choices.push_back({preset.id, QString::fromStdString(preset.name), {}});
        return choices;
    };
    return field;
}

/// The model of a bare parameter count, read as a scenario file would be.
std::optional<ModelChoice> modelOfSize(double parameters, const Catalog &catalog) {
    const std::string file = R"({"ridgepoint": 1, "model": {"parameters": )" + formatPlain(parameters) + "}}";
    const auto noConfigs = [](const std::string &) -> Expected<ModelChoice> { return tl::unexpected(Problems{}); };
    const auto read = readScenario(file, catalog, noConfigs);
    return read ? std::optional(read->model) : std::nullopt;
}

ControlField sizeRow() {
    ControlField field =
        row("model.parameters", FieldGroup::Model, Text::tr("Size"),
            Text::tr("Parameters. Moving it leaves the preset: the count is exact, the shape is the nearest of the "
                     "Llama family."),
            FieldKind::Quantity, &always);
    field.unit = Unit::Count;
    field.minimum = 1e7;
    field.maximum = 2e12;
    field.scale = Scale::Logarithmic;
    field.whole = true;
    field.get = [](const Scenario &s) -> FieldValue { return countParameters(s.model.shape).total; };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &catalog) {
        if (const auto model = modelOfSize(std::get<double>(value), catalog))
            s.model = *model;
    };
    field.stops = [stops = decimalStops(field.minimum, field.maximum, true)](const Scenario &, const Catalog &) {
        return stops;
    };
    return field;
}

ControlField taskRow() {
    return words<Task>("task", FieldGroup::Workload, Text::tr("Task"), Text::tr("What the GPUs do with the model."),
                       &always, [](Scenario &s) -> Task & { return s.task; },
                       {{Task::Training, "training", Text::tr("Training"), {}},
                        {Task::Inference, "inference", Text::tr("Inference"), {}}});
}

ControlField microBatchRow() {
    ControlField field = quantity(
        "training.micro_batch", FieldGroup::Workload, Text::tr("Micro-batch"),
        Text::tr("Sequences that one replica computes at once. With a global batch set, it must divide it."),
        {Unit::Count, 1, 4096}, &isTraining, [](Scenario &s) -> double & { return s.training.microBatch; },
        binaryStops(1, 1024));
    field.stops = [free = binaryStops(1, 1024)](const Scenario &s, const Catalog &) {
        const double perReplica = s.training.globalBatch / s.parallelism.data;
        const bool bound = s.training.globalBatch > 0 && std::floor(perReplica) == perReplica;
        return bound ? divisorStops(perReplica, 4096) : free;
    };
    return field;
}

ControlField globalBatchRow() {
    ControlField field = quantity(
        "training.global_batch", FieldGroup::Workload, Text::tr("Global batch"),
        Text::tr("Sequences per optimizer step, over all replicas: micro-batch × data × accumulation steps. "
                 "Empty: no accumulation."),
        {Unit::Count, 1, 1e7}, &isTraining, [](Scenario &s) -> double & { return s.training.globalBatch; }, {});
    field.optional = true;
    field.get = [](const Scenario &s) -> FieldValue {
        return s.training.globalBatch > 0 ? FieldValue(s.training.globalBatch) : FieldValue();
    };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &) {
        const double *number = std::get_if<double>(&value);
        s.training.globalBatch = number != nullptr ? *number : 0;
    };
    field.automatic = [](const Scenario &s, const Catalog &) -> std::optional<double> { return globalBatchOf(s); };
    field.stops = [](const Scenario &s, const Catalog &) {
        const double least = s.training.microBatch * s.parallelism.data;
        Stops stops = binaryStops(1, 4096);
        for (double &value : stops.values)
            value *= least;
        std::erase_if(stops.values, [](double value) { return value > 1e7; });
        return stops;
    };
    return field;
}

ControlField tokenCount(const char *id, const QString &label, const QString &help, Applies applies, double maximum,
                        double &(*member)(Scenario &)) {
    return quantity(id, FieldGroup::Workload, label, help, {Unit::Count, 1, maximum}, applies, member,
                    binaryStops(16, std::min(maximum, 1048576.0)));
}

} // namespace

std::vector<ControlField> modelRows() {
    return {presetRow(), sizeRow()};
}

std::vector<ControlField> trainingRows() {
    ControlField tokens = quantity(
        "training.tokens", FieldGroup::Workload, Text::tr("Tokens of the run"),
        Text::tr("Of the whole training run, for its duration, energy, carbon and cost. Empty: not asked."),
        {Unit::Count, 1, 1e15}, &isTraining, [](Scenario &s) -> std::optional<double> & { return s.training.tokens; },
        decimalStops(1e6, 1e14, true));
    tokens.automaticText = Text::tr("not asked");
    ControlField sequence =
        tokenCount("training.sequence_length", Text::tr("Sequence"),
                   Text::tr("Tokens per sequence. Activations grow with it, attention work with its square."),
                   &isTraining, 1e7, [](Scenario &s) -> double & { return s.training.sequenceLength; });
    sequence.stops = [free = binaryStops(16, 1048576)](const Scenario &s, const Catalog &) {
        const TransformerShape &shape = s.model.shape;
        const bool isBound = shape.positions == Positions::Learned && shape.maxPositions.value_or(0) > 16;
        return isBound ? binaryStops(16, *shape.maxPositions) : free;
    };
    return {taskRow(), microBatchRow(), globalBatchRow(), std::move(sequence), std::move(tokens)};
}

std::vector<ControlField> inferenceRows() {
    return {
        quantity(
            "inference.concurrent_sequences", FieldGroup::Workload, Text::tr("Concurrent sequences"),
            Text::tr("Requests that one replica serves at once; each holds its own cache."), {Unit::Count, 1, 1e6},
            &isInference, [](Scenario &s) -> double & { return s.inference.concurrentSequences; },
            binaryStops(1, 4096)),
        tokenCount("inference.prompt_tokens", Text::tr("Prompt"),
                   Text::tr("Tokens of one prompt, read in the prefill."), &isInference, 1e7,
                   [](Scenario &s) -> double & { return s.inference.promptTokens; }),
        tokenCount("inference.output_tokens", Text::tr("Output"),
                   Text::tr("Tokens that are generated, one after the other."), &isInference, 1e7,
                   [](Scenario &s) -> double & { return s.inference.outputTokens; }),
        tokenCount("inference.prefill_chunk_tokens", Text::tr("Prefill chunk"),
                   Text::tr("Prompt tokens that are processed at once; bounds the activations of the prefill."),
                   &isInference, 1e7, [](Scenario &s) -> double & { return s.inference.prefillChunkTokens; }),
        quantity(
            "inference.memory_fraction", FieldGroup::Workload, Text::tr("Memory share"),
            Text::tr("Share of the GPU's memory that a serving engine may take."),
            {Unit::Percent, 0.1, 1, Scale::Linear, false}, &isInference,
            [](Scenario &s) -> double & { return s.inference.memoryFraction; }, linearStops(0.1, 1, 0.01)),
    };
}

} // namespace ridgepoint::rows
