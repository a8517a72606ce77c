// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// From a config's text to a checked model: family, structure, shape, count.
#include "core/import/import.h"

#include "core/import/families.h"
#include "core/import/strict_json.h"
#include "core/import/structure.h"
#include "core/model/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ridgepoint {
namespace {

/// Beyond this a double no longer tells neighbouring counts apart.
constexpr double largestExactCount = 9'007'199'254'740'992.0;

std::string knownFamilies() {
    std::string list;
    for (const ModelFamily &family : modelFamilies()) {
        list += list.empty() ? "" : ", ";
        list += family.modelType;
    }
    return list;
}

/// Letters, digits and a few signs: what no family is called, as with a zero byte inside, matches none.
bool isName(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    });
}

/// The name of the family, or empty with a problem noted.
std::string familyName(const nlohmann::json &config, Problems &problems) {
    const auto field = config.find("model_type");
    const std::string allowed = "a family that is modelled: " + knownFamilies();
    if (field == config.end() || !field->is_string() || !isName(field->get_ref<const std::string &>())) {
        problems.push_back({"model_type", field == config.end() ? "nothing" : shownValue(*field), allowed});
        return {};
    }
    return field->get<std::string>();
}

const ModelFamily *findFamily(std::string_view name) {
    const auto families = modelFamilies();
    const auto family = std::ranges::find(families, name, &ModelFamily::modelType);
    return family == families.end() ? nullptr : &*family;
}

/// Whether a family nobody knows says in every other way that it is a decoder like Llama's.
bool declaresADecoder(const nlohmann::json &config) {
    const auto list = config.find("architectures");
    if (list == config.end() || !list->is_array() || list->size() != 1 || !list->front().is_string()) {
        return false;
    }
    return list->front().get_ref<const std::string &>().ends_with("ForCausalLM");
}

/// The classes to build from, which tell whether the head of a language model is there.
void checkArchitectures(ConfigReader &config, const ModelFamily &family) {
    const nlohmann::json *list = config.find("architectures");
    const std::string allowed = fmt::format("a list with {}", fmt::join(family.architectures, " or "));
    if (list == nullptr || list->is_null() || (list->is_array() && list->empty())) {
        config.assume(fmt::format("architectures: {}, the language model of the family", family.architectures.front()));
        return;
    }
    if (!list->is_array()) {
        config.problem("architectures", shownValue(*list), allowed);
        return;
    }
    for (const nlohmann::json &name : *list) {
        const bool isKnown =
            name.is_string() &&
            std::ranges::find(family.architectures, name.get_ref<const std::string &>()) != family.architectures.end();
        if (!isKnown) {
            config.problem("architectures", "a list with " + shownValue(name), allowed);
        }
    }
}

/// Experts that no layer has, where the config makes all layers dense.
void dropIdleExperts(ConfigReader &config, TransformerShape &shape) {
    if (!shape.experts || !config.problems.empty()) {
        return;
    }
    for (int layer = 0; layer < shape.layers; ++layer) {
        if (shape.isMoe(layer)) {
            return;
        }
    }
    shape.experts.reset();
    config.assume("no layer has experts: the config makes all of them dense");
}

/// Methods whose checkpoints hold the same shape in other widths.
constexpr std::array<std::string_view, 13> quantizations = {
    "aqlm",  "awq",    "bitsandbytes", "compressed-tensors", "eetq", "fbgemm_fp8", "fp8", "gptq", "hqq", "modelopt",
    "mxfp4", "quanto", "torchao"};

/// The format in words, as `gptq, 4 bits, groups of 128`.
std::string formatInWords(const nlohmann::json &quantization, const std::string &method) {
    std::string text = method;
    const auto number = [&](const char *key) -> std::optional<std::int64_t> {
        const auto it = quantization.find(key);
        return it != quantization.end() && it->is_number_integer() ? std::optional(it->get<std::int64_t>())
                                                                   : std::nullopt;
    };
    const auto isTrue = [&](const char *key) {
        const auto it = quantization.find(key);
        return it != quantization.end() && it->is_boolean() && it->get<bool>();
    };
    if (const auto bits = number("bits")) {
        text += fmt::format(", {} bits", *bits);
    } else if (isTrue("load_in_4bit")) {
        text += ", 4 bits";
    } else if (isTrue("load_in_8bit")) {
        text += ", 8 bits";
    }
    if (const auto group = number("group_size"); group && *group > 0) {
        text += fmt::format(", groups of {}", *group);
    }
    return text;
}

void checkQuantization(ConfigReader &config) {
    const std::string allowed = fmt::format("one of {}", fmt::join(quantizations, ", "));
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
        config.problem("quantization_config.quant_method", "nothing", allowed);
    } else if (!method->is_string() ||
               std::ranges::find(quantizations, method->get_ref<const std::string &>()) == quantizations.end()) {
        config.problem("quantization_config.quant_method", shownValue(*method), allowed);
    } else {
        config.warnings.push_back(
            fmt::format("quantization_config: the shape is read, the weight widths of {} are not; "
                        "choose the format of the weights in the scenario",
                        formatInWords(*quantization, method->get_ref<const std::string &>())));
    }
}

} // namespace

Expected<ImportedModel> importHuggingFaceConfig(std::string_view text) {
    const Expected<nlohmann::json> json = parseStrictJsonObject(text);
    if (!json) {
        return tl::unexpected(json.error());
    }
    Problems familyProblems;
    const std::string name = familyName(*json, familyProblems);
    const ModelFamily *family = findFamily(name);
    const std::string_view reason = reasonNotModelled(name);
    const bool isLikeLlama = family == nullptr && reason.empty() && !name.empty() && declaresADecoder(*json);
    ConfigReader config(*json, family != nullptr ? family->configClass
                               : isLikeLlama     ? std::string_view("LlamaConfig")
                                                 : std::string_view("the class"));
    config.problems = std::move(familyProblems);
    ImportedModel model;
    model.family = name;
    if (family != nullptr) {
        checkArchitectures(config, *family);
        model.shape = family->read(config);
    } else if (isLikeLlama) {
        model.shape = readAsLlama(config, name, *json);
    } else if (!name.empty()) {
        config.problem("model_type",
                       reason.empty() ? fmt::format("\"{}\"", shownText(name))
                                      : fmt::format("\"{}\": {}", shownText(name), reason),
                       "a family that is modelled: " + knownFamilies());
    }
    checkStructure(config);
    dropIdleExperts(config, model.shape);
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
