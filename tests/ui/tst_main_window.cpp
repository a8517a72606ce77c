// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, driven as a person does: every control by keys and by mouse, undo and redo, files, themes, closing
// and reopening.
#include "core/report/explain_report.h"
#include "core/scenario/file.h"

#include "ui/controls/calm_style.h"
#include "ui/controls/choice_control.h"
#include "ui/controls/flags_control.h"
#include "ui/controls/gpu_list_control.h"
#include "ui/controls/quantity_control.h"
#include "ui/controls/switch_control.h"
#include "ui/controls/track_slider.h"
#include "ui/shell/control_column.h"
#include "ui/shell/documents.h"
#include "ui/shell/main_window.h"
#include "ui/shell/panel_grid.h"
#include "ui/shell/run_window.h"
#include "ui/shell/verdict_strip.h"
#include "ui/store/field_table.h"

#include "tests/ui/applying.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollBar>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <fstream>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

/// Two nodes, accumulation, every degree above one: nearly every field then shows in the report.
Scenario busyScenario(Task task) {
    Scenario scenario = defaultScenario(catalog());
    scenario.task = task;
    scenario.training.globalBatch = 16;
    scenario.training.sequenceLength = 1024; // as far as the learned positions of every preset go
    scenario.training.tokens = 1e9;
    scenario.parallelism.data = 2;
    scenario.parallelism.tensor = 2;
    scenario.parallelism.pipeline = 2;
    scenario.hardware.gpusPerNode = 4;
    scenario.hardware.networkGbitPerSecond = 400;
    scenario.inference.concurrentSequences = 4;
    scenario.inference.weights = "fp32"; // the next ones differ in bytes
    scenario.inference.kvCache = "fp32";
    return scenario;
}

QString shownBy(const MainWindow &window) {
    QString text = window.verdict()->headline() + window.verdict()->nextSentence();
    for (const FigureButton *figure : window.verdict()->figures())
        text += figure->figure().label + figure->figure().value + figure->figure().note + u'\n';
    for (const Panel *panel : window.panels()->panels())
        text += panel->asTable();
    return text;
}

std::vector<double> numbersOf(const Report<double> &report) {
    std::vector<double> numbers;
    for (const auto &gpu : report.gpus) {
        for (const std::string &path : quantityPaths(gpu))
            numbers.push_back(quantityAt(gpu, path).value_or(-1));
    }
    return numbers;
}

class MainWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void everyControl_byKeysAndMouse_movesStoreReportAndViews_data();
    void everyControl_byKeysAndMouse_movesStoreReportAndViews();
    void everyControl_hasATabStopAndAName();
    void drag_movesEveryPanel_andIsOneStep();
    void impossibleLayout_isSaidInTheStripAndAtTheControl_andThePanelsKeepTheLast();
    void figures_openInTheInspector();
    void selectedGpu_isTheOneTheVerdictSpeaksOf();
    void lastGpu_cannotBeUnticked();
    void gpuFilter_showsTheTickedOnesAndMatches();
    void wheelOverTheGpuList_goesOnInTheColumnAtTheListsEnd();
    void config_dropped_becomesTheModel_andUndoBringsThePresetBack();
    void badFile_isAMessage_andWhatWasOpenStays();
    void saveAndOpen_bringTheScenarioBack();
    void closeAndReopen_bringTheLastStateBack();
    void byteUnits_changeEveryPanel();
    void themes_areBothLegible();
    void actions_haveTextTipAndNoSharedShortcut();
    void copy_givesTheFocusedPanelAsATable();

private:
    void build(const Scenario &scenario);
    bool moveByKeys(FieldControl &control);
    bool moveByMouse(FieldControl &control);
    void expectViewsShow(const Scenario &scenario);

    QTemporaryDir folder_;
    std::unique_ptr<ScenarioStore> store_;
    std::unique_ptr<ViewSettings> settings_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

void MainWindowTest::initTestCase() {
    prepareApplication(*qobject_cast<QApplication *>(QCoreApplication::instance()));
    // A combo box ignores a click for this long after it opened.
    QApplication::setDoubleClickInterval(10);
    QVERIFY(folder_.isValid());
}

void MainWindowTest::cleanup() {
    window_.reset();
    store_.reset();
}

