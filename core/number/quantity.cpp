// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which unit a report key or a formula's unit text means.
#include "core/number/quantity.h"

#include <algorithm>
#include <array>

namespace ridgepoint {

namespace {

struct NamedUnit {
    std::string_view text;
    Unit unit;
};

/// Keys that say their unit by being what they are.
constexpr auto wholeKeys = std::to_array<NamedUnit>({
    {"mfu", Unit::Percent},
    {"hfu", Unit::Percent},
    {"tco_over_gpu_price", Unit::Factor},
    {"tco_over_system_price", Unit::Factor},
    {"cost_of_capital", Unit::Percent},
    {"utilization", Unit::Percent},
    {"usd_per_million_tokens", Unit::Usd},
    {"usd_per_node", Unit::Usd},
    {"bytes", Unit::Bytes},
    {"flops", Unit::Count},
    {"count", Unit::Count},
    {"tokens", Unit::Count},
    {"parameters", Unit::Count},
    {"total", Unit::Count},
    {"active", Unit::Count},
    {"evaluated", Unit::Count},
    {"pruned", Unit::Count},
    {"global_batch", Unit::Count},
    {"micro_batch", Unit::Count},
    {"sequence_length", Unit::Count},
});

/// Endings, the longer before the shorter that it ends in.
constexpr auto keyEndings = std::to_array<NamedUnit>({
    {"flop_per_byte", Unit::FlopPerByte},
    {"flops_per_s_per_gpu", Unit::FlopPerSecond},
    {"flops_per_s", Unit::FlopPerSecond},
    {"bytes_per_s", Unit::BytesPerSecond},
    {"bytes_per_token", Unit::Bytes},
    {"elements_per_token", Unit::Count},
    {"gbit_per_s", Unit::GbitPerSecond},
    {"per_s_per_gpu", Unit::PerSecond},
    {"per_s", Unit::PerSecond},
    {"per_second", Unit::PerSecond},
    {"kg_co2_per_kwh", Unit::KgPerKwh},
    {"usd_per_kwh", Unit::UsdPerKwh},
    {"usd_per_gpu_hour", Unit::UsdPerHour},
    {"usd_per_kw_month", Unit::UsdPerKwMonth},
    {"usd_per_year", Unit::UsdPerYear},
    {"usd_per_node", Unit::Usd},
    {"_usd", Unit::Usd},
    {"_ratio", Unit::Factor},
    {"_kwh", Unit::KilowattHours},
    {"_kg", Unit::Kilograms},
    {"_bytes", Unit::Bytes},
    {"_years", Unit::Years},
    {"_tokens", Unit::Count},
    {"_sequences", Unit::Count},
    {"_flops", Unit::Count},
    {"_fraction", Unit::Percent},
    {"_utilization", Unit::Percent},
    {"_s", Unit::Seconds},
    {"_w", Unit::Watts},
    {"_j", Unit::Joules},
});

/// The first text of a unit is its own name.
constexpr auto unitTexts = std::to_array<NamedUnit>({
    {"×", Unit::Factor},
    {"x", Unit::Factor},
    {"%", Unit::Percent},
    {"share", Unit::Percent},
    {"bytes", Unit::Bytes},
    {"byte", Unit::Bytes},
    {"B", Unit::Bytes},
    {"bytes/s", Unit::BytesPerSecond},
    {"B/s", Unit::BytesPerSecond},
    {"s", Unit::Seconds},
    {"seconds", Unit::Seconds},
    {"1/s", Unit::PerSecond},
    {"/s", Unit::PerSecond},
    {"tokens/s", Unit::PerSecond},
    {"requests/s", Unit::PerSecond},
    {"FLOP/s", Unit::FlopPerSecond},
    {"FLOPs/s", Unit::FlopPerSecond},
    {"FLOP/byte", Unit::FlopPerByte},
    {"FLOP/B", Unit::FlopPerByte},
    {"W", Unit::Watts},
    {"J", Unit::Joules},
    {"kWh", Unit::KilowattHours},
    {"kg", Unit::Kilograms},
    {"kg CO2", Unit::Kilograms},
    {"USD", Unit::Usd},
    {"$", Unit::Usd},
    {"USD/kWh", Unit::UsdPerKwh},
    {"USD/h", Unit::UsdPerHour},
    {"USD/GPU-hour", Unit::UsdPerHour},
    {"USD/kW/month", Unit::UsdPerKwMonth},
    {"USD/kW-month", Unit::UsdPerKwMonth},
    {"USD/year", Unit::UsdPerYear},
    {"kg/kWh", Unit::KgPerKwh},
    {"kg CO2/kWh", Unit::KgPerKwh},
    {"years", Unit::Years},
    {"year", Unit::Years},
    {"Gbit/s", Unit::GbitPerSecond},
    {"FLOP", Unit::Count},
    {"FLOPs", Unit::Count},
    {"tokens", Unit::Count},
    {"token", Unit::Count},
    {"parameters", Unit::Count},
    {"elements", Unit::Count},
    {"sequences", Unit::Count},
    {"requests", Unit::Count},
});

} // namespace

Unit unitOfKey(std::string_view key) {
    const bool isPeak = key.find("peaks.") != std::string_view::npos;
    if (const std::size_t dot = key.rfind('.'); dot != std::string_view::npos) {
        key.remove_prefix(dot + 1);
    }
    if (const std::size_t bracket = key.find('['); bracket != std::string_view::npos) {
        key = key.substr(0, bracket);
    }
    for (const std::string_view band : {std::string_view("_low"), std::string_view("_high")}) {
        if (key.ends_with(band)) {
            key.remove_suffix(band.size());
        }
    }
    const auto *const whole =
        std::find_if(wholeKeys.begin(), wholeKeys.end(), [key](const NamedUnit &entry) { return entry.text == key; });
    if (whole != wholeKeys.end()) {
        return whole->unit;
    }
    const auto *const ending = std::find_if(keyEndings.begin(), keyEndings.end(),
                                            [key](const NamedUnit &entry) { return key.ends_with(entry.text); });
    if (ending != keyEndings.end()) {
        return ending->unit;
    }
    return isPeak ? Unit::FlopPerSecond : Unit::None;
}

std::string_view textOfUnit(Unit unit) {
    if (unit == Unit::Count) {
        return {};
    }
    const auto *const entry =
        std::find_if(unitTexts.begin(), unitTexts.end(), [unit](const NamedUnit &each) { return each.unit == unit; });
    return entry == unitTexts.end() ? std::string_view() : entry->text;
}

Unit unitOfText(std::string_view text) {
    const auto *const entry =
        std::find_if(unitTexts.begin(), unitTexts.end(), [text](const NamedUnit &each) { return each.text == text; });
    return entry == unitTexts.end() ? Unit::None : entry->unit;
}

} // namespace ridgepoint
