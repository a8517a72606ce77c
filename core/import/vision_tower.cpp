// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a SigLIP tower, added up.
#include "core/import/vision_tower.h"

#include "core/import/strict_json.h"

#include <fmt/format.h>

namespace ridgepoint {

double siglipTowerParameters(ConfigReader &vision, int textHidden) {
    constexpr int mostLayers = 1 << 12;
    constexpr int mostWidth = 1 << 20;
    constexpr int mostPixels = 1 << 16;
    const double hidden = vision.count("hidden_size", mostWidth);
    const double ffn = vision.count("intermediate_size", mostWidth);
    const double layers = vision.count("num_hidden_layers", mostLayers);
    const int image = vision.count("image_size", mostPixels);
    const int patch = vision.count("patch_size", mostPixels);
    const double channels = vision.countOr("num_channels", mostWidth, 3, " colours");
    if (image < patch && !vision.refused({"image_size", "patch_size"})) {
        vision.problem("patch_size", fmt::format("{} for images of {}", patch, image), "at most image_size");
        return 0;
    }
    if (vision.flagOr("vision_use_head", true)) {
        vision.problem("vision_use_head", "true", "false: a pooling head is not modelled");
        return 0;
    }
    const int wholePatches = image / patch;
    const double side = wholePatches;
    const double patchEmbedding = channels * patch * patch * hidden + hidden;
    const double positions = side * side * hidden;
    const double attention = 4 * (hidden * hidden + hidden);
    const double mlp = 2 * hidden * ffn + ffn + hidden;
    const double norms = 2 * 2 * hidden;
    const double finalNorm = 2 * hidden;
    const double projector = hidden * textHidden + hidden; // its matrix and the norm before it
    return patchEmbedding + positions + layers * (attention + mlp + norms) + finalNorm + projector;
}

} // namespace ridgepoint