void MainWindowTest::build(const Scenario &scenario) {
    window_.reset();
    store_ = std::make_unique<ScenarioStore>(catalog(), scenario);
    settings_ = std::make_unique<ViewSettings>(QLocale::c());
    session_ = std::make_unique<Session>(folder_.filePath(QStringLiteral("session")));
    window_ = std::make_unique<MainWindow>(*store_, *settings_, *session_);
    // Tall enough for every control to be on screen.
    window_->resize(1600, 3000);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

bool MainWindowTest::moveByKeys(FieldControl &control) {
    if (auto *quantity = qobject_cast<QuantityControl *>(&control)) {
        quantity->slider()->setFocus();
        const bool isAtEnd = quantity->slider()->value() == quantity->slider()->maximum();
        QTest::keyClick(quantity->slider(), isAtEnd ? Qt::Key_Left : Qt::Key_Right);
    } else if (auto *choice = qobject_cast<ChoiceControl *>(&control)) {
        choice->box()->setFocus();
        const bool isAtEnd = choice->box()->currentIndex() == choice->box()->count() - 1;
        QTest::keyClick(choice->box(), isAtEnd ? Qt::Key_Up : Qt::Key_Down);
    } else if (auto *toggle = qobject_cast<SwitchControl *>(&control)) {
        toggle->box()->setFocus();
        QTest::keyClick(toggle->box(), Qt::Key_Space);
    } else if (auto *flags = qobject_cast<FlagsControl *>(&control)) {
        flags->buttons()[1]->setFocus();
        QTest::keyClick(flags->buttons()[1], Qt::Key_Space);
    } else if (auto *gpus = qobject_cast<GpuListControl *>(&control)) {
        QTest::keyClicks(gpus->filter(), QStringLiteral("h200"));
        gpus->list()->setFocus();
        QTest::keyClick(gpus->list(), Qt::Key_End); // past the ticked ones
        QTest::keyClick(gpus->list(), Qt::Key_Space);
        gpus->filter()->clear();
        QCoreApplication::processEvents();
    } else {
        return false;
    }
    return true;
}

bool MainWindowTest::moveByMouse(FieldControl &control) {
    if (auto *quantity = qobject_cast<QuantityControl *>(&control)) {
        TrackSlider *slider = quantity->slider();
        const int there = slider->value() < slider->maximum() / 2 ? slider->width() * 3 / 4 : slider->width() / 4;
        QTest::mouseClick(slider, Qt::LeftButton, {}, {there, slider->height() / 2});
    } else if (auto *choice = qobject_cast<ChoiceControl *>(&control)) {
        QComboBox *box = choice->box();
        const int wanted = box->currentIndex() == 0 ? 1 : 0;
        QTest::mouseClick(box, Qt::LeftButton);
        if (!QTest::qWaitFor([box] { return box->view()->isVisible(); }))
            return false;
        const QModelIndex index = box->model()->index(wanted, 0);
        // The list ignores clicks until it has been open for the double-click interval.
        return QTest::qWaitFor([box, index] {
            QTest::qWait(QApplication::doubleClickInterval() + 20);
            box->view()->scrollTo(index);
            QTest::mouseClick(box->view()->viewport(), Qt::LeftButton, {}, box->view()->visualRect(index).center());
            return !box->view()->isVisible();
        });
    } else if (auto *toggle = qobject_cast<SwitchControl *>(&control)) {
        QTest::mouseClick(toggle->box(), Qt::LeftButton, {}, {8, toggle->box()->height() / 2});
    } else if (auto *flags = qobject_cast<FlagsControl *>(&control)) {
        QTest::mouseClick(flags->buttons().front(), Qt::LeftButton);
    } else if (auto *gpus = qobject_cast<GpuListControl *>(&control)) {
        QTest::keyClicks(gpus->filter(), QStringLiteral("h200"));
        QTreeWidgetItem *item = nullptr;
        for (int i = 0; i < gpus->list()->topLevelItemCount(); ++i) {
            if (!gpus->list()->topLevelItem(i)->isHidden())
                item = gpus->list()->topLevelItem(i);
        }
        if (item == nullptr)
            return false;
        const QRect row = gpus->list()->visualItemRect(item);
        QTest::mouseClick(gpus->list()->viewport(), Qt::LeftButton, {}, {row.left() + 9, row.center().y()});
        gpus->filter()->clear();
        QCoreApplication::processEvents();
    } else {
        return false;
    }
    return true;
}

/// The views say exactly what those of a new window with this scenario say.
void MainWindowTest::expectViewsShow(const Scenario &scenario) {
    ScenarioStore store(catalog(), scenario);
    ViewSettings settings(QLocale::c());
    const Session nowhere{QString()};
    store.selectGpu(QString::fromStdString(store_->report().gpus[store_->selectedGpu()].gpu));
    MainWindow fresh(store, settings, nowhere);
    QTRY_COMPARE(shownBy(*window_), shownBy(fresh)); // advice follows in either when its store is idle
}

void MainWindowTest::everyControl_byKeysAndMouse_movesStoreReportAndViews_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("byMouse");
    for (const ControlField &field : fieldTable()) {
        QTest::addRow("%s by keys", qPrintable(field.id)) << field.id << false;
        QTest::addRow("%s by mouse", qPrintable(field.id)) << field.id << true;
    }
}

