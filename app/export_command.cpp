// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `export`: the charts as files, drawn off screen.
#include "core/search/advice.h"

#include "ui/shell/chart_export.h"
#include "ui/shell/run_window.h"

#include "app/commands.h"
#include "app/offscreen.h"
#include "app/output.h"
#include "app/size.h"

#include <QApplication>

namespace ridgepoint {

namespace {

/// The wanted names, or all that are known; nullopt after saying which one is unknown.
std::optional<QStringList> namesFrom(const std::vector<std::string> &wanted, const QStringList &known,
                                     const QStringList &byDefault, const char *option) {
    QStringList names;
    for (const std::string &each : wanted) {
        const QString name = QString::fromStdString(each);
        if (!known.contains(name)) {
            std::fprintf(stderr, "%s: found %s, allowed %s\n", option, shownName(each).c_str(),
                         qPrintable(known.join(QStringLiteral(", "))));
            return std::nullopt;
        }
        if (!names.contains(name)) {
            names.append(name);
        }
    }
    return names.isEmpty() ? byDefault : names;
}

} // namespace

int runExport(const ExportOptions &options, const Catalog &catalog, int argc, char **argv) {
    const std::optional<QSize> size = sizeFrom(options.size);
    if (!size) {
        refuseSize(options.size);
        return ExitBadInput;
    }
    const auto charts = namesFrom(options.charts, chartIds(), chartIds(), "--charts");
    const auto formats = namesFrom(options.formats, chartFormats(), {QStringLiteral("svg")}, "--format");
    const Expected<Scenario> scenario = scenarioFor(options.file, options.gpus, catalog);
    if (!scenario || !charts || !formats) {
        return ExitBadInput;
    }
    Report<double> report = evaluate<double>(*scenario, catalog);
    addAdvice(report, *scenario, catalog);
    prepareOffscreen();
    QApplication application(argc, argv);
    prepareApplication(application);
    ChartExport wanted;
    wanted.charts = *charts;
    wanted.formats = *formats;
    wanted.theme = options.theme == "dark" ? darkTheme() : options.theme == "print" ? printTheme() : lightTheme();
    wanted.size = *size;
    wanted.folder = QString::fromStdString(options.directory);
    wanted.numbers = readingStyle();
    const auto files = exportCharts(report, *scenario, catalog, wanted);
    if (!files) {
        std::fprintf(stderr, "%s\n", qPrintable(files.error()));
        return ExitCannotWrite;
    }
    return writeOutput({}, files->join(u'\n').toStdString() + "\n");
}

} // namespace ridgepoint
