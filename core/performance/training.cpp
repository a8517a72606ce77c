// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The step of training: micro-batches, bubble, communication, host, optimizer, input.
#include "core/performance/collectives.h"
#include "core/performance/data_parallel.h"
#include "core/performance/model_flops.h"
#include "core/performance/passes.h"
#include "core/performance/tasks.h"

namespace ridgepoint {

namespace {

template <Number N>
class TrainingStep {
public:
    TrainingStep(const Setting &setting, const EvaluateOptions &options)
        : setting_(setting), options_(options), training_(setting.scenario->training),
          parallelism_(setting.scenario->parallelism), machine_(machineOf<N>(setting)), traffic_(trafficOf()),
          list_(describeTraining<N>(setting)), microBatches_(fact<N>(setting.microBatches, "micro-batches per step")),
          tensorRing_(setting, parallelism_.tensor, 1) {}

    PerformanceReport<N> evaluate() {
        timeOperations();
        timeTensorCollectives();
        const StageStep step = slowestStep();
        report_.roofline.operations.reserve(3 * list_.operations.size() + 8);
        fillRoofs(setting_, machine_, report_.roofline);
        operationRows(*step.plan);
        otherRows(step);
        report_.time.breakdown = step.breakdown;
        activity(step);
        rates();
        return std::move(report_);
    }

private:
    struct TensorCounts {
        int allReduces = 0, allGathers = 0, reduceScatters = 0;
    };

    /// The step as one stage sets its pace.
    struct StageStep {
        const StagePlan *plan = nullptr;
        PassTime<N> work; ///< one micro-batch
        RankParameters<N> parameters;
        OperationTime<N> optimizer;
        TensorCounts tensorCounts;
        DataParallelTime<N> data;
        Transfer<N> pipelineSend;
        TimeBreakdown<N> breakdown;
    };

    Traffic<N> trafficOf() const {
        Traffic<N> t;
        const StateBytes &bytes = setting_.bytes;
        t.weightBytes =
            fact<N>(bytes.gathered.value, "bytes of a weight as a kernel reads it", "bytes", bytes.gathered.source);
        t.otherWeightBytes = t.weightBytes;
        t.gradientBytes = fact<N>(bytes.gradients.value, "bytes of a gradient", "bytes", bytes.gradients.source);
        t.hasWeightScale = setting_.weightScale != 1;
        t.weightScale = fact<N>(setting_.weightScale, "weight scale");
        t.hasElementwiseFactor = setting_.framework->elementwiseTraffic.value != 1;
        t.elementwiseFactor =
            factOf<N>(setting_.framework->elementwiseTraffic, "element-wise traffic over perfect fusion");
        t.skipsMaskedScores = training_.attention == AttentionKernel::Flash;
        t.attentionKernels = t.skipsMaskedScores ? 1 : 3; // scores, softmax, weighted sum
        return t;
    }

    N attended(const Operation<N> &op) const {
        if (op.kind != OperationKind::Attention || !traffic_.skipsMaskedScores) {
            return N(1.0);
        }
        const double window = isWindowedAttention(op, setting_.shape) ? *setting_.shape.attentionWindow : 0;
        return fact<N>(attendedShare(training_.sequenceLength, 0, window),
                       "share of the scores that the causal mask leaves");
    }

    bool isRecomputed(const Operation<N> &op) const {
        switch (training_.recompute) {
        case Recompute::None:
            return false;
        case Recompute::Selective:
            return op.keptBy == KeptBy::AttentionCore;
        case Recompute::SelectiveOps:
        case Recompute::FullLayers:
        case Recompute::Full:
            return isLayer(op.repeat);
        }
        return false;
    }

