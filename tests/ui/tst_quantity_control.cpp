// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The generic control: typed quantities, keys, wheel and mouse end in the store; what cannot be is said below the
// control.
#include "core/scenario/file.h"

#include "ui/controls/calm_style.h"
#include "ui/controls/flags_control.h"
#include "ui/controls/quantity_control.h"
#include "ui/controls/track_slider.h"
#include "ui/store/field_table.h"

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

class QuantityControlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { window_.reset(); }
    void typed_isRead_data();
    void typed_isRead();
    void typed_inAGermanLocale();
    void typed_nonsense_isRefusedInWordsAndTheOldValueReturns();
    void typed_outOfRange_isRefusedInWords();
    void refusal_disappearsWithTheNextGoodValue();
    void focusLeaving_withoutTyping_keepsAllDigits();
    void escape_bringsTheValueBack();
    void empty_isAutomatic_whereThatExists();
    void keys_moveTheSlider();
    void keys_inTheFieldStep();
    void wheel_needsTheFocus();
    void drag_isOneUndoStepAndIsAnnounced();
    void click_onTheTrack_jumpsThere();
    void click_onTheHandle_changesNothing();
    void storeChange_isShownAndNotSentBack();
    void crossRule_isSaidAtTheControl();
    void refusedStop_saysWhyAndIsNeverTaken();
    void partsSayTheirProblemsThemselves();
    void flags_editTheStoreByMouseAndKeys();
    void undoKey_withNothingTyped_isLeftToTheWindow();
    void accessibility_namesAndSaysTheValue();
    void text_showsNoZerosThatNobodySet();

private:
    QuantityControl *make(const QString &id, const QLocale &locale = QLocale::c());
    void type(const QString &text);

    std::unique_ptr<ScenarioStore> store_;
    std::unique_ptr<ViewSettings> settings_;
    std::unique_ptr<QWidget> window_;
    QuantityControl *control_ = nullptr;
};

void QuantityControlTest::init() {
    store_ = std::make_unique<ScenarioStore>(catalog(), defaultScenario(catalog()));
}

QuantityControl *QuantityControlTest::make(const QString &id, const QLocale &locale) {
    settings_ = std::make_unique<ViewSettings>(locale);
    window_ = std::make_unique<QWidget>();
    auto *layout = new QVBoxLayout(window_.get());
    control_ = new QuantityControl(*store_, *settings_, *fieldOf(id), window_.get());
    layout->addWidget(control_);
    window_->resize(300, 120);
    window_->show();
    window_->activateWindow();
    QTest::qWait(1);
    return control_;
}

void QuantityControlTest::type(const QString &text) {
    control_->edit()->setFocus();
    control_->edit()->selectAll();
    if (text.isEmpty())
        QTest::keyClick(control_->edit(), Qt::Key_Delete);
    else
        QTest::keyClicks(control_->edit(), text);
    QTest::keyClick(control_->edit(), Qt::Key_Return);
}

void QuantityControlTest::typed_isRead_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("7B parameters") << "model.parameters"
                                   << "7B" << 7e9;
    QTest::newRow("70e9 parameters") << "model.parameters"
                                     << "70e9" << 70e9;
    QTest::newRow("8k tokens") << "training.sequence_length"
                               << "8k" << 8000.0;
    QTest::newRow("8Ki tokens") << "training.sequence_length"
                                << "8Ki" << 8192.0;
    QTest::newRow("plain") << "training.micro_batch"
                           << "12" << 12.0;
    QTest::newRow("watts") << "hardware.power_limit_w"
                           << "350 W" << 350.0;
    QTest::newRow("kilowatts") << "hardware.power_limit_w"
                               << "0.35 kW" << 350.0;
    QTest::newRow("dollars") << "economics.usd_per_kwh"
                             << "$0.12/kWh" << 0.12;
    QTest::newRow("percent") << "economics.utilization"
                             << "65%" << 0.65;
    QTest::newRow("beyond the track") << "training.sequence_length"
                                      << "4M" << 4e6;
}

void QuantityControlTest::typed_isRead() {
    QFETCH(QString, id);
    QFETCH(QString, text);
    QFETCH(double, value);
    make(id);
    type(text);
    QCOMPARE(control_->problemText(), QString());
    QCOMPARE(std::get<double>(control_->field().get(store_->scenario())), value);
    QCOMPARE(store_->history().count(), 1);
}

