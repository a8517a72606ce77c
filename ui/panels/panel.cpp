// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The card around every panel: title, picking by mouse and keys, copying, rendering away from the screen.
#include "ui/panels/panel.h"

#include "ui/panels/drawing.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double padding = 16;
/// An export is laid out as if on a card of about this size, and scaled.
constexpr QSizeF referenceSize{880, 500};

} // namespace

/// The frame around a picked or focused place; a widget of its own, so that it lies above charts that are widgets.
class SpotFrame : public QWidget {
public:
    explicit SpotFrame(QWidget *parent) : QWidget(parent) { setAttribute(Qt::WA_TransparentForMouseEvents); }
    void set(const QColor &colour, double width) {
        if (colour == colour_ && width == width_)
            return;
        colour_ = colour;
        width_ = width;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colour_, width_));
        painter.setBrush(Qt::NoBrush);
        const double inset = width_ / 2;
        painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 3, 3);
    }

private:
    QColor colour_;
    double width_ = 0;
};

Panel::Panel(QWidget *parent) : QWidget(parent), theme_(lightTheme()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

Panel::~Panel() = default;

void Panel::setReport(const Report<double> &report, const DisplayOptions &options) {
    report_ = report;
    options_ = options;
    renewed();
}

void Panel::setTheme(const Theme &theme) {
    theme_ = theme;
    renewed();
}

void Panel::setSelectedGpu(const QString &gpuId) {
    if (gpuId == selectedGpu_)
        return;
    selectedGpu_ = gpuId;
    renewed();
}

void Panel::setPickedQuantity(const QString &gpuId, const QString &path) {
    pickedGpu_ = gpuId;
    pickedPath_ = path;
    update();
}

void Panel::renewed() {
    refresh();
    spotsAreCurrent_ = false;
    focusedSpot_ = -1;
    hoveredSpot_ = -1;
    if (away_)
        return;
    setObjectName(id());
    setAccessibleName(title());
    const QString reason = emptyReason();
    setAccessibleDescription(reason.isEmpty() ? spoken() : reason);
    update();
}

QString Panel::emptyReason() const {
    if (report_.gpus.empty())
        return tr("Tick a GPU to see its figures");
    const bool hasSpeed = std::ranges::any_of(report_.gpus, &GpuReport<double>::hasPerformance);
    return needsSpeed() && !hasSpeed ? tr("Some layers run on the host, whose speed is not known: memory only")
                                     : QString();
}

QString Panel::selectedGpu() const {
    const GpuReport<double> *gpu = selectedReport();
    return gpu ? QString::fromStdString(gpu->gpu) : QString();
}

const GpuReport<double> *Panel::selectedReport() const {
    const std::string id = selectedGpu_.toStdString();
    for (const GpuReport<double> &gpu : report_.gpus) {
        if (gpu.gpu == id)
            return &gpu;
    }
    return report_.gpus.empty() ? nullptr : &report_.gpus.front();
}

QRectF Panel::contentArea(const QSizeF &size) const {
    const double top = 10 + lineHeight(theme_.font(TextRole::Title)) + 8;
    const double foot = captionArea(size).height();
    return QRectF(padding, top, std::max(size.width() - 2 * padding, 1.0),
                  std::max(size.height() - top - 10 - foot, 1.0));
}

QRectF Panel::captionArea(const QSizeF &size) const {
    const double row = away_ && !caption_.isEmpty() ? lineHeight(theme_.font(TextRole::Secondary)) + 6 : 0;
    return QRectF(padding, size.height() - 8 - row, std::max(size.width() - 2 * padding, 1.0), row);
}

void Panel::render(QPainter &painter, const QRectF &area, const Theme &theme) const {
    const std::unique_ptr<Panel> copy = sibling();
    copy->away_ = true;
    copy->theme_ = theme;
    copy->selectedGpu_ = selectedGpu_;
    copy->report_ = report_;
    copy->caption_ = caption_;
    copy->options_ = options_;
    copy->options_.dragging = false;
    copy->refresh();
    const double fitted = std::min(area.width() / referenceSize.width(), area.height() / referenceSize.height());
    const double scale = std::max(fitted, 1.0);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    const QSizeF size = area.size() / scale;
    painter.fillRect(QRectF(QPointF(), size), theme.card);
    copy->paintAll(painter, size);
    painter.restore();
}

void Panel::paintAll(QPainter &painter, const QSizeF &size) {
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const QFont titleFont = theme_.font(TextRole::Title);
    const double row = lineHeight(titleFont);
    const QString heading = title();
    const double titleWidth = std::min(textWidth(titleFont, heading) + 1, size.width() - 2 * padding);
    const QRectF titleRow(padding, 10, size.width() - 2 * padding, row);
    drawText(painter, QRectF(titleRow.left(), titleRow.top(), titleWidth, row), Qt::AlignLeft | Qt::AlignVCenter,
             heading, titleFont, theme_.ink);
    const QRectF second(titleRow.left() + titleWidth + 16, titleRow.top(),
                        titleRow.width() - titleWidth - 16 - titleRowReserve(), row);
    const QFont secondFont = theme_.font(TextRole::Secondary);
    const QString wide = subtitle();
    const QString line = textWidth(secondFont, wide) <= second.width() ? wide : shortSubtitle();
    if (textWidth(secondFont, line) <= second.width())
        drawText(painter, second, Qt::AlignRight | Qt::AlignVCenter, line, secondFont, theme_.secondaryInk);
    const QRectF foot = captionArea(size);
    if (foot.height() > 0)
        drawText(painter, foot, Qt::AlignLeft | Qt::AlignBottom, caption_, secondFont, theme_.secondaryInk);
    spots_.clear();
    const QRectF content = contentArea(size);
    if (const QString reason = emptyReason(); !reason.isEmpty()) {
        drawText(painter, content, Qt::AlignHCenter | Qt::AlignVCenter, reason, theme_.font(TextRole::Body),
                 theme_.secondaryInk);
    } else {
        paintContent(painter, content, spots_);
    }
    spotsAreCurrent_ = true;
}

void Panel::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    drawCard(painter, rect(), theme_);
    paintAll(painter, size());
    painter.end();
    placeFrames();
}

