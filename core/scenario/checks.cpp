// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of a scenario that join several fields, each with the values that would work.
#include "core/scenario/checks.h"

#include "core/scenario/compute_format.h"
#include "core/scenario/fields.h"
#include "core/scenario/rule.h"
#include "core/scenario/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace ridgepoint {

namespace {

using rules::divisorsOf;
using rules::isWhole;
using rules::listAround;
using rules::multiplesAround;

void checkKvHeads(const Scenario &s, const Catalog &, Problems &problems) {
    const TransformerShape &shape = s.model.shape;
    if (shape.heads % shape.kvHeads != 0) {
        problems.push_back({"model.kv_heads", std::to_string(shape.kvHeads),
                            fmt::format("a divisor of {} heads: {}", shape.heads,
                                        listAround(divisorsOf(shape.heads, [](int) { return true; }), shape.kvHeads))});
    }
}

void checkWindow(const Scenario &s, const Catalog &, Problems &problems) {
    if (s.model.shape.attentionWindowEvery && !s.model.shape.attentionWindow) {
        problems.push_back({"model.attention_window_every", std::to_string(*s.model.shape.attentionWindowEvery),
                            "nothing without attention_window"});
    }
}

void checkParameterCount(const Scenario &s, const Catalog &, Problems &problems) {
    const auto &count = s.model.shape.exactParameters;
    const bool isCount = s.model.source == ModelChoice::Source::Parameters;
    if (count && !isCount) {
        problems.push_back({"model.parameters", numberText(*count), "nothing beside another form of the model"});
    } else if (isCount && !(count && *count >= 1 && *count <= 1e15 && isWhole(*count))) {
        problems.push_back(
            {"model.parameters", count ? numberText(*count) : "nothing", "a whole number from 1 to 1e15"});
    }
}

void checkPreset(const Scenario &s, const Catalog &catalog, Problems &problems) {
    if (s.model.source == ModelChoice::Source::Preset && catalog.model(s.model.reference) == nullptr) {
        problems.push_back({"model.preset", inQuotes(s.model.reference), "a model of the catalogue"});
    }
}

void checkTensor(const Scenario &s, const Catalog &, Problems &problems) {
    const TransformerShape &shape = s.model.shape;
    const int tensor = s.parallelism.tensor;
    /// What tensor parallelism splits, with the words before and after its size.
    struct Split {
        int size;
        std::string_view before, after;
    };
    const auto &experts = shape.experts;
    const auto &encoder = shape.encoder;
    const bool isDenseSomewhere = !experts || experts->denseLayers > 0 || experts->every > 1;
    const std::array<Split, 6> splits{
        {{shape.heads, "", " heads"},
         {isDenseSomewhere ? shape.ffn : 0, "ffn ", ""},
         {experts && experts->shared > 0 ? experts->sharedFfn : 0, "ffn ", " of a shared expert"},
         {shape.linearAttention ? shape.linearAttention->keyHeads : 0, "", " key heads of linear attention"},
         {encoder ? encoder->heads : 0, "", " heads of the encoder"},
         {encoder ? encoder->ffn : 0, "ffn ", " of the encoder"}}}; // 0: not there, and divided by everything
    // Above the key-value heads they are replicated; a latent always is.
    const auto dividesKv = [&](int t) { return shape.mla || shape.kvHeads % t == 0 || t % shape.kvHeads == 0; };
    std::string rule;
    for (const Split &split : splits) {
        if (split.size % tensor != 0) {
            rule += fmt::format("{}a divisor of {}{}{}", rule.empty() ? "" : " and ", split.before, split.size,
                                split.after);
        }
    }
    if (!dividesKv(tensor)) {
        rule += fmt::format("{}a divisor or multiple of {} kv_heads", rule.empty() ? "" : " and ", shape.kvHeads);
    }
    if (!rule.empty()) {
        const auto working = divisorsOf(shape.heads, [&](int t) {
            return dividesKv(t) && std::ranges::all_of(splits, [&](const Split &split) { return split.size % t == 0; });
        });
        problems.push_back(
            {"parallelism.tensor", std::to_string(tensor), fmt::format("{}: {}", rule, listAround(working, tensor))});
    }
}

void checkPipeline(const Scenario &s, const Catalog &, Problems &problems) {
    const int layers = s.model.shape.layers;
    const int pipeline = s.parallelism.pipeline;
    const auto &stages = s.parallelism.layersPerStage;
    const int chunks = s.parallelism.schedule == Schedule::Interleaved ? s.parallelism.virtualStages : 1;
    if (stages.empty()) {
        if (pipeline > layers) {
            problems.push_back({"parallelism.pipeline", std::to_string(pipeline),
                                fmt::format("at most {}, a layer for each stage", layers)});
        } else if (static_cast<double>(pipeline) * chunks > layers) {
            problems.push_back(
                {"parallelism.virtual_stages", std::to_string(chunks),
                 fmt::format("at most {}, so that each chunk of {} stages has a layer", layers / pipeline, pipeline)});
        }
        return;
    }
    const auto entries = static_cast<double>(stages.size());
    if (entries != pipeline && entries != static_cast<double>(pipeline) * chunks) {
        problems.push_back({"parallelism.layers_per_stage", fmt::format("{} entries", stages.size()),
                            chunks > 1
                                ? fmt::format("{}, one for each pipeline stage, or {}, one for each of its {} chunks",
                                              pipeline, static_cast<std::int64_t>(pipeline) * chunks, chunks)
                                : fmt::format("{}, one for each pipeline stage", pipeline)});
    }
    double sum = 0;
    for (const int count : stages) {
        sum += count;
    }
    if (sum != layers) {
        problems.push_back({"parallelism.layers_per_stage", fmt::format("{} layers in all", numberText(sum)),
                            fmt::format("the {} layers of the model", layers)});
    }
}

double worldOf(const Scenario &s) {
    return static_cast<double>(s.parallelism.data) * s.parallelism.tensor * s.parallelism.pipeline *
           s.parallelism.context;
}

void checkWorld(const Scenario &s, const Catalog &, Problems &problems) {
    constexpr double mostGpus = 1e9;
    const double world = worldOf(s);
    const double perNode = s.hardware.gpusPerNode;
    if (world <= perNode) {
        return;
    }
    const std::string product = fmt::format(
        "{} GPUs (data {} x tensor {} x pipeline {}{})", numberText(world), s.parallelism.data, s.parallelism.tensor,
        s.parallelism.pipeline, s.parallelism.context > 1 ? fmt::format(" x context {}", s.parallelism.context) : "");
    if (world > mostGpus) {
        problems.push_back({"parallelism.data", product, fmt::format("at most {} GPUs", numberText(mostGpus))});
        return;
    }
    if (!s.hardware.networkGbitPerSecond) {
        problems.push_back({"hardware.network_gbit_per_s", "null",
                            fmt::format("the rate of a node's network, since {} are more than the {} of one node",
                                        product, s.hardware.gpusPerNode)});
    }
    if (!isWhole(world / perNode)) {
        problems.push_back(
            {"parallelism.data", product,
             fmt::format("full nodes of {} GPUs: {}", s.hardware.gpusPerNode, multiplesAround(world, perNode))});
    }
}

void checkBatch(const Scenario &s, const Catalog &, Problems &problems) {
    if (s.task != Task::Training || s.training.globalBatch == 0) {
        return;
    }
    const double step = s.training.microBatch * s.parallelism.data;
    if (!isWhole(s.training.globalBatch / step)) {
        problems.push_back({"training.global_batch", numberText(s.training.globalBatch),
                            fmt::format("a multiple of micro_batch {} x data {}: {}", numberText(s.training.microBatch),
                                        s.parallelism.data, multiplesAround(s.training.globalBatch, step))});
    }
}

void checkSequenceParallel(const Scenario &s, const Catalog &, Problems &problems) {
    const double tensor = s.parallelism.tensor;
    const double context = s.parallelism.context;
    const double length = s.training.sequenceLength;
    if (s.task == Task::Training && s.parallelism.sequenceParallel && tensor > 1 && isWhole(length / context) &&
        !isWhole(length / context / tensor)) {
        problems.push_back(
            {"training.sequence_length", numberText(length),
             fmt::format("a multiple of tensor {}{} under sequence parallelism: {}", s.parallelism.tensor,
                         context > 1 ? fmt::format(" x context {}", s.parallelism.context) : "",
                         multiplesAround(length, tensor * context))});
    }
}

void checkPositions(const Scenario &s, const Catalog &, Problems &problems) {
    const TransformerShape &shape = s.model.shape;
    if (shape.positions != Positions::Learned || !shape.maxPositions) {
        return;
    }
    const std::string allowed = fmt::format("at most {}, the rows of the learned position table", *shape.maxPositions);
    if (s.task == Task::Training && s.training.sequenceLength > *shape.maxPositions) {
        problems.push_back({"training.sequence_length", numberText(s.training.sequenceLength), allowed});
    }
    const double length = s.inference.promptTokens + s.inference.outputTokens;
    if (s.task == Task::Inference && length > *shape.maxPositions) {
        problems.push_back({"inference.prompt_tokens",
                            fmt::format("{} with {} output tokens, {} in all", numberText(s.inference.promptTokens),
                                        numberText(s.inference.outputTokens), numberText(length)),
                            allowed});
    }
}

/// A split with the host is llama.cpp's, and of one GPU: how several share the layers left to them nothing says.
void checkGpuLayers(const Scenario &s, const Catalog &, Problems &problems) {
    const auto &layers = s.inference.gpuLayers;
    if (!layers || s.task != Task::Inference) {
        return;
    }
    const int all = s.model.shape.layers + 1;
    if (*layers > all) {
        problems.push_back({"inference.gpu_layers", std::to_string(*layers),
                            fmt::format("at most {}: the {} layers and the head", all, all - 1)});
    } else if (s.inference.engine != "llama.cpp") {
        problems.push_back({"inference.gpu_layers", std::to_string(*layers),
                            fmt::format("null with the engine {}, or the engine llama.cpp", s.inference.engine)});
    } else if (*layers < all && s.parallelism.tensor * s.parallelism.pipeline > 1) {
        problems.push_back({"inference.gpu_layers", std::to_string(*layers),
                            fmt::format("null or {} where several GPUs share the model", all)});
    }
}

std::string originOf(const Scenario &s) {
    if (s.task == Task::Training) {
        return s.training.compute ? std::string() : fmt::format(" of the recipe {}", s.training.recipe);
    }
    return s.inference.compute ? std::string() : fmt::format(" for weights in {}", s.inference.weights);
}

void checkComputeOn(const Gpu &gpu, const Scenario &s, const Catalog &catalog, Problems &problems) {
    const ComputeFormat format = computeFormatOf(s, gpu, catalog);
    if (gpu.peak(format)) {
        return;
    }
    const bool isTraining = s.task == Task::Training;
    std::vector<std::string_view> formats;
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        const auto other = static_cast<ComputeFormat>(i);
        if (gpu.peak(other) && !(isTraining && other == ComputeFormat::Int8)) {
            formats.push_back(idOf(other));
        }
    }
    problems.push_back({isTraining ? "training.compute" : "inference.compute", inQuotes(idOf(format)) + originOf(s),
                        fmt::format("a format that {} computes: {}", gpu.id, joined(formats))});
}

