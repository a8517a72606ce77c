// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A model's shape in words.
#include "ui/store/model_words.h"

#include "core/model/cache_elements.h"
#include "core/model/parameters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ridgepoint {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::ModelWords)

public:
    Words(const Scenario &scenario, const Catalog &catalog, const NumberStyle &style)
        : scenario_(scenario), shape_(scenario.model.shape), catalog_(catalog), style_(style),
          cache_(cacheElements(shape_)) {}

    std::vector<ModelLine> all() {
        parameters();
        layers();
        experts();
        heads();
        headSize();
        cache();
        encoder();
        assumptions();
        return std::move(lines_);
    }

private:
    QString whole(double value) const { return QString::fromStdString(formatExact(value, Unit::Count, style_)); }
    QString rounded(double value) const { return QString::fromStdString(formatQuantity(value, Unit::Count, style_)); }
    void add(const char *id, const QString &text, const QString &tip, bool isBadge = false) {
        lines_.push_back({QString::fromLatin1(id), text, tip, isBadge});
    }

    void parameters() {
        const ParameterCount count = countParameters(shape_);
        const QString exact = tr("%1 parameters").arg(whole(count.total));
        const QString without =
            tr("Without embedding and head: %1.").arg(whole(count.total - count.embedding - count.head));
        if (count.active < count.total)
            add("parameters", tr("%1 in all, %2 active per token").arg(rounded(count.total), rounded(count.active)),
                tr("%1, of which one token uses %2. Memory holds all of them; compute and the traffic of a single "
                   "sequence follow the active ones. %3")
                    .arg(exact, whole(count.active), without));
        else
            add("parameters", tr("%1, all active").arg(exact), without);
        if (shape_.tiedEmbeddings && shape_.hasHead)
            add("tied", tr("tied: counted once"),
                tr("Input embedding and output head share one matrix of %1 weights: once in memory, still once in the "
                   "FLOPs of the head.")
                    .arg(whole(count.embedding)),
                true);
    }

    void layers() {
        QStringList kinds;
        const auto kind = [&](int count, const QString &name) {
            if (count > 0)
                kinds.append(count == shape_.layers ? name : tr("%1 %2", "count, kind").arg(whole(count), name));
        };
        int windowed = 0;
        int linear = 0;
        for (int layer = 0; layer < shape_.layers; ++layer) {
            windowed += shape_.isWindowed(layer) ? 1 : 0;
            linear += shape_.isLinear(layer) ? 1 : 0;
        }
        kind(shape_.layers - windowed - linear, shape_.mla      ? tr("latent (MLA)")
                                                : shape_.causal ? tr("full")
                                                                : tr("in both directions"));
        if (shape_.attentionWindow)
            kind(windowed, (shape_.chunkedWindow ? tr("in chunks of %1 tokens") : tr("within %1 tokens"))
                               .arg(whole(*shape_.attentionWindow)));
        kind(linear, tr("linear"));
        add("layers",
            (kinds.size() == 1 ? tr("%1 layers, attention %2") : tr("%1 layers: %2"))
                .arg(whole(shape_.layers), kinds.join(QStringLiteral(", "))),
            tr("Layers by kind of attention. Full layers keep every token in the cache, windowed ones at most their "
               "window, linear ones a state of fixed size."));
    }

    void experts() {
        if (!shape_.experts)
            return;
        const Experts &e = *shape_.experts;
        QString text = tr("experts: %1 of %2").arg(whole(e.active), whole(e.count));
        if (e.shared > 0)
            text += tr(" + %1 shared").arg(whole(e.shared));
        if (e.denseLayers > 0)
            text += e.denseLayers == 1 ? tr(", first layer dense")
                                       : tr(", first %1 layers dense").arg(whole(e.denseLayers));
        if (e.every > 1)
            text += tr(", in every %1. layer").arg(whole(e.every));
        add("experts", text,
            tr("A token uses %1 of the %2 experts of a layer, each of width %3. All of them are in memory.")
                .arg(whole(e.active), whole(e.count), whole(e.ffn)));
    }

    void heads() {
        if (shape_.mla) {
            add("heads",
                tr("%1 heads over a latent of %2 + %3 rotary")
                    .arg(whole(shape_.heads), whole(shape_.mla->kvRank), whole(shape_.mla->ropeDim)),
                tr("The cache holds the latent and one rotary key instead of keys and values; every tensor-parallel "
                   "rank keeps a full copy."));
            return;
        }
        const QString tip = tr("KV heads: heads of keys and values; only those are cached.");
        if (shape_.kvHeads == shape_.heads)
            add("heads", tr("%1 heads, each with its own KV head").arg(whole(shape_.heads)), tip);
        else
            add("heads",
                tr("%1 KV heads, %2 query heads per KV head")
                    .arg(whole(shape_.kvHeads), QString::number(static_cast<double>(shape_.heads) / shape_.kvHeads)),
                tr("%1 query heads. %2").arg(whole(shape_.heads), tip));
    }

    void headSize() {
        if (shape_.mla)
            return;
        const bool isQuotient = shape_.headDim * shape_.heads == shape_.hidden;
        QString text = shape_.valueDim() != shape_.headDim
                           ? tr("head size: keys %1, values %2").arg(whole(shape_.headDim), whole(shape_.valueDim()))
                           : tr("head size %1").arg(whole(shape_.headDim));
        text += isQuotient ? tr(" = hidden / heads") : tr(", given by the model");
        add("head_size", text,
            isQuotient ? tr("%1 / %2.").arg(whole(shape_.hidden), whole(shape_.heads))
                       : tr("Not hidden / heads, which would be %1: this model gives it.")
                             .arg(QString::number(static_cast<double>(shape_.hidden) / shape_.heads, 'g', 4)));
    }

    void cache() {
        if (!shape_.causal) {
            add("cache", tr("no cache: an encoder"), tr("Nothing is generated token by token."));
            return;
        }
        const StorageFormat *format = catalog_.format(scenario_.inference.kvCache);
        const double bytes = (format != nullptr ? format->bitsPerLinearWeight.value : 16) / 8;
        const QString width = QString::number(bytes, 'g', 6);
        const int cached = cache_.layersFull + cache_.layersWindowed;
        const double total = cache_.elementsPerToken * bytes;
        const QString formula =
            shape_.mla ? tr("%1 layers × (%2 + %3) × %4 B")
                             .arg(whole(cached), whole(shape_.mla->kvRank), whole(shape_.mla->ropeDim), width)
            : shape_.valueDim() != shape_.headDim
                ? tr("%1 layers × %2 KV heads × (%3 + %4) × %5 B")
                      .arg(whole(cached), whole(shape_.kvHeads), whole(shape_.headDim), whole(shape_.valueDim()), width)
                : tr("2 × %1 layers × %2 KV heads × %3 × %4 B")
                      .arg(whole(cached), whole(shape_.kvHeads), whole(shape_.headDim), width);
        add("cache", tr("cache %1 B per token").arg(whole(total)),
            tr("%1, keys and values of one token on all GPUs together. A sequence of 32,768 tokens: %2.")
                .arg(formula,
                     QString::fromStdString(formatQuantity(sequenceBytes(32768, bytes), Unit::Bytes, style_))));
        add("cache_formula", QStringLiteral("= ") + formula, tr("Where the bytes per token come from."));
        if (cache_.layersWindowed > 0 && cached > 0)
            add("cache_window", tr("%1 B per token beyond the window").arg(whole(total * cache_.layersFull / cached)),
                tr("Windowed layers keep %1 tokens at most.").arg(whole(*shape_.attentionWindow)));
        if (cache_.stateElements > 0)
            add("cache_state",
                tr("+ %1 of state per sequence")
                    .arg(QString::fromStdString(formatQuantity(cache_.stateElements * bytes, Unit::Bytes, style_))),
                tr("What linear attention keeps of a sequence, however long it is."));
    }

    double sequenceBytes(double tokens, double bytes) const {
        const int cached = std::max(1, cache_.layersFull + cache_.layersWindowed);
        const double perLayer = cache_.elementsPerToken / cached * bytes;
        const double windowed = std::min(tokens, static_cast<double>(cache_.windowTokens.value_or(0)));
        return perLayer * (cache_.layersFull * tokens + cache_.layersWindowed * windowed);
    }

    void encoder() {
        if (!shape_.encoder)
            return;
        add("encoder", tr("encoder: %1 layers").arg(whole(shape_.encoder->layers)),
            tr("Runs once per input; every decoder layer attends over its output."));
    }

    void assumptions() {
        const auto &list = scenario_.model.assumptions;
        if (list.empty())
            return;
        QStringList text;
        for (const std::string &assumption : list)
            text.append(QString::fromStdString(assumption));
        add("assumptions",
            list.size() == 1 ? tr("1 assumption") : tr("%1 assumptions").arg(whole(static_cast<double>(list.size()))),
            text.join(u'\n'), true);
    }

    const Scenario &scenario_;
    const TransformerShape &shape_;
    const Catalog &catalog_;
    const NumberStyle &style_;
    CacheElements cache_;
    std::vector<ModelLine> lines_;
};

} // namespace

std::vector<ModelLine> modelLines(const Scenario &scenario, const Catalog &catalog, const NumberStyle &style) {
    return Words(scenario, catalog, style).all();
}

} // namespace ridgepoint
