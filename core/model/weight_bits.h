// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How many bits a stored weight has: by the part of the model it belongs to, and in a mix by its tensor and layer.
#pragma once

#include "core/model/setting.h"

namespace ridgepoint {

/// Layers [first, end) of the model.
struct LayerRange {
    int first = 0;
    int end = 0;
};

/// Bits of a weight of the operation's matrix, scales included; where a mix treats layers apart, the mean over those of
/// the range that have the operation. Of an embedding: the token table's.
template <Number N>
double matrixBits(const Setting &setting, const Operation<N> &op, LayerRange layers);

/// Bits of norms and biases.
double vectorBits(const StorageFormat &format);
/// Bits of tensors that a mix leaves as they are: position tables and small tensors without a format of their own.
double unquantizedBits(const StorageFormat &format);
/// Bits of a vision or audio tower.
double towerWeightBits(const StorageFormat &format);

/// Mean over the weights that a mix treats as linear layers, for traffic; of other formats their own.
template <Number N>
double meanLinearBits(const Setting &setting, const OperationList<N> &list);

} // namespace ridgepoint