void MainWindowTest::everyControl_byKeysAndMouse_movesStoreReportAndViews() {
    QFETCH(QString, id);
    QFETCH(bool, byMouse);
    const ControlField &field = *fieldOf(id);
    Scenario start = busyScenario(Task::Training);
    if (!field.appliesTo(start))
        start = busyScenario(Task::Inference);
    if (!field.appliesTo(start))
        start = demo::applying(field, busyScenario(Task::Training));
    build(start);
    QVERIFY(store_->isReportCurrent());
    FieldControl *control = window_->controls()->control(id);
    QVERIFY(control != nullptr && control->isVisible());
    const auto reportBefore = numbersOf(store_->report());

    QVERIFY(byMouse ? moveByMouse(*control) : moveByKeys(*control));
    QCoreApplication::processEvents();
    const Scenario moved = store_->scenario();
    QVERIFY2(field.get(moved) != field.get(start), "the store did not follow");
    QCOMPARE(store_->history().count(), 1);
    QVERIFY2(store_->isReportCurrent(), store_->problems().empty() ? "" : store_->problems().front().message().c_str());
    QVERIFY2(store_->reportedScenario() == moved, "the report did not follow");
    // These change a report only together with others: the format is the default already, the peak is not at the loss,
    // or the engine takes no fixed share.
    const QSet<QString> mayBeSilent = {QStringLiteral("training.compute"), QStringLiteral("inference.compute"),
                                       QStringLiteral("inference.memory_fraction"),
                                       QStringLiteral("inference.prefill_chunk_tokens"),
                                       QStringLiteral("training.loss_chunk_tokens")};
    if (!mayBeSilent.contains(id))
        QVERIFY2(numbersOf(store_->report()) != reportBefore, "no number of the report moved");
    expectViewsShow(moved);

    window_->findChild<QAction *>(QStringLiteral("undo"))->trigger();
    QCoreApplication::processEvents();
    QVERIFY(store_->scenario() == start);
    QTRY_VERIFY(numbersOf(store_->report()) == reportBefore); // advice follows when the store is idle
    expectViewsShow(start);
    window_->findChild<QAction *>(QStringLiteral("redo"))->trigger();
    QCoreApplication::processEvents();
    QVERIFY(store_->scenario() == moved);
    expectViewsShow(moved);
}

void MainWindowTest::everyControl_hasATabStopAndAName() {
    build(defaultScenario(catalog()));
    for (FieldControl *control : window_->controls()->controls()) {
        bool hasStop = false;
        for (const QWidget *part : control->findChildren<QWidget *>()) {
            if ((part->focusPolicy() & Qt::TabFocus) == 0 || part->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            if (!part->objectName().startsWith(control->field().id))
                continue;
            hasStop = true;
            QVERIFY2(!part->accessibleName().isEmpty(), qPrintable(part->objectName()));
        }
        QVERIFY2(hasStop, qPrintable(control->field().id));
    }
}

void MainWindowTest::drag_movesEveryPanel_andIsOneStep() {
    build(defaultScenario(catalog()));
    auto *control =
        qobject_cast<QuantityControl *>(window_->controls()->control(QStringLiteral("training.sequence_length")));
    TrackSlider *slider = control->slider();
    const QString before = shownBy(*window_);
    const int y = slider->height() / 2;
    QTest::mousePress(slider, Qt::LeftButton, {}, {slider->pixelOf(4096), y});
    QString last = before;
    for (const double value : {8192.0, 16384.0, 32768.0}) {
        QTest::mouseMove(slider, {slider->pixelOf(value), y});
        QCoreApplication::processEvents();
        QVERIFY(shownBy(*window_) != last);
        last = shownBy(*window_);
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->pixelOf(32768), y});
    QCOMPARE(store_->history().count(), 1);
    store_->history().undo();
    QTRY_COMPARE(shownBy(*window_), before); // advice follows when the store is idle
}

