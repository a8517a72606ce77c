// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The strip above the panels: one sentence that is true, one that helps, and the figures, each of which opens in the
// inspector.
#pragma once

#include "ui/shell/verdict.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;

namespace ridgepoint {

/// One figure: label, value and note one below the other.
class FigureButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit FigureButton(QWidget *parent = nullptr);
    void setFigure(const Figure &figure, const QString &gpu);
    void setTheme(const Theme &theme);
    const Figure &figure() const { return figure_; }
    const QString &gpu() const { return gpu_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Figure figure_;
    QString gpu_;
    Theme theme_;
};

class VerdictStrip : public QWidget {
    Q_OBJECT

public:
    explicit VerdictStrip(QWidget *parent = nullptr);

    void setVerdict(const Verdict &verdict);
    /// What keeps the scenario from being evaluated, one line each; the figures stay, greyed. Empty: nothing does.
    void setProblems(const QStringList &problems);
    void setTheme(const Theme &theme);

    QString headline() const;
    QString nextSentence() const;
    const std::vector<FigureButton *> &figures() const { return figures_; }

Q_SIGNALS:
    void quantityPicked(const QString &gpu, const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showWords();

    Verdict verdict_;
    QStringList problems_;
    Theme theme_;
    QLabel *headline_ = nullptr;
    QLabel *next_ = nullptr;
    QHBoxLayout *row_ = nullptr;
    std::vector<FigureButton *> figures_;
};

} // namespace ridgepoint
