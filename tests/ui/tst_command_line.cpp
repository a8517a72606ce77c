// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program from outside: what the contract promises of report, explain, import, catalog and export, and how it
// refuses.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::Literals::StringLiterals;

namespace {

struct Run {
    int code = -1;
    QByteArray out;
    QByteArray err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

Run run(const QStringList &arguments, const QByteArray &input = {}) {
    QProcess process;
    process.start(QStringLiteral(RIDGEPOINT_PROGRAM), arguments);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished();
    return {.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            .out = process.readAllStandardOutput(),
            .err = process.readAllStandardError()};
}

/// The contract's example.
constexpr auto example = R"({
  "ridgepoint": 1, "name": "Llama 2 7B, full fine-tune", "model": { "preset": "llama-2-7b" }, "task": "training",
  "training": { "micro_batch": 1, "global_batch": 64, "sequence_length": 4096, "recipe": "mixed-bf16", "compute": "bf16",
    "optimizer": "adamw", "optimizer_in_backward": false, "recompute": "none", "attention": "flash", "fused_kernels": true,
    "loss": "materialized", "dropout": false, "framework": "generic", "lora": null, "tokens": 2.0e12 },
  "parallelism": { "data": 8, "tensor": 1, "pipeline": 1, "virtual_stages": 1, "context": 1, "expert": 1, "sharding": "none",
    "sequence_parallel": true, "schedule": "1f1b", "offload": "none" },
  "hardware": { "gpus": ["nvidia-a100-sxm-80gb"], "gpus_per_node": 8, "network_gbit_per_s": 1600, "power_limit_w": null,
    "input_tokens_per_second": null },
  "economics": { "preset": "colocation", "usd_per_kwh": 0.10, "pue": 1.3, "lifetime_years": 4, "utilization": 0.8 }
})";

constexpr auto serving = R"({ "model": { "preset": "llama-3-8b" }, "task": "inference",
  "inference": { "weights": "bf16", "kv_cache": "fp8", "concurrent_sequences": 16, "prompt_tokens": 1000, "output_tokens": 200 },
  "hardware": { "gpus": ["nvidia-h100-sxm"] } })";

void collect(const QJsonValue &value, const QString &path, QStringList &paths) {
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            collect(it.value(), path.isEmpty() ? it.key() : path + u'.' + it.key(), paths);
        }
    } else if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (int i = 0; i < array.size(); ++i) {
            collect(array.at(i), path + u'[' + QString::number(i) + u']', paths);
        }
    } else if (value.isDouble() && !path.startsWith(u"advice"_s)) {
        paths.append(path);
    }
}

} // namespace

class CommandLine : public QObject {
    Q_OBJECT

private:
    QString write(const QString &name, const QByteArray &text) const {
        const QString path = folder_.filePath(name);
        QFile file(path);
        file.open(QIODevice::WriteOnly);
        file.write(text);
        return path;
    }
    QTemporaryDir folder_;

private Q_SLOTS:
    void reportHasEveryKeyOfTraining();
    void reportHasEveryKeyOfInference();
    void partsSumToTotals();
    void everyNumberExplainsItself_data();
    void everyNumberExplainsItself();
    void problemsAreAllThereAndNothingElseHappens();
    void anUnknownGpuSuggestsTheNearest();
    void batchAnswersLineByLine();
    void requireFitExitsWithThree();
    void csvAndMarkdownHoldTheSameNumbers();
    void anOutputThatCannotBeWrittenExitsWithFour();
    void aFileIsReplacedWhole();
    void importReadsAConfig();
    void catalogListsFactsWithSources_data();
    void catalogListsFactsWithSources();
    void exportWritesCharts();
    void wordsThatAreNoCommandAndFoldersThatAreNotThereAreNamed();
    void versionAndHelpAnswer();
    void aUsersGpuFileIsReadAndItsMistakesNamed();
};

