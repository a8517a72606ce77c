// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds entries of the catalogue by id.
#include "core/catalog/catalog.h"

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr std::array<std::string_view, computeFormatCount> computeFormatIds = {"fp32", "tf32",  "fp16",  "bf16",
                                                                               "fp8",  "mxfp8", "nvfp4", "int8"};

template <class T, class Key>
const T *find(const std::vector<T> &entries, std::string_view id, Key T::*key) {
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const T &entry) { return entry.*key == id; });
    return it == entries.end() ? nullptr : &*it;
}

} // namespace

std::string_view idOf(ComputeFormat format) {
    return computeFormatIds[static_cast<std::size_t>(format)];
}

std::optional<ComputeFormat> computeFormatFromId(std::string_view id) {
    const auto *const it = std::find(computeFormatIds.begin(), computeFormatIds.end(), id);
    if (it == computeFormatIds.end()) {
        return std::nullopt;
    }
    return static_cast<ComputeFormat>(it - computeFormatIds.begin());
}

const Gpu *Catalog::gpu(std::string_view id) const {
    return find(gpus, id, &Gpu::id);
}
const StorageFormat *Catalog::format(std::string_view id) const {
    return find(formats, id, &StorageFormat::id);
}
const Optimizer *Catalog::optimizer(std::string_view id) const {
    return find(optimizers, id, &Optimizer::id);
}
const Recipe *Catalog::recipe(std::string_view id) const {
    return find(recipes, id, &Recipe::id);
}
const Framework *Catalog::framework(std::string_view id) const {
    return find(frameworks, id, &Framework::id);
}
const Engine *Catalog::engine(std::string_view id) const {
    return find(engines, id, &Engine::id);
}
const EconomicsPreset *Catalog::economicsPreset(std::string_view id) const {
    return find(economics, id, &EconomicsPreset::id);
}
const ModelPreset *Catalog::model(std::string_view id) const {
    return find(models, id, &ModelPreset::id);
}
const Grid *Catalog::grid(std::string_view id) const {
    return find(grids, id, &Grid::id);
}
const Architecture *Catalog::architecture(std::string_view id) const {
    return find(architectures, id, &Architecture::id);
}
const ScenarioDefault *Catalog::scenarioDefault(std::string_view key) const {
    return find(defaults, key, &ScenarioDefault::key);
}
const QuantityInfo *Catalog::quantity(std::string_view key) const {
    return find(quantities, key, &QuantityInfo::key);
}

} // namespace ridgepoint
