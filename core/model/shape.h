// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit shape of a transformer: what a scenario, a preset or an imported config says about it, before any
// layout.
#pragma once

#include <optional>
#include <string>

namespace ridgepoint {

enum class NormKind { RmsNorm, LayerNorm, LayerNormWithoutBias };
/// Which linear layers have a bias. Attention: q, k, v and output; AllButKey: all, without the key's (Whisper).
enum class Biases { None, Qkv, Attention, Mlp, All, AllButKey };
enum class Positions { Rope, Learned, Alibi, None };

/// Where a layer's norms stand. Parallel: attention and MLP read the same residual and add to it once.
enum class BlockNorms {
    Before,         ///< one before attention, one before the MLP
    Around,         ///< before and after both (Gemma 2)
    After,          ///< after both only (OLMo 2, BERT)
    ParallelShared, ///< one norm for attention and MLP (Falcon 7B, Phi-2, Command R)
    ParallelOwn     ///< a norm each (GPT-NeoX, Falcon 40B)
};
/// Norms over queries and keys: of one head's width, or over all heads together (OLMo 2).
enum class QkNorm { None, PerHead, FullWidth };

/// Mixture of experts (Shazeer et al. 2017; Dai et al. 2024 for shared experts).
struct Experts {
    int count = 8;
    int active = 2;          ///< routed experts of one token
    int ffn = 14336;         ///< width of one routed expert
    int shared = 0;          ///< experts that every token uses
    int sharedFfn = 0;       ///< width of one shared expert
    int denseLayers = 0;     ///< the first layers, which have a dense MLP of width `ffn` of the shape
    int every = 1;           ///< of the others every `every`-th is MoE
    bool routerBias = false; ///< one trained bias per expert
    bool biases = false;     ///< each expert's linears have biases (gpt-oss)
    bool sharedGate = false; ///< a gate weighs the shared experts' output (Qwen2-MoE)
    friend bool operator==(const Experts &, const Experts &) = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1): widths in elements.
struct Mla {
    std::optional<int> qRank; ///< absent: a plain query projection
    int kvRank = 512;
    int ropeDim = 64; ///< rotary part of a key, shared by all heads
    int nopeDim = 128;
    int vDim = 128;
    friend bool operator==(const Mla &, const Mla &) = default;
};

/// Linear attention with a recurrent state in place of a cache (Gated DeltaNet, arXiv 2412.06464; Qwen3-Next).
struct LinearAttention {
    int keyHeads = 16;
    int valueHeads = 32;
    int keyDim = 128;
    int valueDim = 128;
    int convolution = 4; ///< taps of the short convolution over q, k and v
    int fullEvery = 4;   ///< every N-th layer is softmax attention
    friend bool operator==(const LinearAttention &, const LinearAttention &) = default;
};

/// The encoder beside a decoder (T5, Whisper), of the decoder's hidden size, norms and biases; every decoder layer then
/// has cross-attention over its output.
struct Encoder {
    int layers = 12;
    int heads = 12;
    int headDim = 64;
    int ffn = 3072;
    std::optional<int> tokens; ///< of every input (audio frames); absent: as long as the prompt
    friend bool operator==(const Encoder &, const Encoder &) = default;
};

/// Sizes in elements; heads and layers in counts. Counts fit 32 bits in every real model; they are checked at the edge.
struct TransformerShape {
    int layers = 32;
    int hidden = 4096;
    int heads = 32;
    int kvHeads = 32;
    int headDim = 128;
    int ffn = 11008; ///< of dense layers
    int vocabulary = 32000;
    bool gatedMlp = true;
    bool tiedEmbeddings = false;
    NormKind norm = NormKind::RmsNorm;
    Biases biases = Biases::None;
    Positions positions = Positions::Rope;
    std::optional<int> maxPositions;         ///< rows of a learned table; the sequence length where not given
    std::optional<int> attentionWindow;      ///< tokens
    std::optional<int> attentionWindowEvery; ///< every N-th layer attends in full; without it all are windowed
    bool chunkedWindow = false;              ///< the window is the token's own chunk, not the last tokens (Llama 4)
    int fullLayersFirst = 0;                 ///< layers that attend in full before the windowed pattern begins
    std::optional<int> valueHeadDim;         ///< where it differs from headDim, which is then the key's
    BlockNorms blockNorms = BlockNorms::Before;
    QkNorm qkNorm = QkNorm::None;
    bool embeddingNorm = false;       ///< a norm after the embedding (BLOOM, BERT)
    bool finalNorm = true;            ///< a norm before the head
    bool headBias = false;            ///< the output head has a bias (Phi-2)
    bool hasHead = true;              ///< false: an encoder whose output is the last hidden state
    bool attentionSinks = false;      ///< one learned logit per head (gpt-oss)
    bool attentionOutputGate = false; ///< the query projection is twice as wide, half of it gates (Qwen3-Next)
    bool causal = true;               ///< false: an encoder, without a cache
    std::optional<Experts> experts;
    std::optional<Mla> mla;
    std::optional<LinearAttention> linearAttention;
    std::optional<Encoder> encoder;
    /// Weights beside the text model (a vision tower and its projector): stored, and idle for tokens of text.
    double towerParameters = 0;
    /// Small tensors that every token's pass uses and that no other field describes (token types, poolers, tables of
    /// relative positions, patch convolutions), held on the first stage.
    double otherParameters = 0;
    /// Weights are scaled evenly by this so that they sum to `exactParameters` (a scenario that only gives a count).
    std::optional<double> exactParameters;

    friend bool operator==(const TransformerShape &, const TransformerShape &) = default;
    bool isLinear(int layer) const { return linearAttention && (layer + 1) % linearAttention->fullEvery != 0; }
    /// Whether layer i (from 0) attends only within the window.
    bool isWindowed(int layer) const {
        return attentionWindow && layer >= fullLayersFirst &&
               !(attentionWindowEvery && (layer + 1) % *attentionWindowEvery == 0) && !isLinear(layer);
    }
    bool isMoe(int layer) const {
        return experts && layer >= experts->denseLayers && (layer - experts->denseLayers + 1) % experts->every == 0;
    }
    int valueDim() const { return valueHeadDim.value_or(headDim); }
};

} // namespace ridgepoint