void Panel::placeFrames() {
    std::size_t used = 0;
    for (std::size_t i = 0; i < spots_.size(); ++i) {
        const PanelSpot &spot = spots_[i];
        const bool picked = !pickedPath_.isEmpty() && spot.path == pickedPath_ && spot.gpuId == pickedGpu_;
        const bool focused = hasFocus() && int(i) == focusedSpot_;
        if (!picked && !focused)
            continue;
        if (used == frames_.size())
            frames_.push_back(new SpotFrame(this));
        SpotFrame &frame = *frames_[used++];
        frame.set(theme_.accent, focused ? 2.5 : 1.5);
        const QRect area = spot.area.toAlignedRect().adjusted(-3, -1, 3, 1);
        if (frame.geometry() != area)
            frame.setGeometry(area);
        if (frame.isHidden()) {
            frame.show();
            frame.raise();
        }
    }
    for (std::size_t i = used; i < frames_.size(); ++i)
        frames_[i]->hide();
}

const std::vector<PanelSpot> &Panel::spots() {
    if (!spotsAreCurrent_) {
        QImage scratch(1, 1, QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&scratch);
        paintAll(painter, size());
    }
    return spots_;
}

int Panel::spotAt(const QPointF &position) const {
    // The last drawn is on top; thin places get a little room around them.
    for (std::size_t i = spots_.size(); i-- > 0;) {
        if (spots_[i].area.contains(position))
            return int(i);
    }
    for (std::size_t i = spots_.size(); i-- > 0;) {
        const QRectF &area = spots_[i].area;
        if (std::min(area.width(), area.height()) < 6 && area.adjusted(-3, -3, 3, 3).contains(position))
            return int(i);
    }
    return -1;
}

void Panel::pick(int spot) {
    if (spot < 0 || spot >= int(spots_.size()))
        return;
    const PanelSpot picked = spots_[std::size_t(spot)];
    Q_EMIT quantityPicked(picked.gpuId, picked.path);
}

void Panel::tell(int spot) {
    const PanelSpot &told = spots_[std::size_t(spot)];
    const QPoint below = mapToGlobal(QPointF(told.area.center().x(), told.area.bottom()).toPoint());
    QToolTip::showText(below, told.text, this);
}

bool Panel::event(QEvent *event) {
    // Tool tips are shown as the pointer moves; the delayed ones would only repeat them.
    if (event->type() == QEvent::ToolTip)
        return true;
    return QWidget::event(event);
}

void Panel::mouseMoveEvent(QMouseEvent *event) {
    spots();
    const int spot = spotAt(event->position());
    if (spot == hoveredSpot_)
        return;
    hoveredSpot_ = spot;
    if (spot < 0) {
        unsetCursor();
        QToolTip::hideText();
        return;
    }
    setCursor(Qt::PointingHandCursor);
    QToolTip::showText(event->globalPosition().toPoint(), spots_[std::size_t(spot)].text, this);
}

void Panel::leaveEvent(QEvent *event) {
    hoveredSpot_ = -1;
    unsetCursor();
    QWidget::leaveEvent(event);
}

void Panel::resizeEvent(QResizeEvent *event) {
    spotsAreCurrent_ = false;
    QWidget::resizeEvent(event);
}

void Panel::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    spots();
    focusedSpot_ = -1;
    pick(spotAt(event->position()));
}

void Panel::keyPressEvent(QKeyEvent *event) {
    const int count = int(spots().size());
    if (event->matches(QKeySequence::Copy)) {
        copyTable();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        focusedSpot_ = std::min(focusedSpot_ + 1, count - 1);
        break;
    case Qt::Key_Left:
    case Qt::Key_Up:
        focusedSpot_ = std::max(focusedSpot_ - 1, std::min(0, count - 1));
        break;
    case Qt::Key_Home:
        focusedSpot_ = std::min(0, count - 1);
        break;
    case Qt::Key_End:
        focusedSpot_ = count - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return pick(focusedSpot_);
    default:
        return QWidget::keyPressEvent(event);
    }
    if (focusedSpot_ >= 0)
        tell(focusedSpot_);
    update();
}

void Panel::focusOutEvent(QFocusEvent *event) {
    update();
    QWidget::focusOutEvent(event);
}

void Panel::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu(this);
    menu.addAction(tr("Copy as &table"), this, &Panel::copyTable);
    menu.addAction(tr("Copy &picture"), this, [this] { copyPicture(); });
    menu.addActions(actions());
    menu.exec(event->globalPos());
}

void Panel::copyTable() const {
    const QString reason = emptyReason();
    QApplication::clipboard()->setText(reason.isEmpty() ? asTable() : reason);
}

void Panel::copyPicture() {
    QImage image(size() * 2, QImage::Format_ARGB32_Premultiplied);
    image.fill(theme_.card);
    QPainter painter(&image);
    render(painter, QRectF(image.rect()), theme_);
    painter.end();
    QApplication::clipboard()->setImage(image);
}

QSize Panel::minimumSizeHint() const {
    return {260, 120};
}

QSize Panel::sizeHint() const {
    return {560, 320};
}

} // namespace ridgepoint
