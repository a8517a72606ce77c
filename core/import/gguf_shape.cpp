// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Keys give sizes; which tensors a layer has gives the kinds of its norms, biases and blocks. Keys:
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md and gguf-py/gguf/constants.py of llama.cpp.
#include "core/import/gguf_shape.h"

#include "core/import/gguf_architectures.h"
#include "core/import/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace ridgepoint {
namespace {

constexpr int mostLayers = 1 << 16;
constexpr int mostHeads = 1 << 16;
constexpr int mostHeadDim = 1 << 16;
constexpr int mostHidden = 1 << 24;
constexpr int mostFfn = 1 << 28;
constexpr int mostVocabulary = 1 << 28;
constexpr int mostTokens = 2'000'000'000;
constexpr int mostExperts = 1 << 16;

std::string shownKind(const GgufValue &value) {
    if (const auto *flag = std::get_if<bool>(&value)) {
        return *flag ? "true" : "false";
    }
    if (const auto *whole = std::get_if<std::int64_t>(&value)) {
        return fmt::format("{}", *whole);
    }
    if (const auto *whole = std::get_if<std::uint64_t>(&value)) {
        return fmt::format("{}", *whole);
    }
    if (const auto *real = std::get_if<double>(&value)) {
        return fmt::format("{}", *real);
    }
    if (const auto *text = std::get_if<std::string>(&value)) {
        return fmt::format("text \"{}\"", shownText(*text));
    }
    return fmt::format("a list of {}", std::get<GgufList>(value).count);
}

class ShapeReader {
public:
    ShapeReader(const GgufHeader &header, const GgufArchitecture &architecture, GgufShape &result)
        : header_(header), architecture_(architecture), result_(result) {
        tensors_.reserve(header.tensors.size());
        for (const StoredTensor &tensor : header.tensors) {
            tensors_.emplace(tensor.name, &tensor);
        }
    }

    Problems read() {
        TransformerShape shape;
        readSizes(shape);
        if (!problems_.empty()) {
            return std::move(problems_);
        }
        readHeads(shape);
        readBlocks(shape);
        readExperts(shape);
        readWindow(shape);
        readTables(shape);
        if (problems_.empty() && result_.reason.empty()) {
            result_.shape = shape;
        }
        return std::move(problems_);
    }

private:
    std::string keyOf(std::string_view key) const { return fmt::format("{}.{}", architecture_.name, key); }
    const GgufValue *find(std::string_view key) const { return header_.find(keyOf(key)); }

    void problem(std::string_view key, std::string found, std::string allowed) {
        problems_.push_back({keyOf(key), std::move(found), std::move(allowed)});
    }

    void cannotSay(std::string reason) {
        if (result_.reason.empty()) {
            result_.reason = std::move(reason);
        }
    }

    /// A whole number from `least` to `most`; a list with one number per layer where all are the same.
    std::optional<int> number(std::string_view key, int most, int least = 1) {
        const GgufValue *value = find(key);
        if (value == nullptr) {
            return std::nullopt;
        }
        std::int64_t whole = 0;
        if (const auto *list = std::get_if<GgufList>(value); list != nullptr && !list->numbers.empty()) {
            whole = list->numbers.front();
            if (std::ranges::count(list->numbers, whole) != static_cast<std::ptrdiff_t>(list->numbers.size())) {
                cannotSay(fmt::format("{} differs from layer to layer", keyOf(key)));
            }
        } else if (const auto *one = std::get_if<std::int64_t>(value)) {
            whole = *one;
        } else {
            problem(key, shownKind(*value), fmt::format("a whole number from {} to {}", least, most));
            return least;
        }
        if (whole < least || whole > most) {
            problem(key, fmt::format("{}", whole), fmt::format("a whole number from {} to {}", least, most));
            return least;
        }
        return static_cast<int>(whole);
    }

    int required(std::string_view key, int most) {
        const std::optional<int> value = number(key, most);
        if (!value) {
            problem(key, "nothing", "a whole number of at least 1");
        }
        return value.value_or(1);
    }