    void timeOperations() {
        forwards_.reserve(list_.operations.size());
        backwards_.reserve(list_.operations.size());
        for (const Operation<N> &op : list_.operations) {
            const std::size_t repeat = indexOf(op.repeat);
            const N share = attended(op);
            forwards_.push_back(forwardTime(op, machine_, traffic_, share));
            forward_[repeat].add(forwards_.back(), op.name);
            if (isRecomputed(op)) {
                recompute_[repeat].add(forwards_.back(), op.name);
            }
            backwards_.emplace_back();
            if (op.backwardFlopsFactor > 0) { // 0: its backward is part of its forward, as the loss kernel's
                backwards_.back() = backwardTime(op, machine_, traffic_, share);
                backward_[repeat].add(backwards_.back(), op.name);
            }
            counts_.add(op);
            if (valueOf(op.collectiveBytes) > 0) {
                collectiveBytes_ = op.collectiveBytes; // the same for each: tokens x hidden
            }
            countWeights(op);
        }
    }

    void countWeights(const Operation<N> &op) {
        const std::size_t repeat = indexOf(op.repeat);
        if (!op.sharedWeights && valueOf(op.matrixWeights) > 0) {
            const N weights = traffic_.hasWeightScale ? op.matrixWeights * traffic_.weightScale : op.matrixWeights;
            (op.weightClass == WeightClass::Linear ? layerMatrices_ : others_)[repeat] += weights;
        }
        if (valueOf(op.vectorWeights) > 0) {
            others_[repeat] += traffic_.hasWeightScale ? op.vectorWeights * traffic_.weightScale : op.vectorWeights;
        }
    }

    void timeTensorCollectives() {
        if (tensorRing_.isAlone()) {
            return;
        }
        allReduce_ = tensorRing_.allReduce(collectiveBytes_);
        allGather_ = tensorRing_.allGather(collectiveBytes_);
        reduceScatter_ = tensorRing_.reduceScatter(collectiveBytes_);
    }

    /// Per micro-batch on a stage: forward, its mirror in backward, and a layer's forward again where all of it is
    /// recomputed.
    TensorCounts tensorCounts(const StagePlan &plan) const {
        const int reduces = CollectiveCounts::onStage(counts_.allReduces, plan);
        const int gathers = CollectiveCounts::onStage(counts_.allGathers, plan);
        const int scatters = CollectiveCounts::onStage(counts_.reduceScatters, plan);
        TensorCounts sum{
            .allReduces = 2 * reduces, .allGathers = gathers + scatters, .reduceScatters = gathers + scatters};
        if (training_.recompute == Recompute::Full) {
            StagePlan layersOnly = plan;
            layersOnly.first = layersOnly.last = false;
            sum.allReduces += CollectiveCounts::onStage(counts_.allReduces, layersOnly);
            sum.allGathers += CollectiveCounts::onStage(counts_.allGathers, layersOnly);
            sum.reduceScatters += CollectiveCounts::onStage(counts_.reduceScatters, layersOnly);
        }
        return sum;
    }

    N exposedTensorSeconds(const TensorCounts &counts) const {
        N sum{};
        if (tensorRing_.isAlone()) {
            return sum;
        }
        const auto add = [&sum](int count, const Transfer<N> &once, std::string_view label) {
            if (count > 0) {
                sum += fact<N>(count, label) * once.seconds;
            }
        };
        add(counts.allReduces, allReduce_, "all-reduces per micro-batch");
        add(counts.allGathers, allGather_, "all-gathers per micro-batch");
        add(counts.reduceScatters, reduceScatter_, "reduce-scatters per micro-batch");
        return named<N>(sum * factOf<N>(setting_.framework->exposedTensorCommunication,
                                        "share of tensor-parallel traffic that compute does not hide"),
                        "exposed tensor-parallel communication per micro-batch", "s");
    }

    /// The stage with the longest step; equal stages are evaluated once.
    StageStep slowestStep() const {
        StageStep slowest;
        const StagePlan *previous = nullptr;
        for (const StagePlan &plan : setting_.stages) {
            const bool isSame = previous != nullptr && previous->layers == plan.layers &&
                                previous->windowedLayers == plan.windowedLayers && previous->first == plan.first &&
                                previous->last == plan.last;
            previous = &plan;
            if (isSame) {
                continue;
            }
            StageStep step = stepOf(plan);
            if (slowest.plan == nullptr || step.breakdown.totalSeconds > slowest.breakdown.totalSeconds) {
                slowest = std::move(step);
            }
        }
        return slowest;
    }

