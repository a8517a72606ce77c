// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lists in words what the numbers of a report rest on.
#include "core/report/assumptions.h"

#include "core/scenario/checks.h"
#include "core/scenario/compute_format.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

bool isNarrow(ComputeFormat format) {
    return format == ComputeFormat::Fp8 || format == ComputeFormat::Mxfp8 || format == ComputeFormat::Nvfp4 ||
           format == ComputeFormat::Int8;
}

void aboutLayout(const Scenario &scenario, std::vector<std::string> &list) {
    const Parallelism &layout = scenario.parallelism;
    if (layout.sharding == Sharding::Hybrid) {
        list.push_back(fmt::format("Hybrid sharding divides over the ranks of one node of {} GPUs that hold the same "
                                   "weights; nodes hold copies.",
                                   scenario.hardware.gpusPerNode));
    }
    if (layout.schedule == Schedule::Interleaved) {
        list.emplace_back("Chunks in flight of a stage count as its mean chunk, where chunks differ in layers.");
    }
    if (layout.offload != Offload::None) {
        list.emplace_back("Offloaded tensors leave the GPU entirely; of offloaded activations two layers stay, one in "
                          "use and one in transfer. Pinned staging buffers are not counted.");
    }
    if (scenario.training.recompute == Recompute::SelectiveOps) {
        list.emplace_back(
            "Recompute per operation keeps the outputs of attention, of reduce-scatters and of the first, "
            "third, fifth... matrix multiplication of a layer, with q, k, v, gate and up one each.");
    }
}

void aboutAdapters(const Lora &lora, const Framework *framework, std::vector<std::string> &list) {
    std::string text = fmt::format("Adapters of rank {} on frozen weights in {}; norms stay frozen.",
                                   static_cast<int>(lora.rank), lora.base);
    if (framework != nullptr && framework->adapterBytes) {
        text += fmt::format(" {} holds adapters at {} bytes per parameter whatever the recipe.", framework->name,
                            framework->adapterBytes->value);
    }
    list.push_back(text);
}

void aboutTraining(const Scenario &scenario, const Catalog &catalog, std::vector<std::string> &list) {
    const Training &training = scenario.training;
    if (!scenario.model.shape.hasHead) {
        list.emplace_back("The model ends at its last hidden state: no head and no loss are counted.");
    }
    if (training.globalBatch == 0) {
        list.push_back(fmt::format("global_batch is micro_batch x data = {} sequences: one micro-batch per step.",
                                   globalBatchOf(scenario)));
    }
    if (training.compute && isNarrow(*training.compute)) {
        list.emplace_back("Narrow matrix multiplications: inputs kept for backward stay at the recipe's activation "
                          "width; a quantized weight and its "
                          "transpose are not counted.");
    }
    if (training.recompute == Recompute::Selective && training.attention == AttentionKernel::Flash) {
        list.emplace_back("Selective recompute with flash attention drops only its log-sum-exp: flash attention keeps "
                          "no probabilities.");
    }
    list.emplace_back("Peak memory is the largest over the end of forward, the loss, the first and the last layer's "
                      "backward and the optimizer step. In a layer's backward its output, that one's gradient, and the "
                      "gradients around the activation function (or of materialized scores) live together.");
    aboutLayout(scenario, list);
    if (training.lora) {
        aboutAdapters(*training.lora, catalog.framework(training.framework), list);
    }
    const Framework *framework = catalog.framework(training.framework);
    if (scenario.parallelism.world() > 1 && framework != nullptr && !framework->communicationBucketBytes) {
        list.push_back(fmt::format("Communication buffers of {} are not modelled and count as 0.", framework->name));
    }
    list.emplace_back("Model FLOPs follow the convention named in flop_convention; flash attention's own recomputation "
                      "is in neither MFU nor HFU.");
}

void aboutEngine(const Scenario &scenario, const Engine &engine, std::vector<std::string> &list) {
    const Inference &inference = scenario.inference;
    if (engine.prefill == PrefillStyle::Whole) {
        list.push_back(fmt::format("{} runs whole prompts at once: prefill_chunk_tokens does not change its memory.",
                                   engine.name));
    }
    if (engine.mostTokensPerPass && inference.prefillChunkTokens > engine.mostTokensPerPass->value) {
        list.push_back(
            fmt::format("{} runs at most {:.0f} tokens in a pass.", engine.name, engine.mostTokensPerPass->value));
    }
    if (engine.warmUp) {
        list.push_back(fmt::format("Logits are those that {} makes room for at its start ({:.0f} rows{}), at {} bytes "
                                   "each, when the layers' activations are gone.",
                                   engine.name, engine.warmUp->rows.value,
                                   engine.warmUp->rowsOnLargeCards
                                       ? fmt::format("; {:.0f} on large cards", engine.warmUp->rowsOnLargeCards->value)
                                       : std::string(),
                                   engine.warmUp->bytesPerLogit.value));
    } else {
        list.emplace_back("Logits are those of the running batch: the last token of each sequence, in the activation "
                          "format with an fp32 copy.");
    }
    if (engine.graphBytes) {
        list.push_back(fmt::format("{} captures its graphs beside its share of the card.", engine.name));
    }
    if (engine.id == "llama.cpp" && !inference.gpuLayers) {
        list.emplace_back("llama.cpp leaves an untied token embedding in the host's memory; with all layers on the GPU "
                          "it is counted there.");
    }
    if (inference.gpuLayers && *inference.gpuLayers <= scenario.model.shape.layers) {
        list.emplace_back("The last gpu_layers layers are on the GPU; the others, the embedding and the head are in "
                          "host_bytes. What runs on the host has no speed here, so time, power and cost are absent.");
    }
}

