// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times every operation of a micro-batch once and sums them for a stage.
#include "core/performance/training_work.h"

#include "core/performance/model_flops.h"

namespace ridgepoint {

template <Number N>
TrainingWork<N>::TrainingWork(const Setting &setting)
    : setting_(setting), training_(setting.scenario->training), machine_(machineOf<N>(setting)), traffic_(trafficOf()),
      adapters_(setting, machine_, traffic_), list_(describeTraining<N>(setting)),
      groups_(groupsOf(setting.scenario->parallelism, true)), tensorRing_(setting, groups_.tensor),
      expertRing_(setting, groups_.expert), contextRing_(setting, groups_.context) {
    timeOperations();
}

template <Number N>
Traffic<N> TrainingWork<N>::trafficOf() const {
    Traffic<N> t;
    const StateBytes &bytes = setting_.bytes;
    t.weightBytes =
        fact<N>(bytes.gathered.value, "bytes of a weight as a kernel reads it", "bytes", bytes.gathered.source);
    t.otherWeightBytes = t.weightBytes;
    t.gradientBytes = fact<N>(bytes.gradients.value, "bytes of a gradient", "bytes", bytes.gradients.source);
    t.hasWeightScale = setting_.weightScale != 1;
    t.weightScale = fact<N>(setting_.weightScale, "weight scale");
    const Fact &unfused = setting_.catalog->general.unfusedElementwiseTraffic;
    const bool isUnfused = !training_.fusedKernels && unfused.value != 1;
    t.hasElementwiseFactor = isUnfused || setting_.framework->elementwiseTraffic.value != 1;
    t.elementwiseFactor = factOf<N>(setting_.framework->elementwiseTraffic, "element-wise traffic over perfect fusion");
    if (isUnfused) {
        t.elementwiseFactor =
            named<N>(t.elementwiseFactor * factOf<N>(unfused, "traffic of unfused kernels over fused ones"),
                     "element-wise traffic over perfect fusion, unfused");
    }
    t.skipsMaskedScores = training_.attention == AttentionKernel::Flash;
    t.attentionKernels = t.skipsMaskedScores ? 1 : 3; // scores, softmax, weighted sum
    return t;
}

template <Number N>
N TrainingWork<N>::attended(const Operation<N> &op) const {
    if (op.kind != OperationKind::Attention || !traffic_.skipsMaskedScores || op.causalFlopsShare == 1) {
        return N(1.0);
    }
    const double window = isWindowedAttention(op, setting_.shape) ? *setting_.shape.attentionWindow : 0;
    return fact<N>(attendedShare(training_.sequenceLength, 0, window, setting_.shape.chunkedWindow),
                   "share of the scores that the causal mask leaves");
}

template <Number N>
void TrainingWork<N>::timeOperations() {
    const std::size_t count = list_.operations.size();
    forwards_.reserve(count);
    backwards_.reserve(count);
    again_.reserve(count);
    RecomputePolicy policy(setting_);
    for (const Operation<N> &op : list_.operations) {
        countWeights(op);
        const std::size_t repeat = indexOf(op.repeat);
        const N share = attended(op);
        forwards_.push_back(forwardTime(op, machine_, traffic_, share));
        forward_[repeat].add(forwards_.back(), op.name);
        const double again = policy.shareOf(op);
        again_.push_back(again);
        if (again == 1) {
            recompute_[repeat].add(forwards_.back(), op.name);
        } else if (again > 0) {
            PassTime<N> whole;
            whole.add(forwards_.back(), op.name);
            recompute_[repeat].addTimes(whole, fact<N>(again, "share of it that runs again"));
        }
        backwards_.emplace_back();
        const bool isFrozen = adapters_.isFrozen(op);
        const bool hasBackward = op.backwardFlopsFactor > 0 && !(isFrozen && op.kind == OperationKind::Lookup);
        if (hasBackward) { // a factor of 0: its backward is part of its forward, as the loss kernel's
            backwards_.back() = backwardTime(op, machine_, traffic_, share, isFrozen);
            backward_[repeat].add(backwards_.back(), op.name);
        }
        if (adapters_.isActive()) {
            timeAdapters(op, again);
        }
        if (isNarrow(setting_.compute) && op.kind == OperationKind::MatMul) {
            timeCasts(op, again);
        }
        tensor_[repeat].add(op);
        if (again > 0) {
            tensorAgain_[repeat].add(op);
        }
        if (op.exchange != Exchange::None) {
            countExchange(op, forwards_.size() - 1, again);
        }
        if (setting_.scenario->parallelism.offload == Offload::Activations) {
            kept_[repeat] += op.keptBytes + op.keptCoreBytes;
        }
    }
}

/// The input of a layer's linear before its forward, and the output's gradient before its backward.
template <Number N>
void TrainingWork<N>::timeCasts(const Operation<N> &op, double again) {
    if (op.weightClass != WeightClass::Linear && op.weightClass != WeightClass::Expert) {
        return;
    }
    const std::size_t repeat = indexOf(op.repeat);
    const N each =
        factOf<N>(setting_.catalog->general.castBytesPerElement, "bytes moved per element of a cast", "bytes");
    const OperationTime<N> input = castTime<N>(op.m * op.k, each, machine_);
    forward_[repeat].add(input, "casts");
    if (again > 0) {
        recompute_[repeat].add(input, "casts");
    }
    backward_[repeat].add(castTime<N>(op.m * op.n, each, machine_), "casts");
}

template <Number N>
void TrainingWork<N>::timeAdapters(const Operation<N> &op, double again) {
    const std::size_t repeat = indexOf(op.repeat);
    const AdapterTime<N> adapters = adapters_.timeOf(op);
    for (std::size_t i = 0; i < adapters.count; ++i) {
        forward_[repeat].add(adapters.forward[i], "adapters");
        backward_[repeat].add(adapters.backward[i], "adapters");
        if (again > 0) {
            recompute_[repeat].add(adapters.forward[i], "adapters");
        }
    }
}

template <Number N>
void TrainingWork<N>::countExchange(const Operation<N> &op, std::size_t index, double again) {
    const std::size_t repeat = indexOf(op.repeat);
    if (op.exchange == Exchange::ExpertAllToAll) {
        if (!expertRing_.isAlone()) {
            expert_[repeat].add(op.exchangeBytes);
            if (again > 0) {
                expertAgain_[repeat].add(op.exchangeBytes);
            }
            hasExchanges_ = true;
        }
        return;
    }
    if (contextRing_.isAlone()) {
        return;
    }
    hasExchanges_ = true;
    context_[repeat].add(op.exchangeBytes);
    const N twice = op.exchangeBytes * N(2.0);
    const auto excess = [](const N &wires, const N &attention) { return larger(N(0.0), wires - attention); };
    const N forward = excess(contextRing_.exchange(op.exchangeBytes).seconds, forwards_[index].seconds);
    const N backward = excess(contextRing_.exchange(twice).seconds, backwards_[index].seconds);
    contextExposed_[repeat] += again > 0 ? forward * N(2.0) + backward : forward + backward;
}

template <Number N>
void TrainingWork<N>::countWeights(const Operation<N> &op) {
    const std::size_t repeat = indexOf(op.repeat);
    const bool isTrained = !adapters_.isFrozen(op);
    const auto scaled = [this](const N &weights) {
        return traffic_.hasWeightScale ? weights * traffic_.weightScale : weights;
    };
    if (!op.sharedWeights && valueOf(op.matrixWeights) > 0) {
        const N weights = scaled(op.matrixWeights);
        const auto bucket = [&](Weights &of) -> N & {
            return op.weightClass == WeightClass::Linear   ? of.matrices[repeat]
                   : op.weightClass == WeightClass::Expert ? of.experts[repeat]
                                                           : of.others[repeat];
        };
        bucket(all_) += weights;
        if (isTrained && adapters_.isActive()) {
            bucket(trained_) += weights;
        }
    }
    if (valueOf(op.vectorWeights) > 0) {
        all_.others[repeat] += scaled(op.vectorWeights);
    }
    if (adapters_.isActive() && op.kind == OperationKind::MatMul) {
        const N added = adapters_.elements(op);
        if (valueOf(added) > 0) {
            auto &bucket = op.weightClass == WeightClass::Expert ? trained_.experts : trained_.matrices;
            bucket[repeat] += added;
        }
    }
}

template <Number N>
RankParameters<N> TrainingWork<N>::parametersOf(const StagePlan &plan, bool onlyTrained) const {
    const Weights &weights = onlyTrained ? trained_ : all_;
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
        add(p.layerMatrices, weights.matrices[i], "matrix weights of a layer");
        add(p.experts, weights.experts[i], "experts' weights of a layer");
        add(p.others, weights.others[i], isLayer(repeat) ? "norms and biases of a layer" : "embedding or head");
    }
    return p;
}

