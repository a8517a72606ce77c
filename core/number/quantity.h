// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one parser and the one formatter of quantities: `7B`, `70e9`, `8k`, `1.5 TB`, `2 TiB`, `350 W`, `$0.12/kWh`.
#pragma once

#include "core/scenario/problem.h"

#include <string>
#include <string_view>

namespace ridgepoint {

/// What a number measures; decides which suffixes a text may carry and how a value is shown.
enum class Unit {
    None,    ///< plain number or ratio, `3.07`
    Count,   ///< parameters, tokens, FLOPs: `6.74 B`
    Factor,  ///< `2.1x`
    Percent, ///< stored as a share, shown as `39.2%`
    Bytes,   ///< `13.5 GB` or `12.6 GiB`
    BytesPerSecond,
    Seconds,
    PerSecond,     ///< tokens/s, requests/s
    FlopPerSecond, ///< `312 TFLOP/s`
    FlopPerByte,
    Watts,
    Joules,
    KilowattHours,
    Kilograms,
    Usd,
    UsdPerKwh,
    UsdPerHour,
    UsdPerKwMonth,
    UsdPerYear,
    KgPerKwh,
    Years,
    GbitPerSecond
};

enum class ByteUnits { Decimal, Binary }; ///< GB = 1e9, GiB = 2^30

/// How numbers look to this user; files always use the default (C locale: point, no grouping).
struct NumberStyle {
    ByteUnits bytes = ByteUnits::Decimal;
    char decimalPoint = '.';
    std::string groupSeparator; ///< UTF-8; empty: no grouping
    int significantDigits = 3;
};

/// Numbers in running English text: `53,907,324,928`, `0.12`. What `explain` prints.
NumberStyle readingStyle();

/// A number with its unit for people: three significant digits and a scaled prefix, as `53.9 GB`, `312 TFLOP/s`,
/// `$0.31`. Rounding is half away from zero and carries to the next prefix: 999.6 GB is `1.00 TB`. Whole numbers
/// without a prefix stay whole (`350 W`, `8 bytes`, `4,096`); counts get a prefix from 10,000 on. Infinity is `∞`, NaN
/// `undefined`.
std::string formatQuantity(double value, Unit unit, const NumberStyle &style = {});
/// All digits, as the inspector shows: whole numbers in full with grouping, others round-trip exactly.
std::string formatExact(double value, Unit unit, const NumberStyle &style = {});
/// The number alone in the unit's base and C locale, shortest text that reads back to the same double; for files and
/// editing. Whole numbers up to 2^53 are written out (`7000000000`, not `7e+09`).
std::string formatPlain(double value);
/// The same for a field on screen: the style's decimal point, no grouping. Reads back with that style.
std::string formatPlain(double value, const NumberStyle &style);

/// Reads what a person typed. Suffixes k, M, B/G, T, P (decimal), Ki.., `GB`/`GiB`, the unit's own name, `$`, `%`,
/// `/kWh` are accepted where they fit the unit; the style's decimal point and grouping are honoured, and a plain C
/// number always is when unambiguous. Error: one problem with what was found and what is allowed. Non-finite numbers
/// are refused.
tl::expected<double, Problem> parseQuantity(std::string_view text, Unit unit, const NumberStyle &style = {});

/// The unit that a report key carries in its name (`allocated_bytes`, `step_s`, `gpu_w`, `mfu`), Unit::None for none.
/// A whole path works as well: `roofline.operations[3].time_s`.
Unit unitOfKey(std::string_view key);

/// The unit's own name (`bytes`, `FLOP/s`, `USD/kWh`); empty for plain numbers and counts.
std::string_view textOfUnit(Unit unit);
/// The way back, as formulas write their units; plurals and things that are counted (`tokens`) included. Unit::None for
/// others.
Unit unitOfText(std::string_view text);

} // namespace ridgepoint
