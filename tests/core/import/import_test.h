// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of imports share: problems as text, a look into them, a config, and a folder to write files to.
#pragma once

#include "core/scenario/problem.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace ridgepoint {

template <class T>
std::string messages(const Expected<T> &result) {
    std::string text;
    if (!result) {
        for (const Problem &problem : result.error()) {
            text += problem.message() + "\n";
        }
    }
    return text;
}

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// A small but complete Llama config, the ground that broken ones are made from.
inline nlohmann::ordered_json baseConfig() {
    return {{"model_type", "llama"},
            {"architectures", {"LlamaForCausalLM"}},
            {"hidden_size", 4096},
            {"intermediate_size", 14336},
            {"num_hidden_layers", 32},
            {"num_attention_heads", 32},
            {"num_key_value_heads", 8},
            {"vocab_size", 128256},
            {"max_position_embeddings", 8192},
            {"tie_word_embeddings", false},
            {"torch_dtype", "bfloat16"}};
}

class TestFolder {
public:
    std::string path(const std::string &name) const { return folder_.path().toStdString() + "/" + name; }
    void write(const std::string &name, std::string_view bytes) const {
        const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path(name).c_str(), "wb"), std::fclose);
        Q_ASSERT(file);
        std::fwrite(bytes.data(), 1, bytes.size(), file.get());
    }

private:
    QTemporaryDir folder_;
};

} // namespace ridgepoint

#define VERIFY_SAYS(text, part)                                                                                        \
    QVERIFY2(ridgepoint::contains(text, part), ("expected `" + std::string(part) + "` in `" + (text) + "`").c_str())
