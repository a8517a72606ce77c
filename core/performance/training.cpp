// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The step of training: micro-batches, bubble, communication, host, optimizer, input.
#include "core/performance/host_link.h"
#include "core/performance/model_flops.h"
#include "core/performance/tasks.h"
#include "core/performance/training_work.h"

namespace ridgepoint {

namespace {

template <Number N>
class TrainingStep {
public:
    TrainingStep(const Setting &setting, const EvaluateOptions &options)
        : setting_(setting), options_(options), training_(setting.scenario->training),
          parallelism_(setting.scenario->parallelism), work_(setting),
          microBatches_(fact<N>(setting.microBatches, "micro-batches per step")),
          stages_(setting, groupsOf(parallelism_, true).pipeline),
          chunks_(parallelism_.schedule == Schedule::Interleaved ? parallelism_.virtualStages : 1) {}

    PerformanceReport<N> evaluate() {
        const StageStep step = slowestStep();
        report_.roofline.operations.reserve(3 * work_.operations().operations.size() + 12);
        fillRoofs(setting_, work_.machine(), report_.roofline);
        work_.addRows(*step.plan, report_.roofline.operations);
        otherRows(step);
        report_.time.breakdown = step.breakdown;
        activity(step);
        rates();
        return std::move(report_);
    }

private:
    /// The step as one stage sets its pace.
    struct StageStep {
        const StagePlan *plan = nullptr;
        StageWork<N> work; ///< one micro-batch
        OperationTime<N> optimizer;
        DataParallelTime<N> data;
        HostLinkTime<N> host;
        N microBatchSeconds{}; ///< GPU with exposed communication, or the host where it takes longer
        TimeBreakdown<N> breakdown;
    };

    /// The stage with the longest step; equal stages are evaluated once. The bubble is one micro-batch on every stage
    /// but the one that takes longest for it.
    StageStep slowestStep() const {
        StageStep slowest;
        N all{};     ///< one micro-batch on every stage
        N longest{}; ///< the longest of these
        const StagePlan *previous = nullptr;
        N seconds{};
        int same = 0;
        const auto close = [&] {
            if (same > 0) {
                all += same == 1 ? seconds : fact<N>(same, "equal stages") * seconds;
            }
        };
        for (const StagePlan &plan : setting_.stages) {
            if (previous != nullptr && isSameWork(*previous, plan)) {
                ++same;
                continue;
            }
            close();
            previous = &plan;
            same = 1;
            StageStep step = stepOf(plan);
            seconds = step.microBatchSeconds;
            longest = larger(longest, seconds);
            if (slowest.plan == nullptr || totalOf(step) > totalOf(slowest)) {
                slowest = std::move(step);
            }
        }
        close();
        finish(slowest, all, longest);
        return slowest;
    }

    static double totalOf(const StageStep &step) { return valueOf(step.breakdown.totalSeconds); }

    void otherRows(const StageStep &step) {
        auto &rows = report_.roofline.operations;
        if (!step.host.stepsOnHost && valueOf(step.optimizer.seconds) > 0) {
            Operation<N> optimizer;
            optimizer.name = "optimizer step";
            optimizer.outputElements = step.work.trained.all();
            rows.push_back(rowOf(optimizer, Phase::OptimizerStep, 1, step.optimizer, work_.machine()));
        }
        work_.addWireRows(step.work, rows);
        const auto wires = [&rows](std::string_view name, double count, const Transfer<N> &once) {
            if (count > 0) {
                rows.push_back(wireRow<N>(name, count, once.bytes, once.seconds));
            }
        };
        for (const DataCollective<N> &each : step.data.collectives) {
            wires(each.name, each.count, each.once);
        }
        for (const DataCollective<N> &each : step.host.transfers) {
            wires(each.name, each.count, each.once);
        }
        if (!stages_.isAlone()) {
            wires("pipeline send", 2.0 * setting_.microBatches * chunks_, pipelineSend());
        }
    }

    Transfer<N> pipelineSend() const { return stages_.send(work_.operations().layerInputBytes); }