void checkCompute(const Scenario &s, const Catalog &catalog, Problems &problems) {
    for (const GpuChoice &choice : s.hardware.gpus) {
        if (choice.isDerived()) {
            if (const auto gpu = resolveGpu(choice, catalog)) {
                checkComputeOn(*gpu, s, catalog, problems);
            }
        } else if (const Gpu *gpu = catalog.gpu(choice.base)) {
            checkComputeOn(*gpu, s, catalog, problems); // without a copy: this runs at every step of a slider
        }
    }
}

/// A job of several GPUs needs a way between them: figures that a user's own GPU file may leave out.
void checkLinks(const Scenario &s, const Catalog &catalog, Problems &problems) {
    const int world = s.parallelism.world();
    if (world <= 1) {
        return;
    }
    for (std::size_t i = 0; i < s.hardware.gpus.size(); ++i) {
        const Gpu *base = catalog.gpu(s.hardware.gpus[i].base);
        if (base != nullptr && !base->linkBytesPerSecond && !base->pcieBytesPerSecond) {
            problems.push_back({fmt::format("hardware.gpus[{}]", i),
                                fmt::format("{}, without figures of a link, for {} GPUs", base->id, world),
                                "a GPU with link_bytes_per_s or pcie_bytes_per_s, or a single GPU"});
        }
    }
}

