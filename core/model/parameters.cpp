// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts parameters by folding the operation list of the unsplit, unpadded model.
#include "core/model/parameters.h"

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

double times(const TransformerShape &shape, Repeat repeat) {
    switch (repeat) {
    case Repeat::FirstStage:
    case Repeat::LastStage:
        return 1;
    default:
        return planStages(shape, Parallelism{}).front().executions(repeat);
    }
}

ParameterCount countShape(const TransformerShape &shape) {
    ParameterCount count;
    for (const Operation<double> &op : wholeModel(shape).operations) {
        const double repeats = times(shape, op.repeat);
        count.vectors += op.vectorWeights * repeats;
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
        count.total = *shape.exactParameters;
    }
    count.active = count.total - shape.towerParameters;
    return count;
}

double matmulParameters(const TransformerShape &shape) {
    double weights = 0;
    for (const Operation<double> &op : wholeModel(shape).operations) {
        if (op.kind == OperationKind::MatMul) {
            weights += op.matrixWeights * times(shape, op.repeat);
        }
    }
    return weights * weightScale(shape);
}

} // namespace ridgepoint
