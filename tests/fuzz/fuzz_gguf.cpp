// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer: any bytes as a GGUF file end in a model that can be reported, or in problems.
#include "core/import/import_report.h"
#include "core/import/weight_model.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace ridgepoint;
    const MemorySource file(textOf(data, size));
    const auto header = readGgufHeader(file);
    checkProblems(header);
    if (!header) {
        return 0;
    }
    const auto model = modelOfGguf(*header);
    checkProblems(model);
    if (model) {
        checkReport(importReport(*model, "model.gguf"));
    }
    return 0;
}
