// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Serving: prefill of prompts in chunks, and one decode step at the mean context.
#include "core/model/weight_bits.h"
#include "core/performance/collectives.h"
#include "core/performance/model_flops.h"
#include "core/performance/passes.h"
#include "core/performance/tasks.h"

namespace ridgepoint {

namespace {

/// One engine step: which tokens run through the network together.
struct Batch {
    double sequences = 1;
    double queries = 1; ///< tokens per sequence
    double context = 1; ///< keys and values each attends to, its own included in prefill; a mean where steps differ
    double windowedContext = 1; ///< the same for layers with a window, before the window is applied
    double steps = 1;
};

template <Number N>
struct StepTime {
    PassTime<N> work; ///< over all stages, one after another
    N communicationSeconds{}, launchSeconds{};
    N seconds{};
};

/// Bits of an operand on the matrix engine.
double widthOf(ComputeFormat format) {
    switch (format) {
    case ComputeFormat::Fp32:
    case ComputeFormat::Tf32:
        return 32;
    case ComputeFormat::Fp16:
    case ComputeFormat::Bf16:
        return 16;
    case ComputeFormat::Fp8:
    case ComputeFormat::Mxfp8:
    case ComputeFormat::Int8:
        return 8;
    case ComputeFormat::Nvfp4:
        return 4;
    }
    return 16;
}

/// Mean over j = 0 .. count-1 of min(first + j, window).
double meanContext(double first, double count, double window) {
    const double growing = std::clamp(window - first, 0.0, count);
    const double sum = growing * first + growing * (growing - 1) / 2 + (count - growing) * window;
    return sum / count;
}

template <Number N>
class Serving {
public:
    explicit Serving(const Setting &setting)
        : setting_(setting), inference_(setting.scenario->inference), parallelism_(setting.scenario->parallelism),
          machine_(machineOf<N>(setting)), groups_(groupsOf(parallelism_, false)), tensorRing_(setting, groups_.tensor),
          expertRing_(setting, groups_.expert), stageRing_(setting, groups_.pipeline),
          castBytes_(
              factOf<N>(setting.catalog->general.castBytesPerElement, "bytes moved per element of a cast", "bytes")),
          sequences_(fact<N>(inference_.concurrentSequences, "concurrent sequences", "sequences", "scenario")),
          prompt_(fact<N>(inference_.promptTokens, "prompt", "tokens", "scenario")),
          output_(fact<N>(inference_.outputTokens, "output", "tokens", "scenario")) {
        whole_.layers = setting.shape.layers;
        for (const StagePlan &plan : setting.stages) {
            whole_.fullAttentionLayers += plan.fullAttentionLayers;
            whole_.windowedLayers += plan.windowedLayers;
            whole_.linearAttentionLayers += plan.linearAttentionLayers;
            whole_.denseLayers += plan.denseLayers;
            whole_.moeLayers += plan.moeLayers;
            whole_.encoderLayers += plan.encoderLayers;
        }
        whole_.first = whole_.last = true;
    }

    PerformanceReport<N> evaluate() {
        report_.roofline.operations.reserve(64);
        fillRoofs(setting_, machine_, report_.roofline);
        prefill();
        decode();
        finish();
        return std::move(report_);
    }

private:
    Traffic<N> trafficOf(bool isDecode, const OperationList<N> &list) const {
        Traffic<N> t;
        const StorageFormat &format = *setting_.weightFormat;
        const N bits = fact<N>(meanLinearBits(setting_, list), "bits of a linear weight", "bits",
                               format.bitsPerLinearWeight.source);
        t.weightBytes = named<N>(bits / N(8.0), "bytes of a linear weight", "bytes");
        t.otherWeightBytes = named<N>(factOf<N>(format.bitsPerOtherWeight, "bits of other weights", "bits") / N(8.0),
                                      "bytes of other weights", "bytes");
        t.hasWeightScale = setting_.weightScale != 1;
        t.weightScale = fact<N>(setting_.weightScale, "weight scale");
        t.skipsMaskedScores = inference_.attention == AttentionKernel::Flash;
        t.attentionKernels = t.skipsMaskedScores ? 1 : 3; // scores, softmax, weighted sum
        t.expandsWeights = format.bitsPerLinearWeight.value < widthOf(setting_.compute);
        t.isDecode = isDecode;
        if (const auto &scores = setting_.engine->scoreTraffic; scores && !isDecode && !t.skipsMaskedScores) {
            t.scoreTraffic = factOf<N>(*scores, "bytes of materialized attention over those of 16-bit scores");
        }
        if (isDecode && setting_.engine->expandedCachePasses && !setting_.shape.mla) {
            t.cachePasses =
                factOf<N>(*setting_.engine->expandedCachePasses, "times that the expanded cache is moved") *
                (fact<N>(setting_.shape.heads, "query heads") / fact<N>(setting_.shape.kvHeads, "key/value heads"));
        }
        t.matrixVector = isDecode && machine_.matrixVectorRate;
        return t;
    }

