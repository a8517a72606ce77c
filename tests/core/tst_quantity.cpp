// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities read and print the same at every edge: prefixes, rounding, units, separators, and all that must be
// refused.
#include "core/number/quantity.h"

#include <QtTest/QTest>

#include <clocale>
#include <cmath>
#include <limits>
#include <random>

using namespace ridgepoint;

Q_DECLARE_METATYPE(ridgepoint::Unit)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

NumberStyle german() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = ',', .groupSeparator = ".", .significantDigits = 3};
}
NumberStyle french() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = ',', .groupSeparator = "\u202F", .significantDigits = 3};
}
NumberStyle swiss() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = '.', .groupSeparator = "\u2019", .significantDigits = 3};
}
NumberStyle binary() {
    NumberStyle style = readingStyle();
    style.bytes = ByteUnits::Binary;
    return style;
}

QString text(const std::string &s) {
    return QString::fromStdString(s);
}

void formatColumns() {
    QTest::addColumn<double>("value");
    QTest::addColumn<Unit>("unit");
    QTest::addColumn<QString>("expected");
}

void formatRow(double value, Unit unit, const char *expected) {
    QTest::addRow("%d: %s", static_cast<int>(unit), expected) << value << unit << QString::fromUtf8(expected);
}

const std::vector<Unit> &everyUnit() {
    static const std::vector<Unit> units = {
        Unit::None,           Unit::Count,        Unit::Factor,        Unit::Percent,       Unit::Bytes,
        Unit::BytesPerSecond, Unit::Seconds,      Unit::PerSecond,     Unit::FlopPerSecond, Unit::FlopPerByte,
        Unit::Watts,          Unit::Joules,       Unit::KilowattHours, Unit::Kilograms,     Unit::Usd,
        Unit::UsdPerKwh,      Unit::UsdPerHour,   Unit::UsdPerKwMonth, Unit::UsdPerYear,    Unit::KgPerKwh,
        Unit::Years,          Unit::GbitPerSecond};
    return units;
}

} // namespace

class TestQuantity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formats_data();
    void formats();
    void formatsBinaryBytes_data();
    void formatsBinaryBytes();
    void formatsExactly_data();
    void formatsExactly();
    void formatsInTheStyleOfTheUser();
    void formatsPlainNumbers();
    void plainTextReadsBackExactly();
    void exactTextReadsBackExactly();
    void cLocaleDoesNotMatter();
    void reportKeysHaveTheirUnit_data();
    void reportKeysHaveTheirUnit();
    void everyUnitHasItsTexts();
};

