// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of suffixes, built from prefixes and unit names.
#include "core/number/quantity_units.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

namespace ridgepoint {

namespace {

struct Suffix {
    std::string name;
    SuffixScale scale;
};

using Suffixes = std::vector<Suffix>;
using Names = std::initializer_list<std::string>;

struct Prefix {
    std::string_view name;
    SuffixScale scale;
};

constexpr auto decimalPrefixes =
    std::to_array<Prefix>({{"k", {3}}, {"M", {6}}, {"G", {9}}, {"T", {12}}, {"P", {15}}, {"E", {18}}});
constexpr auto binaryPrefixes = std::to_array<Prefix>(
    {{"Ki", {0, 0x1p10}}, {"Mi", {0, 0x1p20}}, {"Gi", {0, 0x1p30}}, {"Ti", {0, 0x1p40}}, {"Pi", {0, 0x1p50}}});

void add(Suffixes &list, Names names, SuffixScale scale = {}) {
    for (const std::string &name : names) {
        list.push_back({name, scale});
    }
}

template <class Prefixes>
void addPrefixed(Suffixes &list, const Prefixes &prefixes, std::string_view base) {
    for (const Prefix &prefix : prefixes) {
        list.push_back({std::string(prefix.name).append(base), prefix.scale});
    }
}

/// k, M, B or G, T, P. No bare E, which would turn the beginning of `1e9` into a number.
void addBareDecimal(Suffixes &list, std::string_view tail = {}) {
    for (const Prefix &prefix : decimalPrefixes) {
        if (prefix.name != "E") {
            list.push_back({std::string(prefix.name).append(tail), prefix.scale});
        }
    }
}

void addMoney(Suffixes &list, bool hasCurrency, Names tails, SuffixScale scale = {}) {
    for (const std::string_view currency : {std::string_view("$"), std::string_view("USD"), std::string_view()}) {
        if (hasCurrency && !currency.empty()) {
            continue;
        }
        for (const std::string &tail : tails) {
            list.push_back({std::string(currency).append(tail), scale});
        }
    }
}

void addScaledMoney(Suffixes &list, bool hasCurrency, std::string_view tail) {
    static constexpr auto scales =
        std::to_array<Prefix>({{"", {0}}, {"k", {3}}, {"M", {6}}, {"B", {9}}, {"G", {9}}, {"T", {12}}});
    for (const Prefix &scale : scales) {
        for (const std::string_view currency : {std::string_view(), std::string_view("$"), std::string_view("USD")}) {
            if (!hasCurrency || currency.empty()) {
                list.push_back({std::string(scale.name).append(currency).append(tail), scale.scale});
            }
        }
    }
}

Suffixes bytesSuffixes() {
    Suffixes list;
    add(list, {"B", "byte", "bytes"});
    addPrefixed(list, decimalPrefixes, "B");
    addPrefixed(list, binaryPrefixes, "B");
    addBareDecimal(list);
    addPrefixed(list, binaryPrefixes, "");
    return list;
}

Suffixes rateSuffixes() {
    Suffixes list;
    add(list, {"/s", "tokens/s", "requests/s"});
    addBareDecimal(list);
    addBareDecimal(list, "/s");
    addBareDecimal(list, "tokens/s");
    add(list, {"B", "B/s"}, {9});
    return list;
}

Suffixes networkSuffixes() {
    Suffixes list;
    // Bytes and bits differ by 8 and by the case of one letter, so both are listed and `gb/s` is refused as unclear.
    for (const std::string_view bit : {std::string_view("bit/s"), std::string_view("b/s"), std::string_view("bps")}) {
        add(list, {std::string("M").append(bit)}, {-3});
        add(list, {std::string("G").append(bit)});
        add(list, {std::string("T").append(bit)}, {3});
    }
    add(list, {"gbps"});
    add(list, {"G"});
    add(list, {"T"}, {3});
    add(list, {"MB/s"}, {-3, 8});
    add(list, {"GB/s"}, {0, 8});
    add(list, {"TB/s"}, {3, 8});
    return list;
}

Suffixes secondsSuffixes() {
    Suffixes list;
    add(list, {"s", "sec"});
    add(list, {"ns"}, {-9});
    add(list, {"us"}, {-6});
    add(list, {"ms"}, {-3});
    add(list, {"min"}, {0, 60});
    add(list, {"h", "hour", "hours"}, {0, 3600});
    add(list, {"d", "day", "days"}, {0, 86400});
    return list;
}

Suffixes energySuffixes() {
    Suffixes list;
    add(list, {"J"});
    add(list, {"uJ"}, {-6});
    add(list, {"mJ"}, {-3});
    addPrefixed(list, decimalPrefixes, "J");
    add(list, {"Wh"}, {0, 3600});
    add(list, {"kWh"}, {3, 3600});
    return list;
}

Suffixes suffixesOf(Unit unit, bool hasCurrency) {
    Suffixes list;
    switch (unit) {
    case Unit::None:
        break;
    case Unit::Count:
        addBareDecimal(list);
        add(list, {"B"}, {9});
        addPrefixed(list, binaryPrefixes, "");
        break;
    case Unit::Factor:
        add(list, {"x"});
        break;
    case Unit::Percent:
        add(list, {"%"}, {-2});
        break;
    case Unit::Bytes:
        return bytesSuffixes();
    case Unit::BytesPerSecond:
        add(list, {"B/s", "byte/s", "bytes/s"});
        addPrefixed(list, decimalPrefixes, "B/s");
        addPrefixed(list, binaryPrefixes, "B/s");
        addBareDecimal(list);
        break;
    case Unit::Seconds:
        return secondsSuffixes();
    case Unit::PerSecond:
        return rateSuffixes();
    case Unit::FlopPerSecond:
        for (const std::string base : {"FLOP/s", "FLOPs/s", "FLOPS"}) {
            add(list, {base});
            addPrefixed(list, decimalPrefixes, base);
        }
        addBareDecimal(list);
        break;
    case Unit::FlopPerByte:
        add(list, {"FLOP/byte", "FLOP/B", "FLOPs/byte"});
        break;
    case Unit::Watts:
        add(list, {"W", "watt", "watts"});
        add(list, {"mW"}, {-3});
        add(list, {"kW", "k"}, {3});
        add(list, {"MW"}, {6});
        add(list, {"GW"}, {9});
        break;
    case Unit::Joules:
        return energySuffixes();
    case Unit::KilowattHours:
        add(list, {"kWh"});
        add(list, {"Wh"}, {-3});
        add(list, {"MWh"}, {3});
        add(list, {"GWh"}, {6});
        add(list, {"TWh"}, {9});
        break;
    case Unit::Kilograms:
        add(list, {"kg"});
        add(list, {"g"}, {-3});
        add(list, {"t"}, {3});
        add(list, {"kt"}, {6});
        add(list, {"Mt"}, {9});
        break;
    case Unit::Usd:
        addScaledMoney(list, hasCurrency, "");
        break;
    case Unit::UsdPerKwh:
        addMoney(list, hasCurrency, {"", "/kWh"});
        addMoney(list, hasCurrency, {"/MWh"}, {-3});
        break;
    case Unit::UsdPerHour:
        addMoney(list, hasCurrency, {"", "/h", "/hr", "/hour", "/GPU-h", "/GPU-hour", "/GPUh"});
        break;
    case Unit::UsdPerKwMonth:
        addMoney(list, hasCurrency, {"", "/kW/month", "/kW-month", "/kW/mo"});
        break;
    case Unit::UsdPerYear:
        addScaledMoney(list, hasCurrency, "");
        addScaledMoney(list, hasCurrency, "/year");
        addScaledMoney(list, hasCurrency, "/yr");
        addScaledMoney(list, hasCurrency, "/a");
        break;
    case Unit::KgPerKwh:
        add(list, {"kg/kWh", "t/MWh"});
        add(list, {"g/kWh", "kg/MWh"}, {-3});
        break;
    case Unit::Years:
        add(list, {"y", "yr", "yrs", "a", "year", "years"});
        add(list, {"month", "months"}, {0, 1.0 / 12});
        break;
    case Unit::GbitPerSecond:
        return networkSuffixes();
    }
    return list;
}

char inLowerCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equalButForCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return inLowerCase(x) == inLowerCase(y); });
}

} // namespace

