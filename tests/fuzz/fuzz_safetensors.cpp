// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer: any bytes as a safetensors file or as an index end in a model that can be reported, or in problems.
#include "core/import/import_report.h"
#include "core/import/safetensors.h"
#include "core/import/weight_model.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace ridgepoint;
    const std::string_view bytes = textOf(data, size);
    if (bytes.starts_with('{')) {
        checkProblems(readSafetensorsIndex(MemorySource(bytes)));
        return 0;
    }
    const MemorySource file(bytes);
    auto header = readSafetensorsHeader(file);
    checkProblems(header);
    if (header) {
        checkReport(importReport(modelOfCheckpoint(std::move(header->tensors), std::nullopt), "model.safetensors"));
    }
    return 0;
}
