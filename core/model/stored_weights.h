// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a file of weights holds, by the parts of a model that memory tells apart: its own widths, tensor by tensor.
#pragma once

namespace ridgepoint {

/// Elements are those of the model (packed ones unpacked, scales and zero points none), bytes all that is stored.
struct StoredWeights {
    struct Part {
        double elements = 0;
        double bytes = 0;
        friend bool operator==(const Part &, const Part &) = default;
    };
    Part linear;        ///< matrices of the layers, routed experts left out
    Part experts;       ///< matrices of routed experts
    Part expertVectors; ///< biases of routed experts
    Part embedding;     ///< of tokens and positions
    Part head;          ///< as stored: 0 where the embedding serves
    Part vectors;       ///< norms, biases and other one-dimensional weights
    Part tower;         ///< of other modalities, and blocks that predict further tokens
    Part buffers;       ///< constants that were stored too and are no parameters: masks, frequencies

    double elements() const {
        return linear.elements + experts.elements + expertVectors.elements + embedding.elements + head.elements +
               vectors.elements + tower.elements;
    }
    double bytes() const {
        return linear.bytes + experts.bytes + expertVectors.bytes + embedding.bytes + head.bytes + vectors.bytes +
               tower.bytes + buffers.bytes;
    }
    friend bool operator==(const StoredWeights &, const StoredWeights &) = default;
};

} // namespace ridgepoint