void CommandLine::reportHasEveryKeyOfTraining() {
    const Run r = run({u"report"_s, write(u"a.ridgepoint"_s, example)});
    QCOMPARE(r.code, 0);
    QVERIFY2(r.err.isEmpty(), r.err);
    const QJsonObject root = r.json();
    for (const char *key : {"scenario", "model", "gpus", "assumptions", "problems"}) {
        QVERIFY2(root.contains(QLatin1String(key)), key);
    }
    const QJsonObject gpu = root[u"gpus"_s][0].toObject();
    QCOMPARE(gpu[u"gpu"_s].toString(), u"nvidia-a100-sxm-80gb"_s);
    QCOMPARE(gpu[u"fits"_s].toBool(true), false);
    const std::pair<const char *, QStringList> wanted[] = {
        {"memory",
         {u"weights_bytes"_s,
          u"gradients_bytes"_s,
          u"master_weights_bytes"_s,
          u"optimizer_states_bytes"_s,
          u"activations_bytes"_s,
          u"logits_bytes"_s,
          u"gathered_weights_bytes"_s,
          u"communication_buffers_bytes"_s,
          u"workspace_bytes"_s,
          u"allocated_bytes"_s,
          u"fragmentation_bytes"_s,
          u"reserved_bytes"_s,
          u"context_bytes"_s,
          u"total_bytes"_s,
          u"capacity_bytes"_s,
          u"headroom_bytes"_s,
          u"peak_instant"_s,
          u"worst_stage"_s,
          u"stages"_s,
          u"model_states_bytes"_s,
          u"by_instant"_s}},
        {"roofline", {u"ridge_flop_per_byte"_s, u"peaks"_s, u"bandwidth_bytes_per_s"_s, u"operations"_s}},
        {"time",
         {u"step_s"_s, u"tokens_per_s"_s, u"tokens_per_s_per_gpu"_s, u"model_flops_per_s_per_gpu"_s,
          u"hardware_flops_per_s_per_gpu"_s, u"mfu"_s, u"hfu"_s, u"flop_convention"_s, u"run_s"_s, u"breakdown"_s}},
        {"power",
         {u"gpu_w"_s, u"nameplate_w"_s, u"node_w"_s, u"cluster_w"_s, u"site_w"_s, u"energy_per_step_j"_s,
          u"energy_per_token_j"_s, u"run_energy_kwh"_s, u"run_co2_kg"_s}},
        {"cost",
         {u"gpu_usd"_s, u"server_usd"_s, u"network_usd"_s, u"energy_usd"_s, u"cooling_usd"_s, u"facility_usd"_s,
          u"maintenance_usd"_s, u"people_usd"_s, u"other_usd"_s, u"capital_usd"_s, u"tco_usd"_s,
          u"tco_over_gpu_price"_s, u"tco_over_system_price"_s, u"usd_per_million_tokens"_s, u"run_usd"_s, u"rent_usd"_s,
          u"break_even_utilization"_s}}};
    for (const auto &[section, keys] : wanted) {
        const QJsonObject object = gpu[QLatin1String(section)].toObject();
        for (const QString &key : keys) {
            QVERIFY2(object.contains(key), qPrintable(QLatin1String(section) + u'.' + key));
        }
    }
    for (const char *key :
         {"compute_s", "memory_s", "communication_s", "bubble_s", "launch_s", "optimizer_s", "input_s"}) {
        QVERIFY2(gpu[u"time"_s][u"breakdown"_s].toObject().contains(QLatin1String(key)), key);
    }
    const QJsonObject operation = gpu[u"roofline"_s][u"operations"_s][1].toObject();
    for (const char *key : {"name", "phase", "count", "flops", "bytes", "intensity_flop_per_byte", "bound",
                            "attainable_flops_per_s", "time_s"}) {
        QVERIFY2(operation.contains(QLatin1String(key)), key);
    }
    QVERIFY(!gpu[u"advice"_s].toArray().isEmpty());
}

void CommandLine::reportHasEveryKeyOfInference() {
    const Run r = run({u"report"_s, write(u"s.ridgepoint"_s, serving)});
    QCOMPARE(r.code, 0);
    const QJsonObject gpu = r.json()[u"gpus"_s][0].toObject();
    for (const char *key :
         {"weights_bytes", "kv_cache_bytes", "activations_bytes", "logits_bytes", "kv_cache_bytes_per_token",
          "kv_cache_capacity_tokens", "max_concurrent_sequences", "max_sequence_tokens"}) {
        QVERIFY2(gpu[u"memory"_s].toObject().contains(QLatin1String(key)), key);
    }
    QCOMPARE(gpu[u"memory"_s][u"kv_cache_bytes_per_token"_s].toDouble(), 65536.0);
    QCOMPARE(gpu[u"memory"_s][u"kv_cache_bytes"_s].toDouble(), 16 * 1200 * 65536.0);
    for (const char *key : {"time_to_first_token_s", "prefill_tokens_per_s", "prefill_s", "time_per_output_token_s",
                            "decode_tokens_per_s", "output_tokens_per_s", "requests_per_s"}) {
        QVERIFY2(gpu[u"time"_s].toObject().contains(QLatin1String(key)), key);
    }
    QVERIFY(!gpu[u"memory"_s].toObject().contains(u"gradients_bytes"_s));
}

