// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts parameters by folding the operation list of the unsplit, unpadded model.
#include "core/model/parameters.h"

#include <cmath>

namespace ridgepoint {

namespace {

OperationList<double> wholeModel(const TransformerShape &shape) {
    Workload<double> workload{.sequences = 1, .queryTokens = 1, .contextTokens = 1, .training = false};
    Execution<double> execution{};
    execution.activationBytes = 2;
    execution.cacheBytes = 2;
    execution.headSharesEmbedding = shape.tiedEmbeddings;
    return describe(shape, workload, execution);
}

/// Share of the routed experts' weights that one token does not use.
double idleShare(const TransformerShape &shape) {
    return shape.experts ? 1 - static_cast<double>(shape.experts->active) / shape.experts->count : 0;
}

ParameterCount countShape(const TransformerShape &shape) {
    ParameterCount count;
    const StagePlan whole = planStages(shape, Parallelism{}).front();
    for (const Operation<double> &op : wholeModel(shape).operations) {
        const double repeats = whole.executions(op.repeat);
        count.vectors += op.vectorWeights * repeats;
        if (op.weightClass == WeightClass::Expert) {
            count.idle += (op.matrixWeights + op.vectorWeights) * repeats * idleShare(shape);
        }
        if (op.sharedWeights) {
            continue;
        }
        double &bucket = op.weightClass == WeightClass::Embedding ? count.embedding
                         : op.weightClass == WeightClass::Head    ? count.head
                                                                  : count.linear;
        bucket += op.matrixWeights * repeats;
    }
    count.total = count.embedding + count.head + count.linear + count.vectors;
    return count;
}

} // namespace

double weightScale(const TransformerShape &shape) {
    return shape.exactParameters ? *shape.exactParameters / countShape(shape).total : 1;
}

ParameterCount countParameters(const TransformerShape &shape) {
    ParameterCount count = countShape(shape);
    if (shape.exactParameters) {
        const double scale = *shape.exactParameters / count.total;
        count.embedding *= scale;
        count.head *= scale;
        count.linear *= scale;
        count.vectors *= scale;
        count.idle *= scale;
        count.total = *shape.exactParameters;
    }
    count.active = std::round(count.total - shape.towerParameters - count.idle);
    return count;
}

double matmulParameters(const TransformerShape &shape) {
    double weights = 0;
    const StagePlan whole = planStages(shape, Parallelism{}).front();
    for (const Operation<double> &op : wholeModel(shape).operations) {
        if (op.kind == OperationKind::MatMul) {
            const double used = op.weightClass == WeightClass::Expert ? 1 - idleShare(shape) : 1;
            weights += op.matrixWeights * whole.executions(op.repeat) * used;
        }
    }
    return weights * weightScale(shape);
}

} // namespace ridgepoint
