// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The store: what is one undo step and what is two, what is refused, what a save changes, and when views are told.
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

#include "ui/store/scenario_store.h"
#include "ui/store/view_settings.h"

#include <QSignalSpy>
#include <QTest>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

const QString microBatch = QStringLiteral("training.micro_batch");
const QString sequence = QStringLiteral("training.sequence_length");
const QString tensor = QStringLiteral("parallelism.tensor");

class StoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cLocale_readsAsRunningText_othersAsTheirOwn();
    void edit_changesScenarioAndUndoBringsItBack();
    void edit_ofUnknownField_isRefused();
    void edit_outsideTheRange_changesNothingAndSaysWhatIsAllowed();
    void edit_ofTheWrongKind_isRefused();
    void edit_toTheSameValue_isNoStep();
    void drag_isOneStep_andTwoDragsAreTwo();
    void drag_thatEndsWhereItBegan_leavesNoStepAndACleanStore();
    void drag_mayPauseForLongerThanASecond();
    void keys_withinASecond_areOneStep_andLaterOnesAnother();
    void keys_onTwoFields_areTwoSteps();
    void keys_afterUndoAndRedo_areAStepOfTheirOwn();
    void dragAndKeys_doNotMerge();
    void save_makesClean_andTheNextEditStartsAStep();
    void undoToTheSavedState_isClean();
    void open_emptiesTheHistory();
    void openOfUnsavedState_isNotClean();
    void crossRule_isStored_reportStays_andProblemNamesTheField();
    void manyEdits_areOneEvaluation();
    void selection_followsTheReport();
    void explain_givesTheReportsOwnNumber();
    void advice_comesWhenEditsPause_andFits();

private:
    std::unique_ptr<ScenarioStore> store_;
    qint64 now_ = 0;
};

void StoreTest::init() {
    now_ = 0;
    store_ = std::make_unique<ScenarioStore>(catalog(), defaultScenario(catalog()));
    store_->setClock([this] { return now_; });
    QVERIFY(store_->isReportCurrent());
}

void StoreTest::edit_changesScenarioAndUndoBringsItBack() {
    const Scenario before = store_->scenario();
    QVERIFY(!store_->edit(microBatch, 4.0));
    QCOMPARE(store_->scenario().training.microBatch, 4.0);
    store_->history().undo();
    QVERIFY(store_->scenario() == before);
    store_->history().redo();
    QCOMPARE(store_->scenario().training.microBatch, 4.0);
}

void StoreTest::edit_ofUnknownField_isRefused() {
    QVERIFY(store_->edit(QStringLiteral("training.nothing"), 1.0));
    QCOMPARE(store_->history().count(), 0);
}

