// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of all model families share: bounds, head sizes, key-value heads, biases, windows and experts.
#pragma once

#include "core/import/config_reader.h"
#include "core/model/shape.h"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace ridgepoint::families {

/// Upper bounds far above any real model; they keep every product of sizes well inside a double.
inline constexpr int mostLayers = 1 << 16;
inline constexpr int mostHeads = 1 << 16;
inline constexpr int mostHeadDim = 1 << 16;
inline constexpr int mostHidden = 1 << 24;
inline constexpr int mostFfn = 1 << 28;
inline constexpr int mostVocabulary = 1 << 28;
inline constexpr int mostTokens = 2'000'000'000;
inline constexpr int mostExperts = 1 << 16;

struct ClassDefaults {
    std::optional<int> kvHeads = std::nullopt; ///< as many as heads where the class has no number
    std::optional<int> headDim = std::nullopt; ///< hidden / heads where the class has no number
    bool tied = false;
    std::optional<int> vocabulary = std::nullopt; ///< the config must say it where the class has none that holds
    std::optional<int> heads = std::nullopt;      ///< the config must say it where the class has none that holds
    bool readsHeadDim = true;                     ///< false: the class divides hidden by heads whatever the config says
};

/// The keys that every family since Llama shares.
TransformerShape readCommon(ConfigReader &config, const ClassDefaults &defaults);

/// hidden / heads where they divide; a problem with both numbers where they do not. `orHeadDim`: the class would take a
/// head_dim.
int evenHeadDim(ConfigReader &config, int hidden, int heads, std::string_view hiddenKey, std::string_view headsKey,
                bool orHeadDim = false);

void checkKvHeads(ConfigReader &config, const TransformerShape &shape, std::string_view headsKey,
                  std::string_view kvHeadsKey);

/// A list of attention kinds, one per layer, where newer configs have it. It wins over the family's own pattern.
void readLayerTypes(ConfigReader &config, TransformerShape &shape);

/// attention_bias puts biases on q, k, v and the output projection, mlp_bias on the MLP.
void readBiases(ConfigReader &config, TransformerShape &shape, bool mlpBiasKnown);

/// Classes without these keys do not look at them; the checkpoint then has no such tensors.
void noteIgnored(ConfigReader &config, std::initializer_list<std::string_view> keys);

/// A key that the class knows and whose other values make another kind of model.
void requireFlag(ConfigReader &config, std::string_view key, bool required, bool classDefault, std::string_view what);

/// The first of two names for one field that the config has; both with different values are a problem.
std::string_view eitherName(ConfigReader &config, std::string_view own, std::string_view common);

/// Routed experts under the names that the family gives them; all three must be there.
Experts readExperts(ConfigReader &config, std::string_view countKey, std::string_view activeKey,
                    std::string_view widthKey);

/// A windowed pattern as far as a shape can say it: full where `isFull` is true. Sets the shape's window fields but the
/// width; false where no shape says it.
bool setWindowPattern(TransformerShape &shape, const std::vector<bool> &isFull);

/// Reads the object under `key`, and refuses the parts in it that `read` did not ask for.
void readNested(ConfigReader &config, std::string_view key, std::string_view nestedClass,
                const std::function<void(ConfigReader &)> &read);

} // namespace ridgepoint::families
