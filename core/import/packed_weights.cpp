// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How each method packs. Sources: AutoGPTQ and GPTQModel (qweight: [in x bits / 32, out]), AutoAWQ (qweight: [in, out x
// bits / 32]), compressed-tensors (pack-quantized, nvfp4-pack-quantized), bitsandbytes (Params4bit: two weights a
// byte), gpt-oss (blocks of 32 MXFP4 weights in 16 bytes).
#include "core/import/packed_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgepoint {
namespace {

constexpr std::uint64_t bitsOfPackedWord = 32;
constexpr int usualBits = 4;

/// A helper, by the end of its name, and the ends of which one must stand in its place beside it.
struct Helper {
    std::string_view end;
    std::array<std::string_view, 2> beside;
};

constexpr std::array<Helper, 20> helpers = {{
    {".qzeros", {".qweight", ""}},
    {".scales", {".qweight", ""}},
    {".g_idx", {".qweight", ""}},
    {".weight_scale", {".weight", ".weight_packed"}},
    {".weight_scale_inv", {".weight", ".weight_packed"}},
    {".weight_scale_2", {".weight", ".weight_packed"}},
    {".weight_zero_point", {".weight", ".weight_packed"}},
    {".weight_g_idx", {".weight", ".weight_packed"}},
    {".weight_shape", {".weight", ".weight_packed"}},
    {".weight_global_scale", {".weight", ".weight_packed"}},
    {".input_scale", {".weight", ".weight_packed"}},
    {".input_global_scale", {".weight", ".weight_packed"}},
    {".activation_scale", {".weight", ".weight_packed"}},
    {".SCB", {".weight", ""}},
    {".weight_format", {".weight", ""}},
    {".weight.absmax", {".weight", ""}},
    {".weight.quant_map", {".weight", ""}},
    {".weight.nested_absmax", {".weight", ""}},
    {".weight.nested_quant_map", {".weight", ""}},
    {"_scales", {"_blocks", ""}},
}};

class Unpacker {
public:
    Unpacker(std::vector<StoredTensor> &tensors, const PackingFacts &facts, std::vector<std::string> &assumptions)
        : tensors_(tensors), facts_(facts), assumptions_(assumptions) {
        std::ranges::sort(tensors_, {}, &StoredTensor::name);
    }

    void unpack() {
        std::vector<std::uint64_t> elements(tensors_.size());
        std::vector<bool> isHelper(tensors_.size());
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            isHelper[i] = belongsToAnother(tensors_[i].name);
            elements[i] = isHelper[i] ? 0 : elementsOf(tensors_[i]);
        }
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            StoredTensor &tensor = tensors_[i];
            if (!isHelper[i] && elements[i] == tensor.elements) {
                continue;
            }
            tensor.elements = elements[i];
            tensor.rank = std::max(tensor.rank, 2);
            tensor.type = packedType;
        }
        if (assumed_) {
            assumptions_.push_back(fmt::format("{} bits per packed weight: neither quantization_config nor the tensors "
                                               "say the width",
                                               usualBits));
        }
    }

