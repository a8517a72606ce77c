// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What people type is read as they mean it, in their own separators, and what has no clear meaning is refused.
#include "core/number/quantity.h"

#include <QtTest/QTest>

using namespace ridgepoint;

Q_DECLARE_METATYPE(ridgepoint::Unit)

namespace {

NumberStyle german() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = ',', .groupSeparator = ".", .significantDigits = 3};
}
NumberStyle french() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = ',', .groupSeparator = "\u202F", .significantDigits = 3};
}
NumberStyle swiss() {
    return {.bytes = ByteUnits::Decimal, .decimalPoint = '.', .groupSeparator = "\u2019", .significantDigits = 3};
}
void parseColumns() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<Unit>("unit");
    QTest::addColumn<double>("expected");
}

void parseRow(const char *typed, Unit unit, double expected) {
    QTest::addRow("%d: %s", static_cast<int>(unit), typed) << QString::fromUtf8(typed) << unit << expected;
}

} // namespace

class TestQuantityParse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parses_data();
    void parses();
    void parsesGerman_data();
    void parsesGerman();
    void parsesOtherStyles();
    void refuses_data();
    void refuses();
    void problemNamesWhatIsAllowed();
    void problemQuotesSafely();
};

void TestQuantityParse::parses_data() {
    parseColumns();
    parseRow("7B", Unit::Count, 7e9);
    parseRow("7b", Unit::Count, 7e9);
    parseRow("7G", Unit::Count, 7e9);
    parseRow("70e9", Unit::Count, 70e9);
    parseRow("70E+9", Unit::Count, 70e9);
    parseRow("8k", Unit::Count, 8000);
    parseRow("8 k", Unit::Count, 8000);
    parseRow("32K", Unit::Count, 32000);
    parseRow("32Ki", Unit::Count, 32768);
    parseRow("32ki", Unit::Count, 32768);
    parseRow("6.738B", Unit::Count, 6738e6);
    parseRow("1.3m", Unit::Count, 1.3e6);
    parseRow("2T", Unit::Count, 2e12);
    parseRow("4,096", Unit::Count, 4096);
    parseRow("1,234,567.5", Unit::Count, 1234567.5);
    parseRow("1 234 567", Unit::Count, 1234567);
    parseRow("1\u00A0234\u00A0567", Unit::Count, 1234567);
    parseRow("1\u202F234\u2009567", Unit::Count, 1234567);
    parseRow("1'234'567", Unit::Count, 1234567);
    parseRow("1\u2019234", Unit::Count, 1234);
    parseRow("  42\t", Unit::Count, 42);
    parseRow("+5", Unit::Count, 5);
    parseRow("-5", Unit::Count, -5);
    parseRow("\u22125", Unit::Count, -5);
    parseRow(".5", Unit::None, 0.5);
    parseRow("5.", Unit::None, 5);
    parseRow("0.000", Unit::None, 0);
    parseRow("007", Unit::None, 7);

    parseRow("1.5 TB", Unit::Bytes, 1.5e12);
    parseRow("2 TiB", Unit::Bytes, 2.0 * 1099511627776.0);
    parseRow("2tib", Unit::Bytes, 2.0 * 1099511627776.0);
    parseRow("80GB", Unit::Bytes, 80e9);
    parseRow("80 gb", Unit::Bytes, 80e9);
    parseRow("80\u202FGB", Unit::Bytes, 80e9);
    parseRow("80G", Unit::Bytes, 80e9);
    parseRow("7B", Unit::Bytes, 7);
    parseRow("8 bytes", Unit::Bytes, 8);
    parseRow("512", Unit::Bytes, 512);
    parseRow("3.35 TB/s", Unit::BytesPerSecond, 3.35e12);
    parseRow("900GB / s", Unit::BytesPerSecond, 900e9);

    parseRow("350 W", Unit::Watts, 350);
    parseRow("1.2kW", Unit::Watts, 1200);
    parseRow("1.2 kw", Unit::Watts, 1200);
    parseRow("500 mW", Unit::Watts, 0.5);
    parseRow("12%", Unit::Percent, 0.12);
    parseRow("39.2 %", Unit::Percent, 0.392);
    parseRow("0.8", Unit::Percent, 0.8);
    parseRow("2.1x", Unit::Factor, 2.1);
    parseRow("2.1\u00D7", Unit::Factor, 2.1);
    parseRow("12 ms", Unit::Seconds, 0.012);
    parseRow("4.5 \u00B5s", Unit::Seconds, 4.5e-6);
    parseRow("4.5 \u03BCs", Unit::Seconds, 4.5e-6);
    parseRow("4.5us", Unit::Seconds, 4.5e-6);
    parseRow("1.5 min", Unit::Seconds, 90);
    parseRow("2 h", Unit::Seconds, 7200);
    parseRow("3d", Unit::Seconds, 259200);
    parseRow("20k/s", Unit::PerSecond, 20000);
    parseRow("312 TFLOP/s", Unit::FlopPerSecond, 312e12);
    parseRow("312 tflops", Unit::FlopPerSecond, 312e12);
    parseRow("1.98P", Unit::FlopPerSecond, 1.98e15);
    parseRow("153 FLOP/byte", Unit::FlopPerByte, 153);
    parseRow("310 mJ", Unit::Joules, 0.31);
    parseRow("1 kWh", Unit::Joules, 3.6e6);
    parseRow("41 MWh", Unit::KilowattHours, 41000);
    parseRow("15.9 t", Unit::Kilograms, 15900);

    parseRow("$0.12/kWh", Unit::UsdPerKwh, 0.12);
    parseRow("0.12 USD/kWh", Unit::UsdPerKwh, 0.12);
    parseRow("$120/MWh", Unit::UsdPerKwh, 0.12);
    parseRow("0.12", Unit::UsdPerKwh, 0.12);
    parseRow("$30,000", Unit::Usd, 30000);
    parseRow("$ 12.4 k", Unit::Usd, 12400);
    parseRow("30k USD", Unit::Usd, 30000);
    parseRow("1.2M$", Unit::Usd, 1.2e6);
    parseRow("-$5", Unit::Usd, -5);
    parseRow("$-5", Unit::Usd, -5);
    parseRow("$1.79/GPU-hour", Unit::UsdPerHour, 1.79);
    parseRow("$150/kW/month", Unit::UsdPerKwMonth, 150);
    parseRow("$12k/year", Unit::UsdPerYear, 12000);
    parseRow("390 g/kWh", Unit::KgPerKwh, 0.39);
    parseRow("4 years", Unit::Years, 4);
    parseRow("6 months", Unit::Years, 0.5);
    parseRow("400 Gbit/s", Unit::GbitPerSecond, 400);
    parseRow("400 Gbps", Unit::GbitPerSecond, 400);
    parseRow("50 GB/s", Unit::GbitPerSecond, 400);
    parseRow("3.2T", Unit::GbitPerSecond, 3200);
    parseRow("1e308", Unit::Count, 1e308);
    parseRow("5e-324", Unit::Count, 5e-324);
    parseRow("0.0001e312", Unit::Count, 1e308);
}

