// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads optimizers, recipes and frameworks.
#include "core/catalog/tables.h"

namespace ridgepoint::catalog {

using nlohmann::json;

void readOptimizers(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "optimizers", context, problems, [&](Entry &entry) {
        Optimizer optimizer;
        optimizer.id = entry.text("id");
        optimizer.name = entry.text("name");
        optimizer.statesPerParameter = entry.fact("states_per_parameter", notNegative);
        optimizer.bytesPerState = entry.optionalFact("bytes_per_state", positive);
        optimizer.blockConstantBytesPerState = entry.optionalFact("block_constant_bytes_per_state", positive);
        optimizer.smallTensorsInFp32 = entry.flag("small_tensors_in_fp32", false);
        optimizer.factored = entry.flag("factored", false);
        optimizer.statesPerNonMatrixParameter = entry.optionalFact("states_per_non_matrix_parameter", notNegative);
        optimizer.help = entry.text("help");
        if (entry.finish()) {
            catalog.optimizers.push_back(std::move(optimizer));
        }
    });
}

void readRecipes(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "recipes", context, problems, [&](Entry &entry) {
        Recipe recipe;
        recipe.id = entry.text("id");
        recipe.name = entry.text("name");
        recipe.weightBytes = entry.fact("weight_bytes", positive);
        recipe.gradientBytes = entry.fact("gradient_bytes", positive);
        recipe.masterBytes = entry.fact("master_bytes", notNegative);
        recipe.stateBytes = entry.fact("state_bytes", positive);
        recipe.activationBytes = entry.fact("activation_bytes", positive);
        recipe.shardsAll = entry.flag("shards_all", false);
        recipe.castsWeights = entry.flag("casts_weights", false);
        recipe.gradientBufferPersistent = entry.flag("gradient_buffer_persistent", false);
        const std::string compute = entry.text("compute");
        if (const std::optional<ComputeFormat> format = computeFormatFromId(compute)) {
            recipe.compute = *format;
        } else {
            entry.report("compute", shownText(compute), "fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 or int8");
        }
        recipe.help = entry.text("help");
        if (entry.finish()) {
            catalog.recipes.push_back(std::move(recipe));
        }
    });
}

void readFrameworks(const json &document, const FileContext &context, Catalog &catalog, Problems &problems) {
    forEachEntry(document, "frameworks", context, problems, [&](Entry &entry) {
        Framework framework;
        framework.id = entry.text("id");
        framework.name = entry.text("name");
        framework.lossBytesPerLogitMaterialized = entry.fact("loss_bytes_per_logit_materialized", positive);
        framework.lossBytesPerLogitFused = entry.fact("loss_bytes_per_logit_fused", positive);
        framework.lossBytesPerLogitSplit = entry.optionalFact("loss_bytes_per_logit_split", positive);
        framework.workspaceBytes = entry.fact("workspace_bytes", notNegative);
        framework.fragmentationFraction = entry.fact("fragmentation_fraction", fraction);
        framework.vocabularyMultiple = entry.fact("vocabulary_multiple", atLeastOne);
        framework.gradientBufferPersistent = entry.flag("gradient_buffer_persistent", false);
        framework.optimizerStepCopies = entry.fact("optimizer_step_copies", notNegative);
        framework.exposedTensorCommunication = entry.fact("exposed_tensor_communication", fraction);
        framework.hostSecondsPerKernel = entry.fact("host_s_per_kernel", notNegative);
        framework.hostSecondsPerLayerPass = entry.fact("host_s_per_layer_pass", notNegative);
        framework.tunedAttention = entry.flag("tuned_attention", false);
        framework.dataParallelOverlap = entry.optionalFact("data_parallel_overlap", fraction);
        framework.attentionShare = entry.optionalFact("attention_share", share);
        framework.stallFraction = entry.optionalFact("stall_fraction", fraction);
        framework.elementwiseTraffic = entry.fact("elementwise_traffic", positive);
        framework.communicationBucketBytes = entry.optionalFact("communication_bucket_bytes", notNegative);
        framework.contextBytes = entry.optionalFact("context_bytes", notNegative);
        framework.gatheredLayers = entry.fact("gathered_layers", atLeastOne);
        framework.dummyGradientBytes = entry.optionalFact("dummy_gradient_bytes", positive);
        framework.freedGradientsStayReserved = entry.flag("freed_gradients_stay_reserved", false);
        framework.keepsGatheredInputs = entry.flag("keeps_gathered_inputs", false);
        framework.keepsAttentionCopies = entry.flag("keeps_attention_copies", false);
        framework.adapterBytes = entry.optionalFact("adapter_bytes", positive);
        framework.adaptersCopyInputs = entry.flag("adapters_copy_inputs", false);
        framework.trainedModulesAreCopies = entry.flag("trained_modules_are_copies", false);
        framework.frozenUnitsKeepInputs = entry.flag("frozen_units_keep_inputs", false);
        framework.narrowLinearsKeepInputs = entry.flag("narrow_linears_keep_inputs", false);
        framework.help = entry.text("help");
        if (entry.finish()) {
            catalog.frameworks.push_back(std::move(framework));
        }
    });
}

} // namespace ridgepoint::catalog