void aboutFormats(const Scenario &scenario, const StorageFormat &format, std::vector<std::string> &list) {
    const TransformerShape &shape = scenario.model.shape;
    if (format.expertsOnly && shape.experts) {
        list.push_back(
            fmt::format("{} is of the experts; all other weights have 16 bits, as in gpt-oss.", format.name));
    }
    if (format.mix) {
        list.push_back(fmt::format("{}: types tensor by tensor as llama.cpp chooses them without an importance matrix; "
                                   "q, k and v are three tensors; a vision tower is a file of 16 bits.",
                                   format.name));
    }
}

void aboutInference(const Scenario &scenario, const Catalog &catalog, std::vector<std::string> &list) {
    list.emplace_back("The cache is counted with every concurrent sequence at its longest (prompt + output).");
    if (!scenario.model.shape.causal) {
        list.emplace_back("An encoder alone keeps no cache and generates no tokens: only its memory is predicted.");
    }
    if (scenario.model.shape.encoder && !scenario.model.shape.encoder->tokens) {
        list.emplace_back("The prompt goes through the encoder: the decoder caches the output, and the keys and values "
                          "of the encoded prompt.");
    }
    if (const Engine *engine = catalog.engine(scenario.inference.engine)) {
        aboutEngine(scenario, *engine, list);
    }
    if (const StorageFormat *format = catalog.format(scenario.inference.weights);
        format != nullptr && !servesStoredWeights(scenario)) {
        aboutFormats(scenario, *format, list);
    }
    if (servesStoredWeights(scenario)) {
        list.emplace_back("Weights take the bytes that the model's own file has for them, part by part.");
    } else if (scenario.inference.weights != "bf16" && scenario.inference.weights != "fp16" &&
               scenario.inference.weights != "fp32") {
        list.emplace_back(
            "Narrow weights are widened inside the matrix-multiplication kernels; that costs no extra memory traffic.");
    }
    list.emplace_back(
        "Queueing is not modelled: times are of an engine whose batch is exactly the concurrent sequences.");
}

void aboutGpus(const Scenario &scenario, const Catalog &catalog, std::vector<std::string> &list) {
    for (const GpuChoice &choice : scenario.hardware.gpus) {
        const Gpu *gpu = catalog.gpu(choice.base);
        if (gpu == nullptr) {
            continue;
        }
        std::string estimates;
        const auto note = [&estimates](const Fact &fact, std::string_view what) {
            if (fact.estimate) {
                estimates += estimates.empty() ? "" : ", ";
                estimates += what;
            }
        };
        note(gpu->capacityBytes, "usable capacity");
        note(gpu->idleWatts, "idle power");
        note(gpu->efficiency.matmulShareOfPeak, "matrix-multiplication efficiency");
        note(gpu->efficiency.streamingShareOfBandwidth, "streaming efficiency");
        if (gpu->priceUsd) {
            note(*gpu->priceUsd, gpu->priceUsd->note.empty() ? "price" : "price (" + gpu->priceUsd->note + ")");
        }
        if (gpu->rentUsdPerHour) {
            note(*gpu->rentUsdPerHour, "rent");
        }
        if (!estimates.empty()) {
            list.push_back(fmt::format("{}: estimates, not published figures: {}.", gpu->name, estimates));
        }
        if (!gpu->priceUsd && !choice.priceUsd && !scenario.economics.gpuUsd) {
            list.push_back(
                fmt::format("{}: no purchase price is known; cost figures that need it are absent.", gpu->name));
        }
    }
}

} // namespace

std::vector<std::string> assumptionsOf(const Scenario &scenario, const Catalog &catalog) {
    std::vector<std::string> list = scenario.model.assumptions;
    const TransformerShape &shape = scenario.model.shape;
    if (shape.positions == Positions::Learned && !shape.maxPositions) {
        list.emplace_back("The learned position table has as many rows as the longest sequence.");
    }
    if (shape.exactParameters) {
        list.push_back(fmt::format("Weights and their FLOPs are scaled evenly so that parameters sum to {}; "
                                   "activations and cache follow the shape.",
                                   *shape.exactParameters));
    }
    if (scenario.task == Task::Training) {
        aboutTraining(scenario, catalog, list);
    } else {
        aboutInference(scenario, catalog, list);
    }
    list.emplace_back(
        "Peaks are dense peaks. Tensor-parallel groups are placed innermost, then data-parallel, pipeline outermost.");
    if (const EconomicsPreset *preset = catalog.economicsPreset(scenario.economics.preset)) {
        list.push_back(
            fmt::format("Economics that the scenario does not set are those of the preset `{}`.", preset->id));
    }
    aboutGpus(scenario, catalog, list);
    return list;
}

} // namespace ridgepoint
