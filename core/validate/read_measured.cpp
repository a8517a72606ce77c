// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the files of measured cases.
#include "core/catalog/embedded.h"
#include "core/import/strict_json.h"
#include "core/validate/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace ridgepoint {

namespace {

using nlohmann::json;

constexpr double largestExactMemoryUncertainty = 0.03; ///< up to here `memory`, beyond it `memory-loose`
constexpr double largestExactSpeedUncertainty = 0.1;   ///< up to here `speed`, beyond it `speed-loose`

struct KnownKey {
    std::string_view key;
    std::string_view quantity;
    std::string_view kind;
};

constexpr std::array knownKeys{
    KnownKey{"tokens_per_s_per_gpu", "time.tokens_per_s_per_gpu", "speed"},
    KnownKey{"step_s", "time.step_s", "speed"},
    KnownKey{"model_flops_per_s_per_gpu", "time.model_flops_per_s_per_gpu", "flops"},
    KnownKey{"hardware_flops_per_s_per_gpu", "time.hardware_flops_per_s_per_gpu", "flops"},
    KnownKey{"decode_tokens_per_s", "time.decode_tokens_per_s", "decode"},
    KnownKey{"decode_tokens_per_s_total", "time.decode_tokens_per_s", "decode"},
    KnownKey{"output_tokens_per_s", "time.output_tokens_per_s", "output_tokens_per_s"},
    KnownKey{"prefill_tokens_per_s", "time.prefill_tokens_per_s", "prefill_tokens_per_s"},
    KnownKey{"time_to_first_token_s", "time.time_to_first_token_s", "time_to_first_token_s"},
    KnownKey{"time_per_output_token_s", "time.time_per_output_token_s", "time_per_output_token_s"},
    KnownKey{"gpu_w", "power.gpu_w", "gpu_w"},
    KnownKey{"kv_cache_capacity_tokens", "memory.kv_cache_capacity_tokens", "kv_cache_capacity_tokens"},
    KnownKey{"allocated_bytes_all_gpus", "memory.allocated_bytes", "allocated_bytes_all_gpus"},
};

constexpr std::array<std::string_view, 13> kinds{"memory",
                                                 "memory-loose",
                                                 "kv_cache_capacity_tokens",
                                                 "allocated_bytes_all_gpus",
                                                 "speed",
                                                 "speed-loose",
                                                 "flops",
                                                 "decode",
                                                 "output_tokens_per_s",
                                                 "prefill_tokens_per_s",
                                                 "time_to_first_token_s",
                                                 "time_per_output_token_s",
                                                 "gpu_w"};

/// Objects of a file with the field they stand at; what is wrong is noted, and reading goes on with an empty value.
class Reading {
public:
    Reading(const json &object, std::string field, Problems &problems)
        : object_(object), field_(std::move(field)), problems_(problems) {
        if (!object_.is_object()) {
            complain("", shownValue(object_), "an object");
        }
    }

    std::string text(const char *key, bool isRequired = true) {
        const json *value = find(key, isRequired, "a text");
        if (value != nullptr && !value->is_string()) {
            complain(key, shownValue(*value), "a text");
        }
        return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
    }
    std::optional<double> positive(const char *key, bool isRequired) {
        const json *value = find(key, isRequired, "a positive number");
        if (value == nullptr) {
            return std::nullopt;
        }
        if (!value->is_number() || !(value->get<double>() > 0)) {
            complain(key, shownValue(*value), "a positive number");
            return std::nullopt;
        }
        return value->get<double>();
    }
    std::vector<std::string> texts(const char *key) {
        std::vector<std::string> list;
        const json *value = find(key, false, "");
        if (value == nullptr) {
            return list;
        }
        if (!value->is_array()) {
            complain(key, shownValue(*value), "a list of texts");
            return list;
        }
        list.reserve(value->size());
        for (const json &item : *value) {
            if (item.is_string()) {
                list.push_back(item.get<std::string>());
            } else {
                complain(key, shownValue(item), "a text");
            }
        }
        return list;
    }
    json object(const char *key) {
        const json *value = find(key, true, "an object");
        if (value != nullptr && !value->is_object()) {
            complain(key, shownValue(*value), "an object");
        }
        return value != nullptr && value->is_object() ? *value : json::object();
    }
    void complain(const std::string &key, std::string found, std::string allowed) {
        problems_.push_back({.field = key.empty() ? field_ : field_ + '.' + key,
                             .found = std::move(found),
                             .allowed = std::move(allowed)});
    }
    const std::string &field() const { return field_; }

private:
    const json *find(const char *key, bool isRequired, const char *allowed) {
        if (object_.is_object()) {
            if (const auto it = object_.find(key); it != object_.end()) {
                return &*it;
            }
        }
        if (isRequired) {
            complain(key, "nothing", allowed);
        }
        return nullptr;
    }

