// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The worked sum: a big value, the formula in words and figures, and its parts as a tree that opens on demand.
#include "ui/panels/inspector/inspector_panel.h"

#include "ui/panels/drawing.h"
#include "ui/panels/inspector/step_delegate.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace ridgepoint {

namespace {

constexpr int padding = 16;
constexpr int stackedBelowWidth = 620;
constexpr int lowBelowHeight = 150; ///< where the parts take the title's row as well
enum Column { Part, Value, Sum, Source, columnCount };

QString text(const std::string &utf8) {
    return QString::fromStdString(utf8);
}

/// A number and its unit stay on one line.
QString heldTogether(QString formula) {
    for (qsizetype i = 1; i + 1 < formula.size(); ++i) {
        if (formula[i] == u' ' && formula[i - 1].isDigit() && formula[i + 1].isLetter() && formula[i + 1] != u'x')
            formula[i] = QChar::Nbsp;
    }
    return formula;
}

/// Long sums come with one term per line; on a card they flow. Rounding to whole bytes is left to the copied text.
QString oneLine(const std::string &utf8) {
    return heldTogether(withoutRounding(text(utf8).simplified()));
}

QString escaped(const std::string &utf8) {
    return oneLine(utf8).toHtmlEscaped();
}

/// Words and figures, or one of them where both say the same.
QString formulaOf(const ExplainedStep &step) {
    const QString words = oneLine(step.words);
    const QString figures = oneLine(step.figures);
    QString formula = words.isEmpty() ? QString() : QString(QStringLiteral("= ") % words);
    if (!figures.isEmpty() && figures != words)
        formula += (formula.isEmpty() ? QStringLiteral("= ") : QStringLiteral(" = ")) % figures;
    return formula;
}

/// `53.9 GB` and `53,907,324,928 bytes` of `53.9 GB (53,907,324,928 bytes)`.
std::pair<QString, QString> splitValue(const QString &value) {
    const qsizetype open = value.indexOf(QStringLiteral(" ("));
    if (open < 0 || !value.endsWith(QLatin1Char(')')))
        return {value, {}};
    return {value.left(open), value.mid(open + 2, value.size() - open - 3)};
}

/// Rows may be several lines high: the arrow stands at the first.
class PartsTree : public QTreeWidget {
public:
    using QTreeWidget::QTreeWidget;

protected:
    void drawBranches(QPainter *painter, const QRect &area, const QModelIndex &index) const override {
        const int row = int(lineHeight(font())) + 2;
        QTreeWidget::drawBranches(painter, QRect(area.topLeft(), QSize(area.width(), std::min(row, area.height()))),
                                  index);
    }
};

QString toolTipOf(const ExplainedStep &step, const NumberStyle &style) {
    QStringList lines{text(step.label) % QStringLiteral(": ") % text(valueText(step, style))};
    for (const std::string &formula : {step.words, step.figures}) {
        const QString line = QStringLiteral("= ") % oneLine(formula);
        if (!formula.empty() && line != lines.back())
            lines.append(line);
    }
    if (!step.source.empty())
        lines.append(text(step.source));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QString withoutRounding(const QString &formula) {
    const QString call = QStringLiteral("round(");
    QString text = formula;
    for (qsizetype at = text.indexOf(call); at >= 0; at = text.indexOf(call, at)) {
        if (at > 0 && text[at - 1].isLetterOrNumber()) {
            ++at;
            continue;
        }
        qsizetype end = at + call.size();
        for (int depth = 1; end < text.size() && depth > 0; ++end)
            depth += text[end] == u'(' ? 1 : text[end] == u')' ? -1 : 0;
        const bool isWhole = at == 0 && end == text.size();
        const QString inner = text.mid(at + call.size(), end - at - call.size() - 1);
        text.replace(at, end - at, isWhole || !inner.contains(u' ') ? inner : QString(u'(' + inner + u')'));
    }
    return text;
}

struct InspectorPanel::Parts {
    QLabel *value = nullptr; // all three are children of the panel
    QTextBrowser *sum = nullptr;
    QTreeWidget *tree = nullptr;
    StepDelegate *delegate = nullptr; // child of the tree
    bool opensByItself = true;        ///< until the user opens or closes a part
    bool isFilling = false;
    std::optional<Inspected> inspected;
    Theme theme = lightTheme();

    static const ExplainedStep *stepOf(const QTreeWidgetItem *item) {
        return static_cast<const ExplainedStep *>(item->data(Part, Qt::UserRole).value<const void *>());
    }

    QTreeWidgetItem *itemFor(const ExplainedStep &step) const {
        auto *item = new QTreeWidgetItem;
        item->setText(Part, text(step.label));
        item->setText(Value, splitValue(text(valueText(step, inspected->style))).first);
        item->setText(Sum, step.explainedAbove ? tr("explained above") : formulaOf(step));
        item->setText(Source, text(step.source).simplified());
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

    /// Rows of an item's children and of what is open below them.
    int heightBelow(const QTreeWidgetItem *item) const {
        int height = 0;
        for (int i = 0; i < item->childCount(); ++i) {
            const QTreeWidgetItem *child = item->child(i);
            height += delegate->rowHeight(tree->indexFromItem(child));
            if (child->isExpanded())
                height += heightBelow(child);
        }
        return height;
    }
    /// The first level, and of the second what has room.
    void openFirst() {
        isFilling = true;
        const QTreeWidgetItem *root = tree->invisibleRootItem();
        for (int i = 0; i < root->childCount(); ++i) {
            fill(root->child(i));
            root->child(i)->setExpanded(root->child(i)->childCount() > 0);
        }
        arrangeColumns();
        int height = heightBelow(root);
        for (int i = 0; i < root->childCount(); ++i) {
            for (int k = 0; k < root->child(i)->childCount(); ++k) {
                QTreeWidgetItem *item = root->child(i)->child(k);
                if (item->isExpanded() || stepOf(item)->parts.empty())
                    continue;
                fill(item);
                const int more = heightBelow(item);
                if (height + more > tree->height())
                    continue;
                item->setExpanded(true);
                height += more;
            }
        }
        isFilling = false;
        arrangeColumns();
    }
    void widest(const QTreeWidgetItem *item, int indent, double &partRoom, double &valueRoom) const {
        for (int i = 0; i < item->childCount(); ++i) {
            const QTreeWidgetItem *child = item->child(i);
            partRoom = std::max(partRoom, indent + textWidth(tree->font(), child->text(Part)));
            valueRoom = std::max(valueRoom, textWidth(tree->font(), child->text(Value)));
            if (child->isExpanded())
                widest(child, indent + tree->indentation(), partRoom, valueRoom);
        }
    }
    /// Names and values as wide as they are, the sum gets the rest.
    void arrangeColumns() const {
        double partRoom = 0;
        double valueRoom = 0;
        widest(tree->invisibleRootItem(), tree->indentation(), partRoom, valueRoom);
        constexpr int gap = 13;
        // Not the viewport's: that follows later, and a scroll bar must not make lines wrap anew.
        const int width = tree->width() - tree->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, tree) - 2;
        const int partWidth = std::min(int(std::ceil(partRoom)) + gap, int(width * 0.36));
        const int valueWidth = int(std::ceil(valueRoom)) + gap;
        const int sumWidth = std::max(width - partWidth - valueWidth, 40);
        if (tree->columnWidth(Part) == partWidth && tree->columnWidth(Value) == valueWidth &&
            tree->columnWidth(Sum) == sumWidth)
            return;
        tree->setColumnWidth(Part, partWidth);
        tree->setColumnWidth(Value, valueWidth);
        tree->setColumnWidth(Sum, sumWidth);
        tree->doItemsLayout(); // heights follow widths
    }
    void openedOrClosed() {
        if (isFilling)
            return;
        opensByItself = false;
        arrangeColumns();
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

    p.tree = new PartsTree(this);
    p.tree->setObjectName(QStringLiteral("inspector.parts"));
    p.tree->setAccessibleName(tr("Parts of the sum"));
    p.tree->setFrameShape(QFrame::NoFrame);
    p.tree->setColumnCount(columnCount);
    p.tree->setHeaderLabels({tr("Part"), tr("Value"), tr("Sum"), tr("Source")});
    p.tree->header()->setStretchLastSection(false);
    p.tree->header()->setMinimumSectionSize(1);
    p.tree->setColumnHidden(Source, true); // shown behind the sum
    p.tree->setIndentation(14);
    p.delegate = new StepDelegate(p.tree, Value, Sum, Source);
    p.tree->setItemDelegate(p.delegate);
    p.tree->header()->hide(); // the rows say what they are; the labels stay for screen readers
    p.tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    p.tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(p.tree, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem *item) {
        parts_->fill(item);
        parts_->openedOrClosed();
    });
    connect(p.tree, &QTreeWidget::itemCollapsed, this, [this] { parts_->openedOrClosed(); });

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
    if (!step.figures.empty() && escaped(step.figures) != escaped(step.words))
        html += QStringLiteral("<div>= ") % escaped(step.figures) % QStringLiteral("</div>");
    QStringList notes;
    if (!exact.isEmpty())
        notes.append(exact.toHtmlEscaped());
    if (!inspected.help.isEmpty())
        notes.append(inspected.help.toHtmlEscaped());
    if (!step.source.empty())
        notes.append(text(step.source).toHtmlEscaped());
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
    p.opensByItself = p.opensByItself || !same;
    if (same) {
        p.isFilling = true;
        p.reopen(p.tree->invisibleRootItem(), {}, open);
        p.isFilling = false;
    }
    p.value->show();
    p.sum->show();
    p.tree->setVisible(!step.parts.empty());
    setAccessibleDescription(inspected.label % QStringLiteral(": ") % text(valueText(step, inspected.style)) %
                             QStringLiteral(" = ") % text(step.words) % QStringLiteral(" = ") % text(step.figures));
    arrange();
    if (same)
        p.tree->verticalScrollBar()->setValue(scrolled);
    else
        p.openFirst();
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
    p.delegate->setColours(theme.ink, theme.secondaryInk);
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
        const int left = hasTree ? std::max(int(area.width() * 0.36), valueWidth + 200) : area.width();
        p.sum->setGeometry(sumLeft, area.top() + 4, std::max(area.left() + left - sumLeft, 1), area.height() - 4);
        const int treeLeft = area.left() + left + 16;
        const int treeTop = partsBesideTitle(treeLeft) ? 10 : area.top() - 2;
        p.tree->setGeometry(treeLeft, treeTop, std::max(area.right() + 1 - treeLeft, 1),
                            std::max(area.bottom() + 1 - treeTop, 1));
    }
    p.arrangeColumns();
}

QString InspectorPanel::heading() const {
    const Parts &p = *parts_;
    if (!p.inspected)
        return tr("Why?");
    return p.inspected->gpuName.isEmpty() ? tr("Why? %1").arg(p.inspected->label)
                                          : tr("Why? %1 on %2").arg(p.inspected->label, p.inspected->gpuName);
}

bool InspectorPanel::partsBesideTitle(int left) const {
    const double end = padding + textWidth(parts_->theme.font(TextRole::Title), heading()) + 12;
    return height() < lowBelowHeight && width() >= stackedBelowWidth && end < left;
}

void InspectorPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
    if (parts_->opensByItself && parts_->inspected)
        parts_->openFirst();
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
        drawText(painter, row, Qt::AlignLeft | Qt::AlignVCenter, heading(), titleFont, t.ink);
        drawText(painter, QRectF(rect()).adjusted(padding, row.bottom(), -padding, -10),
                 Qt::AlignHCenter | Qt::AlignVCenter, hint, t.font(TextRole::Body), t.secondaryInk);
        return;
    }
    const double headingWidth = textWidth(titleFont, heading()) + 1;
    const QFont secondary = t.font(TextRole::Secondary);
    const double hintWidth = textWidth(secondary, hint) + 1;
    const bool isBeside = !p.tree->isHidden() && p.tree->y() < row.bottom();
    const bool showsHint = !isBeside && headingWidth + hintWidth + 24 < row.width();
    drawText(painter, QRectF(row.left(), row.top(), std::min(headingWidth, row.width()), row.height()),
             Qt::AlignLeft | Qt::AlignVCenter, heading(), titleFont, t.ink);
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