void MainWindowTest::impossibleLayout_isSaidInTheStripAndAtTheControl_andThePanelsKeepTheLast() {
    build(defaultScenario(catalog()));
    QString tables;
    for (const Panel *panel : window_->panels()->panels())
        tables += panel->asTable();
    store_->edit(QStringLiteral("parallelism.tensor"), 3.0);
    QCoreApplication::processEvents();
    const QString said = window_->controls()->control(QStringLiteral("parallelism.tensor"))->problemText();
    QVERIFY(said.startsWith(QStringLiteral("parallelism.tensor: ")));
    QVERIFY(window_->verdict()->nextSentence().contains(said));
    QString after;
    for (const Panel *panel : window_->panels()->panels())
        after += panel->asTable();
    QCOMPARE(after, tables);
    for (const FigureButton *figure : window_->verdict()->figures())
        QVERIFY(!figure->isEnabled());
}

void MainWindowTest::figures_openInTheInspector() {
    build(defaultScenario(catalog()));
    QVERIFY(window_->verdict()->figures().size() >= 5);
    for (FigureButton *figure : window_->verdict()->figures()) {
        QTest::mouseClick(figure, Qt::LeftButton);
        QCOMPARE(window_->panels()->inspectedPath(), figure->figure().path);
        QVERIFY(!window_->panels()->inspector()->asText().isEmpty());
    }
}

void MainWindowTest::selectedGpu_isTheOneTheVerdictSpeaksOf() {
    Scenario scenario = defaultScenario(catalog());
    scenario.hardware.gpus.clear();
    for (const char *id : {"nvidia-a100-sxm-80gb", "nvidia-b200-sxm"}) {
        GpuChoice choice;
        choice.id = choice.base = id;
        scenario.hardware.gpus.push_back(choice);
    }
    build(scenario);
    QVERIFY(window_->verdict()->headline().startsWith(QStringLiteral("Does not fit on A100")));
    QVERIFY(window_->verdict()->nextSentence().contains(QStringLiteral("Fits on B200")));
    auto *gpus = qobject_cast<GpuListControl *>(window_->controls()->control(QStringLiteral("hardware.gpus")));
    gpus->list()->setFocus();
    QTest::keyClick(gpus->list(), Qt::Key_Home);
    QTest::keyClick(gpus->list(), Qt::Key_Down);
    QVERIFY2(window_->verdict()->headline().startsWith(QStringLiteral("Fits on B200")),
             qPrintable(window_->verdict()->headline()));
    QCOMPARE(store_->history().count(), 0);
}

void MainWindowTest::lastGpu_cannotBeUnticked() {
    Scenario scenario = defaultScenario(catalog());
    scenario.hardware.gpus.resize(1);
    build(scenario);
    auto *gpus = qobject_cast<GpuListControl *>(window_->controls()->control(QStringLiteral("hardware.gpus")));
    gpus->list()->setFocus();
    QTest::keyClick(gpus->list(), Qt::Key_Home);
    QTest::keyClick(gpus->list(), Qt::Key_Space);
    QCoreApplication::processEvents();
    QVERIFY(store_->scenario() == scenario);
    QVERIFY(gpus->problemText().contains(QStringLiteral("at least one")));
    QCOMPARE(gpus->list()->topLevelItem(0)->checkState(0), Qt::Checked);
}

