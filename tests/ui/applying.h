// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios in which a row of the field table applies, so that every row is tested where it is shown.
#pragma once

#include "core/scenario/scenario.h"

#include "ui/store/field.h"

namespace ridgepoint::demo {

/// `scenario` with whatever the field waits for.
inline Scenario applying(const ControlField &field, Scenario scenario) {
    if (field.appliesTo(scenario))
        return scenario;
    const QString &id = field.id;
    if (id.startsWith(QStringLiteral("inference.")))
        scenario.task = Task::Inference;
    if (id == QStringLiteral("inference.gpu_layers")) {
        scenario.inference.engine = "llama.cpp";
        scenario.parallelism.tensor = scenario.parallelism.pipeline = 1;
    }
    if (id.startsWith(QStringLiteral("training.lora")))
        scenario.training.lora.emplace();
    if (id.startsWith(QStringLiteral("training.recipe.")))
        scenario.training.recipeBytes.emplace();
    if (id == QStringLiteral("training.recompute.full_layers"))
        scenario.training.recompute = Recompute::FullLayers;
    if (id == QStringLiteral("training.loss_chunk_tokens"))
        scenario.training.loss = LossKernel::Chunked;
    if (id.startsWith(QStringLiteral("parallelism.expert"))) {
        scenario.model = {ModelChoice::Source::Config, "mixture.json", scenario.model.shape, {}};
        scenario.model.shape.experts.emplace();
        scenario.parallelism.data = 8;
    }
    if (id == QStringLiteral("parallelism.sequence_parallel"))
        scenario.parallelism.tensor = 2;
    const bool isInterleaving = id == QStringLiteral("parallelism.virtual_stages");
    if (isInterleaving || id == QStringLiteral("parallelism.schedule"))
        scenario.parallelism.pipeline = 4;
    if (isInterleaving) {
        scenario.parallelism.schedule = Schedule::Interleaved;
        scenario.parallelism.virtualStages = 2;
    }
    return scenario;
}

} // namespace ridgepoint::demo
