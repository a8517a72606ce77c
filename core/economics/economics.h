// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Power, energy and money of a scenario on one GPU: from board to site, and over the lifetime of the system.
#pragma once

#include "core/performance/performance.h"

namespace ridgepoint {

/// GPU power = idle + (limit - idle) x activity, at most the limit; activity = base share + weight x share of the
/// bandwidth in use + weight x root of the share of the peak in use (fit in resources/general.json). The base share
/// falls with the share of time without any work. Node = GPUs in use + host; a job smaller than a node carries its
/// share of the host. Cluster = all nodes; site = cluster x PUE. Energies of step, token and run, and carbon, are at
/// the meter: site power x time.
template <Number N>
PowerReport<N> evaluatePower(const Setting &setting, const PerformanceReport<N> &performance);
/// Over the lifetime, in $. energy: IT energy, at cluster power in busy hours (utilization x lifetime) and with idle
/// GPUs in the others, where hosts keep their power; cooling: energy x (PUE - 1); facility: kW of the cluster at work;
/// capital: system price x (cost of capital x years
/// - residual fraction), simple interest. Servers and network per node; a job smaller than a node carries its share.
/// maintenance, people and other are of the whole system. Per token and run: TCO over busy hours. Break-even: the
/// utilization at which owning costs what renting the busy hours does; renting is always cheaper where that is above 1.
/// Without a GPU price, what needs it is absent.
template <Number N>
CostReport<N> evaluateCost(const Setting &setting, const PerformanceReport<N> &performance,
                           const PowerReport<N> &power);

} // namespace ridgepoint