    const StoredTensor *tensor(std::string_view name) const {
        const auto it = tensors_.find(name);
        return it == tensors_.end() ? nullptr : it->second;
    }
    const StoredTensor *inBlock(int block, std::string_view name) const {
        return tensor(fmt::format("blk.{}.{}", block, name));
    }
    /// In the first block that has it, of those the model itself consists of.
    const StoredTensor *inAnyBlock(std::string_view name) const {
        for (int block = 0; block < result_.layers; ++block) {
            if (const StoredTensor *found = inBlock(block, name)) {
                return found;
            }
        }
        return nullptr;
    }
    bool has(std::string_view name) const { return inBlock(0, name) != nullptr; }

    void readSizes(TransformerShape &shape) {
        shape.layers = required("block_count", mostLayers);
        shape.hidden = required("embedding_length", mostHidden);
        shape.heads = required("attention.head_count", mostHeads);
        if (find("feed_forward_length") != nullptr || find("expert_feed_forward_length") == nullptr) {
            shape.ffn = required("feed_forward_length", mostFfn);
        }
        readVocabulary(shape);
        const int further = number("nextn_predict_layers", mostLayers, 0).value_or(0);
        if (further >= shape.layers && further > 0 && problems_.empty()) {
            problem("nextn_predict_layers", fmt::format("{}", further),
                    fmt::format("fewer than the {} of block_count", shape.layers));
            return;
        }
        shape.layers -= further;
        result_.layers = shape.layers;
    }

    void readVocabulary(TransformerShape &shape) {
        std::uint64_t rows = 0;
        std::string field = "token_embd.weight";
        if (const StoredTensor *table = tensor(field); table != nullptr && table->rank == 2) {
            rows = table->shape[0];
        } else if (const GgufValue *size = find("vocab_size")) {
            field = keyOf("vocab_size");
            rows =
                static_cast<std::uint64_t>(std::max<std::int64_t>(0, number("vocab_size", mostVocabulary).value_or(1)));
            static_cast<void>(size);
        } else if (const GgufValue *tokens = header_.find("tokenizer.ggml.tokens");
                   tokens != nullptr && std::holds_alternative<GgufList>(*tokens)) {
            field = "tokenizer.ggml.tokens";
            rows = std::get<GgufList>(*tokens).count;
        } else {
            problems_.push_back({keyOf("vocab_size"), "nothing",
                                 "the vocabulary: this key, a tensor token_embd.weight or tokenizer.ggml.tokens"});
            return;
        }
        if (rows < 1 || rows > mostVocabulary) {
            problems_.push_back(
                {field, fmt::format("a vocabulary of {}", rows), fmt::format("1 to {}", mostVocabulary)});
            return;
        }
        shape.vocabulary = static_cast<int>(rows);
    }

    void readHeads(TransformerShape &shape) {
        const std::optional<int> kvHeads = number("attention.head_count_kv", mostHeads);
        shape.kvHeads = kvHeads.value_or(shape.heads);
        if (!kvHeads) {
            assume(fmt::format("attention.head_count_kv: {} = attention.head_count, which llama.cpp takes without it",
                               shape.heads));
        }
        if (shape.heads % shape.kvHeads != 0 && result_.reason.empty()) {
            problem("attention.head_count_kv", fmt::format("{} for {} heads", shape.kvHeads, shape.heads),
                    fmt::format("a divisor of {}", shape.heads));
        }
        const std::optional<int> rank = number("attention.kv_lora_rank", mostHidden);
        const std::optional<int> keyLength = number("attention.key_length", mostHeadDim);
        const std::optional<int> valueLength = number("attention.value_length", mostHeadDim);
        if (rank && architecture_.name.starts_with("deepseek2")) {
            readMla(shape, *rank, keyLength, valueLength);
            return;
        }
        if (keyLength) {
            shape.headDim = *keyLength;
        } else if (shape.hidden % shape.heads == 0) {
            shape.headDim = shape.hidden / shape.heads;
            assume(fmt::format("attention.key_length: {} = embedding_length / attention.head_count, which llama.cpp "
                               "takes without it",
                               shape.headDim));
        } else {
            problem(
                "attention.head_count",
                fmt::format("{} heads for embedding_length {} and no attention.key_length", shape.heads, shape.hidden),
                fmt::format("a divisor of {}, or attention.key_length beside it", shape.hidden));
        }
        if (valueLength && *valueLength != shape.headDim) {
            shape.valueHeadDim = valueLength;
        }
    }

