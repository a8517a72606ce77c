// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows for how numbers are kept and which kernels run: recipe, optimizer, recomputation, attention, loss, engine.
#include "ui/store/field_rows.h"
#include "ui/store/stops.h"

#include <algorithm>

namespace ridgepoint::rows {

namespace {

constexpr FieldGroup group = FieldGroup::Precision;

/// Id of the entry that stands for bytes set one by one; choosing it starts from those of the recipe in force.
constexpr std::string_view ownBytes = "bytes";
/// Id of the recomputation that counts layers.
constexpr std::string_view fullLayers = "full_layers";

/// What a recipe keeps with an optimizer, in bytes per parameter.
RecipeBytes bytesOf(const Recipe &recipe, const Optimizer &optimizer) {
    const double perState = optimizer.bytesPerState ? optimizer.bytesPerState->value : recipe.stateBytes.value;
    return {recipe.weightBytes.value, recipe.gradientBytes.value, recipe.masterBytes.value,
            perState * optimizer.statesPerParameter.value, recipe.activationBytes.value};
}

ControlField recipeRow() {
    ControlField field = entries(
        "training.recipe", group, Text::tr("Recipe"),
        Text::tr("How weights, gradients, master copy and optimizer states are kept."), &isTraining,
        [](Scenario &s) -> std::string & { return s.training.recipe; }, &Catalog::recipes);
    field.get = [](const Scenario &s) -> FieldValue {
        return s.training.recipeBytes ? std::string(ownBytes) : s.training.recipe;
    };
    field.set = [](Scenario &s, const FieldValue &value, const Catalog &catalog) {
        const auto &id = std::get<std::string>(value);
        if (id == ownBytes) {
            const Recipe *recipe = catalog.recipe(s.training.recipe);
            const Optimizer *optimizer = catalog.optimizer(s.training.optimizer);
            if (!s.training.recipeBytes && recipe != nullptr && optimizer != nullptr)
                s.training.recipeBytes = bytesOf(*recipe, *optimizer);
            return;
        }
        s.training.recipe = id;
        s.training.recipeBytes.reset();
    };
    field.choices = [catalogued = field.choices](const Scenario &s, const Catalog &catalog) {
        std::vector<FieldChoice> choices = catalogued(s, catalog);
        choices.push_back(
            {std::string(ownBytes), Text::tr("Own bytes"), Text::tr("Bytes per parameter, set one by one below.")});
        return choices;
    };
    return field;
}

ControlField storageRow(const char *id, const QString &label, const QString &help, std::string &(*member)(Scenario &),
                        bool StorageFormat::*use) {
    ControlField field = entries(id, group, label, help, &isInference, member, &Catalog::formats);
    field.choices = [use](const Scenario &, const Catalog &catalog) {
        std::vector<FieldChoice> choices;
        for (const StorageFormat &format : catalog.formats) {
            if (format.*use)
                choices.push_back(
                    {format.id, QString::fromStdString(format.name), QString::fromStdString(format.help)});
        }
        return choices;
    };
    return field;
}

/// The first choice of a model with weights of its own is to serve them as they are.
ControlField weightsRow() {
    static constexpr const char *stored = "stored";
    ControlField field = storageRow(
        "inference.weights", Text::tr("Weights"), Text::tr("How the weights are stored; true bits, scales included."),
        [](Scenario &s) -> std::string & { return s.inference.weights; }, &StorageFormat::forWeights);
    field.choices = [formats = field.choices](const Scenario &s, const Catalog &catalog) {
        std::vector<FieldChoice> choices = formats(s, catalog);
        if (s.model.stored)
            choices.insert(choices.begin(), {stored, Text::tr("As in the file"),
                                             Text::tr("The widths of the model's own file, tensor by tensor.")});
        return choices;
    };
    field.get = [getId = field.get](const Scenario &s) {
        return servesStoredWeights(s) ? FieldValue(std::string(stored)) : getId(s);
    };
    field.set = [setId = field.set](Scenario &s, const FieldValue &value, const Catalog &catalog) {
        s.inference.weightsAsStored = value == FieldValue(std::string(stored));
        if (!s.inference.weightsAsStored)
            setId(s, value, catalog);
    };
    return field;
}

ControlField attentionRow(const char *id, Applies applies, AttentionKernel &(*member)(Scenario &)) {
    return words<AttentionKernel>(
        id, group, Text::tr("Attention"),
        Text::tr("Flash never writes the score matrix; materialized keeps it, and it grows with the square of "
                 "the sequence."),
        applies, member,
        {{AttentionKernel::Flash, "flash", Text::tr("Flash"), {}},
         {AttentionKernel::Materialized, "materialized", Text::tr("Materialized"), {}}});
}

ControlField recomputeRow() {
    return words<Recompute>(
        "training.recompute", group, Text::tr("Recompute"),
        Text::tr("Activations that are dropped in the forward pass and computed again in the backward pass."),
        &isTraining, [](Scenario &s) -> Recompute & { return s.training.recompute; },
        {{Recompute::None, "none", Text::tr("None"), {}},
         {Recompute::Selective, "selective", Text::tr("Selective"), Text::tr("Only the attention core.")},
         {Recompute::SelectiveOps, "selective-ops", Text::tr("Selective, by operation"),
          Text::tr("Keeps attention outputs, reduce-scatter results and every other matrix multiplication's output.")},
         {Recompute::FullLayers, fullLayers, Text::tr("Some layers in full"),
          Text::tr("Everything but the input, in so many layers of each stage.")},
         {Recompute::Full, "full", Text::tr("Full"), Text::tr("Everything but the input of each layer.")}});
}

/// Layers of the fullest stage.
int mostLayersOfAStage(const Scenario &s) {
    const auto &given = s.parallelism.layersPerStage;
    const int stages = std::max(1, s.parallelism.pipeline);
    if (static_cast<int>(given.size()) == stages)
        return std::max(1, *std::ranges::max_element(given));
    return std::max(1, (s.model.shape.layers + stages - 1) / stages);
}

ControlField recomputeLayersRow() {
    ControlField field = quantity(
        "training.recompute.full_layers", group, Text::tr("Layers in full"),
        Text::tr("Layers of each stage whose activations are computed again; the others keep theirs."),
        {Unit::Count, 1, 10000, Scale::Linear},
        [](const Scenario &s) { return isTraining(s) && s.training.recompute == Recompute::FullLayers; },
        [](Scenario &s) -> int & { return s.training.recomputeLayers; }, {});
    field.stops = [](const Scenario &s, const Catalog &) { return linearStops(1, mostLayersOfAStage(s), 1); };
    return field;
}

ControlField lossChunkRow() {
    return quantity(
        "training.loss_chunk_tokens", group, Text::tr("Loss chunk"),
        Text::tr("Tokens whose logits are alive at once: chunk × vocabulary, in 32 bits with the copies of the loss."),
        {Unit::Count, 1, 1e9},
        [](const Scenario &s) { return isTraining(s) && s.training.loss == LossKernel::Chunked; },
        [](Scenario &s) -> double & { return s.training.lossChunkTokens; }, binaryStops(16, 65536));
}

ControlField gpuLayersRow() {
    ControlField field = quantity(
        "inference.gpu_layers", group, Text::tr("Layers on the GPU"),
        Text::tr("llama.cpp: so many of the last layers, the head counting as one; the others stay in the host's "
                 "memory. Empty: all of them."),
        {Unit::Count, 0, 100000, Scale::Linear},
        [](const Scenario &s) {
            return isInference(s) && (s.inference.engine == "llama.cpp" || s.inference.gpuLayers);
        },
        [](Scenario &s) -> std::optional<int> & { return s.inference.gpuLayers; }, {});
    field.stops = [](const Scenario &s, const Catalog &) { return linearStops(0, s.model.shape.layers + 1, 1); };
    field.automatic = [](const Scenario &s, const Catalog &) -> std::optional<double> {
        return s.model.shape.layers + 1;
    };
    return field;
}

std::vector<ControlField> trainingPrecision() {
    std::vector<ControlField> all{recipeRow()};
    for (ControlField &field : recipeBytesRows())
        all.push_back(std::move(field));
    std::vector<ControlField> others{
        computeFormat(
            "training.compute", &isTraining,
            [](Scenario &s) -> std::optional<ComputeFormat> & { return s.training.compute; }, Text::tr("The recipe's")),
        entries(
            "training.optimizer", group, Text::tr("Optimizer"), Text::tr("How many states it keeps per parameter."),
            &isTraining, [](Scenario &s) -> std::string & { return s.training.optimizer; }, &Catalog::optimizers),
        recomputeRow(),
        recomputeLayersRow(),
        attentionRow("training.attention", &isTraining,
                     [](Scenario &s) -> AttentionKernel & { return s.training.attention; }),
        words<LossKernel>(
            "training.loss", group, Text::tr("Loss"),
            Text::tr("What the loss keeps of the logits: materialized a copy in 32 bits and a gradient, chunked only a "
                     "slice of the tokens at a time."),
            &isTraining, [](Scenario &s) -> LossKernel & { return s.training.loss; },
            {{LossKernel::Materialized, "materialized", Text::tr("Materialized"), {}},
             {LossKernel::Fused, "fused", Text::tr("Fused"), {}},
             {LossKernel::Chunked, "chunked", Text::tr("Chunked"), {}}}),
        lossChunkRow(),
        entries(
            "training.framework", group, Text::tr("Framework"),
            Text::tr("Whose buffers, temporaries, allocator slack and overheads are counted."), &isTraining,
            [](Scenario &s) -> std::string & { return s.training.framework; }, &Catalog::frameworks),
        toggle("training.fused_kernels", group, Text::tr("Fused kernels"),
               Text::tr("Norms, activations and rotary embedding run fused; off, each runs and keeps its own tensors."),
               &isTraining, [](Scenario &s) -> bool & { return s.training.fusedKernels; }),
        toggle("training.optimizer_in_backward", group, Text::tr("Optimizer in backward"),
               Text::tr("Gradients are used as they appear and never kept as a whole."), &isTraining,
               [](Scenario &s) -> bool & { return s.training.optimizerInBackward; }),
        toggle("training.dropout", group, Text::tr("Dropout"),
               Text::tr("Keeps the masks, as GPT-2 and GPT-3 were trained."), &isTraining,
               [](Scenario &s) -> bool & { return s.training.dropout; }),
    };
    for (ControlField &field : others)
        all.push_back(std::move(field));
    return all;
}

std::vector<ControlField> inferencePrecision() {
    return {
        weightsRow(),
        storageRow(
            "inference.kv_cache", Text::tr("KV cache"), Text::tr("How keys and values of past tokens are stored."),
            [](Scenario &s) -> std::string & { return s.inference.kvCache; }, &StorageFormat::forCache),
        computeFormat(
            "inference.compute", &isInference,
            [](Scenario &s) -> std::optional<ComputeFormat> & { return s.inference.compute; },
            Text::tr("The weights'")),
        attentionRow("inference.attention", &isInference,
                     [](Scenario &s) -> AttentionKernel & { return s.inference.attention; }),
        entries(
            "inference.engine", group, Text::tr("Engine"),
            Text::tr("Whose cache blocks, reserved memory and overheads are counted."), &isInference,
            [](Scenario &s) -> std::string & { return s.inference.engine; }, &Catalog::engines),
        gpuLayersRow(),
    };
}

} // namespace

std::vector<ControlField> precisionRows() {
    std::vector<ControlField> all = trainingPrecision();
    for (ControlField &field : inferencePrecision())
        all.push_back(std::move(field));
    return all;
}

} // namespace ridgepoint::rows
