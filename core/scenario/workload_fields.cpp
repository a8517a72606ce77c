// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of `training` and `inference`.
#include "core/scenario/field_kinds.h"
#include "core/scenario/lora_field.h"
#include "core/scenario/recipe_bytes.h"

namespace ridgepoint {

namespace {

constexpr Range batches{1, 1e9};
constexpr Range tokens{1, 1e9};

std::vector<Word<AttentionKernel>> attentionWords() {
    return {{"materialized", AttentionKernel::Materialized}, {"flash", AttentionKernel::Flash}};
}

/// 0 in the scenario and null in the file: micro_batch x data.
Field globalBatchField() {
    Field field;
    field.path = "training.global_batch";
    field.key = "global_batch";
    field.read = [](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (value.is_null()) {
            s.training.globalBatch = 0;
        } else if (const auto n =
                       detail::numberIn(value, "training.global_batch", batches, true, " or null", reading)) {
            s.training.globalBatch = *n;
        }
    };
    field.write = [](const Scenario &s) {
        return s.training.globalBatch > 0 ? numberJson(s.training.globalBatch) : nlohmann::ordered_json(nullptr);
    };
    field.check = [](const Scenario &s, const Catalog &, Problems &problems) {
        if (s.training.globalBatch != 0) {
            detail::checkNumber(s.training.globalBatch, "training.global_batch", batches, true, problems);
        }
    };
    return field;
}

} // namespace

Section trainingSection() {
    constexpr std::string_view at = "training";
    return {at,
            {
                countField(
                    at, "micro_batch", [](auto &s) -> auto & { return s.training.microBatch; }, batches),
                globalBatchField(),
                countField(
                    at, "sequence_length", [](auto &s) -> auto & { return s.training.sequenceLength; }, tokens),
                recipeField(),
                computeField(
                    at, [](auto &s) -> auto & { return s.training.compute; }, false),
                idField(
                    at, "optimizer", [](auto &s) -> auto & { return s.training.optimizer; }, optimizerIds()),
                flagField(
                    at, "optimizer_in_backward", [](auto &s) -> auto & { return s.training.optimizerInBackward; }),
                recomputeField(),
                choiceField<AttentionKernel>(
                    at, "attention", [](auto &s) -> auto & { return s.training.attention; }, attentionWords()),
                flagField(
                    at, "fused_kernels", [](auto &s) -> auto & { return s.training.fusedKernels; }),
                choiceField<LossKernel>(at, "loss", [](auto &s) -> auto & { return s.training.loss; },
                                        {{"materialized", LossKernel::Materialized},
                                         {"fused", LossKernel::Fused},
                                         {"chunked", LossKernel::Chunked}}),
                countField(
                    at, "loss_chunk_tokens", [](auto &s) -> auto & { return s.training.lossChunkTokens; }, tokens),
                flagField(
                    at, "dropout", [](auto &s) -> auto & { return s.training.dropout; }),
                idField(
                    at, "framework", [](auto &s) -> auto & { return s.training.framework; }, frameworkIds()),
                loraField(),
                numberField(at, "tokens", [](auto &s) -> auto & { return s.training.tokens; }, {0, 1e18, true}),
            }};
}

namespace {

/// null: as the model's file has them.
Field weightsField(std::string_view at) {
    Field field = idField(
        at, "weights", [](auto &s) -> auto & { return s.inference.weights; }, weightFormats());
    field.read = [readId = field.read, path = field.path](const nlohmann::json &value, Scenario &s, Reading &reading) {
        if (!value.is_null()) {
            s.inference.weightsAsStored = false;
            readId(value, s, reading);
        } else if (!s.model.stored && !reading.isDistrusted("model")) {
            reading.report(path, "null", "a weight format, since the model comes without weights of its own");
        }
    };
    field.write = [writeId = field.write](const Scenario &s) -> nlohmann::ordered_json {
        return servesStoredWeights(s) ? nlohmann::ordered_json(nullptr) : writeId(s);
    };
    return field;
}

} // namespace

Section inferenceSection() {
    constexpr std::string_view at = "inference";
    return {
        at,
        {
            weightsField(at),
            idField(
                at, "kv_cache", [](auto &s) -> auto & { return s.inference.kvCache; }, cacheFormats()),
            computeField(
                at, [](auto &s) -> auto & { return s.inference.compute; }, true),
            countField(
                at, "concurrent_sequences", [](auto &s) -> auto & { return s.inference.concurrentSequences; }, batches),
            countField(
                at, "prompt_tokens", [](auto &s) -> auto & { return s.inference.promptTokens; }, tokens),
            countField(
                at, "output_tokens", [](auto &s) -> auto & { return s.inference.outputTokens; }, tokens),
            countField(
                at, "prefill_chunk_tokens", [](auto &s) -> auto & { return s.inference.prefillChunkTokens; }, tokens),
            numberField(at, "memory_fraction", [](auto &s) -> auto & { return s.inference.memoryFraction; },
                        {0, 1, true}),
            choiceField<AttentionKernel>(
                at, "attention", [](auto &s) -> auto & { return s.inference.attention; }, attentionWords()),
            idField(
                at, "engine", [](auto &s) -> auto & { return s.inference.engine; }, engineIds()),
            numberField(at, "arrival_per_second", [](auto &s) -> auto & { return s.inference.arrivalPerSecond; },
                        {0, 1e9, true}),
            countField(at, "gpu_layers", [](auto &s) -> auto & { return s.inference.gpuLayers; }, {0, 2147483647}),
        }};
}

} // namespace ridgepoint