    /// One stage without the bubble, which needs the others.
    StageStep stepOf(const StagePlan &plan) const {
        StageStep step;
        step.plan = &plan;
        step.work = work_.onStage(plan);
        const StageWork<N> &work = step.work;
        // While a rank waits for keys and values, data-parallel traffic goes on as well.
        ComputeToHideBehind<N> compute{work.forward.seconds(), work.backward.seconds()};
        if (valueOf(work.contextExposedSeconds) > 0) {
            compute.backwardSeconds += work.contextExposedSeconds;
        }
        step.data = dataParallelTime(setting_, plan, work.parameters, work.trained, compute);
        step.host = hostLinkTime(setting_, work.parameters, work.trained, work.keptBytes, compute);
        if (!step.host.stepsOnHost) {
            const N traffic = optimizerTraffic(setting_, work.trained);
            if (valueOf(traffic) > 0) {
                step.optimizer = streamingTime(traffic, work_.machine());
            }
        }
        const N gpu = named<N>(work.gpuSeconds(), "GPU time of a micro-batch", "s");
        N stalls{};
        if (const auto &share = setting_.framework->stallFraction; share && share->value > 0) {
            stalls = named<N>(gpu * factOf<N>(*share, "share of GPU time lost between kernels"), "lost between kernels",
                              "s");
        }
        N seconds = larger(gpu, work.hostSeconds);
        if (valueOf(stalls) > 0) {
            seconds += stalls;
        }
        step.microBatchSeconds = named<N>(seconds, "one micro-batch of a stage", "s");

        TimeBreakdown<N> &b = step.breakdown;
        const auto both = [this](const N &first, const N &second, std::string_view label) {
            return named<N>(microBatches_ * (first + second), label, "s");
        };
        b.computeSeconds = both(work.forward.computeSeconds, work.backward.computeSeconds, "compute-bound operations");
        b.memorySeconds = both(work.forward.memorySeconds, work.backward.memorySeconds, "memory-bound operations");
        communication(b, step);
        b.launchSeconds = launchSeconds(b, work.hostSeconds, stalls);
        b.optimizerSeconds = named<N>(step.host.stepsOnHost ? step.host.optimizerSeconds : step.optimizer.seconds,
                                      "optimizer step", "s");
        b.totalSeconds = sumOf(b);
        return step;
    }

    /// Launches are asynchronous: only what the host falls behind the GPU, at work or communicating, is added; and what
    /// is lost between kernels.
    N launchSeconds(const TimeBreakdown<N> &b, const N &hostPerMicroBatch, const N &stallsPerMicroBatch) const {
        N busy = b.computeSeconds + b.memorySeconds;
        if (valueOf(b.communicationSeconds) > 0) {
            busy += b.communicationSeconds;
        }
        N sum = larger(N(0.0), named<N>(microBatches_ * hostPerMicroBatch, "host time of a step", "s") -
                                   named<N>(busy, "GPU time of a step", "s"));
        if (valueOf(stallsPerMicroBatch) > 0) {
            sum += microBatches_ * stallsPerMicroBatch;
        }
        return named<N>(sum, "what the host falls behind", "s");
    }

    void finish(StageStep &step, const N &all, const N &longest) const {
        TimeBreakdown<N> &b = step.breakdown;
        if (parallelism_.pipeline > 1) {
            N bubble = named<N>(all, "one micro-batch on every stage", "s") -
                       named<N>(longest, "one micro-batch on the slowest", "s");
            if (chunks_ > 1) {
                bubble = bubble / fact<N>(chunks_, "chunks of layers on a stage");
            }
            b.bubbleSeconds = named<N>(bubble, "pipeline bubble", "s",
                                       "Narayanan et al. 2021: (p - 1) / (m v) of the work where stages are equal");
        }
        N total = sumOf(b);
        b.inputSeconds = inputSeconds(total);
        if (valueOf(b.inputSeconds) > 0) {
            total += named<N>(b.inputSeconds, "waiting for input", "s");
        }
        b.totalSeconds = named<N>(total, "step", "s");
    }

    static N sumOf(const TimeBreakdown<N> &b) {
        N total = b.computeSeconds + b.memorySeconds;
        for (const N *part : {&b.communicationSeconds, &b.bubbleSeconds, &b.launchSeconds, &b.optimizerSeconds}) {
            if (valueOf(*part) > 0) {
                total += *part;
            }
        }
        return total;
    }

    /// Stages pass activations on, and gradients back, once per micro-batch and chunk; a stage sends and receives at
    /// the same time.
    void communication(TimeBreakdown<N> &b, const StageStep &step) const {
        N &sum = b.communicationSeconds;
        if (valueOf(step.work.exposedSeconds) > 0) {
            sum += microBatches_ * step.work.exposedSeconds;
        }
        // Network and host link work at the same time, behind the same compute.
        if (valueOf(step.host.exposedSeconds) > valueOf(step.data.exposedSeconds)) {
            sum += named<N>(step.host.exposedSeconds, "host link that compute does not hide", "s");
        } else if (valueOf(step.data.exposedSeconds) > 0) {
            sum += step.data.exposedSeconds;
        }
        if (!stages_.isAlone()) {
            const N sends = fact<N>(2.0 * chunks_, "sends of a micro-batch, there and back");
            sum += named<N>(microBatches_ * sends * pipelineSend().seconds, "pipeline sends", "s");
        }
        sum = named<N>(sum, "exposed communication", "s");
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
        const Machine<N> &machine = work_.machine();
        const N flops = named<N>(step.work.forward.flops + step.work.backward.flops, "FLOPs of a micro-batch", "FLOP");
        const N bytes = named<N>(step.work.forward.bytes + step.work.backward.bytes, "bytes of a micro-batch", "bytes");
        Activity<N> &a = report_.activity;
        a.compute =
            named<N>(microBatches_ * flops / (machine.matmulPeak * b.totalSeconds), "share of the peak over the step");
        a.memory = named<N>((microBatches_ * bytes + step.optimizer.bytes) / (machine.bandwidth * b.totalSeconds),
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
    TrainingWork<N> work_;
    N microBatches_;
    Ring<N> stages_;
    int chunks_; ///< v: of layers on each pipeline rank
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