    N attended(const Operation<N> &op, const Batch &batch) const {
        if (op.kind != OperationKind::Attention || batch.queries <= 1 || op.causalFlopsShare == 1) {
            return N(1.0);
        }
        const double window = isWindowedAttention(op, setting_.shape) ? *setting_.shape.attentionWindow : 0;
        return fact<N>(
            attendedShare(batch.queries, batch.context - batch.queries, window, setting_.shape.chunkedWindow),
            "share of the scores that the causal mask leaves");
    }

    /// Layers over every stage for the time; the rows of the roofline are those of the slowest stage.
    StepTime<N> time(const Batch &batch, Phase phase, bool withRows) {
        const bool isDecode = phase == Phase::Decode;
        const N sequences = fact<N>(batch.sequences, "sequences of the batch", "sequences");
        const N queries = fact<N>(batch.queries, "tokens per sequence", "tokens");
        const OperationList<N> list = describeInference<N>(
            setting_, sequences, queries, fact<N>(batch.context, isDecode ? "mean context" : "context", "tokens"));
        OperationList<N> windowed;
        if (batch.windowedContext != batch.context) {
            windowed = describeInference<N>(setting_, sequences, queries,
                                            fact<N>(batch.windowedContext, "mean context within the window", "tokens"));
        }
        const Traffic<N> traffic = trafficOf(isDecode, list);
        PassByRepeat<N> passes{};
        TensorTrafficByRepeat<N> tensor{};
        std::array<Collectives<N>, repeatKinds> experts{};
        std::vector<OperationTime<N>> times;
        times.reserve(list.operations.size());
        for (std::size_t i = 0; i < list.operations.size(); ++i) {
            const bool differs =
                !windowed.operations.empty() && isWindowedAttention(list.operations[i], setting_.shape);
            const Operation<N> &op = differs ? windowed.operations[i] : list.operations[i];
            if (!op.runs) {
                times.emplace_back();
                continue;
            }
            times.push_back(forwardTime(op, machine_, traffic, attended(op, batch)));
            passes[indexOf(op.repeat)].add(times.back(), op.name);
            if (isNarrow(setting_.compute) && op.kind == OperationKind::MatMul &&
                (op.weightClass == WeightClass::Linear || op.weightClass == WeightClass::Expert)) {
                passes[indexOf(op.repeat)].add(castTime<N>(op.m * op.k, castBytes_, machine_), "casts");
            }
            tensor[indexOf(op.repeat)].add(op);
            if (op.exchange == Exchange::ExpertAllToAll) {
                experts[indexOf(op.repeat)].add(op.exchangeBytes);
            }
        }
        StepTime<N> step;
        step.work = stagePass(passes, whole_);
        const Transfer<N> send = stageRing_.send(list.layerInputBytes);
        communication(step, wiresOf(tensor, experts, whole_), send);
        launches(step, list, batch.sequences);
        N total = step.work.seconds();
        if (valueOf(step.communicationSeconds) > 0) {
            total += step.communicationSeconds;
        }
        step.seconds = named<N>(total + step.launchSeconds, isDecode ? "decode step" : "prefill step", "s");
        if (withRows) {
            rows(list, times, passes, phase, batch.steps);
            const StagePlan &plan = slowestStage(passes);
            const Wires wiresOfStage = wiresOf(tensor, experts, plan);
            meanWires(isDecode ? "tensor-parallel all-reduce, decode" : "tensor-parallel all-reduce, prefill",
                      wiresOfStage.allReduceCount, batch.steps, wiresOfStage.allReduces);
            meanWires(isDecode ? "experts' all-to-all, decode" : "experts' all-to-all, prefill",
                      wiresOfStage.allToAllCount, batch.steps, wiresOfStage.allToAll);
            wires(isDecode ? "pipeline send, decode" : "pipeline send, prefill", batch.steps, send);
        }
        return step;
    }

