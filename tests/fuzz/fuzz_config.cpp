// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer: any text as a config.json ends in a model that can be reported, or in problems.
#include "core/import/import_report.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace ridgepoint;
    const auto model = importHuggingFaceConfig(textOf(data, size));
    checkProblems(model);
    if (model) {
        checkReport(importReport(*model, "config.json"));
    }
    return 0;
}
