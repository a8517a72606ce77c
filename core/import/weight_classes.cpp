// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts tensors by their names. Names: gguf-py/gguf/constants.py of llama.cpp, and the modules of transformers.
#include "core/import/weight_classes.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace ridgepoint {
namespace {

bool hasAny(std::string_view name, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts,
                               [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> starts) {
    return std::ranges::any_of(starts, [name](std::string_view start) { return name.starts_with(start); });
}

/// The number of a block, or -1.
int blockOf(std::string_view name) {
    constexpr std::string_view start = "blk.";
    int block = -1;
    if (name.starts_with(start)) {
        std::from_chars(name.data() + start.size(), name.data() + name.size(), block);
    }
    return block;
}

} // namespace

StoredWeights::Part &partOf(StoredWeights &stored, WeightPart part) {
    switch (part) {
    case WeightPart::Linear:
        return stored.linear;
    case WeightPart::Experts:
        return stored.experts;
    case WeightPart::ExpertVectors:
        return stored.expertVectors;
    case WeightPart::Embedding:
        return stored.embedding;
    case WeightPart::Head:
        return stored.head;
    case WeightPart::Vectors:
        return stored.vectors;
    case WeightPart::Tower:
        return stored.tower;
    case WeightPart::Buffers:
        break;
    }
    return stored.buffers;
}

WeightPart partOfGgufTensor(const StoredTensor &tensor, int layers) {
    const std::string_view name = tensor.name;
    if (hasAny(name, {"rope_freqs", "rope_factors"})) {
        return WeightPart::Buffers;
    }
    if (startsWithAny(name, {"v.", "mm.", "a."}) || blockOf(name) >= layers) {
        return WeightPart::Tower;
    }
    if (hasAny(name, {"_exps."})) {
        return name.ends_with(".bias") ? WeightPart::ExpertVectors : WeightPart::Experts;
    }
    if (tensor.rank <= 1) {
        return WeightPart::Vectors;
    }
    if (startsWithAny(name, {"token_embd.", "position_embd.", "token_types."})) {
        return WeightPart::Embedding;
    }
    return name.starts_with("output.") ? WeightPart::Head : WeightPart::Linear;
}

WeightPart partOfCheckpointTensor(const StoredTensor &tensor) {
    const std::string_view name = tensor.name;
    const bool isWhole = tensor.type == "BOOL" || tensor.type.starts_with('I') || tensor.type == "U16" ||
                         tensor.type == "U32" || tensor.type == "U64";
    // Causal masks of GPT-2 and GPT-NeoX are square and go by the name of a bias.
    const bool isMask = tensor.rank >= 3 && name.ends_with(".bias") && tensor.shape[0] == 1 && tensor.shape[1] == 1;
    if (isMask || hasAny(name, {"inv_freq", "masked_bias", "position_ids", "num_batches_tracked"}) ||
        (isWhole && tensor.type != "I8" && !hasAny(name, {"weight"}))) {
        return WeightPart::Buffers;
    }
    if (hasAny(name, {"vision_tower", "vision_model", "visual.", "multi_modal_projector", "audio_tower", "vision_embed",
                      "mm_projector", ".mtp.", "mtp."})) {
        return WeightPart::Tower;
    }
    if (hasAny(name, {".experts."}) || (name.find("experts") != std::string_view::npos && tensor.rank == 3)) {
        return name.ends_with("bias") ? WeightPart::ExpertVectors : WeightPart::Experts;
    }
    if (tensor.rank <= 1) {
        return WeightPart::Vectors;
    }
    if (hasAny(name, {"embed_tokens", "wte.", "wpe.", "word_embeddings", "embed_in.", "position_embeddings",
                      "token_type_embeddings", "tok_embeddings", "embed_positions", "shared.weight"})) {
        return WeightPart::Embedding;
    }
    return hasAny(name, {"lm_head", "embed_out"}) || name == "output.weight" ? WeightPart::Head : WeightPart::Linear;
}

} // namespace ridgepoint
