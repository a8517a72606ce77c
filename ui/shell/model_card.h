// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the model is, in a few lines under its controls.
#pragma once

#include "ui/store/model_words.h"
#include "ui/store/scenario_store.h"
#include "ui/store/view_settings.h"

#include <QLabel>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace ridgepoint {

class ModelCard : public QWidget {
    Q_OBJECT

public:
    ModelCard(ScenarioStore &store, const ViewSettings &settings, QWidget *parent = nullptr);

    const std::vector<ModelLine> &lines() const { return lines_; }

private:
    void follow();
    void show(std::vector<ModelLine> lines);

    ScenarioStore &store_;
    const ViewSettings &settings_;
    QVBoxLayout *column_ = nullptr;
    std::vector<ModelLine> lines_;
    std::vector<QLabel *> labels_;
    ModelChoice model_; ///< that the lines are of
    std::string cacheFormat_;
};

} // namespace ridgepoint