void TestQuantity::formats_data() {
    formatColumns();
    // Three digits, half away from zero, and a carry takes the next prefix.
    formatRow(999.6e9, Unit::Bytes, "1.00 TB");
    formatRow(999.5e9, Unit::Bytes, "1.00 TB");
    formatRow(999.4e9, Unit::Bytes, "999 GB");
    formatRow(999.5, Unit::Bytes, "1.00 kB");
    formatRow(53907324928.0, Unit::Bytes, "53.9 GB");
    formatRow(99.95e9, Unit::Bytes, "100 GB");
    formatRow(9.995e9, Unit::Bytes, "10.0 GB");
    formatRow(80e9, Unit::Bytes, "80.0 GB");
    formatRow(-53907324928.0, Unit::Bytes, "−53.9 GB");
    formatRow(0, Unit::Bytes, "0 bytes");
    formatRow(-0.0, Unit::Bytes, "0 bytes");
    formatRow(1, Unit::Bytes, "1 byte");
    formatRow(8, Unit::Bytes, "8 bytes");
    formatRow(0.5, Unit::Bytes, "0.5 bytes");
    formatRow(1000, Unit::Bytes, "1.00 kB");
    formatRow(2.5e21, Unit::Bytes, "2,500 EB");
    formatRow(2.0393e12, Unit::BytesPerSecond, "2.04 TB/s");
    formatRow(64e9, Unit::BytesPerSecond, "64.0 GB/s");
    formatRow(0, Unit::BytesPerSecond, "0 bytes/s");

    formatRow(6738415616.0, Unit::Count, "6.74 B");
    formatRow(4096, Unit::Count, "4,096");
    formatRow(9999, Unit::Count, "9,999");
    formatRow(9999.6, Unit::Count, "10.0 k");
    formatRow(10000, Unit::Count, "10.0 k");
    formatRow(65536, Unit::Count, "65.5 k");
    formatRow(999499, Unit::Count, "999 k");
    formatRow(999500, Unit::Count, "1.00 M");
    formatRow(2e12, Unit::Count, "2.00 T");
    formatRow(4.5e15, Unit::Count, "4.50 P");
    formatRow(3.07e23, Unit::Count, "307 Z");
    formatRow(1e27, Unit::Count, "1.00e27");
    formatRow(0, Unit::Count, "0");
    formatRow(1, Unit::Count, "1");
    formatRow(-12, Unit::Count, "−12");
    formatRow(1234.5, Unit::Count, "1,235");
    formatRow(1.5, Unit::Count, "1.50");

    formatRow(3.0712, Unit::None, "3.07");
    formatRow(1e-9, Unit::None, "1.00e-9");
    formatRow(0.00123, Unit::None, "0.00123");
    formatRow(65536, Unit::None, "65,536");
    formatRow(2.1, Unit::Factor, "2.1×");
    formatRow(2.126, Unit::Factor, "2.13×");
    formatRow(3, Unit::Factor, "3×");
    formatRow(0.392, Unit::Percent, "39.2%");
    formatRow(0.8, Unit::Percent, "80%");
    formatRow(1, Unit::Percent, "100%");
    formatRow(0, Unit::Percent, "0%");
    formatRow(0.9996, Unit::Percent, "100%");
    formatRow(0.00457, Unit::Percent, "0.457%");
    formatRow(-0.05, Unit::Percent, "−5%");
    formatRow(12.345, Unit::Percent, "1,235%");

    formatRow(0, Unit::Seconds, "0 s");
    formatRow(4.5e-10, Unit::Seconds, "0.450 ns");
    formatRow(12e-9, Unit::Seconds, "12.0 ns");
    formatRow(999.6e-9, Unit::Seconds, "1.00 µs");
    formatRow(4.56e-6, Unit::Seconds, "4.56 µs");
    formatRow(0.0123, Unit::Seconds, "12.3 ms");
    formatRow(0.9996, Unit::Seconds, "1.00 s");
    formatRow(3.07, Unit::Seconds, "3.07 s");
    formatRow(59.94, Unit::Seconds, "59.9 s");
    formatRow(59.96, Unit::Seconds, "1.00 min");
    formatRow(90, Unit::Seconds, "1.50 min");
    formatRow(3599.9, Unit::Seconds, "1.00 h");
    formatRow(12600, Unit::Seconds, "3.50 h");
    formatRow(86399.9, Unit::Seconds, "1.00 d");
    formatRow(86400.0 * 1234.5, Unit::Seconds, "1,235 d");
    formatRow(-0.0123, Unit::Seconds, "−12.3 ms");
    formatRow(-90, Unit::Seconds, "−1.50 min");
    formatRow(21340.4, Unit::PerSecond, "21,340/s");
    formatRow(123456, Unit::PerSecond, "123 k/s");
    formatRow(0.5, Unit::PerSecond, "0.500/s");

    formatRow(312e12, Unit::FlopPerSecond, "312 TFLOP/s");
    formatRow(989.4e12, Unit::FlopPerSecond, "989 TFLOP/s");
    formatRow(999.7e12, Unit::FlopPerSecond, "1.00 PFLOP/s");
    formatRow(19.5e9, Unit::FlopPerSecond, "19.5 GFLOP/s");
    formatRow(2.25e15, Unit::FlopPerSecond, "2.25 PFLOP/s");
    formatRow(0, Unit::FlopPerSecond, "0 FLOP/s");
    formatRow(152.99, Unit::FlopPerByte, "153 FLOP/byte");
    formatRow(32, Unit::FlopPerByte, "32 FLOP/byte");
    formatRow(0.456, Unit::FlopPerByte, "0.456 FLOP/byte");

    formatRow(350, Unit::Watts, "350 W");
    formatRow(80, Unit::Watts, "80 W");
    formatRow(362.4, Unit::Watts, "362 W");
    formatRow(5600, Unit::Watts, "5.60 kW");
    formatRow(999.5, Unit::Watts, "1.00 kW");
    formatRow(1.2e6, Unit::Watts, "1.20 MW");
    formatRow(0.31, Unit::Joules, "310 mJ");
    formatRow(16200, Unit::Joules, "16.2 kJ");
    formatRow(0.5, Unit::KilowattHours, "500 Wh");
    formatRow(41234, Unit::KilowattHours, "41.2 MWh");
    formatRow(12, Unit::KilowattHours, "12 kWh");
    formatRow(15900, Unit::Kilograms, "15.9 t");
    formatRow(0.39, Unit::KgPerKwh, "0.39 kg/kWh");

    formatRow(0.31, Unit::Usd, "$0.31");
    formatRow(0.314, Unit::Usd, "$0.31");
    formatRow(0.999, Unit::Usd, "$1.00");
    formatRow(0.0512, Unit::Usd, "$0.0512");
    formatRow(0, Unit::Usd, "$0");
    formatRow(4, Unit::Usd, "$4.00");
    formatRow(45.5, Unit::Usd, "$45.50");
    formatRow(99.996, Unit::Usd, "$100");
    formatRow(450, Unit::Usd, "$450");
    formatRow(999.6, Unit::Usd, "$1 k");
    formatRow(12400, Unit::Usd, "$12.4 k");
    formatRow(1.2e6, Unit::Usd, "$1.2 M");
    formatRow(402000, Unit::Usd, "$402 k");
    formatRow(3.456e9, Unit::Usd, "$3.46 B");
    formatRow(-12400, Unit::Usd, "−$12.4 k");
    formatRow(0.12, Unit::UsdPerKwh, "$0.12/kWh");
    formatRow(0.125, Unit::UsdPerKwh, "$0.125/kWh");
    formatRow(0.1, Unit::UsdPerKwh, "$0.10/kWh");
    formatRow(1.79, Unit::UsdPerHour, "$1.79/h");
    formatRow(150, Unit::UsdPerKwMonth, "$150/kW/month");
    formatRow(12000, Unit::UsdPerYear, "$12 k/year");

    formatRow(4, Unit::Years, "4 years");
    formatRow(1, Unit::Years, "1 year");
    formatRow(0.5, Unit::Years, "0.5 years");
    formatRow(11, Unit::Years, "11 years");
    formatRow(1600, Unit::GbitPerSecond, "1,600 Gbit/s");
    formatRow(infinity, Unit::Seconds, "∞");
    formatRow(-infinity, Unit::Usd, "−∞");
    formatRow(std::nan(""), Unit::Bytes, "undefined");
}