    /// What the layers of a plan pass around in one step.
    struct Wires {
        double allReduceCount = 0, allToAllCount = 0;
        Transfer<N> allReduces, allToAll; ///< all of the step
    };
    Wires wiresOf(const TensorTrafficByRepeat<N> &tensor, const std::array<Collectives<N>, repeatKinds> &experts,
                  const StagePlan &plan) const {
        Wires result;
        if (!tensorRing_.isAlone()) {
            const Collectives<N> reduces = onStage(tensor, plan).allReduces;
            result.allReduceCount = reduces.count;
            result.allReduces = reduces.time(tensorRing_, &Ring<N>::allReduce);
        }
        if (!expertRing_.isAlone()) {
            Collectives<N> sum;
            for (std::size_t i = 0; i < repeatKinds; ++i) {
                sum.addTimes(experts[i], plan.executions(allRepeats[i]));
            }
            result.allToAllCount = sum.count;
            result.allToAll = sum.time(expertRing_, &Ring<N>::allToAll);
        }
        return result;
    }

    void communication(StepTime<N> &step, const Wires &wires, const Transfer<N> &send) const {
        for (const Transfer<N> *each : {&wires.allReduces, &wires.allToAll}) {
            if (valueOf(each->seconds) > 0) {
                step.communicationSeconds += each->seconds;
            }
        }
        if (!stageRing_.isAlone()) {
            step.communicationSeconds += fact<N>(parallelism_.pipeline - 1, "boundaries between stages") * send.seconds;
        }
        step.communicationSeconds = named<N>(step.communicationSeconds, "communication of a step", "s");
    }

    /// Kernels that the engine runs beside those of the operations, what the host falls behind, and its fixed time per
    /// step and sequence.
    void launches(StepTime<N> &step, const OperationList<N> &list, double sequences) const {
        // Kernels of experts come on top of a dense layer's, whose MLP they replace.
        constexpr int denseMlpOperations = 3;
        int executed = denseMlpOperations * whole_.moeLayers;
        for (const Operation<N> &op : list.operations) {
            const bool counts = isLayer(op.repeat) && op.repeat != Repeat::MoeLayer && op.runs;
            executed += counts ? whole_.executions(op.repeat) : 0;
        }
        const Engine &engine = *setting_.engine;
        const N layers = fact<N>(setting_.shape.layers, "layers");
        N beside{};
        if (engine.kernelsPerLayer.value * setting_.shape.layers > executed) {
            beside = (layers * factOf<N>(engine.kernelsPerLayer, "kernels of a layer") -
                      fact<N>(executed, "operations of all layers")) *
                     machine_.kernelSeconds;
        }
        N behind{};
        if (engine.hostSecondsPerLayer.value > 0) {
            const N host = layers * factOf<N>(engine.hostSecondsPerLayer, "host time of a layer", "s");
            behind = larger(N(0.0), host - (step.work.seconds() + step.communicationSeconds + beside));
        }
        N sum = factOf<N>(engine.hostSecondsPerStep, "host time of a step", "s") +
                factOf<N>(engine.secondsPerSequence, "host time of a sequence and step", "s") *
                    fact<N>(sequences, "sequences of the batch");
        if (valueOf(beside) > 0) {
            sum += named<N>(beside, "kernels beside those of the operations", "s");
        }
        if (valueOf(behind) > 0) {
            sum += named<N>(behind, "what the host falls behind", "s");
        }
        step.launchSeconds = named<N>(sum, "launches and host", "s");
    }

    const StagePlan &slowestStage(const PassByRepeat<N> &passes) const {
        const StagePlan *slowest = &setting_.stages.front();
        double most = -1;
        for (const StagePlan &plan : setting_.stages) {
            double seconds = 0;
            for (const Repeat repeat : allRepeats) {
                seconds += plan.executions(repeat) * valueOf(passes[indexOf(repeat)].seconds());
            }
            if (seconds > most) {
                most = seconds;
                slowest = &plan;
            }
        }
        return *slowest;
    }

