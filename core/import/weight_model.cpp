// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sums tensors by part and holds the shape's count against them.
#include "core/import/weight_model.h"

#include "core/import/gguf_shape.h"
#include "core/import/packed_weights.h"
#include "core/import/strict_json.h"
#include "core/import/weight_classes.h"
#include "core/model/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint {
namespace {

template <class PartOf>
StoredWeights sumOf(const std::vector<StoredTensor> &tensors, PartOf partOfTensor) {
    StoredWeights stored;
    for (const StoredTensor &tensor : tensors) {
        StoredWeights::Part &part = partOf(stored, partOfTensor(tensor));
        part.elements += static_cast<double>(tensor.elements);
        part.bytes += static_cast<double>(tensor.bytes);
    }
    return stored;
}

/// A whole number that a key holds, or the first of its list.
double numberOf(const GgufHeader &header, const std::string &key) {
    const GgufValue *value = header.find(key);
    const auto *whole = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
    return whole != nullptr ? static_cast<double>(*whole) : 0;
}

/// Counts of the tensors, each once: a head that was stored beside the embedding it is tied to does not count again.
void countStored(ImportedModel &model, double expertShare) {
    const StoredWeights &stored = *model.stored;
    const bool isTwice = model.hasShape && model.shape.tiedEmbeddings;
    model.parametersTotal = stored.elements() - (isTwice ? stored.head.elements : 0);
    model.parametersActive = model.parametersTotal - stored.tower.elements -
                             std::round((stored.experts.elements + stored.expertVectors.elements) * (1 - expertShare));
    if (isTwice && stored.head.elements > 0) {
        model.warnings.push_back(fmt::format("the head is stored although it is tied to the embedding: {:.0f} bytes, "
                                             "not counted as parameters again",
                                             stored.head.bytes));
    }
    if (!model.hasShape) {
        return;
    }
    const double shapeCount = countParameters(model.shape).total;
    if (shapeCount != model.parametersTotal) {
        model.warnings.push_back(fmt::format("parameters: the shape has {:.0f}, the tensors sum to {:.0f}; the weights "
                                             "are the file's own",
                                             shapeCount, model.parametersTotal));
    }
}

double shareOf(const TransformerShape &shape) {
    return shape.experts ? static_cast<double>(shape.experts->active) / shape.experts->count : 1;
}

} // namespace

Expected<ImportedModel> modelOfGguf(const GgufHeader &header) {
    Expected<GgufShape> read = readGgufShape(header);
    if (!read) {
        return tl::unexpected(read.error());
    }
    ImportedModel model;
    model.family = read->architecture;
    model.assumptions = std::move(read->assumptions);
    model.hasShape = read->shape.has_value();
    model.shape = read->shape.value_or(TransformerShape{});
    model.whyNoShape = std::move(read->reason);
    model.stored =
        sumOf(header.tensors, [&](const StoredTensor &tensor) { return partOfGgufTensor(tensor, read->layers); });
    model.shape.towerParameters = model.hasShape ? model.stored->tower.elements : 0;
    const double experts = numberOf(header, model.family + ".expert_count");
    const double used = numberOf(header, model.family + ".expert_used_count");
    countStored(model, experts > 0 && used <= experts ? used / experts : 1);
    return model;
}

ImportedModel modelOfCheckpoint(std::vector<StoredTensor> tensors, const std::optional<std::string> &configText) {
    ImportedModel model;
    model.hasShape = false;
    model.whyNoShape = "a safetensors header names no heads, and there is no config.json beside it";
    PackingFacts packing;
    if (configText) {
        Expected<ImportedModel> config = importHuggingFaceConfig(*configText);
        if (config) {
            model = *std::move(config);
            // The widths are read here.
            std::erase_if(model.warnings,
                          [](const std::string &text) { return text.starts_with("quantization_config"); });
        } else {
            model.whyNoShape = "config.json: " + config.error().front().message();
        }
        if (const Expected<nlohmann::json> json = parseStrictJsonObject(*configText)) {
            packing = packingFacts(*json);
        }
    }
    unpackWeights(tensors, packing, model.assumptions);
    model.stored = sumOf(tensors, partOfCheckpointTensor);
    if (tensors.empty()) {
        model.warnings.emplace_back("the file holds no tensors");
    }
    countStored(model, model.hasShape ? shareOf(model.shape) : 1);
    return model;
}

} // namespace ridgepoint
