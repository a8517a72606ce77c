// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the parts of a model and puts their headers together.
#include "core/import/weight_files.h"

#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

constexpr int mostParts = 2000;
constexpr std::size_t mostProblems = 20;

/// NAME-00002-of-00003ENDING
struct PartName {
    std::string start; ///< NAME
    int count = 0;
    std::string ending;

    std::string file(int number) const { return fmt::format("{}-{:05}-of-{:05}{}", start, number, count, ending); }
};

std::optional<PartName> partNameOf(const std::string &name, std::string_view ending) {
    constexpr std::size_t digits = 5;
    constexpr std::string_view between = "-of-";
    constexpr std::size_t tail = 1 + digits + between.size() + digits;
    if (name.size() <= tail + ending.size()) {
        return std::nullopt;
    }
    const std::size_t at = name.size() - tail - ending.size();
    const auto number = [&](std::size_t from) {
        int value = 0;
        const char *begin = name.data() + from;
        const auto [end, error] = std::from_chars(begin, begin + digits, value);
        return error == std::errc() && end == begin + digits ? value : 0;
    };
    const int part = number(at + 1);
    const int count = number(at + 1 + digits + between.size());
    const bool isPart = name[at] == '-' && name.compare(at + 1 + digits, between.size(), between) == 0;
    if (!isPart || part < 1 || part > count) {
        return std::nullopt;
    }
    return PartName{name.substr(0, at), count, name.substr(name.size() - ending.size())};
}

void addProblems(Problems &problems, const std::string &file, const Problems &more) {
    for (const Problem &problem : more) {
        const std::string name = shownText(file, 255);
        problems.push_back(
            {problem.field.empty() ? name : name + ": " + problem.field, problem.found, problem.allowed});
    }
}

tl::unexpected<Problems> failure(std::string field, std::string found, std::string allowed) {
    return tl::unexpected(Problems{{std::move(field), std::move(found), std::move(allowed)}});
}

Expected<GgufHeader> readGgufFile(const fs::path &path) {
    const FileSource file(path.string(), "GGUF");
    return file.problems().empty() ? readGgufHeader(file) : tl::unexpected(file.problems());
}

Expected<SafetensorsHeader> readSafetensorsFile(const fs::path &path) {
    const FileSource file(path.string(), "safetensors");
    return file.problems().empty() ? readSafetensorsHeader(file) : tl::unexpected(file.problems());
}

void noteMissingData(std::string_view file, bool hasData, std::vector<std::string> &warnings) {
    if (!hasData) {
        warnings.push_back(
            fmt::format("{}: the file ends with its header: sizes are what the header says", shownText(file, 255)));
    }
}

std::int64_t wholeOf(const GgufHeader &header, std::string_view key, std::int64_t otherwise) {
    const GgufValue *value = header.find(key);
    const auto *whole = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
    return whole != nullptr ? *whole : otherwise;
}

/// Adds the tensors of a part, as long as all together stay within bounds.
bool append(std::vector<StoredTensor> &all, std::vector<StoredTensor> &&part, Problems &problems) {
    if (all.size() + part.size() > mostTensorsOfModel) {
        problems.push_back({"", fmt::format("more than {} tensors in all parts", mostTensorsOfModel), "fewer"});
        return false;
    }
    std::ranges::move(part, std::back_inserter(all));
    return true;
}

/// Rules that hold for all parts together.
Problems problemsTogether(const std::vector<StoredTensor> &tensors) {
    std::vector<std::string_view> names;
    names.reserve(tensors.size());
    double bytes = 0;
    for (const StoredTensor &tensor : tensors) {
        names.emplace_back(tensor.name);
        bytes += static_cast<double>(tensor.bytes);
    }
    if (bytes > static_cast<double>(mostElements)) {
        return {{"", fmt::format("{:.3g} bytes in all parts", bytes), fmt::format("{} bytes at most", mostElements)}};
    }
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    return twice == names.end() ? Problems{}
                                : Problems{{shownTensor(*twice), "the name in two parts", "each tensor once"}};
}

/// The tensors that the index says are in one of its files.
void takeIndexed(const SafetensorsIndex &index, std::size_t number, std::vector<StoredTensor> &&stored,
                 std::vector<StoredTensor> &all, std::vector<std::string> &warnings, Problems &problems) {
    std::ranges::sort(stored, {}, &StoredTensor::name);
    const auto begin = std::ranges::lower_bound(index.entries, number, {}, &SafetensorsIndex::Entry::file);
    const auto end = std::ranges::upper_bound(index.entries, number, {}, &SafetensorsIndex::Entry::file);
    std::size_t at = 0;
    std::size_t unnamed = 0;
    for (auto each = begin; each != end; ++each) {
        const SafetensorsIndex::Entry &entry = *each;
        while (at < stored.size() && stored[at].name < entry.tensor) {
            ++unnamed;
            ++at;
        }
        if (at == stored.size() || stored[at].name != entry.tensor) {
            if (problems.size() < mostProblems) {
                problems.push_back({"weight_map." + shownText(entry.tensor, 120),
                                    shownText(index.files[number], 255) + ", which does not hold it",
                                    "the file that holds the tensor"});
            }
            continue;
        }
        all.push_back(std::move(stored[at]));
        ++at;
    }
    unnamed += stored.size() - at;
    if (unnamed > 0) {
        warnings.push_back(fmt::format("{}: {} tensors that the index does not name were left out",
                                       shownText(index.files[number], 255), unnamed));
    }
}