    void rows(const OperationList<N> &list, const std::vector<OperationTime<N>> &times, const PassByRepeat<N> &passes,
              Phase phase, double steps) {
        const StagePlan &plan = slowestStage(passes);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const Operation<N> &op = list.operations[i];
            if (const int executions = plan.executions(op.repeat); executions > 0 && op.runs) {
                report_.roofline.operations.push_back(rowOf(op, phase, executions * steps, times[i], machine_));
            }
        }
    }

    void wires(std::string_view name, double count, const Transfer<N> &once) {
        if (count > 0 && valueOf(once.bytes) > 0) {
            report_.roofline.operations.push_back(wireRow<N>(name, count, once.bytes, once.seconds));
        }
    }

    void meanWires(std::string_view name, double count, double steps, const Transfer<N> &all) {
        if (count > 0 && valueOf(all.bytes) > 0) {
            report_.roofline.operations.push_back(meanWireRow<N>(name, count, all));
            report_.roofline.operations.back().count *= steps;
        }
    }

    /// The batches that `sequences` prompts run in: whole prompts share a chunk while they fit; a longer prompt has
    /// chunks of its own. Steps of one size run at their mean context, which is exact as attention is linear in it.
    static void addPrompts(std::vector<Batch> &batches, double sequences, double prompt, double chunk) {
        if (prompt <= chunk) {
            const double together = std::min(std::floor(chunk / prompt), sequences);
            const double full = std::floor(sequences / together);
            batches.push_back({.sequences = together,
                               .queries = prompt,
                               .context = prompt,
                               .windowedContext = prompt,
                               .steps = full});
            if (const double rest = sequences - full * together; rest > 0) {
                batches.push_back(
                    {.sequences = rest, .queries = prompt, .context = prompt, .windowedContext = prompt, .steps = 1});
            }
            return;
        }
        const double full = std::floor(prompt / chunk);
        const double rest = prompt - full * chunk;
        const double mean = chunk * (full + 1) / 2;
        batches.push_back(
            {.sequences = 1, .queries = chunk, .context = mean, .windowedContext = mean, .steps = full * sequences});
        if (rest > 0) {
            batches.push_back(
                {.sequences = 1, .queries = rest, .context = prompt, .windowedContext = prompt, .steps = sequences});
        }
    }

    void prefill() {
        std::vector<Batch> batches;
        batches.reserve(2);
        // An encoder sees its whole input at once.
        const double chunk = setting_.shape.encoder ? std::max(inference_.prefillChunkTokens, inference_.promptTokens)
                                                    : inference_.prefillChunkTokens;
        addPrompts(batches, inference_.concurrentSequences, inference_.promptTokens, chunk);
        for (const Batch &batch : batches) {
            const StepTime<N> step = time(batch, Phase::Prefill, true);
            const N steps = fact<N>(batch.steps, "prefill steps of this size");
            prefill_.work.addTimes(step.work, steps);
            if (valueOf(step.communicationSeconds) > 0) {
                prefill_.communicationSeconds += steps * step.communicationSeconds;
            }
            prefill_.launchSeconds += steps * step.launchSeconds;
            prefill_.seconds += steps * step.seconds;
        }
        const double prompts = inference_.concurrentSequences;
        N first = prefill_.seconds;
        if (prompts > 1 && inference_.promptTokens > inference_.prefillChunkTokens) {
            first = prefill_.seconds / sequences_;
        } else if (prompts > 1) {
            const double prompt = inference_.promptTokens;
            first = time({.sequences = 1, .queries = prompt, .context = prompt, .windowedContext = prompt, .steps = 1},
                         Phase::Prefill, false)
                        .seconds;
        }
        const auto &rate = setting_.scenario->hardware.inputTokensPerSecond;
        if (rate) {
            const N delivered = fact<N>(*rate, "input", "tokens/s", "scenario");
            const N all = fact<N>(parallelism_.data, "replicas") * sequences_ * prompt_;
            inputSeconds_ =
                larger(N(0.0), named<N>(all / delivered, "delivery of the prompts", "s") - prefill_.seconds);
            first = larger(first, prompt_ / delivered);
        }
        report_.time.timeToFirstTokenSeconds = named<N>(first, "time to first token", "s");
    }

