// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads GGUF headers field by field; every length is compared with what is left before anything depends on it.
#include "core/import/gguf.h"

#include "core/import/ggml_types.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace ridgepoint {
namespace {

enum ValueType : std::uint32_t {
    Uint8 = 0,
    Int8,
    Uint16,
    Int16,
    Uint32,
    Int32,
    Float32,
    Bool,
    String,
    List,
    Uint64,
    Int64,
    Float64,
    TypeCount
};

constexpr std::array<std::uint64_t, TypeCount> valueBytes = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8}; // at least
constexpr std::uint64_t leastKeyBytes = 8 + 1 + 4 + 1;    // length, one letter, type, value
constexpr std::uint64_t leastTensorBytes = 8 + 4 + 4 + 8; // length of the name, dimensions, type, offset
constexpr std::uint64_t mostKeys = 10'000;
constexpr std::uint64_t longestKey = 65'535;
constexpr std::uint64_t longestKeptText = 256;
constexpr std::uint64_t longestKeptList = 65'536;
constexpr int deepestList = 8;
constexpr std::uint32_t mostDimensions = 4;

class HeaderReader {
public:
    explicit HeaderReader(const ByteSource &file)
        : file_(file), end_(std::min(file.size(), longestHeaderBytes)), buffer_(bufferBytes, '\0') {}

    Expected<GgufHeader> read() {
        if (readStart() && readKeys() && readTensors() && place()) {
            return std::move(header_);
        }
        return tl::unexpected(std::move(problems_));
    }

private:
    static constexpr std::size_t bufferBytes = 1 << 16;

    bool fail(std::string field, std::string found, std::string allowed) {
        problems_.push_back({std::move(field), std::move(found), std::move(allowed)});
        return false;
    }
    bool failAt(std::uint64_t byte, std::string found, std::string allowed) {
        return fail(fmt::format("byte {}", byte), std::move(found), std::move(allowed));
    }

    std::uint64_t left() const { return end_ - at_; }

    /// Whether `bytes` more can be read; `what` names what they would hold.
    bool need(std::uint64_t bytes, std::string_view what) {
        if (bytes <= left()) {
            return true;
        }
        if (end_ < file_.size()) {
            return failAt(at_, fmt::format("{} beyond byte {}", what, end_),
                          fmt::format("a header of {} bytes at most", longestHeaderBytes));
        }
        return failAt(
            at_, fmt::format("{}, which needs {} bytes, and {} bytes up to the end of the file", what, bytes, left()),
            "a whole header");
    }

    /// Pre: need() said yes.
    bool copy(char *into, std::size_t bytes) {
        while (bytes > 0) {
            if (at_ < bufferAt_ || at_ >= bufferAt_ + filled_) {
                bufferAt_ = at_;
                filled_ = file_.read(at_, buffer_.data(), buffer_.size());
                if (filled_ == 0) {
                    return failAt(at_, "nothing that the system can read", "a file that can be read");
                }
            }
            const auto skipped = static_cast<std::size_t>(at_ - bufferAt_);
            const std::size_t part = std::min(bytes, filled_ - skipped);
            std::copy_n(buffer_.data() + skipped, part, into);
            into += part;
            at_ += part;
            bytes -= part;
        }
        return true;
    }

    template <class T>
    bool number(T &value, std::string_view what) {
        static_assert(std::endian::native == std::endian::little);
        std::array<char, sizeof(T)> bytes{};
        if (!need(sizeof(T), what) || !copy(bytes.data(), sizeof(T))) {
            return false;
        }
        value = std::bit_cast<T>(bytes);
        return true;
    }

    /// A text of which the first `kept` bytes are stored.
    bool text(std::string &value, std::uint64_t longest, std::uint64_t kept, std::string_view what) {
        const std::uint64_t start = at_;
        std::uint64_t length = 0;
        if (!number(length, what)) {
            return false;
        }
        if (length > left()) {
            at_ = start;
            if (end_ == file_.size()) {
                return failAt(start, fmt::format("{} of {} bytes", what, length),
                              fmt::format("at most the {} bytes that are left", left() - sizeof(length)));
            }
            return need(sizeof(length) + std::min(length, file_.size()), what);
        }
        if (length > longest) {
            return failAt(start, fmt::format("{} of {} bytes", what, length), fmt::format("{} bytes at most", longest));
        }
        value.resize(static_cast<std::size_t>(std::min(length, kept)));
        if (!copy(value.data(), value.size())) {
            return false;
        }
        at_ += length - value.size();
        return true;
    }

