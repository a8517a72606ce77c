// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The style of all widgets: Highlight is the accent, Mid the line, AlternateBase the ground of fields.
#include "ui/controls/calm_style.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr double cornerRadius = 4;

void field(QPainter &painter, const QRect &area, const QStyleOption &option, bool isFocused) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(option.palette.color(isFocused ? QPalette::Highlight : QPalette::Mid), isFocused ? 1.5 : 1.0));
    painter.setBrush(option.palette.color(QPalette::AlternateBase));
    painter.drawRoundedRect(QRectF(area).adjusted(0.75, 0.75, -0.75, -0.75), cornerRadius, cornerRadius);
    painter.restore();
}

void tickBox(QPainter &painter, const QStyleOption &option) {
    const bool isOn = option.state.testFlag(QStyle::State_On);
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    const QColor accent = option.palette.color(isEnabled ? QPalette::Highlight : QPalette::Mid);
    const double side = std::min(option.rect.width(), option.rect.height()) - 2.0;
    const QRectF box(option.rect.center().x() - side / 2 + 0.5, option.rect.center().y() - side / 2 + 0.5, side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isOn ? accent : option.palette.color(QPalette::PlaceholderText), 1.2));
    painter.setBrush(isOn ? accent : option.palette.color(QPalette::Base));
    painter.drawRoundedRect(box, 3, 3);
    if (isOn) {
        QPainterPath tick;
        tick.moveTo(box.left() + side * 0.24, box.top() + side * 0.52);
        tick.lineTo(box.left() + side * 0.43, box.top() + side * 0.70);
        tick.lineTo(box.left() + side * 0.77, box.top() + side * 0.30);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(option.palette.color(QPalette::HighlightedText), side / 7.5, Qt::SolidLine, Qt::RoundCap,
                            Qt::RoundJoin));
        painter.drawPath(tick);
    }
    painter.restore();
}

void chevron(QPainter &painter, const QPointF &centre, double size, const QColor &ink) {
    QPainterPath path;
    path.moveTo(centre.x() - size, centre.y() - size / 2);
    path.lineTo(centre.x(), centre.y() + size / 2);
    path.lineTo(centre.x() + size, centre.y() - size / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.restore();
}

void flatButton(QPainter &painter, const QStyleOption &option) {
    const bool isOn = option.state & (QStyle::State_On | QStyle::State_Sunken);
    const bool isUnderMouse =
        option.state.testFlag(QStyle::State_MouseOver) && option.state.testFlag(QStyle::State_Enabled);
    if (!isOn && !isUnderMouse)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(option.palette.color(isOn ? QPalette::Mid : QPalette::Midlight));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), cornerRadius, cornerRadius);
    painter.restore();
}

} // namespace

CalmStyle::CalmStyle() : QProxyStyle(QStringLiteral("fusion")) {}

void CalmStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const {
    switch (element) {
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame != nullptr && frame->lineWidth > 0)
            field(*painter, option->rect, *option, option->state.testFlag(State_HasFocus));
        return;
    case PE_FrameLineEdit:
    case PE_PanelStatusBar:
    case PE_FrameStatusBarItem:
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        tickBox(*painter, *option);
        return;
    case PE_PanelButtonTool:
        flatButton(*painter, *option);
        return;
    case PE_FrameFocusRect: {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(option->palette.color(QPalette::Highlight), 1.5));
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.75, 0.75, -0.75, -0.75), cornerRadius, cornerRadius);
        painter->restore();
        return;
    }
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void CalmStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                            const QWidget *widget) const {
    switch (element) {
    case CE_Splitter:
        return;
    case CE_ToolBar:
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, option->palette.color(QPalette::Base));
        return;
    case CE_MenuBarItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            painter->fillRect(item->rect, item->palette.color(QPalette::Base));
            const bool isOn = item->state.testFlag(State_Selected) || item->state.testFlag(State_Sunken);
            if (isOn)
                painter->fillRect(item->rect, item->palette.color(QPalette::Midlight));
            const int flags =
                Qt::AlignCenter | Qt::TextSingleLine |
                (styleHint(SH_UnderlineShortcut, option, widget) != 0 ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
            drawItemText(painter, item->rect, flags, item->palette, item->state.testFlag(State_Enabled), item->text,
                         QPalette::Text);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void CalmStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                   const QWidget *widget) const {
    if (control == CC_ComboBox) {
        field(*painter, option->rect, *option, option->state.testFlag(State_HasFocus));
        const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
        chevron(*painter, QRectF(arrow).center(), std::max(3.0, option->fontMetrics.height() / 5.0),
                option->palette.color(QPalette::PlaceholderText));
        return;
    }
    if (control == CC_ScrollBar) {
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (bar == nullptr || bar->minimum >= bar->maximum)
            return;
        QRectF handle = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
        handle.adjust(2, 2, -2, -2);
        const double round = std::min(handle.width(), handle.height()) / 2;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        const bool isHeld = bar->activeSubControls.testFlag(SC_ScrollBarSlider);
        painter->setBrush(bar->palette.color(isHeld ? QPalette::PlaceholderText : QPalette::Mid));
        painter->drawRoundedRect(handle, round, round);
        painter->restore();
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

int CalmStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return 10;
    case PM_SplitterWidth:
        return 8;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
        return widget != nullptr ? std::max(14, widget->fontMetrics().height()) : 16;
    case PM_ToolBarItemSpacing:
        return 4;
    case PM_ToolBarFrameWidth:
    case PM_DefaultFrameWidth:
        return widget != nullptr && widget->inherits("QToolBar") ? 0 : QProxyStyle::pixelMetric(metric, option, widget);
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QRect CalmStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                                const QWidget *widget) const {
    if (control == CC_ScrollBar) {
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        const bool isArrow = part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine;
        if (isArrow)
            return {};
        if (bar != nullptr && (part == SC_ScrollBarSlider || part == SC_ScrollBarGroove)) {
            const bool isFlat = bar->orientation == Qt::Horizontal;
            const int room = isFlat ? bar->rect.width() : bar->rect.height();
            if (part == SC_ScrollBarGroove)
                return bar->rect;
            const int range = bar->maximum - bar->minimum;
            const int length =
                std::max(24, static_cast<int>(qint64{room} * bar->pageStep / std::max(1, range + bar->pageStep)));
            const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, room - length,
                                                      bar->upsideDown);
            return isFlat ? QRect(bar->rect.x() + start, bar->rect.y(), length, bar->rect.height())
                          : QRect(bar->rect.x(), bar->rect.y() + start, bar->rect.width(), length);
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

} // namespace ridgepoint
