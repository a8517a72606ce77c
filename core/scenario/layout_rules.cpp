// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of how training is spread over ranks: interleaved chunks, contexts, experts; and what adapters can sit on.
#include "core/scenario/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ridgepoint {

namespace rules {

std::string listAround(const std::vector<int> &values, double near, std::size_t most) {
    const auto at = std::lower_bound(values.begin(), values.end(), near) - values.begin();
    const auto count = static_cast<std::ptrdiff_t>(values.size());
    const auto shown = std::min(count, static_cast<std::ptrdiff_t>(most));
    const auto first = std::clamp<std::ptrdiff_t>(at - shown / 2, 0, count - shown);
    std::string text = first > 0 ? "..., " : "";
    for (auto i = first; i < first + shown; ++i) {
        text += (i > first ? ", " : "") + std::to_string(values[static_cast<std::size_t>(i)]);
    }
    return text + (first + shown < count ? ", ..." : "");
}

std::string multiplesAround(double value, double step) {
    const double below = std::floor(value / step) * step;
    return below > 0 ? fmt::format("{} or {}", numberText(below), numberText(below + step)) : numberText(step);
}

std::vector<int> divisorsOf(int number, const std::function<bool(int)> &works) {
    std::vector<int> values;
    for (int i = 1; i <= number; ++i) {
        if (number % i == 0 && works(i)) {
            values.push_back(i);
        }
    }
    return values;
}

} // namespace rules

namespace {

void checkSchedule(const Scenario &s, const Catalog &, Problems &problems) {
    const Parallelism &layout = s.parallelism;
    if (layout.schedule == Schedule::Interleaved) {
        if (layout.virtualStages < 2) {
            problems.push_back({"parallelism.virtual_stages", std::to_string(layout.virtualStages),
                                "at least 2 under the interleaved schedule; with 1 it is the schedule 1f1b"});
        } else if (layout.pipeline < 2) {
            problems.push_back({"parallelism.schedule", "\"interleaved\" with a pipeline of 1",
                                "a pipeline of at least 2 stages, or the schedule 1f1b"});
        }
    } else if (layout.virtualStages > 1) {
        problems.push_back({"parallelism.virtual_stages", std::to_string(layout.virtualStages),
                            "1, or the schedule interleaved, which runs several chunks on a stage"});
    }
}

void checkContext(const Scenario &s, const Catalog &, Problems &problems) {
    const int context = s.parallelism.context;
    const double length = s.training.sequenceLength;
    if (context == 1) {
        return;
    }
    if (s.task == Task::Inference) {
        problems.push_back({"parallelism.context", std::to_string(context),
                            "1 at inference; a context spread over ranks is not modelled there"});
    } else if (!rules::isWhole(length / context)) {
        problems.push_back(
            {"training.sequence_length", numberText(length),
             fmt::format("a multiple of context {}: {}", context, rules::multiplesAround(length, context))});
    }
}

void checkExperts(const Scenario &s, const Catalog &, Problems &problems) {
    const Parallelism &layout = s.parallelism;
    const auto &experts = s.model.shape.experts;
    if (!experts) {
        if (layout.expert > 1) {
            problems.push_back({"parallelism.expert", std::to_string(layout.expert), "1 for a model without experts"});
        }
        if (layout.expertTensor && *layout.expertTensor != 1 && *layout.expertTensor != layout.tensor) {
            problems.push_back({"parallelism.expert_tensor", std::to_string(*layout.expertTensor),
                                "null for a model without experts"});
        }
        return;
    }
    const double ranks = static_cast<double>(layout.data) * layout.context * layout.tensor;
    const int inside = layout.expertTensor.value_or(s.task == Task::Training ? layout.tensor : 1);
    const auto spreads = [&](int e) { return rules::isWhole(ranks / (static_cast<double>(e) * inside)); };
    if (experts->count % layout.expert != 0 || !spreads(layout.expert)) {
        const auto working = rules::divisorsOf(experts->count, spreads);
        problems.push_back(
            {"parallelism.expert", std::to_string(layout.expert),
             working.empty()
                 ? fmt::format("fewer ranks inside an expert than {}", inside)
                 : fmt::format("a divisor of {} experts and of data x context x tensor = {}{}: {}", experts->count,
                               numberText(ranks), inside > 1 ? fmt::format(" over expert_tensor {}", inside) : "",
                               rules::listAround(working, layout.expert))});
    }
    if (inside > 1 && experts->ffn % inside != 0) {
        problems.push_back(
            {"parallelism.expert_tensor", std::to_string(inside),
             fmt::format("a divisor of the experts' ffn {}: {}", experts->ffn,
                         rules::listAround(rules::divisorsOf(experts->ffn, [](int) { return true; }), inside))});
    }
}

void checkAdapters(const Scenario &s, const Catalog &, Problems &problems) {
    const auto &lora = s.training.lora;
    const TransformerShape &shape = s.model.shape;
    if (!lora || s.task != Task::Training) {
        return;
    }
    if (lora->rank > shape.hidden) {
        problems.push_back(
            {"training.lora.rank", numberText(lora->rank), fmt::format("at most the hidden size {}", shape.hidden)});
    }
    if ((shape.mla || shape.linearAttention) && (lora->targets.q || lora->targets.k || lora->targets.v)) {
        problems.push_back(
            {"training.lora.targets", "q, k or v",
             fmt::format("o, gate, up, down: adapters on the projections of {} attention are not modelled",
                         shape.mla ? "latent" : "linear")});
    }
}

} // namespace

std::span<const Rule> layoutRules() {
    static const std::vector<Rule> all{
        {{"parallelism.virtual_stages", "parallelism.schedule", "parallelism.pipeline"}, checkSchedule},
        {{"task", "parallelism.context", "training.sequence_length"}, checkContext},
        {{"task", "parallelism.expert", "parallelism.expert_tensor", "parallelism.data", "parallelism.tensor",
          "parallelism.context", "model.experts"},
         checkExperts},
        {{"task", "training.lora", "model.hidden", "model.mla"}, checkAdapters},
    };
    return all;
}

} // namespace ridgepoint
