// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds broken, foreign and hostile text to the JSON reader and expects the place and the reason by name.
#include "core/import/import.h"
#include "core/import/strict_json.h"

#include "tests/core/import/import_test.h"

#include <QElapsedTimer>
#include <QTest>

#include <string>

using namespace ridgepoint;
using namespace std::string_literals;

namespace {

using Json = nlohmann::ordered_json;

Json with(Json config, const char *key, Json value) {
    config[key] = std::move(value);
    return config;
}

std::string messagesOf(const Json &config) {
    return messages(importHuggingFaceConfig(config.dump()));
}

/// The base config's text with one number replaced by raw text that a JSON writer would not write.
std::string withRawHiddenSize(const std::string &raw) {
    std::string text = baseConfig().dump();
    const std::string field = "\"hidden_size\":4096";
    return text.replace(text.find(field), field.size(), "\"hidden_size\":" + raw);
}

std::string utf16(const std::string &text) {
    std::string wide;
    for (const char c : text) {
        wide += c;
        wide += '\0';
    }
    return wide;
}

} // namespace

class StrictJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesBrokenText_data();
    void refusesBrokenText();
    void acceptsAByteOrderMark();
    void acceptsEscapedAndForeignText();
    void keepsKindsAndValues();
    void cutsLongTextInMessages();
    void listsEveryKeyThatStandsTwice();
    void refusesHugeTextsInTime_data();
    void refusesHugeTextsInTime();
};

void StrictJsonTest::refusesBrokenText_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const std::string &text, const char *said) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QString::fromUtf8(said);
    };
    row("nothing", "", "found an empty file");
    row("blanks", "  \n", "found an empty file");
    row("mark only", "\xef\xbb\xbf", "found an empty file");
    row("null", "null", "found null at the top level, allowed an object");
    row("list", "[1, 2]", "found a list at the top level, allowed an object");
    row("text", "\"llama\"", "found text \"llama\" at the top level");
    row("raw NUL", "{\"model_type\":\0\"llama\"}"s, "byte 14: found a NUL byte");
    row("a megabyte of NULs", std::string(1U << 20U, '\0'), "byte 0: found a NUL byte");
    row("NUL in a name", R"({"model_type":"lla\u0000ma"})",
        R"(model_type: found text "lla\u0000ma", allowed a family)");
    row("UTF-16 with mark", "\xff\xfe" + utf16(baseConfig().dump()), "found text in UTF-16, allowed text in UTF-8");
    row("UTF-16 without mark", utf16(baseConfig().dump()), "found text in UTF-16");
    row("UTF-32", "\xff\xfe\0\0{\0\0\0"s, "found text in UTF-32");
    row("Latin-1", "{\"model_type\":\"llam\xe9\"}", "model_type: found byte 0xE9 at byte 19, which is not UTF-8");
    row("overlong UTF-8", "{\"model_type\":\"\xc0\xaf\"}", "which is not UTF-8");
    row("surrogate in UTF-8", "{\"model_type\":\"\xed\xa0\x80\"}", "which is not UTF-8");
    row("lone surrogate", R"({"model_type":"\ud800"})", "model_type: found the lone surrogate \\ud800 at byte 15");
    row("low surrogate first", R"({"model_type":"\udc00\ud800"})", "lone surrogate \\udc00");
    row("unknown escape", R"({"model_type":"\q"})", "model_type: found an unknown escape at byte 15");
    row("short escape", R"({"model_type":"\u12")", "model_type: found an unknown escape at byte 15");
    row("line break in text", "{\"model_type\":\"lla\nma\"}", "model_type: found byte 0x0A at byte 18");
    row("key twice", R"({"a":{"b":1,"b":2},"a":3})", "a.b: found the key a second time at byte 12");
    row("NaN", withRawHiddenSize("NaN"), "hidden_size: found NaN at byte");
    row("Infinity", withRawHiddenSize("Infinity"), "hidden_size: found Infinity at byte");
    row("-Infinity", withRawHiddenSize("-Infinity"), "hidden_size: found -Infinity at byte");
    row("1e400", withRawHiddenSize("1e400"), "hidden_size: found 1e400 at byte");
    row("hexadecimal", withRawHiddenSize("0x20"), "hidden_size: found 0x20 at byte");
    row("leading zero", withRawHiddenSize("04096"), "hidden_size: found 04096 at byte");
    row("plus", withRawHiddenSize("+4096"), "hidden_size: found +4096 at byte");
    row("no digits after the point", withRawHiddenSize("4096."), "hidden_size: found 4096. at byte");
    row("Python", "{\"a\": True}", "a: found True at byte 6");
    row("comma at the end", "{\"a\": 1,}", "byte 8: found `}`, allowed a key in double quotes");
    row("single quotes", "{'a': 1}", "byte 1: found `'`, allowed a key in double quotes");
    row("comment", "{// a\n}", "byte 1: found `/`");
    row("cut off", "{\"a\": [1, 2", "byte 11: found the end of the file, allowed `,` or `]`");
    row("cut off in text", "{\"a\": \"b", "a: found the end of the file in a text that starts at byte 6");
    row("text behind", "{} {}", "byte 3: found `{`, allowed the end of the file");
    row("safetensors inside", "\xe8\x03\0\0\0\0\0\0{\"weight\":{\""s, "byte 0: found byte 0xE8, allowed a value");
}

