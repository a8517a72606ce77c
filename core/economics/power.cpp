// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Power from the board to the site, and the energy of a step, a token and a run.
#include "core/economics/economics.h"
#include "core/economics/terms.h"
#include "core/performance/machine.h"

#include <algorithm>

namespace ridgepoint {

namespace {

template <Number N>
N limitOf(const Setting &setting) {
    const auto &limit = setting.scenario->hardware.powerLimitWatts;
    return limit ? fact<N>(*limit, "power limit", "W", "scenario")
                 : factOf<N>(setting.gpu.boardWatts, "board power", "W");
}

/// Share of (limit - idle) that the work draws; at most 1. The base share holds while the GPU has work, and falls with
/// its idle share.
template <Number N>
N activityShare(const GeneralFacts &general, const Activity<N> &activity) {
    const N base = factOf<N>(general.powerActivityBase, "base share of a GPU at work");
    N share = base;
    if (valueOf(activity.idle) > 0 || valueOf(activity.communication) > 0) {
        const N communication = named<N>(activity.communication, "communication share");
        share = base * larger(N(0.0), N(1.0) - named<N>(activity.idle, "idle share") - communication) +
                factOf<N>(general.powerActivityCommunication, "base share of a GPU that communicates") * communication;
    }
    share +=
        factOf<N>(general.powerActivityMemory, "weight of the bandwidth in use") * activity.memory +
        factOf<N>(general.powerActivityCompute, "weight of the root of the peak in use") * squareRoot(activity.compute);
    return smaller(N(1.0), named<N>(share, "activity", "", general.powerActivityBase.source));
}

} // namespace

template <Number N>
PowerReport<N> evaluatePower(const Setting &setting, const PerformanceReport<N> &performance) {
    PowerReport<N> p;
    const Scenario &scenario = *setting.scenario;
    const int world = scenario.parallelism.world();
    p.gpusInNode = std::min(world, scenario.hardware.gpusPerNode);
    const N idle = factOf<N>(setting.gpu.idleWatts, "idle power", "W");
    p.nameplateWatts = factOf<N>(setting.gpu.boardWatts, "board power", "W");
    p.gpuWatts =
        named<N>(idle + (limitOf<N>(setting) - idle) * activityShare(setting.catalog->general, performance.activity),
                 "GPU power", "W", "idle + (limit - idle) x activity");
    p.nodeWatts = named<N>(fact<N>(p.gpusInNode, "GPUs of a node in use") * p.gpuWatts +
                               hostWattsInNode<N>(setting, p.gpusInNode),
                           "node power", "W");
    p.clusterWatts = named<N>(wholeNodes<N>(setting) * p.nodeWatts, "cluster power", "W");
    p.siteWatts = named<N>(p.clusterWatts * pueOf<N>(setting), "site power", "W");

    const TimeReport<N> &time = performance.time;
    const N seconds = named<N>(time.breakdown.totalSeconds,
                               setting.isTraining() ? "step" : "prefill and decode of all sequences", "s");
    const N energy = named<N>(p.siteWatts * seconds, "energy at the meter", "J");
    if (setting.isTraining()) {
        p.energyPerStepJoules = energy;
        p.energyPerTokenJoules = named<N>(p.siteWatts / *time.tokensPerSecond, "energy per token", "J");
    } else {
        p.energyPerTokenJoules = named<N>(p.siteWatts / *time.outputTokensPerSecond, "energy per output token", "J");
    }
    if (time.runSeconds) {
        p.runEnergyKwh = named<N>(p.siteWatts * *time.runSeconds / N(3.6e6), "energy of the run at the meter", "kWh");
        p.runCo2Kg = named<N>(*p.runEnergyKwh * gridOf<N>(setting), "carbon of the run", "kg");
    }
    return p;
}

template PowerReport<double> evaluatePower(const Setting &, const PerformanceReport<double> &);
template PowerReport<Traced> evaluatePower(const Setting &, const PerformanceReport<Traced> &);

} // namespace ridgepoint
