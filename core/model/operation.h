// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Operation: one kernel-level step of the network on one rank. Parameters, memory, FLOPs and time are folds over a list
// of these.
#pragma once

#include "core/model/shape.h"
#include "core/number/number.h"
#include "core/scenario/scenario.h"

#include <string_view>
#include <vector>

namespace ridgepoint {

enum class OperationKind {
    MatMul,    ///< m x n x k on the matrix engine
    Attention, ///< scores, softmax and weighted sum; fused (flash) or materialized
    Streaming, ///< element-wise and reductions: bound by bandwidth
    Lookup     ///< embedding rows
};

/// How often an operation runs in one pass over a stage.
enum class Repeat {
    EveryLayer,
    FullAttentionLayer,
    WindowedLayer,
    LinearAttentionLayer,
    DenseLayer, ///< with a dense MLP, where others have experts
    MoeLayer,
    EncoderLayer, ///< of the encoder beside a decoder; all on the first stage
    FirstStage,
    LastStage
};
inline constexpr std::size_t repeatCount = 9;

/// Collective over the tensor-parallel group that follows the operation's forward (and mirrors in backward).
enum class TensorCollective {
    None,
    AllReduce,     ///< forward, without sequence parallelism: partial sums of a row-parallel linear
    ReduceScatter, ///< the same with sequence parallelism
    AllGather      ///< sequence-parallel input of a column-parallel linear
};

/// Exchange over other groups that the operation's forward needs (and mirrors in backward).
enum class Exchange {
    None,
    ExpertAllToAll,  ///< tokens to their experts, or back
    ContextKeyValues ///< keys and values of a sequence around its context-parallel ring
};

/// Full recompute runs every operation of a layer again; selective recompute only those of the attention core.
enum class KeptBy { Layer, AttentionCore };

/// What part of the model a weight belongs to: formats and optimizers treat them apart.
enum class WeightClass { Linear, Expert, Embedding, Head, Norm };

/// Which linear layer a matrix is: storage mixes and adapters treat them apart.
enum class WeightRole {
    Other,
    Qkv, ///< q, k and v side by side, in the shares of their widths
    AttentionOutput,
    UpAndGate,
    Down,
    Router,
    MlaQueryDown,
    MlaQueryUp,
    MlaCacheDown,
    MlaCacheUp
};

/// All sizes are of one execution on one rank of the tensor-parallel group.
template <Number N>
struct Operation {
    std::string_view name;
    OperationKind kind = OperationKind::Streaming;
    Repeat repeat = Repeat::EveryLayer;
    WeightClass weightClass = WeightClass::Linear;
    WeightRole role = WeightRole::Other;
    N m{}, n{}, k{}; ///< MatMul only: output rows (tokens), output columns, depth
    N forwardFlops{};
    N readBytes{};              ///< activations in (forward), each once; weights come on top
    N writtenBytes{};           ///< activations out (forward)
    N matrixWeights{};          ///< elements of two-dimensional weights on this rank
    double groups = 1;          ///< MatMul: equal matrices that share the m rows between them (local experts)
    N readWeights{};            ///< elements of matrixWeights read in one pass, where not all are (few tokens, experts)
    N vectorWeights{};          ///< elements of biases and norm gains on this rank
    N factorElements{};         ///< rows + columns of those matrices (factored optimizer states)
    bool sharedWeights = false; ///< reads another operation's matrix (a tied head): counted there, not here
    N keptBytes{};              ///< what backward needs, per micro-batch; dropped by full recompute only
    N keptCoreBytes{};          ///< what selective recompute drops as well (the attention core's)
    KeptBy keptBy = KeptBy::Layer;
    TensorCollective collective = TensorCollective::None;
    N collectiveBytes{}; ///< full (gathered) size
    Exchange exchange = Exchange::None;
    N exchangeBytes{};              ///< S: of n ranks each sends (n - 1)/n of it
    bool runs = true;               ///< false: this pass only holds its weights (an encoder, while decoding)
    N outputElements{};             ///< for occupancy
    double backwardFlopsFactor = 2; ///< backward FLOPs / forward FLOPs
    double causalFlopsShare = 1; ///< share of forwardFlops left when masked scores are skipped; 1 where no mask applies
};

/// What one pass of the network works on.
template <Number N>
struct Workload {
    N sequences{};     ///< on this rank
    N queryTokens{};   ///< per sequence
    N contextTokens{}; ///< keys and values each query attends to, before any window (training: = queryTokens)
    bool training = true;
    N encodedTokens{}; ///< per sequence, through the encoder in this pass; 0: it does not run
    N crossTokens{};   ///< per sequence, of encoder output that cross-attention reads
};

/// How the operations are run, as far as it changes what they read, write and keep.
template <Number N>
struct Execution {
    int tensor = 1;
    int context = 1;
    int expert = 1;
    int expertTensor = 1;
    bool sequenceParallel = false; ///< only with tensor > 1
    N activationBytes{};           ///< per element
    N residualBytes{};             ///< per element between layers; fp32 under autocast
    AttentionKernel attention = AttentionKernel::Flash;
    bool fusedKernels = true;
    bool dropout = false;
    N cacheBytes{}; ///< per element of a cached key or value (inference); activationBytes in training
    double vocabularyMultiple =
        1; ///< of the framework; the table is padded to it x tensor; 1: to the tensor degree only
    bool headSharesEmbedding = false; ///< tied, and both on one stage: the head owns no weights
    LossKernel loss = LossKernel::Materialized;
};

template <Number N>
struct OperationList {
    std::vector<Operation<N>> operations; ///< in the order they run
    N layerInputBytes{};                  ///< what full recompute keeps of each layer
    N vocabulary{};                       ///< rows of embedding and head on this rank, padded
    N tokens{};                           ///< T on this rank (training: b s / c)
};

/// Describes the transformer once. Pre: the shape and the layout passed scenario/checks.h.
/// Sources: Vaswani et al. 2017; Shazeer 2020 (gated); Korthikanti et al. 2022, eqs. 1-6 (what is kept, tensor and
/// sequence parallel).
template <Number N>
OperationList<N> describe(const TransformerShape &shape, const Workload<N> &workload, const Execution<N> &execution);

/// What a pipeline stage holds.
struct StagePlan {
    int index = 0;
    int layers = 0;
    int fullAttentionLayers = 0;
    int windowedLayers = 0;
    int linearAttentionLayers = 0;
    int denseLayers = 0; ///< counted only beside MoE layers
    int moeLayers = 0;
    int encoderLayers = 0;
    bool first = false;
    bool last = false;

    int executions(Repeat repeat) const {
        switch (repeat) {
        case Repeat::EveryLayer:
            return layers;
        case Repeat::FullAttentionLayer:
            return fullAttentionLayers;
        case Repeat::WindowedLayer:
            return windowedLayers;
        case Repeat::LinearAttentionLayer:
            return linearAttentionLayers;
        case Repeat::DenseLayer:
            return denseLayers;
        case Repeat::MoeLayer:
            return moeLayers;
        case Repeat::EncoderLayer:
            return encoderLayers;
        case Repeat::FirstStage:
            return first ? 1 : 0;
        case Repeat::LastStage:
            return last ? 1 : 0;
        }
        return 0;
    }
};

/// Layers over stages: as given, or as even as they go with the first stages taking the remainder.
std::vector<StagePlan> planStages(const TransformerShape &shape, const Parallelism &parallelism);

} // namespace ridgepoint
