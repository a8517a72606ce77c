// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The facts the formulas stand on, as values read from data: accelerators, formats, optimizers, recipes, frameworks,
// engines, economics.
#pragma once

#include "core/model/shape.h"
#include "core/scenario/problem.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A figure with where it comes from. Estimates are labelled as such wherever they are shown.
struct Fact {
    double value = 0;
    std::string source;
    bool estimate = false;
    std::string note; ///< date of a price, dispute, or condition; empty for none
    std::string
        confidence; ///< `high`: vendor document or two independent sources; `medium`; `low`; empty where not graded
};

/// Formats a matrix multiplication can run in; each has its own peak.
enum class ComputeFormat { Fp32, Tf32, Fp16, Bf16, Fp8, Mxfp8, Nvfp4, Int8 };
inline constexpr std::size_t computeFormatCount = 8;
std::string_view idOf(ComputeFormat format);
std::optional<ComputeFormat> computeFormatFromId(std::string_view id);

/// What one GPU architecture reaches of its peaks; fitted, each with its fit in `source`.
struct Efficiency {
    Fact matmulShareOfPeak;       ///< sustained share of dense peak of a large 16-bit matrix multiplication
    Fact matmulShareOfPeakNarrow; ///< the same for 8-bit formats
    Fact matmulShareOfPeakFp4;    ///< the same for 4-bit formats
    Fact halfAccumulateSpeedup;   ///< of 16-bit multiplications that accumulate in 16 bits, over the peak
    Fact streamingShareOfBandwidth;
    Fact attentionForwardShareOfPeak;
    Fact attentionBackwardShareOfPeak;
    Fact olderAttentionShare;   ///< of those rates, with kernels of the generation before (FlashAttention 2 on Hopper)
    Fact tileRows, tileColumns; ///< output tile of one SM in elements
    Fact kDepthRamp;            ///< efficiency is K / (K + ramp)
    Fact kernelSeconds;         ///< fixed time of one kernel on the GPU
    Fact linkShare;             ///< share of the scale-up link's rate that collectives reach
    Fact pcieShare;             ///< share of the PCIe rate that GPU-to-GPU traffic reaches
    Fact linkLatencySeconds;    ///< of one step of a collective inside the domain
};

/// A GPU architecture and what its chips reach of their peaks.
struct Architecture {
    std::string id;   ///< as `ampere-ga100`; what `architecture` of a GPU entry names
    std::string name; ///< as `Ampere (GA100)`
    Efficiency efficiency;
};

struct Gpu {
    std::string id;        ///< kebab-case, as `nvidia-h100-sxm`
    std::string name;      ///< as `NVIDIA H100 SXM`
    std::string shortName; ///< for chart axes, as `H100 SXM`
    std::string vendor;
    std::string architecture;
    int launchYear = 0;
    Fact memoryBytes;   ///< nominal capacity
    Fact capacityBytes; ///< what the driver reports as usable; the nominal one, marked estimate, where no report is
                        ///< known
    Fact bandwidthBytesPerSecond;
    std::array<std::optional<Fact>, computeFormatCount>
        peakFlopsPerSecond; ///< dense, FP32 accumulate; absent: no such path
    bool structuredSparsity = false;
    Fact boardWatts;
    Fact idleWatts;
    std::optional<Fact> minimumPowerLimitWatts;
    std::string linkName;                   ///< NVLink 4, XGMI; empty: none
    std::optional<Fact> linkBytesPerSecond; ///< per GPU and direction; absent: PCIe only
    Fact gpusPerDomain;                     ///< 1 where there is no scale-up link
    std::optional<Fact> pcieBytesPerSecond; ///< per direction
    bool pciePeerAccess = true;
    std::optional<Fact> multiprocessors;
    std::optional<Fact> maxResidentThreads;
    std::optional<Fact> l2CacheBytes;
    std::optional<Fact> priceUsd;
    std::optional<Fact> rentUsdPerHour;
    Efficiency efficiency; ///< of its architecture
    std::vector<std::string> disputes;
    std::string architectureId;       ///< key of Catalog::architectures
    std::string formFactor;           ///< as `SXM5`
    std::string launchNote;           ///< what the reader should know about the figures; empty for none
    std::string pciePeerAccessSource; ///< where the statement on peer access comes from; empty for the usual case

    const std::optional<Fact> &peak(ComputeFormat format) const {
        return peakFlopsPerSecond[static_cast<std::size_t>(format)];
    }
};

/// A block layout of quantized weights, scales included.
struct BlockType {
    std::string id;
    std::string name;
    Fact bitsPerWeight;
    int weightsPerBlock = 1;
    int fallback = -1; ///< index of the type that rows take which the block does not divide; -1: none needed
};