void CommandLine::partsSumToTotals() {
    for (const char *text : {example, serving}) {
        const Run r = run({u"report"_s, write(u"sum.ridgepoint"_s, text)});
        const QJsonObject gpu = r.json()[u"gpus"_s][0].toObject();
        const QJsonObject memory = gpu[u"memory"_s].toObject();
        qint64 sum = 0;
        for (const char *key : {"weights_bytes", "gradients_bytes", "master_weights_bytes", "optimizer_states_bytes",
                                "activations_bytes", "logits_bytes", "kv_cache_bytes", "gathered_weights_bytes",
                                "communication_buffers_bytes", "workspace_bytes"}) {
            sum += memory[QLatin1String(key)].toInteger();
        }
        QCOMPARE(memory[u"allocated_bytes"_s].toInteger(), sum);
        QCOMPARE(memory[u"reserved_bytes"_s].toInteger(), sum + memory[u"fragmentation_bytes"_s].toInteger());
        QCOMPARE(memory[u"total_bytes"_s].toInteger(),
                 memory[u"reserved_bytes"_s].toInteger() + memory[u"context_bytes"_s].toInteger());
        double seconds = 0;
        const QJsonObject time = gpu[u"time"_s].toObject();
        for (const QJsonValue &part : time[u"breakdown"_s].toObject()) {
            seconds += part.toDouble();
        }
        const double whole = time.contains(u"step_s"_s) ? time[u"step_s"_s].toDouble()
                                                        : time[u"prefill_s"_s].toDouble() +
                                                              200 * time[u"time_per_output_token_s"_s].toDouble();
        QVERIFY2(qAbs(seconds / whole - 1) < 1e-9, qPrintable(QString::number(seconds / whole)));
    }
}

void CommandLine::everyNumberExplainsItself_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("training") << QByteArray(example);
    QTest::newRow("inference") << QByteArray(serving);
}

void CommandLine::everyNumberExplainsItself() {
    QFETCH(QByteArray, text);
    const QString file = write(u"explain.ridgepoint"_s, text);
    QStringList paths;
    collect(run({u"report"_s, file}).json()[u"gpus"_s][0], {}, paths);
    const Run list = run({u"explain"_s, file, u"--list"_s});
    QCOMPARE(list.code, 0);
    const QStringList explainable = QString::fromUtf8(list.out).split(u'\n', Qt::SkipEmptyParts);
    for (const QString &path : paths) {
        QVERIFY2(explainable.contains(path), qPrintable(path));
    }
    // The text and the tree of a few, whole.
    for (const QString &path :
         {u"memory.total_bytes"_s, u"roofline.operations[3].time_s"_s, u"power.site_w"_s, u"cost.tco_usd"_s}) {
        const Run r = run({u"explain"_s, file, path});
        QCOMPARE(r.code, 0);
        QVERIFY2(r.out.contains(" = ") && r.out.count('\n') >= 3, r.out);
        QVERIFY(!run({u"explain"_s, file, path, u"--format"_s, u"json"_s}).json()[u"parts"_s].toArray().isEmpty());
    }
    const Run unknown = run({u"explain"_s, file, u"memory.wieghts_bytes"_s});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("memory.weights_bytes"), unknown.err);
}

void CommandLine::problemsAreAllThereAndNothingElseHappens() {
    const QString file = write(
        u"bad.ridgepoint"_s,
        R"({"model": {"preset": "llama-2-7b"}, "trainning": {}, "training": {"micro_batch": "two", "optimizer": "adam"},
        "hardware": {"gpus": ["nvidia-h100-sxm"]}})");
    const QString output = folder_.filePath(u"never.json"_s);
    const Run r = run({u"report"_s, file, u"-o"_s, output});
    QCOMPARE(r.code, 2);
    QVERIFY(r.out.isEmpty());
    QVERIFY(!QFile::exists(output));
    const QList<QByteArray> lines = r.err.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    for (const QByteArray &line : lines) {
        QVERIFY2(line.startsWith(file.toUtf8() + ": "), line);
    }
    QVERIFY2(r.err.contains("did you mean \"training\""), r.err);
    QVERIFY2(r.err.contains("training.micro_batch"), r.err);
    QVERIFY2(r.err.contains("training.optimizer: found \"adam\""), r.err);
}

