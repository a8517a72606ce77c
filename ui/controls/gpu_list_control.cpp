// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The list of GPUs with a filter: ticks become edits; the current row, where ticked, is the one the verdict speaks of.
#include "ui/controls/gpu_list_control.h"

#include "core/scenario/checks.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace ridgepoint {

namespace {

enum Column { NameColumn, MemoryColumn, YearColumn, columnCount };
constexpr int idRole = Qt::UserRole;
constexpr int searchRole = Qt::UserRole + 1;
constexpr int visibleRows = 9;
constexpr int rowPadding = 7;

} // namespace

GpuListControl::GpuListControl(ScenarioStore &store, const ViewSettings &settings, const ControlField &field,
                               QWidget *parent)
    : FieldControl(store, settings, field, parent), filter_(new QLineEdit), list_(new QTreeWidget) {
    auto *content = new QWidget(this);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    filter_->setObjectName(field.id + QStringLiteral(".filter"));
    filter_->setPlaceholderText(tr("Filter GPUs: name, vendor, architecture, year"));
    filter_->setAccessibleName(tr("Filter GPUs"));
    filter_->setClearButtonEnabled(true);
    list_->setObjectName(field.id + QStringLiteral(".list"));
    list_->setColumnCount(columnCount);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(MemoryColumn, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(YearColumn, QHeaderView::ResizeToContents);
    list_->setFixedHeight(visibleRows * (fontMetrics().height() + rowPadding));
    list_->setToolTip(field.help);
    list_->installEventFilter(this);
    list_->viewport()->installEventFilter(this);
    nameForAccessibility(list_, {});
    column->addWidget(filter_);
    column->addWidget(list_);

    connect(filter_, &QLineEdit::textChanged, this, [this] {
        applyFilter();
        list_->scrollToTop();
    });
    connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem *item, int changed) {
        if (changed != NameColumn)
            return;
        const std::string id = item->data(NameColumn, idRole).toString().toStdString();
        std::vector<std::string> ids = chosenIds();
        std::erase(ids, id);
        if (item->checkState(NameColumn) == Qt::Checked)
            ids.push_back(id);
        // The rows are built anew by this edit, and the view is still in the middle of telling of the old one.
        QMetaObject::invokeMethod(
            this, [this, ids] { send(ids, store_.newGesture()); }, Qt::QueuedConnection);
    });
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item != nullptr && item->checkState(NameColumn) == Qt::Checked)
            store_.selectGpu(item->data(NameColumn, idRole).toString());
    });
    connect(&store_, &ScenarioStore::selectedGpuChanged, this, &GpuListControl::showSelection);
    connect(&store_, &ScenarioStore::reportChanged, this, &GpuListControl::showSelection);
    begin(content);
}

std::vector<std::string> GpuListControl::chosenIds() const {
    return std::get<std::vector<std::string>>(field_.get(store_.scenario()));
}

void GpuListControl::addRow(const std::string &id, bool isTicked) {
    GpuChoice choice;
    choice.id = choice.base = id;
    const auto &chosen = store_.scenario().hardware.gpus;
    const auto known = std::ranges::find(chosen, id, &GpuChoice::id);
    const auto gpu = resolveGpu(known != chosen.end() ? *known : choice, store_.catalog());
    auto *item = new QTreeWidgetItem(list_);
    item->setData(NameColumn, idRole, QString::fromStdString(id));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren);
    item->setSizeHint(NameColumn, QSize(0, fontMetrics().height() + rowPadding));
    item->setCheckState(NameColumn, isTicked ? Qt::Checked : Qt::Unchecked);
    item->setText(NameColumn, QString::fromStdString(gpu ? gpu->name : id));
    if (!gpu)
        return;
    item->setText(MemoryColumn,
                  QString::fromStdString(formatQuantity(gpu->memoryBytes.value, Unit::Bytes, settings_.numbers())));
    item->setText(YearColumn, gpu->launchYear > 0 ? QString::number(gpu->launchYear) : QString());
    for (const int aligned : {MemoryColumn, YearColumn}) {
        item->setTextAlignment(aligned, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(aligned, palette().brush(QPalette::PlaceholderText));
    }
    item->setToolTip(NameColumn, QString::fromStdString(gpu->name + ", " + gpu->architecture));
    const QString words = QString::fromStdString(gpu->name + ' ' + gpu->vendor + ' ' + gpu->architecture + ' ' + id) +
                          u' ' + item->text(MemoryColumn) + u' ' + item->text(YearColumn);
    item->setData(NameColumn, searchRole, words);
}

