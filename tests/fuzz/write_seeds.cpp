// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the seeds of the fuzzers of binary files: one folder per fuzzer, small files that are right or nearly so.
#include "tests/core/import/weight_bytes.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace ridgepoint;

namespace {

void write(const std::filesystem::path &folder, const std::string &name, const std::string &bytes) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string mixture() {
    GgufBytes file = tinyGguf("qwen2moe");
    file.number("qwen2moe.expert_count", 4).number("qwen2moe.expert_used_count", 2);
    file.number("qwen2moe.expert_feed_forward_length", 32);
    file.tensor("token_embd.weight", {32, 64}, "Q8_0").tensor("output_norm.weight", {64});
    for (const std::string at : {"blk.0.", "blk.1."}) {
        file.tensor(at + "ffn_gate_inp.weight", {4, 64}).tensor(at + "ffn_up_exps.weight", {4, 32, 64}, "Q4_0");
        file.tensor(at + "attn_q.bias", {64}).tensor(at + "attn_q_norm.weight", {16});
    }
    return file.whole();
}

std::string latent() {
    GgufBytes file = tinyGguf("deepseek2");
    for (const auto &[key, value] :
         {std::pair{"attention.kv_lora_rank", 16U}, std::pair{"attention.q_lora_rank", 24U},
          std::pair{"attention.key_length", 24U}, std::pair{"attention.value_length", 16U},
          std::pair{"rope.dimension_count", 8U}, std::pair{"leading_dense_block_count", 1U}}) {
        file.number(std::string("deepseek2.") + key, value);
    }
    return file.tensor("blk.0.attn_kv_a_mqa.weight", {24, 64}, "BF16").whole();
}

std::string windowed() {
    GgufBytes file = tinyGguf("gemma3");
    file.number("gemma3.attention.sliding_window", 512).number("gemma3.attention.key_length", 16);
    file.numbers("gemma3.attention.sliding_window_pattern", {1, 0}).number("split.count", 1);
    return file.tensor("token_embd.weight", {32, 64}, "I8").whole();
}

std::string lists() {
    const std::string inner = littleEndian(gguf::text) + littleEndian(std::uint64_t{1}) + ggufText("x");
    return GgufBytes(2)
        .key("a.nested", gguf::list, littleEndian(gguf::list) + littleEndian(std::uint64_t{2}) + inner + inner)
        .key("b.flag", gguf::boolean, "\1")
        .key("c.whole", gguf::u64, littleEndian(~std::uint64_t{0}))
        .number("general.alignment", 32)
        .header();
}

std::string packed() {
    SafetensorsBytes file;
    file.tensor("model.layers.0.q.qweight", "I32", {8, 64}, 32).tensor("model.layers.0.q.scales", "F16", {1, 64}, 16);
    file.tensor("model.layers.0.q.g_idx", "I32", {64}, 32).tensor("model.layers.0.k.weight", "U8", {32, 1}, 8);
    file.tensor("model.layers.0.k.weight.absmax", "F32", {1}, 32).tensor("e.gate_blocks", "U8", {2, 4, 1, 16}, 8);
    return file.tensor("e.gate_scales", "U8", {2, 4, 1}, 8).tensor("lm_head.weight", "F4", {4, 4}, 4).whole();
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: write_seeds FOLDER\n");
        return 2;
    }
    const std::filesystem::path root(arguments[1]);
    const auto ggufs = root / "gguf";
    write(ggufs, "llama", tinyLlama().whole());
    write(ggufs, "llama-header", tinyLlama("Q8_0").header());
    write(ggufs, "mixture", mixture());
    write(ggufs, "latent", latent());
    write(ggufs, "windowed", windowed());
    write(ggufs, "lists", lists());
    write(ggufs, "keys", tinyGguf("phi3").header());
    const auto tensors = root / "safetensors";
    SafetensorsBytes plain;
    plain.tensor("model.embed_tokens.weight", "BF16", {32, 8}, 16).tensor("model.norm.weight", "F32", {8}, 32);
    write(tensors, "plain", plain.whole());
    write(tensors, "packed", packed());
    write(tensors, "empty", safetensorsBytes("{}      "));
    write(tensors, "index",
          R"({"metadata":{"total_size":2},"weight_map":{"a":"x-1.safetensors","b":"x-2.safetensors"}})");
    return 0;
}