Expected<std::vector<StoredTensor>> readIndexed(const fs::path &path, std::vector<std::string> &warnings) {
    const FileSource file(path.string(), "safetensors index");
    if (!file.problems().empty()) {
        return tl::unexpected(file.problems());
    }
    const Expected<SafetensorsIndex> index = readSafetensorsIndex(file);
    if (!index) {
        return tl::unexpected(index.error());
    }
    std::vector<StoredTensor> all;
    all.reserve(index->entries.size());
    Problems problems;
    for (std::size_t i = 0; i < index->files.size() && problems.size() < mostProblems; ++i) {
        Expected<SafetensorsHeader> part = readSafetensorsFile(path.parent_path() / index->files[i]);
        if (!part) {
            addProblems(problems, index->files[i], part.error());
            continue;
        }
        noteMissingData(index->files[i], part->hasData, warnings);
        takeIndexed(*index, i, std::move(part->tensors), all, warnings, problems);
    }
    if (!problems.empty()) {
        return tl::unexpected(std::move(problems));
    }
    if (Problems together = problemsTogether(all); !together.empty()) {
        return tl::unexpected(std::move(together));
    }
    double bytes = 0;
    for (const StoredTensor &tensor : all) {
        bytes += static_cast<double>(tensor.bytes);
    }
    if (index->totalBytes && *index->totalBytes != bytes) {
        warnings.push_back(fmt::format("metadata.total_size: {:.0f} bytes, while the tensors take {:.0f}; the tensors "
                                       "count",
                                       *index->totalBytes, bytes));
    }
    return all;
}

} // namespace

bool isSafetensorsIndex(const std::string &path) {
    return path.ends_with(".safetensors.index.json");
}

Expected<GgufHeader> readGgufFiles(const std::string &path, std::vector<std::string> &warnings) {
    const fs::path given(path);
    Expected<GgufHeader> header = readGgufFile(given);
    if (!header) {
        return header;
    }
    const std::string name = given.filename().string();
    const std::int64_t count = wholeOf(*header, "split.count", 1);
    if (count <= 1) {
        noteMissingData(name, header->hasData, warnings);
        return header;
    }
    const std::optional<PartName> parts = partNameOf(name, ".gguf");
    if (!parts || parts->count != count || count > mostParts) {
        return failure("split.count", fmt::format("{} in a file of this name", count),
                       fmt::format("a name that ends in -00001-of-{:05}.gguf, of {} parts at most", count, mostParts));
    }
    Problems problems;
    std::vector<StoredTensor> tensors;
    GgufHeader whole;
    for (int number = 1; number <= parts->count && problems.size() < mostProblems; ++number) {
        const std::string file = parts->file(number);
        Expected<GgufHeader> part = readGgufFile(given.parent_path() / file);
        if (!part) {
            addProblems(problems, file, part.error());
            continue;
        }
        if (wholeOf(*part, "split.count", 1) != count || wholeOf(*part, "split.no", number - 1) != number - 1) {
            problems.push_back(
                {shownText(file, 255) + ": split.no",
                 fmt::format("{} of {}", wholeOf(*part, "split.no", number - 1), wholeOf(*part, "split.count", 1)),
                 fmt::format("{} of {}, as the name says", number - 1, count)});
        }
        noteMissingData(file, part->hasData, warnings);
        if (!append(tensors, std::move(part->tensors), problems)) {
            break;
        }
        if (number == 1) {
            whole = *std::move(part);
        }
    }
    if (problems.empty()) {
        problems = problemsTogether(tensors);
    }
    const auto found = static_cast<std::int64_t>(tensors.size());
    if (const std::int64_t promised = wholeOf(whole, "split.tensors.count", found);
        problems.empty() && promised != found) {
        problems.push_back(
            {"split.tensors.count", fmt::format("{}", promised), fmt::format("{}, as many as the parts hold", found)});
    }
    if (!problems.empty()) {
        return tl::unexpected(std::move(problems));
    }
    whole.tensors = std::move(tensors);
    return whole;
}

Expected<std::vector<StoredTensor>> readSafetensorsFiles(const std::string &path, std::vector<std::string> &warnings) {
    const fs::path given(path);
    if (isSafetensorsIndex(path)) {
        return readIndexed(given, warnings);
    }
    const std::string name = given.filename().string();
    const std::optional<PartName> parts = partNameOf(name, ".safetensors");
    if (!parts || parts->count == 1) {
        Expected<SafetensorsHeader> header = readSafetensorsFile(given);
        if (!header) {
            return tl::unexpected(header.error());
        }
        noteMissingData(name, header->hasData, warnings);
        return std::move(header->tensors);
    }
    if (parts->count > mostParts) {
        return failure("", fmt::format("a name for one of {} parts", parts->count),
                       fmt::format("{} at most", mostParts));
    }
    Problems problems;
    std::vector<StoredTensor> all;
    for (int number = 1; number <= parts->count && problems.size() < mostProblems; ++number) {
        const std::string file = parts->file(number);
        Expected<SafetensorsHeader> part = readSafetensorsFile(given.parent_path() / file);
        if (!part) {
            addProblems(problems, file, part.error());
            continue;
        }
        noteMissingData(file, part->hasData, warnings);
        if (!append(all, std::move(part->tensors), problems)) {
            break;
        }
    }
    if (problems.empty()) {
        problems = problemsTogether(all);
    }
    if (!problems.empty()) {
        return tl::unexpected(std::move(problems));
    }
    return all;
}

} // namespace ridgepoint
