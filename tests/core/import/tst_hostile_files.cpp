// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself against files that are wrong, huge, or no files at all: a clear refusal with exit code 2, in time.
#include "tests/core/import/import_test.h"
#include "tests/core/import/weight_bytes.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QProcess>
#include <QTest>

#include <filesystem>

using namespace ridgepoint;

namespace {

// Time of the processor, which other work on the machine does not change; sanitizers take their own share of both, and
// of memory.
#ifdef __SANITIZE_ADDRESS__
constexpr double secondsAllowed = 20;
#else
constexpr double secondsAllowed = 2;
constexpr rlim_t bytesAllowed = 200'000'000;
#endif

struct Outcome {
    int code = -1;
    std::string out;
    std::string said;
    double seconds = 0; ///< of the processor
    bool isInTime() const { return seconds < secondsAllowed; }
};

double secondsOf(const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// By all runs so far.
double secondsUsed() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return secondsOf(used.ru_utime) + secondsOf(used.ru_stime);
}

Outcome runProgram(const QStringList &arguments) {
    QProcess process;
    const double before = secondsUsed();
#ifndef __SANITIZE_ADDRESS__
    // More memory ends the program, and the test with it.
    process.setChildProcessModifier([] {
        const rlimit most{bytesAllowed, bytesAllowed};
        setrlimit(RLIMIT_DATA, &most);
    });
#endif
    process.start(QStringLiteral(RIDGEPOINT_PROGRAM), arguments);
    process.closeWriteChannel();
    process.waitForFinished(20'000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString(),
            secondsUsed() - before};
}

Outcome import(const std::string &path) {
    return runProgram({QStringLiteral("import"), QString::fromStdString(path)});
}

using Json = nlohmann::ordered_json;

std::string with(const char *key, Json value) {
    Json config = baseConfig();
    config[key] = std::move(value);
    return config.dump();
}

std::string without(const char *key) {
    Json config = baseConfig();
    config.erase(key);
    return config.dump();
}

/// hidden_size as a text that JSON may not know.
std::string withRaw(const std::string &value) {
    std::string text = baseConfig().dump();
    return text.replace(text.find("4096"), 4, value);
}

std::string nestedConfig(int depth) {
    std::string text = R"({"hidden_size":8})";
    for (int i = 0; i < depth; ++i) {
        text = R"({"text_config":)" + text + "}";
    }
    return text;
}

std::string utf16(const std::string &text) {
    std::string wide = "\xff\xfe";
    for (const char c : text) {
        wide += c;
        wide += '\0';
    }
    return wide;
}

/// An object of many short tensors, or of whatever else is repeated.
std::string headerOf(std::size_t bytes, const std::string &part) {
    std::string text = "{";
    text.reserve(bytes + part.size());
    for (std::size_t i = 0; text.size() < bytes; ++i) {
        text += "\"" + std::to_string(i) + "\":" + part + ",";
    }
    return text;
}

} // namespace

class HostileFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesInTime_data();
    void refusesInTime();
    void readsLegalOddities();
    void readsAHeaderBeforeGigabytesOfNothing();
    void refusesWhatIsNoFile();
    void showsNamesEscaped_data();
    void showsNamesEscaped();
    void anOutputThatCannotBeWrittenIsSaid();
    void aScenarioNamesTheModelFileItCannotRead();
};