void TestQuantity::formats() {
    QFETCH(double, value);
    QFETCH(Unit, unit);
    QFETCH(QString, expected);
    QCOMPARE(text(formatQuantity(value, unit, readingStyle())), expected);
}

void TestQuantity::formatsBinaryBytes_data() {
    formatColumns();
    formatRow(13476831232.0, Unit::Bytes, "12.6 GiB");
    formatRow(14.0e9, Unit::Bytes, "13.0 GiB");
    formatRow(1023, Unit::Bytes, "1,023 bytes");
    formatRow(1023.6, Unit::Bytes, "1.00 KiB");
    formatRow(1024, Unit::Bytes, "1.00 KiB");
    formatRow(1073741823, Unit::Bytes, "1.00 GiB");
    formatRow(1073741824, Unit::Bytes, "1.00 GiB");
    formatRow(1000.0 * 1048576, Unit::Bytes, "1,000 MiB");
    formatRow(-1099511627776.0 * 2, Unit::Bytes, "−2.00 TiB");
    formatRow(0, Unit::Bytes, "0 bytes");
    formatRow(2e12, Unit::BytesPerSecond, "2.00 TB/s"); // bandwidths are decimal in every datasheet
}

void TestQuantity::formatsBinaryBytes() {
    QFETCH(double, value);
    QFETCH(Unit, unit);
    QFETCH(QString, expected);
    QCOMPARE(text(formatQuantity(value, unit, binary())), expected);
}

void TestQuantity::formatsExactly_data() {
    formatColumns();
    formatRow(53907324928.0, Unit::Bytes, "53,907,324,928 bytes");
    formatRow(1, Unit::Bytes, "1 byte");
    formatRow(-1, Unit::Bytes, "−1 byte");
    formatRow(21, Unit::Bytes, "21 bytes");
    formatRow(0.1, Unit::None, "0.1");
    formatRow(0.1 + 0.2, Unit::None, "0.30000000000000004");
    formatRow(0.392, Unit::Percent, "39.2%");
    formatRow(1234567.25, Unit::Watts, "1,234,567.25 W");
    formatRow(0.0512345, Unit::Usd, "$0.0512345");
    formatRow(-252123.5, Unit::Usd, "−$252,123.5");
    formatRow(1e22, Unit::Count, "10,000,000,000,000,000,000,000");
    formatRow(1e23, Unit::Count, "1e23");
    formatRow(4.5e-9, Unit::Seconds, "4.5e-9 s");
    formatRow(0.00001, Unit::Seconds, "0.00001 s");
    formatRow(2.1, Unit::Factor, "2.1×");
    formatRow(infinity, Unit::Count, "∞");
}