void checkPower(const Scenario &s, const Catalog &catalog, Problems &problems) {
    if (!s.hardware.powerLimitWatts) {
        return;
    }
    const double limit = *s.hardware.powerLimitWatts;
    for (const GpuChoice &choice : s.hardware.gpus) {
        const Gpu *base = catalog.gpu(choice.base);
        if (base == nullptr) {
            continue;
        }
        const double board = choice.boardWatts.value_or(base->boardWatts.value);
        const bool hasMinimum = base->minimumPowerLimitWatts && base->minimumPowerLimitWatts->value <= board;
        const double least = hasMinimum ? base->minimumPowerLimitWatts->value : base->idleWatts.value;
        if (limit > board || (hasMinimum ? limit < least : limit <= least)) {
            problems.push_back({"hardware.power_limit_w", numberText(limit),
                                fmt::format("{} {} and at most {} W for {}", hasMinimum ? "at least" : "above",
                                            numberText(least), numberText(board), choice.id)});
        }
    }
}

const std::vector<Rule> &modelRules() {
    static const std::vector<Rule> all{
        {{"model"}, checkPreset},
        {{"model"}, checkParameterCount},
        {{"model.heads", "model.kv_heads"}, checkKvHeads},
        {{"model.attention_window", "model.attention_window_every"}, checkWindow},
        {{"parallelism.tensor", "model.heads", "model.kv_heads", "model.ffn", "model.experts", "model.linear_attention",
          "model.encoder"},
         checkTensor},
        {{"parallelism.pipeline", "parallelism.virtual_stages", "parallelism.schedule", "parallelism.layers_per_stage",
          "model.layers"},
         checkPipeline},
        {{"parallelism.data", "parallelism.tensor", "parallelism.pipeline", "parallelism.context",
          "hardware.gpus_per_node", "hardware.network_gbit_per_s"},
         checkWorld},
        {{"task", "training.global_batch", "training.micro_batch", "parallelism.data"}, checkBatch},
        {{"task", "training.sequence_length", "parallelism.tensor", "parallelism.context",
          "parallelism.sequence_parallel"},
         checkSequenceParallel},
        {{"task", "inference.gpu_layers", "inference.engine", "model.layers", "parallelism.tensor",
          "parallelism.pipeline"},
         checkGpuLayers},
        {{"task", "training.sequence_length", "inference.prompt_tokens", "inference.output_tokens", "model.positions",
          "model.max_positions"},
         checkPositions},
        {{"task", "training.compute", "inference.compute", "training.recipe", "inference.weights", "hardware.gpus"},
         checkCompute},
        {{"parallelism.data", "parallelism.tensor", "parallelism.pipeline", "parallelism.context", "hardware.gpus"},
         checkLinks},
        {{"hardware.power_limit_w", "hardware.gpus"}, checkPower},
    };
    return all;
}