    void decode() {
        const double prompt = inference_.promptTokens;
        const double outputs = inference_.outputTokens;
        Batch batch{.sequences = inference_.concurrentSequences, .queries = 1, .context = prompt + (outputs - 1) / 2};
        // Where a window caps some steps, the mean over the capped contexts; describe() caps it once more, to no
        // effect.
        batch.windowedContext = setting_.shape.attentionWindow
                                    ? meanContext(prompt, outputs, *setting_.shape.attentionWindow)
                                    : batch.context;
        decode_ = time(batch, Phase::Decode, true);
    }

    void finish() {
        TimeBreakdown<N> &b = report_.time.breakdown;
        const auto both = [this](const N &prefill, const N &perToken, std::string_view label) {
            const N later = output_ * perToken;
            return named<N>(valueOf(prefill) > 0 ? prefill + later : later, label, "s");
        };
        b.computeSeconds = both(prefill_.work.computeSeconds, decode_.work.computeSeconds, "compute-bound operations");
        b.memorySeconds = both(prefill_.work.memorySeconds, decode_.work.memorySeconds, "memory-bound operations");
        b.communicationSeconds = both(prefill_.communicationSeconds, decode_.communicationSeconds, "communication");
        b.launchSeconds = both(prefill_.launchSeconds, decode_.launchSeconds, "launches and host");
        b.inputSeconds = inputSeconds_;
        N total = b.computeSeconds + b.memorySeconds;
        for (const N *part : {&b.communicationSeconds, &b.launchSeconds, &b.inputSeconds}) {
            if (valueOf(*part) > 0) {
                total += *part;
            }
        }
        b.totalSeconds = named<N>(total, "prefill and decode of all sequences", "s");
        rates();
        activity();
    }

    void rates() {
        TimeReport<N> &t = report_.time;
        const N replicas = fact<N>(parallelism_.data, "replicas");
        t.prefillSeconds = named<N>(valueOf(inputSeconds_) > 0 ? prefill_.seconds + inputSeconds_ : prefill_.seconds,
                                    "prefill of all prompts", "s");
        t.prefillTokensPerSecond = replicas * sequences_ * prompt_ / *t.prefillSeconds;
        t.timePerOutputTokenSeconds = named<N>(decode_.seconds, "time per output token", "s");
        t.decodeTokensPerSecond = replicas * sequences_ / *t.timePerOutputTokenSeconds;
        const N whole = named<N>(*t.prefillSeconds + output_ * *t.timePerOutputTokenSeconds,
                                 "prefill and decode of all sequences", "s");
        t.outputTokensPerSecond = replicas * sequences_ * output_ / whole;
        t.requestsPerSecond = replicas * sequences_ / whole;
    }

    void activity() {
        const TimeBreakdown<N> &b = report_.time.breakdown;
        Activity<N> &a = report_.activity;
        // Stages take turns: each GPU does its stage's part of the work.
        const N stages = fact<N>(parallelism_.pipeline, "pipeline stages");
        const N flops = named<N>(prefill_.work.flops + output_ * decode_.work.flops, "FLOPs of all sequences", "FLOP");
        const N bytes = named<N>(prefill_.work.bytes + output_ * decode_.work.bytes, "bytes of all sequences", "bytes");
        a.compute = named<N>(flops / stages / (machine_.matmulPeak * b.totalSeconds), "share of the peak");
        a.memory = named<N>(bytes / stages / (machine_.bandwidth * b.totalSeconds), "share of the bandwidth");
        a.communication = b.communicationSeconds / b.totalSeconds;
        a.idle = b.inputSeconds / b.totalSeconds;
    }

    const Setting &setting_;
    const Inference &inference_;
    const Parallelism &parallelism_;
    Machine<N> machine_;
    Groups groups_;
    Ring<N> tensorRing_, expertRing_, stageRing_;
    N castBytes_;
    N sequences_, prompt_, output_;
    StagePlan whole_;
    StepTime<N> prefill_, decode_;
    N inputSeconds_{};
    PerformanceReport<N> report_;
};

} // namespace

template <Number N>
PerformanceReport<N> inferencePerformance(const Setting &setting) {
    return Serving<N>(setting).evaluate();
}

template PerformanceReport<double> inferencePerformance(const Setting &);
template PerformanceReport<Traced> inferencePerformance(const Setting &);

} // namespace ridgepoint