template <Number N>
void TrainingWork<N>::communication(StageWork<N> &work, const StagePlan &plan) const {
    const double layersAgain = recomputedLayersShare(training_, plan);
    N exposed{};
    if (!tensorRing_.isAlone()) {
        const TensorTraffic<N> forward = ridgepoint::onStage(tensor_, plan);
        work.tensor = forward;
        work.tensor.addTimes(forward.mirrored(), 1);
        if (training_.recompute != Recompute::None) {
            TensorTraffic<N> again = ridgepoint::onStage(tensorAgain_, plan);
            if (training_.recompute == Recompute::SelectiveOps) {
                again.allReduces = again.reduceScatters = {}; // their results are kept
            }
            work.tensor.addTimes(again, layersAgain);
        }
        work.allReduces = work.tensor.allReduces.time(tensorRing_, &Ring<N>::allReduce);
        work.allGathers = work.tensor.allGathers.time(tensorRing_, &Ring<N>::allGather);
        work.reduceScatters = work.tensor.reduceScatters.time(tensorRing_, &Ring<N>::reduceScatter);
        N sum{};
        for (const Transfer<N> *each : {&work.allReduces, &work.allGathers, &work.reduceScatters}) {
            if (valueOf(each->seconds) > 0) {
                sum += each->seconds;
            }
        }
        exposed += named<N>(sum * factOf<N>(setting_.framework->exposedTensorCommunication,
                                            "share of tensor-parallel traffic that compute does not hide"),
                            "exposed tensor-parallel communication per micro-batch", "s");
    }
    if (hasExchanges_) {
        N context{};
        for (const Repeat repeat : allRepeats) {
            const std::size_t i = indexOf(repeat);
            const double times = plan.executions(repeat);
            work.expertExchanges.addTimes(expert_[i], 2 * times);
            work.expertExchanges.addTimes(expertAgain_[i], layersAgain * times);
            work.contextExchanges.addTimes(context_[i], 3 * times);
            if (times > 0 && valueOf(contextExposed_[i]) > 0) {
                context += executionsOf<N>(plan, repeat) * contextExposed_[i];
            }
        }
        if (work.expertExchanges.count > 0) {
            work.expertExchange = work.expertExchanges.time(expertRing_, &Ring<N>::allToAll);
            exposed += named<N>(work.expertExchange.seconds, "experts' all-to-all per micro-batch", "s");
        }
        if (work.contextExchanges.count > 0) {
            work.contextExchange = work.contextExchanges.time(contextRing_, &Ring<N>::exchange);
        }
        if (valueOf(context) > 0) {
            work.contextExposedSeconds = context;
            exposed += named<N>(context, "keys' and values' way that attention does not hide, per micro-batch", "s");
        }
    }
    work.exposedSeconds = exposed;
}