    void operationRows(const StagePlan &plan) {
        rows(plan, Phase::Forward, forwards_, [](const Operation<N> &) { return true; });
        if (training_.recompute != Recompute::None) {
            rows(plan, Phase::Recompute, forwards_, [this](const Operation<N> &op) { return isRecomputed(op); });
        }
        rows(plan, Phase::Backward, backwards_, [](const Operation<N> &op) { return op.backwardFlopsFactor > 0; });
    }

    template <class Takes>
    void rows(const StagePlan &plan, Phase phase, const std::vector<OperationTime<N>> &times, Takes takes) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            const Operation<N> &op = list_.operations[i];
            const int executions = plan.executions(op.repeat);
            if (executions > 0 && takes(op)) {
                const double count = static_cast<double>(executions) * setting_.microBatches;
                report_.roofline.operations.push_back(rowOf(op, phase, count, times[i], machine_));
            }
        }
    }

    void wires(std::string_view name, double count, const Transfer<N> &once) {
        if (count > 0) {
            report_.roofline.operations.push_back(wireRow<N>(name, count, once.bytes, once.seconds));
        }
    }

    RankParameters<N> rankParameters(const StagePlan &plan) const {
        RankParameters<N> p;
        for (const Repeat repeat : allRepeats) {
            const std::size_t i = indexOf(repeat);
            if (plan.executions(repeat) == 0) {
                continue;
            }
            const N times = executionsOf<N>(plan, repeat);
            const auto add = [&](N &sum, const N &elements, std::string_view label) {
                if (valueOf(elements) > 0) {
                    sum += isLayer(repeat) ? times * named<N>(elements, label, "elements")
                                           : named<N>(elements, label, "elements");
                }
            };
            add(p.layerMatrices, layerMatrices_[i], "matrix weights of a layer");
            add(p.others, others_[i], isLayer(repeat) ? "norms and biases of a layer" : "embedding or head");
        }
        return p;
    }

    void otherRows(const StageStep &step) {
        const double microBatches = setting_.microBatches;
        Operation<N> optimizer;
        optimizer.name = "optimizer step";
        optimizer.outputElements = step.parameters.all();
        report_.roofline.operations.push_back(rowOf(optimizer, Phase::OptimizerStep, 1, step.optimizer, machine_));
        wires("tensor-parallel all-reduce", step.tensorCounts.allReduces * microBatches, allReduce_);
        wires("tensor-parallel all-gather", step.tensorCounts.allGathers * microBatches, allGather_);
        wires("tensor-parallel reduce-scatter", step.tensorCounts.reduceScatters * microBatches, reduceScatter_);
        for (const DataCollective<N> &each : step.data.collectives) {
            wires(each.name, each.count, each.once);
        }
        wires("pipeline send", parallelism_.pipeline > 1 ? 2 * microBatches : 0, step.pipelineSend);
    }