void HostileFilesTest::refusesInTime_data() {
    using namespace std::string_literals;
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char *what, const char *name, const std::string &bytes, const QStringList &said) {
        QTest::newRow(what) << QString::fromLatin1(name) << QByteArray::fromStdString(bytes) << said;
    };
    const auto config = [&](const char *what, const std::string &bytes, const char *said) {
        row(what, "c.json", bytes, {QString::fromUtf8(said)});
    };
    const std::string all(8, '\xff');
    row("counts near 2^64", "m.gguf", "GGUF\3\0\0\0"s + all + all,
        {QStringLiteral("m.gguf: byte 8: found a count of 18446744073709551615 tensors")});
    row("key of 2^63-1 bytes", "m.gguf",
        "GGUF\3\0\0\0"s + littleEndian(std::uint64_t{0}) + littleEndian(std::uint64_t{1}) +
            littleEndian(~std::uint64_t{0} >> 1U) + "general.",
        {QStringLiteral("byte 24: found a key of 9223372036854775807 bytes")});
    row("size that wraps", "m.gguf", GgufBytes().rawTensor("t", {(1ULL << 42U) + 1, 1ULL << 22U}, 0, 0).header(),
        {QStringLiteral("tensor t: "), QStringLiteral("the element count overflows")});
    row("big endian", "m.gguf", "GGUF\0\0\0\3"s + std::string(16, '\0'),
        {QStringLiteral("byte 4: "), QStringLiteral("a big-endian file")});
    row("version 1", "m.gguf", "GGUF\1\0\0\0"s + std::string(8, '\0'),
        {QStringLiteral("byte 4: found version 1, which is not supported")});
    row("other magic", "m.gguf", "GGML\3\0\0\0"s, {QStringLiteral("byte 0: found `GGML`: not a GGUF file")});
    row("impossible model", "m.gguf",
        GgufBytes().text("general.architecture", "llama").number("llama.block_count", 0).header(),
        {QStringLiteral("llama.block_count: found 0"), QStringLiteral("llama.embedding_length: found nothing")});
    row("length only", "m.safetensors", all.substr(0, 7) + "\x7f",
        {QStringLiteral("m.safetensors: byte 0: found a header of 9223372036854775807 bytes in a file of 8")});
    row("cut off", "m.safetensors", littleEndian(std::uint64_t{1000}) + R"({"weight":{")",
        {QStringLiteral("the header ends at byte 20 of 1008")});
    row("space first", "m.safetensors", safetensorsBytes(" {}"), {QStringLiteral("byte 8: found ` `")});
    row("many tensors", "m.safetensors",
        safetensorsBytes(headerOf(20'000'000, R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})")),
        {QStringLiteral("more than 250000 tensors")});
    row("long lists", "m.safetensors", safetensorsBytes("{\"a\":{\"shape\":[" + std::string(30'000'000, '1')),
        {QStringLiteral("a number of 1024 characters at most")});
    row("long name", "m.safetensors", safetensorsBytes("{\"" + std::string(40'000'000, 'x')),
        {QStringLiteral("a text of more than 16000000 bytes")});
    row("many keys", "m.gguf",
        "GGUF\3\0\0\0"s + littleEndian(std::uint64_t{0}) + littleEndian(std::uint64_t{1'000'000}) +
            std::string(20'000'000, '\0'),
        {QStringLiteral("byte 16: found a count of 1000000 keys, allowed 10000 at most")});
    row("endless list of texts", "m.gguf",
        "GGUF\3\0\0\0"s + littleEndian(std::uint64_t{0}) + littleEndian(std::uint64_t{1}) + ggufText("a") +
            littleEndian(gguf::list) + littleEndian(gguf::text) + littleEndian(std::uint64_t{13'000'000}) +
            std::string(110'000'000, '\0'),
        {QStringLiteral("allowed a header of 100000000 bytes at most")});
    row("pickled", "m.bin", "x", {QStringLiteral("found a .bin file: pickled weights are not read")});
    config("nothing", "", "c.json: found an empty file");
    config("blanks", "  \n", "found an empty file");
    config("null", "null", "found null at the top level, allowed an object");
    config("raw NUL", "{\"model_type\":\0\"llama\"}"s, "byte 14: found a NUL byte");
    config("NUL in a name", R"({"model_type":"lla\u0000ma"})", "model_type: found");
    config("NULs", std::string(1U << 20U, '\0'), "byte 0: found a NUL byte");
    config("UTF-16", utf16(baseConfig().dump()), "found text in UTF-16, allowed text in UTF-8");
    config("Latin-1", "{\"model_type\":\"llam\xe9\"}", "model_type: found byte 0xE9 at byte 19, which is not UTF-8");
    config("lone surrogate", R"({"model_type":"\ud800"})", "the lone surrogate \\ud800 at byte 15");
    for (const auto &[value, shown] : {std::pair{Json("32"), "text \"32\""},
                                       {Json(true), "true"},
                                       {Json(nullptr), "null"},
                                       {Json::array({32}), "a list"},
                                       {Json(32.5), "32.5"}}) {
        config(("layers as " + value.dump()).c_str(), with("num_hidden_layers", value),
               ("num_hidden_layers: found "s + shown + ", allowed a whole number").c_str());
    }
    config("architectures as text", with("architectures", "LlamaForCausalLM"), "architectures: found text");
    config("empty object", "{}", "model_type: found nothing");
    row("family alone", "c.json", R"({"model_type":"llama"})",
        {QStringLiteral("num_hidden_layers: found nothing"), QStringLiteral("hidden_size: found nothing"),
         QStringLiteral("vocab_size: found nothing")});
    config("no width", without("hidden_size"), "hidden_size: found nothing");
    config("no vocabulary", without("vocab_size"), "vocab_size: found nothing");
    for (const char *value : {"NaN", "Infinity", "-Infinity", "-1", "1e308", "1e400", "-0", "0x20"}) {
        config((std::string("width of ") + value).c_str(), withRaw(value), "hidden_size: found ");
    }
    for (const char *key :
         {"num_hidden_layers", "num_attention_heads", "hidden_size", "vocab_size", "num_key_value_heads"}) {
        config((std::string("zero ") + key).c_str(), with(key, 0),
               (key + ": found 0, allowed a whole number, must be at least 1"s).c_str());
    }
    config("27 heads", with("num_attention_heads", 27), "found 27 heads for hidden_size 4096");
    config("5 of 32 heads", with("num_key_value_heads", 5), "found 5 key and value heads for 32 heads");
    config("64 of 32 heads", with("num_key_value_heads", 64), "found 64 key and value heads for 32 heads");
    config("head of 0", with("head_dim", 0), "head_dim: found 0");
    config("500 deep", nestedConfig(500), "more than 64 objects or lists inside one another");
    config("a million deep", std::string(1'000'000, '['), "more than 64 objects or lists inside one another");
    config("nested list", with("text_config", Json::array({1, 2})), "text_config: found a list");
    config("unknown method", with("quantization_config", {{"quant_method", "mystery"}, {"bits", 3}}),
           "quantization_config.quant_method: found text \"mystery\"");
    config("300 MB", std::string(300'000'000, ' '),
           "found more than 8000000 bytes, allowed a config.json file of 8000000 bytes at most");
    config("a scenario's leftovers", R"({"dp":4,"tp":2,"pp":2,"ep":1,"world":8})", "model_type: found nothing");
}