private:
    const StoredTensor *find(std::string_view name) const {
        const auto it = std::ranges::lower_bound(tensors_, name, {}, &StoredTensor::name);
        return it != tensors_.end() && it->name == name ? &*it : nullptr;
    }
    const StoredTensor *find(std::string_view base, std::string_view end) const {
        return find(fmt::format("{}{}", base, end));
    }
    bool hasPrefix(std::string_view prefix) const {
        const auto it = std::ranges::lower_bound(tensors_, prefix, {}, &StoredTensor::name);
        return it != tensors_.end() && it->name.starts_with(prefix);
    }

    bool belongsToAnother(std::string_view name) const {
        constexpr std::string_view state = ".quant_state.";
        if (const std::size_t at = name.find(state); at != std::string_view::npos) {
            return find(name.substr(0, at)) != nullptr;
        }
        for (const Helper &helper : helpers) {
            if (!name.ends_with(helper.end)) {
                continue;
            }
            const std::string_view base = name.substr(0, name.size() - helper.end.size());
            for (const std::string_view end : helper.beside) {
                if (!end.empty() && find(base, end) != nullptr) {
                    return true;
                }
            }
        }
        // Experts in one tensor have no `.weight` in their names.
        for (const std::string_view end : {"_scale_inv", "_scale"}) {
            if (name.ends_with(end) && find(name.substr(0, name.size() - end.size())) != nullptr) {
                return true;
            }
        }
        return false;
    }

    int bits() {
        assumed_ = assumed_ || !facts_.bits;
        return facts_.bits.value_or(usualBits);
    }

    static std::uint64_t times(std::uint64_t count, std::uint64_t factor) {
        return checkedProduct(count, factor).value_or(mostElements);
    }

    std::uint64_t ofWords(const StoredTensor &tensor) {
        return times(tensor.elements, bitsOfPackedWord) / static_cast<std::uint64_t>(bits());
    }

    std::uint64_t elementsOf(const StoredTensor &tensor) {
        const std::string_view name = tensor.name;
        const bool isByte = tensor.type == "U8" || tensor.type == "I8";
        const bool isWord = tensor.type == "I32" || tensor.type == "U32";
        if (name.ends_with(".qweight") && isWord) {
            return ofQweight(tensor);
        }
        if (name.ends_with(".weight_packed")) {
            return isWord ? ofWords(tensor) : times(tensor.elements, isByte ? 2 : 1);
        }
        if (name.ends_with("_blocks") && isByte && find(name.substr(0, name.size() - 7), "_scales") != nullptr) {
            return times(tensor.elements, 2);
        }
        if (!name.ends_with(".weight") || tensor.type != "U8") {
            return tensor.elements;
        }
        const bool isFourBit = find(name, ".absmax") != nullptr || hasPrefix(fmt::format("{}.quant_state.", name));
        const StoredTensor *scale = find(name, "_scale");
        const bool isNvfp4 = scale != nullptr && scale->type.starts_with("F8");
        return isFourBit || isNvfp4 ? times(tensor.elements, 2) : tensor.elements;
    }

    /// Rows of GPTQ are packed, columns of AWQ: the scales, as wide as the layer, tell which.
    std::uint64_t ofQweight(const StoredTensor &tensor) {
        const std::string_view base = std::string_view(tensor.name).substr(0, tensor.name.size() - 8);
        const StoredTensor *scales = find(base, ".scales");
        const StoredTensor *order = find(base, ".g_idx");
        if (scales == nullptr || scales->rank != 2 || tensor.rank != 2 || facts_.bits) {
            return ofWords(tensor);
        }
        if (scales->shape[1] > tensor.shape[1]) {
            return times(tensor.shape[0], scales->shape[1]);
        }
        return order != nullptr ? times(order->elements, tensor.shape[1]) : ofWords(tensor);
    }

    std::vector<StoredTensor> &tensors_;
    const PackingFacts &facts_;
    std::vector<std::string> &assumptions_;
    bool assumed_ = false;
};

std::optional<int> bitsIn(const nlohmann::json &object, std::string_view key) {
    const auto value = object.find(key);
    if (value == object.end() || !value->is_number_integer()) {
        return std::nullopt;
    }
    const auto bits = value->get<std::int64_t>();
    return bits >= 1 && bits <= 16 ? std::optional(static_cast<int>(bits)) : std::nullopt;
}

} // namespace

PackingFacts packingFacts(const nlohmann::json &config) {
    PackingFacts facts;
    const auto object = config.find("quantization_config");
    if (object == config.end() || !object->is_object()) {
        return facts;
    }
    if (const auto method = object->find("quant_method"); method != object->end() && method->is_string()) {
        facts.method = method->get<std::string>();
    }
    facts.bits = bitsIn(*object, "bits");
    // compressed-tensors: the width of each group of layers; packed ones share theirs.
    if (const auto groups = object->find("config_groups"); groups != object->end() && groups->is_object()) {
        for (const nlohmann::json &group : *groups) {
            if (group.is_object() && group.contains("weights") && group["weights"].is_object()) {
                facts.bits = bitsIn(group["weights"], "num_bits");
            }
        }
    }
    return facts;
}

void unpackWeights(std::vector<StoredTensor> &tensors, const PackingFacts &facts,
                   std::vector<std::string> &assumptions) {
    Unpacker(tensors, facts, assumptions).unpack();
}

} // namespace ridgepoint