bool isAnyTouched(const std::vector<std::string> &distrusted, std::string_view field) {
    return std::any_of(distrusted.begin(), distrusted.end(),
                       [&](const std::string &one) { return touches(one, field); });
}

void checkFields(const Section &section, const Scenario &scenario, const Catalog &catalog,
                 std::vector<std::string> &distrusted, Problems &problems) {
    for (const Field &field : section.fields) {
        if (!field.check || isAnyTouched(distrusted, field.path)) {
            continue;
        }
        const std::size_t before = problems.size();
        field.check(scenario, catalog, problems);
        if (problems.size() > before) {
            distrusted.push_back(field.path);
        }
    }
}

} // namespace

Problems checkTrusted(const Scenario &scenario, const Catalog &catalog, const std::vector<std::string> &distrusted) {
    Problems problems;
    std::vector<std::string> untrusted = distrusted;
    checkFields(shapeSection(), scenario, catalog, untrusted, problems);
    for (const Section &section : sections()) {
        checkFields(section, scenario, catalog, untrusted, problems);
    }
    const auto checkAll = [&](std::span<const Rule> rules) {
        for (const Rule &rule : rules) {
            if (std::none_of(rule.depends.begin(), rule.depends.end(),
                             [&](std::string_view field) { return isAnyTouched(untrusted, field); })) {
                rule.check(scenario, catalog, problems);
            }
        }
    };
    checkAll(modelRules());
    checkAll(layoutRules());
    checkShape(scenario.model.shape, untrusted, problems);
    return problems;
}

Problems checkScenario(const Scenario &scenario, const Catalog &catalog) {
    return checkTrusted(scenario, catalog, {});
}

} // namespace ridgepoint