/// Launches are asynchronous: what the host needs for a micro-batch, whatever the GPU does meanwhile.
template <Number N>
N TrainingWork<N>::hostSeconds(const StagePlan &plan) const {
    int outside = 0;
    for (const Operation<N> &op : list_.operations) {
        if (!isLayer(op.repeat)) {
            outside += plan.executions(op.repeat) * (op.backwardFlopsFactor > 0 ? 3 : 1);
        }
    }
    const bool runsLayersAgain = training_.recompute == Recompute::Full ||
                                 training_.recompute == Recompute::FullLayers ||
                                 training_.recompute == Recompute::SelectiveOps;
    const double passes = runsLayersAgain ? 2 + recomputedLayersShare(training_, plan) : 2;
    const N layers = fact<N>(plan.layers + plan.encoderLayers, "layers on this stage") *
                     fact<N>(passes, "passes over a layer") *
                     factOf<N>(setting_.framework->hostSecondsPerLayerPass, "host time of a layer and pass", "s");
    const N others = fact<N>(outside, "kernels outside the layers") *
                     factOf<N>(setting_.framework->hostSecondsPerKernel, "host time of a kernel", "s");
    return named<N>(layers + others, "host time of a micro-batch", "s");
}

template <Number N>
StageWork<N> TrainingWork<N>::onStage(const StagePlan &plan) const {
    StageWork<N> work;
    work.forward = stagePass(forward_, plan);
    work.backward = stagePass(backward_, plan, backwardLabels);
    if (training_.recompute != Recompute::None) {
        const PassTime<N> again = stagePass(recompute_, plan, recomputeLabels);
        const double share = recomputedLayersShare(training_, plan);
        if (share < 1) {
            work.backward.addTimes(again, fact<N>(share, "share of the stage's layers that run again"));
        } else {
            work.backward.add(again);
        }
    }
    work.parameters = parametersOf(plan, false);
    work.trained = adapters_.isActive() ? parametersOf(plan, true) : work.parameters;
    communication(work, plan);
    if (setting_.scenario->parallelism.offload == Offload::Activations) {
        for (const Repeat repeat : allRepeats) {
            if (const int times = plan.executions(repeat); times > 0) {
                const bool isInput = training_.recompute == Recompute::Full && isLayer(repeat);
                const N &kept = kept_[indexOf(repeat)];
                if (isInput) {
                    continue;
                }
                work.keptBytes += fact<N>(times, "executions on this stage") * kept;
            }
        }
        if (training_.recompute == Recompute::Full) {
            work.keptBytes += fact<N>(plan.layers, "layers on this stage") * list_.layerInputBytes;
        }
        work.keptBytes = named<N>(work.keptBytes, "activations of a micro-batch", "bytes");
    }
    work.hostSeconds = hostSeconds(plan);
    return work;
}

