// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lines about the model, renewed only when the model changed.
#include "ui/shell/model_card.h"

#include <QVBoxLayout>

namespace ridgepoint {

ModelCard::ModelCard(ScenarioStore &store, const ViewSettings &settings, QWidget *parent)
    : QWidget(parent), store_(store), settings_(settings), column_(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("model.card"));
    setAccessibleName(tr("The model"));
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(1);
    connect(&store_, &ScenarioStore::scenarioChanged, this, [this] {
        // Most steps of most sliders leave the model alone.
        const Scenario &scenario = store_.scenario();
        if (scenario.inference.kvCache != cacheFormat_ || scenario.model != model_)
            follow();
    });
    connect(&settings_, &ViewSettings::numbersChanged, this, &ModelCard::follow);
    follow();
}

void ModelCard::follow() {
    model_ = store_.scenario().model;
    cacheFormat_ = store_.scenario().inference.kvCache;
    show(modelLines(store_.scenario(), store_.catalog(), settings_.numbers()));
}

void ModelCard::show(std::vector<ModelLine> lines) {
    if (lines == lines_)
        return;
    lines_ = std::move(lines);
    while (labels_.size() > lines_.size()) {
        delete labels_.back();
        labels_.pop_back();
    }
    while (labels_.size() < lines_.size()) {
        auto *label = new QLabel(this);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column_->addWidget(label);
        labels_.push_back(label);
    }
    QStringList spoken;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        QLabel &label = *labels_[i];
        const ModelLine &line = lines_[i];
        label.setObjectName(QStringLiteral("model.card.") + line.id);
        label.setText(line.text);
        label.setToolTip(line.tip);
        label.setAccessibleDescription(line.tip);
        label.setForegroundRole(line.isBadge ? QPalette::Link : QPalette::PlaceholderText);
        spoken.append(line.text);
    }
    setAccessibleDescription(spoken.join(QStringLiteral(". ")));
}

} // namespace ridgepoint
