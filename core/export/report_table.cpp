// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the CSV and Markdown forms of a report.
#include "core/export/report_table.h"

#include "core/report/paths.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace ridgepoint {

namespace {

/// Every leaf of one GPU's report as text.
struct Cells {
    std::vector<std::pair<std::string, std::string>> cells;
    void number(const std::string &path, std::string_view, double value) {
        cells.emplace_back(path, formatPlain(value));
    }
    void count(const std::string &path, std::string_view, double value) {
        cells.emplace_back(path, formatPlain(value));
    }
    void text(const std::string &path, std::string_view, std::string_view value) {
        cells.emplace_back(path, std::string(value));
    }
    void flag(const std::string &path, std::string_view, bool value) {
        cells.emplace_back(path, value ? "true" : "false");
    }
    void null(const std::string &path, std::string_view) { cells.emplace_back(path, ""); }
};

std::string quoted(const std::string &cell) {
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
        return cell;
    }
    std::string text = "\"";
    for (const char c : cell) {
        text += c;
        if (c == '"') {
            text += c;
        }
    }
    return text + '"';
}

/// Text that cannot break a Markdown table or start markup.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            safe += ' ';
            continue;
        }
        if (c == '|' || c == '\\' || c == '<') {
            safe += '\\';
        }
        safe += c;
    }
    return safe;
}

struct Row {
    std::string_view path;
    std::string_view section;
};

/// What the page shows, in its order; rows that no GPU has are left out.
constexpr std::array rows{
    Row{"memory.weights_bytes", "Memory of the worst rank"},
    Row{"memory.gradients_bytes", ""},
    Row{"memory.master_weights_bytes", ""},
    Row{"memory.optimizer_states_bytes", ""},
    Row{"memory.activations_bytes", ""},
    Row{"memory.logits_bytes", ""},
    Row{"memory.kv_cache_bytes", ""},
    Row{"memory.gathered_weights_bytes", ""},
    Row{"memory.communication_buffers_bytes", ""},
    Row{"memory.workspace_bytes", ""},
    Row{"memory.allocated_bytes", ""},
    Row{"memory.fragmentation_bytes", ""},
    Row{"memory.reserved_bytes", ""},
    Row{"memory.context_bytes", ""},
    Row{"memory.total_bytes", ""},
    Row{"memory.capacity_bytes", ""},
    Row{"memory.headroom_bytes", ""},
    Row{"memory.kv_cache_bytes_per_token", ""},
    Row{"memory.kv_cache_capacity_tokens", ""},
    Row{"memory.max_concurrent_sequences", ""},
    Row{"memory.max_sequence_tokens", ""},
    Row{"time.step_s", "Time"},
    Row{"time.tokens_per_s", ""},
    Row{"time.tokens_per_s_per_gpu", ""},
    Row{"time.mfu", ""},
    Row{"time.hfu", ""},
    Row{"time.run_s", ""},
    Row{"time.time_to_first_token_s", ""},
    Row{"time.prefill_tokens_per_s", ""},
    Row{"time.time_per_output_token_s", ""},
    Row{"time.decode_tokens_per_s", ""},
    Row{"time.output_tokens_per_s", ""},
    Row{"time.requests_per_s", ""},
    Row{"time.breakdown.compute_s", ""},
    Row{"time.breakdown.memory_s", ""},
    Row{"time.breakdown.communication_s", ""},
    Row{"time.breakdown.bubble_s", ""},
    Row{"time.breakdown.launch_s", ""},
    Row{"time.breakdown.optimizer_s", ""},
    Row{"time.breakdown.input_s", ""},
    Row{"roofline.ridge_flop_per_byte", "Roofline"},
    Row{"roofline.bandwidth_bytes_per_s", ""},
    Row{"power.gpu_w", "Power and energy"},
    Row{"power.nameplate_w", ""},
    Row{"power.node_w", ""},
    Row{"power.cluster_w", ""},
    Row{"power.site_w", ""},
    Row{"power.energy_per_token_j", ""},
    Row{"power.run_energy_kwh", ""},
    Row{"power.run_co2_kg", ""},
    Row{"cost.gpu_usd", "Cost over the lifetime"},
    Row{"cost.server_usd", ""},
    Row{"cost.network_usd", ""},
    Row{"cost.energy_usd", ""},
    Row{"cost.cooling_usd", ""},
    Row{"cost.facility_usd", ""},
    Row{"cost.maintenance_usd", ""},
    Row{"cost.people_usd", ""},
    Row{"cost.other_usd", ""},
    Row{"cost.capital_usd", ""},
    Row{"cost.tco_usd", ""},
    Row{"cost.tco_over_gpu_price", ""},
    Row{"cost.usd_per_million_tokens", ""},
    Row{"cost.run_usd", ""},
    Row{"cost.rent_usd", ""},
    Row{"cost.break_even_utilization", ""},
};

