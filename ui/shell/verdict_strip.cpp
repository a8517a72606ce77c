// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The strip above the panels: words on the left, figures on the right, and an edge that says fits or does not.
#include "ui/shell/verdict_strip.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace ridgepoint {

FigureButton::FigureButton(QWidget *parent) : QAbstractButton(parent), theme_(lightTheme()) {
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void FigureButton::setFigure(const Figure &figure, const QString &gpu) {
    figure_ = figure;
    gpu_ = gpu;
    setAccessibleName(tr("%1: %2", "label, value").arg(figure.label, figure.value));
    setAccessibleDescription(figure.note);
    setToolTip(tr("Where %1 comes from").arg(figure.label));
    updateGeometry();
    update();
}

void FigureButton::setTheme(const Theme &theme) {
    theme_ = theme;
    updateGeometry();
    update();
}

QSize FigureButton::sizeHint() const {
    const QFontMetrics small(theme_.font(TextRole::Secondary));
    const QFontMetrics big(theme_.font(TextRole::Verdict));
    const int width = std::max({small.horizontalAdvance(figure_.label), big.horizontalAdvance(figure_.value),
                                small.horizontalAdvance(figure_.note)});
    // Rounded up, so that a changing digit does not move the row.
    const int step = big.height();
    return {(width / step + 1) * step + step / 2, 2 * small.height() + big.height() + 6};
}

void FigureButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const QFontMetrics small(theme_.font(TextRole::Secondary));
    const QFontMetrics big(theme_.font(TextRole::Verdict));
    if (hasFocus() || underMouse()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(hasFocus() ? QPen(theme_.accent, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(theme_.ground);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    const int x = 4;
    int y = (height() - 2 * small.height() - big.height()) / 2;
    painter.setPen(theme_.secondaryInk);
    painter.setFont(theme_.font(TextRole::Secondary));
    painter.drawText(QRect(x, y, width() - x, small.height()), Qt::AlignLeft, figure_.label);
    y += small.height();
    painter.setPen(isEnabled() ? theme_.ink : theme_.secondaryInk);
    painter.setFont(theme_.font(TextRole::Verdict));
    painter.drawText(QRect(x, y, width() - x, big.height()), Qt::AlignLeft, figure_.value);
    y += big.height();
    painter.setPen(theme_.secondaryInk);
    painter.setFont(theme_.font(TextRole::Secondary));
    painter.drawText(QRect(x, y, width() - x, small.height()), Qt::AlignLeft, figure_.note);
}

VerdictStrip::VerdictStrip(QWidget *parent)
    : QWidget(parent), theme_(lightTheme()), headline_(new QLabel(this)), next_(new QLabel(this)) {
    setObjectName(QStringLiteral("verdict"));
    headline_->setObjectName(QStringLiteral("verdict.headline"));
    next_->setObjectName(QStringLiteral("verdict.next"));
    for (QLabel *label : {headline_, next_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addStretch(1);
    words->addWidget(headline_);
    words->addWidget(next_);
    words->addStretch(1);
    row_ = new QHBoxLayout(this);
    row_->addLayout(words, 1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void VerdictStrip::setTheme(const Theme &theme) {
    theme_ = theme;
    const int pad = theme.bodyPixels;
    row_->setContentsMargins(pad * 3 / 2, pad / 2, pad, pad / 2);
    row_->setSpacing(pad / 2);
    for (FigureButton *figure : figures_)
        figure->setTheme(theme);
    showWords();
}

void VerdictStrip::setVerdict(const Verdict &verdict) {
    verdict_ = verdict;
    while (figures_.size() > verdict.figures.size()) {
        delete figures_.back();
        figures_.pop_back();
    }
    while (figures_.size() < verdict.figures.size()) {
        auto *figure = new FigureButton(this);
        figure->setTheme(theme_);
        connect(figure, &QAbstractButton::clicked, this,
                [this, figure] { Q_EMIT quantityPicked(figure->gpu(), figure->figure().path); });
        row_->addWidget(figure);
        figures_.push_back(figure);
    }
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        figures_[i]->setObjectName(QStringLiteral("figure.") + verdict.figures[i].path);
        figures_[i]->setFigure(verdict.figures[i], verdict.gpu);
    }
    showWords();
}

void VerdictStrip::setProblems(const QStringList &problems) {
    problems_ = problems;
    for (FigureButton *figure : figures_)
        figure->setEnabled(problems.isEmpty());
    showWords();
}

void VerdictStrip::showWords() {
    headline_->setFont(theme_.font(TextRole::Verdict));
    next_->setFont(theme_.font(TextRole::Body));
    QPalette secondary = palette();
    const bool isWorking = problems_.isEmpty();
    secondary.setColor(QPalette::WindowText, isWorking ? theme_.secondaryInk : theme_.doesNotFit);
    next_->setPalette(secondary);
    headline_->setText(isWorking ? verdict_.headline
                                 : tr("This cannot work as it is set; the panels show the last that could."));
    headline_->setToolTip(isWorking ? verdict_.tip : QString());
    headline_->setAccessibleDescription(headline_->toolTip());
    next_->setText(isWorking ? verdict_.next : problems_.join(u'\n'));
    setAccessibleName(headline_->text());
    setAccessibleDescription(next_->text());
    update();
}

QString VerdictStrip::headline() const {
    return headline_->text();
}

QString VerdictStrip::nextSentence() const {
    return next_->text();
}

void VerdictStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(theme_.line);
    painter.setBrush(theme_.card);
    painter.drawRoundedRect(card, 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(!problems_.isEmpty() ? theme_.secondaryInk : verdict_.fits ? theme_.fits : theme_.doesNotFit);
    painter.drawRoundedRect(QRectF(0, 0, 5, height()), 2.5, 2.5);
}

} // namespace ridgepoint