template <Number N>
void TrainingWork<N>::addRows(const StagePlan &plan, std::vector<OperationReport<N>> &rows) const {
    const double layersAgain = recomputedLayersShare(training_, plan);
    const auto add = [&](Phase phase, const std::vector<OperationTime<N>> &times, auto share) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            const Operation<N> &op = list_.operations[i];
            const double count = static_cast<double>(plan.executions(op.repeat)) * share(i) * setting_.microBatches;
            if (count > 0 && valueOf(times[i].seconds) > 0) {
                rows.push_back(rowOf(op, phase, count, times[i], machine_));
            }
        }
    };
    add(Phase::Forward, forwards_, [](std::size_t) { return 1.0; });
    if (training_.recompute != Recompute::None) {
        add(Phase::Recompute, forwards_, [&](std::size_t i) { return again_[i] * layersAgain; });
    }
    add(Phase::Backward, backwards_, [](std::size_t) { return 1.0; });
}

template <Number N>
void TrainingWork<N>::addWireRows(const StageWork<N> &work, std::vector<OperationReport<N>> &rows) const {
    const auto add = [&](std::string_view name, double count, const Transfer<N> &all) {
        if (count > 0 && valueOf(all.seconds) > 0) {
            OperationReport<N> row = meanWireRow<N>(name, count, all);
            row.count *= setting_.microBatches;
            rows.push_back(std::move(row));
        }
    };
    add("tensor-parallel all-reduce", work.tensor.allReduces.count, work.allReduces);
    add("tensor-parallel all-gather", work.tensor.allGathers.count, work.allGathers);
    add("tensor-parallel reduce-scatter", work.tensor.reduceScatters.count, work.reduceScatters);
    add("experts' all-to-all", work.expertExchanges.count, work.expertExchange);
    add("keys and values around the context ring", work.contextExchanges.count, work.contextExchange);
}

template class TrainingWork<double>;
template class TrainingWork<Traced>;

} // namespace ridgepoint
