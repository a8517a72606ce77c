// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the lists of families together.
#include "core/import/families.h"

#include <algorithm>

namespace ridgepoint {

std::span<const ModelFamily> modelFamilies() {
    static const std::vector<ModelFamily> all = [] {
        std::vector<ModelFamily> list;
        for (auto kind : {families::llamaLike, families::gemmas, families::gptLike, families::mixtures,
                          families::latent, families::encoders, families::encoderDecoders, families::multimodal}) {
            for (ModelFamily &family : kind()) {
                list.push_back(std::move(family));
            }
        }
        std::ranges::sort(list, {}, &ModelFamily::modelType);
        return list;
    }();
    return all;
}

} // namespace ridgepoint
