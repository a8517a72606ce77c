// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which charts to write, in which formats, colours and size, and where.
#pragma once

#include "ui/shell/chart_export.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLineEdit;

namespace ridgepoint {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `charts`: those ticked at first.
    ExportDialog(const QStringList &charts, const QString &folder, QWidget *parent = nullptr);

    ChartExport wanted() const;

private:
    void chooseFolder();
    void showWhetherComplete();

    std::vector<QCheckBox *> charts_, formats_;
    QComboBox *theme_ = nullptr;
    QComboBox *size_ = nullptr;
    QLineEdit *folder_ = nullptr;
    QDialogButtonBox *buttons_ = nullptr;
};

} // namespace ridgepoint