    bool readStart() {
        using namespace std::string_view_literals;
        std::array<char, 4> magic{};
        if (file_.size() == 0) {
            return fail("", "an empty file", "a GGUF file");
        }
        const std::size_t got = file_.read(0, magic.data(), magic.size());
        if (std::string_view(magic.data(), got) != "GGUF") {
            return failAt(0, fmt::format("`{}`: not a GGUF file", shownText({magic.data(), got})),
                          "the four letters GGUF");
        }
        at_ = magic.size();
        if (!number(header_.version, "the version")) {
            return false;
        }
        if ((header_.version & 0xFFFFU) == 0 && header_.version != 0) {
            return failAt(4,
                          fmt::format("version bytes 00 00 {:02x} {:02x}: a big-endian file",
                                      (header_.version >> 16U) & 0xFFU, header_.version >> 24U),
                          "a little-endian file of version 2 or 3");
        }
        if (header_.version != 2 && header_.version != 3) {
            return failAt(4, fmt::format("version {}, which is not supported", header_.version), "version 2 or 3");
        }
        return readCount(tensorCount_, "tensors", leastTensorBytes, mostTensorsOfFile) &&
               readCount(keyCount_, "keys", leastKeyBytes, mostKeys);
    }

    bool readCount(std::uint64_t &count, std::string_view what, std::uint64_t leastBytes, std::uint64_t most) {
        const std::uint64_t start = at_;
        if (!number(count, fmt::format("the number of {}", what))) {
            return false;
        }
        constexpr std::uint64_t countsEnd = 24; // both counts stand before what they count
        const std::uint64_t after = file_.size() - std::min(file_.size(), countsEnd);
        if (count > after / leastBytes) {
            return failAt(start, fmt::format("a count of {} {}, and {} bytes for them", count, what, after),
                          fmt::format("at most {}, of {} bytes each or more", after / leastBytes, leastBytes));
        }
        return count <= most ||
               failAt(start, fmt::format("a count of {} {}", count, what), fmt::format("{} at most", most));
    }

    bool readKeys() {
        for (std::uint64_t i = 0; i < keyCount_; ++i) {
            const std::uint64_t start = at_;
            std::string key;
            std::uint32_t type = 0;
            if (!text(key, longestKey, longestKey, "a key")) {
                return false;
            }
            if (key.empty()) {
                return failAt(start, "an empty key", "a key");
            }
            shownKey_ = shownText(key);
            if (header_.find(key) != nullptr) {
                return fail(shownKey_, fmt::format("the key a second time at byte {}", start), "each key once");
            }
            GgufValue value;
            if (!number(type, shownKey_) || !readValue(value, type, key)) {
                return false;
            }
            header_.values.emplace(std::move(key), std::move(value));
        }
        return true;
    }

    bool checkType(std::uint32_t type) {
        return type < TypeCount || fail(shownKey_, fmt::format("value type {} at byte {}", type, at_ - sizeof(type)),
                                        fmt::format("a type from 0 to {}", TypeCount - 1));
    }