void QuantityControlTest::typed_inAGermanLocale() {
    make(QStringLiteral("economics.pue"), QLocale(QLocale::German, QLocale::Germany));
    type(QStringLiteral("1,25"));
    QCOMPARE(store_->scenario().economics.pue, std::optional(1.25));
    QVERIFY(control_->edit()->text().contains(u','));
}

void QuantityControlTest::typed_nonsense_isRefusedInWordsAndTheOldValueReturns() {
    make(QStringLiteral("training.micro_batch"));
    type(QStringLiteral("many"));
    QVERIFY(control_->problemText().contains(QStringLiteral("many")));
    QCOMPARE(control_->edit()->text(), QStringLiteral("1"));
    QCOMPARE(store_->history().count(), 0);
    const auto *label = control_->findChild<QLabel *>(QStringLiteral("training.micro_batch.problem"));
    QVERIFY(label->isVisible());
    QCOMPARE(label->text(), control_->problemText());
}

void QuantityControlTest::typed_outOfRange_isRefusedInWords() {
    make(QStringLiteral("economics.pue"));
    const QString before = control_->edit()->text();
    type(QStringLiteral("0.5"));
    QVERIFY(control_->problemText().contains(QStringLiteral("from 1 to 5")));
    QCOMPARE(control_->edit()->text(), before);
    QCOMPARE(store_->history().count(), 0);
}

void QuantityControlTest::refusal_disappearsWithTheNextGoodValue() {
    make(QStringLiteral("training.micro_batch"));
    type(QStringLiteral("0"));
    QVERIFY(!control_->problemText().isEmpty());
    type(QStringLiteral("2"));
    QCOMPARE(control_->problemText(), QString());
}

void QuantityControlTest::focusLeaving_withoutTyping_keepsAllDigits() {
    make(QStringLiteral("model.parameters"));
    const auto exact = control_->field().get(store_->scenario());
    control_->edit()->setFocus();
    QTest::keyClick(control_->edit(), Qt::Key_Return);
    control_->slider()->setFocus();
    QVERIFY(control_->field().get(store_->scenario()) == exact);
    QCOMPARE(store_->history().count(), 0);
}

void QuantityControlTest::escape_bringsTheValueBack() {
    make(QStringLiteral("training.micro_batch"));
    control_->edit()->setFocus();
    control_->edit()->selectAll();
    QTest::keyClicks(control_->edit(), QStringLiteral("77"));
    QTest::keyClick(control_->edit(), Qt::Key_Escape);
    QCOMPARE(control_->edit()->text(), QStringLiteral("1"));
    QCOMPARE(store_->history().count(), 0);
}

void QuantityControlTest::empty_isAutomatic_whereThatExists() {
    make(QStringLiteral("economics.pue"));
    type(QStringLiteral("1.5"));
    QVERIFY(store_->scenario().economics.pue);
    type(QString());
    QVERIFY(!store_->scenario().economics.pue);
    QVERIFY(!control_->edit()->text().isEmpty());
    make(QStringLiteral("training.micro_batch"));
    type(QString());
    QVERIFY(control_->problemText().contains(QStringLiteral("nothing")));
}

void QuantityControlTest::keys_moveTheSlider() {
    make(QStringLiteral("training.micro_batch"));
    control_->slider()->setFocus();
    QTest::keyClick(control_->slider(), Qt::Key_Right);
    QCOMPARE(store_->scenario().training.microBatch, 2.0);
    QTest::keyClick(control_->slider(), Qt::Key_PageUp);
    QVERIFY(store_->scenario().training.microBatch > 3);
    QTest::keyClick(control_->slider(), Qt::Key_End);
    QCOMPARE(store_->scenario().training.microBatch, 1024.0);
    QTest::keyClick(control_->slider(), Qt::Key_Home);
    QCOMPARE(store_->scenario().training.microBatch, 1.0);
    // All within a second, and back where it began.
    QCOMPARE(store_->history().count(), 0);
}

void QuantityControlTest::keys_inTheFieldStep() {
    make(QStringLiteral("training.micro_batch"));
    control_->edit()->setFocus();
    QTest::keyClick(control_->edit(), Qt::Key_Up);
    QTest::keyClick(control_->edit(), Qt::Key_Up);
    QCOMPARE(store_->scenario().training.microBatch, 3.0);
    QTest::keyClick(control_->edit(), Qt::Key_Down);
    QCOMPARE(store_->scenario().training.microBatch, 2.0);
    QCOMPARE(store_->history().count(), 1);
}

