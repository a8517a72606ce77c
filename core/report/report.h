// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Report: what evaluate() returns for one GPU; every number of the window and of the command line is a member of it.
#pragma once

#include "core/number/number.h"
#include "core/scenario/scenario.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgepoint {

/// Where nine of ten measurements of this kind lay around the prediction. Never part of the prediction itself.
template <Number N>
struct PredictionBand {
    N low{}, high{};
};

enum class MemoryComponent {
    Weights,
    Gradients,
    MasterWeights,
    OptimizerStates,
    Activations,
    Logits,
    KvCache,
    GatheredWeights,
    CommunicationBuffers,
    Workspace
};
inline constexpr std::size_t memoryComponentCount = 10;
/// The report key, as `optimizer_states_bytes`.
std::string_view keyOf(MemoryComponent component);
std::string_view nameOf(MemoryComponent component); ///< in words, as `optimizer states`

/// Moments of a step at which memory can peak.
enum class Instant { ForwardEnd, Loss, BackwardStart, BackwardEnd, OptimizerStep, Prefill, Decode };
inline constexpr std::size_t instantCount = 7;
std::string_view keyOf(Instant instant); ///< as `backward_start`

enum class Bound { Compute, Memory, Latency, Communication };
std::string_view keyOf(Bound bound);
enum class Phase { Forward, Backward, Recompute, OptimizerStep, Prefill, Decode, Communication };
std::string_view keyOf(Phase phase);
std::string_view keyOf(FlopConvention convention);

/// Bytes of one rank of one pipeline stage. Each component is rounded once; allocated is the sum of those.
template <Number N>
struct StageMemory {
    int stage = 0;
    std::array<N, memoryComponentCount> components{}; ///< alive at the peak instant
    N allocatedBytes{}, fragmentationBytes{}, reservedBytes{}, contextBytes{},
        totalBytes{};     ///< peak allocated; + slack; + context
    N modelStatesBytes{}; ///< gradients in full whenever they are freed
    N hostBytes{};        ///< what offloading moved to the host; in no other sum
    Instant peakInstant = Instant::ForwardEnd;
    std::array<std::optional<N>, instantCount> allocatedByInstant{};
    const N &operator[](MemoryComponent c) const { return components[static_cast<std::size_t>(c)]; }
    N &operator[](MemoryComponent c) { return components[static_cast<std::size_t>(c)]; }
};

template <Number N>
struct MemoryReport {
    std::vector<StageMemory<N>> stages;
    std::size_t worstStage = 0;
    N capacityBytes{};
    N headroomBytes{}; ///< capacity (or the engine's share of it) minus total; negative: does not fit
    std::optional<N> preallocatedBytes;
    PredictionBand<N> totalBand; ///< bytes, around the worst rank's total
    // inference only
    std::optional<N> kvCacheBytesPerToken, kvCacheCapacityTokens, maxConcurrentSequences, maxSequenceTokens;
    std::optional<N> kvCacheBytesPerTokenBeyondWindow; ///< where some layers have a window
    std::optional<N> hostBytes;                        ///< what the host's memory holds
    const StageMemory<N> &worst() const { return stages[worstStage]; }
};

/// One execution of an operation on the worst stage. flops and bytes per execution on one rank.
template <Number N>
struct OperationReport {
    std::string_view name;
    Phase phase = Phase::Forward;
    double count = 1; ///< executions per step (training) or per prefill / output token (inference)
    N flops{}, bytes{};
    std::optional<N> intensityFlopPerByte; ///< absent where no bytes move
    Bound bound = Bound::Compute;
    std::optional<N> attainableFlopsPerSecond; ///< the roof above this intensity
    N timeSeconds{};
    std::optional<N> occupancy, smUtilization;
};

template <Number N>
struct RooflineReport {
    N ridgeFlopPerByte{};
    std::array<std::optional<N>, computeFormatCount> peaks{};
    ComputeFormat compute = ComputeFormat::Bf16; ///< of the scenario on this GPU
    N bandwidthBytesPerSecond{};
    std::vector<OperationReport<N>> operations;
};

