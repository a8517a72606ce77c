// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads which file holds which tensor of a model that is stored in several.
#include "core/import/json_walker.h"
#include "core/import/safetensors.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace ridgepoint {
namespace {

constexpr std::uint64_t longestIndexBytes = 64'000'000;
constexpr std::size_t mostFiles = 2000;
constexpr std::size_t mostNameBytes = 40'000'000;
constexpr std::size_t longestFileName = 255;

/// Takes `{"metadata": {"total_size": N, ...}, "weight_map": {"tensor": "file", ...}}`.
class IndexHandler final : public JsonHandler {
public:
    bool beginObject(const JsonPlace &at) override {
        if (depth_ == 1 && section_ == "weight_map") {
            hasMap_ = true;
        }
        return depth_ < 2 || section_ != "weight_map" ? deeper() : fail(at, "an object", "the name of a file");
    }
    bool beginList(const JsonPlace &at) override {
        const bool isWrong = depth_ == 0 || section_ == "weight_map";
        return isWrong ? fail(at, "a list", depth_ == 2 ? "the name of a file" : "an object") : deeper();
    }
    bool end() override {
        --depth_;
        return true;
    }
    bool key(std::string &text, const JsonPlace &at) override {
        if (depth_ == 1) {
            section_ = text;
            return text != "weight_map" || !hasMap_ || fail(at, "the key a second time", "each key once");
        }
        key_ = depth_ == 2 ? std::move(text) : std::string();
        return true;
    }
    bool scalar(nlohmann::json value, const JsonPlace &at) override {
        if (depth_ == 0 || (depth_ == 1 && section_ == "weight_map")) {
            return fail(at, shownValue(value), "an object");
        }
        if (depth_ == 2 && section_ == "metadata" && key_ == "total_size" && value.is_number()) {
            index.totalBytes = value.get<double>();
        }
        return depth_ != 2 || section_ != "weight_map" || addEntry(value, at);
    }

    bool hasMap() const { return hasMap_; }
    SafetensorsIndex index;

private:
    bool deeper() {
        ++depth_;
        return true;
    }

    bool addEntry(const nlohmann::json &value, const JsonPlace &at) {
        static constexpr std::string_view allowed = "the name of a file beside the index";
        if (!value.is_string()) {
            return fail(at, shownValue(value), std::string(allowed));
        }
        const auto &file = value.get_ref<const std::string &>();
        const bool isPlain = !file.empty() && file.size() <= longestFileName && file != "." && file != ".." &&
                             file.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
        if (!isPlain) {
            return fail(at, shownValue(value), std::string(allowed));
        }
        nameBytes_ += key_.size();
        if (key_.size() > longestTensorName || index.entries.size() == mostTensorsOfModel ||
            nameBytes_ > mostNameBytes) {
            return fail(at, fmt::format("tensor {} with a name of {} bytes", index.entries.size() + 1, key_.size()),
                        fmt::format("{} tensors at most, with names of {} bytes each and {} together",
                                    mostTensorsOfModel, longestTensorName, mostNameBytes));
        }
        const auto [known, isNew] = numbers_.try_emplace(file, index.files.size());
        if (isNew) {
            if (index.files.size() == mostFiles) {
                return fail(at, fmt::format("more than {} files", mostFiles), "fewer");
            }
            index.files.push_back(file);
        }
        index.entries.push_back({std::move(key_), known->second});
        return true;
    }

    int depth_ = 0;
    bool hasMap_ = false;
    std::size_t nameBytes_ = 0;
    std::string section_;
    std::string key_;
    std::map<std::string, std::size_t, std::less<>> numbers_;
};

void sortByFile(SafetensorsIndex &index) {
    std::vector<std::size_t> order(index.files.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return index.files[a] < index.files[b]; });
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
    }
    for (SafetensorsIndex::Entry &entry : index.entries) {
        entry.file = place[entry.file];
    }
    std::ranges::sort(index.files);
    std::ranges::sort(index.entries, [](const auto &a, const auto &b) {
        return std::tie(a.file, a.tensor) < std::tie(b.file, b.tensor);
    });
}

} // namespace

Expected<SafetensorsIndex> readSafetensorsIndex(const ByteSource &file) {
    const auto failure = [](std::string field, std::string found, std::string allowed) {
        return tl::unexpected(Problems{{std::move(field), std::move(found), std::move(allowed)}});
    };
    if (file.size() == 0) {
        return failure("", "an empty file", "a safetensors index");
    }
    if (file.size() > longestIndexBytes) {
        return failure("", fmt::format("{} bytes", file.size()), fmt::format("{} bytes at most", longestIndexBytes));
    }
    TextWindow window(file, 0, file.size());
    IndexHandler handler;
    const JsonLimits limits{.depth = 16, .values = 1'500'000, .textBytes = 16'000'000};
    walkStrictJson(window, limits, handler);
    if (!handler.problems.empty()) {
        return tl::unexpected(std::move(handler.problems));
    }
    if (!handler.hasMap()) {
        return failure("weight_map", "nothing", "an object with the file of each tensor");
    }
    sortByFile(handler.index);
    // Each tensor once: the same name in two files would be counted twice.
    std::vector<std::string_view> names;
    names.reserve(handler.index.entries.size());
    for (const SafetensorsIndex::Entry &entry : handler.index.entries) {
        names.emplace_back(entry.tensor);
    }
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
        return failure("weight_map." + shownText(*twice), "the key a second time", "each key once");
    }
    return std::move(handler.index);
}

} // namespace ridgepoint