void StrictJsonTest::refusesBrokenText() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const auto model = importHuggingFaceConfig(text.toStdString());
    QVERIFY(!model);
    VERIFY_SAYS(messages(model), said.toStdString());
}

void StrictJsonTest::acceptsAByteOrderMark() {
    const auto model = importHuggingFaceConfig("\xef\xbb\xbf" + baseConfig().dump());
    QVERIFY2(model, messages(model).c_str());
    QCOMPARE(model->parametersTotal, 8030261248.0);
}

void StrictJsonTest::acceptsEscapedAndForeignText() {
    std::string text = with(baseConfig(), "note", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80").dump();
    QVERIFY(importHuggingFaceConfig(text));
    text.insert(1, R"("escaped":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t",)");
    QVERIFY(importHuggingFaceConfig(text));
    // A name must not be able to pretend to be another by turning the reading direction.
    VERIFY_SAYS(messagesOf(with(baseConfig(), "model_type",
                                "ll\xe2\x80\xae"
                                "ama")),
                R"("ll\u202eama")");
}

void StrictJsonTest::keepsKindsAndValues() {
    const auto value =
        parseStrictJson(R"([1, -0, 9223372036854775808, 1.5e3, true, null, "\u00e9\ud83d\ude00\n", {}])");
    QVERIFY(value);
    QVERIFY((*value)[0].is_number_integer() && (*value)[1].is_number_integer());
    QVERIFY((*value)[2].is_number_float());
    QCOMPARE((*value)[2].get<double>(), 9223372036854775808.0);
    QCOMPARE((*value)[3].get<double>(), 1500.0);
    QVERIFY((*value)[4].is_boolean() && (*value)[5].is_null() && (*value)[7].is_object());
    QCOMPARE((*value)[6].get<std::string>(), "\xc3\xa9\xf0\x9f\x98\x80\n"s);
}

void StrictJsonTest::cutsLongTextInMessages() {
    QCOMPARE(shownText(std::string(500, 'x'), 10), "xxxxxxxxxx..."s);
    QCOMPARE(shownText("\xff\x1b[31m"s), "\\xff\\u001b[31m"s);
}

void StrictJsonTest::listsEveryKeyThatStandsTwice() {
    const auto value = parseStrictJson(R"({"a":1,"a":2,"b":[{"c":1,"c":2}]})");
    QVERIFY(!value);
    QCOMPARE(value.error().size(), std::size_t{2});
    QCOMPARE(value.error()[1].field, "b[0].c"s);
}

void StrictJsonTest::refusesHugeTextsInTime_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    std::string nested = R"({"hidden_size":8})";
    for (int i = 0; i < 500; ++i) {
        nested = R"({"text_config":)" + nested + "}";
    }
    QTest::newRow("nested") << QByteArray::fromStdString(nested)
                            << QStringLiteral("more than 64 objects or lists inside one another");
    QTest::newRow("brackets") << QByteArray(7'000'000, '[') << QStringLiteral("more than 64 objects or lists");
    QTest::newRow("flat") << QByteArray("{\"a\":[" + QByteArray("0,").repeated(3'500'000))
                          << QStringLiteral("more than 200000 values");
    QTest::newRow("one text") << QByteArray("{\"a\":\"" + QByteArray(7'900'000, 'x'))
                              << QStringLiteral("a: found the end of the file in a text that starts at byte 5");
    QTest::newRow("large") << QByteArray(8'000'001, ' ')
                           << QStringLiteral("found 8000001 bytes, allowed 8000000 bytes at most");
}

void StrictJsonTest::refusesHugeTextsInTime() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const std::string bytes = text.toStdString();
    QElapsedTimer timer;
    timer.start();
    const auto model = importHuggingFaceConfig(bytes);
    QVERIFY(timer.elapsed() < 2000);
    QVERIFY(!model);
    VERIFY_SAYS(messages(model), said.toStdString());
}

QTEST_APPLESS_MAIN(StrictJsonTest)
#include "tst_strict_json.moc"