void CommandLine::anUnknownGpuSuggestsTheNearest() {
    const Run r = run({u"report"_s, write(u"g.ridgepoint"_s, example), u"--gpu"_s, u"nvidia-h100-sxn"_s});
    QCOMPARE(r.code, 2);
    QVERIFY2(r.err.contains("nvidia-h100-sxm"), r.err);
}

void CommandLine::batchAnswersLineByLine() {
    const QByteArray one = QJsonDocument::fromJson(example).toJson(QJsonDocument::Compact);
    const Run r = run({u"report"_s, u"--batch"_s}, one + "\n\n{\"model\": 7}\n" + one + "\n");
    QCOMPARE(r.code, 2);
    const QList<QByteArray> lines = r.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(QJsonDocument::fromJson(lines[0]).object().contains(u"gpus"_s));
    QCOMPARE(QJsonDocument::fromJson(lines[1]).object()[u"line"_s].toInt(), 2);
    QCOMPARE(QJsonDocument::fromJson(lines[2]).object()[u"line"_s].toInt(), 3);
    QCOMPARE(lines[3], lines[0]);
    QCOMPARE(run({u"report"_s, u"--batch"_s}, one).code, 0);
}

void CommandLine::requireFitExitsWithThree() {
    const QString file = write(u"fit.ridgepoint"_s, example);
    QCOMPARE(run({u"report"_s, file, u"--require-fit"_s}).code, 3);
    QCOMPARE(run({u"report"_s, file, u"--gpu"_s, u"nvidia-b200-sxm"_s, u"--require-fit"_s}).code, 0);
}

void CommandLine::csvAndMarkdownHoldTheSameNumbers() {
    const QString file = write(u"c.ridgepoint"_s, example);
    const Run csv = run({u"report"_s, file, u"--format"_s, u"csv"_s});
    QCOMPARE(csv.code, 0);
    QVERIFY(csv.out.startsWith("quantity,nvidia-a100-sxm-80gb\r\n"));
    QVERIFY2(csv.out.contains("memory.optimizer_states_bytes,53907324928\r\n"), csv.out.left(900));
    const Run markdown = run({u"report"_s, file, u"--format"_s, u"markdown"_s});
    QCOMPARE(markdown.code, 0);
    QVERIFY2(markdown.out.contains("53.9 GB") && markdown.out.contains("Does not fit on"), markdown.out.left(900));
}

void CommandLine::anOutputThatCannotBeWrittenExitsWithFour() {
    const QString file = write(u"o.ridgepoint"_s, example);
    const Run r = run({u"report"_s, file, u"-o"_s, folder_.filePath(u"no/such/folder/x.json"_s)});
    QCOMPARE(r.code, 4);
    QVERIFY(!r.err.isEmpty());
    QCOMPARE(run({u"report"_s, file, u"-o"_s, u"/dev/full"_s}).code, 4);
    QCOMPARE(run({u"report"_s, file, u"-o"_s, folder_.path()}).code, 4);
    QCOMPARE(run({u"export"_s, file, u"-o"_s, file}).code, 4); // a file where a folder is needed
}

void CommandLine::aFileIsReplacedWhole() {
    const QString file = write(u"w.ridgepoint"_s, example);
    const QString output = write(u"w.json"_s, "before");
    QCOMPARE(run({u"report"_s, file, u"-o"_s, output}).code, 0);
    QFile written(output);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(QJsonDocument::fromJson(written.readAll()).isObject());
    for (const QString &name : QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden)) {
        QVERIFY2(!name.startsWith(u".ridgepoint-"_s), qPrintable(name));
    }
}

void CommandLine::importReadsAConfig() {
    const Run r = run({u"import"_s, QStringLiteral(RIDGEPOINT_TEST_DATA) + u"/hf-configs/llama-3-8b.json"_s});
    QCOMPARE(r.code, 0);
    QCOMPARE(r.json()[u"parameters"_s][u"total"_s].toInteger(), 8030261248);
    QCOMPARE(r.json()[u"kv_cache"_s][u"elements_per_token"_s].toInteger(), 65536);
    // And a scenario beside it can point to it.
    QVERIFY(QFile::copy(QStringLiteral(RIDGEPOINT_TEST_DATA) + u"/hf-configs/llama-3-8b.json"_s,
                        folder_.filePath(u"config.json"_s)));
    const Run report = run({u"report"_s, write(u"imported.ridgepoint"_s, R"({"model": {"config": "config.json"}})")});
    QVERIFY2(report.code == 0, report.err);
    QCOMPARE(report.json()[u"model"_s][u"parameters"_s][u"total"_s].toInteger(), 8030261248);
}

