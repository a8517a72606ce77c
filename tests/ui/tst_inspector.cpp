// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector shows a worked sum, opens its parts on demand, keeps them open while a slider moves, and copies as
// text.
#include "ui/panels/inspector/inspector_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

using namespace ridgepoint;
using namespace Qt::Literals::StringLiterals;

class TestInspector : public QObject {
    Q_OBJECT
    static Inspected states(double layers) {
        ExplainedStep layerCount;
        layerCount.label = "layers";
        layerCount.value = layers;
        ExplainedStep perLayer;
        perLayer.label = "parameters per layer";
        perLayer.value = 202383360;
        ExplainedStep parameters;
        parameters.label = "parameters";
        parameters.value = layers * perLayer.value;
        parameters.words = "layers x parameters per layer";
        parameters.figures = "32 x 202,383,360";
        parameters.parts = {layerCount, perLayer};
        ExplainedStep width;
        width.label = "bytes per state";
        width.value = 4;
        width.unit = "bytes";
        width.source = "fp32 <IEEE 754>";
        Inspected inspected;
        inspected.label = u"Optimizer states"_s;
        inspected.gpuName = u"A100 80GB"_s;
        inspected.help = u"First and second moments."_s;
        inspected.style = readingStyle();
        inspected.step.label = "optimizer states";
        inspected.step.value = parameters.value * 8;
        inspected.step.unit = "bytes";
        inspected.step.words = "parameters x 2 x bytes per state";
        inspected.step.figures = "6,476,267,520 x 2 x 4";
        inspected.step.parts = {parameters, width};
        return inspected;
    }

private Q_SLOTS:
    void emptyUntilSomethingIsPicked() {
        InspectorPanel panel;
        panel.resize(950, 118);
        QVERIFY(panel.asText().isEmpty());
        QVERIFY(panel.accessibleDescription().contains(u"Click any bar, point or number"_s));
        QVERIFY(panel.findChild<QLabel *>(u"inspector.value"_s)->isHidden());
    }

    void showsValueSumAndSources() {
        InspectorPanel panel;
        panel.resize(950, 118);
        panel.show(states(32));
        QCOMPARE(panel.findChild<QLabel *>(u"inspector.value"_s)->text(), u"51.8 GB"_s);
        const QString sum = panel.findChild<QTextBrowser *>(u"inspector.sum"_s)->toPlainText();
        QVERIFY(sum.contains(u"= parameters x 2 x bytes per state"_s));
        QVERIFY(sum.contains(u"= 6,476,267,520 x 2 x 4"_s));
        QVERIFY(sum.contains(u"51,810,140,160 bytes"_s));
        auto *tree = panel.findChild<QTreeWidget *>(u"inspector.parts"_s);
        QCOMPARE(tree->topLevelItemCount(), 2);
        QCOMPARE(tree->topLevelItem(1)->text(3), u"fp32 <IEEE 754>"_s);
        QVERIFY(panel.accessibleDescription().contains(u"Optimizer states: 51.8 GB"_s));
    }

    void partsOpenOnDemandAndStayOpen() {
        InspectorPanel panel;
        panel.resize(950, 300);
        panel.show(states(32));
        auto *tree = panel.findChild<QTreeWidget *>(u"inspector.parts"_s);
        QVERIFY(tree->topLevelItem(0)->isExpanded()); // the first level is open from the start
        QCOMPARE(tree->topLevelItem(0)->childCount(), 2);
        panel.show(states(40));
        QVERIFY(tree->topLevelItem(0)->isExpanded());
        QCOMPARE(tree->topLevelItem(0)->child(0)->text(1), u"40"_s);
        tree->topLevelItem(0)->setExpanded(false);
        panel.show(states(32));
        QVERIFY(!tree->topLevelItem(0)->isExpanded());
        Inspected other = states(32);
        other.label = u"Gradients"_s;
        panel.show(other);
        QVERIFY(tree->topLevelItem(0)->isExpanded());
    }

    void longFormulasWrapInsteadOfBeingCut() {
        InspectorPanel panel;
        panel.resize(950, 300);
        static_cast<QWidget &>(panel).show();
        Inspected inspected = states(32);
        ExplainedStep &parameters = inspected.step.parts.front();
        panel.show(inspected);
        auto *tree = panel.findChild<QTreeWidget *>(u"inspector.parts"_s);
        const int row = tree->visualItemRect(tree->topLevelItem(0)).height();
        for (int i = 0; i < 20; ++i)
            parameters.words += " + parameters of another layer";
        panel.show(inspected);
        QVERIFY(tree->visualItemRect(tree->topLevelItem(0)).height() >= 3 * row);
        QVERIFY(tree->columnWidth(2) > tree->width() / 3);
        QVERIFY(tree->columnWidth(0) + tree->columnWidth(1) + tree->columnWidth(2) <= tree->viewport()->width());
        QVERIFY(tree->topLevelItem(1)->toolTip(2).contains(u"fp32 <IEEE 754>"_s));
    }

    void roundingIsLeftToTheCopiedText() {
        QCOMPARE(withoutRounding(u"round(parameters × (2 + 2))"_s), u"parameters × (2 + 2)"_s);
        QCOMPARE(withoutRounding(u"2 × round(a + b) + round(503.3)"_s), u"2 × (a + b) + 503.3"_s);
        QCOMPARE(withoutRounding(u"round up(a ÷ b) × ground(c)"_s), u"round up(a ÷ b) × ground(c)"_s);
    }

    void copiesAsText() {
        InspectorPanel panel;
        panel.show(states(32));
        const QList<QAction *> actions = panel.actions();
        QCOMPARE(actions.size(), 1);
        actions.front()->trigger();
        const QString text = QApplication::clipboard()->text();
        QCOMPARE(text, panel.asText());
        QVERIFY(text.contains(u"parameters per layer"_s));
        QVERIFY(text.endsWith(u'\n'));
    }

    void nothingLiesOutsideOrOnTopOfAnother_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small window") << QSize(950, 118);
        QTest::newRow("large window") << QSize(1552, 156);
        QTest::newRow("narrow") << QSize(400, 240);
    }
    void nothingLiesOutsideOrOnTopOfAnother() {
        QFETCH(QSize, size);
        InspectorPanel panel;
        panel.resize(size);
        static_cast<QWidget &>(panel).show();
        panel.show(states(32));
        const auto *value = panel.findChild<QWidget *>(u"inspector.value"_s);
        const auto *sum = panel.findChild<QWidget *>(u"inspector.sum"_s);
        const auto *tree = panel.findChild<QWidget *>(u"inspector.parts"_s);
        for (const QWidget *part : {value, sum, tree})
            QVERIFY2(panel.rect().contains(part->geometry()), qPrintable(part->objectName()));
        QVERIFY(!value->geometry().intersects(sum->geometry()));
        QVERIFY(!sum->geometry().intersects(tree->geometry()));
    }

    void clearForgets() {
        InspectorPanel panel;
        panel.show(states(32));
        panel.clear();
        QVERIFY(panel.asText().isEmpty());
        QVERIFY(panel.findChild<QTreeWidget *>(u"inspector.parts"_s)->isHidden());
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