    StageStep stepOf(const StagePlan &plan) const {
        StageStep step;
        step.plan = &plan;
        const PassTime<N> forward = stagePass(forward_, plan);
        PassTime<N> backward = stagePass(backward_, plan, backwardLabels);
        backward.add(stagePass(recompute_, plan, recomputeLabels));
        step.work = forward;
        step.work.add(backward);
        step.tensorCounts = tensorCounts(plan);
        const N tensor = exposedTensorSeconds(step.tensorCounts);
        const N perMicroBatch = named<N>(valueOf(tensor) > 0 ? step.work.seconds() + tensor : step.work.seconds(),
                                         "slowest stage, one micro-batch", "s");
        step.parameters = rankParameters(plan);
        step.optimizer = streamingTime(optimizerTraffic(setting_, step.parameters), machine_);
        step.data = dataParallelTime(setting_, plan, step.parameters,
                                     ComputeToHideBehind<N>{forward.seconds(), backward.seconds()});
        const Ring<N> stages(setting_, parallelism_.pipeline, parallelism_.tensor * parallelism_.data);
        step.pipelineSend = stages.send(list_.layerInputBytes);

        TimeBreakdown<N> &b = step.breakdown;
        b.computeSeconds = named<N>(microBatches_ * step.work.computeSeconds, "compute-bound operations", "s");
        b.memorySeconds = named<N>(microBatches_ * step.work.memorySeconds, "memory-bound operations", "s");
        // Stages pass activations on, and gradients back, once per micro-batch; a stage sends and receives at the same
        // time.
        communication(b, tensor, step.data.exposedSeconds,
                      stages.isAlone() ? N(0.0) : microBatches_ * N(2.0) * step.pipelineSend.seconds);
        if (parallelism_.pipeline > 1) {
            const N ratio = (fact<N>(parallelism_.pipeline, "pipeline stages") - N(1.0)) / microBatches_;
            b.bubbleSeconds = named<N>(ratio * (microBatches_ * perMicroBatch), "pipeline bubble", "s",
                                       "Narayanan et al. 2021: (p - 1) / m");
        }
        b.launchSeconds = launchSeconds(plan, b);
        b.optimizerSeconds = named<N>(step.optimizer.seconds, "optimizer step", "s");
        N total = b.computeSeconds + b.memorySeconds;
        for (const N *part : {&b.communicationSeconds, &b.bubbleSeconds, &b.launchSeconds, &b.optimizerSeconds}) {
            if (valueOf(*part) > 0) {
                total += *part;
            }
        }
        b.inputSeconds = inputSeconds(total);
        if (valueOf(b.inputSeconds) > 0) {
            total += named<N>(b.inputSeconds, "waiting for input", "s");
        }
        b.totalSeconds = named<N>(total, "step", "s");
        return step;
    }

    void communication(TimeBreakdown<N> &b, const N &tensorPerMicroBatch, const N &data, const N &pipeline) const {
        if (valueOf(tensorPerMicroBatch) > 0) {
            b.communicationSeconds += microBatches_ * tensorPerMicroBatch;
        }
        if (valueOf(data) > 0) {
            b.communicationSeconds += data;
        }
        if (valueOf(pipeline) > 0) {
            b.communicationSeconds += named<N>(pipeline, "pipeline sends", "s");
        }
        b.communicationSeconds = named<N>(b.communicationSeconds, "exposed communication", "s");
    }

    /// Launches are asynchronous: only what the host falls behind the GPU, at work or communicating, is added.
    N launchSeconds(const StagePlan &plan, const TimeBreakdown<N> &b) const {
        int outside = 0;
        for (const Operation<N> &op : list_.operations) {
            if (!isLayer(op.repeat)) {
                outside += plan.executions(op.repeat) * (op.backwardFlopsFactor > 0 ? 3 : 1);
            }
        }
        const N passes = fact<N>(training_.recompute == Recompute::Full ? 3 : 2, "passes over a layer");
        const N layers = fact<N>(plan.layers, "layers on this stage") * passes *
                         factOf<N>(setting_.framework->hostSecondsPerLayerPass, "host time of a layer and pass", "s");
        const N others = fact<N>(outside, "kernels outside the layers") *
                         factOf<N>(setting_.framework->hostSecondsPerKernel, "host time of a kernel", "s");
        const N host = named<N>(microBatches_ * named<N>(layers + others, "host time of a micro-batch", "s"),
                                "host time of a step", "s");
        N busy = b.computeSeconds + b.memorySeconds;
        if (valueOf(b.communicationSeconds) > 0) {
            busy += b.communicationSeconds;
        }
        return named<N>(larger(N(0.0), host - named<N>(busy, "GPU time of a step", "s")), "what the host falls behind",
                        "s");
    }

    N tokensPerStep() const {
        return named<N>(fact<N>(globalBatchOf(*setting_.scenario), "global batch", "sequences", "scenario") *
                            fact<N>(training_.sequenceLength, "sequence length", "tokens", "scenario"),
                        "tokens per step", "tokens");
    }