void TestQuantityParse::parses() {
    QFETCH(QString, typed);
    QFETCH(Unit, unit);
    QFETCH(double, expected);
    for (const NumberStyle &style : {NumberStyle{}, readingStyle()}) {
        const auto value = parseQuantity(typed.toStdString(), unit, style);
        QVERIFY2(value.has_value(), value ? "" : value.error().message().c_str());
        QVERIFY2(*value == expected, formatPlain(*value).c_str());
    }
}

void TestQuantityParse::parsesGerman_data() {
    parseColumns();
    parseRow("0,12", Unit::UsdPerKwh, 0.12);
    parseRow("1.234,5", Unit::Watts, 1234.5);
    parseRow("1.234.567,5", Unit::Watts, 1234567.5);
    parseRow("1.234", Unit::Count, 1234); // the user's own way of writing wins
    parseRow("1.5", Unit::Count, 1.5);    // no German number, so a C one
    parseRow("0.125", Unit::Count, 0.125);
    parseRow("1.2345", Unit::Count, 1.2345);
    parseRow("1,234.5", Unit::Count, 1234.5);
    parseRow("1,234,567", Unit::Count, 1234567);
    parseRow("7,5B", Unit::Count, 7.5e9);
    parseRow("1 234,5", Unit::Count, 1234.5);
    parseRow("70e9", Unit::Count, 70e9);
    parseRow("1,5 TB", Unit::Bytes, 1.5e12);
}

void TestQuantityParse::parsesGerman() {
    QFETCH(QString, typed);
    QFETCH(Unit, unit);
    QFETCH(double, expected);
    const auto value = parseQuantity(typed.toStdString(), unit, german());
    QVERIFY2(value.has_value(), value ? "" : value.error().message().c_str());
    QCOMPARE(*value, expected);
}

void TestQuantityParse::parsesOtherStyles() {
    QCOMPARE(parseQuantity("1.234", Unit::Count, french()).value(), 1.234);
    QCOMPARE(parseQuantity("1\u202F234,5", Unit::Count, french()).value(), 1234.5);
    QCOMPARE(parseQuantity("1.234,5", Unit::Count, french()).value(), 1234.5);
    QCOMPARE(parseQuantity("1\u2019234.5", Unit::Count, swiss()).value(), 1234.5);
}