void MainWindowTest::gpuFilter_showsTheTickedOnesAndMatches() {
    build(defaultScenario(catalog()));
    auto *gpus = qobject_cast<GpuListControl *>(window_->controls()->control(QStringLiteral("hardware.gpus")));
    QCOMPARE(gpus->list()->topLevelItemCount(), static_cast<int>(catalog().gpus.size()));
    QTest::keyClicks(gpus->filter(), QStringLiteral("AMD mi3"));
    int shown = 0;
    const auto ticked = static_cast<int>(store_->scenario().hardware.gpus.size());
    for (int i = 0; i < gpus->list()->topLevelItemCount(); ++i) {
        const QTreeWidgetItem *item = gpus->list()->topLevelItem(i);
        if (item->isHidden())
            continue;
        const bool isTicked = item->checkState(0) == Qt::Checked;
        QCOMPARE(isTicked, i < ticked); // first, and whatever the filter says
        if (isTicked)
            continue;
        ++shown;
        QVERIFY(item->text(0).contains(QStringLiteral("MI3")));
    }
    QVERIFY(shown >= 3);
    for (int i = 0; i < ticked; ++i)
        QVERIFY(!gpus->list()->topLevelItem(i)->isHidden());
}

void MainWindowTest::wheelOverTheGpuList_goesOnInTheColumnAtTheListsEnd() {
    build(defaultScenario(catalog()));
    auto *gpus = qobject_cast<GpuListControl *>(window_->controls()->control(QStringLiteral("hardware.gpus")));
    const QScrollBar *list = gpus->list()->verticalScrollBar();
    const QScrollBar *column = window_->controls()->verticalScrollBar();
    window_->resize(1600, 700);
    QCoreApplication::processEvents();
    window_->controls()->ensureWidgetVisible(gpus->list());
    const auto turn = [&](int angle) {
        const QPointF at = gpus->list()->viewport()->rect().center();
        QWheelEvent event(at, gpus->list()->viewport()->mapToGlobal(at), QPoint(), QPoint(0, angle), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(gpus->list()->viewport(), &event);
    };
    const int before = column->value();
    turn(-120);
    QVERIFY(list->value() > list->minimum());
    QCOMPARE(column->value(), before);
    for (int i = 0; i < 100 && list->value() < list->maximum(); ++i)
        turn(-120);
    QCOMPARE(column->value(), before);
    turn(-120);
    QVERIFY(column->value() > before);
    for (int i = 0; i < 100 && list->value() > list->minimum(); ++i)
        turn(120);
    const int after = column->value();
    turn(120);
    QVERIFY(column->value() < after);
}

const char *const smallConfig = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2048,
    "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000,
    "max_position_embeddings": 2048, "hidden_act": "silu", "tie_word_embeddings": false})";

void MainWindowTest::config_dropped_becomesTheModel_andUndoBringsThePresetBack() {
    build(defaultScenario(catalog()));
    const Scenario before = store_->scenario();
    const QString path = folder_.filePath(QStringLiteral("config.json"));
    std::ofstream(path.toStdString()) << smallConfig;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &drop);
    QVERIFY(drop.isAccepted());
    QTRY_COMPARE(store_->scenario().model.shape.layers, 22);
    QCoreApplication::processEvents();
    QCOMPARE(store_->report().model.parametersTotal, 1100048384.0);
    QVERIFY(window_->controls()
                ->control(QStringLiteral("model.preset"))
                ->findChild<QComboBox *>()
                ->currentText()
                .contains(QStringLiteral("config.json")));
    store_->history().undo();
    QVERIFY(store_->scenario() == before);
}

void MainWindowTest::badFile_isAMessage_andWhatWasOpenStays() {
    build(defaultScenario(catalog()));
    const Scenario before = store_->scenario();
    const QString path = folder_.filePath(QStringLiteral("bad.ridgepoint"));
    std::ofstream(path.toStdString())
        << R"({"ridgepoint": 1, "model": {"preset": "llama-2-7b"}, "training": {"micro_bach": 2}})";
    QVERIFY(!window_->openFile(path));
    auto *message = window_->findChild<QMessageBox *>(QStringLiteral("message"));
    QVERIFY(message != nullptr);
    QVERIFY(message->informativeText().startsWith(path + QStringLiteral(": training.micro_bach: ")));
    QVERIFY(message->informativeText().contains(QStringLiteral("micro_batch")));
    QVERIFY(store_->scenario() == before);
    message->close();
    QVERIFY(!window_->openFile(folder_.filePath(QStringLiteral("missing.ridgepoint"))));
    QVERIFY(store_->scenario() == before);
}

