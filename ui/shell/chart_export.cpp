// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files: draws each into memory first, then writes all files or none.
#include "ui/shell/chart_export.h"

#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/power/power_panel.h"
#include "ui/panels/roofline/roofline_panel.h"
#include "ui/panels/time/time_panel.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace ridgepoint {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::ChartExport)
};

constexpr int dotsPerInch = 96;

void drawSvg(const Panel &panel, const Theme &theme, const QSize &size, QIODevice &device) {
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(dotsPerInch);
    generator.setTitle(panel.title());
    generator.setDescription(panel.accessibleDescription());
    QPainter painter(&generator);
    panel.render(painter, QRectF(QPointF(), size), theme);
}

void drawPdf(const Panel &panel, const Theme &theme, const QSize &size, QIODevice &device) {
    QPdfWriter writer(&device);
    writer.setResolution(dotsPerInch);
    const QSizeF inches(size.width() / double{dotsPerInch}, size.height() / double{dotsPerInch});
    writer.setPageSize(QPageSize(inches, QPageSize::Inch, panel.title(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(panel.title());
    QPainter painter(&writer);
    panel.render(painter, QRectF(QPointF(), size), theme);
}

void drawPng(const Panel &panel, const Theme &theme, const QSize &size, QIODevice &device) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.card);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    panel.render(painter, QRectF(QPointF(), size), theme);
    painter.end();
    image.setText(QStringLiteral("Title"), panel.title());
    image.save(&device, "PNG");
}

} // namespace

QStringList chartIds() {
    return {QStringLiteral("memory"), QStringLiteral("roofline"), QStringLiteral("time"), QStringLiteral("power"),
            QStringLiteral("cost")};
}

QStringList chartFormats() {
    return {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png")};
}

std::unique_ptr<Panel> makePanel(const QString &chart) {
    if (chart == QStringLiteral("memory"))
        return std::make_unique<MemoryPanel>();
    if (chart == QStringLiteral("roofline"))
        return std::make_unique<RooflinePanel>();
    if (chart == QStringLiteral("time"))
        return std::make_unique<TimePanel>();
    if (chart == QStringLiteral("power"))
        return std::make_unique<PowerPanel>(nullptr, PowerContent::Power);
    if (chart == QStringLiteral("cost"))
        return std::make_unique<PowerPanel>(nullptr, PowerContent::Cost);
    return nullptr;
}

QByteArray chartBytes(const Panel &panel, const QString &format, const Theme &theme, const QSize &size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (format == QStringLiteral("svg"))
        drawSvg(panel, theme, size, buffer);
    else if (format == QStringLiteral("pdf"))
        drawPdf(panel, theme, size, buffer);
    else
        drawPng(panel, theme, size, buffer);
    return buffer.data();
}

tl::expected<QStringList, QString> exportCharts(const Report<double> &report, const Scenario &scenario,
                                                const Catalog &catalog, const ChartExport &wanted) {
    if (!QDir().mkpath(wanted.folder))
        return tl::unexpected(Text::tr("%1: the folder cannot be made").arg(wanted.folder));
    std::vector<std::unique_ptr<QSaveFile>> files;
    QStringList paths;
    for (const QString &chart : wanted.charts) {
        const std::unique_ptr<Panel> panel = makePanel(chart);
        if (panel == nullptr)
            return tl::unexpected(
                Text::tr("%1: no such chart, there are %2").arg(chart, chartIds().join(QStringLiteral(", "))));
        QStringList caption{QString::fromStdString(report.scenario), QString::fromStdString(report.model.name)};
        caption.removeAll(QString());
        panel->setCaption(caption.join(QStringLiteral(" · ")));
        panel->setReport(report, {wanted.numbers, false, systemFactsOf(scenario, catalog)});
        for (const QString &format : wanted.formats) {
            if (!chartFormats().contains(format))
                return tl::unexpected(Text::tr("%1: no such format, there are %2")
                                          .arg(format, chartFormats().join(QStringLiteral(", "))));
            const QString path = QDir(wanted.folder).filePath(chart + u'.' + format);
            auto file = std::make_unique<QSaveFile>(path);
            const QByteArray bytes = chartBytes(*panel, format, wanted.theme, wanted.size);
            if (!file->open(QIODevice::WriteOnly) || file->write(bytes) != bytes.size())
                return tl::unexpected(path + QStringLiteral(": ") + file->errorString());
            files.push_back(std::move(file));
            paths.append(path);
        }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!files[i]->commit())
            return tl::unexpected(paths[static_cast<qsizetype>(i)] + QStringLiteral(": ") + files[i]->errorString());
    }
    return paths;
}

} // namespace ridgepoint