void TestQuantityParse::refuses_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<Unit>("unit");
    const auto row = [](const char *typed, Unit unit) {
        QTest::addRow("%d: %s", static_cast<int>(unit), typed) << QString::fromUtf8(typed) << unit;
    };
    for (const char *nothingOrNoNumber : {"",          " ",        "\u00A0",    "nan",    "NaN",    "inf",
                                          "-inf",      "infinity", "1e400",     "-1e400", "1e-400", "1e99999999999",
                                          "0x10",      "0x1p3",    "1_000",     "--5",    "+-5",    "- -5",
                                          ".",         ",",        "-",         "e5",     ".e5",    "1e",
                                          "1e+",       "1.2.3",    "1..2",      "12abc",  "seven",  "5 5",
                                          "1 23",      "1,23",     "12,34,567", "0,125",  ",123",   "1,234.567,8",
                                          "1 234,567", "1'23",     "(5)",       "5;",     "5=5",    "1/2",
                                          "½",         "５"}) {
        row(nothingOrNoNumber, Unit::Count);
        row(nothingOrNoNumber, Unit::Bytes);
        row(nothingOrNoNumber, Unit::Usd);
    }
    row("0,12", Unit::UsdPerKwh); // no comma style
    row("7B", Unit::None);
    row("7 GB", Unit::Count);
    row("$7", Unit::Count);
    row("12%", Unit::Count);
    row("350 J", Unit::Watts);
    row("350 W W", Unit::Watts);
    row("350 kW/s", Unit::Watts);
    row("5 mw", Unit::Watts); // milli or mega?
    row("1.5 TB GB", Unit::Bytes);
    row("1.5 TB/s", Unit::Bytes);
    row("1.5 TB 3", Unit::Bytes);
    row("80 Gbit", Unit::Bytes);
    row("5 m", Unit::Seconds); // minutes or milli?
    row("5 kg", Unit::Seconds);
    row("$0.12/kW", Unit::UsdPerKwh);
    row("$0.12/h", Unit::UsdPerKwh);
    row("$$5", Unit::Usd);
    row("$5 USD", Unit::Usd);
    row("5 EUR", Unit::Usd);
    row("$", Unit::Usd);
    row("400 gb/s", Unit::GbitPerSecond); // bits or bytes?
    row("1e308k", Unit::Count);
    row("1e308 TiB", Unit::Bytes);
    row("12 %%", Unit::Percent);
    row("12x", Unit::Percent);
    row("0x", Unit::Count);
}

void TestQuantityParse::refuses() {
    QFETCH(QString, typed);
    QFETCH(Unit, unit);
    for (const NumberStyle &style : {NumberStyle{}, readingStyle()}) {
        const auto value = parseQuantity(typed.toStdString(), unit, style);
        QVERIFY2(!value.has_value(), value ? formatPlain(*value).c_str() : "");
        QVERIFY(!value.error().found.empty());
        QVERIFY(!value.error().allowed.empty());
    }
}

void TestQuantityParse::problemNamesWhatIsAllowed() {
    const Problem problem = parseQuantity("350 J", Unit::Watts).error();
    QCOMPARE(problem.found, std::string("350 J"));
    QCOMPARE(problem.message(), std::string("found 350 J, allowed a power in W, kW or MW, as 350 W or 1.2 kW"));
    QCOMPARE(parseQuantity("  ", Unit::Bytes).error().found, std::string("nothing"));
    QVERIFY(parseQuantity("0,12", Unit::None).error().allowed.find("decimals follow a point") != std::string::npos);
}

void TestQuantityParse::problemQuotesSafely() {
    const std::string longText(100'000, '7');
    const std::string found = parseQuantity(longText, Unit::Count).error().found;
    QVERIFY(found.size() < 50);
    QVERIFY(found.ends_with("…"));
    QCOMPARE(parseQuantity(std::string_view("5\0", 2), Unit::Count).error().found, std::string("5?"));
    QCOMPARE(parseQuantity("a\nb\x1b[1m", Unit::Count).error().found, std::string("a?b?[1m"));
    QCOMPARE(parseQuantity("\xff\xc3", Unit::Count).error().found, std::string("??"));
    QCOMPARE(parseQuantity("fünf", Unit::Count).error().found, std::string("fünf"));
}

QTEST_APPLESS_MAIN(TestQuantityParse)
#include "tst_quantity_parse.moc"
