// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for how the work is spread over GPUs; every degree stops only where it works, and says why it does not
// elsewhere.
#include "core/model/setting.h"

#include "ui/store/field_rows.h"
#include "ui/store/stops.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::rows {

namespace {

constexpr FieldGroup group = FieldGroup::Parallelism;
constexpr Bounds degrees{Unit::Count, 1, 1024};

/// Degrees that people try: those of a node and of some nodes.
constexpr std::array<int, 9> usualDegrees{2, 3, 4, 6, 8, 12, 16, 32, 64};

/// Marks the usual degrees on the track that `why` speaks against.
template <class Why>
void addRefused(Stops &stops, Why why) {
    for (const int degree : usualDegrees) {
        if (stops.values.empty() || degree > stops.values.back() ||
            std::ranges::find(stops.values, degree) != stops.values.end())
            continue;
        if (const QString reason = why(degree); !reason.isEmpty())
            stops.refused.push_back({static_cast<double>(degree), reason});
    }
}

ControlField dataRow() {
    ControlField field =
        quantity("parallelism.data", group, Text::tr("Data"),
                 Text::tr("Replicas that share the batch. With a global batch set, micro-batch × data must divide it."),
                 {Unit::Count, 1, 65536}, &always, [](Scenario &s) -> int & { return s.parallelism.data; }, {});
    field.stops = [free = binaryStops(1, 4096)](const Scenario &s, const Catalog &) {
        const double share = s.training.globalBatch / s.training.microBatch;
        const bool bound = s.task == Task::Training && s.training.globalBatch > 0 && std::floor(share) == share;
        return bound ? divisorStops(share, 65536) : free;
    };
    return field;
}

/// Why so many GPUs cannot split the matrices and heads evenly; empty where they can. More GPUs than key and value
/// heads repeat those.
QString tensorRefusal(const TransformerShape &shape, int degree) {
    if (shape.heads % degree != 0)
        return Text::tr("%1 does not divide the %2 heads").arg(degree).arg(shape.heads);
    if (shape.kvHeads % degree != 0 && degree % shape.kvHeads != 0)
        return Text::tr("%1 neither divides the %2 KV heads nor is a multiple of them").arg(degree).arg(shape.kvHeads);
    if (shape.ffn % degree != 0)
        return Text::tr("%1 does not divide the MLP's width %2").arg(degree).arg(shape.ffn);
    return {};
}

ControlField tensorRow() {
    ControlField field =
        quantity("parallelism.tensor", group, Text::tr("Tensor"),
                 Text::tr("GPUs that split every matrix and the attention heads; a divisor of the heads."), degrees,
                 &always, [](Scenario &s) -> int & { return s.parallelism.tensor; }, {});
    field.stops = [](const Scenario &s, const Catalog &) {
        const TransformerShape &shape = s.model.shape;
        Stops stops = divisorStops(shape.heads, 1024);
        std::erase_if(stops.values,
                      [&](double value) { return !tensorRefusal(shape, static_cast<int>(value)).isEmpty(); });
        addRefused(stops, [&](int degree) { return tensorRefusal(shape, degree); });
        return stops;
    };
    return field;
}

bool usesPipeline(const Scenario &s) {
    return isTraining(s) && (s.parallelism.pipeline > 1 || s.parallelism.schedule == Schedule::Interleaved ||
                             s.parallelism.virtualStages > 1);
}

ControlField pipelineRow() {
    ControlField field =
        quantity("parallelism.pipeline", group, Text::tr("Pipeline"),
                 Text::tr("Stages that split the layers one after the other; at most one per layer. Uneven stages are "
                          "computed each by itself, and the heaviest counts."),
                 degrees, &always, [](Scenario &s) -> int & { return s.parallelism.pipeline; }, {});
    field.stops = [](const Scenario &s, const Catalog &) {
        const int chunks =
            s.parallelism.schedule == Schedule::Interleaved ? std::max(1, s.parallelism.virtualStages) : 1;
        const int most = std::clamp(s.model.shape.layers / chunks, 1, 1024);
        Stops stops;
        for (int stages = 1; stages <= most; ++stages)
            stops.values.push_back(stages);
        return stops;
    };
    return field;
}

ControlField scheduleRow() {
    ControlField field =
        words<Schedule>("parallelism.schedule", group, Text::tr("Schedule"),
                        Text::tr("Order of micro-batches through the pipeline stages."), &usesPipeline,
                        [](Scenario &s) -> Schedule & { return s.parallelism.schedule; },
                        {{Schedule::OneForwardOneBackward, "1f1b", Text::tr("1F1B"),
                          Text::tr("One forward, one backward: at most as many micro-batches in flight as stages.")},
                         {Schedule::Interleaved, "interleaved", Text::tr("Interleaved 1F1B"),
                          Text::tr("Several chunks of layers on each stage: a smaller bubble, more in flight.")},
                         {Schedule::Gpipe, "gpipe", Text::tr("GPipe"),
                          Text::tr("All forwards, then all backwards: every micro-batch in flight.")}});
    field.set = [set = field.set](Scenario &s, const FieldValue &value, const Catalog &catalog) {
        set(s, value, catalog);
        // One decision: interleaved with one chunk is 1F1B. The chunks appear beside it.
        if (s.parallelism.schedule != Schedule::Interleaved)
            s.parallelism.virtualStages = 1;
        else if (s.parallelism.virtualStages < 2)
            s.parallelism.virtualStages = 2;
    };
    return field;
}

ControlField virtualStagesRow() {
    ControlField field = quantity(
        "parallelism.virtual_stages", group, Text::tr("Virtual stages"),
        Text::tr("Chunks of layers that each pipeline stage holds, under the interleaved schedule."),
        {Unit::Count, 1, 1024},
        [](const Scenario &s) {
            return isTraining(s) &&
                   (s.parallelism.schedule == Schedule::Interleaved || s.parallelism.virtualStages > 1);
        },
        [](Scenario &s) -> int & { return s.parallelism.virtualStages; }, {});
    field.stops = [](const Scenario &s, const Catalog &) {
        const int most = std::clamp(s.model.shape.layers / std::max(1, s.parallelism.pipeline), 2, 64);
        return linearStops(2, most, 1);
    };
    return field;
}

QString contextRefusal(const Scenario &s, int degree) {
    const double share = s.training.sequenceLength / degree;
    if (std::floor(share) != share)
        return Text::tr("%1 does not divide the sequence").arg(degree);
    const bool splitsAgain = s.parallelism.sequenceParallel && s.parallelism.tensor > 1;
    if (splitsAgain && std::fmod(share, s.parallelism.tensor) != 0)
        return Text::tr("the %1 tokens of a rank do not divide by tensor %2").arg(share).arg(s.parallelism.tensor);
    return {};
}

ControlField contextRow() {
    ControlField field = quantity(
        "parallelism.context", group, Text::tr("Context"),
        Text::tr("GPUs that share one sequence; each holds its part of the activations."), degrees,
        [](const Scenario &s) { return isTraining(s) || s.parallelism.context > 1; },
        [](Scenario &s) -> int & { return s.parallelism.context; }, {});
    field.stops = [](const Scenario &s, const Catalog &) {
        if (isInference(s))
            return Stops{{1}, true};
        Stops stops = divisorStops(s.training.sequenceLength, 64);
        std::erase_if(stops.values,
                      [&](double value) { return !contextRefusal(s, static_cast<int>(value)).isEmpty(); });
        if (stops.values.empty())
            stops.values = {1};
        addRefused(stops, [&](int degree) { return contextRefusal(s, degree); });
        return stops;
    };
    return field;
}

bool hasExperts(const Scenario &s) {
    return s.model.shape.experts.has_value();
}

/// Ranks among which experts can be spread.
double expertRanks(const Scenario &s) {
    return static_cast<double>(s.parallelism.data) * s.parallelism.context * s.parallelism.tensor;
}

QString expertRefusal(const Scenario &s, int degree) {
    const int count = s.model.shape.experts->count;
    if (count % degree != 0)
        return Text::tr("%1 does not divide the %2 experts").arg(degree).arg(count);
    const int inside = s.parallelism.expertTensor.value_or(isTraining(s) ? s.parallelism.tensor : 1);
    if (std::fmod(expertRanks(s), static_cast<double>(degree) * inside) != 0)
        return Text::tr("%1 × %2 does not divide data × context × tensor = %3")
            .arg(degree)
            .arg(inside)
            .arg(expertRanks(s));
    return {};
}

ControlField expertRow() {
    ControlField field = quantity(
        "parallelism.expert", group, Text::tr("Expert"),
        Text::tr("Ranks that share a layer's experts; a divisor of the experts and of data × context × tensor."),
        {Unit::Count, 1, 4096}, [](const Scenario &s) { return hasExperts(s) || s.parallelism.expert > 1; },
        [](Scenario &s) -> int & { return s.parallelism.expert; }, {});
    field.stops = [](const Scenario &s, const Catalog &) {
        if (!hasExperts(s))
            return Stops{{1}, true};
        Stops stops = divisorStops(s.model.shape.experts->count, 4096);
        std::erase_if(stops.values, [&](double value) { return !expertRefusal(s, static_cast<int>(value)).isEmpty(); });
        if (stops.values.empty())
            stops.values = {1};
        addRefused(stops, [&](int degree) { return expertRefusal(s, degree); });
        return stops;
    };
    return field;
}

ControlField expertTensorRow() {
    ControlField field = quantity(
        "parallelism.expert_tensor", group, Text::tr("Expert tensor"),
        Text::tr("Tensor degree inside an expert. Empty: the tensor degree in training, what is left at inference."),
        degrees, [](const Scenario &s) { return hasExperts(s) || s.parallelism.expertTensor.has_value(); },
        [](Scenario &s) -> std::optional<int> & { return s.parallelism.expertTensor; }, {});
    field.automatic = [](const Scenario &s, const Catalog &) -> std::optional<double> {
        Parallelism automatic = s.parallelism;
        automatic.expertTensor.reset();
        return expertTensorOf(automatic, isTraining(s));
    };
    field.stops = [](const Scenario &s, const Catalog &) {
        if (!hasExperts(s))
            return Stops{{1}, true};
        Stops stops = divisorStops(s.model.shape.experts->ffn, 64);
        std::erase_if(stops.values,
                      [&](double value) { return std::fmod(expertRanks(s), value * s.parallelism.expert) != 0; });
        if (stops.values.empty())
            stops.values = {1};
        return stops;
    };
    return field;
}

ControlField shardingRow() {
    return words<Sharding>(
        "parallelism.sharding", group, Text::tr("Sharding"),
        Text::tr("What the data-parallel replicas split among them instead of each keeping it whole."), &isTraining,
        [](Scenario &s) -> Sharding & { return s.parallelism.sharding; },
        {{Sharding::None, "none", Text::tr("None"), {}},
         {Sharding::Optimizer, "optimizer", Text::tr("Optimizer (ZeRO-1)"),
          Text::tr("Optimizer states and master weights: ZeRO-1.")},
         {Sharding::Gradients, "gradients", Text::tr("Gradients (ZeRO-2)"),
          Text::tr("Optimizer states and gradients: ZeRO-2.")},
         {Sharding::Parameters, "parameters", Text::tr("Parameters (ZeRO-3)"),
          Text::tr("Weights, gradients and optimizer states: ZeRO-3, FSDP.")},
         {Sharding::Hybrid, "hybrid", Text::tr("Hybrid (FSDP in a node)"),
          Text::tr("As ZeRO-3 over the GPUs of one node, with a copy in every node: hybrid FSDP.")}});
}

} // namespace

