// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// From a config's text to a checked model: family, structure, shape, count.
#include "core/import/import.h"

#include "core/import/families.h"
#include "core/import/strict_json.h"
#include "core/model/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgepoint {
namespace {

/// Beyond this a double no longer tells neighbouring counts apart.
constexpr double largestExactCount = 9'007'199'254'740'992.0;

std::string knownFamilies() {
    std::string list;
    for (const ModelFamily &family : modelFamilies()) {
        list += (list.empty() ? "" : ", ") + std::string(family.modelType);
    }
    return list;
}

const ModelFamily *findFamily(const nlohmann::json &config, Problems &problems) {
    const auto field = config.find("model_type");
    const std::string allowed = "a family that is modelled: " + knownFamilies();
    if (field == config.end()) {
        problems.push_back({"model_type", "nothing", allowed});
        return nullptr;
    }
    if (!field->is_string()) {
        problems.push_back({"model_type", shownValue(*field), allowed});
        return nullptr;
    }
    const auto &name = field->get_ref<const std::string &>();
    const auto families = modelFamilies();
    const auto family = std::ranges::find(families, std::string_view(name), &ModelFamily::modelType);
    if (family != families.end()) {
        return &*family;
    }
    problems.push_back({"model_type", fmt::format("\"{}\"", shownText(name)), allowed});
    return nullptr;
}

/// The classes to build from, which tell whether the head of a language model is there.
void checkArchitectures(ConfigReader &config, const ModelFamily &family) {
    const nlohmann::json *list = config.find("architectures");
    const std::string allowed = fmt::format("a list with {}", family.architecture);
    if (list == nullptr || list->is_null() || (list->is_array() && list->empty())) {
        config.assume(fmt::format("architectures: {}, the language model of the family", family.architecture));
        return;
    }
    if (!list->is_array()) {
        config.problem("architectures", shownValue(*list), allowed);
        return;
    }
    for (const nlohmann::json &name : *list) {
        if (name != family.architecture) {
            config.problem("architectures", "a list with " + shownValue(name), allowed);
        }
    }
}

/// Parts that would change the count and that these families do not have: a config with one is of another kind.
void checkStructure(ConfigReader &config, bool mayNest) {
    for (const std::string_view key : {"text_config", "vision_config", "audio_config"}) {
        const bool read = mayNest && key != "audio_config";
        if (read || !config.has(key) || config.isNull(key)) {
            continue;
        }
        const nlohmann::json &value = *config.find(key);
        config.problem(key, shownValue(value),
                       value.is_object() ? "no nested models: towers are not modelled in this version"
                                         : "an object in kind, and none here: towers are not modelled in this version");
    }
    for (const std::string_view key :
         {"num_local_experts", "num_experts", "n_routed_experts", "kv_lora_rank", "num_nextn_predict_layers",
          "add_cross_attention", "is_encoder_decoder", "use_bidirectional_attention"}) {
        if (config.isSet(key)) {
            config.problem(key, shownValue(*config.find(key)),
                           "a dense decoder without it: not modelled for this family");
        }
    }
}

void checkQuantization(ConfigReader &config) {
    static constexpr std::array<std::string_view, 4> methods = {"awq", "bitsandbytes", "fp8", "gptq"};
    static constexpr std::string_view allowed = "one of awq, bitsandbytes, fp8, gptq";
    const nlohmann::json *quantization = config.find("quantization_config");
    if (quantization == nullptr || quantization->is_null()) {
        return;
    }
    if (!quantization->is_object()) {
        config.problem("quantization_config", shownValue(*quantization), "an object");
        return;
    }
    const auto method = quantization->find("quant_method");
    if (method == quantization->end()) {
        config.problem("quantization_config.quant_method", "nothing", std::string(allowed));
    } else if (!method->is_string() ||
               std::ranges::find(methods, method->get_ref<const std::string &>()) == methods.end()) {
        config.problem("quantization_config.quant_method", shownValue(*method), std::string(allowed));
    } else {
        config.warnings.push_back(
            fmt::format("quantization_config: the shape is read, the weight widths of {} are not; "
                        "choose the format of the weights in the scenario",
                        method->get_ref<const std::string &>()));
    }
}

} // namespace

Expected<ImportedModel> importHuggingFaceConfig(std::string_view text) {
    const Expected<nlohmann::json> json = parseStrictJsonObject(text);
    if (!json) {
        return tl::unexpected(json.error());
    }
    Problems familyProblems;
    const ModelFamily *family = findFamily(*json, familyProblems);
    ConfigReader config(*json, family != nullptr ? family->configClass : std::string_view("the class"));
    config.problems = std::move(familyProblems);
    ImportedModel model;
    if (family != nullptr) {
        model.family = family->modelType;
        checkArchitectures(config, *family);
        model.shape = family->read(config);
    }
    checkStructure(config, family != nullptr && family->nested);
    checkQuantization(config);
    if (config.problems.empty()) {
        const ParameterCount count = countParameters(model.shape);
        model.parametersTotal = count.total;
        model.parametersActive = count.active;
        if (!(count.total < largestExactCount)) {
            config.problem("", fmt::format("sizes that make {:.3g} parameters", count.total),
                           "fewer than 9e15 parameters");
        }
    }
    if (!config.problems.empty()) {
        return tl::unexpected(std::move(config.problems));
    }
    model.assumptions = std::move(config.assumptions);
    model.warnings = std::move(config.warnings);
    return model;
}

} // namespace ridgepoint
