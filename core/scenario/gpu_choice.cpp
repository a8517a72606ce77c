// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the GPUs of a scenario are read, written, checked and resolved.
#include "core/scenario/gpu_choice.h"

#include "core/import/strict_json.h"
#include "core/scenario/checks.h"
#include "core/scenario/field_kinds.h"

#include <algorithm>
#include <array>

namespace ridgepoint {

namespace {

constexpr std::size_t mostGpus = 100;
constexpr std::size_t longestId = 100;
constexpr Range peaks{1e6, 1e20};
constexpr std::string_view changedSource = "set in the scenario";

struct Figure {
    std::string_view key;
    std::optional<double> GpuChoice::*value;
    Range range;
    bool whole = false;
};

constexpr std::array<Figure, 5> figures{{
    {"memory_bytes", &GpuChoice::memoryBytes, {1e6, 1e15}},
    {"bandwidth_bytes_per_s", &GpuChoice::bandwidthBytesPerSecond, {1e6, 1e18}},
    {"board_w", &GpuChoice::boardWatts, {0, 1e6, true}},
    {"price_usd", &GpuChoice::priceUsd, {0, 1e9}},
    {"gpus_per_domain", &GpuChoice::gpusPerDomain, {1, 1e6}, true},
}};

std::string peakKey(std::size_t format) {
    return fmt::format("peak_{}_flops_per_s", idOf(static_cast<ComputeFormat>(format)));
}

/// A name that no table, terminal or spreadsheet can misread: it starts with a letter or digit and hides nothing.
bool isGoodName(std::string_view name) {
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !name.empty() && name.size() <= longestId && (isPlain(name.front()) || (name.front() & 0x80) != 0) &&
           name.find_first_of(" \t\r\n") == std::string_view::npos && shownText(name, longestId * 8) == name;
}

bool hasChanges(const GpuChoice &choice) {
    return std::any_of(figures.begin(), figures.end(),
                       [&](const Figure &f) { return (choice.*f.value).has_value(); }) ||
           std::any_of(choice.peakFlopsPerSecond.begin(), choice.peakFlopsPerSecond.end(),
                       [](const auto &peak) { return peak.has_value(); });
}

Problem unknownGpu(const std::string &path, std::string_view id, const Catalog &catalog) {
    std::vector<std::string_view> ids;
    for (const Gpu &gpu : catalog.gpus) {
        ids.push_back(gpu.id);
    }
    return {path, inQuotes(id), "a GPU of the catalogue" + didYouMean(id, ids)};
}

Problem badName(const std::string &path, std::string_view id) {
    return {path, inQuotes(id),
            "a name of its own for the derived GPU: no id of the catalogue, 1 to 100 bytes, a letter or digit first, "
            "no blanks or hidden characters"};
}

void report(Reading &reading, Problem problem) {
    reading.report(std::move(problem.field), std::move(problem.found), std::move(problem.allowed));
}

std::string textAt(const nlohmann::json &value, std::string_view key, const std::string &path, Reading &reading) {
    const auto text = value.find(key);
    if (text == value.end() || !text->is_string()) {
        reading.report(fmt::format("{}.{}", path, key), text == value.end() ? "nothing" : shownValue(*text), "a text");
        return {};
    }
    return text->get<std::string>();
}

void readDerived(const nlohmann::json &value, const std::string &path, GpuChoice &choice, Reading &reading) {
    std::vector<std::string> names{"base", "id"};
    choice.base = textAt(value, "base", path, reading);
    choice.id = textAt(value, "id", path, reading);
    if (!choice.base.empty() && reading.catalog.gpu(choice.base) == nullptr) {
        report(reading, unknownGpu(path + ".base", choice.base, reading.catalog));
    }
    const auto id = value.find("id");
    if (id != value.end() && id->is_string() && (!isGoodName(choice.id) || reading.catalog.gpu(choice.id) != nullptr)) {
        report(reading, badName(path + ".id", choice.id));
    }
    const auto readFigure = [&](const std::string &key, std::optional<double> &into, const Range &range, bool whole) {
        names.push_back(key);
        if (const auto figure = value.find(key); figure != value.end() && !figure->is_null()) {
            into = detail::numberIn(*figure, path + "." + key, range, whole, " or null", reading);
        }
    };
    for (const Figure &figure : figures) {
        readFigure(std::string(figure.key), choice.*figure.value, figure.range, figure.whole);
    }
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        readFigure(peakKey(i), choice.peakFlopsPerSecond[i], peaks, false);
    }
    reportUnknownKeys(value, path, {names.begin(), names.end()}, reading);
}

void readGpus(const nlohmann::json &value, Scenario &s, Reading &reading) {
    if (!value.is_array()) {
        reading.report("hardware.gpus", shownValue(value), "a list of GPU ids");
        return;
    }
    if (value.size() > mostGpus) {
        reading.report("hardware.gpus", fmt::format("{} GPUs", value.size()), fmt::format("at most {}", mostGpus));
        return;
    }
    if (value.empty()) {
        reading.report("hardware.gpus", "an empty list", fmt::format("1 to {} GPUs", mostGpus));
        return;
    }
    s.hardware.gpus.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string path = fmt::format("hardware.gpus[{}]", i);
        GpuChoice choice;
        if (value[i].is_string()) {
            choice.id = choice.base = value[i].get<std::string>();
            if (reading.catalog.gpu(choice.id) == nullptr) {
                report(reading, unknownGpu(path, choice.id, reading.catalog));
                continue;
            }
        } else if (value[i].is_object()) {
            readDerived(value[i], path, choice, reading);
        } else {
            reading.report(path, shownValue(value[i]), "a GPU id, or an object with base and id");
            continue;
        }
        const auto &seen = s.hardware.gpus;
        if (std::any_of(seen.begin(), seen.end(),
                        [&](const GpuChoice &one) { return one.id == choice.id && !one.id.empty(); })) {
            reading.report(path, inQuotes(choice.id) + " a second time", "each GPU once");
            continue;
        }
        s.hardware.gpus.push_back(std::move(choice));
    }
}