    N inputSeconds(const N &step) const {
        const auto &rate = setting_.scenario->hardware.inputTokensPerSecond;
        if (!rate) {
            return N(0.0);
        }
        return larger(N(0.0), tokensPerStep() / fact<N>(*rate, "input", "tokens/s", "scenario") -
                                  named<N>(step, "step without waiting", "s"));
    }

    void activity(const StageStep &step) {
        const TimeBreakdown<N> &b = step.breakdown;
        const PassTime<N> &work = step.work;
        Activity<N> &a = report_.activity;
        a.compute = named<N>(microBatches_ * named<N>(work.flops, "FLOPs of a micro-batch", "FLOP") /
                                 (machine_.matmulPeak * b.totalSeconds),
                             "share of the peak over the step");
        a.memory =
            named<N>((microBatches_ * named<N>(work.bytes, "bytes of a micro-batch", "bytes") + step.optimizer.bytes) /
                         (machine_.bandwidth * b.totalSeconds),
                     "share of the bandwidth over the step");
        a.communication = b.communicationSeconds / b.totalSeconds;
        a.idle = b.inputSeconds / b.totalSeconds;
    }

    void rates() {
        TimeReport<N> &t = report_.time;
        const N &step = t.breakdown.totalSeconds;
        const N world = fact<N>(parallelism_.world(), "GPUs");
        t.stepSeconds = step;
        t.tokensPerSecond = named<N>(tokensPerStep() / step, "tokens per second", "tokens/s");
        t.tokensPerSecondPerGpu = named<N>(*t.tokensPerSecond / world, "tokens per second and GPU", "tokens/s");
        t.convention = options_.convention;
        const ModelFlops<N> flops = modelFlops<N>(setting_, options_.convention);
        t.modelFlopsPerSecondPerGpu =
            named<N>(flops.perToken * *t.tokensPerSecondPerGpu, "model FLOPs per second and GPU", "FLOP/s");
        const N hardware =
            valueOf(flops.recomputedPerToken) > 0 ? flops.perToken + flops.recomputedPerToken : flops.perToken;
        t.hardwareFlopsPerSecondPerGpu = named<N>(hardware * *t.tokensPerSecondPerGpu,
                                                  "FLOPs per second and GPU, recomputed forwards included", "FLOP/s");
        const N peak = factOf<N>(*setting_.gpu.peak(setting_.compute), "dense peak of the compute format", "FLOP/s");
        t.mfu = *t.modelFlopsPerSecondPerGpu / peak;
        t.hfu = *t.hardwareFlopsPerSecondPerGpu / peak;
        if (training_.tokens) {
            t.runSeconds = fact<N>(*training_.tokens, "tokens of the run", "tokens", "scenario") / *t.tokensPerSecond;
        }
    }

    const Setting &setting_;
    const EvaluateOptions &options_;
    const Training &training_;
    const Parallelism &parallelism_;
    Machine<N> machine_;
    Traffic<N> traffic_;
    OperationList<N> list_;
    N microBatches_;
    Ring<N> tensorRing_;
    std::vector<OperationTime<N>> forwards_, backwards_;
    PassByRepeat<N> forward_{}, backward_{}, recompute_{};
    CollectiveCounts counts_;
    N collectiveBytes_{};
    Transfer<N> allReduce_, allGather_, reduceScatter_;
    std::array<N, repeatKinds> layerMatrices_{}, others_{};
    PerformanceReport<N> report_;
};

} // namespace

template <Number N>
PerformanceReport<N> trainingPerformance(const Setting &setting, const EvaluateOptions &options) {
    return TrainingStep<N>(setting, options).evaluate();
}

template PerformanceReport<double> trainingPerformance(const Setting &, const EvaluateOptions &);
template PerformanceReport<Traced> trainingPerformance(const Setting &, const EvaluateOptions &);

} // namespace ridgepoint
