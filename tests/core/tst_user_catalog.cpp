// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own catalogue files are added, and every mistake in them is named while the rest still loads.
#include "core/catalog/catalog.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <set>

using namespace ridgepoint;

namespace {

const CatalogResult &shipped() {
    static const CatalogResult result = builtInCatalog();
    return result;
}

const Catalog &catalog() {
    return shipped().catalog;
}

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

std::string listed(const CatalogResult &result) {
    std::string lines;
    for (const CatalogResult::FileProblem &problem : result.problems) {
        lines += problem.file + ": " + problem.problem.message() + '\n';
    }
    return lines;
}

const std::string myGpu = R"({"id": "my-gpu", "name": "My GPU", "architecture": "hopper", "memory_bytes": 1e11,
    "bandwidth_bytes_per_s": 4e12, "board_w": 500, "peak_bf16_flops_per_s": 1e15)";

} // namespace

class UserCatalogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aUsersOwnAcceleratorNeedsOnlyPlainNumbers() {
        CatalogResult result = shipped();
        addUserFile(result, "mine.json", R"({"gpus": [)" + myGpu + "}]}");
        QCOMPARE(listed(result), std::string());
        const Gpu *gpu = result.catalog.gpu("my-gpu");
        QVERIFY(gpu != nullptr);
        QCOMPARE(gpu->bandwidthBytesPerSecond.source, std::string("mine.json"));
        QCOMPARE(gpu->capacityBytes.value, 1e11);
        QVERIFY(gpu->capacityBytes.estimate && gpu->idleWatts.estimate && gpu->idleWatts.value > 0);
        QCOMPARE(gpu->efficiency.matmulShareOfPeak.value,
                 catalog().gpu("nvidia-h100-sxm")->efficiency.matmulShareOfPeak.value);
    }

    void aUsersEntryReplacesTheShippedOne() {
        CatalogResult result = shipped();
        addUserFile(
            result, "mine.json",
            R"({"gpus": [{"id": "nvidia-h100-sxm", "name": "Ours", "architecture": "hopper", "memory_bytes": 1e11,
            "bandwidth_bytes_per_s": 4e12, "board_w": 500, "peak_bf16_flops_per_s": {"value": 1e15, "source": "ours", "estimate": true}}]})");
        QCOMPARE(listed(result), std::string());
        QCOMPARE(result.catalog.gpus.size(), std::size_t(42));
        QCOMPARE(result.catalog.gpu("nvidia-h100-sxm")->peak(ComputeFormat::Bf16)->source, std::string("ours"));
    }

    void aMistakeIsNamedAndTheRestStillLoads_data() {
        QTest::addColumn<QString>("bad");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *name, const std::string &bad, const char *field) {
            QTest::newRow(name) << text(bad) << field;
        };
        const std::string base =
            R"({"id": "bad", "name": "Bad", "architecture": "hopper", "memory_bytes": 1e11, "board_w": 500, "peak_bf16_flops_per_s": 1e15)";
        row("missing key", base + "}", "gpus.bad.bandwidth_bytes_per_s");
        row("wrong type", base + R"(, "bandwidth_bytes_per_s": "4e12"})", "gpus.bad.bandwidth_bytes_per_s");
        row("negative", base + R"(, "bandwidth_bytes_per_s": -1})", "gpus.bad.bandwidth_bytes_per_s");
        row("zero", base + R"(, "bandwidth_bytes_per_s": {"value": 0}})", "gpus.bad.bandwidth_bytes_per_s");
        row("unknown key", base + R"(, "bandwidth_bytes_per_s": 1e12, "bandwith": 1})", "gpus.bad.bandwith");
        row("unknown key of a figure", base + R"(, "bandwidth_bytes_per_s": {"value": 1e12, "sauce": "x"}})",
            "gpus.bad.bandwidth_bytes_per_s.sauce");
        row("figure without value", base + R"(, "bandwidth_bytes_per_s": {"source": "x"}})",
            "gpus.bad.bandwidth_bytes_per_s.value");
        row("unknown architecture",
            R"({"id": "bad", "name": "Bad", "architecture": "hoper", "memory_bytes": 1, "board_w": 5, "peak_bf16_flops_per_s": 1, "bandwidth_bytes_per_s": 1})",
            "gpus.bad.architecture");
        row("no peak",
            R"({"id": "bad", "name": "Bad", "architecture": "hopper", "memory_bytes": 1, "board_w": 5, "bandwidth_bytes_per_s": 1})",
            "gpus.bad.peak_bf16_flops_per_s");
        row("capacity above memory", base + R"(, "bandwidth_bytes_per_s": 1e12, "capacity_bytes": 2e11})",
            "gpus.bad.capacity_bytes");
        row("idle above board", base + R"(, "bandwidth_bytes_per_s": 1e12, "idle_w": 600})", "gpus.bad.idle_w");
        row("domain without link", base + R"(, "bandwidth_bytes_per_s": 1e12, "gpus_per_domain": 8})",
            "gpus.bad.link_bytes_per_s");
        row("share out of range", base + R"(, "bandwidth_bytes_per_s": 1e12, "efficiency": {"link_share": 7}})",
            "gpus.bad.efficiency.link_share");
        row("no id", R"({"name": "Bad"})", "gpus[0].id");
        row("not an object", "7", "gpus[0]");
    }
    void aMistakeIsNamedAndTheRestStillLoads() {
        QFETCH(QString, bad);
        QFETCH(QString, field);
        CatalogResult result = shipped();
        addUserFile(result, "mine.json", R"({"gpus": [)" + bad.toStdString() + ", " + myGpu + "}]}");
        QCOMPARE(result.problems.size(), std::size_t(1));
        QCOMPARE(result.problems.front().file, std::string("mine.json"));
        QCOMPARE(text(result.problems.front().problem.field), field);
        QVERIFY(result.catalog.gpu("bad") == nullptr);
        QVERIFY(result.catalog.gpu("my-gpu") != nullptr);
        QCOMPARE(result.catalog.gpus.size(), std::size_t(43));
    }

    void allMistakesOfAnEntryAreListedAtOnce() {
        CatalogResult result = shipped();
        addUserFile(result, "mine.json",
                    R"({"gpus": [{"id": "bad", "name": 3, "memory_bytes": -1, "colour": "red"}]})");
        std::set<std::string> fields;
        for (const CatalogResult::FileProblem &problem : result.problems) {
            fields.insert(problem.problem.field);
        }
        for (const char *field : {"gpus.bad.name", "gpus.bad.memory_bytes", "gpus.bad.colour", "gpus.bad.board_w",
                                  "gpus.bad.architecture"}) {
            QVERIFY2(fields.count(field) == 1, field);
        }
    }

    void anIdTwiceInOneFileIsAMistake() {
        CatalogResult result = shipped();
        addUserFile(result, "mine.json", R"({"gpus": [)" + myGpu + "}, " + myGpu + "}]}");
        QCOMPARE(result.problems.size(), std::size_t(1));
        QCOMPARE(result.problems.front().problem.field, std::string("gpus[1].id"));
        QVERIFY(result.catalog.gpu("my-gpu") != nullptr);
    }

    void textThatIsNotACatalogueChangesNothing_data() {
        QTest::addColumn<QString>("content");
        QTest::newRow("empty") << "";
        QTest::newRow("not JSON") << "gpus:";
        QTest::newRow("a list") << "[]";
        QTest::newRow("neither list") << "{}";
        QTest::newRow("wrong top-level key") << R"({"gpu": []})";
        QTest::newRow("list of another type") << R"({"gpus": 3})";
        QTest::newRow("key twice") << R"({"gpus": [], "gpus": []})";
        QTest::newRow("number beyond a double") << R"({"gpus": [{"id": "x", "memory_bytes": 1e999}]})";
        QTest::newRow("deep") << QString(u'[').repeated(100000);
    }
    void textThatIsNotACatalogueChangesNothing() {
        QFETCH(QString, content);
        CatalogResult result = shipped();
        addUserFile(result, "mine.json", content.toStdString());
        QVERIFY(!result.problems.empty());
        QCOMPARE(result.catalog.gpus.size(), std::size_t(42));
    }

    void aUsersModelIsCheckedLikeAScenarioShape() {
        CatalogResult result = shipped();
        addUserFile(result, "mine.json", R"({"models": [
            {"id": "good", "name": "Good", "layers": 2, "hidden": 64, "heads": 4, "ffn": 128, "vocabulary": 100},
            {"id": "bad", "name": "Bad", "layers": 2.5, "hidden": 64, "heads": 4, "kv_heads": 3, "ffn": 128, "vocabulary": 100, "norm": "batchnorm"}]})");
        std::vector<std::string> fields;
        for (const CatalogResult::FileProblem &problem : result.problems) {
            fields.push_back(problem.problem.field);
        }
        QCOMPARE(fields, (std::vector<std::string>{"models.bad.layers", "models.bad.norm", "models.bad.kv_heads"}));
        QCOMPARE(result.catalog.model("good")->shape.headDim, 16);
        QCOMPARE(result.catalog.model("good")->source, std::string("mine.json"));
        QVERIFY(result.catalog.model("bad") == nullptr);
    }

    void aUsersMixtureOfExpertsHasTheKeysOfAScenario() {
        CatalogResult result = shipped();
        addUserFile(result, "mine.json", R"({"models": [
            {"id": "good", "name": "Good", "layers": 2, "hidden": 64, "heads": 4, "ffn": 128, "vocabulary": 100,
             "experts": {"count": 4, "active": 2, "ffn": 32}},
            {"id": "bad", "name": "Bad", "layers": 2, "hidden": 64, "heads": 4, "ffn": 128, "vocabulary": 100,
             "experts": {"count": 4, "active": 5, "ffn": 32, "shard": 1}}]})");
        std::vector<std::string> fields;
        for (const CatalogResult::FileProblem &problem : result.problems) {
            fields.push_back(problem.problem.field);
        }
        QCOMPARE(fields, (std::vector<std::string>{"models.bad.experts.shard"}));
        QCOMPARE(result.catalog.model("good")->shape.experts->count, 4);
    }

    void aFolderIsReadByNameAndAMissingOneIsFine() {
        QTemporaryDir folder;
        const auto write = [&](const char *name, const std::string &content) {
            std::ofstream(folder.filePath(QString::fromLatin1(name)).toStdString()) << content;
        };
        write("b.json", R"({"gpus": [)" + myGpu + R"(, "launch_year": 2031}]})");
        write("a.json", R"({"gpus": [)" + myGpu + R"(, "launch_year": 2030}]})");
        write("c.json", "no JSON");
        write("notes.txt", "not a catalogue");
        CatalogResult result = shipped();
        addUserFolder(result, folder.path().toStdString());
        QCOMPARE(result.catalog.gpu("my-gpu")->launchYear, 2031);
        QCOMPARE(result.problems.size(), std::size_t(1));
        QCOMPARE(result.problems.front().file, std::string("c.json"));
        CatalogResult untouched = shipped();
        addUserFolder(untouched, folder.filePath(QStringLiteral("nowhere")).toStdString());
        QVERIFY(untouched.problems.empty());
    }
};

QTEST_APPLESS_MAIN(UserCatalogTest)
#include "tst_user_catalog.moc"