void TestQuantity::formatsExactly() {
    QFETCH(double, value);
    QFETCH(Unit, unit);
    QFETCH(QString, expected);
    QCOMPARE(text(formatExact(value, unit, readingStyle())), expected);
}

void TestQuantity::formatsInTheStyleOfTheUser() {
    QCOMPARE(formatQuantity(53907324928.0, Unit::Bytes, german()), std::string("53,9 GB"));
    QCOMPARE(formatExact(53907324928.0, Unit::Bytes, german()), std::string("53.907.324.928 bytes"));
    QCOMPARE(formatExact(1234.5, Unit::Watts, french()), std::string("1\u202F234,5 W"));
    QCOMPARE(formatQuantity(4096, Unit::Count, swiss()), std::string("4\u2019096"));
    // Files: point, no grouping.
    QCOMPARE(formatQuantity(4096, Unit::Count), std::string("4096"));
    QCOMPARE(formatExact(53907324928.0, Unit::Bytes), std::string("53907324928 bytes"));
    NumberStyle five = readingStyle();
    five.significantDigits = 5;
    QCOMPARE(formatQuantity(53907324928.0, Unit::Bytes, five), std::string("53.907 GB"));
    QCOMPARE(formatQuantity(999.996e9, Unit::Bytes, five), std::string("1.0000 TB"));
}

void TestQuantity::formatsPlainNumbers() {
    QCOMPARE(formatPlain(7e9), std::string("7000000000"));
    QCOMPARE(formatPlain(100000), std::string("100000"));
    QCOMPARE(formatPlain(0.1), std::string("0.1"));
    QCOMPARE(formatPlain(-2.5), std::string("-2.5"));
    QCOMPARE(formatPlain(0), std::string("0"));
    QCOMPARE(formatPlain(1e300), std::string("1e+300"));
    QCOMPARE(formatPlain(1234.5, german()), std::string("1234,5"));
}

void TestQuantity::plainTextReadsBackExactly() {
    std::mt19937_64 random(20240229); // NOLINT(cert-msc51-cpp): the same numbers every time
    std::uniform_real_distribution<double> exponent(-300, 300);
    std::uniform_real_distribution<double> mantissa(-10, 10);
    std::vector<double> values = {0,
                                  1,
                                  -1,
                                  0.1,
                                  1.0 / 3,
                                  6738415616.0,
                                  9007199254740993.0,
                                  1e22,
                                  1e23,
                                  5e-324,
                                  std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::min(),
                                  std::numeric_limits<double>::epsilon()};
    for (int i = 0; i < 2000; ++i) {
        values.push_back(mantissa(random) * std::pow(10, exponent(random)));
        values.push_back(std::round(mantissa(random) * 1e8));
    }
    for (const double value : values) {
        for (const Unit unit : everyUnit()) {
            const auto again = parseQuantity(formatPlain(value), unit);
            QVERIFY2(again && *again == value, formatPlain(value).c_str());
        }
        for (const NumberStyle &style : {german(), french(), swiss(), readingStyle()}) {
            const auto again = parseQuantity(formatPlain(value, style), Unit::None, style);
            QVERIFY2(again && *again == value, formatPlain(value, style).c_str());
        }
    }
}

void TestQuantity::exactTextReadsBackExactly() {
    for (const double value : {0.0, 1.0, 8.0, -3.5, 0.1 + 0.2, 1234567.25, 53907324928.0, 4.5e-9, 1e23, 0.07, 1e22}) {
        for (const Unit unit : everyUnit()) {
            for (const NumberStyle &style : {NumberStyle{}, readingStyle(), german(), french(), swiss()}) {
                const std::string exact = formatExact(value, unit, style);
                const auto again = parseQuantity(exact, unit, style);
                QVERIFY2(again && *again == value, exact.c_str());
            }
        }
    }
}

void TestQuantity::cLocaleDoesNotMatter() {
    // Some comma locale where the system has one; the calls below must not look at it.
    for (const char *name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) != nullptr) {
            break;
        }
    }
    const std::string plain = formatPlain(0.5);
    const std::string quantity = formatQuantity(1.5e12, Unit::Bytes);
    const auto value = parseQuantity("0.5", Unit::None);
    std::setlocale(LC_ALL, "C");
    QCOMPARE(plain, std::string("0.5"));
    QCOMPARE(quantity, std::string("1.50 TB"));
    QCOMPARE(value.value(), 0.5);
}