struct Numbers {
    std::map<std::string, double, std::less<>> values;
    void number(const std::string &path, std::string_view, double value) { values.emplace(path, value); }
    void count(const std::string &, std::string_view, double) {}
    void text(const std::string &, std::string_view, std::string_view) {}
    void flag(const std::string &, std::string_view, bool) {}
    void null(const std::string &, std::string_view) {}
};

std::string_view keyOfPath(std::string_view path) {
    return path.substr(path.rfind('.') + 1);
}

std::string tableHead(const Report<double> &report) {
    std::string head = "| |";
    std::string rule = "|---|";
    for (const GpuReport<double> &gpu : report.gpus) {
        head += fmt::format(" {} |", escaped(gpu.gpuShortName));
        rule += "---:|";
    }
    return head + "\n" + rule + "\n";
}

} // namespace

std::string verdict(const GpuReport<double> &report, const NumberStyle &style) {
    const std::string needs = formatQuantity(report.memory.worst().totalBytes, Unit::Bytes, style);
    const double limit = report.memory.preallocatedBytes.value_or(report.memory.capacityBytes);
    const std::string has = formatQuantity(limit, Unit::Bytes, style);
    return report.fits ? fmt::format("Fits on {}: needs {} of {}.", report.gpuShortName, needs, has)
                       : fmt::format("Does not fit on {}: needs {}, has {}.", report.gpuShortName, needs, has);
}

std::string reportCsv(const Report<double> &report) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> table;
    std::string text = "quantity";
    for (std::size_t column = 0; column < report.gpus.size(); ++column) {
        text += ',' + quoted(report.gpus[column].gpu);
        Cells cells;
        PathVisitor<Cells> visitor(cells);
        visitReport(report.gpus[column], visitor);
        for (auto &[path, cell] : cells.cells) {
            auto [row, added] = table.try_emplace(path, report.gpus.size());
            if (added) {
                order.push_back(path);
            }
            row->second[column] = std::move(cell);
        }
    }
    text += "\r\n";
    for (const std::string &path : order) {
        text += quoted(path);
        for (const std::string &cell : table[path]) {
            text += ',' + quoted(cell);
        }
        text += "\r\n";
    }
    return text;
}

std::string reportMarkdown(const Report<double> &report, const Catalog &catalog, const NumberStyle &style) {
    std::string text = fmt::format(
        "# {}\n\nModel: {}, {} parameters.\n\n", report.scenario.empty() ? "Scenario" : escaped(report.scenario),
        escaped(report.model.name), formatQuantity(report.model.parametersTotal, Unit::Count, style));
    std::vector<Numbers> columns(report.gpus.size());
    for (std::size_t i = 0; i < report.gpus.size(); ++i) {
        text += "- " + escaped(verdict(report.gpus[i], style)) + "\n";
        PathVisitor<Numbers> visitor(columns[i]);
        visitReport(report.gpus[i], visitor);
    }
    std::string_view section;
    for (const Row &row : rows) {
        section = row.section.empty() ? section : row.section;
        std::string line;
        bool any = false;
        for (const Numbers &column : columns) {
            const auto value = column.values.find(row.path);
            any = any || value != column.values.end();
            line += value == column.values.end()
                        ? " |"
                        : fmt::format(" {} |", formatQuantity(value->second, unitOfKey(keyOfPath(row.path)), style));
        }
        if (!row.section.empty()) {
            text += fmt::format("\n## {}\n\n{}", section, tableHead(report));
        }
        if (any) {
            const QuantityInfo *info = catalog.quantity(keyOfPath(row.path));
            text +=
                fmt::format("| {} |{}\n", escaped(info != nullptr ? std::string_view(info->label) : row.path), line);
        }
    }
    for (const GpuReport<double> &gpu : report.gpus) {
        if (gpu.advice.empty()) {
            continue;
        }
        text += fmt::format("\n## Ways to fit on {}\n\n", escaped(gpu.gpuShortName));
        for (const Advice &advice : gpu.advice) {
            text +=
                fmt::format("- {} (`{}`: {} to {}): {}, step time x {:.2f}\n", advice.change, advice.path, advice.from,
                            advice.to, formatQuantity(advice.totalBytes, Unit::Bytes, style), advice.stepRatio);
        }
    }
    text += "\n## What the numbers rest on\n\n";
    for (const std::string &assumption : report.assumptions) {
        text += "- " + escaped(assumption) + "\n";
    }
    return text;
}

} // namespace ridgepoint