/// Tensors that a mix may treat apart; all others have its base type.
enum class MixTensor { Query, Key, Value, AttentionOutput, Down };
/// Layers that a rule holds for, of n from 0. More bits: the first and last eighth, and of the others every third.
enum class MixLayers { All, FirstTwo, FirstSixteenth, FirstEighth, MoreBits };
/// Models that a rule holds for.
enum class MixModels { All, FourQueriesPerKey, EightyLayersGrouped, EightExperts, NotEightExperts };

/// The types of a GGUF file's tensors. Types are indices of Catalog::blockTypes; later rules win.
struct TensorMix {
    struct Rule {
        MixTensor tensor = MixTensor::Value;
        MixLayers layers = MixLayers::All;
        MixModels models = MixModels::All;
        std::vector<int> replaces; ///< only where the type so far is one of these; empty: whatever it is
        int type = 0;
    };
    int base = 0;
    int head = 0; ///< and of the embedding where it is tied
    std::vector<Rule> rules;
};

/// How weights or cache are stored. Bare formats put every weight at exactly that width; the others only the linear
/// layers; a mix says it tensor by tensor.
struct StorageFormat {
    std::string id;
    std::string name;
    Fact bitsPerLinearWeight; ///< true bits, scales included; of a mix, its base type's
    Fact bitsPerOtherWeight;  ///< embeddings, norms and head; of a mix, its head's
    bool forWeights = true;
    bool forCache = true;
    std::string help;
    bool expertsOnly = false; ///< of a model with experts only those are quantized
    std::optional<TensorMix> mix;
};

struct Optimizer {
    std::string id;
    std::string name;
    /// State tensors kept per parameter, each 4 bytes under recipes with fp32 states. Adafactor's factored second
    /// moment is not per parameter: `factored` says so.
    Fact statesPerParameter;
    std::optional<Fact> bytesPerState;               ///< forced width (adamw-bf16: 2, adamw-8bit: 1), else the recipe's
    std::optional<Fact> blockConstantBytesPerState;  ///< quantized states: bytes of scales per parameter and state
    bool smallTensorsInFp32 = false;                 ///< adamw-8bit keeps embeddings and norms at 4 bytes per state
    bool factored = false;                           ///< row and column factors of every matrix (Adafactor)
    std::optional<Fact> statesPerNonMatrixParameter; ///< Muon: AdamW on embeddings, head, norms
    std::string help;
};

/// How weights, gradients, master copy and states are kept; bytes per parameter.
struct Recipe {
    std::string id;
    std::string name;
    Fact weightBytes, gradientBytes, masterBytes;
    Fact stateBytes;        ///< of one state tensor (4 or 2); the optimizer says how many there are
    Fact activationBytes;   ///< per element
    bool shardsAll = false; ///< fsdp-bf16: weights are fp32 shards gathered in 16 bits
    bool castsWeights =
        false; ///< autocast: keeps a 16-bit copy of every matmul weight from its forward to its backward
    ComputeFormat compute = ComputeFormat::Bf16; ///< default
    std::string help;
    bool gradientBufferPersistent = false; ///< gradients live from the first backward on, whatever the framework
};

/// Where measurements of one kind lay around our predictions, as measured / predicted: nine of ten between the two.
struct Band {
    Fact low, high;
};