std::vector<ControlField> parallelismRows() {
    return {
        dataRow(),
        shardingRow(),
        tensorRow(),
        toggle(
            "parallelism.sequence_parallel", group, Text::tr("Sequence parallel"),
            Text::tr("Tensor-parallel GPUs split norms and residuals along the sequence too."),
            [](const Scenario &s) { return isTraining(s) && s.parallelism.tensor > 1; },
            [](Scenario &s) -> bool & { return s.parallelism.sequenceParallel; }),
        pipelineRow(),
        scheduleRow(),
        virtualStagesRow(),
        contextRow(),
        expertRow(),
        expertTensorRow(),
        words<Offload>("parallelism.offload", group, Text::tr("Offload"),
                       Text::tr("What is kept in the host's memory; it costs time on the PCIe link."), &isTraining,
                       [](Scenario &s) -> Offload & { return s.parallelism.offload; },
                       {{Offload::None, "none", Text::tr("None"), {}},
                        {Offload::Optimizer, "optimizer", Text::tr("Optimizer"),
                         Text::tr("Optimizer states and master weights; the update runs on the host.")},
                        {Offload::OptimizerAndParameters, "optimizer+parameters", Text::tr("Optimizer and weights"),
                         Text::tr("Weights too, brought back for each layer.")},
                        {Offload::Activations, "activations", Text::tr("Activations"),
                         Text::tr("What forward keeps for backward.")}}),
    };
}

} // namespace ridgepoint::rows