nlohmann::ordered_json writeGpu(const GpuChoice &choice) {
    if (!choice.isDerived()) {
        return choice.id;
    }
    nlohmann::ordered_json object{{"base", choice.base}, {"id", choice.id}};
    for (const Figure &figure : figures) {
        if (const auto &value = choice.*figure.value) {
            object[std::string(figure.key)] = numberJson(*value);
        }
    }
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        if (const auto &peak = choice.peakFlopsPerSecond[i]) {
            object[peakKey(i)] = numberJson(*peak);
        }
    }
    return object;
}

void checkGpu(const GpuChoice &choice, const std::string &path, const Catalog &catalog, Problems &problems) {
    const Gpu *base = catalog.gpu(choice.base);
    if (base == nullptr) {
        problems.push_back(unknownGpu(choice.isDerived() ? path + ".base" : path, choice.base, catalog));
        return;
    }
    if (choice.isDerived() ? !isGoodName(choice.id) || catalog.gpu(choice.id) != nullptr : hasChanges(choice)) {
        problems.push_back(badName(path + ".id", choice.id));
    }
    for (const Figure &figure : figures) {
        detail::checkNumber(choice.*figure.value, fmt::format("{}.{}", path, figure.key), figure.range, figure.whole,
                            problems);
    }
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        if (choice.peakFlopsPerSecond[i]) {
            detail::checkNumber(choice.peakFlopsPerSecond[i], path + "." + peakKey(i), peaks, false, problems);
        }
    }
    if (choice.boardWatts && *choice.boardWatts <= base->idleWatts.value) {
        problems.push_back({path + ".board_w", numberText(*choice.boardWatts),
                            fmt::format("more than the {} W that it draws idle", numberText(base->idleWatts.value))});
    }
}

void checkGpus(const Scenario &s, const Catalog &catalog, Problems &problems) {
    const auto &gpus = s.hardware.gpus;
    if (gpus.empty() || gpus.size() > mostGpus) {
        problems.push_back(
            {"hardware.gpus", fmt::format("{} GPUs", gpus.size()), fmt::format("1 to {} GPUs", mostGpus)});
    }
    for (std::size_t i = 0; i < gpus.size() && i < mostGpus; ++i) {
        const std::string path = fmt::format("hardware.gpus[{}]", i);
        checkGpu(gpus[i], path, catalog, problems);
        for (std::size_t before = 0; before < i; ++before) {
            if (gpus[before].id == gpus[i].id) {
                problems.push_back({path, inQuotes(gpus[i].id) + " a second time", "each GPU once"});
                break;
            }
        }
    }
}

Fact changed(double value) {
    Fact fact;
    fact.value = value;
    fact.source = changedSource;
    return fact;
}

} // namespace

Field gpusField() {
    Field field;
    field.path = "hardware.gpus";
    field.key = "gpus";
    field.read = readGpus;
    field.write = [](const Scenario &s) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const GpuChoice &choice : s.hardware.gpus) {
            list.push_back(writeGpu(choice));
        }
        return list;
    };
    field.check = checkGpus;
    return field;
}

std::optional<Gpu> resolveGpu(const GpuChoice &choice, const Catalog &catalog) {
    const Gpu *base = catalog.gpu(choice.base);
    if (base == nullptr) {
        return std::nullopt;
    }
    Gpu gpu = *base;
    if (!choice.isDerived()) {
        return gpu;
    }
    gpu.id = gpu.name = gpu.shortName = choice.id;
    if (choice.memoryBytes) {
        gpu.memoryBytes = changed(*choice.memoryBytes);
        gpu.capacityBytes = changed(*choice.memoryBytes);
        gpu.capacityBytes.estimate = true; // no driver has reported it
    }
    if (choice.bandwidthBytesPerSecond) {
        gpu.bandwidthBytesPerSecond = changed(*choice.bandwidthBytesPerSecond);
    }
    if (choice.boardWatts) {
        gpu.boardWatts = changed(*choice.boardWatts);
        if (gpu.minimumPowerLimitWatts && gpu.minimumPowerLimitWatts->value > *choice.boardWatts) {
            gpu.minimumPowerLimitWatts = std::nullopt;
        }
    }
    if (choice.priceUsd) {
        gpu.priceUsd = changed(*choice.priceUsd);
    }
    if (choice.gpusPerDomain) {
        gpu.gpusPerDomain = changed(*choice.gpusPerDomain);
    }
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        if (choice.peakFlopsPerSecond[i]) {
            gpu.peakFlopsPerSecond[i] = changed(*choice.peakFlopsPerSecond[i]);
        }
    }
    return gpu;
}

} // namespace ridgepoint
