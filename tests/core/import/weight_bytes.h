// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small GGUF and safetensors files, right or wrong, for tests and as seeds of the fuzzers.
#pragma once

#include "core/import/ggml_types.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

template <class T>
std::string littleEndian(T value) {
    std::string bytes(sizeof(T), '\0');
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        bytes[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
    return bytes;
}

inline std::string ggufText(std::string_view text) {
    return littleEndian(std::uint64_t{text.size()}) + std::string(text);
}

/// Ids of value types.
namespace gguf {
inline constexpr std::uint32_t u32 = 4, f32 = 6, boolean = 7, text = 8, list = 9, u64 = 10;
} // namespace gguf

class GgufBytes {
public:
    explicit GgufBytes(std::uint32_t version = 3) : version_(version) {}

    GgufBytes &key(std::string_view name, std::uint32_t type, const std::string &value) {
        keys_ += ggufText(name) + littleEndian(type) + value;
        ++keyCount_;
        return *this;
    }
    GgufBytes &number(std::string_view name, std::uint32_t value) { return key(name, gguf::u32, littleEndian(value)); }
    GgufBytes &text(std::string_view name, std::string_view value) { return key(name, gguf::text, ggufText(value)); }
    GgufBytes &real(std::string_view name, float value) {
        return key(name, gguf::f32, littleEndian(std::bit_cast<std::uint32_t>(value)));
    }
    GgufBytes &numbers(std::string_view name, const std::vector<std::uint32_t> &values) {
        std::string bytes = littleEndian(gguf::u32) + littleEndian(std::uint64_t{values.size()});
        for (const std::uint32_t value : values) {
            bytes += littleEndian(value);
        }
        return key(name, gguf::list, bytes);
    }
    GgufBytes &texts(std::string_view name, std::size_t count) {
        std::string bytes = littleEndian(gguf::text) + littleEndian(std::uint64_t{count});
        for (std::size_t i = 0; i < count; ++i) {
            bytes += ggufText(std::to_string(i));
        }
        return key(name, gguf::list, bytes);
    }

    /// Dimensions slowest first, as PyTorch writes them; placed behind the tensor before.
    GgufBytes &tensor(std::string_view name, std::vector<std::uint64_t> shape, std::string_view type = "F32") {
        const GgmlType *found = nullptr;
        for (const GgmlType &one : ggmlTypes) {
            found = one.name == type ? &one : found;
        }
        std::uint64_t elements = 1;
        for (const std::uint64_t dimension : shape) {
            elements *= dimension;
        }
        rawTensor(name, {shape.rbegin(), shape.rend()}, found->id, dataBytes_);
        dataEnd_ = dataBytes_ + elements / found->blockElements * found->blockBytes;
        dataBytes_ = (dataEnd_ + alignment_ - 1) / alignment_ * alignment_;
        return *this;
    }
    /// As the file holds it: fastest first, any type and offset.
    GgufBytes &rawTensor(std::string_view name, const std::vector<std::uint64_t> &dimensions, std::uint32_t type,
                         std::uint64_t offset) {
        tensors_ += ggufText(name) + littleEndian(static_cast<std::uint32_t>(dimensions.size()));
        for (const std::uint64_t dimension : dimensions) {
            tensors_ += littleEndian(dimension);
        }
        tensors_ += littleEndian(type) + littleEndian(offset);
        ++tensorCount_;
        return *this;
    }

    std::string header() const {
        return "GGUF" + littleEndian(version_) + littleEndian(tensorCount_) + littleEndian(keyCount_) + keys_ +
               tensors_;
    }
    /// With data of zeros behind it.
    std::string whole() const {
        std::string bytes = header();
        bytes.resize((bytes.size() + alignment_ - 1) / alignment_ * alignment_ + dataEnd_);
        return bytes;
    }
    std::uint64_t dataEnd() const { return dataEnd_; }

private:
    static constexpr std::uint64_t alignment_ = 32;
    std::uint32_t version_;
    std::uint64_t tensorCount_ = 0;
    std::uint64_t keyCount_ = 0;
    std::uint64_t dataBytes_ = 0;
    std::uint64_t dataEnd_ = 0;
    std::string keys_;
    std::string tensors_;
};

/// Any header text with a right length before it, and zeros behind it.
inline std::string safetensorsBytes(const std::string &header, std::size_t dataBytes = 0) {
    return littleEndian(std::uint64_t{header.size()}) + header + std::string(dataBytes, '\0');
}

class SafetensorsBytes {
public:
    SafetensorsBytes &tensor(const std::string &name, const std::string &dtype, std::vector<std::uint64_t> shape,
                             std::uint64_t bitsOfElement) {
        std::uint64_t bits = bitsOfElement;
        for (const std::uint64_t dimension : shape) {
            bits *= dimension;
        }
        header_[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {dataBytes_, dataBytes_ + bits / 8}}};
        dataBytes_ += bits / 8;
        return *this;
    }
    std::string header() const { return safetensorsBytes(header_.dump()); }
    std::string whole() const { return safetensorsBytes(header_.dump(), dataBytes_); }
    std::uint64_t dataBytes() const { return dataBytes_; }

private:
    nlohmann::ordered_json header_ = {{"__metadata__", {{"format", "pt"}}}};
    std::uint64_t dataBytes_ = 0;
};

/// The architecture's keys with this prefix, of a model of two layers.
inline GgufBytes tinyGguf(const std::string &architecture = "llama") {
    GgufBytes file;
    file.text("general.architecture", architecture);
    const std::string at = architecture + ".";
    file.number(at + "block_count", 2).number(at + "embedding_length", 64).number(at + "feed_forward_length", 256);
    file.number(at + "attention.head_count", 4).number(at + "attention.head_count_kv", 2);
    file.real(at + "attention.layer_norm_rms_epsilon", 1e-5F).texts("tokenizer.ggml.tokens", 32);
    return file;
}

/// The tensors of tinyGguf() as a llama.
inline GgufBytes tinyLlama(std::string_view matrices = "F16") {
    GgufBytes file = tinyGguf();
    file.tensor("token_embd.weight", {32, 64}, matrices).tensor("output.weight", {32, 64}, matrices);
    file.tensor("output_norm.weight", {64}).tensor("rope_freqs.weight", {8});
    for (const std::string at : {"blk.0.", "blk.1."}) {
        file.tensor(at + "attn_norm.weight", {64}).tensor(at + "ffn_norm.weight", {64});
        file.tensor(at + "attn_q.weight", {64, 64}, matrices).tensor(at + "attn_k.weight", {32, 64}, matrices);
        file.tensor(at + "attn_v.weight", {32, 64}, matrices).tensor(at + "attn_output.weight", {64, 64}, matrices);
        file.tensor(at + "ffn_gate.weight", {256, 64}, matrices).tensor(at + "ffn_up.weight", {256, 64}, matrices);
        file.tensor(at + "ffn_down.weight", {64, 256}, matrices);
    }
    return file;
}

} // namespace ridgepoint
