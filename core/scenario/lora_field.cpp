// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How `training.lora` is read, written and checked.
#include "core/scenario/lora_field.h"

#include "core/scenario/field_kinds.h"

#include <array>

namespace ridgepoint {

namespace {

using Targets = Lora::Targets;

constexpr std::string_view path = "training.lora";
constexpr Range ranks{1, 1e5};

struct Target {
    std::string_view name;
    bool Targets::*flag;
};
constexpr std::array<Target, 7> targets{{{"q", &Targets::q},
                                         {"k", &Targets::k},
                                         {"v", &Targets::v},
                                         {"o", &Targets::o},
                                         {"gate", &Targets::gate},
                                         {"up", &Targets::up},
                                         {"down", &Targets::down}}};
constexpr Targets attention{};
constexpr Targets allLinear{true, true, true, true, true, true, true};
constexpr std::string_view targetWords = R"("attention", "all-linear", or a list of q, k, v, o, gate, up, down)";

/// The formats that adapters are trained on.
constexpr std::array<std::string_view, 5> bases{"bf16", "int8", "int4-g128", "nf4", "nf4-dq"};

struct Extra {
    std::string_view name;
    bool Lora::*flag;
};
constexpr std::array<Extra, 2> extras{{{"embeddings", &Lora::trainsEmbeddings}, {"head", &Lora::trainsHead}}};

std::string at(std::string_view key) {
    return fmt::format("{}.{}", path, key);
}

/// The flags of the words of a list; reports everything else. An empty list is a mistake only where `least` is 1.
template <class Table, class Object>
void readWords(const nlohmann::json &value, std::string_view key, std::string_view allowed, const Table &table,
               Object &object, Reading &reading) {
    if (!value.is_array()) {
        reading.report(at(key), shownValue(value), std::string(allowed));
        return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        bool known = false;
        for (const auto &word : table) {
            if (value[i].is_string() && value[i].template get_ref<const std::string &>() == word.name) {
                object.*word.flag = true;
                known = true;
            }
        }
        if (!known) {
            reading.report(fmt::format("{}[{}]", at(key), i), shownValue(value[i]), std::string(allowed));
            if (reading.isFull()) {
                return;
            }
        }
    }
}

void readTargets(const nlohmann::json &value, Lora &lora, Reading &reading) {
    if (value == "attention") {
        lora.targets = attention;
    } else if (value == "all-linear") {
        lora.targets = allLinear;
    } else {
        lora.targets = Targets{false, false, false, false, false, false, false};
        readWords(value, "targets", targetWords, targets, lora.targets, reading);
    }
}

void readObject(const nlohmann::json &value, Scenario &s, Reading &reading) {
    reportUnknownKeys(value, std::string(path), {"rank", "targets", "also", "base"}, reading);
    Lora lora;
    if (const auto rank = value.find("rank"); rank != value.end()) {
        if (const auto number = detail::numberIn(*rank, at("rank"), ranks, true, "", reading)) {
            lora.rank = *number;
        }
    }
    if (const auto list = value.find("targets"); list != value.end()) {
        readTargets(*list, lora, reading);
    }
    if (const auto list = value.find("also"); list != value.end()) {
        readWords(*list, "also", "a list of embeddings, head", extras, lora, reading);
    }
    if (const auto base = value.find("base"); base != value.end()) {
        const bool known = base->is_string() &&
                           std::find(bases.begin(), bases.end(), base->get_ref<const std::string &>()) != bases.end();
        if (known) {
            lora.base = base->get<std::string>();
        } else {
            reading.report(at("base"), shownValue(*base), joined({bases.begin(), bases.end()}));
        }
    }
    s.training.lora = lora;
}

nlohmann::ordered_json written(const Lora &lora) {
    nlohmann::ordered_json object;
    object["rank"] = numberJson(lora.rank);
    if (lora.targets == attention) {
        object["targets"] = "attention";
    } else if (lora.targets == allLinear) {
        object["targets"] = "all-linear";
    } else {
        object["targets"] = nlohmann::ordered_json::array();
        for (const Target &target : targets) {
            if (lora.targets.*target.flag) {
                object["targets"].push_back(target.name);
            }
        }
    }
    object["also"] = nlohmann::ordered_json::array();
    for (const Extra &extra : extras) {
        if (lora.*extra.flag) {
            object["also"].push_back(extra.name);
        }
    }
    object["base"] = lora.base;
    return object;
}

void check(const Lora &lora, const Catalog &catalog, Problems &problems) {
    detail::checkNumber(lora.rank, at("rank"), ranks, true, problems);
    if (std::none_of(targets.begin(), targets.end(), [&](const Target &t) { return lora.targets.*t.flag; })) {
        problems.push_back({at("targets"), "an empty list", "at least one of q, k, v, o, gate, up, down"});
    }
    if (catalog.format(lora.base) == nullptr) {
        problems.push_back({at("base"), inQuotes(lora.base), joined({bases.begin(), bases.end()})});
    }
}

} // namespace

Field loraField() {
    Field field;
    field.path = path;
    field.key = "lora";
    field.read = [](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (value.is_null()) {
            s.training.lora = std::nullopt;
        } else if (value.is_object()) {
            readObject(value, s, reading);
        } else {
            reading.report(std::string(path), shownValue(value), "null or an object of rank, targets, also, base");
        }
    };
    field.write = [](const Scenario &s) -> nlohmann::ordered_json {
        return s.training.lora ? written(*s.training.lora) : nlohmann::ordered_json(nullptr);
    };
    field.check = [](const Scenario &s, const Catalog &catalog, Problems &problems) {
        if (s.training.lora) {
            check(*s.training.lora, catalog, problems);
        }
    };
    return field;
}

} // namespace ridgepoint