void HostileFilesTest::refusesInTime() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const TestFolder folder;
    const std::string path = folder.path(name.toStdString());
    folder.write(name.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    const Outcome outcome = import(path);
    QCOMPARE(outcome.code, 2);
    QVERIFY(outcome.out.empty());
    for (const QString &part : said) {
        VERIFY_SAYS(outcome.said, part.toStdString());
    }
    QVERIFY2(outcome.isInTime(), std::to_string(outcome.seconds).c_str());
}

void HostileFilesTest::readsLegalOddities() {
    const TestFolder folder;
    folder.write("empty.safetensors", safetensorsBytes("{}" + std::string(62, ' ')));
    const Outcome empty = import(folder.path("empty.safetensors"));
    QCOMPARE(empty.code, 0);
    VERIFY_SAYS(empty.out, "the file holds no tensors");
    folder.write(
        "lies.safetensors",
        safetensorsBytes(
            R"({"__metadata__":{"total_parameters":"999000000000"},"t":{"dtype":"F32","shape":[10,20],"data_offsets":[0,800]}})",
            800));
    const Json report = Json::parse(import(folder.path("lies.safetensors")).out);
    QCOMPARE(report["parameters"]["total"].get<int>(), 200);
    folder.write("marked.json", "\xef\xbb\xbf" + baseConfig().dump());
    QCOMPARE(import(folder.path("marked.json")).code, 0);
}

void HostileFilesTest::readsAHeaderBeforeGigabytesOfNothing() {
    const TestFolder folder;
    GgufBytes file = tinyGguf();
    file.tensor("token_embd.weight", {32, 64}).tensor("blk.0.big.weight", {5ULL << 28U}, "F32");
    folder.write("m.gguf", file.header());
    std::filesystem::resize_file(folder.path("m.gguf"), (file.header().size() + 31) / 32 * 32 + file.dataEnd());
    const Outcome outcome = import(folder.path("m.gguf"));
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.isInTime());
    QCOMPARE(Json::parse(outcome.out)["weights_bytes"].get<double>(), (5ULL << 30U) + 32.0 * 64 * 4);
}