void TestQuantity::reportKeysHaveTheirUnit_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<Unit>("unit");
    const auto rows = [](Unit unit, std::initializer_list<const char *> keys) {
        for (const char *key : keys) {
            QTest::newRow(key) << QString::fromLatin1(key) << unit;
        }
    };
    rows(Unit::Bytes,
         {"memory.weights_bytes", "memory.optimizer_states_bytes", "allocated_bytes", "total_bytes", "capacity_bytes",
          "headroom_bytes", "memory.stages[2].activations_bytes", "total_bytes_low", "kv_cache_bytes_per_token",
          "roofline.operations[0].bytes", "host_bytes", "memory.model_states_bytes", "preallocated_bytes"});
    rows(Unit::BytesPerSecond, {"roofline.bandwidth_bytes_per_s"});
    rows(Unit::FlopPerByte, {"ridge_flop_per_byte", "intensity_flop_per_byte"});
    rows(Unit::FlopPerSecond, {"attainable_flops_per_s", "model_flops_per_s_per_gpu", "hardware_flops_per_s_per_gpu",
                               "roofline.peaks.bf16", "peak_fp16_flops_per_s", "roofline.peaks.bf16_flops_per_s"});
    rows(Unit::Seconds, {"step_s", "step_s_low", "step_s_high", "run_s", "time_to_first_token_s", "prefill_s",
                         "time_per_output_token_s", "queueing_s", "time.breakdown.compute_s", "bubble_s",
                         "roofline.operations[3].time_s", "elapsed_s"});
    rows(Unit::PerSecond, {"tokens_per_s", "tokens_per_s_per_gpu", "prefill_tokens_per_s", "decode_tokens_per_s",
                           "output_tokens_per_s", "requests_per_s", "input_tokens_per_second", "arrival_per_second"});
    rows(Unit::Percent, {"mfu", "time.hfu", "sm_utilization", "break_even_utilization", "utilization",
                         "fragmentation_fraction", "memory_fraction", "residual_fraction", "cost_of_capital"});
    rows(Unit::Watts, {"gpu_w", "nameplate_w", "power.node_w", "cluster_w", "site_w", "power_limit_w", "board_w"});
    rows(Unit::Joules, {"energy_per_step_j", "energy_per_token_j"});
    rows(Unit::KilowattHours, {"run_energy_kwh"});
    rows(Unit::Kilograms, {"run_co2_kg"});
    rows(Unit::Usd, {"gpu_usd", "energy_usd", "capital_usd", "cost.tco_usd", "run_usd", "rent_usd", "price_usd",
                     "usd_per_million_tokens", "server_usd_per_node"});
    rows(Unit::UsdPerKwh, {"usd_per_kwh"});
    rows(Unit::UsdPerHour, {"rent_usd_per_gpu_hour"});
    rows(Unit::UsdPerKwMonth, {"facility_usd_per_kw_month"});
    rows(Unit::UsdPerYear, {"people_usd_per_year"});
    rows(Unit::KgPerKwh, {"grid_kg_co2_per_kwh"});
    rows(Unit::Years, {"lifetime_years"});
    rows(Unit::GbitPerSecond, {"network_gbit_per_s"});
    rows(Unit::Factor, {"tco_over_gpu_price", "tco_over_system_price", "step_s_ratio"});
    rows(Unit::Count, {"kv_cache_capacity_tokens", "max_concurrent_sequences", "max_sequence_tokens",
                       "roofline.operations[0].flops", "count", "parameters.total"});
    rows(Unit::None,
         {"occupancy", "pue", "worst_stage", "fits", "gpu", "", "flop_convention", "bound", "name", "[", "."});
}

void TestQuantity::reportKeysHaveTheirUnit() {
    QFETCH(QString, key);
    QFETCH(Unit, unit);
    QCOMPARE(static_cast<int>(unitOfKey(key.toStdString())), static_cast<int>(unit));
}

void TestQuantity::everyUnitHasItsTexts() {
    for (const Unit unit : everyUnit()) {
        QVERIFY(parseQuantity("?", unit).error().allowed.size() > 10);
        if (unit != Unit::Count) {
            QCOMPARE(static_cast<int>(unitOfText(textOfUnit(unit))), static_cast<int>(unit));
        }
    }
    QCOMPARE(static_cast<int>(unitOfText("tokens")), static_cast<int>(Unit::Count));
    QCOMPARE(static_cast<int>(unitOfText("furlongs")), static_cast<int>(Unit::None));
    QVERIFY(textOfUnit(Unit::Count).empty());
}

QTEST_APPLESS_MAIN(TestQuantity)
#include "tst_quantity.moc"
