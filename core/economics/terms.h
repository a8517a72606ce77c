// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The economic figures in force: the scenario's where it sets them, else the preset's.
#pragma once

#include "core/model/setting.h"
#include "core/number/number.h"

#include <optional>
#include <string_view>

namespace ridgepoint {

template <Number N>
N termOf(const std::optional<double> &own, const Fact &preset, std::string_view label, std::string_view unit) {
    return own ? fact<N>(*own, label, unit, "scenario") : fact<N>(preset.value, label, unit, preset.source);
}

template <Number N>
N pueOf(const Setting &setting) {
    return termOf<N>(setting.scenario->economics.pue, setting.economics->pue, "PUE", "");
}

template <Number N>
N gridOf(const Setting &setting) {
    return termOf<N>(setting.scenario->economics.gridKgCo2PerKwh, setting.economics->gridKgCo2PerKwh, "grid intensity",
                     "kg/kWh");
}

/// Host power that goes with the GPUs of one node in use. A job smaller than a node carries its share of the host.
template <Number N>
N hostWattsInNode(const Setting &setting, int gpusInUse) {
    const int perNode = setting.scenario->hardware.gpusPerNode;
    const N host = fact<N>(setting.economics->hostWattsPerNode.value, "host of a node", "W",
                           setting.economics->hostWattsPerNode.source);
    return gpusInUse == perNode ? host : host * (fact<N>(gpusInUse, "GPUs in use") / fact<N>(perNode, "GPUs per node"));
}

/// Nodes in power terms: full nodes, or the one that a smaller job partly uses. checkScenario() sees to full nodes
/// above one.
template <Number N>
N wholeNodes(const Setting &setting) {
    const int world = setting.scenario->parallelism.world();
    const int perNode = setting.scenario->hardware.gpusPerNode;
    return world <= perNode ? fact<N>(1, "node") : fact<N>(world, "GPUs") / fact<N>(perNode, "GPUs per node");
}

} // namespace ridgepoint
