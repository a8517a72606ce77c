// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the power and cost panel draws, computed from a report without a screen.
#pragma once

#include "core/report/report.h"

#include "ui/panels/display.h"
#include "ui/theme/parts.h"

#include <QString>

#include <vector>

namespace ridgepoint {

struct PowerBar {
    QString name;      ///< `8 GPUs`, `site (PUE 1.30)`
    QString shortName; ///< `site`; empty where the name is short
    double watts = 0;
    QString value;     ///< `2.90 kW`
    QString note;      ///< `nameplate 400 W`; may be empty
    QString shortNote; ///< `of 400 W`
    QString path;      ///< empty where the report has no such number
};

struct PowerBars {
    std::vector<PowerBar> bars; ///< GPU, GPUs of the node, node, cluster (of more than a node), site
    double mostWatts = 0;
    QString energy;         ///< one line; energy and CO2 of the run, or energy per token
    QString shortEnergy;    ///< the same where there is little room
    QString shortestEnergy; ///< without the CO2
    QString energyPath;
};

PowerBars powerBars(const GpuReport<double> &gpu, const DisplayOptions &options);

struct CostSlice {
    CostTerm term = CostTerm::Gpus;
    double usd = 0;
    QString name, value, path;
};

struct CostSentence {
    QString text;
    QString path; ///< empty: not a number of the report
    enum class Tone { Plain, Good } tone = Tone::Plain;
    QString shortText; ///< the same where there is little room; may be empty
};

struct CostBars {
    std::vector<CostSlice> slices; ///< over the lifetime; terms of zero are left out
    double totalUsd = 0;           ///< of the slices drawn (a negative cost of capital is a sentence instead)
    QString heading;               ///< `TCO $252k = 2.1x the GPUs`
    QString shortHeading;          ///< `TCO $252k`
    QString headingPath;
    std::vector<CostSentence> sentences; ///< cost per million tokens, rent, break-even; most important first
};

CostBars costBars(const GpuReport<double> &gpu, const DisplayOptions &options);

QString nameOf(CostTerm term);
QString pathOf(CostTerm term);

} // namespace ridgepoint