void GpuListControl::showValue() {
    const std::vector<std::string> ids = chosenIds();
    QString key = QString::number(static_cast<int>(settings_.numbers().bytes)) +
                  palette().color(QPalette::PlaceholderText).name();
    for (const std::string &id : ids)
        key += u' ' + QString::fromStdString(id);
    // A refused tick leaves the same list but a changed row.
    const bool ticksAgree = std::ranges::all_of(ids, [this](const std::string &id) {
        const QTreeWidgetItem *item = itemOf(QString::fromStdString(id));
        return item != nullptr && item->checkState(NameColumn) == Qt::Checked;
    });
    if (key == shownFor_ && ticksAgree)
        return;
    shownFor_ = key;
    const QSignalBlocker blocker(list_);
    const QString current =
        list_->currentItem() != nullptr ? list_->currentItem()->data(NameColumn, idRole).toString() : QString();
    list_->clear();
    for (const std::string &id : ids)
        addRow(id, true);
    for (const Gpu &gpu : store_.catalog().gpus) {
        if (std::ranges::find(ids, gpu.id) == ids.end())
            addRow(gpu.id, false);
    }
    if (QTreeWidgetItem *item = itemOf(current))
        list_->setCurrentItem(item);
    applyFilter();
    showSelection();
}

QTreeWidgetItem *GpuListControl::itemOf(const QString &id) const {
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        if (list_->topLevelItem(i)->data(NameColumn, idRole).toString() == id)
            return list_->topLevelItem(i);
    }
    return nullptr;
}

void GpuListControl::applyFilter() {
    const QStringList words = filter_->text().split(u' ', Qt::SkipEmptyParts);
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem *item = list_->topLevelItem(i);
        const QString text = item->data(NameColumn, searchRole).toString();
        const bool matches =
            std::ranges::all_of(words, [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
        item->setHidden(!matches && item->checkState(NameColumn) != Qt::Checked);
    }
}

/// At the list's end the column goes on scrolling.
bool GpuListControl::passWheelOn(QWheelEvent &event) {
    const QScrollBar &bar = *list_->verticalScrollBar();
    const int up = event.angleDelta().y();
    if (up == 0 || (up > 0 ? bar.value() > bar.minimum() : bar.value() < bar.maximum()))
        return false;
    for (QWidget *widget = parentWidget(); widget != nullptr; widget = widget->parentWidget()) {
        if (auto *column = qobject_cast<QAbstractScrollArea *>(widget)) {
            QCoreApplication::sendEvent(column->verticalScrollBar(), &event);
            return true;
        }
    }
    return false;
}

void GpuListControl::showSelection() {
    const auto &gpus = store_.report().gpus;
    const QString selected = gpus.empty() ? QString() : QString::fromStdString(gpus[store_.selectedGpu()].gpu);
    const QSignalBlocker blocker(list_);
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem *item = list_->topLevelItem(i);
        const bool isSelected = item->data(NameColumn, idRole).toString() == selected;
        if (item->font(NameColumn).bold() == isSelected)
            continue;
        QFont font = list_->font();
        font.setBold(isSelected);
        item->setFont(NameColumn, font);
    }
}

void GpuListControl::moveCurrent(int by) {
    const QTreeWidgetItem *item = list_->currentItem();
    if (item == nullptr)
        return;
    std::vector<std::string> ids = chosenIds();
    const auto at = std::ranges::find(ids, item->data(NameColumn, idRole).toString().toStdString());
    const auto from = at - ids.begin();
    const auto to = from + by;
    if (at == ids.end() || to < 0 || to >= static_cast<std::ptrdiff_t>(ids.size()))
        return;
    std::swap(ids[static_cast<std::size_t>(from)], ids[static_cast<std::size_t>(to)]);
    send(ids, store_.newGesture());
}

bool GpuListControl::eventFilter(QObject *watched, QEvent *event) {
    if (watched == list_->viewport() && event->type() == QEvent::Wheel)
        return passWheelOn(*static_cast<QWheelEvent *>(event));
    if (watched == list_ && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isArrow = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down;
        if (isArrow && key->modifiers().testFlag(Qt::AltModifier)) {
            moveCurrent(key->key() == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return FieldControl::eventFilter(watched, event);
}

} // namespace ridgepoint