void HostileFilesTest::refusesWhatIsNoFile() {
    const TestFolder folder;
    for (const char *name : {"pipe.json", "pipe.gguf", "pipe.safetensors", "pipe.ridgepoint"}) {
        QCOMPARE(mkfifo(folder.path(name).c_str(), 0600), 0);
        const bool isScenario = contains(name, "ridgepoint");
        const Outcome outcome = runProgram({isScenario ? QStringLiteral("report") : QStringLiteral("import"),
                                            QString::fromStdString(folder.path(name))});
        QCOMPARE(outcome.code, 2);
        VERIFY_SAYS(outcome.said,
                    isScenario ? "found a pipe that nobody writes to" : "found something that is no regular file");
        QVERIFY(outcome.isInTime());
    }
    for (const char *device : {"/dev/zero", "/dev/null", "/dev/full"}) {
        VERIFY_SAYS(import(device).said, "found something that is no regular file");
        QCOMPARE(runProgram({QStringLiteral("report"), QString::fromLatin1(device)}).code, 2);
    }
    std::filesystem::create_directory(folder.path("m.gguf"));
    VERIFY_SAYS(import(folder.path("m.gguf")).said, "found a folder without config.json");
    VERIFY_SAYS(import(folder.path("none.gguf")).said, "found No such file or directory");
    VERIFY_SAYS(runProgram({QStringLiteral("report"), QString::fromStdString(folder.path("m.gguf"))}).said,
                "found a folder");
    folder.write("model.safetensors.index.json", R"({"weight_map":{"a":"pipe.safetensors"}})");
    VERIFY_SAYS(import(folder.path("model.safetensors.index.json")).said,
                "pipe.safetensors: found something that is no regular file");
}

void HostileFilesTest::showsNamesEscaped_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("shown");
    QTest::newRow("right to left") << QByteArray("b\xe2\x80\xaegpj.json") << QStringLiteral("b\\u202egpj.json: ");
    QTest::newRow("line break") << QByteArray("b\nline.json") << QStringLiteral("b\\u000aline.json: ");
    QTest::newRow("long") << QByteArray("b" + QByteArray(242, 'x') + ".json")
                          << QString(QLatin1Char('x')).repeated(242);
    QTest::newRow("dash") << QByteArray("-b.json") << QStringLiteral("-b.json: ");
    QTest::newRow("escape") << QByteArray("b\x1b[2J.gguf") << QStringLiteral("b\\u001b[2J.gguf: ");
    QTest::newRow("not UTF-8") << QByteArray("b\xff.json") << QStringLiteral("b\\xff.json: ");
}

void HostileFilesTest::showsNamesEscaped() {
    QFETCH(QByteArray, name);
    QFETCH(QString, shown);
    const TestFolder folder;
    folder.write(name.toStdString(), "{}");
    // Through the shell: the name's bytes as they are.
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder.path(".")));
    process.start(QStringLiteral("sh"),
                  {QStringLiteral("-c"), QStringLiteral("for f in ./*; do \"$0\" import \"$f\"; done"),
                   QStringLiteral(RIDGEPOINT_PROGRAM)});
    QVERIFY(process.waitForFinished());
    const std::string said = process.readAllStandardError().toStdString();
    VERIFY_SAYS(said, shown.toStdString());
    QVERIFY(!contains(said, "\x1b") && !contains(said, "\xe2\x80\xae"));
    QCOMPARE(process.exitCode(), 2);
}

void HostileFilesTest::anOutputThatCannotBeWrittenIsSaid() {
    const TestFolder folder;
    folder.write("m.gguf", tinyLlama().whole());
    const QString model = QString::fromStdString(folder.path("m.gguf"));
    const Outcome full =
        runProgram({QStringLiteral("import"), model, QStringLiteral("-o"), QStringLiteral("/dev/full")});
    QCOMPARE(full.code, 4);
    VERIFY_SAYS(full.said, "/dev/full: cannot be written: No space left on device");
    const std::string there = folder.path("no/such/folder.json");
    const Outcome missing =
        runProgram({QStringLiteral("import"), model, QStringLiteral("-o"), QString::fromStdString(there)});
    QCOMPARE(missing.code, 4);
    VERIFY_SAYS(missing.said, "folder.json: cannot be written: No such file or directory");
    QVERIFY(!std::filesystem::exists(there));
}

void HostileFilesTest::aScenarioNamesTheModelFileItCannotRead() {
    const TestFolder folder;
    folder.write("bad.gguf", "GGML");
    folder.write("odd.gguf", tinyGguf("frobnicate").tensor("t", {4}).whole());
    folder.write("bad.ridgepoint", R"({"model":{"config":"bad.gguf"},"task":"inference"})");
    folder.write("odd.ridgepoint", R"({"model":{"config":"odd.gguf"},"task":"inference"})");
    const auto said = [&](const char *name) {
        return runProgram({QStringLiteral("report"), QString::fromStdString(folder.path(name))}).said;
    };
    VERIFY_SAYS(said("bad.ridgepoint"), "bad.ridgepoint: model.config, byte 0: found `GGML`: not a GGUF file");
    VERIFY_SAYS(said("odd.ridgepoint"), "odd.ridgepoint: model.config: found weights alone: general.architecture is");
}

QTEST_GUILESS_MAIN(HostileFilesTest)
#include "tst_hostile_files.moc"
