// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Random scenarios over every kind of layout and recipe, for laws that must hold for all of them.
#pragma once

#include "tests/core/scenarios.h"

#include <random>

namespace ridgepoint::testing {

/// Rounds over random scenarios. Sanitizers make each many times slower; a tenth of them still runs every line.
inline constexpr int roundsOf(int count) {
#ifdef __SANITIZE_ADDRESS__
    return count / 10;
#else
    return count;
#endif
}

template <class T>
T pick(std::mt19937 &random, const std::vector<T> &values) {
    return values[random() % values.size()];
}

inline nlohmann::json randomModel(std::mt19937 &random) {
    const auto preset = pick<std::string>(random, {"llama-2-7b", "llama-3-8b", "gpt2-xl", "gemma-2-9b",
                                                   "mistral-7b-v0.1", "qwen2.5-0.5b", "opt-175b", ""});
    if (!preset.empty()) {
        return {{"preset", preset}};
    }
    return {{"layers", 24}, {"hidden", 2048}, {"heads", 16}, {"kv_heads", 8}, {"ffn", 8192}, {"vocabulary", 64000}};
}

/// A scenario that the reader accepts, most of the time.
inline nlohmann::json randomScenario(std::mt19937 &random) {
    using nlohmann::json;
    const auto text = [&](const std::vector<std::string> &values) { return pick(random, values); };
    const auto number = [&](const std::vector<int> &values) { return pick(random, values); };
    json s;
    s["model"] = randomModel(random);
    s["task"] = text({"training", "inference"});
    const bool isTraining = s["task"] == "training";
    const int pipeline = number({1, 1, 2, 4});
    const int data = number({1, 2, 8});
    const std::string schedule = text({"1f1b", "gpipe", "interleaved"});
    s["parallelism"] = {{"data", data},
                        {"tensor", number({1, 1, 2, 4})},
                        {"pipeline", pipeline},
                        {"context", isTraining ? number({1, 1, 1, 2}) : 1},
                        {"virtual_stages", schedule == "interleaved" ? number({2, 3}) : 1},
                        {"sharding", text({"none", "optimizer", "gradients", "parameters", "hybrid"})},
                        {"sequence_parallel", random() % 2 == 0},
                        {"offload", text({"none", "none", "optimizer", "optimizer+parameters", "activations"})},
                        {"schedule", schedule}};
    const int micro = number({1, 2, 4});
    s["training"] = {
        {"micro_batch", micro},
        {"global_batch", micro * data * number({1, 4, 16})},
        {"sequence_length", number({128, 512, 1024})},
        {"recipe",
         text({"fp32", "mixed-fp16", "mixed-bf16", "megatron-bf16", "fsdp-bf16", "autocast-bf16", "pure-bf16"})},
        {"optimizer", text({"adamw", "adamw-bf16", "adamw-8bit", "adafactor", "lion", "muon", "sgd", "sgd-momentum"})},
        {"optimizer_in_backward", random() % 4 == 0},
        {"recompute", text({"none", "selective", "selective-ops", "full"})},
        {"attention", text({"materialized", "flash"})},
        {"fused_kernels", random() % 2 == 0},
        {"dropout", random() % 2 == 0},
        {"loss", text({"materialized", "fused", "chunked"})},
        {"framework",
         text({"generic", "megatron", "megatron-core", "deepspeed", "torchtitan", "transformers", "nanotron"})}};
    if (random() % 5 == 0) {
        s["training"]["recompute"] = {{"full_layers", number({1, 4, 100})}};
    }
    if (random() % 3 == 0) {
        s["training"]["lora"] = {{"rank", number({1, 8, 64})},
                                 {"targets", text({"attention", "all-linear"})},
                                 {"base", text({"bf16", "int8", "int4-g128", "nf4", "nf4-dq"})}};
        if (random() % 2 == 0) {
            s["training"]["lora"]["also"] = {text({"embeddings", "head"})};
        }
    }
    s["inference"] = {{"weights", text({"bf16", "fp8", "int8", "int4-g128", "nf4", "mxfp4"})},
                      {"kv_cache", text({"bf16", "fp8"})},
                      {"concurrent_sequences", number({1, 7, 64})},
                      {"prompt_tokens", number({1, 100, 900})},
                      {"output_tokens", number({1, 100})},
                      {"engine", text({"generic", "vllm", "llama.cpp", "transformers", "tensorrt-llm"})}};
    s["hardware"] = {
        {"gpus",
         {text({"nvidia-a100-sxm-80gb", "nvidia-h100-sxm", "nvidia-b200-sxm", "nvidia-rtx-4090", "amd-mi300x"})}},
        {"gpus_per_node", 8},
        {"network_gbit_per_s", 3200}};
    return s;
}

/// Random draws whose GPU lacks a format, or whose layout does not divide, are refused by the reader: draw again.
inline Scenario randomValid(std::mt19937 &random) {
    for (;;) {
        if (Expected<Scenario> s = readScenario(randomScenario(random).dump(), catalog(), {})) {
            return *s;
        }
    }
}

} // namespace ridgepoint::testing
