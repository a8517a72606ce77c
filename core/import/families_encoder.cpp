// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders without a decoder: BERT and its kin over text, ViT over patches of an image.
#include "core/import/families.h"
#include "core/import/families_common.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

namespace ridgepoint::families {
namespace {

/// Attention to all tokens, no cache, no output head, biases everywhere, norms with a bias.
TransformerShape encoderShape(ConfigReader &config, std::string_view layersKey, std::string_view hiddenKey,
                              std::string_view headsKey, std::string_view ffnKey) {
    TransformerShape shape;
    shape.layers = config.count(layersKey, mostLayers);
    shape.hidden = config.count(hiddenKey, mostHidden);
    shape.heads = config.count(headsKey, mostHeads);
    shape.kvHeads = shape.heads;
    shape.headDim = evenHeadDim(config, shape.hidden, shape.heads, hiddenKey, headsKey);
    shape.ffn = config.count(ffnKey, mostFfn);
    shape.gatedMlp = false;
    shape.norm = NormKind::LayerNorm;
    shape.biases = Biases::All;
    shape.hasHead = false;
    shape.causal = false;
    return shape;
}

/// Norms after each block and after the embedding, a table of learned positions.
TransformerShape afterNormed(TransformerShape shape, ConfigReader &config) {
    shape.vocabulary = config.count("vocab_size", mostVocabulary);
    shape.positions = Positions::Learned;
    shape.maxPositions = config.countOr("max_position_embeddings", mostTokens, 512, " rows of the position table");
    shape.blockNorms = BlockNorms::After;
    shape.embeddingNorm = true;
    shape.finalNorm = false;
    return shape;
}

double poolerParameters(double hidden) {
    return hidden * hidden + hidden;
}

TransformerShape readBert(ConfigReader &config) {
    TransformerShape shape = afterNormed(
        encoderShape(config, "num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size"), config);
    config.word("position_embedding_type", "absolute", {"absolute"});
    requireFlag(config, "is_decoder", false, false, "a BERT that generates is");
    const double types = config.countOr("type_vocab_size", mostVocabulary, 2, " kinds of token");
    shape.otherParameters = types * shape.hidden + poolerParameters(shape.hidden);
    config.assume("counted is the encoder with its pooler; the heads of pre-training are left out");
    return shape;
}

TransformerShape readDistilBert(ConfigReader &config) {
    TransformerShape shape = afterNormed(encoderShape(config, "n_layers", "dim", "n_heads", "hidden_dim"), config);
    config.assume("counted is the encoder; the heads of pre-training are left out");
    return shape;
}

int labelsOf(ConfigReader &config) {
    config.markRead("id2label");
    if (const nlohmann::json *labels = config.find("id2label"); labels != nullptr && labels->is_object()) {
        return static_cast<int>(labels->size());
    }
    if (const auto count = config.countIfGiven("num_labels", mostVocabulary)) {
        return *count;
    }
    config.assume("id2label: 1000 classes of the classifier, as for ImageNet");
    return 1000;
}

TransformerShape readVit(ConfigReader &config) {
    TransformerShape shape =
        encoderShape(config, "num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size");
    constexpr int mostPixels = 1 << 16;
    const int image = config.countOr("image_size", mostPixels, 224, " pixels");
    const int patch = config.countOr("patch_size", mostPixels, 16, " pixels");
    const double channels = config.countOr("num_channels", 1 << 20, 3, " colours");
    requireFlag(config, "qkv_bias", true, true, "biases on some linear layers only are");
    if (image < patch && !config.refused({"image_size", "patch_size"})) {
        config.problem("patch_size", fmt::format("{} for images of {}", patch, image), "at most image_size");
        return shape;
    }
    const int side = image / patch;
    const double hidden = shape.hidden;
    const double patches = static_cast<double>(side) * side;
    const double patchEmbedding = channels * patch * patch * hidden + hidden;
    const double positions = (patches + 1) * hidden + hidden; // one for the class token, and that token
    const double labels = labelsOf(config);
    shape.vocabulary = 0;
    shape.positions = Positions::None;
    shape.otherParameters = patchEmbedding + positions + hidden * labels + labels;
    config.assume(fmt::format("{:.0f} tokens per image: one for each patch and one for the class", patches + 1));
    return shape;
}

} // namespace

std::vector<ModelFamily> encoders() {
    return {
        {"bert", "BertConfig", {"BertForMaskedLM", "BertForPreTraining", "BertModel"}, readBert},
        {"distilbert", "DistilBertConfig", {"DistilBertForMaskedLM", "DistilBertModel"}, readDistilBert},
        {"roberta", "RobertaConfig", {"RobertaForMaskedLM", "RobertaModel"}, readBert},
        {"vit", "ViTConfig", {"ViTForImageClassification"}, readVit},
        {"xlm-roberta", "XLMRobertaConfig", {"XLMRobertaForMaskedLM", "XLMRobertaModel"}, readBert},
    };
}

} // namespace ridgepoint::families
