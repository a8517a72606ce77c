// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How `training.recompute` is read and written in both of its forms.
#include "core/scenario/field_kinds.h"
#include "core/scenario/lora_field.h"

namespace ridgepoint {

namespace {

constexpr std::string_view layersPath = "training.recompute.full_layers";
constexpr Range layerCounts{1, 10000};

void readLayers(const nlohmann::json &value, Scenario &s, Reading &reading) {
    reportUnknownKeys(value, "training.recompute", {"full_layers"}, reading);
    const auto layers = value.find("full_layers");
    if (layers == value.end()) {
        reading.report(std::string(layersPath), "nothing", "a whole number of layers of each stage");
    } else if (const auto n = detail::numberIn(*layers, std::string(layersPath), layerCounts, true, "", reading)) {
        s.training.recompute = Recompute::FullLayers;
        s.training.recomputeLayers = static_cast<int>(*n);
    }
}

} // namespace

Field recomputeField() {
    Field field =
        choiceField<Recompute>("training", "recompute", [](auto &s) -> auto & { return s.training.recompute; },
                               {{"none", Recompute::None},
                                {"selective", Recompute::Selective},
                                {"selective-ops", Recompute::SelectiveOps},
                                {"full", Recompute::Full}});
    field.read = [readWord = field.read](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (value.is_object()) {
            readLayers(value, s, reading);
        } else {
            readWord(value, s, reading);
        }
    };
    field.write = [writeWord = field.write](const Scenario &s) -> nlohmann::ordered_json {
        if (s.training.recompute == Recompute::FullLayers) {
            return {{"full_layers", s.training.recomputeLayers}};
        }
        return writeWord(s);
    };
    field.check = [](const Scenario &s, const Catalog &, Problems &problems) {
        if (s.training.recompute == Recompute::FullLayers) {
            detail::checkNumber(s.training.recomputeLayers, std::string(layersPath), layerCounts, true, problems);
        }
    };
    return field;
}

} // namespace ridgepoint
