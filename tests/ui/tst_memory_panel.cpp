// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory stacks say what fits, axes do not jump under a slider, and every segment can be picked; colours have contrast.
#include "ui/panels/axis.h"
#include "ui/panels/memory/memory_bars.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/memory/memory_parts.h"
#include "ui/theme/contrast.h"

#include "tests/ui/demo_report.h"

#include <QAccessible>
#include <QComboBox>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

class TestMemoryPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void segmentsSumToTheTotal() {
        const MemoryBars bars = memoryBars(demo::training(), ByteUnits::Decimal, {});
        QCOMPARE(bars.bars.size(), std::size_t(5));
        for (const MemoryBar &bar : bars.bars)
            QCOMPARE(std::accumulate(bar.bytes.begin(), bar.bytes.end(), 0.0), bar.totalBytes);
        QVERIFY(!bars.bars[0].fits);
        QVERIFY(bars.bars[2].fits);
        QCOMPARE(bars.bars[0].limitBytes, 85.9e9);
        QCOMPARE(bars.neededTop, 192e9);
    }

    void legendGroupsFamiliesAndLeavesOutWhatIsZeroEverywhere() {
        const MemoryBars bars = memoryBars(demo::training(), ByteUnits::Decimal, u"nvidia-h200-sxm"_s);
        QCOMPARE(bars.selected, std::size_t(2));
        QCOMPARE(bars.legend.size(), std::size_t(3)); // no cache in training
        QCOMPARE(bars.legend[0].family, MemoryFamily::Runtime);
        QCOMPARE(bars.legend[2].family, MemoryFamily::ModelStates);
        QCOMPARE(bars.legend[2].bytes, 107.8e9);
        QCOMPARE(bars.legend[2].rows.front().part, MemoryPart::OptimizerStates);
        for (const MemoryLegendGroup &group : bars.legend) {
            for (const MemoryLegendRow &row : group.rows)
                QVERIFY(row.part != MemoryPart::GatheredWeights);
        }
    }

    void axisUnitFollowsTheChoice() {
        QCOMPARE(byteScaleFor(80e9, ByteUnits::Decimal), (ByteScale{1e9, u"GB"_s}));
        QCOMPARE(byteScaleFor(80e9, ByteUnits::Binary), (ByteScale{1073741824.0, u"GiB"_s}));
        QCOMPARE(textIn(byteScaleFor(80e9, ByteUnits::Binary), 85899345920.0, {}), u"80"_s);
        QCOMPARE(textIn(byteScaleFor(80e9, ByteUnits::Decimal), 3e6, {}), u"<0.01"_s);
    }

    void axesGrowAtOnceAndShrinkOnlyWhenReleased() {
        const LinearAxis first = roundAxis(192, 5);
        QCOMPARE(first, (LinearAxis{200, 50}));
        QCOMPARE(followingAxis(first, 60, 5, true), first);
        QCOMPARE(followingAxis(first, 230, 5, true), (LinearAxis{250, 50}));
        QCOMPARE(followingAxis(first, 60, 5, false), (LinearAxis{60, 20}));
        QVERIFY(roundAxis(0, 5).top > 0);
        QCOMPARE(decadesAround(0.4, 2250e12), (LogAxis{-1, 16}));
        QCOMPARE(followingAxis(LogAxis{-1, 16}, LogAxis{0, 15}, true), (LogAxis{-1, 16}));
        QCOMPARE(followingAxis(LogAxis{-1, 16}, LogAxis{0, 15}, false), (LogAxis{0, 15}));
    }

    void engineThatPreallocatesIsHeldAgainstItsShare() {
        const MemoryBars bars = memoryBars(demo::inference(), ByteUnits::Decimal, {});
        QCOMPARE(bars.bars[0].limitBytes, 85.9e9 * 0.9);
        QCOMPARE(bars.bars[0].preallocatedBytes.value(), 85.9e9 * 0.9);
    }

    void unevenStagesCanBeChosenOneByOneAndSideBySide() {
        const Report<double> report = demo::pipelined();
        MemoryBars bars = memoryBars(report, ByteUnits::Decimal, u"nvidia-h100-sxm"_s);
        QCOMPARE(bars.stageCount, std::size_t(4));
        QCOMPARE(bars.heaviestStage, std::size_t(1));
        QCOMPARE(bars.bars.size(), std::size_t(2));
        QCOMPARE(bars.bars[1].totalBytes, bars.mostStageBytes);
        bars = memoryBars(report, ByteUnits::Decimal, u"nvidia-h100-sxm"_s, {StageView::Kind::One, 3});
        QCOMPARE(bars.bars[1].totalBytes, report.gpus[1].memory.stages[3].totalBytes);
        QCOMPARE(bars.bars[1].prefix, u"memory.stages[3]."_s);
        bars = memoryBars(report, ByteUnits::Decimal, u"nvidia-h100-sxm"_s, {StageView::Kind::SideBySide, 0});
        QCOMPARE(bars.bars.size(), std::size_t(4));
        QVERIFY(bars.bars[1].isHeaviest && !bars.bars[0].isHeaviest);
        QCOMPARE(bars.selected, std::size_t(1));
        // A stage that is no longer there gives way to the heaviest.
        bars = memoryBars(demo::training(2), ByteUnits::Decimal, {}, {StageView::Kind::One, 3});
        QVERIFY(bars.view == StageView{});
    }

    void stageSelectorIsThereWhereStagesAre() {
        MemoryPanel panel;
        panel.resize(700, 400);
        panel.setReport(demo::training(2), demo::options());
        auto *selector = panel.findChild<QComboBox *>(u"memory.stage"_s);
        QVERIFY(selector && selector->isHidden());
        QVERIFY(!selector->accessibleName().isEmpty() && !selector->accessibleDescription().isEmpty());
        panel.setReport(demo::pipelined(), demo::options());
        QVERIFY(!selector->isHidden());
        QCOMPARE(selector->count(), 6);
        QCOMPARE(selector->itemText(0), u"Heaviest: stage 1"_s);
        selector->setCurrentIndex(1);
        Q_EMIT selector->activated(1);
        QCOMPARE(panel.stageView().kind, StageView::Kind::SideBySide);
        const auto &spots = panel.spots();
        QVERIFY(std::any_of(spots.begin(), spots.end(),
                            [](const PanelSpot &spot) { return spot.path == u"memory.stages[2].weights_bytes"_s; }));
        Q_EMIT selector->activated(3);
        QVERIFY((panel.stageView() == StageView{StageView::Kind::One, 1}));
        // A slider that takes the pipeline away and brings it back.
        panel.setReport(demo::training(2), demo::options());
        QCOMPARE(panel.stageView().kind, StageView::Kind::Heaviest);
        QVERIFY(selector->isHidden());
    }

    void threeTotalsAreToldApart() {
        const MemoryBars bars = memoryBars(demo::training(1), ByteUnits::Decimal, {});
        const auto lines = memoryLegend(bars, {}, 100);
        const auto at = [&](const QString &name) {
            return std::find_if(lines.begin(), lines.end(), [&](const auto &line) { return line.name == name; });
        };
        const auto shown = at(u"nvidia-smi"_s);
        const auto reserved = at(u"reserved"_s);
        const auto allocated = at(u"allocated"_s);
        QVERIFY(shown < reserved && reserved < allocated && allocated < lines.end());
        QCOMPARE(shown->value, u"125"_s);
        QCOMPARE(reserved->value, u"124"_s);
        QCOMPARE(allocated->value, u"121"_s);
        QCOMPARE(allocated->path, u"memory.allocated_bytes"_s);
        QVERIFY(at(u"Driver context"_s) < reserved && at(u"Allocator slack"_s) < allocated);
        QVERIFY(at(u"Workspace"_s) > allocated);
        QVERIFY(shown->tip.contains(u"short by 38.7 GB = 36.0 GiB per GPU"_s));
        // Little room: the families' headings go first, then the totals; the parts stay.
        QVERIFY(memoryLegend(bars, {}, 13).size() < lines.size());
        for (const auto &line : memoryLegend(bars, {}, 3))
            QVERIFY(line.kind == MemoryLegendLine::Kind::Part);
    }

    void instantsNameThePeakAndTheHost() {
        Report<double> report = demo::training(1);
        StageMemory<double> &stage = report.gpus[0].memory.stages[0];
        stage.allocatedByInstant[std::size_t(Instant::ForwardEnd)] = 100e9;
        stage.allocatedByInstant[std::size_t(Instant::BackwardStart)] = 121.3e9;
        stage.hostBytes = 54e9;
        const MemoryBars bars = memoryBars(report, ByteUnits::Decimal, {});
        QCOMPARE(bars.instants.size(), std::size_t(2));
        QCOMPARE(bars.instants[1].path, u"memory.by_instant.backward_start"_s);
        QVERIFY(bars.instants[1].isPeak && !bars.instants[0].isPeak);
        MemoryPanel panel;
        panel.resize(700, 400);
        panel.setReport(report, demo::options());
        const auto &spots = panel.spots();
        const auto has = [&](const QString &path) {
            return std::any_of(spots.begin(), spots.end(), [&](const PanelSpot &s) { return s.path == path; });
        };
        QVERIFY(has(u"memory.by_instant.backward_start"_s) && has(u"memory.host_bytes"_s));
        QVERIFY(panel.asTable().contains(u"Host memory\t54"_s));
    }

    void tipsGiveBothUnits() { QCOMPARE(bothUnits(85.899345920e9, {}), u"85.9 GB = 80.0 GiB"_s); }

    void noTotalIsCrossedByAMark_data() {
        QTest::addColumn<double>("share");
        for (const double share : {0.72, 0.8, 0.84, 0.88, 0.92, 0.96, 0.99})
            QTest::newRow(qPrintable(QString::number(share))) << share;
    }
    void noTotalIsCrossedByAMark() {
        QFETCH(double, share);
        Report<double> report = demo::training(1);
        report.gpus[0].memory.capacityBytes = 124.6e9 / share;
        report.gpus[0].memory.headroomBytes = report.gpus[0].memory.capacityBytes - 124.6e9;
        report.gpus[0].fits = true;
        for (const QSize size : {QSize(450, 265), QSize(700, 400)}) {
            MemoryPanel panel;
            panel.resize(size);
            panel.setReport(report, demo::options());
            QRectF total;
            QRectF capacity;
            for (const PanelSpot &spot : panel.spots()) {
                if (spot.path == u"memory.total_bytes"_s && total.isNull() && spot.text.contains(u"needs"_s))
                    total = spot.area;
                if (spot.path == u"memory.capacity_bytes"_s)
                    capacity = spot.area;
            }
            QVERIFY(!total.isNull() && !capacity.isNull());
            // The mark runs just below its figure.
            const double mark = capacity.bottom() + 1;
            QVERIFY2(mark < total.top() || mark > total.bottom(), qPrintable(QString::number(share)));
            QVERIFY(QRectF(panel.rect()).contains(total));
        }
    }

    void clickOnASegmentPicksItsQuantity() {
        MemoryPanel panel;
        panel.resize(700, 400);
        panel.setReport(demo::training(), demo::options());
        QSignalSpy picked(&panel, &Panel::quantityPicked);
        QVERIFY(picked.isValid());
        const auto &spots = panel.spots();
        const auto states = std::find_if(spots.begin(), spots.end(), [](const PanelSpot &spot) {
            return spot.path == u"memory.optimizer_states_bytes"_s && spot.gpuId == u"nvidia-b200"_s;
        });
        QVERIFY(states != spots.end());
        QTest::mouseClick(&panel, Qt::LeftButton, {}, states->area.center().toPoint());
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), u"nvidia-b200"_s);
        QCOMPARE(picked[0][1].toString(), u"memory.optimizer_states_bytes"_s);
    }

    void keysWalkThroughTheNumbers() {
        MemoryPanel panel;
        panel.resize(700, 400);
        panel.setReport(demo::training(), demo::options());
        QSignalSpy picked(&panel, &Panel::quantityPicked);
        QTest::keyClick(&panel, Qt::Key_Right);
        QTest::keyClick(&panel, Qt::Key_Return);
        QTest::keyClick(&panel, Qt::Key_Right);
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(picked.size(), 2);
        QCOMPARE(picked[0][1].toString(), u"memory.weights_bytes"_s);
        QCOMPARE(picked[1][1].toString(), u"memory.gradients_bytes"_s);
    }

    void speaksItsVerdictsAndFollowsTheReport() {
        MemoryPanel panel;
        panel.setReport(demo::training(3), demo::options());
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(&panel);
        QVERIFY(spoken);
        QVERIFY(!spoken->text(QAccessible::Name).isEmpty());
        QVERIFY(spoken->text(QAccessible::Description).contains(u"A100 80GB needs 125 of 85.9 GB: does not fit."_s));
        QVERIFY(spoken->text(QAccessible::Description).contains(u"H200 SXM needs 125 of 151 GB: fits."_s));
        panel.setReport(demo::inference(1), demo::options());
        QVERIFY(spoken->text(QAccessible::Description).contains(u"A100 80GB needs 34.5 of 85.9 GB: fits."_s));
    }

    void tableHasEveryFigureWithItsUnit() {
        MemoryPanel panel;
        panel.setReport(demo::training(2), demo::options());
        const QStringList lines = panel.asTable().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.first(), u"Memory (GB)\tA100 80GB\tH100 SXM"_s);
        QVERIFY(lines.contains(u"Optimizer states\t53.9\t53.9"_s));
        QVERIFY(lines.contains(u"Verdict\tdoes not fit\tdoes not fit"_s));
    }

    void numbersStayInsideTheCard_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("gpus");
        QTest::newRow("small, one GPU") << QSize(460, 230) << 1;
        QTest::newRow("small, eight GPUs") << QSize(460, 230) << 8;
        QTest::newRow("large, five GPUs") << QSize(760, 430) << 5;
    }
    void numbersStayInsideTheCard() {
        QFETCH(QSize, size);
        QFETCH(int, gpus);
        MemoryPanel panel;
        panel.resize(size);
        panel.setReport(demo::training(std::size_t(gpus)), demo::options());
        for (const PanelSpot &spot : panel.spots())
            QVERIFY2(QRectF(panel.rect()).contains(spot.area), qPrintable(spot.text));
    }

    void overCapacityIsRedOnScreenAndInPrint() {
        MemoryPanel panel;
        panel.resize(700, 400);
        panel.setReport(demo::training(1), demo::options());
        const auto red = [](const QImage &image, const QColor &colour) {
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (colourDifference(image.pixelColor(x, y), colour) < 12)
                        return true;
                }
            }
            return false;
        };
        QVERIFY(red(panel.grab().toImage(), lightTheme().doesNotFit));
        QImage file(1200, 800, QImage::Format_RGB32);
        QPainter painter(&file);
        panel.render(painter, QRectF(file.rect()), printTheme());
        painter.end();
        QVERIFY(red(file, printTheme().doesNotFit));
        QCOMPARE(file.pixelColor(0, 0), QColor(Qt::white));
        Report<double> fits = demo::training(3);
        fits.gpus.erase(fits.gpus.begin(), fits.gpus.begin() + 2);
        panel.setReport(fits, demo::options());
        QVERIFY(!red(panel.grab().toImage(), lightTheme().doesNotFit));
    }

    void textAndMarksHaveContrast_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << 0;
        QTest::newRow("dark") << 1;
        QTest::newRow("print") << 2;
    }
    void textAndMarksHaveContrast() {
        QFETCH(int, kind);
        const Theme theme = kind == 0 ? lightTheme() : kind == 1 ? darkTheme() : printTheme();
        for (const QColor &text :
             {theme.ink, theme.secondaryInk, theme.doesNotFit, theme.fits, theme.textIn(theme.accent)})
            QVERIFY2(contrastRatio(text, theme.card) >= 4.5, qPrintable(text.name()));
        for (const QColor &text : {theme.ink, theme.secondaryInk, theme.doesNotFit, theme.fits})
            QVERIFY2(contrastRatio(text, theme.ground) >= 4.5, qPrintable(text.name()));
        const auto isSeen = [&theme](const MarkStyle &style) {
            return std::max(contrastRatio(style.fill, theme.card), contrastRatio(style.edge, theme.card)) >= 3.0;
        };
        for (std::size_t i = 0; i < memoryPartCount; ++i)
            QVERIFY(isSeen(theme.memory(MemoryPart(i))));
        for (std::size_t i = 0; i < timePartCount; ++i)
            QVERIFY(isSeen(theme.time(TimePart(i))));
        for (std::size_t i = 0; i < costTermCount; ++i) {
            QVERIFY(isSeen(theme.cost(CostTerm(i))));
            const QColor fill = theme.cost(CostTerm(i)).fill;
            QVERIFY2(contrastRatio(theme.textOn(fill), fill) >= 4.5, qPrintable(fill.name()));
        }
        for (std::size_t i = 0; i < 8; ++i) {
            QVERIFY(contrastRatio(theme.roof(i).color(), theme.card) >= 3.0);
            QVERIFY(contrastRatio(theme.textIn(theme.roof(i).color()), theme.card) >= 4.5);
        }
    }

    void familiesAndRoofsAreToldApartWithAnyColourVision() {
        for (const Theme &theme : {lightTheme(), darkTheme()}) {
            for (const auto vision : {ColourVision::Usual, ColourVision::Protanopia, ColourVision::Deuteranopia,
                                      ColourVision::Tritanopia}) {
                const auto seen = [&](const QColor &colour) { return seenWith(colour, vision); };
                const std::array<QColor, 4> families{
                    theme.memory(MemoryPart::Gradients).fill, theme.memory(MemoryPart::Activations).fill,
                    theme.memory(MemoryPart::KvCache).fill, theme.memory(MemoryPart::Workspace).fill};
                for (std::size_t a = 0; a < families.size(); ++a) {
                    for (std::size_t b = a + 1; b < families.size(); ++b)
                        QVERIFY2(colourDifference(seen(families[a]), seen(families[b])) > 12,
                                 qPrintable(families[a].name() + families[b].name()));
                }
                for (std::size_t a = 0; a < 8; ++a) {
                    for (std::size_t b = a + 1; b < 8; ++b) {
                        if (theme.roof(a).dashPattern() == theme.roof(b).dashPattern())
                            QVERIFY2(colourDifference(seen(theme.roof(a).color()), seen(theme.roof(b).color())) > 15,
                                     qPrintable(theme.roof(a).color().name() + theme.roof(b).color().name()));
                    }
                }
            }
        }
    }

    void contrastOfBlackOnWhiteIsTwentyOne() {
        QVERIFY(std::abs(contrastRatio(Qt::black, Qt::white) - 21) < 1e-9);
        QVERIFY(std::abs(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) <
                0.005); // W3C's example of just enough
    }

    void darkFollowsThePalette() {
        QPalette palette;
        palette.setColor(QPalette::Window, QColor(30, 30, 30));
        palette.setColor(QPalette::WindowText, QColor(230, 230, 230));
        QVERIFY(themeFor(palette).isDark());
        QVERIFY(!themeFor(paletteFor(lightTheme())).isDark());
        QVERIFY(themeFor(paletteFor(darkTheme())).isDark());
    }
};

QTEST_MAIN(TestMemoryPanel)
#include "tst_memory_panel.moc"