bool isMoney(Unit unit) {
    return unit == Unit::Usd || unit == Unit::UsdPerKwh || unit == Unit::UsdPerHour || unit == Unit::UsdPerKwMonth ||
           unit == Unit::UsdPerYear;
}

std::optional<SuffixScale> scaleOfSuffix(std::string_view suffix, Unit unit, bool hasCurrency) {
    if (suffix.empty()) {
        return SuffixScale{};
    }
    std::optional<SuffixScale> inOtherCase;
    bool isUnclear = false;
    for (const Suffix &known : suffixesOf(unit, hasCurrency)) {
        if (known.name == suffix) {
            return known.scale;
        }
        if (equalButForCase(known.name, suffix)) {
            isUnclear = isUnclear || (inOtherCase && *inOtherCase != known.scale);
            inOtherCase = known.scale;
        }
    }
    return isUnclear ? std::nullopt : inOtherCase;
}

std::string_view allowedText(Unit unit) {
    switch (unit) {
    case Unit::None:
        return "a number without a unit, as 3 or 0.25";
    case Unit::Count:
        return "a number with k, M, B (or G), T, P, Ki, Mi, Gi or none, as 7B, 70e9 or 8k";
    case Unit::Factor:
        return "a number, as 2.1 or 2.1x";
    case Unit::Percent:
        return "a share or a percentage, as 0.8 or 80%";
    case Unit::Bytes:
        return "a size in bytes, kB, MB, GB, TB, KiB, MiB, GiB or TiB, as 80 GB, 1.5 TB or 2 TiB";
    case Unit::BytesPerSecond:
        return "a bandwidth in bytes/s, MB/s, GB/s or TB/s, as 900 GB/s or 3.35 TB/s";
    case Unit::Seconds:
        return "a time in ns, us, ms, s, min, h or d, as 12 ms or 3.5 h";
    case Unit::PerSecond:
        return "a rate per second, as 12, 12/s or 20k/s";
    case Unit::FlopPerSecond:
        return "a rate in FLOP/s, GFLOP/s, TFLOP/s or PFLOP/s, as 312 TFLOP/s";
    case Unit::FlopPerByte:
        return "a ratio in FLOP/byte, as 153";
    case Unit::Watts:
        return "a power in W, kW or MW, as 350 W or 1.2 kW";
    case Unit::Joules:
        return "an energy in mJ, J, kJ, MJ, Wh or kWh, as 0.31 J";
    case Unit::KilowattHours:
        return "an energy in Wh, kWh, MWh or GWh, as 41 MWh";
    case Unit::Kilograms:
        return "a mass in g, kg or t, as 15.9 t";
    case Unit::Usd:
        return "an amount in US dollars with k, M, B or none, as $30,000 or 30k";
    case Unit::UsdPerKwh:
        return "a price per kWh or MWh, as 0.12 or $0.12/kWh";
    case Unit::UsdPerHour:
        return "a price per hour, as 1.79 or $1.79/h";
    case Unit::UsdPerKwMonth:
        return "a price per kW and month, as 150 or $150/kW/month";
    case Unit::UsdPerYear:
        return "an amount per year with k, M or none, as $12k/year";
    case Unit::KgPerKwh:
        return "a mass per energy in kg/kWh or g/kWh, as 0.39 or 390 g/kWh";
    case Unit::Years:
        return "a time in years or months, as 4 or 4 years";
    case Unit::GbitPerSecond:
        return "a rate in Mbit/s, Gbit/s, Tbit/s or GB/s, as 400 Gbit/s";
    }
    return "a number";
}

} // namespace ridgepoint