    /// Newer files give the widths of a head under `_mla`, and those of the cache under the plain keys.
    void readMla(TransformerShape &shape, int rank, std::optional<int> keyLength, std::optional<int> valueLength) {
        Mla mla;
        mla.kvRank = rank;
        mla.qRank = number("attention.q_lora_rank", mostHidden);
        const std::optional<int> key = number("attention.key_length_mla", mostHeadDim);
        const std::optional<int> value = number("attention.value_length_mla", mostHeadDim);
        const int whole = key ? *key : keyLength.value_or(0);
        mla.ropeDim = required("rope.dimension_count", mostHeadDim);
        mla.vDim = value ? *value : valueLength.value_or(0);
        mla.nopeDim = whole - mla.ropeDim;
        if (mla.nopeDim < 1 || mla.vDim < 1) {
            problem("attention.key_length", fmt::format("{} and value_length {}", whole, mla.vDim),
                    fmt::format("a key wider than its {} rotary elements, and a value of at least 1", mla.ropeDim));
            return;
        }
        shape.mla = mla;
        shape.kvHeads = shape.heads;
        shape.headDim = whole;
        if (mla.vDim != whole) {
            shape.valueHeadDim = mla.vDim;
        }
    }

    /// Norms, biases and the MLP's kind, from what block 0 has.
    void readBlocks(TransformerShape &shape) {
        const bool isEmpty = !has("attn_norm.weight") && !has("attn_output.weight") && !has("ffn_down.weight");
        const bool isLayerNorm = find("attention.layer_norm_epsilon") != nullptr;
        const bool hasNormBias = isEmpty || has("attn_norm.bias") || tensor("output_norm.bias") != nullptr;
        shape.norm = !isLayerNorm  ? NormKind::RmsNorm
                     : hasNormBias ? NormKind::LayerNorm
                                   : NormKind::LayerNormWithoutBias;
        shape.gatedMlp = architecture_.gated;
        if (isEmpty) {
            assume("the file has no tensors of its first layer: norms before attention and MLP, no biases");
            return;
        }
        readBiases(shape);
        const bool before = has("attn_norm.weight");
        const bool middle = has("ffn_norm.weight");
        const bool after = has("post_attention_norm.weight");
        if (!before && after) {
            shape.blockNorms = BlockNorms::After;
        } else if (before && middle && after) {
            shape.blockNorms = BlockNorms::Around;
        } else if (architecture_.parallelBlocks) {
            const bool own = middle || has("attn_norm_2.weight");
            shape.blockNorms = own ? BlockNorms::ParallelOwn : BlockNorms::ParallelShared;
        }
        if (const StoredTensor *norm = inBlock(0, "attn_q_norm.weight"); norm != nullptr && !shape.mla) {
            const bool perHead = norm->elements == static_cast<std::uint64_t>(shape.headDim);
            shape.qkNorm = perHead ? QkNorm::PerHead : QkNorm::FullWidth;
        }
        if (const StoredTensor *up = inAnyBlock("ffn_up.weight")) {
            shape.gatedMlp = inAnyBlock("ffn_gate.weight") != nullptr ||
                             up->shape[0] == 2 * static_cast<std::uint64_t>(shape.ffn); // gate and up in one
        } else if (inAnyBlock("ffn_up_exps.weight") != nullptr) {
            shape.gatedMlp = inAnyBlock("ffn_gate_exps.weight") != nullptr;
        }
        shape.attentionSinks = has("attn_sinks.weight");
    }

