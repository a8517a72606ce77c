// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the stages together: the worst rank, the capacity and what is left of it.
#include "core/memory/memory.h"

#include "core/memory/stage.h"

namespace ridgepoint {

template <Number N>
MemoryReport<N> evaluateMemory(const Setting &setting) {
    MemoryReport<N> report;
    const Fact &capacity = setting.gpu.capacityBytes;
    report.capacityBytes = fact<N>(capacity.value, "capacity the driver reports", "bytes", capacity.source);
    if (setting.isTraining()) {
        report.stages = trainingStages<N>(setting);
        report.worstStage = worstOf(report.stages);
        report.headroomBytes =
            report.capacityBytes - named<N>(report.worst().totalBytes, "total of the worst rank", "bytes");
    } else {
        fillInference(setting, report);
    }
    return report;
}

template <Number N>
bool fits(const MemoryReport<N> &memory) {
    return valueOf(memory.headroomBytes) >= 0;
}

template MemoryReport<double> evaluateMemory(const Setting &);
template MemoryReport<Traced> evaluateMemory(const Setting &);
template bool fits(const MemoryReport<double> &);
template bool fits(const MemoryReport<Traced> &);

} // namespace ridgepoint
