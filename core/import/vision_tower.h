// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the weights of a vision tower that a checkpoint holds beside its language model.
#pragma once

#include "core/import/config_reader.h"

namespace ridgepoint {

/// A SigLIP encoder without its pooling head, its norm, and Gemma 3's projector into `textHidden` (Zhai et al. 2023;
/// Hugging Face transformers, SiglipVisionModel and Gemma3MultiModalProjector). Elements.
double siglipTowerParameters(ConfigReader &vision, int textHidden);

} // namespace ridgepoint