    const json &object_;
    std::string field_;
    Problems &problems_;
};

Measurement readMemory(const json &object, const std::string &field, Problems &problems) {
    Reading reading(object, field, problems);
    Measurement measurement;
    measurement.key = "memory";
    const std::string key = reading.text("key");
    if (key != "allocated_bytes" && key != "reserved_bytes" && key != "total_bytes") {
        reading.complain("key", shownText(key), "allocated_bytes, reserved_bytes or total_bytes");
    }
    measurement.quantity = "memory." + key;
    const std::string stage = reading.text("stage");
    if (stage != "max" && stage != "first" && stage != "last") {
        reading.complain("stage", shownText(stage), "max, first or last");
    }
    measurement.at = stage == "first"  ? MeasuredAt::FirstStage
                     : stage == "last" ? MeasuredAt::LastStage
                                       : MeasuredAt::WorstStage;
    measurement.value = reading.positive("bytes", true).value_or(1);
    measurement.uncertainty = reading.positive("uncertainty", true);
    measurement.kind = measurement.uncertainty.value_or(1) <= largestExactMemoryUncertainty ? "memory" : "memory-loose";
    return measurement;
}

std::vector<Measurement> readMeasurements(const json &object, std::optional<double> speedUncertainty,
                                          const std::string &field, Problems &problems) {
    Reading reading(object, field, problems);
    std::vector<Measurement> list;
    list.reserve(object.size());
    for (const auto &item : object.items()) {
        if (item.key() == "memory") {
            list.push_back(readMemory(item.value(), field + ".memory", problems));
            continue;
        }
        const auto *const known = std::find_if(knownKeys.begin(), knownKeys.end(),
                                               [&](const KnownKey &each) { return each.key == item.key(); });
        if (known == knownKeys.end()) {
            reading.complain(shownText(item.key()), "an unknown key", "memory, or a quantity of a report");
            continue;
        }
        Measurement measurement;
        measurement.key = known->key;
        measurement.quantity = known->quantity;
        measurement.kind = known->kind;
        measurement.value = reading.positive(item.key().c_str(), true).value_or(1);
        if (known->kind == "speed" || known->kind == "flops") {
            measurement.uncertainty = speedUncertainty;
        }
        if (known->kind == "speed" && speedUncertainty.value_or(0) > largestExactSpeedUncertainty) {
            measurement.kind = "speed-loose";
        }
        measurement.at = item.key() == "allocated_bytes_all_gpus" ? MeasuredAt::AllGpus : MeasuredAt::WorstStage;
        measurement.isDuration = item.key() == "step_s";
        list.push_back(std::move(measurement));
    }
    if (list.empty()) {
        reading.complain("", "nothing", "at least one measured quantity");
    }
    return list;
}

/// `addition` over `base`, object by object; lists and plain values replace.
void mergeInto(json &base, const json &addition) {
    for (const auto &item : addition.items()) {
        if (item.value().is_object() && base.contains(item.key()) && base[item.key()].is_object()) {
            mergeInto(base[item.key()], item.value());
        } else {
            base[item.key()] = item.value();
        }
    }
}

struct SharedScenario {
    std::string source;
    json scenario;
};

class FileReader {
public:
    FileReader(const json &file, MeasuredSet &set, Problems &problems) : file_(file), set_(set), problems_(problems) {}

