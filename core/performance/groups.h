// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Groups: how many ranks work together in each kind of parallelism, and how far apart they are numbered.
#pragma once

#include "core/model/setting.h"

namespace ridgepoint {

/// Ranks of one parallel group, `stride` apart.
struct Group {
    int ranks = 1;
    int stride = 1;
};

/// Placement: tensor innermost, then context, then data, pipeline outermost. Experts use the ranks of one pipeline
/// stage a second time: tensor inside an expert innermost, then the ranks that share a layer's experts, then those that
/// hold the same ones.
struct Groups {
    Group tensor, context, data; ///< data: ranks that hold the same dense weights, n x c
    Group expertTensor, expert, expertData;
    Group pipeline;
};

inline Groups groupsOf(const Parallelism &p, bool isTraining) {
    const int inside = expertTensorOf(p, isTraining);
    const int stage = p.tensor * p.context * p.data;
    Groups g;
    g.tensor = {.ranks = p.tensor, .stride = 1};
    g.context = {.ranks = p.context, .stride = p.tensor};
    g.data = {.ranks = p.data * p.context, .stride = p.tensor};
    g.expertTensor = {.ranks = inside, .stride = 1};
    g.expert = {.ranks = p.expert, .stride = inside};
    g.expertData = {.ranks = stage / (p.expert * inside) > 1 ? stage / (p.expert * inside) : 1,
                    .stride = p.expert * inside};
    g.pipeline = {.ranks = p.pipeline, .stride = stage};
    return g;
}

/// The part of a group that lies in one node; sharding `hybrid` divides over it.
inline Group insideNode(const Group &group, int gpusPerNode) {
    int ranks = group.ranks;
    for (; ranks > 1 && (ranks * group.stride > gpusPerNode || group.ranks % ranks != 0); --ranks) {
    }
    return {.ranks = ranks, .stride = group.stride};
}
/// What is left of it across nodes.
inline Group acrossNodes(const Group &group, int gpusPerNode) {
    const int inside = insideNode(group, gpusPerNode).ranks;
    return {.ranks = group.ranks / inside, .stride = group.stride * inside};
}

} // namespace ridgepoint
