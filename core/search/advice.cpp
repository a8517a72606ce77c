// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tries single changes one by one and keeps those that fit.
#include "core/search/advice.h"

#include "core/scenario/checks.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ridgepoint {

namespace {

struct Candidate {
    Scenario scenario;
    Advice advice; ///< without its results
};

/// The value of a field as the scenario file writes it, text without quotes.
std::string writtenAt(std::string_view path, const Scenario &scenario) {
    for (const Section &section : sections()) {
        for (const Field &field : section.fields) {
            if (field.path == path) {
                const nlohmann::ordered_json value = field.write(scenario);
                return value.is_string() ? value.get<std::string>() : value.dump();
            }
        }
    }
    return {};
}

class Candidates {
public:
    /// `report`: of the scenario on the GPU that it does not fit.
    Candidates(const Scenario &scenario, const GpuReport<double> &report)
        : base_(scenario), most_(std::max(1.0, report.memory.maxConcurrentSequences.value_or(1))) {
        if (scenario.task == Task::Training) {
            training();
        } else {
            inference();
        }
    }
    std::vector<Candidate> take() { return std::move(list_); }

private:
    template <class Change>
    void add(std::string_view words, std::string_view path, Change change) {
        Candidate candidate{
            .scenario = base_,
            .advice = {
                .change = std::string(words), .path = std::string(path), .from = writtenAt(path, base_), .to = {}}};
        change(candidate.scenario);
        candidate.advice.to = writtenAt(path, candidate.scenario);
        if (candidate.advice.from != candidate.advice.to) {
            list_.push_back(std::move(candidate));
        }
    }

    void training() {
        const Sharding now = base_.parallelism.sharding;
        if (base_.parallelism.data > 1) {
            for (const auto &[to, words] :
                 {std::pair{Sharding::Optimizer, "shard the optimizer states (ZeRO-1)"},
                  std::pair{Sharding::Gradients, "shard optimizer states and gradients (ZeRO-2)"},
                  std::pair{Sharding::Parameters, "shard everything (ZeRO-3, FSDP)"}}) {
                if (to > now) {
                    add(words, "parallelism.sharding", [to = to](Scenario &s) { s.parallelism.sharding = to; });
                }
            }
        }
        recompute();
        for (const auto &[id, words] :
             {std::pair{"adamw-8bit", "8-bit Adam"}, std::pair{"adamw-bf16", "Adam with bf16 states"},
              std::pair{"adafactor", "Adafactor"}, std::pair{"lion", "Lion"}}) {
            add(words, "training.optimizer", [id = id](Scenario &s) { s.training.optimizer = id; });
        }
        if (base_.training.attention == AttentionKernel::Materialized) {
            add("flash attention", "training.attention",
                [](Scenario &s) { s.training.attention = AttentionKernel::Flash; });
        }
        if (base_.training.loss != LossKernel::Chunked) {
            add("compute the loss in chunks", "training.loss",
                [](Scenario &s) { s.training.loss = LossKernel::Chunked; });
        }
        if (base_.training.microBatch > 1) {
            // The global batch stays: smaller micro-batches, more of them.
            add("a micro-batch of 1", "training.micro_batch", [](Scenario &s) {
                s.training.globalBatch = globalBatchOf(s);
                s.training.microBatch = 1;
            });
        }
        if (!base_.training.recipeBytes) {
            add("pure bf16: no fp32 copy", "training.recipe", [](Scenario &s) { s.training.recipe = "pure-bf16"; });
        }
    }

    void recompute() {
        const Training &training = base_.training;
        const bool isOfSomeLayers = training.recompute == Recompute::FullLayers;
        for (const auto &[to, words] : {std::pair{Recompute::Selective, "recompute the attention core"},
                                        std::pair{Recompute::Full, "recompute every layer in backward"}}) {
            if (to > training.recompute || (isOfSomeLayers && to == Recompute::Full)) {
                add(words, "training.recompute", [to = to](Scenario &s) { s.training.recompute = to; });
            }
        }
    }

    void inference() {
        for (const auto &[id, words] : {std::pair{"fp8", "8-bit weights"}, std::pair{"int4-g128", "4-bit weights"}}) {
            add(words, "inference.weights", [id = id](Scenario &s) { s.inference.weights = id; });
        }
        add("an 8-bit cache", "inference.kv_cache", [](Scenario &s) { s.inference.kvCache = "fp8"; });
        if (base_.inference.concurrentSequences > most_) {
            const std::string fewer = fmt::format("{}", most_);
            add("serve " + fewer + (most_ == 1 ? " sequence" : " sequences") + " at a time",
                "inference.concurrent_sequences",
                [most = most_](Scenario &s) { s.inference.concurrentSequences = most; });
        }
        if (base_.inference.prefillChunkTokens > 1024) {
            add("prefill in chunks of 1024", "inference.prefill_chunk_tokens",
                [](Scenario &s) { s.inference.prefillChunkTokens = 1024; });
        }
    }

    const Scenario &base_;
    double most_; ///< sequences that fit at once
    std::vector<Candidate> list_;
};

/// Seconds per token of the whole job: what a change costs, whatever it does to the batch.
double timePerTokenOf(const TimeReport<double> &time) {
    return 1 / (time.tokensPerSecond ? *time.tokensPerSecond : *time.outputTokensPerSecond);
}

} // namespace

void addAdvice(Report<double> &report, const Scenario &scenario, const Catalog &catalog,
               const EvaluateOptions &options) {
    for (GpuReport<double> &gpuReport : report.gpus) {
        gpuReport.advice.clear();
        if (gpuReport.fits || !gpuReport.hasPerformance) { // advice says what a change costs in time
            continue;
        }
        const auto choice = std::find_if(scenario.hardware.gpus.begin(), scenario.hardware.gpus.end(),
                                         [&](const GpuChoice &each) { return each.id == gpuReport.gpu; });
        const std::optional<Gpu> gpu = resolveGpu(*choice, catalog);
        Scenario alone = scenario;
        alone.hardware.gpus = {*choice};
        for (Candidate &candidate : Candidates(alone, gpuReport).take()) {
            if (!checkScenario(candidate.scenario, catalog).empty()) {
                continue;
            }
            const GpuReport<double> changed = evaluateGpu<double>(candidate.scenario, *gpu, catalog, options);
            if (changed.fits) {
                candidate.advice.totalBytes = changed.memory.worst().totalBytes;
                candidate.advice.stepRatio = timePerTokenOf(changed.time) / timePerTokenOf(gpuReport.time);
                gpuReport.advice.push_back(std::move(candidate.advice));
            }
        }
        std::stable_sort(gpuReport.advice.begin(), gpuReport.advice.end(),
                         [](const Advice &a, const Advice &b) { return a.stepRatio < b.stepRatio; });
    }
}

} // namespace ridgepoint