    void read() {
        for (const auto &item : file_.items()) {
            if (item.key() != "sources" && item.key() != "models" && item.key() != "cases") {
                problems_.push_back({shownText(item.key()), "an unknown key", "one of sources, models, cases"});
            }
        }
        forEach("sources", [this](const json &entry, const std::string &field) { readSource(entry, field); });
        forEach("cases", [this](const json &entry, const std::string &field) { readCase(entry, field); });
    }

private:
    template <class Use>
    void forEach(const char *key, Use use) {
        const auto list = file_.find(key);
        if (list == file_.end() || !list->is_array()) {
            problems_.push_back({key, list == file_.end() ? "nothing" : shownValue(*list), "a list of objects"});
            return;
        }
        std::size_t index = 0;
        for (const json &entry : *list) {
            use(entry, fmt::format("{}[{}]", key, index++));
        }
    }

    void readSource(const json &entry, const std::string &field) {
        Reading reading(entry, field, problems_);
        MeasuredSource source;
        source.id = reading.text("id");
        source.name = reading.text("name");
        source.url = reading.text("url");
        source.assumed = reading.texts("assumed");
        if (set_.source(source.id) != nullptr) {
            reading.complain("id", shownText(source.id), "an id that no other source has");
        }
        shared_.push_back({source.id, reading.object("scenario")});
        set_.sources.push_back(std::move(source));
    }

    void readCase(const json &entry, const std::string &field) {
        Reading reading(entry, field, problems_);
        MeasuredCase measured;
        measured.id = reading.text("id");
        if (!ids_.insert(measured.id).second) {
            reading.complain("id", shownText(measured.id), "an id that no other case has");
        }
        measured.source = reading.text("source");
        measured.where = reading.text("where", false);
        measured.quality = reading.text("quality");
        measured.model = reading.text("model");
        measured.assumed = reading.texts("assumed");
        measured.url = reading.text("url", false);
        const auto shared = std::find_if(shared_.begin(), shared_.end(),
                                         [&](const SharedScenario &each) { return each.source == measured.source; });
        if (shared == shared_.end()) {
            reading.complain("source", shownText(measured.source), "the id of a source of this file");
            return;
        }
        if (measured.url.empty()) {
            measured.url = set_.source(measured.source)->url;
        }
        measured.scenario = scenarioOf(measured, shared->scenario, reading);
        measured.measurements = readMeasurements(
            reading.object("measured"), reading.positive("speed_uncertainty", false), field + ".measured", problems_);
        set_.cases.push_back(std::move(measured));
    }

    std::string scenarioOf(const MeasuredCase &measured, json scenario, Reading &reading) {
        mergeInto(scenario, reading.object("scenario"));
        scenario["ridgepoint"] = 1;
        scenario["name"] = measured.id;
        const auto models = file_.find("models");
        if (models != file_.end() && models->is_object() && models->contains(measured.model)) {
            scenario["model"] = (*models)[measured.model];
        } else {
            reading.complain("model", shownText(measured.model), "the id of a model of this file");
        }
        return scenario.dump(-1, ' ', false, json::error_handler_t::replace);
    }

    const json &file_;
    MeasuredSet &set_;
    Problems &problems_;
    std::vector<SharedScenario> shared_;
    std::set<std::string, std::less<>> ids_;
};

} // namespace

std::string_view keyOf(MeasuredAt at) {
    switch (at) {
    case MeasuredAt::WorstStage:
        return "worst_stage";
    case MeasuredAt::FirstStage:
        return "first_stage";
    case MeasuredAt::LastStage:
        return "last_stage";
    case MeasuredAt::AllGpus:
        return "all_gpus";
    }
    return {};
}

std::span<const std::string_view> measuredKinds() {
    return kinds;
}

const MeasuredSource *MeasuredSet::source(std::string_view id) const {
    const auto it = std::find_if(sources.begin(), sources.end(), [&](const MeasuredSource &s) { return s.id == id; });
    return it != sources.end() ? &*it : nullptr;
}

Expected<MeasuredSet> readMeasured(std::span<const std::string_view> texts) {
    MeasuredSet set;
    Problems problems;
    for (const std::string_view text : texts) {
        if (const Expected<json> file = parseStrictJsonObject(text)) {
            FileReader(*file, set, problems).read();
        } else {
            problems.insert(problems.end(), file.error().begin(), file.error().end());
        }
    }
    if (!problems.empty()) {
        return tl::make_unexpected(std::move(problems));
    }
    return set;
}

Expected<MeasuredSet> measuredSet() {
    return readMeasured(std::array{embeddedResource("resources/measured/training.json"),
                                   embeddedResource("resources/measured/inference.json")});
}

} // namespace ridgepoint
