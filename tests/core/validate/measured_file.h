// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A small file of measured cases, for tests of its reader.
#pragma once

#include <string>

namespace ridgepoint::test {

inline constexpr auto someMemory =
    R"({"memory": {"key": "total_bytes", "stage": "max", "bytes": 5, "uncertainty": 0.01}})";

/// One source with one case, which measured `measured` and has `more` keys.
inline std::string measuredFile(const std::string &measured, const std::string &caseScenario = R"({})",
                                const std::string &more = "") {
    return R"({"sources": [{"id": "lab", "name": "A lab", "url": "https://example.org", "scenario": {"training":
        {"framework": "generic", "global_batch": 8, "sequence_length": 2048}, "hardware": {"gpus": ["nvidia-h100-sxm"]}}}],
        "models": {"small": {"layers": 2, "hidden": 128, "heads": 2, "ffn": 512, "vocabulary": 1000}},
        "cases": [{"id": "one", "source": "lab", "quality": "A", "model": "small", "scenario": )" +
           caseScenario + R"(, "measured": )" + measured + more + "}]}";
}

} // namespace ridgepoint::test