template <Number N>
struct TimeBreakdown {
    N computeSeconds{}, memorySeconds{}, communicationSeconds{}, bubbleSeconds{}, launchSeconds{}, optimizerSeconds{},
        inputSeconds{};
    N totalSeconds{}; ///< their sum
};

template <Number N>
struct TimeReport {
    TimeBreakdown<N> breakdown;
    // training
    std::optional<N> stepSeconds, tokensPerSecond, tokensPerSecondPerGpu, modelFlopsPerSecondPerGpu,
        hardwareFlopsPerSecondPerGpu, mfu, hfu, runSeconds;
    FlopConvention convention = FlopConvention::Model;
    // inference
    std::optional<N> timeToFirstTokenSeconds, prefillTokensPerSecond, prefillSeconds, timePerOutputTokenSeconds,
        decodeTokensPerSecond, outputTokensPerSecond, requestsPerSecond;
    std::optional<PredictionBand<N>> stepBand, firstTokenBand, outputTokenBand, throughputBand;
};

template <Number N>
struct PowerReport {
    N gpuWatts{}, nameplateWatts{}, nodeWatts{}, clusterWatts{}, siteWatts{};
    std::optional<N> energyPerStepJoules; ///< training
    N energyPerTokenJoules{};
    std::optional<N> runEnergyKwh, runCo2Kg;
    PredictionBand<N> gpuBand; ///< watts
    int gpusInNode = 1;        ///< that nodeWatts covers
};

template <Number N>
struct CostReport {
    // over the lifetime; gpuUsd and what needs it are absent where the GPU has no price
    std::optional<N> gpuUsd, serverUsd, networkUsd;
    N energyUsd{}, coolingUsd{}, facilityUsd{}, maintenanceUsd{}, peopleUsd{}, otherUsd{};
    std::optional<N> capitalUsd, tcoUsd, tcoOverGpuPrice, tcoOverSystemPrice, usdPerMillionTokens, runUsd, rentUsd,
        breakEvenUtilization;
    bool rentNeverBreaksEven = false; ///< renting stays cheaper at any utilization: break-even is null
};

/// A single change that makes the scenario fit; it is itself a valid scenario.
struct Advice {
    std::string change; ///< in words
    std::string path;   ///< scenario field, as `parallelism.sharding`
    std::string from, to;
    double totalBytes = 0;
    double stepRatio = 1; ///< step time after / before
};

template <Number N>
struct GpuReport {
    std::string gpu;     ///< ID
    std::string gpuName; ///< for people
    std::string gpuShortName;
    Task task = Task::Training;
    bool fits = false;
    /// False where some layers run on the host, whose speed no fact tells: roofline, time, power and cost are then
    /// empty.
    bool hasPerformance = true;
    MemoryReport<N> memory;
    RooflineReport<N> roofline;
    TimeReport<N> time;
    PowerReport<N> power;
    CostReport<N> cost;
    std::vector<Advice> advice; ///< filled by advise(), empty when it fits
};

struct ModelReport {
    std::string name; ///< preset id, config path, or `explicit`
    double parametersTotal = 0, parametersActive = 0;
    TransformerShape shape;
};

template <Number N>
struct Report {
    std::string scenario;
    ModelReport model;
    Task task = Task::Training;
    std::vector<GpuReport<N>> gpus;
    std::vector<std::string> assumptions;
};

/// The model part of a report.
ModelReport describeModel(const Scenario &scenario);

struct EvaluateOptions {
    FlopConvention convention = FlopConvention::Model;
};

/// Evaluates one scenario for one GPU. Pre: checkScenario() found nothing.
template <Number N>
GpuReport<N> evaluateGpu(const Scenario &scenario, const Gpu &gpu, const Catalog &catalog,
                         const EvaluateOptions &options = {});
/// For every GPU of the scenario. Pre: checkScenario() found nothing.
template <Number N>
Report<N> evaluate(const Scenario &scenario, const Catalog &catalog, const EvaluateOptions &options = {});

} // namespace ridgepoint
