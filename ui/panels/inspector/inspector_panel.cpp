// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The worked sum: a big value, the formula in words and figures, and its parts as a tree that opens on demand.
#include "ui/panels/inspector/inspector_panel.h"

#include "ui/panels/drawing.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTreeWidget>

#include <algorithm>
#include <optional>
#include <set>

namespace ridgepoint {

namespace {

constexpr int padding = 16;
constexpr int stackedBelowWidth = 620;
enum Column { Part, Value, Sum, Source, columnCount };

QString text(const std::string &utf8) {
    return QString::fromStdString(utf8);
}

QString oneLine(const std::string &utf8) {
    return text(utf8).simplified();
}

QString escaped(const std::string &utf8) {
    return text(utf8).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
}

/// `53.9 GB` and `53,907,324,928 bytes` of `53.9 GB (53,907,324,928 bytes)`.
std::pair<QString, QString> splitValue(const QString &value) {
    const qsizetype open = value.indexOf(QStringLiteral(" ("));
    if (open < 0 || !value.endsWith(QLatin1Char(')')))
        return {value, {}};
    return {value.left(open), value.mid(open + 2, value.size() - open - 3)};
}

QString toolTipOf(const ExplainedStep &step, const NumberStyle &style) {
    QStringList lines{text(step.label) % QStringLiteral(": ") % text(valueText(step, style))};
    if (!step.words.empty())
        lines.append(QStringLiteral("= ") % text(step.words));
    if (!step.figures.empty() && step.figures != step.words)
        lines.append(QStringLiteral("= ") % text(step.figures));
    if (!step.source.empty())
        lines.append(text(step.source));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

struct InspectorPanel::Parts {
    QLabel *value = nullptr; // all three are children of the panel
    QTextBrowser *sum = nullptr;
    QTreeWidget *tree = nullptr;
    std::optional<Inspected> inspected;
    Theme theme = lightTheme();

    static const ExplainedStep *stepOf(const QTreeWidgetItem *item) {
        return static_cast<const ExplainedStep *>(item->data(Part, Qt::UserRole).value<const void *>());
    }

    QTreeWidgetItem *itemFor(const ExplainedStep &step) const {
        auto *item = new QTreeWidgetItem;
        item->setText(Part, text(step.label));
        item->setText(Value, splitValue(text(valueText(step, inspected->style))).first);
        QString sumText = step.words.empty() ? QString() : QString(QStringLiteral("= ") % oneLine(step.words));
        if (step.explainedAbove)
            sumText = tr("explained above");
        else if (!step.figures.empty() && step.figures != step.words)
            sumText += QStringLiteral(" = ") % oneLine(step.figures);
        item->setText(Sum, sumText);
        item->setText(Source, oneLine(step.source));
        item->setTextAlignment(Value, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(Sum, theme.ink);
        item->setForeground(Source, theme.secondaryInk);
        const QString tip = toolTipOf(step, inspected->style);
        for (int column = 0; column < columnCount; ++column)
            item->setToolTip(column, tip);
        item->setData(Part, Qt::UserRole, QVariant::fromValue(static_cast<const void *>(&step)));
        item->setChildIndicatorPolicy(step.parts.empty() ? QTreeWidgetItem::DontShowIndicator
                                                         : QTreeWidgetItem::ShowIndicator);
        return item;
    }

    void fill(QTreeWidgetItem *item) const {
        if (item->childCount() > 0)
            return;
        for (const ExplainedStep &part : stepOf(item)->parts)
            item->addChild(itemFor(part));
    }

    using Open = std::set<QStringList>;
    static void collectOpen(const QTreeWidgetItem *item, const QStringList &above, Open &open) {
        for (int i = 0; i < item->childCount(); ++i) {
            const QTreeWidgetItem *child = item->child(i);
            const QStringList path = above + QStringList(child->text(Part));
            if (!child->isExpanded())
                continue;
            open.insert(path);
            collectOpen(child, path, open);
        }
    }
    void reopen(QTreeWidgetItem *item, const QStringList &above, const Open &open) const {
        for (int i = 0; i < item->childCount(); ++i) {
            QTreeWidgetItem *child = item->child(i);
            const QStringList path = above + QStringList(child->text(Part));
            if (!open.contains(path))
                continue;
            fill(child);
            child->setExpanded(true);
            reopen(child, path, open);
        }
    }

    static QString tr(const char *words) { return InspectorPanel::tr(words); }
};

InspectorPanel::InspectorPanel(QWidget *parent) : QWidget(parent), parts_(std::make_unique<Parts>()) {
    Parts &p = *parts_;
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Why? The worked sum of a number"));
    setAttribute(Qt::WA_OpaquePaintEvent);

    p.value = new QLabel(this);
    p.value->setObjectName(QStringLiteral("inspector.value"));
    p.value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    p.value->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    p.sum = new QTextBrowser(this);
    p.sum->setObjectName(QStringLiteral("inspector.sum"));
    p.sum->setAccessibleName(tr("Worked sum"));
    p.sum->setFrameShape(QFrame::NoFrame);
    p.sum->setOpenLinks(false);
    p.sum->document()->setDocumentMargin(0);
    p.sum->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    p.tree = new QTreeWidget(this);
    p.tree->setObjectName(QStringLiteral("inspector.parts"));
    p.tree->setAccessibleName(tr("Parts of the sum"));
    p.tree->setFrameShape(QFrame::NoFrame);
    p.tree->setColumnCount(columnCount);
    p.tree->setHeaderLabels({tr("Part"), tr("Value"), tr("Sum"), tr("Source")});
    p.tree->headerItem()->setTextAlignment(Value, Qt::AlignRight | Qt::AlignVCenter);
    p.tree->header()->setStretchLastSection(true);
    p.tree->header()->hide(); // the rows say what they are; the labels stay for screen readers
    p.tree->setUniformRowHeights(true);
    p.tree->setTextElideMode(Qt::ElideRight);
    p.tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    p.tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(p.tree, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem *item) { parts_->fill(item); });

    auto *copy = new QAction(tr("Copy worked &sum"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(asText()); });
    for (QWidget *widget : {static_cast<QWidget *>(this), static_cast<QWidget *>(p.tree)}) {
        widget->addAction(copy);
        widget->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
    setTheme(p.theme);
    clear();
}

InspectorPanel::~InspectorPanel() = default;

void InspectorPanel::show(const Inspected &inspected) {
    Parts &p = *parts_;
    const bool same = p.inspected && p.inspected->label == inspected.label && p.inspected->gpuName == inspected.gpuName;
    Parts::Open open;
    const int scrolled = p.tree->verticalScrollBar()->value();
    if (same)
        Parts::collectOpen(p.tree->invisibleRootItem(), {}, open);
    p.tree->clear(); // before the steps that its items point to go
    p.inspected = inspected;
    const ExplainedStep &step = p.inspected->step;
    const auto [value, exact] = splitValue(text(valueText(step, inspected.style)));
    p.value->setText(value);
    p.value->setToolTip(exact);

    const QString secondary = p.theme.secondaryInk.name();
    QString html;
    if (!step.words.empty())
        html += QStringLiteral("<div>= ") % escaped(step.words) % QStringLiteral("</div>");
    if (!step.figures.empty() && step.figures != step.words)
        html += QStringLiteral("<div>= ") % escaped(step.figures) % QStringLiteral("</div>");
    QStringList notes;
    if (!exact.isEmpty())
        notes.append(exact.toHtmlEscaped());
    if (!inspected.help.isEmpty())
        notes.append(inspected.help.toHtmlEscaped());
    if (!step.source.empty())
        notes.append(escaped(step.source));
    if (!notes.isEmpty())
        html += QStringLiteral("<div style=\"color:%1;font-size:%2px;margin-top:4px\">%3</div>")
                    .arg(secondary)
                    .arg(p.theme.font(TextRole::Secondary).pixelSize())
                    .arg(notes.join(QStringLiteral(" &middot; ")));
    p.sum->setHtml(html);

    QList<QTreeWidgetItem *> items;
    for (const ExplainedStep &part : step.parts)
        items.append(p.itemFor(part));
    p.tree->addTopLevelItems(items);
    if (same) {
        p.reopen(p.tree->invisibleRootItem(), {}, open);
        p.tree->verticalScrollBar()->setValue(scrolled);
    }
    p.value->show();
    p.sum->show();
    p.tree->setVisible(!step.parts.empty());
    setAccessibleDescription(inspected.label % QStringLiteral(": ") % text(valueText(step, inspected.style)) %
                             QStringLiteral(" = ") % text(step.words) % QStringLiteral(" = ") % text(step.figures));
    arrange();
    update();
}

void InspectorPanel::clear() {
    Parts &p = *parts_;
    p.tree->clear();
    p.inspected.reset();
    for (QWidget *widget :
         {static_cast<QWidget *>(p.value), static_cast<QWidget *>(p.sum), static_cast<QWidget *>(p.tree)})
        widget->hide();
    setAccessibleDescription(tr("Nothing is picked. Click any bar, point or number."));
    update();
}

void InspectorPanel::setTheme(const Theme &theme) {
    Parts &p = *parts_;
    p.theme = theme;
    QPalette palette = paletteFor(theme);
    palette.setColor(QPalette::Window, theme.card);
    for (QWidget *widget :
         {static_cast<QWidget *>(p.value), static_cast<QWidget *>(p.sum), static_cast<QWidget *>(p.tree)})
        widget->setPalette(palette);
    p.value->setFont(theme.font(TextRole::Figure));
    p.sum->setFont(theme.font(TextRole::Body));
    p.tree->setFont(theme.font(TextRole::Secondary));
    p.tree->header()->setFont(theme.font(TextRole::Secondary));
    if (p.inspected)
        show(Inspected(*p.inspected));
    update();
}

QString InspectorPanel::asText() const {
    if (!parts_->inspected)
        return {};
    return text(renderText(parts_->inspected->step, parts_->inspected->style));
}

void InspectorPanel::arrange() {
    Parts &p = *parts_;
    const int top = 10 + int(lineHeight(p.theme.font(TextRole::Title))) + 6;
    const QRect area(padding, top, std::max(width() - padding - 8, 1), std::max(height() - top - 8, 1));
    const int valueWidth = std::min(int(textWidth(p.value->font(), p.value->text())) + 4, area.width());
    const int valueHeight = int(lineHeight(p.value->font()));
    // isHidden, not isVisible: a panel is arranged before it is shown.
    const bool hasTree = !p.tree->isHidden();
    if (area.width() < stackedBelowWidth) {
        p.value->setGeometry(area.left(), area.top(), valueWidth, valueHeight);
        const int rest = area.height() - valueHeight - 2;
        const int sumHeight = hasTree ? std::min(rest / 2, int(p.sum->document()->size().height()) + 4) : rest;
        p.sum->setGeometry(area.left(), area.top() + valueHeight + 2, area.width(), std::max(sumHeight, 1));
        p.tree->setGeometry(area.left(), p.sum->geometry().bottom() + 6, area.width(),
                            std::max(rest - sumHeight - 6, 1));
    } else {
        p.value->setGeometry(area.left(), area.top(), valueWidth, valueHeight);
        const int sumLeft = area.left() + valueWidth + 18;
        const int left = hasTree ? std::max(int(area.width() * 0.42), valueWidth + 200) : area.width();
        p.sum->setGeometry(sumLeft, area.top() + 4, std::max(area.left() + left - sumLeft, 1), area.height() - 4);
        p.tree->setGeometry(area.left() + left + 16, area.top() - 2, std::max(area.width() - left - 16, 1),
                            area.height() + 2);
    }
    const int treeWidth = p.tree->width();
    p.tree->setColumnWidth(Part, int(treeWidth * 0.3));
    p.tree->setColumnWidth(Value, int(treeWidth * 0.15));
    p.tree->setColumnWidth(Sum, int(treeWidth * 0.32));
}

void InspectorPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
}

void InspectorPanel::paintEvent(QPaintEvent *) {
    const Parts &p = *parts_;
    const Theme &t = p.theme;
    QPainter painter(this);
    drawCard(painter, rect(), t);
    const QFont titleFont = t.font(TextRole::Title);
    const QString hint = tr("Click any bar, point or number");
    const QRectF row(padding, 10, width() - 2 * padding, lineHeight(titleFont));
    if (!p.inspected) {
        drawText(painter, row, Qt::AlignLeft | Qt::AlignVCenter, tr("Why?"), titleFont, t.ink);
        drawText(painter, QRectF(rect()).adjusted(padding, row.bottom(), -padding, -10),
                 Qt::AlignHCenter | Qt::AlignVCenter, hint, t.font(TextRole::Body), t.secondaryInk);
        return;
    }
    const QString heading = p.inspected->gpuName.isEmpty()
                                ? tr("Why? %1").arg(p.inspected->label)
                                : tr("Why? %1 on %2").arg(p.inspected->label, p.inspected->gpuName);
    const double headingWidth = textWidth(titleFont, heading) + 1;
    const QFont secondary = t.font(TextRole::Secondary);
    const double hintWidth = textWidth(secondary, hint) + 1;
    const bool showsHint = headingWidth + hintWidth + 24 < row.width();
    drawText(painter, QRectF(row.left(), row.top(), std::min(headingWidth, row.width()), row.height()),
             Qt::AlignLeft | Qt::AlignVCenter, heading, titleFont, t.ink);
    if (showsHint)
        drawText(painter, row, Qt::AlignRight | Qt::AlignVCenter, hint, secondary, t.secondaryInk);
}

QSize InspectorPanel::minimumSizeHint() const {
    return {320, 96};
}

QSize InspectorPanel::sizeHint() const {
    return {900, 150};
}

} // namespace ridgepoint
