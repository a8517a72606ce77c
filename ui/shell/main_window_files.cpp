// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with files: open, save, import, drop, export, copy; every failure in words, and what was open
// stays.
#include "ui/shell/documents.h"
#include "ui/shell/export_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/panel_grid.h"
#include "ui/shell/verdict_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QStandardPaths>

namespace ridgepoint {

namespace {

QString scenarioFilter() {
    return MainWindow::tr("Scenarios (*.ridgepoint);;All files (*)");
}

/// First what can be opened at all: a config or weights become the model.
QString openFilter() {
    return MainWindow::tr("Scenarios and models (*.ridgepoint *.json *.gguf *.safetensors);;Scenarios (*.ridgepoint);;"
                          "All files (*)");
}

QString modelFilter() {
    return MainWindow::tr("Models (*.json *.gguf *.safetensors);;All files (*)");
}

} // namespace

void MainWindow::tell(const QString &title, const QString &text) {
    // Not exec(): the window stays alive behind it.
    auto *box = new QMessageBox(this);
    box->setObjectName(QStringLiteral("message"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setAttribute(Qt::WA_WindowPropagation);
    box->setWindowTitle(title);
    box->setText(title);
    box->setInformativeText(text);
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->open();
}

bool MainWindow::mayLeave(bool isClosing) {
    // Closing an untitled scenario loses nothing: reopening brings it back.
    if (store_.isClean() || (isClosing && store_.fileName().isEmpty()))
        return true;
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("unsaved"));
    box.setAttribute(Qt::WA_WindowPropagation);
    box.setText(tr("The scenario has changes that are not saved."));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        if (isClosing && store_.history().cleanIndex() >= 0) {
            store_.history().setIndex(store_.history().cleanIndex());
            store_.flush();
        }
        return true;
    default:
        return false;
    }
}

void MainWindow::newScenario() {
    if (mayLeave(false))
        store_.open(firstScenario(store_.catalog()), {});
}

void MainWindow::open() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), QFileInfo(store_.fileName()).path(), openFilter());
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::importModel() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import model"), {}, modelFilter());
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::openFile(const QString &path) {
    if (kindOf(path) == DocumentKind::Model) {
        const auto model = readModelFile(path);
        if (!model) {
            tell(tr("The model cannot be read"), problemLines(path, model.error()));
            return false;
        }
        store_.setModel(*model, tr("import of %1").arg(QFileInfo(path).fileName()));
        return true;
    }
    const auto scenario = readScenarioFile(path, store_.catalog());
    if (!scenario) {
        tell(tr("The scenario cannot be opened"), problemLines(path, scenario.error()));
        return false;
    }
    if (!mayLeave(false))
        return false;
    store_.open(*scenario, path);
    return true;
}

bool MainWindow::save() {
    return store_.fileName().isEmpty() ? saveAs() : saveTo(store_.fileName());
}

bool MainWindow::saveAs() {
    const QString name = QString::fromStdString(store_.scenario().name);
    const QString proposed = !store_.fileName().isEmpty() ? store_.fileName()
                             : name.isEmpty()             ? tr("scenario") + QStringLiteral(".ridgepoint")
                                                          : name + QStringLiteral(".ridgepoint");
    QString path = QFileDialog::getSaveFileName(this, tr("Save as"), proposed, scenarioFilter());
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".ridgepoint");
    return saveTo(path);
}

bool MainWindow::saveTo(const QString &path) {
    store_.flush();
    if (!store_.isReportCurrent()) {
        // Such a file could not be opened again.
        tell(tr("The scenario cannot be saved while it cannot work"), problemLines(path, store_.problems()));
        return false;
    }
    const QString error = writeScenarioFile(path, store_.scenario());
    if (!error.isEmpty()) {
        tell(tr("The scenario cannot be saved"), path + QStringLiteral(": ") + error);
        return false;
    }
    store_.markSaved(path);
    return true;
}

void MainWindow::exportCharts(const QStringList &charts) {
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    const QString folder = store_.fileName().isEmpty() ? pictures : QFileInfo(store_.fileName()).absolutePath();
    auto *dialog = new ExportDialog(charts, folder, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        store_.flush();
        ChartExport wanted = dialog->wanted();
        wanted.numbers = settings_.numbers();
        const auto written =
            ridgepoint::exportCharts(store_.report(), store_.reportedScenario(), store_.catalog(), wanted);
        if (!written)
            tell(tr("The charts cannot be written"), written.error());
    });
    dialog->open();
}

void MainWindow::copy() {
    QWidget *focused = QApplication::focusWidget();
    if (auto *edit = qobject_cast<QLineEdit *>(focused)) {
        edit->copy();
        return;
    }
    if (auto *label = qobject_cast<QLabel *>(focused); label != nullptr && label->hasSelectedText()) {
        QApplication::clipboard()->setText(label->selectedText());
        return;
    }
    QString text = verdict_->headline() + u'\n' + verdict_->nextSentence() + u'\n';
    for (const FigureButton *figure : verdict_->figures())
        text += figure->figure().label + u'\t' + figure->figure().value + u'\t' + figure->figure().note + u'\n';
    for (QWidget *widget = focused; widget != nullptr; widget = widget->parentWidget()) {
        if (const auto *panel = qobject_cast<const Panel *>(widget))
            text = panel->asTable();
        else if (const auto *inspector = qobject_cast<const InspectorPanel *>(widget))
            text = inspector->asText();
    }
    QApplication::clipboard()->setText(text);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const auto urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return;
    event->acceptProposedAction();
    const QString path = urls.front().toLocalFile();
    // A message must not hold up the program that was dragged from.
    QMetaObject::invokeMethod(
        this, [this, path] { openFile(path); }, Qt::QueuedConnection);
}

} // namespace ridgepoint
