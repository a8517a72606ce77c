// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the bands of measured errors and gives each framework and engine its own or the generic one.
#include "core/catalog/tables.h"

namespace ridgepoint::catalog {

using nlohmann::json;

namespace {

template <class Stack>
struct Slot {
    std::string_view kind;
    Band Stack::*band;
};
constexpr std::array frameworkSlots{Slot<Framework>{"training-memory", &Framework::memoryBand},
                                    Slot<Framework>{"step", &Framework::stepBand}};
constexpr std::array engineSlots{
    Slot<Engine>{"serving-memory", &Engine::memoryBand}, Slot<Engine>{"first-token", &Engine::firstTokenBand},
    Slot<Engine>{"output-token", &Engine::outputTokenBand}, Slot<Engine>{"throughput", &Engine::throughputBand}};

/// Gives the band to the stack it names; the generic one to every stack that has none yet.
template <class Stack, class Slots>
bool give(std::vector<Stack> &stacks, const Slots &slots, std::string_view kind, std::string_view id,
          const Band &band) {
    bool isKnown = false;
    for (const auto &slot : slots) {
        if (slot.kind != kind) {
            continue;
        }
        for (Stack &stack : stacks) {
            if (stack.id == id || (id == "generic" && (stack.*slot.band).high.value == 0)) {
                stack.*slot.band = band;
                isKnown = true;
            }
        }
    }
    return isKnown;
}

} // namespace

void readBands(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "bands", context, problems, [&](Entry &entry) {
        const std::string id = entry.text("id");
        const Band band{entry.fact("low", positive), entry.fact("high", positive)};
        entry.whole("cases");
        const std::size_t slash = id.find('/');
        const std::string kind = id.substr(0, slash);
        const std::string stack = slash == std::string::npos ? std::string() : id.substr(slash + 1);
        if (band.low.value > band.high.value) {
            entry.report("low", "more than high", "at most high");
        }
        if (kind == "power") {
            catalog.powerBand = band;
        } else if (!give(catalog.frameworks, frameworkSlots, kind, stack, band) &&
                   !give(catalog.engines, engineSlots, kind, stack, band)) {
            entry.report("id", shownText(id), "a kind of prediction / a framework or engine, generic after the others");
        }
        entry.finish();
    });
}

} // namespace ridgepoint::catalog