    void readBiases(TransformerShape &shape) {
        const bool qkv = has("attn_q.bias") || has("attn_qkv.bias");
        const bool output = has("attn_output.bias");
        const bool mlp = has("ffn_up.bias") || has("ffn_down.bias");
        if (output && !qkv) {
            cannotSay("a bias on the attention's output alone");
        }
        shape.biases = qkv && output ? (mlp ? Biases::All : Biases::Attention)
                       : mlp         ? (qkv ? Biases::All : Biases::Mlp)
                       : qkv         ? Biases::Qkv
                                     : Biases::None;
        if (qkv && mlp && !output) {
            cannotSay("biases on q, k, v and the MLP, and none on the attention's output");
        }
    }

    void readExperts(TransformerShape &shape) {
        const int count = number("expert_count", mostExperts, 0).value_or(0);
        if (count == 0) {
            return;
        }
        Experts experts;
        experts.count = count;
        experts.active = required("expert_used_count", mostExperts);
        if (experts.active > count) {
            problem("expert_used_count", fmt::format("{} of {} experts", experts.active, count),
                    fmt::format("{} at most", count));
        }
        experts.ffn = number("expert_feed_forward_length", mostFfn).value_or(shape.ffn);
        const bool hasShared = inAnyBlock("ffn_up_shexp.weight") != nullptr;
        const std::optional<int> sharedWidth = number("expert_shared_feed_forward_length", mostFfn, 0);
        experts.shared = number("expert_shared_count", mostExperts, 0).value_or(hasShared ? 1 : 0);
        experts.sharedFfn =
            sharedWidth.value_or(0) > 0 && experts.shared > 0 ? *sharedWidth / experts.shared : experts.ffn;
        experts.sharedFfn = experts.shared > 0 ? experts.sharedFfn : 0;
        experts.routerBias = inAnyBlock("exp_probs_b.bias") != nullptr || inAnyBlock("ffn_gate_inp.bias") != nullptr;
        experts.biases = inAnyBlock("ffn_up_exps.bias") != nullptr;
        experts.sharedGate = inAnyBlock("ffn_gate_inp_shexp.weight") != nullptr;
        experts.denseLayers = number("leading_dense_block_count", mostLayers, 0).value_or(0);
        experts.every = number("interleave_moe_layer_step", mostLayers, 0).value_or(0);
        experts.every = std::max(experts.every, 1);
        shape.experts = experts;
        checkExpertLayers(shape);
    }

    /// Where the file has routers, they tell which layers are mixtures.
    void checkExpertLayers(TransformerShape &shape) {
        std::vector<int> mixed;
        for (int layer = 0; layer < shape.layers; ++layer) {
            if (inBlock(layer, "ffn_gate_inp.weight") != nullptr) {
                mixed.push_back(layer);
            }
        }
        if (mixed.empty()) {
            return;
        }
        const int step = mixed.size() > 1 ? mixed[1] - mixed[0] : 1;
        shape.experts->every = step;
        shape.experts->denseLayers = std::max(0, mixed[0] - (step - 1));
        for (int layer = 0; layer < shape.layers; ++layer) {
            const bool isMixed = std::ranges::binary_search(mixed, layer);
            if (isMixed != shape.isMoe(layer)) {
                cannotSay(fmt::format("layer {} {} experts, against the pattern of the others", layer,
                                      isMixed ? "has" : "has no"));
                return;
            }
        }
    }

    void readWindow(TransformerShape &shape) {
        const std::optional<int> own = number("attention.sliding_window", mostTokens, 0);
        const int window = own.value_or(architecture_.window);
        if (window == 0) {
            return;
        }
        shape.attentionWindow = window;
        shape.chunkedWindow = architecture_.chunkedWindow;
        const GgufValue *pattern = find("attention.sliding_window_pattern");
        if (pattern != nullptr && std::holds_alternative<GgufList>(*pattern)) {
            readPattern(shape, std::get<GgufList>(*pattern));
            return;
        }
        const int every = pattern != nullptr ? number("attention.sliding_window_pattern", mostLayers).value_or(1)
                                             : architecture_.fullEvery;
        if (every > 0) {
            shape.attentionWindowEvery = every;
        }
        if (pattern == nullptr) {
            assume(every > 0
                       ? fmt::format(
                             "the last of every {} layers attends in full, the others within {} tokens, as {} has it",
                             every, window, architecture_.name)
                       : fmt::format("every layer within the window of {} tokens", window));
        }
    }

