// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times offloading over the host link and the optimizer on the host.
#include "core/performance/host_link.h"

namespace ridgepoint {

namespace {

template <Number N>
N excess(const N &traffic, const N &compute) {
    return larger(N(0.0), traffic - compute);
}

} // namespace

template <Number N>
HostLinkTime<N> hostLinkTime(const Setting &setting, const RankParameters<N> &parameters,
                             const RankParameters<N> &trained, const N &keptBytes,
                             const ComputeToHideBehind<N> &compute) {
    HostLinkTime<N> result;
    const Offload offload = setting.scenario->parallelism.offload;
    if (offload == Offload::None || !setting.gpu.pcieBytesPerSecond) {
        return result;
    }
    const GeneralFacts &general = setting.catalog->general;
    const N rate = named<N>(factOf<N>(*setting.gpu.pcieBytesPerSecond, "PCIe, one direction", "bytes/s") *
                                factOf<N>(general.hostLinkShare, "share of PCIe that copies to the host reach"),
                            "rate of the host link", "bytes/s");
    const auto copy = [&rate](const N &bytes, std::string_view label) {
        return Transfer<N>{.bytes = bytes, .seconds = named<N>(bytes / rate, label, "s")};
    };
    const N perStep = fact<N>(setting.microBatches, "micro-batches per step");
    auto &[first, second] = result.transfers;
    if (offload == Offload::Activations) {
        const Transfer<N> out = copy(keptBytes, "activations to the host");
        first = {.name = "activations to the host", .count = static_cast<double>(setting.microBatches), .once = out};
        second = {.name = "activations from the host", .count = first.count, .once = out};
        result.exposedSeconds = perStep * named<N>(excess(out.seconds, compute.forwardSeconds) +
                                                       excess(out.seconds, compute.backwardSeconds),
                                                   "activations' way that compute does not hide", "s");
        return result;
    }
    const N updated = updatedElements(setting, trained);
    const auto width = [](const Figure &figure, std::string_view label) {
        return fact<N>(figure.value, label, "bytes", figure.source);
    };
    const Transfer<N> gradients =
        copy(updated * width(setting.bytes.gradients, "bytes of a gradient"), "gradients to the host");
    const Transfer<N> weights =
        copy(updated * width(setting.bytes.gathered, "bytes of a weight on its way"), "weights from the host");
    first = {.name = "gradients to the host", .count = 1, .once = gradients};
    second = {.name = "weights from the host", .count = 1, .once = weights};
    result.stepsOnHost = true;
    const N host = factOf<N>(general.hostAdamParametersPerSecond, "parameters that a host updates", "1/s") /
                   fact<N>(setting.scenario->hardware.gpusPerNode, "GPUs per node");
    result.optimizerSeconds = named<N>(updated / host, "optimizer step on the host", "s");
    if (offload == Offload::OptimizerAndParameters) {
        const N shard = named<N>(updatedElements(setting, parameters), "parameters that this rank holds");
        const Transfer<N> pass =
            copy(shard * width(setting.bytes.gathered, "bytes of a weight on its way"), "weights for a pass");
        second = {.name = "weights for a pass", .count = 2.0 * setting.microBatches, .once = pass};
        // The link carries both ways at once: in the last backward weights come while gradients go.
        const N forward = excess(pass.seconds, compute.forwardSeconds);
        const N backward = excess(pass.seconds, compute.backwardSeconds);
        const N last = excess(larger(pass.seconds, gradients.seconds), compute.backwardSeconds);
        result.exposedSeconds = named<N>(perStep * forward + (perStep - N(1.0)) * backward + last,
                                         "weights' and gradients' way that compute does not hide", "s");
    } else {
        result.exposedSeconds = excess(gradients.seconds, compute.backwardSeconds);
        result.optimizerSeconds += weights.seconds;
    }
    return result;
}

template HostLinkTime<double> hostLinkTime(const Setting &, const RankParameters<double> &,
                                           const RankParameters<double> &, const double &,
                                           const ComputeToHideBehind<double> &);
template HostLinkTime<Traced> hostLinkTime(const Setting &, const RankParameters<Traced> &,
                                           const RankParameters<Traced> &, const Traced &,
                                           const ComputeToHideBehind<Traced> &);

} // namespace ridgepoint
