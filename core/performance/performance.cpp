// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of the room: chooses the task, and fills the roofs.
#include "core/performance/performance.h"

#include "core/performance/passes.h"
#include "core/performance/tasks.h"

namespace ridgepoint {

template <Number N>
void fillRoofs(const Setting &setting, const Machine<N> &machine, RooflineReport<N> &roofline) {
    const N clocks = clockShare<N>(setting);
    for (std::size_t i = 0; i < computeFormatCount; ++i) {
        const auto format = static_cast<ComputeFormat>(i);
        if (setting.gpu.peak(format)) {
            roofline.peaks[i] = peakOf<N>(setting, format, clocks);
        }
    }
    roofline.compute = setting.compute;
    roofline.bandwidthBytesPerSecond = machine.bandwidth;
    roofline.ridgeFlopPerByte =
        named<N>(machine.matmulPeak / machine.bandwidth, "ridge point", "FLOP/byte", "Williams et al. 2009");
}

template <Number N>
PerformanceReport<N> evaluatePerformance(const Setting &setting, const EvaluateOptions &options) {
    return setting.isTraining() ? trainingPerformance<N>(setting, options) : inferencePerformance<N>(setting);
}

template void fillRoofs(const Setting &, const Machine<double> &, RooflineReport<double> &);
template void fillRoofs(const Setting &, const Machine<Traced> &, RooflineReport<Traced> &);
template PerformanceReport<double> evaluatePerformance(const Setting &, const EvaluateOptions &);
template PerformanceReport<Traced> evaluatePerformance(const Setting &, const EvaluateOptions &);

} // namespace ridgepoint
