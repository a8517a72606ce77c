// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files: SVG, PDF and PNG of any panel, drawn off screen.
#pragma once

#include "core/report/report.h"

#include "ui/panels/panel.h"

#include <tl/expected.hpp>

#include <QSize>
#include <QStringList>

#include <memory>

namespace ridgepoint {

/// Ids of all charts in the order of the window, and of all formats.
QStringList chartIds();
QStringList chartFormats();

/// The panel of a chart; nullptr for an unknown id.
std::unique_ptr<Panel> makePanel(const QString &chart);

struct ChartExport {
    QStringList charts = chartIds();
    QStringList formats = {QStringLiteral("svg")};
    Theme theme = lightTheme();
    QSize size = {1600, 900}; ///< of a PNG in pixels; the same in points at 96 per inch for the others
    QString folder;           ///< made where it does not exist
    NumberStyle numbers;
};

/// Writes every chart in every format as `memory.svg`, all of them or none; returns the paths. Needs a QApplication.
/// Error: in words, what could not be written.
tl::expected<QStringList, QString> exportCharts(const Report<double> &report, const Scenario &scenario,
                                                const Catalog &catalog, const ChartExport &wanted);

/// One chart as the bytes of a file. Pre: a format of chartFormats().
QByteArray chartBytes(const Panel &panel, const QString &format, const Theme &theme, const QSize &size);

} // namespace ridgepoint
