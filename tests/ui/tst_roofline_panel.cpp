// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Roofs bend at the ridge, points stand for time, their labels do not overlap, and a click picks the operation.
#include "ui/panels/roofline/roofline_labels.h"
#include "ui/panels/roofline/roofline_panel.h"
#include "ui/panels/roofline/roofline_points.h"

#include "tests/ui/demo_report.h"

#include <QBuffer>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

class TestRooflinePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ridgeOfAnA100Is153() {
        const RooflinePoints points = rooflinePoints(demo::training(), {}, {});
        const Roof &roof = points.roofs.front();
        QCOMPARE(std::round(roof.ridgeFlopPerByte), 153.0); // 312e12 / 2.039e12
        QCOMPARE(roof.at(roof.ridgeFlopPerByte * 10), 312e12);
        QCOMPARE(roof.at(1), 2.039e12);
        QCOMPARE(roof.format, u"BF16"_s);
    }

    void pointsShareTheTimeAndComeLargestFirst() {
        const RooflinePoints points = rooflinePoints(demo::training(), {}, {});
        double sum = 0;
        for (const RooflinePoint &point : points.points)
            sum += point.timeShare;
        QVERIFY(std::abs(sum - 1) < 1e-12);
        QVERIFY(
            std::is_sorted(points.points.begin(), points.points.end(),
                           [](const RooflinePoint &a, const RooflinePoint &b) { return a.timeShare > b.timeShare; }));
        QCOMPARE(points.points.front().name, u"gate up"_s);
        QCOMPARE(points.points.front().path, u"roofline.operations[6].time_s"_s);
        for (const RooflinePoint &point : points.points)
            QVERIFY(point.flopsPerSecond <= points.roofs.front().at(point.intensityFlopPerByte) * (1 + 1e-9));
    }

    void operationsWithoutBytesHaveNoPlace() {
        Report<double> report = demo::training(1);
        const std::size_t before = rooflinePoints(report, {}, {}).points.size();
        report.gpus[0].roofline.operations[0].intensityFlopPerByte.reset();
        QCOMPARE(rooflinePoints(report, {}, {}).points.size(), before - 1);
    }

    void axesShowEveryRoofAndPoint() {
        const RooflinePoints points = rooflinePoints(demo::training(8), {}, u"nvidia-b200"_s);
        QCOMPARE(points.selected, std::size_t(3));
        for (const RooflinePoint &point : points.points) {
            QVERIFY(point.intensityFlopPerByte >= std::pow(10, points.intensity.lowest));
            QVERIFY(point.intensityFlopPerByte <= std::pow(10, points.intensity.highest));
            QVERIFY(point.flopsPerSecond >= std::pow(10, points.performance.lowest));
        }
        for (const Roof &roof : points.roofs) {
            QVERIFY(roof.peakFlopsPerSecond <= std::pow(10, points.performance.highest));
            QVERIFY(roof.ridgeFlopPerByte <= std::pow(10, points.intensity.highest));
        }
    }

    void labelsDoNotOverlap_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("gpus");
        QTest::newRow("small, eight GPUs") << QSize(300, 170) << 8;
        QTest::newRow("small, one GPU") << QSize(300, 170) << 1;
        QTest::newRow("large, five GPUs") << QSize(700, 380) << 5;
    }
    void labelsDoNotOverlap() {
        QFETCH(QSize, size);
        QFETCH(int, gpus);
        const RooflinePoints points = rooflinePoints(demo::training(std::size_t(gpus)), {}, {});
        const QRectF plot(0, 0, size.width(), size.height());
        const auto toPixel = [&](double intensity, double flops) {
            const auto share = [](double value, const LogAxis &axis) {
                return (std::log10(value) - axis.lowest) / (axis.highest - axis.lowest);
            };
            return QPointF(plot.width() * share(intensity, points.intensity),
                           plot.height() * (1 - share(flops, points.performance)));
        };
        RooflineLabels labels;
        labels.layOut(points, plot, plot.right() + 120, toPixel, lightTheme(), {});
        QVERIFY(labels.dots.size() > 5);
        QVERIFY(labels.texts.size() >= std::size_t(gpus) + 3); // roofs, the ridge, two bounds
        for (std::size_t a = 0; a < labels.occupied.size(); ++a) {
            for (std::size_t b = a + 1; b < labels.occupied.size(); ++b) {
                // Roofs' names touch where they are many.
                QVERIFY(!labels.occupied[a]
                             .adjusted(0, 0.5, 0, -0.5)
                             .intersects(labels.occupied[b].adjusted(0, 0.5, 0, -0.5)));
            }
        }
        // Area, not radius, is the share of the time.
        const RooflineLabels::Dot &first = labels.dots[0];
        const RooflineLabels::Dot &second = labels.dots[1];
        QVERIFY(std::abs(std::pow(first.radius / second.radius, 2) -
                         points.points[0].timeShare / points.points[1].timeShare) < 1e-9);
    }

    void clickOnAPointPicksItsTime() {
        RooflinePanel panel;
        panel.resize(700, 400);
        panel.setReport(demo::training(), demo::options());
        panel.show();
        QSignalSpy picked(&panel, &Panel::quantityPicked);
        const auto &spots = panel.spots();
        const auto optimizer = std::find_if(spots.begin(), spots.end(), [](const PanelSpot &spot) {
            return spot.path == u"roofline.operations[11].time_s"_s;
        });
        QVERIFY(optimizer != spots.end());
        QVERIFY(optimizer->text.contains(u"memory-bound"_s));
        QTest::mouseClick(&panel, Qt::LeftButton, {}, optimizer->area.center().toPoint());
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), u"nvidia-a100-80gb-sxm"_s);
        QCOMPARE(picked[0][1].toString(), u"roofline.operations[11].time_s"_s);
    }

    void svgKeepsTextAndNamesRoofs() {
        RooflinePanel panel;
        panel.setReport(demo::training(2), demo::options());
        panel.setCaption(u"Fine-tune · llama-2-7b"_s);
        QBuffer buffer;
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize({1000, 600});
        svg.setViewBox(QRect(0, 0, 1000, 600));
        QPainter painter(&svg);
        panel.render(painter, QRectF(0, 0, 1000, 600), printTheme());
        painter.end();
        const QString text = QString::fromUtf8(buffer.data());
        for (const QString &word : {u"A100 80GB"_s, u"H100 SXM"_s, u"ridge 153"_s, u"memory-bound"_s, u"gate up"_s,
                                    u"Fine-tune · llama-2-7b"_s})
            QVERIFY2(text.contains(word), qPrintable(word));
        QVERIFY(!text.contains(u"<image"_s));
    }

    void tableListsRoofsAndOperations() {
        RooflinePanel panel;
        panel.setReport(demo::training(1), demo::options());
        const QString table = panel.asTable();
        QVERIFY(table.contains(u"A100 80GB\tBF16\t312000000000000\t2039000000000\t"_s));
        QVERIFY(table.contains(u"optimizer\tmemory-bound\t"_s));
        QVERIFY(panel.accessibleDescription().contains(u"A100 80GB: peak 312 TFLOP/s"_s));
    }
};

QTEST_MAIN(TestRooflinePanel)
#include "tst_roofline_panel.moc"
