// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files, and pictures of the window: whole, of the asked size, text as text.
#include "core/scenario/file.h"

#include "ui/shell/chart_export.h"
#include "ui/shell/run_window.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

class PicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void exports_areWrittenWholeInEveryFormat();
    void export_ofUnknownChart_writesNothing();
    void screenshot_isNotBlankAndHasTheSize_data();
    void screenshot_isNotBlankAndHasTheSize();

private:
    QTemporaryDir folder_;
};

void PicturesTest::initTestCase() {
    prepareApplication(*qobject_cast<QApplication *>(QCoreApplication::instance()));
    QVERIFY(folder_.isValid());
}

void PicturesTest::exports_areWrittenWholeInEveryFormat() {
    const Scenario scenario = defaultScenario(catalog());
    ChartExport wanted;
    wanted.formats = chartFormats();
    wanted.size = {800, 450};
    wanted.folder = folder_.filePath(QStringLiteral("charts"));
    const auto paths = exportCharts(evaluate<double>(scenario, catalog()), scenario, catalog(), wanted);
    QVERIFY2(paths, paths ? "" : qPrintable(paths.error()));
    QCOMPARE(paths->size(), chartIds().size() * 3);
    for (const QString &path : *paths) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.size() > 1000);
        if (path.endsWith(QStringLiteral("png"))) {
            QCOMPARE(QImage::fromData(bytes).size(), wanted.size);
        } else if (path.endsWith(QStringLiteral("pdf"))) {
            QVERIFY(bytes.startsWith("%PDF-"));
        } else {
            QVERIFY(bytes.contains("viewBox=\"0 0 800 450\""));
            QVERIFY2(bytes.contains("<text"), "text is text, not outlines");
        }
    }
    QCOMPARE(QDir(wanted.folder).entryList(QDir::Files).size(), paths->size());
}

void PicturesTest::export_ofUnknownChart_writesNothing() {
    const Scenario scenario = defaultScenario(catalog());
    ChartExport wanted;
    wanted.charts = {QStringLiteral("memory"), QStringLiteral("weather")};
    wanted.folder = folder_.filePath(QStringLiteral("none"));
    QVERIFY(!exportCharts(evaluate<double>(scenario, catalog()), scenario, catalog(), wanted));
    QVERIFY(QDir(wanted.folder).entryList(QDir::Files).isEmpty());
}

void PicturesTest::screenshot_isNotBlankAndHasTheSize_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<double>("scale");
    QTest::newRow("small, light") << QSize(1280, 720) << false << 1.0;
    QTest::newRow("usual, dark") << QSize(1920, 1080) << true << 1.0;
    QTest::newRow("4K, light") << QSize(3840, 2160) << false << 2.0;
}

void PicturesTest::screenshot_isNotBlankAndHasTheSize() {
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    QFETCH(double, scale);
    const QString path = folder_.filePath(QStringLiteral("shot.png"));
    const QString error = saveScreenshot(catalog(), defaultScenario(catalog()), path, size,
                                         isDark ? ThemeChoice::Dark : ThemeChoice::Light, scale);
    QVERIFY2(error.isEmpty(), qPrintable(error));
    const QImage image(path);
    QCOMPARE(image.size(), size);
    QSet<QRgb> colours;
    for (int y = 0; y < size.height(); y += 3) {
        for (int x = 0; x < size.width(); x += 3)
            colours.insert(image.pixel(x, y));
    }
    QVERIFY(colours.size() > 200);
    QCOMPARE(qGray(image.pixel(size.width() - 2, size.height() - 2)) < 128, isDark);
}

} // namespace

QTEST_MAIN(PicturesTest)
#include "tst_pictures.moc"