/// What a training framework keeps and reserves beyond the model's own tensors.
struct Framework {
    std::string id;
    std::string name;
    Fact lossBytesPerLogitMaterialized;         ///< alive at the loss: logits, fp32 copy, gradient
    Fact lossBytesPerLogitFused;                ///< also of each chunk: chunked losses run in one kernel, or compiled
    std::optional<Fact> lossBytesPerLogitSplit; ///< materialized, vocabulary split over tensor ranks; absent: as whole
    Fact workspaceBytes;
    Fact fragmentationFraction;            ///< reserved / allocated - 1
    Fact vocabularyMultiple;               ///< padded to a multiple of this x tensor degree; 1: not padded
    bool gradientBufferPersistent = false; ///< buffers live from the first backward on (Megatron, DeepSpeed)
    Fact optimizerStepCopies;        ///< extra copies of the states' format held at the step (foreach: 1, fused: 0)
    Fact exposedTensorCommunication; ///< share of tensor-parallel traffic that compute does not hide
    Fact hostSecondsPerKernel;
    Fact elementwiseTraffic; ///< streaming bytes over perfect fusion
    std::string help;
    Fact hostSecondsPerLayerPass; ///< host time of one layer, once forward or once backward
    bool tunedAttention = false;  ///< attention kernels of the GPU's own generation (cuDNN, FlashAttention 3)
    std::optional<Fact> dataParallelOverlap; ///< share of compute that hides data-parallel traffic; absent: the general
                                             ///< figure
    std::optional<Fact> attentionShare;      ///< of the architecture's attention rates, in kernels of its own
    std::optional<Fact>
        stallFraction; ///< of a micro-batch's time, lost between kernels: allocator, stragglers, logging
    /// Bucket of the gradient reduction beside the gradients, where a ZeRO stage shards over several ranks; absent: not
    /// modelled.
    std::optional<Fact> communicationBucketBytes;
    Band memoryBand, stepBand; ///< of its own measured cases, or of all frameworks' where it has too few
    /// Driver context, libraries and communicators of one process of this framework; absent: the general figure.
    std::optional<Fact> contextBytes;
    Fact gatheredLayers; ///< layers of sharded parameters gathered at once: in use, and prefetched
    /// Gradient copy of a linear's shape that fused accumulation writes and nobody reads: bytes per element of one
    /// layer's linears and the head; absent: none.
    std::optional<Fact> dummyGradientBytes;
    bool freedGradientsStayReserved = false; ///< blocks of gradients that do not live at the peak count as reserved
    bool keepsGatheredInputs = false;  ///< sequence-parallel inputs are kept gathered, not gathered again in backward
    bool keepsAttentionCopies = false; ///< q, k and v are copied to be contiguous, and the copies kept
    std::optional<Fact> adapterBytes;  ///< of an adapter's weight, gradient and states; absent: the recipe's
    bool adaptersCopyInputs = false;   ///< every adapter casts and keeps an input of its own
    bool trainedModulesAreCopies = false; ///< embeddings or head trained beside adapters keep the frozen original
    bool frozenUnitsKeepInputs = false;   ///< sharded units with frozen weights hold input and its gradient to the end
    bool narrowLinearsKeepInputs = false; ///< frozen linears below 16 bits keep their input for backward
};

/// How an engine runs prompts.
enum class PrefillStyle {
    Chunks,  ///< of at most prefill_chunk_tokens
    Whole,   ///< all prompts at once
    Profiled ///< in chunks, and its start-up measures a full one whatever the prompts are
};

/// Logits that an engine computes once at its start, so that they always fit.
struct WarmUp {
    Fact rows;
    Fact bytesPerLogit;
    std::optional<Fact> rowsOnLargeCards, largeCardBytes; ///< other rows from this capacity on
    std::string smallArchitecture; ///< whose large cards have the rows of small ones; empty for none
};

/// What an inference engine reserves and costs.
struct Engine {
    std::string id;
    std::string name;
    Fact cacheBlockTokens;
    bool preallocates = false; ///< takes memory_fraction of what is usable at the start
    PrefillStyle prefill = PrefillStyle::Chunks;
    Fact hiddenTensors;                    ///< of the hidden size, alive beside the widest operation
    std::optional<Fact> activationBytes;   ///< per element; absent: as the compute format
    std::optional<Fact> mostTokensPerPass; ///< absent: only prefill_chunk_tokens limits
    std::optional<WarmUp> warmUp;          ///< absent: logits of the running batch only
    Fact workspaceBytes;
    std::optional<Fact> graphBytes;         ///< captured graphs, beside the engine's share
    std::optional<Fact> contextBytes;       ///< absent: the general one
    std::optional<Fact> communicationBytes; ///< where several GPUs work together
    Fact hostSecondsPerStep;
    Fact secondsPerSequence;
    Fact kernelsPerLayer;
    std::string help;
    Fact hostSecondsPerLayer; ///< host time of one layer and step; 0 where graphs replay whole steps
    /// Most that one multiprocessor reads per second in matrix-vector kernels; absent: only the memory bandwidth
    /// limits.
    std::optional<Fact> matrixVectorBytesPerSecondPerMultiprocessor;
    Band memoryBand, firstTokenBand, outputTokenBand, throughputBand;
    bool tunedAttention = false;    ///< attention kernels of the GPU's own generation
    bool accumulatesInHalf = false; ///< 16-bit multiplications of prefill accumulate in 16 bits
    /// Bytes of materialized attention in prefill over 16-bit scores that are written and read; absent: just those.
    std::optional<Fact> scoreTraffic;
    std::optional<Fact> matmulShare;           ///< of the sustained matrix-multiplication rate, in kernels of its own
    std::optional<Fact> cacheShareOfBandwidth; ///< of the sustained bandwidth that reading the cache reaches in decode
    /// Keys and values are repeated for every query head and moved so many times in a step; absent: read once as
    /// cached.
    std::optional<Fact> expandedCachePasses;
    std::optional<Fact> narrowWeightsShare; ///< of the sustained bandwidth, where weights are narrower than the compute
                                            ///< format and expanded on the way
};

