// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads safetensors headers from the events of their JSON.
#include "core/import/safetensors.h"

#include "core/import/json_walker.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

namespace ridgepoint {
namespace {

constexpr std::uint64_t prefixBytes = 8;
constexpr std::size_t mostProblems = 20;
constexpr std::size_t mostDimensions = 64;

struct Dtype {
    std::string_view name;
    std::uint32_t bits;
};

/// Source: safetensors 0.7, safetensors/src/tensor.rs, Dtype::bitsize.
constexpr std::array<Dtype, 22> dtypes = {{
    {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
    {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
    {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64},
}};

std::string knownDtypes() {
    std::string list;
    for (const Dtype &dtype : dtypes) {
        list.append(list.empty() ? "" : ", ").append(dtype.name);
    }
    return list;
}

/// Takes `{"name": {"dtype", "shape", "data_offsets"}, ..., "__metadata__": {text: text}}`.
class HeaderHandler final : public JsonHandler {
public:
    struct Placed {
        StoredTensor tensor;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    bool beginObject(const JsonPlace &at) override {
        if (isIgnored_ || isNextIgnored_ || depth_ < 2) {
            return deeper();
        }
        return fail(at, "an object", wanted());
    }

    bool beginList(const JsonPlace &at) override {
        if (isIgnored_ || isNextIgnored_) {
            return deeper();
        }
        if (depth_ == 2 && !inMetadata_ && (key_ == "shape" || key_ == "data_offsets")) {
            numbers_.clear();
            return deeper();
        }
        return fail(at, "a list", wanted());
    }

    bool end() override {
        --depth_;
        if (isIgnored_) {
            isIgnored_ = depth_ > ignoredDepth_;
        } else if (depth_ == 1 && !inMetadata_) {
            return finishTensor();
        } else if (depth_ == 2) {
            (key_ == "shape" ? shape_ : offsets_) = numbers_;
        }
        return true;
    }

    bool key(std::string &text, const JsonPlace &at) override {
        if (isIgnored_) {
            return true;
        }
        if (depth_ == 1) {
            return beginTensor(text, at);
        }
        if (inMetadata_) {
            return true;
        }
        key_ = text == "dtype" || text == "shape" || text == "data_offsets" ? text : std::string();
        if ((key_ == "dtype" && dtype_ != nullptr) || (key_ == "shape" && shape_) ||
            (key_ == "data_offsets" && offsets_)) {
            return fail(at, fmt::format("the key a second time at byte {}", at.byte), "each key once");
        }
        isNextIgnored_ = key_.empty();
        return true;
    }

    bool scalar(nlohmann::json value, const JsonPlace &at) override {
        if (isIgnored_ || isNextIgnored_) {
            isNextIgnored_ = false;
            return true;
        }
        if (depth_ == 2 && inMetadata_) {
            return value.is_string() || fail(at, shownValue(value), "a text");
        }
        if (depth_ == 2 && key_ == "dtype") {
            return readDtype(value, at);
        }
        if (depth_ == 3) {
            return readNumber(value, at);
        }
        return fail(at, shownValue(value), wanted());
    }

    std::vector<Placed> tensors;

private:
    std::string wanted() const {
        if (depth_ == 0) {
            return "an object";
        }
        if (depth_ == 1) {
            return "an object with dtype, shape and data_offsets";
        }
        if (inMetadata_) {
            return "a text";
        }
        return depth_ == 2 ? (key_ == "dtype" ? "a text" : "a list of whole numbers") : "a whole number of at least 0";
    }

    bool deeper() {
        if (isNextIgnored_ && !isIgnored_) {
            isIgnored_ = true;
            isNextIgnored_ = false;
            ignoredDepth_ = depth_;
        }
        ++depth_;
        return true;
    }

    bool beginTensor(std::string &name, const JsonPlace &at) {
        inMetadata_ = name == "__metadata__";
        if (inMetadata_) {
            return !std::exchange(hasMetadata_, true) ||
                   fail(at, fmt::format("the key a second time at byte {}", at.byte), "each key once");
        }
        if (name.size() > longestTensorName) {
            return fail(at, fmt::format("a name of {} bytes at byte {}", name.size(), at.byte),
                        fmt::format("{} bytes at most", longestTensorName));
        }
        if (tensors.size() == mostTensorsOfFile) {
            return fail(at, fmt::format("more than {} tensors", mostTensorsOfFile), "fewer");
        }
        name_ = std::move(name);
        key_.clear();
        dtype_ = nullptr;
        shape_.reset();
        offsets_.reset();
        return true;
    }

    bool readDtype(const nlohmann::json &value, const JsonPlace &at) {
        if (!value.is_string()) {
            return fail(at, shownValue(value), wanted());
        }
        const auto dtype =
            std::ranges::find(dtypes, std::string_view(value.get_ref<const std::string &>()), &Dtype::name);
        if (dtype == dtypes.end()) {
            return fail(at, shownValue(value), "one of " + knownDtypes());
        }
        dtype_ = &*dtype;
        return true;
    }

    bool readNumber(const nlohmann::json &value, const JsonPlace &at) {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 0) {
            return fail(at, shownValue(value), "a whole number of at least 0");
        }
        const std::size_t most = key_ == "shape" ? mostDimensions : 2;
        if (numbers_.size() == most) {
            return fail(at, fmt::format("more than {} numbers", most), fmt::format("{} at most", most));
        }
        numbers_.push_back(value.get<std::uint64_t>());
        return true;
    }

    bool finishTensor() {
        for (const auto &[isThere, key] :
             {std::pair{dtype_ != nullptr, "dtype"}, std::pair{shape_.has_value(), "shape"},
              std::pair{offsets_.has_value(), "data_offsets"}}) {
            if (!isThere) {
                problems.push_back(
                    {shownTensor(name_) + "." + key, "nothing", "dtype, shape and data_offsets of each tensor"});
            }
        }
        if (dtype_ == nullptr || !shape_ || !offsets_) {
            return problems.size() < mostProblems;
        }
        if (offsets_->size() != 2 || offsets_->front() > offsets_->back()) {
            problems.push_back({shownTensor(name_) + ".data_offsets", fmt::format("[{}]", fmt::join(*offsets_, ", ")),
                                "two whole numbers, where the data begins and ends"});
            return problems.size() < mostProblems;
        }
        Placed placed;
        placed.begin = offsets_->front();
        placed.end = offsets_->back();
        if (size(placed.tensor, placed.end - placed.begin)) {
            placed.tensor.name = std::move(name_);
            tensors.push_back(std::move(placed));
        }
        return problems.size() < mostProblems;
    }

    bool size(StoredTensor &tensor, std::uint64_t dataBytes) {
        const std::vector<std::uint64_t> &shape = *shape_;
        std::optional<std::uint64_t> elements = 1;
        if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) {
            elements = 0;
        } else {
            for (const std::uint64_t dimension : shape) {
                elements = elements ? checkedProduct(*elements, dimension) : elements;
            }
        }
        const auto bits = elements ? checkedProduct(*elements, dtype_->bits) : std::nullopt;
        if (!bits || *elements > mostElements) {
            problems.push_back({shownTensor(name_) + ".shape",
                                shownDimensions(shape) + ", whose element count overflows",
                                fmt::format("{} elements at most, here in {} bytes of data", mostElements, dataBytes)});
            return false;
        }
        if (*bits % 8 != 0 || *bits / 8 != dataBytes) {
            problems.push_back({shownTensor(name_) + ".data_offsets", fmt::format("{} bytes of data", dataBytes),
                                fmt::format("{} bits, which {} elements of {} take", *bits, *elements, dtype_->name)});
            return false;
        }
        tensor.type = dtype_->name;
        tensor.rank = static_cast<int>(shape.size());
        tensor.elements = *elements;
        tensor.bytes = dataBytes;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            std::uint64_t &dimension = tensor.shape[std::min(i, tensor.shape.size() - 1)];
            dimension = i < tensor.shape.size() ? shape[i] : dimension * shape[i];
        }
        return true;
    }

    int depth_ = 0;
    bool inMetadata_ = false;
    bool hasMetadata_ = false;
    bool isIgnored_ = false; ///< inside a key that the format does not name
    bool isNextIgnored_ = false;
    int ignoredDepth_ = 0;
    std::string name_;
    std::string key_;
    const Dtype *dtype_ = nullptr;
    std::optional<std::vector<std::uint64_t>> shape_;
    std::optional<std::vector<std::uint64_t>> offsets_;
    std::vector<std::uint64_t> numbers_;
};

tl::unexpected<Problems> failure(std::string field, std::string found, std::string allowed) {
    return tl::unexpected(Problems{{std::move(field), std::move(found), std::move(allowed)}});
}

/// The length that the file's first 8 bytes give, once it can be true.
Expected<std::uint64_t> headerLength(const ByteSource &file) {
    std::array<char, prefixBytes> prefix{};
    if (file.size() == 0) {
        return failure("", "an empty file", "a safetensors file");
    }
    if (file.size() < prefixBytes || file.read(0, prefix.data(), prefix.size()) < prefix.size()) {
        return failure("byte 0", fmt::format("{} bytes", file.size()), "8 bytes with the length of the header, first");
    }
    static_assert(std::endian::native == std::endian::little);
    const auto length = std::bit_cast<std::uint64_t>(prefix);
    if (length > longestHeaderBytes) {
        return failure("byte 0", fmt::format("a header of {} bytes in a file of {}", length, file.size()),
                       fmt::format("a header of {} bytes at most, within the file", longestHeaderBytes));
    }
    if (length > file.size() - prefixBytes) {
        return failure("byte 0", fmt::format("the header ends at byte {} of {}", file.size(), length + prefixBytes),
                       "a whole header within the file");
    }
    char first = 0;
    if (length == 0 || file.read(prefixBytes, &first, 1) != 1 || first != '{') {
        return failure(fmt::format("byte {}", prefixBytes),
                       length == 0 ? std::string("an empty header") : fmt::format("`{}`", shownText({&first, 1})),
                       "`{`, with which a header begins");
    }
    return length;
}

/// Behind the object only spaces may follow.
Problems trailingProblems(const ByteSource &file, std::uint64_t end) {
    std::array<char, 4096> block{};
    while (end > prefixBytes) {
        const std::uint64_t begin = end - std::min<std::uint64_t>(end - prefixBytes, block.size());
        const std::size_t got = file.read(begin, block.data(), static_cast<std::size_t>(end - begin));
        const std::string_view text(block.data(), got);
        const std::size_t last = text.find_last_not_of(' ');
        if (last != std::string_view::npos) {
            if (text[last] == '}') {
                return {};
            }
            return {{fmt::format("byte {}", begin + last), fmt::format("byte 0x{:02x} behind the header", text[last]),
                     "spaces"}};
        }
        end = begin;
    }
    return {};
}

/// Data covers the file from the header to its end, without gaps or overlaps.
Problems placeProblems(std::vector<HeaderHandler::Placed> &tensors) {
    std::ranges::sort(tensors, [](const auto &a, const auto &b) {
        return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
    });
    std::uint64_t next = 0;
    for (const HeaderHandler::Placed &placed : tensors) {
        if (placed.begin != next) {
            return {{shownTensor(placed.tensor.name) + ".data_offsets",
                     fmt::format("data from {} to {}: {}", placed.begin, placed.end,
                                 placed.begin < next ? "an overlap" : "a gap before it"),
                     fmt::format("data from {} on, where the tensor before it ends", next)}};
        }
        next = placed.end;
    }
    std::vector<std::string_view> names;
    names.reserve(tensors.size());
    for (const HeaderHandler::Placed &placed : tensors) {
        names.emplace_back(placed.tensor.name);
    }
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    return twice == names.end() ? Problems{}
                                : Problems{{shownTensor(*twice), "the name a second time", "each tensor once"}};
}

} // namespace

Expected<SafetensorsHeader> readSafetensorsHeader(const ByteSource &file) {
    const Expected<std::uint64_t> length = headerLength(file);
    if (!length) {
        return tl::unexpected(length.error());
    }
    SafetensorsHeader header;
    header.headerBytes = prefixBytes + *length;
    TextWindow window(file, prefixBytes, header.headerBytes);
    HeaderHandler handler;
    const JsonLimits limits{.depth = 16, .values = 4'000'000, .textBytes = 16'000'000};
    walkStrictJson(window, limits, handler);
    if (handler.problems.empty()) {
        handler.problems = trailingProblems(file, header.headerBytes);
    }
    if (handler.problems.empty()) {
        handler.problems = placeProblems(handler.tensors);
    }
    if (!handler.problems.empty()) {
        return tl::unexpected(std::move(handler.problems));
    }
    header.dataBytes = handler.tensors.empty() ? 0 : handler.tensors.back().end;
    if (header.dataBytes > mostElements) {
        return failure("", fmt::format("{} bytes of tensors", header.dataBytes),
                       fmt::format("{} bytes at most", mostElements));
    }
    const std::uint64_t present = file.size() - header.headerBytes;
    header.hasData = present > 0 || header.dataBytes == 0;
    if (header.hasData && present != header.dataBytes) {
        return failure("", fmt::format("{} bytes of tensors from byte {} on", present, header.headerBytes),
                       fmt::format("the {} bytes that the header promises", header.dataBytes));
    }
    header.tensors.reserve(handler.tensors.size());
    for (HeaderHandler::Placed &placed : handler.tensors) {
        header.tensors.push_back(std::move(placed.tensor));
    }
    return header;
}

} // namespace ridgepoint
