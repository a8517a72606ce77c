// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What each architecture of GGUF files is known to be where neither its keys nor its tensors say it.
#pragma once

#include "core/model/shape.h"

#include <array>
#include <optional>
#include <string_view>

namespace ridgepoint {

struct GgufArchitecture {
    std::string_view name; ///< `general.architecture`
    int fullEvery = 0;     ///< with a window: every N-th layer attends in full; 0: every layer is windowed
    int window = 0;        ///< tokens, of architectures without a key for it
    bool chunkedWindow = false;
    bool alibi = false;
    bool embeddingNorm = false;
    bool parallelBlocks = false; ///< attention and MLP read the same residual
    bool gated = true;           ///< where the file has no tensors of a layer to look at
};

/// Sources: the architectures of llama.cpp (src/llama-arch.cpp, src/models), and the configuration classes of
/// Hugging Face transformers that they were converted from. Sorted by name.
inline constexpr std::array<GgufArchitecture, 37> ggufArchitectures = {{
    {.name = "arcee", .gated = false},
    {.name = "bloom", .alibi = true, .embeddingNorm = true, .gated = false},
    {.name = "cohere2", .fullEvery = 4, .parallelBlocks = true},
    {.name = "command-r", .parallelBlocks = true},
    {.name = "deepseek"},
    {.name = "deepseek2"},
    {.name = "dots1"},
    {.name = "ernie4_5"},
    {.name = "falcon", .parallelBlocks = true, .gated = false},
    {.name = "gemma"},
    {.name = "gemma2", .fullEvery = 2},
    {.name = "gemma3", .fullEvery = 6},
    {.name = "glm4"},
    {.name = "glm4moe"},
    {.name = "gpt-oss", .fullEvery = 2},
    {.name = "gpt2", .gated = false},
    {.name = "gptneox", .parallelBlocks = true, .gated = false},
    {.name = "granite"},
    {.name = "internlm2"},
    {.name = "llama"},
    {.name = "llama4", .fullEvery = 4, .window = 8192, .chunkedWindow = true},
    {.name = "minimax-m2"},
    {.name = "mistral3"},
    {.name = "mpt", .alibi = true, .gated = false},
    {.name = "olmo2", .fullEvery = 4},
    {.name = "olmoe"},
    {.name = "phi2", .parallelBlocks = true, .gated = false},
    {.name = "phi3"},
    {.name = "qwen2"},
    {.name = "qwen2moe"},
    {.name = "qwen2vl"},
    {.name = "qwen3"},
    {.name = "qwen3moe"},
    {.name = "seed_oss"},
    {.name = "smollm3"},
    {.name = "starcoder", .gated = false},
    {.name = "starcoder2", .gated = false},
}};

} // namespace ridgepoint