struct EconomicsPreset {
    std::string id;
    std::string name;
    Fact usdPerKwh, pue, lifetimeYears, utilization;
    Fact serverUsdPerNode, networkUsdPerNode, facilityUsdPerKwMonth, maintenanceUsdPerYear, peopleUsdPerYear,
        otherUsdPerYear;
    Fact costOfCapital, residualFraction, gridKgCo2PerKwh;
    Fact hostWattsPerNode; ///< CPU, memory, NIC, fans and conversion of a full 8-GPU node, at work
    std::string help;
};

struct ModelPreset {
    std::string id;
    std::string name;
    TransformerShape shape;
    std::string source;
    double parameters = 0; ///< exact count, tied embeddings once
};

/// Constants that hold for all hardware (CUDA context, PCIe and network shares, activity of power); by key.
struct GeneralFacts {
    Fact contextBytes;
    Fact driverReservedBytes;   ///< of the reported capacity, that no program can have
    Fact networkShare;          ///< of the wire that collectives reach between nodes
    Fact networkLatencySeconds; ///< of one step between nodes
    Fact powerActivityBase, powerActivityMemory, powerActivityCompute; ///< share of (limit - idle); see speed notes
    Fact powerActivityCommunication;
    Fact unfusedElementwiseTraffic; ///< streaming bytes of unfused kernels over those of fused ones
    Fact castBytesPerElement;       ///< moved to turn an operand into a narrow format
    Fact unfusedExpansionBytes;     ///< moved per quantized frozen weight where no kernel of its own expands it
    Fact groupedMatmulShare;        ///< of a plain multiplication's rate that a grouped one (experts) reaches
    Fact dataParallelOverlap;       ///< share of the last backward that can hide gradient reduction
    Fact hoursPerYear;
    Fact hostLinkShare;               ///< of the PCIe rate that copies between GPU and host memory reach
    Fact hostAdamParametersPerSecond; ///< that the cores of one node update where the optimizer is offloaded
    Fact powerCapExponent;            ///< peak under a power limit = peak x (share of the dynamic power left)^this
    Fact gpusPerBoard; ///< most that one baseboard joins; a larger scale-up domain is a rack's and reaches across nodes
    Fact waveTailShare;         ///< share of the last, partly filled wave over the SMs that costs time
    Fact idleShareOfBoardPower; ///< used for accelerators whose idle power nobody reports
};

struct Grid {
    std::string id, name;
    Fact kgCo2PerKwh;
};

/// Default of one key of the scenario file.
struct ScenarioDefault {
    std::string key;  ///< path in the file, as `training.micro_batch`
    std::string json; ///< the value as JSON text: `1`, `"bf16"`, `null`
    std::string help; ///< one sentence
};

/// How one key of the report reads on screen.
struct QuantityInfo {
    std::string key; ///< last part of the path, as `optimizer_states_bytes`
    std::string label;
    std::string help; ///< one sentence
};

struct Catalog {
    std::vector<Gpu> gpus;
    std::vector<BlockType> blockTypes;
    std::vector<StorageFormat> formats;
    std::vector<Optimizer> optimizers;
    std::vector<Recipe> recipes;
    std::vector<Framework> frameworks;
    std::vector<Engine> engines;
    std::vector<EconomicsPreset> economics;
    std::vector<ModelPreset> models;
    std::vector<Grid> grids;
    GeneralFacts general;
    Band powerBand;
    std::vector<Architecture> architectures;
    std::vector<ScenarioDefault> defaults;
    std::vector<QuantityInfo> quantities;

    const Gpu *gpu(std::string_view id) const;
    const StorageFormat *format(std::string_view id) const;
    const Optimizer *optimizer(std::string_view id) const;
    const Recipe *recipe(std::string_view id) const;
    const Framework *framework(std::string_view id) const;
    const Engine *engine(std::string_view id) const;
    const EconomicsPreset *economicsPreset(std::string_view id) const;
    const ModelPreset *model(std::string_view id) const;
    const Grid *grid(std::string_view id) const;
    const Architecture *architecture(std::string_view id) const;
    const ScenarioDefault *scenarioDefault(std::string_view key) const;
    const QuantityInfo *quantity(std::string_view key) const;
};

/// The catalogue that the program ships with, read from the data embedded at build time. `problems` names file and
/// field of every entry that had a mistake; the rest is there.
struct CatalogResult {
    Catalog catalog;
    struct FileProblem {
        std::string file;
        Problem problem;
    };
    std::vector<FileProblem> problems;
};
CatalogResult builtInCatalog();

/// Adds or replaces accelerators and models from a user's own file (same format as resources/gpus.json or
/// resources/models.json). A bad entry becomes a problem and the rest still loads.
void addUserFile(CatalogResult &result, std::string_view fileName, std::string_view text);
/// Reads every *.json of the folder (sorted by name); a missing folder is not a problem.
void addUserFolder(CatalogResult &result, const std::string &folder);

} // namespace ridgepoint