    template <class T>
    bool readWhole(std::int64_t &whole, GgufValue *value = nullptr) {
        T number{};
        if (!this->number(number, shownKey_)) {
            return false;
        }
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
                whole = std::numeric_limits<std::int64_t>::max();
                if (value != nullptr) {
                    *value = number;
                }
                return true;
            }
        }
        whole = static_cast<std::int64_t>(number); // NOLINT(bugprone-signed-char-misuse): a sign
        if (value != nullptr) {
            *value = whole;
        }
        return true;
    }

    bool readWhole(std::uint32_t type, std::int64_t &whole, GgufValue *value = nullptr) {
        switch (type) {
        case Uint8:
        case Bool:
            return readWhole<std::uint8_t>(whole, value);
        case Int8:
            return readWhole<std::int8_t>(whole, value);
        case Uint16:
            return readWhole<std::uint16_t>(whole, value);
        case Int16:
            return readWhole<std::int16_t>(whole, value);
        case Uint32:
            return readWhole<std::uint32_t>(whole, value);
        case Int32:
            return readWhole<std::int32_t>(whole, value);
        case Uint64:
            return readWhole<std::uint64_t>(whole, value);
        default:
            return readWhole<std::int64_t>(whole, value);
        }
    }

    bool readValue(GgufValue &value, std::uint32_t type, std::string_view key) {
        if (!checkType(type)) {
            return false;
        }
        std::int64_t whole = 0;
        switch (type) {
        case String: {
            std::string kept;
            if (!text(kept, longestHeaderBytes, longestKeptText, shownKey_)) {
                return false;
            }
            value = std::move(kept);
            return true;
        }
        case List: {
            GgufList list;
            if (!readList(list, !key.starts_with("tokenizer."), 0)) {
                return false;
            }
            value = std::move(list);
            return true;
        }
        case Float32: {
            float real = 0;
            if (!number(real, shownKey_)) {
                return false;
            }
            value = static_cast<double>(real);
            return true;
        }
        case Float64: {
            double real = 0;
            if (!number(real, shownKey_)) {
                return false;
            }
            value = real;
            return true;
        }
        case Bool:
            if (!readWhole(type, whole)) {
                return false;
            }
            if (whole > 1) {
                return fail(shownKey_, fmt::format("{} at byte {} for a truth value", whole, at_ - 1), "0 or 1");
            }
            value = whole == 1;
            return true;
        default:
            return readWhole(type, whole, &value);
        }
    }

    bool readList(GgufList &list, bool keep, int depth) { // NOLINT(misc-no-recursion): bounded by deepestList
        std::uint32_t type = 0;
        if (!number(type, shownKey_) || !checkType(type)) {
            return false;
        }
        const std::uint64_t countAt = at_;
        if (!number(list.count, shownKey_)) {
            return false;
        }
        if (list.count > left() / valueBytes[type]) {
            if (end_ < file_.size()) {
                return need(file_.size(), fmt::format("{}: a list of {}", shownKey_, list.count));
            }
            return fail(
                shownKey_, fmt::format("a list of {} at byte {}, and {} bytes after it", list.count, countAt, left()),
                fmt::format("at most {}, of {} bytes each or more", left() / valueBytes[type], valueBytes[type]));
        }
        if (type == List) {
            if (depth + 1 >= deepestList) {
                return fail(shownKey_,
                            fmt::format("more than {} lists inside one another at byte {}", deepestList, at_),
                            fmt::format("a depth of {} at most", deepestList));
            }
            for (std::uint64_t i = 0; i < list.count; ++i) {
                GgufList inner;
                if (!readList(inner, false, depth + 1)) {
                    return false;
                }
            }
            return true;
        }
        if (type == String) {
            std::string none;
            for (std::uint64_t i = 0; i < list.count; ++i) {
                if (!text(none, longestHeaderBytes, 0, shownKey_)) {
                    return false;
                }
            }
            return true;
        }
        const bool isWhole = type != Float32 && type != Float64;
        if (!keep || !isWhole || list.count > longestKeptList || keptNumbers_ + list.count > mostKeptNumbers) {
            at_ += list.count * valueBytes[type];
            return true;
        }
        keptNumbers_ += list.count;
        list.numbers.resize(static_cast<std::size_t>(list.count));
        return std::ranges::all_of(list.numbers, [&](std::int64_t &whole) { return readWhole(type, whole); });
    }

    bool readTensors() {
        header_.tensors.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(tensorCount_, 1U << 16U)));
        offsets_.reserve(header_.tensors.capacity());
        for (std::uint64_t i = 0; i < tensorCount_; ++i) {
            StoredTensor tensor;
            if (!readTensor(tensor)) {
                return false;
            }
            header_.tensors.push_back(std::move(tensor));
        }
        return namesAreUnique();
    }

    bool readTensor(StoredTensor &tensor) {
        if (!text(tensor.name, longestTensorName, longestTensorName, "the name of a tensor")) {
            return false;
        }
        const std::string shown = shownTensor(tensor.name);
        const std::uint64_t dimensionsAt = at_;
        std::uint32_t count = 0;
        if (!number(count, shown)) {
            return false;
        }
        if (count > mostDimensions) {
            return fail(shown, fmt::format("{} dimensions at byte {}", count, dimensionsAt),
                        fmt::format("{} at most", mostDimensions));
        }
        std::vector<std::uint64_t> dimensions(count);
        for (std::uint64_t &dimension : dimensions) {
            if (!number(dimension, shown)) {
                return false;
            }
        }
        std::ranges::reverse(dimensions); // the file has the fastest first
        tensor.rank = static_cast<int>(count);
        std::optional<std::uint64_t> elements = 1;
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            tensor.shape[i] = dimensions[i];
            elements = elements ? checkedProduct(*elements, dimensions[i]) : elements;
        }
        const bool hasZero = std::ranges::find(dimensions, std::uint64_t{0}) != dimensions.end();
        if (!hasZero && (!elements || *elements > mostElements)) {
            return fail(shown,
                        fmt::format("{} at byte {}: the element count overflows", shownDimensions(dimensions),
                                    dimensionsAt + sizeof(count)),
                        fmt::format("{} elements at most", mostElements));
        }
        tensor.elements = hasZero ? 0 : *elements;
        return readTypeAndOffset(tensor, shown, dimensions);
    }

    bool readTypeAndOffset(StoredTensor &tensor, const std::string &shown,
                           const std::vector<std::uint64_t> &dimensions) {
        std::uint32_t id = 0;
        std::uint64_t offset = 0;
        if (!number(id, shown)) {
            return false;
        }
        const GgmlType *type = findGgmlType(id);
        if (type == nullptr) {
            return fail(shown, fmt::format("type {} at byte {}", id, at_ - sizeof(id)),
                        fmt::format("a tensor type from 0 to {}, those that were removed from the format left out",
                                    ggmlTypes.back().id));
        }
        const std::uint64_t row = dimensions.empty() ? 1 : dimensions.back();
        if (row % type->blockElements != 0) {
            return fail(shown, fmt::format("rows of {} elements of type {}", row, type->name),
                        fmt::format("a multiple of {}", type->blockElements));
        }
        const auto bytes = checkedProduct(tensor.elements / type->blockElements, type->blockBytes);
        if (!bytes || *bytes > mostElements) {
            return fail(shown, fmt::format("{} elements of type {}, whose bytes overflow", tensor.elements, type->name),
                        fmt::format("{} bytes at most", mostElements));
        }
        tensor.type = type->name;
        tensor.bytes = *bytes;
        if (!number(offset, shown)) {
            return false;
        }
        offsets_.push_back(offset);
        return true;
    }

    bool namesAreUnique() {
        std::vector<std::string_view> names;
        names.reserve(header_.tensors.size());
        for (const StoredTensor &tensor : header_.tensors) {
            names.emplace_back(tensor.name);
        }
        std::ranges::sort(names);
        const auto twice = std::ranges::adjacent_find(names);
        return twice == names.end() || fail(shownTensor(*twice), "the name a second time", "each tensor once");
    }

    bool readAlignment(std::uint64_t &alignment) {
        const GgufValue *value = header_.find("general.alignment");
        if (value == nullptr) {
            return true;
        }
        const auto *whole = std::get_if<std::int64_t>(value);
        if (whole == nullptr || *whole < 1 || *whole > (1 << 30) ||
            !std::has_single_bit(static_cast<std::uint64_t>(*whole))) {
            return fail("general.alignment",
                        whole == nullptr ? std::string("no whole number") : fmt::format("{}", *whole),
                        "a power of two up to 2^30");
        }
        alignment = static_cast<std::uint64_t>(*whole);
        return true;
    }

    /// Tensors follow one another in the order of the header, each at a multiple of the alignment.
    bool place() {
        std::uint64_t alignment = 32;
        if (!readAlignment(alignment)) {
            return false;
        }
        const auto aligned = [alignment](std::uint64_t bytes) {
            return (bytes + alignment - 1) / alignment * alignment;
        };
        std::uint64_t next = 0;
        for (std::size_t i = 0; i < header_.tensors.size(); ++i) {
            const StoredTensor &tensor = header_.tensors[i];
            if (offsets_[i] != next) {
                return fail(shownTensor(tensor.name), fmt::format("data at offset {}", offsets_[i]),
                            fmt::format("offset {}, where the tensor before it ends", next));
            }
            header_.dataBytes = next + tensor.bytes;
            if (next > mostElements) {
                return fail(shownTensor(tensor.name), "tensors whose bytes overflow together",
                            fmt::format("{} bytes at most", mostElements));
            }
            next += aligned(tensor.bytes);
        }
        header_.headerBytes = aligned(at_);
        header_.hasData = file_.size() > header_.headerBytes || header_.dataBytes == 0;
        const std::uint64_t present = header_.hasData ? file_.size() - std::min(file_.size(), header_.headerBytes) : 0;
        return !header_.hasData || header_.dataBytes <= present ||
               fail("", fmt::format("{} bytes of tensors from byte {} on", present, header_.headerBytes),
                    fmt::format("the {} bytes that the header promises: the file was cut off", header_.dataBytes));
    }

    static constexpr std::uint64_t mostKeptNumbers = 1'000'000;

    const ByteSource &file_;
    std::uint64_t at_ = 0;
    std::uint64_t end_;
    std::string buffer_;
    std::uint64_t bufferAt_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t tensorCount_ = 0;
    std::uint64_t keyCount_ = 0;
    std::uint64_t keptNumbers_ = 0;
    std::string shownKey_;
    std::vector<std::uint64_t> offsets_;
    GgufHeader header_;
    Problems problems_;
};

} // namespace

Expected<GgufHeader> readGgufHeader(const ByteSource &file) {
    return HeaderReader(file).read();
}

} // namespace ridgepoint