void StoreTest::edit_outsideTheRange_changesNothingAndSaysWhatIsAllowed() {
    for (const double value :
         {0.0, -3.0, 1.5, 1e9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const auto problem = store_->edit(microBatch, value);
        QVERIFY2(problem, qPrintable(QString::number(value)));
        QCOMPARE(problem->field, microBatch.toStdString());
        QVERIFY(problem->allowed.find("whole number from 1 to") != std::string::npos);
    }
    QCOMPARE(store_->history().count(), 0);
    QCOMPARE(store_->scenario().training.microBatch, 1.0);
}

void StoreTest::edit_ofTheWrongKind_isRefused() {
    QVERIFY(store_->edit(microBatch, std::string("four")));
    QVERIFY(store_->edit(microBatch, FieldValue()));
    QVERIFY(store_->edit(QStringLiteral("training.recompute"), std::string("sometimes")));
    QVERIFY(store_->edit(QStringLiteral("training.dropout"), 1.0));
    QVERIFY(store_->edit(QStringLiteral("hardware.gpus"), std::vector<std::string>{}));
    QVERIFY(store_->edit(QStringLiteral("hardware.gpus"), std::vector<std::string>{"nvidia-nothing"}));
    QCOMPARE(store_->history().count(), 0);
}

void StoreTest::edit_toTheSameValue_isNoStep() {
    QVERIFY(!store_->edit(microBatch, store_->scenario().training.microBatch));
    QCOMPARE(store_->history().count(), 0);
}

void StoreTest::drag_isOneStep_andTwoDragsAreTwo() {
    const Gesture first = store_->newGesture();
    for (double value = 2; value <= 16; ++value)
        store_->edit(microBatch, value, first);
    QCOMPARE(store_->history().count(), 1);
    const Gesture second = store_->newGesture();
    store_->edit(microBatch, 20.0, second);
    store_->edit(microBatch, 24.0, second);
    QCOMPARE(store_->history().count(), 2);
    store_->history().undo();
    QCOMPARE(store_->scenario().training.microBatch, 16.0);
    store_->history().undo();
    QCOMPARE(store_->scenario().training.microBatch, 1.0);
}

void StoreTest::drag_thatEndsWhereItBegan_leavesNoStepAndACleanStore() {
    const Gesture drag = store_->newGesture();
    store_->edit(microBatch, 2.0, drag);
    store_->edit(microBatch, 8.0, drag);
    QVERIFY(!store_->isClean());
    store_->edit(microBatch, 1.0, drag);
    QCOMPARE(store_->history().count(), 0);
    QVERIFY(store_->isClean());
}

void StoreTest::drag_mayPauseForLongerThanASecond() {
    const Gesture drag = store_->newGesture();
    store_->edit(microBatch, 2.0, drag);
    now_ += 60000;
    store_->edit(microBatch, 8.0, drag);
    QCOMPARE(store_->history().count(), 1);
}

void StoreTest::keys_withinASecond_areOneStep_andLaterOnesAnother() {
    store_->edit(microBatch, 2.0);
    now_ += 999;
    store_->edit(microBatch, 3.0);
    // Each one starts the second anew.
    now_ += 999;
    store_->edit(microBatch, 4.0);
    QCOMPARE(store_->history().count(), 1);
    now_ += 1000;
    store_->edit(microBatch, 5.0);
    QCOMPARE(store_->history().count(), 2);
    store_->history().undo();
    QCOMPARE(store_->scenario().training.microBatch, 4.0);
}

void StoreTest::keys_onTwoFields_areTwoSteps() {
    store_->edit(microBatch, 2.0);
    store_->edit(sequence, 2048.0);
    store_->edit(microBatch, 3.0);
    QCOMPARE(store_->history().count(), 3);
}

void StoreTest::keys_afterUndoAndRedo_areAStepOfTheirOwn() {
    store_->edit(microBatch, 2.0);
    store_->history().undo();
    store_->history().redo();
    store_->edit(microBatch, 3.0);
    QCOMPARE(store_->history().count(), 2);
    store_->history().undo();
    QCOMPARE(store_->scenario().training.microBatch, 2.0);
}

void StoreTest::dragAndKeys_doNotMerge() {
    store_->edit(microBatch, 2.0);
    store_->edit(microBatch, 3.0, store_->newGesture());
    store_->edit(microBatch, 4.0);
    QCOMPARE(store_->history().count(), 3);
}

void StoreTest::save_makesClean_andTheNextEditStartsAStep() {
    store_->edit(microBatch, 2.0);
    QVERIFY(!store_->isClean());
    store_->markSaved(QStringLiteral("/somewhere/a.ridgepoint"));
    QVERIFY(store_->isClean());
    QCOMPARE(store_->fileName(), QStringLiteral("/somewhere/a.ridgepoint"));
    store_->edit(microBatch, 3.0);
    QCOMPARE(store_->history().count(), 2);
    QVERIFY(!store_->isClean());
}

void StoreTest::undoToTheSavedState_isClean() {
    store_->edit(microBatch, 2.0);
    store_->markSaved(QStringLiteral("a"));
    store_->edit(microBatch, 3.0);
    store_->history().undo();
    QVERIFY(store_->isClean());
    QCOMPARE(store_->scenario().training.microBatch, 2.0);
}

void StoreTest::open_emptiesTheHistory() {
    store_->edit(microBatch, 2.0);
    Scenario other = defaultScenario(catalog());
    other.training.sequenceLength = 1024;
    store_->open(other, QStringLiteral("b"));
    QCOMPARE(store_->history().count(), 0);
    QVERIFY(store_->isClean());
    QVERIFY(store_->reportedScenario() == other);
}

void StoreTest::openOfUnsavedState_isNotClean() {
    store_->open(defaultScenario(catalog()), QStringLiteral("b"), false);
    QVERIFY(!store_->isClean());
}

void StoreTest::crossRule_isStored_reportStays_andProblemNamesTheField() {
    const double before = store_->report().gpus.front().memory.worst().totalBytes;
    QSignalSpy reports(store_.get(), &ScenarioStore::reportChanged);
    QSignalSpy problems(store_.get(), &ScenarioStore::problemsChanged);
    QVERIFY(!store_->edit(tensor, 3.0)); // 32 heads
    store_->flush();
    QCOMPARE(store_->scenario().parallelism.tensor, 3);
    QVERIFY(!store_->isReportCurrent());
    QVERIFY(!store_->problemsOf(tensor).empty());
    QVERIFY(store_->problemsOf(microBatch).empty());
    QCOMPARE(problems.count(), 1);
    QCOMPARE(reports.count(), 0);
    QCOMPARE(store_->report().gpus.front().memory.worst().totalBytes, before);
    store_->history().undo();
    store_->flush();
    QVERIFY(store_->isReportCurrent());
    QVERIFY(store_->problemsOf(tensor).empty());
}

void StoreTest::manyEdits_areOneEvaluation() {
    QSignalSpy reports(store_.get(), &ScenarioStore::reportChanged);
    QSignalSpy scenarios(store_.get(), &ScenarioStore::scenarioChanged);
    for (double value = 2; value <= 51; ++value)
        store_->edit(microBatch, value);
    QCOMPARE(reports.count(), 0);
    QTRY_COMPARE(reports.count(), 1);
    QTest::qWait(20);
    QCOMPARE(reports.count(), 1);
    QCOMPARE(scenarios.count(), 50);
    QCOMPARE(store_->reportedScenario().training.microBatch, 51.0);
}

void StoreTest::selection_followsTheReport() {
    std::vector<std::string> ids = {catalog().gpus[0].id, catalog().gpus[1].id, catalog().gpus[2].id};
    QVERIFY(!store_->edit(QStringLiteral("training.compute"), std::string("fp16")));
    QVERIFY(!store_->edit(QStringLiteral("hardware.gpus"), ids));
    store_->flush();
    QVERIFY(store_->isReportCurrent());
    store_->selectGpu(QString::fromStdString(ids[2]));
    QCOMPARE(store_->selectedGpu(), std::size_t{2});
    std::swap(ids[0], ids[2]);
    store_->edit(QStringLiteral("hardware.gpus"), ids);
    store_->flush();
    QCOMPARE(store_->selectedGpu(), std::size_t{0});
    ids.erase(ids.begin());
    store_->edit(QStringLiteral("hardware.gpus"), ids);
    store_->flush();
    QVERIFY(store_->selectedGpu() < store_->report().gpus.size());
}

void StoreTest::cLocale_readsAsRunningText_othersAsTheirOwn() {
    const NumberStyle c = numberStyleOf(QLocale::c(), ByteUnits::Binary);
    QCOMPARE(formatExact(182781335962.0, Unit::Bytes, c), std::string("182,781,335,962 bytes"));
    QCOMPARE(formatQuantity(0.125, Unit::None, c), std::string("0.125"));
    QCOMPARE(c.bytes, ByteUnits::Binary);
    const NumberStyle german = numberStyleOf(QLocale(QLocale::German, QLocale::Germany), ByteUnits::Decimal);
    QCOMPARE(formatExact(4096, Unit::Count, german), std::string("4.096"));
    QCOMPARE(formatQuantity(0.125, Unit::None, german), std::string("0,125"));
}

void StoreTest::explain_givesTheReportsOwnNumber() {
    const auto &gpu = store_->report().gpus.front();
    const auto step = store_->explain(QString::fromStdString(gpu.gpu), QStringLiteral("memory.total_bytes"));
    QVERIFY(step);
    QCOMPARE(step->value, gpu.memory.worst().totalBytes);
    QVERIFY(!store_->explain(QString::fromStdString(gpu.gpu), QStringLiteral("memory.nothing")));
}

void StoreTest::advice_comesWhenEditsPause_andFits() {
    Scenario scenario = defaultScenario(catalog());
    GpuChoice choice;
    choice.id = choice.base = "nvidia-a100-sxm-80gb";
    scenario.hardware.gpus = {choice};
    scenario.parallelism.data = 8;
    store_->open(scenario, {});
    QVERIFY(!store_->report().gpus.front().fits);
    QVERIFY(store_->report().gpus.front().advice.empty());
    QSignalSpy advised(store_.get(), &ScenarioStore::adviceChanged);
    QTRY_COMPARE(advised.count(), 1);
    const auto &advice = store_->report().gpus.front().advice;
    QVERIFY(!advice.empty());
    QVERIFY(advice.front().totalBytes < 85.9e9);
}

} // namespace

QTEST_GUILESS_MAIN(StoreTest)
#include "tst_store.moc"