void QuantityControlTest::wheel_needsTheFocus() {
    make(QStringLiteral("training.micro_batch"));
    const auto turn = [this] {
        const QPointF at(10, 5);
        QWheelEvent event(at, control_->slider()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(control_->slider(), &event);
        return event.isAccepted();
    };
    control_->slider()->clearFocus();
    control_->edit()->setFocus();
    QVERIFY(!turn());
    QCOMPARE(store_->scenario().training.microBatch, 1.0);
    control_->slider()->setFocus();
    QTRY_VERIFY(control_->slider()->hasFocus());
    turn();
    QVERIFY(store_->scenario().training.microBatch > 1);
}

void QuantityControlTest::drag_isOneUndoStepAndIsAnnounced() {
    make(QStringLiteral("training.sequence_length"));
    QSignalSpy drags(control_, &FieldControl::dragChanged);
    TrackSlider *slider = control_->slider();
    const int y = slider->height() / 2;
    const int start = slider->pixelOf(store_->scenario().training.sequenceLength);
    QTest::mousePress(slider, Qt::LeftButton, {}, {start, y});
    for (int x = start; x > 20; x -= 7)
        QTest::mouseMove(slider, {x, y});
    QVERIFY(store_->scenario().training.sequenceLength < 4096);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {20, y});
    QCOMPARE(store_->history().count(), 1);
    QCOMPARE(drags.count(), 2);
    QCOMPARE(drags.front().front().toBool(), true);
    QCOMPARE(drags.back().front().toBool(), false);
    store_->history().undo();
    QCOMPARE(store_->scenario().training.sequenceLength, 4096.0);
}

void QuantityControlTest::click_onTheTrack_jumpsThere() {
    make(QStringLiteral("training.sequence_length"));
    TrackSlider *slider = control_->slider();
    QTest::mouseClick(slider, Qt::LeftButton, {}, {slider->pixelOf(65536), slider->height() / 2});
    const double value = store_->scenario().training.sequenceLength;
    QVERIFY2(value >= 49152 && value <= 81920, qPrintable(QString::number(value)));
}

void QuantityControlTest::click_onTheHandle_changesNothing() {
    make(QStringLiteral("model.parameters"));
    TrackSlider *slider = control_->slider();
    const double exact = std::get<double>(control_->field().get(store_->scenario()));
    QTest::mouseClick(slider, Qt::LeftButton, {}, {slider->pixelOf(exact) + 1, slider->height() / 2});
    QCOMPARE(store_->history().count(), 0);
}

void QuantityControlTest::storeChange_isShownAndNotSentBack() {
    make(QStringLiteral("training.micro_batch"));
    // Between two stops of the slider: an echo would round it.
    store_->edit(QStringLiteral("training.micro_batch"), 13.0);
    QCOMPARE(store_->scenario().training.microBatch, 13.0);
    QCOMPARE(store_->history().count(), 1);
    QCOMPARE(control_->edit()->text(), QStringLiteral("13"));
    store_->history().undo();
    QCOMPARE(control_->edit()->text(), QStringLiteral("1"));
}

void QuantityControlTest::crossRule_isSaidAtTheControl() {
    make(QStringLiteral("parallelism.tensor"));
    type(QStringLiteral("3"));
    store_->flush();
    QCOMPARE(store_->scenario().parallelism.tensor, 3);
    QVERIFY(control_->problemText().contains(QStringLiteral("1, 2, 4, 8, 16, 32")));
    QCOMPARE(control_->edit()->text(), QStringLiteral("3"));
    type(QStringLiteral("4"));
    store_->flush();
    QCOMPARE(control_->problemText(), QString());
}

void QuantityControlTest::refusedStop_saysWhyAndIsNeverTaken() {
    QuantityControl *control = make(QStringLiteral("parallelism.tensor"));
    // 32 heads: 12 lies between 8 and 16, and is refused.
    TrackSlider *slider = control->slider();
    const QString reason = slider->refusalAt(slider->pixelOf(12));
    QCOMPARE(reason, QStringLiteral("12 does not divide the 32 heads"));
    QVERIFY(slider->refusalAt(slider->pixelOf(16)).isEmpty());
    QVERIFY(slider->accessibleDescription().contains(reason));
    QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->pixelOf(12), slider->height() / 2));
    QVERIFY(store_->scenario().parallelism.tensor == 8 || store_->scenario().parallelism.tensor == 16);
    QVERIFY(store_->problemsOf(QStringLiteral("parallelism.tensor")).empty());
}

