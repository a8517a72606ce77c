// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the weights of a vision tower that a checkpoint holds beside its language model.
#pragma once

#include "core/import/config_reader.h"

namespace ridgepoint {

/// Each counts a tower and its projector into `textHidden`, in elements, tensor by tensor as the class of Hugging Face
/// transformers holds them.

/// A SigLIP encoder without its pooling head, its norm, and Gemma 3's projector (Zhai et al. 2023; SiglipVisionModel,
/// Gemma3MultiModalProjector).
double siglipTowerParameters(ConfigReader &vision, int textHidden);

/// Llama4VisionModel with its pixel-shuffle adapter, and Llama4MultiModalProjector.
double llama4TowerParameters(ConfigReader &vision, int textHidden);

/// Qwen2VisionTransformerPretrainedModel: plain MLPs, norms with a bias, a merger of neighbouring patches.
double qwen2TowerParameters(ConfigReader &vision);

/// Qwen2_5_VisionTransformerPretrainedModel: gated MLPs with biases, RMS norms.
double qwen25TowerParameters(ConfigReader &vision);

/// Qwen3VLVisionModel: learned positions, a merger behind the tower and one for each layer that is passed on early.
double qwen3TowerParameters(ConfigReader &vision);

/// PixtralVisionModel and the projector of Mistral3, which joins `mergeSize` x `mergeSize` patches.
double pixtralTowerParameters(ConfigReader &vision, int textHidden, int mergeSize);

} // namespace ridgepoint