    /// One entry a layer: 1 where it is windowed.
    void readPattern(TransformerShape &shape, const GgufList &pattern) {
        const std::vector<std::int64_t> &windowed = pattern.numbers;
        if (windowed.size() < static_cast<std::size_t>(shape.layers)) {
            problem("attention.sliding_window_pattern", fmt::format("a list of {}", pattern.count),
                    fmt::format("a list of {}, one for each layer", shape.layers));
            return;
        }
        const auto firstFull = std::ranges::find(windowed, 0);
        const auto every = static_cast<int>(firstFull - windowed.begin()) + 1;
        if (std::ranges::count(windowed, 0) == static_cast<std::ptrdiff_t>(windowed.size())) {
            shape.attentionWindow.reset();
            return;
        }
        if (firstFull != windowed.end()) {
            shape.attentionWindowEvery = every;
        }
        for (int layer = 0; layer < shape.layers; ++layer) {
            if (shape.isWindowed(layer) != (windowed[static_cast<std::size_t>(layer)] != 0)) {
                cannotSay(fmt::format("attention.sliding_window_pattern: layer {} is out of the pattern of the others",
                                      layer));
                return;
            }
        }
    }

    void readTables(TransformerShape &shape) {
        const bool hasTensors = !header_.tensors.empty();
        shape.tiedEmbeddings = hasTensors && tensor("output.weight") == nullptr;
        shape.headBias = tensor("output.bias") != nullptr;
        shape.embeddingNorm =
            tensor("token_embd_norm.weight") != nullptr || (!hasTensors && architecture_.embeddingNorm);
        shape.finalNorm = !hasTensors || tensor("output_norm.weight") != nullptr;
        if (shape.tiedEmbeddings) {
            assume("tied embeddings: the file has no output.weight");
        }
        if (const StoredTensor *table = tensor("position_embd.weight")) {
            shape.positions = Positions::Learned;
            shape.maxPositions = static_cast<int>(std::min<std::uint64_t>(table->shape[0], mostTokens));
        } else if (architecture_.alibi) {
            shape.positions = Positions::Alibi;
        }
    }

    void assume(std::string text) { result_.assumptions.push_back(std::move(text)); }

    const GgufHeader &header_;
    const GgufArchitecture &architecture_;
    GgufShape &result_;
    std::unordered_map<std::string_view, const StoredTensor *> tensors_;
    Problems problems_;
};

std::string knownArchitectures() {
    std::string list;
    for (const GgufArchitecture &architecture : ggufArchitectures) {
        list.append(list.empty() ? "" : ", ").append(architecture.name);
    }
    return list;
}

} // namespace

Expected<GgufShape> readGgufShape(const GgufHeader &header) {
    GgufShape result;
    const GgufValue *value = header.find("general.architecture");
    const auto *name = value != nullptr ? std::get_if<std::string>(value) : nullptr;
    if (name == nullptr) {
        return tl::unexpected(Problems{
            {"general.architecture", value == nullptr ? "nothing" : shownKind(*value), "the name of an architecture"}});
    }
    result.architecture = *name;
    const auto known = std::ranges::find(ggufArchitectures, std::string_view(*name), &GgufArchitecture::name);
    if (known == ggufArchitectures.end()) {
        result.reason = fmt::format("general.architecture is \"{}\", and a shape is known of: {}", shownText(*name),
                                    knownArchitectures());
        return result;
    }
    Problems problems = ShapeReader(header, *known, result).read();
    if (!problems.empty()) {
        return tl::unexpected(std::move(problems));
    }
    return result;
}

} // namespace ridgepoint
