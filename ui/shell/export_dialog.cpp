// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which charts to write, in which formats, colours and size, and where.
#include "ui/shell/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace ridgepoint {

namespace {

QString chartName(const QString &chart) {
    if (chart == QStringLiteral("memory"))
        return ExportDialog::tr("Memory");
    if (chart == QStringLiteral("roofline"))
        return ExportDialog::tr("Roofline");
    if (chart == QStringLiteral("time"))
        return ExportDialog::tr("Time");
    if (chart == QStringLiteral("power"))
        return ExportDialog::tr("Power");
    if (chart == QStringLiteral("cost"))
        return ExportDialog::tr("Cost");
    return chart;
}

std::vector<QCheckBox *> tickRow(const QStringList &ids, const QStringList &ticked, bool areCharts, QWidget *parent,
                                 QHBoxLayout &row) {
    std::vector<QCheckBox *> boxes;
    for (const QString &id : ids) {
        auto *box = new QCheckBox(areCharts ? chartName(id) : id.toUpper(), parent);
        box->setObjectName(id);
        box->setChecked(ticked.contains(id));
        row.addWidget(box);
        boxes.push_back(box);
    }
    row.addStretch(1);
    return boxes;
}

QStringList tickedOf(const std::vector<QCheckBox *> &boxes) {
    QStringList ids;
    for (const QCheckBox *box : boxes) {
        if (box->isChecked())
            ids.append(box->objectName());
    }
    return ids;
}

} // namespace

ExportDialog::ExportDialog(const QStringList &charts, const QString &folder, QWidget *parent)
    : QDialog(parent), theme_(new QComboBox(this)), size_(new QComboBox(this)), folder_(new QLineEdit(folder, this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this)) {
    setObjectName(QStringLiteral("export"));
    setAttribute(Qt::WA_WindowPropagation);
    setWindowTitle(tr("Export charts"));
    auto *form = new QFormLayout(this);
    auto *chartRow = new QHBoxLayout;
    charts_ = tickRow(chartIds(), charts, true, this, *chartRow);
    auto *formatRow = new QHBoxLayout;
    formats_ = tickRow(chartFormats(), {QStringLiteral("svg")}, false, this, *formatRow);
    theme_->addItems({tr("Light"), tr("Dark"), tr("Print")});
    for (const QSize size : {QSize(1600, 900), QSize(1280, 720), QSize(1200, 1200), QSize(3200, 1800)})
        size_->addItem(tr("%1 × %2").arg(size.width()).arg(size.height()), size);
    folder_->setMinimumWidth(fontMetrics().averageCharWidth() * 50);
    auto *choose = new QPushButton(tr("Choose…"), this);
    auto *folderRow = new QHBoxLayout;
    folderRow->addWidget(folder_, 1);
    folderRow->addWidget(choose);
    form->addRow(tr("Charts"), chartRow);
    form->addRow(tr("Formats"), formatRow);
    form->addRow(tr("Colours"), theme_);
    form->addRow(tr("Size"), size_);
    form->addRow(tr("Folder"), folderRow);
    form->addRow(buttons_);
    folder_->setAccessibleName(tr("Folder"));
    for (const auto *group : {&charts_, &formats_}) {
        for (QCheckBox *box : *group)
            connect(box, &QCheckBox::toggled, this, &ExportDialog::showWhetherComplete);
    }
    connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::showWhetherComplete);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showWhetherComplete();
}

void ExportDialog::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the charts"), folder_->text());
    if (!folder.isEmpty())
        folder_->setText(folder);
}

void ExportDialog::showWhetherComplete() {
    const bool isComplete =
        !tickedOf(charts_).isEmpty() && !tickedOf(formats_).isEmpty() && !folder_->text().trimmed().isEmpty();
    buttons_->button(QDialogButtonBox::Save)->setEnabled(isComplete);
}

ChartExport ExportDialog::wanted() const {
    ChartExport wanted;
    wanted.charts = tickedOf(charts_);
    wanted.formats = tickedOf(formats_);
    wanted.theme = theme_->currentIndex() == 0   ? lightTheme()
                   : theme_->currentIndex() == 1 ? darkTheme()
                                                 : printTheme();
    wanted.size = size_->currentData().toSize();
    wanted.folder = folder_->text().trimmed();
    return wanted;
}

} // namespace ridgepoint