void MainWindowTest::saveAndOpen_bringTheScenarioBack() {
    build(busyScenario(Task::Training));
    const QString path = folder_.filePath(QStringLiteral("saved.ridgepoint"));
    store_->markSaved(path);
    store_->edit(QStringLiteral("training.micro_batch"), 2.0);
    const Scenario changed = store_->scenario();
    QVERIFY(window_->isWindowModified());
    QVERIFY(window_->save());
    QVERIFY(!window_->isWindowModified());
    store_->open(defaultScenario(catalog()), {});
    QVERIFY(window_->openFile(path));
    QVERIFY(store_->scenario() == changed);
    QVERIFY(window_->windowTitle().contains(QStringLiteral("saved.ridgepoint")));
    // What cannot work cannot be opened again: it is not written.
    store_->edit(QStringLiteral("parallelism.tensor"), 3.0);
    QVERIFY(!window_->save());
    const auto read = readScenarioFile(path, catalog());
    QVERIFY(read && *read == changed);
}

void MainWindowTest::closeAndReopen_bringTheLastStateBack() {
    build(busyScenario(Task::Inference));
    store_->edit(QStringLiteral("inference.prompt_tokens"), 777.0);
    QCoreApplication::processEvents();
    settings_->setBytes(ByteUnits::Binary);
    settings_->setTheme(ThemeChoice::Dark);
    const Scenario last = store_->scenario();
    QVERIFY(window_->close());
    const SessionState state = session_->load(catalog());
    QVERIFY(state.scenario && *state.scenario == last);
    QVERIFY(state.binaryBytes);
    QVERIFY(!state.isSaved);
    QCOMPARE(state.theme, static_cast<int>(ThemeChoice::Dark));
    // A damaged file brings the defaults, not a failure.
    std::ofstream(folder_.filePath(QStringLiteral("session/last.ridgepoint")).toStdString()) << "{";
    QVERIFY(!session_->load(catalog()).scenario);
}

void MainWindowTest::byteUnits_changeEveryPanel() {
    build(defaultScenario(catalog()));
    QVERIFY(window_->verdict()->headline().contains(QStringLiteral(" GB")));
    QTest::mouseClick(window_->findChild<QToolButton *>(QStringLiteral("binary-bytes.button")), Qt::LeftButton);
    QVERIFY(window_->verdict()->headline().contains(QStringLiteral(" GiB")));
    QVERIFY(window_->panels()->panels().front()->asTable().contains(QStringLiteral("GiB")));
}

void MainWindowTest::themes_areBothLegible() {
    build(defaultScenario(catalog()));
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        settings_->setTheme(choice);
        const QPalette palette = window_->palette();
        const int ink = palette.color(QPalette::WindowText).lightness();
        const int ground = palette.color(QPalette::Window).lightness();
        QVERIFY(std::abs(ink - ground) > 120);
        QCOMPARE(ground < 128, choice == ThemeChoice::Dark);
        // Controls take the palette on, also those that colour their text.
        const auto *edit =
            window_->controls()->control(QStringLiteral("training.micro_batch"))->findChild<QLineEdit *>();
        QVERIFY(std::abs(edit->palette().color(QPalette::Text).lightness() - ground) > 100);
    }
}

void MainWindowTest::actions_haveTextTipAndNoSharedShortcut() {
    build(defaultScenario(catalog()));
    QSet<QString> shortcuts;
    int count = 0;
    for (const QAction *menu : window_->menuBar()->actions()) {
        for (const QAction *action : menu->menu()->actions()) {
            if (action->isSeparator())
                continue;
            ++count;
            QVERIFY(!action->text().isEmpty() && !action->toolTip().isEmpty() && !action->objectName().isEmpty());
            for (const QKeySequence &keys : action->shortcuts()) {
                QVERIFY2(!shortcuts.contains(keys.toString()), qPrintable(keys.toString()));
                shortcuts.insert(keys.toString());
            }
        }
    }
    QVERIFY(count >= 15);
}

void MainWindowTest::copy_givesTheFocusedPanelAsATable() {
    build(defaultScenario(catalog()));
    Panel *memory = window_->panels()->panels().front();
    memory->setFocus();
    QTRY_VERIFY(memory->hasFocus());
    window_->copy();
    QCOMPARE(QApplication::clipboard()->text(), memory->asTable());
}

} // namespace

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