void CommandLine::catalogListsFactsWithSources_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("least");
    const std::pair<const char *, int> rows[] = {{"gpus", 42},      {"models", 20}, {"formats", 12},
                                                 {"optimizers", 8}, {"recipes", 7}, {"frameworks", 14},
                                                 {"engines", 5},    {"links", 5},   {"grids", 5}};
    for (const auto &[kind, least] : rows) {
        QTest::newRow(kind) << QString::fromLatin1(kind) << least;
    }
}

void CommandLine::catalogListsFactsWithSources() {
    QFETCH(QString, kind);
    QFETCH(int, least);
    const Run r = run({u"catalog"_s, kind});
    QCOMPARE(r.code, 0);
    QVERIFY(QJsonDocument::fromJson(r.out).array().size() >= least);
    QVERIFY(r.out.contains("\"source\""));
    const Run markdown = run({u"catalog"_s, kind, u"--format"_s, u"markdown"_s});
    QCOMPARE(markdown.code, 0);
    QVERIFY(markdown.out.count("\n## ") >= least);
}

void CommandLine::exportWritesCharts() {
    const QString file = write(u"x.ridgepoint"_s, example);
    const QString out = folder_.filePath(u"charts"_s);
    const Run r = run({u"export"_s, file, u"-o"_s, out, u"--format"_s, u"svg,png,pdf"_s, u"--size"_s, u"800x450"_s});
    QVERIFY2(r.code == 0, r.err);
    for (const char *chart : {"memory", "roofline", "time", "power", "cost"}) {
        for (const char *format : {"svg", "png", "pdf"}) {
            const QString path = out + u'/' + QLatin1String(chart) + u'.' + QLatin1String(format);
            QVERIFY2(QFile(path).size() > 1000, qPrintable(path));
        }
    }
    QCOMPARE(QImage(out + u"/memory.png"_s).size(), QSize(800, 450));
    QCOMPARE(run({u"export"_s, file, u"-o"_s, out, u"--charts"_s, u"pie"_s}).code, 2);
    QCOMPARE(run({u"export"_s, file, u"-o"_s, out, u"--size"_s, u"huge"_s}).code, 2);
}

void CommandLine::wordsThatAreNoCommandAndFoldersThatAreNotThereAreNamed() {
    const Run word = run({u"reprot"_s, u"x.ridgepoint"_s});
    QCOMPARE(word.code, 2);
    QVERIFY2(word.err.contains("reprot: found no such file"), word.err);
    const QString file = write(u"n.ridgepoint"_s, example);
    QCOMPARE(run({u"report"_s, file, u"--data"_s, folder_.filePath(u"absent"_s)}).code, 2);
    QCOMPARE(run({u"report"_s, file, file}).code, 2);
    QCOMPARE(run({u"report"_s, file, u"--data"_s, folder_.path()}).code, 0); // behind the subcommand as well
}

void CommandLine::versionAndHelpAnswer() {
    QVERIFY(run({u"--version"_s}).out.startsWith("ridgepoint "));
    QCOMPARE(run({u"--help"_s}).code, 0);
    QCOMPARE(run({u"report"_s, u"--help"_s}).code, 0);
    QCOMPARE(run({u"report"_s}).code, 2);
    QCOMPARE(run({u"report"_s, u"--nonsense"_s}).code, 2);
}

void CommandLine::aUsersGpuFileIsReadAndItsMistakesNamed() {
    const QString data = folder_.filePath(u"data"_s);
    QVERIFY(QDir().mkpath(data));
    write(u"data/mine.json"_s, R"({"gpus": [
        {"id": "acme-one", "name": "Acme One", "architecture": "hopper", "memory_bytes": 100e9, "bandwidth_bytes_per_s": 4e12, "board_w": 500,
         "link_bytes_per_s": 450e9, "peak_bf16_flops_per_s": 1e15},
        {"id": "acme-two", "name": "Acme Two", "memory_bytes": -1}]})");
    const Run r = run({u"--data"_s, data, u"report"_s, write(u"u.ridgepoint"_s, example), u"--gpu"_s, u"acme-one"_s});
    QVERIFY2(r.err.contains("mine.json") && r.err.contains("acme-two"), r.err);
    QVERIFY2(r.code == 0, r.err);
    QCOMPARE(r.json()[u"gpus"_s][0][u"memory"_s][u"capacity_bytes"_s].toDouble(), 100e9);
}

QTEST_GUILESS_MAIN(CommandLine)
#include "tst_command_line.moc"
