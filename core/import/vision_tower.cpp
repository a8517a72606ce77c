// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of vision towers, added up.
#include "core/import/vision_tower.h"

#include "core/import/strict_json.h"

#include <fmt/format.h>

namespace ridgepoint {
namespace {

constexpr int mostLayers = 1 << 12;
constexpr int mostWidth = 1 << 20;
constexpr int mostPixels = 1 << 16;
constexpr int mostTokensOfAnImage = 1 << 24;

/// Matrix and bias.
double linear(double in, double out) {
    return in * out + out;
}

/// Patches along one side of an image; 0 with a problem where a patch is larger than the image.
int patchesAlongSide(ConfigReader &vision, int image, int patch) {
    if (image < patch && !vision.refused({"image_size", "patch_size"})) {
        vision.problem("patch_size", fmt::format("{} for images of {}", patch, image), "at most image_size");
        return 0;
    }
    return image / patch;
}

/// Qwen's merger: neighbouring patches side by side through two linears.
double mergerLinears(double merged, double out) {
    return linear(merged, merged) + linear(merged, out);
}

struct QwenPatches {
    double embedding; ///< of the patch convolution, without its bias, per output element
    double merge;     ///< patches joined to one token
};

QwenPatches readQwenPatches(ConfigReader &vision, int patchDefault) {
    const std::string_view channelsKey = vision.has("in_chans") ? "in_chans" : "in_channels";
    const double channels = vision.countOr(channelsKey, mostWidth, 3, " colours");
    const double frames = vision.countOr("temporal_patch_size", mostPixels, 2, " frames");
    const double patch = vision.countOr("patch_size", mostPixels, patchDefault, " pixels");
    const double merge = vision.countOr("spatial_merge_size", mostPixels, 2);
    return {channels * frames * patch * patch, merge * merge};
}

} // namespace

double siglipTowerParameters(ConfigReader &vision, int textHidden) {
    const double hidden = vision.count("hidden_size", mostWidth);
    const double ffn = vision.count("intermediate_size", mostWidth);
    const double layers = vision.count("num_hidden_layers", mostLayers);
    const int image = vision.count("image_size", mostPixels);
    const int patch = vision.count("patch_size", mostPixels);
    const double channels = vision.countOr("num_channels", mostWidth, 3, " colours");
    const double side = patchesAlongSide(vision, image, patch);
    if (vision.flagOr("vision_use_head", true)) {
        vision.problem("vision_use_head", "true", "false: a pooling head is not modelled");
        return 0;
    }
    const double patchEmbedding = channels * patch * patch * hidden + hidden;
    const double positions = side * side * hidden;
    const double attention = 4 * linear(hidden, hidden);
    const double mlp = linear(hidden, ffn) + linear(ffn, hidden);
    const double norms = 2 * 2 * hidden;
    const double finalNorm = 2 * hidden;
    const double projector = hidden * textHidden + hidden; // its matrix and the norm before it
    return patchEmbedding + positions + layers * (attention + mlp + norms) + finalNorm + projector;
}

double llama4TowerParameters(ConfigReader &vision, int textHidden) {
    const double hidden = vision.count("hidden_size", mostWidth);
    const double ffn = vision.count("intermediate_size", mostWidth);
    const double layers = vision.count("num_hidden_layers", mostLayers);
    const int image = vision.count("image_size", mostPixels);
    const int patch = vision.count("patch_size", mostPixels);
    const double channels = vision.countOr("num_channels", mostWidth, 3, " colours");
    const double adapterIn = vision.countOr("projector_input_dim", mostWidth, 4096);
    const double adapterOut = vision.countOr("projector_output_dim", mostWidth, 4096);
    const double out = vision.countOr("vision_output_dim", mostWidth, 7680);
    const double side = patchesAlongSide(vision, image, patch);
    if (vision.flagIfGiven("multi_modal_projector_bias", false)) {
        vision.problem("multi_modal_projector_bias", "true", "false: a projector with biases is not modelled");
    }
    const double patchEmbedding = channels * patch * patch * hidden;
    const double positions = (side * side + 1) * hidden + hidden; // one for the class token, and that token
    const double attention = 4 * linear(hidden, hidden);
    const double mlp = linear(hidden, ffn) + linear(ffn, hidden);
    const double norms = 2 * 2 * hidden;
    const double outerNorms = 2 * 2 * hidden; // before and after all layers
    const double adapter = ffn * adapterIn + adapterIn * adapterOut;
    const double projector = out * textHidden;
    return patchEmbedding + positions + layers * (attention + mlp + norms) + outerNorms + adapter + projector;
}

double qwen2TowerParameters(ConfigReader &vision) {
    const double layers = vision.countOr("depth", mostLayers, 32, " layers");
    const double hidden = vision.countOr("embed_dim", mostWidth, 1280);
    const double out = vision.countOr("hidden_size", mostWidth, 3584, " of the text model");
    const double ffn = hidden * vision.countOr("mlp_ratio", mostWidth, 4);
    const QwenPatches patches = readQwenPatches(vision, 14);
    const double attention = linear(hidden, 3 * hidden) + linear(hidden, hidden);
    const double mlp = linear(hidden, ffn) + linear(ffn, hidden);
    const double norms = 2 * 2 * hidden;
    const double merger = 2 * hidden + mergerLinears(hidden * patches.merge, out);
    return patches.embedding * hidden + layers * (attention + mlp + norms) + merger;
}

double qwen25TowerParameters(ConfigReader &vision) {
    const double layers = vision.countOr("depth", mostLayers, 32, " layers");
    const double hidden = vision.count("hidden_size", mostWidth);
    const double ffn = vision.countOr("intermediate_size", mostWidth, 3420);
    const double out = vision.countOr("out_hidden_size", mostWidth, 3584);
    const QwenPatches patches = readQwenPatches(vision, 14);
    const double attention = linear(hidden, 3 * hidden) + linear(hidden, hidden);
    const double mlp = 2 * linear(hidden, ffn) + linear(ffn, hidden);
    const double norms = 2 * hidden;
    const double merger = hidden + mergerLinears(hidden * patches.merge, out);
    return patches.embedding * hidden + layers * (attention + mlp + norms) + merger;
}

double qwen3TowerParameters(ConfigReader &vision) {
    const double layers = vision.countOr("depth", mostLayers, 27, " layers");
    const double hidden = vision.countOr("hidden_size", mostWidth, 1152);
    const double ffn = vision.countOr("intermediate_size", mostWidth, 4304);
    const double out = vision.countOr("out_hidden_size", mostWidth, 3584);
    const double positions = vision.countOr("num_position_embeddings", mostTokensOfAnImage, 2304, " positions");
    const QwenPatches patches = readQwenPatches(vision, 16);
    double passedOn = 3;
    if (const nlohmann::json *indexes = vision.find("deepstack_visual_indexes"); indexes == nullptr) {
        vision.assume(fmt::format("deepstack_visual_indexes: 3 layers, the default of {}", vision.className()));
    } else if (!indexes->is_array()) {
        vision.problem("deepstack_visual_indexes", shownValue(*indexes), "a list of layers");
    } else {
        passedOn = static_cast<double>(indexes->size());
    }
    const double merged = hidden * patches.merge;
    const double attention = linear(hidden, 3 * hidden) + linear(hidden, hidden);
    const double mlp = linear(hidden, ffn) + linear(ffn, hidden);
    const double norms = 2 * 2 * hidden;
    const double merger = 2 * hidden + mergerLinears(merged, out);
    const double early = passedOn * (2 * merged + mergerLinears(merged, out)); // their norm stands behind the joining
    return patches.embedding * hidden + hidden + positions * hidden + layers * (attention + mlp + norms) + merger +
           early;
}

double pixtralTowerParameters(ConfigReader &vision, int textHidden, int mergeSize) {
    const double hidden = vision.countOr("hidden_size", mostWidth, 1024);
    const double ffn = vision.countOr("intermediate_size", mostWidth, 4096);
    const double layers = vision.countOr("num_hidden_layers", mostLayers, 24);
    const double channels = vision.countOr("num_channels", mostWidth, 3, " colours");
    const double patch = vision.countOr("patch_size", mostPixels, 16, " pixels");
    const double heads = vision.countOr("num_attention_heads", mostWidth, 16);
    const auto headDim = vision.countIfGiven("head_dim", mostWidth);
    if (headDim && *headDim * heads != hidden && !vision.refused({"hidden_size", "num_attention_heads", "head_dim"})) {
        vision.problem("head_dim", fmt::format("{}", *headDim),
                       fmt::format("hidden_size / heads: {:.4g}", hidden / heads));
    }
    const double merge = static_cast<double>(mergeSize) * mergeSize;
    const double layer = 4 * hidden * hidden + 3 * hidden * ffn + 2 * hidden;
    const double projector =
        hidden + merge * hidden * hidden + hidden * textHidden + static_cast<double>(textHidden) * textHidden;
    return channels * patch * patch * hidden + hidden + layers * layer + projector;
}

} // namespace ridgepoint
