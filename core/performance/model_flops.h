// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Model FLOPs: what MFU and HFU count, by convention.
#pragma once

#include "core/model/setting.h"
#include "core/number/number.h"

namespace ridgepoint {

/// FLOPs per token of the whole model, forward and backward.
template <Number N>
struct ModelFlops {
    N perToken{};           ///< for MFU
    N recomputedPerToken{}; ///< forwards run again, which HFU adds; flash attention's own recomputation is in neither
};

/// Conventions: Model: 6 x matmul weights that a token uses (head included, look-up not, of experts the active ones) +
/// 3 x attention per layer over the full square, windows capping s (Narayanan et al. 2021, Chowdhery et al. 2022).
/// Causal: attention only where the mask leaves scores. SixN: 6 x all parameters (Kaplan et al. 2020). Backward counts
/// twice the forward in each; frozen weights have no gradient of their own and count 4 in place of 6 (not under SixN).
template <Number N>
ModelFlops<N> modelFlops(const Setting &setting, FlopConvention convention);

/// Share of attention's (query, key) pairs that a causal mask leaves when `queries` tokens follow `before` cached ones,
/// each seeing at most `window` keys (0: no window), its own chunk of that size where `isChunked`; relative to queries
/// x min(before + queries, window). Continuous in the lengths: exactly 1/2 for a whole sequence.
double attendedShare(double queries, double before, double window, bool isChunked = false);

} // namespace ridgepoint
