// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario: everything a user can set, as one value. Its file format is scenario/file.h, its checks scenario/checks.h.
#pragma once

#include "core/catalog/catalog.h"
#include "core/model/shape.h"
#include "core/model/stored_weights.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridgepoint {

enum class Task { Training, Inference };
enum class Recompute { None, Selective, SelectiveOps, Full, FullLayers };
enum class AttentionKernel { Materialized, Flash };
enum class LossKernel { Materialized, Fused, Chunked };
/// What is divided over the ranks that hold the same weights. Hybrid: all of it over those of one node, copies between.
enum class Sharding { None, Optimizer, Gradients, Parameters, Hybrid };
enum class Schedule { OneForwardOneBackward, Gpipe, Interleaved };
/// What is kept in the host's memory.
enum class Offload { None, Optimizer, OptimizerAndParameters, Activations };
enum class FlopConvention { Model, Causal, SixN };

/// Which model, and where its shape came from. The shape is always resolved; the reference is what the file said.
struct ModelChoice {
    enum class Source { Preset, Config, Parameters, Explicit };
    Source source = Source::Preset;
    std::string reference = "llama-2-7b"; ///< preset id or config path
    TransformerShape shape;
    std::vector<std::string> assumptions;               ///< defaults that an import or a bare count filled in
    std::optional<StoredWeights> stored = std::nullopt; ///< of a config that is a file of weights
    friend bool operator==(const ModelChoice &, const ModelChoice &) = default;
};

/// Bytes per parameter set one by one; in place of a recipe's name. Activations: bytes per element.
struct RecipeBytes {
    double weights = 2, gradients = 2, master = 4, states = 8, activations = 2;
    friend bool operator==(const RecipeBytes &, const RecipeBytes &) = default;
};

/// Low-rank adapters on frozen weights (Hu et al. 2021; QLoRA: Dettmers et al. 2023).
struct Lora {
    /// Linear layers of a block that carry an adapter.
    struct Targets {
        bool q = true, k = true, v = true, o = true, gate = false, up = false, down = false;
        friend bool operator==(const Targets &, const Targets &) = default;
    };
    double rank = 16;
    Targets targets;
    bool trainsEmbeddings = false; ///< `also`: trained in full
    bool trainsHead = false;
    std::string base = "bf16"; ///< storage format of the frozen weights
    friend bool operator==(const Lora &, const Lora &) = default;
};

struct Training {
    double microBatch = 1;
    double globalBatch = 0; ///< 0: micro_batch x data
    double sequenceLength = 4096;
    std::string recipe = "mixed-bf16";
    std::optional<RecipeBytes> recipeBytes; ///< wins over `recipe`; `states` is then the sum over all states
    std::optional<ComputeFormat> compute;   ///< the recipe's where absent
    std::string optimizer = "adamw";
    bool optimizerInBackward = false;
    Recompute recompute = Recompute::None;
    int recomputeLayers = 1; ///< with Recompute::FullLayers: layers of a stage that are recomputed
    AttentionKernel attention = AttentionKernel::Flash;
    bool fusedKernels = true;
    LossKernel loss = LossKernel::Materialized;
    double lossChunkTokens = 1024;
    bool dropout = false;
    std::string framework = "generic";
    std::optional<Lora> lora;
    std::optional<double> tokens; ///< of the whole run
    friend bool operator==(const Training &, const Training &) = default;
};

struct Inference {
    std::string weights = "bf16";
    bool weightsAsStored = false; ///< in place of `weights`, where the model has stored ones
    std::string kvCache = "bf16";
    std::optional<ComputeFormat> compute;
    double concurrentSequences = 1; ///< per replica
    double promptTokens = 2048;
    double outputTokens = 256;
    double prefillChunkTokens = 8192;
    double memoryFraction = 0.9;
    AttentionKernel attention = AttentionKernel::Flash;
    std::string engine = "generic";
    std::optional<double> arrivalPerSecond;
    std::optional<int> gpuLayers; ///< layers on the GPU, the others on the host (llama.cpp)
    friend bool operator==(const Inference &, const Inference &) = default;
};

struct Parallelism {
    int data = 1;
    int tensor = 1;
    int pipeline = 1;
    int virtualStages = 1;           ///< v: chunks of layers on each pipeline rank
    int context = 1;                 ///< c: ranks that share one sequence
    int expert = 1;                  ///< e: ranks that share a layer's experts
    std::optional<int> expertTensor; ///< tensor degree inside an expert
    Sharding sharding = Sharding::None;
    bool sequenceParallel = true;
    Schedule schedule = Schedule::OneForwardOneBackward;
    std::vector<int>
        layersPerStage; ///< p or p x v entries; empty: as even as it goes, the first stages take the remainder
    Offload offload = Offload::None;
    int world() const { return data * tensor * pipeline * context; }
    friend bool operator==(const Parallelism &, const Parallelism &) = default;
};

/// A GPU of the catalogue, or one derived from it with some figures changed.
struct GpuChoice {
    std::string id;   ///< as reported; for a derived GPU its own NAME
    std::string base; ///< catalogue id; equals `id` for a plain choice
    std::optional<double> memoryBytes, bandwidthBytesPerSecond, boardWatts, priceUsd, gpusPerDomain;
    std::array<std::optional<double>, computeFormatCount> peakFlopsPerSecond;
    bool isDerived() const { return id != base; }
    friend bool operator==(const GpuChoice &, const GpuChoice &) = default;
};

struct Hardware {
    std::vector<GpuChoice> gpus;
    int gpusPerNode = 8;
    std::optional<double> networkGbitPerSecond; ///< per node, one direction; absent: one node only
    std::optional<double> powerLimitWatts;
    std::optional<double> inputTokensPerSecond;
    std::optional<double> contextBytes, fragmentationFraction, reservedBytes;
    friend bool operator==(const Hardware &, const Hardware &) = default;
};

/// Every term may override the preset's.
struct Economics {
    std::string preset = "colocation";
    std::optional<double> usdPerKwh, pue, lifetimeYears, utilization, gpuUsd, serverUsdPerNode, networkUsdPerNode,
        facilityUsdPerKwMonth, maintenanceUsdPerYear, peopleUsdPerYear, otherUsdPerYear, costOfCapital,
        residualFraction, rentUsdPerGpuHour, gridKgCo2PerKwh;
    friend bool operator==(const Economics &, const Economics &) = default;
};

struct Scenario {
    std::string name;
    ModelChoice model;
    Task task = Task::Training;
    Training training;
    Inference inference;
    Parallelism parallelism;
    Hardware hardware;
    Economics economics;
    friend bool operator==(const Scenario &, const Scenario &) = default;
};

/// Whether weights are served in the widths of the model's own file.
inline bool servesStoredWeights(const Scenario &s) {
    return s.inference.weightsAsStored && s.model.stored.has_value();
}

/// Takes the model; one that comes with weights is served as it is stored until a format is chosen.
inline void adoptModel(Scenario &s, ModelChoice model) {
    s.model = std::move(model);
    s.inference.weightsAsStored = s.model.stored.has_value();
}

/// The global batch in force: the given one, or micro_batch x data.
inline double globalBatchOf(const Scenario &s) {
    return s.training.globalBatch > 0 ? s.training.globalBatch : s.training.microBatch * s.parallelism.data;
}

} // namespace ridgepoint
