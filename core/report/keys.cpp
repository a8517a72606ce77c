// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words that enumerations of a report have as keys and values.
#include "core/report/report.h"

namespace ridgepoint {

std::string_view keyOf(MemoryComponent component) {
    constexpr std::array<std::string_view, memoryComponentCount> keys{
        "weights_bytes",          "gradients_bytes",        "master_weights_bytes",
        "optimizer_states_bytes", "activations_bytes",      "logits_bytes",
        "kv_cache_bytes",         "gathered_weights_bytes", "communication_buffers_bytes",
        "workspace_bytes"};
    return keys[static_cast<std::size_t>(component)];
}

std::string_view nameOf(MemoryComponent component) {
    constexpr std::array<std::string_view, memoryComponentCount> names{
        "weights",         "gradients", "master weights",   "optimizer states",      "activations",
        "logits and loss", "KV cache",  "gathered weights", "communication buffers", "workspace"};
    return names[static_cast<std::size_t>(component)];
}

std::string_view keyOf(Instant instant) {
    constexpr std::array<std::string_view, instantCount> keys{
        "forward_end", "loss", "backward_start", "backward_end", "optimizer_step", "prefill", "decode"};
    return keys[static_cast<std::size_t>(instant)];
}

std::string_view keyOf(Bound bound) {
    constexpr std::array<std::string_view, 4> keys{"compute", "memory", "latency", "communication"};
    return keys[static_cast<std::size_t>(bound)];
}

std::string_view keyOf(Phase phase) {
    constexpr std::array<std::string_view, 7> keys{"forward", "backward", "recompute",    "optimizer_step",
                                                   "prefill", "decode",   "communication"};
    return keys[static_cast<std::size_t>(phase)];
}

std::string_view keyOf(FlopConvention convention) {
    constexpr std::array<std::string_view, 3> keys{"model", "causal", "6n"};
    return keys[static_cast<std::size_t>(convention)];
}

} // namespace ridgepoint