void QuantityControlTest::partsSayTheirProblemsThemselves() {
    store_->edit(QStringLiteral("training.lora"), true);
    store_->edit(QStringLiteral("training.lora.rank"), 60000.0);
    store_->flush();
    QCOMPARE(store_->problemsOf(QStringLiteral("training.lora.rank")).size(), std::size_t(1));
    QVERIFY(store_->problemsOf(QStringLiteral("training.lora")).empty());
    // A part without a row says it at the whole.
    store_->edit(QStringLiteral("training.lora.rank"), 16.0);
    store_->edit(QStringLiteral("training.lora.targets.list"), std::vector<std::string>{});
    store_->flush();
    QCOMPARE(store_->problemsOf(QStringLiteral("training.lora.targets")).size(), std::size_t(1));
}

void QuantityControlTest::flags_editTheStoreByMouseAndKeys() {
    settings_ = std::make_unique<ViewSettings>(QLocale::c());
    store_->setClock([] { return 0; }); // quick clicks on one control are one step
    store_->edit(QStringLiteral("training.lora"), true);
    FlagsControl control(*store_, *settings_, *fieldOf(QStringLiteral("training.lora.targets.list")));
    control.show();
    QCOMPARE(control.buttons().size(), std::size_t(7));
    const auto targets = [&] { return store_->scenario().training.lora->targets; };
    QVERIFY(targets().k && control.buttons()[1]->isChecked());
    QTest::mouseClick(control.buttons()[1], Qt::LeftButton);
    QVERIFY(!targets().k && !control.buttons()[1]->isChecked());
    QTest::keyClick(control.buttons()[6], Qt::Key_Space);
    QVERIFY(targets().down);
    QCOMPARE(std::get<std::string>(fieldOf(QStringLiteral("training.lora.targets"))->get(store_->scenario())),
             std::string("own"));
    store_->history().undo();
    QVERIFY(targets().k && control.buttons()[1]->isChecked());
    for (const FlagButton *button : control.buttons())
        QVERIFY(!button->accessibleName().isEmpty() && !button->accessibleDescription().isEmpty());
}

void QuantityControlTest::undoKey_withNothingTyped_isLeftToTheWindow() {
    make(QStringLiteral("training.micro_batch"));
    control_->edit()->setFocus();
    QKeyEvent untouched(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    untouched.ignore();
    QCoreApplication::sendEvent(control_->edit(), &untouched);
    QVERIFY(!untouched.isAccepted());
    QTest::keyClicks(control_->edit(), QStringLiteral("5"));
    QKeyEvent typed(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    typed.ignore();
    QCoreApplication::sendEvent(control_->edit(), &typed);
    QVERIFY(typed.isAccepted());
}

void QuantityControlTest::accessibility_namesAndSaysTheValue() {
    make(QStringLiteral("training.micro_batch"));
    store_->edit(QStringLiteral("training.micro_batch"), 6.0);
    for (const QWidget *part : {static_cast<QWidget *>(control_->slider()), static_cast<QWidget *>(control_->edit())}) {
        QCOMPARE(part->accessibleName(), control_->field().label);
        QVERIFY(part->accessibleDescription().startsWith(QStringLiteral("6.")));
    }
}

void QuantityControlTest::text_showsNoZerosThatNobodySet() {
    const NumberStyle plain;
    QCOMPARE(fieldOf(QStringLiteral("economics.pue"))->text(1.3, plain), QStringLiteral("1.3"));
    QCOMPARE(fieldOf(QStringLiteral("economics.pue"))->text(1.0, plain), QStringLiteral("1"));
    QCOMPARE(fieldOf(QStringLiteral("training.tokens"))->text(2e12, plain), QStringLiteral("2 T"));
    QCOMPARE(fieldOf(QStringLiteral("training.tokens"))->text(2.05e12, plain), QStringLiteral("2.05 T"));
    QCOMPARE(fieldOf(QStringLiteral("economics.usd_per_kwh"))->text(0.1, plain), QStringLiteral("$0.10/kWh"));
    QCOMPARE(fieldOf(QStringLiteral("training.sequence_length"))->text(4000, plain), QStringLiteral("4000"));
}

} // namespace

QTEST_MAIN(QuantityControlTest)
#include "tst_quantity_control.moc"
