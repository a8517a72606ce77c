// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Encoder and decoder with cross-attention: T5 and its kin, Whisper, BART. Defaults are those of the configuration
// classes of Hugging Face transformers.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

namespace ridgepoint::families {
namespace {

struct T5Kind {
    std::string_view feedForward; ///< the class's own
    bool tied;
    bool positionsInEveryLayer; ///< else the first layer's table serves all
};

TransformerShape readT5Kind(ConfigReader &config, const T5Kind &kind) {
    TransformerShape shape;
    Encoder encoder;
    encoder.layers = config.count("num_layers", mostLayers);
    shape.hidden = config.count("d_model", mostHidden);
    shape.heads = config.count("num_heads", mostHeads);
    shape.headDim = config.count("d_kv", mostHeadDim);
    shape.ffn = config.count("d_ff", mostFfn);
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    shape.kvHeads = shape.heads;
    shape.layers = config.countOrNull("num_decoder_layers", mostLayers, encoder.layers, " = num_layers");
    const std::string feedForward =
        config.word("feed_forward_proj", kind.feedForward, {"relu", "gelu", "gated-gelu", "gated-relu", "gated-silu"});
    shape.gatedMlp = feedForward.starts_with("gated-");
    if (!config.has("feed_forward_proj")) {
        config.assume(fmt::format("feed_forward_proj: {}, the default of {}", feedForward, config.className()));
    }
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", kind.tied);
    encoder.heads = shape.heads;
    encoder.headDim = shape.headDim;
    encoder.ffn = shape.ffn;
    shape.encoder = encoder;
    shape.positions = Positions::None;
    config.flagIfGiven("is_encoder_decoder", true);
    const double buckets = config.countOr("relative_attention_num_buckets", 1 << 20, 32, " distances");
    const double tables = kind.positionsInEveryLayer ? static_cast<double>(encoder.layers) + shape.layers : 2;
    shape.otherParameters = tables * buckets * shape.heads;
    config.assume("the tables of relative positions are counted, and not computed with");
    return shape;
}

TransformerShape readT5(ConfigReader &config) {
    return readT5Kind(config, {"relu", true, false});
}

TransformerShape readMt5(ConfigReader &config) {
    return readT5Kind(config, {"gated-gelu", false, false});
}

TransformerShape readUmt5(ConfigReader &config) {
    return readT5Kind(config, {"gated-gelu", false, true});
}

/// The names that Whisper and BART share: a decoder and an encoder of one width.
TransformerShape readBartNames(ConfigReader &config) {
    TransformerShape shape;
    Encoder encoder;
    shape.hidden = config.count("d_model", mostHidden);
    shape.layers = config.count("decoder_layers", mostLayers);
    shape.heads = config.count("decoder_attention_heads", mostHeads);
    shape.ffn = config.count("decoder_ffn_dim", mostFfn);
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    encoder.layers = config.count("encoder_layers", mostLayers);
    encoder.heads = config.count("encoder_attention_heads", mostHeads);
    encoder.ffn = config.count("encoder_ffn_dim", mostFfn);
    shape.kvHeads = shape.heads;
    shape.headDim = evenHeadDim(config, shape.hidden, shape.heads, "d_model", "decoder_attention_heads");
    encoder.headDim = evenHeadDim(config, shape.hidden, encoder.heads, "d_model", "encoder_attention_heads");
    shape.encoder = encoder;
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.positions = Positions::Learned;
    config.flagIfGiven("is_encoder_decoder", true);
    return shape;
}

TransformerShape readWhisper(ConfigReader &config) {
    TransformerShape shape = readBartNames(config);
    shape.biases = Biases::AllButKey;
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    shape.maxPositions = config.countOr("max_target_positions", mostTokens, 448, " rows of the decoder's positions");
    const int frames = config.countOr("max_source_positions", mostTokens, 1500, " frames of an input");
    const double melBins = config.countOr("num_mel_bins", 1 << 20, 80);
    const double hidden = shape.hidden;
    shape.encoder->tokens = frames;
    const double convolutions = (melBins * 3 * hidden + hidden) + (hidden * 3 * hidden + hidden);
    shape.otherParameters = convolutions + frames * hidden;
    config.assume("biases on all linear layers but the key's, and a stored table of the encoder's positions: Whisper "
                  "has them without a key; its two convolutions are counted, and not computed with");
    return shape;
}

TransformerShape readBart(ConfigReader &config) {
    TransformerShape shape = readBartNames(config);
    shape.biases = Biases::All;
    shape.blockNorms = BlockNorms::After;
    shape.embeddingNorm = true;
    shape.finalNorm = false;
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    const int positions = config.countOr("max_position_embeddings", mostTokens, 1024, " positions");
    shape.maxPositions = positions + 2; // two rows before the first position
    // The encoder's own table and the norm after it.
    shape.otherParameters = (positions + 2.0) * shape.hidden + 2.0 * shape.hidden;
    // As the first BARTs were saved; later ones are other kinds under the same name.
    requireFlag(config, "normalize_before", false, false, "norms before each block of this family are");
    requireFlag(config, "add_final_layer_norm", false, false, "a last norm of this family is");
    config.assume("biases on every linear layer, norms after each block and after both embeddings, two rows more than "
                  "max_position_embeddings in both tables: BART has them without a key");
    return shape;
}

} // namespace

std::vector<ModelFamily> encoderDecoders() {
    return {
        {"bart", "BartConfig", {"BartForConditionalGeneration", "BartModel"}, readBart},
        {"mt5", "MT5Config", {"MT5ForConditionalGeneration"}, readMt5},
        {"t5", "T5Config", {"T5ForConditionalGeneration", "T5WithLMHeadModel"}, readT5},
        {"umt5", "UMT5Config", {"UMT5ForConditionalGeneration"}, readUmt5},
        {"whisper", "WhisperConfig", {"WhisperForConditionalGeneration"}, readWhisper},
    };
}

} // namespace ridgepoint::families
