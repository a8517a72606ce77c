// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The field table: every row reads back what it wrote, changes nothing else, has words, and its slider stops at values
// it takes.
#include "core/scenario/checks.h"
#include "core/scenario/file.h"

#include "ui/store/field_table.h"
#include "ui/store/stops.h"

#include "tests/ui/applying.h"

#include <QSet>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace ridgepoint;

namespace {

const Catalog &catalog() {
    static const CatalogResult result = builtInCatalog();
    return result.catalog;
}

Scenario scenarioFor(const ControlField &field) {
    return demo::applying(field, defaultScenario(catalog()));
}

/// Rows that show one part of the scenario in two ways, or that are one decision.
bool areOneThing(const QString &a, const QString &b) {
    const auto both = [&](const char *one, const char *other) {
        const QLatin1String first(one);
        const QLatin1String second(other);
        return (a == first && b == second) || (a == second && b == first);
    };
    return both("training.lora.targets", "training.lora.targets.list") ||
           both("parallelism.schedule", "parallelism.virtual_stages") ||
           (a == QStringLiteral("training.lora") && b.startsWith(QStringLiteral("training.lora."))) ||
           (a == QStringLiteral("training.recipe") && b.startsWith(QStringLiteral("training.recipe."))) ||
           (b == QStringLiteral("training.recipe") && a.startsWith(QStringLiteral("training.recipe.")));
}

/// Some values of the field that differ from the one it has.
std::vector<FieldValue> otherValues(const ControlField &field, const Scenario &scenario) {
    std::vector<FieldValue> values;
    switch (field.kind) {
    case FieldKind::Quantity:
        for (const double stop : field.stops(scenario, catalog()).values)
            values.emplace_back(stop);
        if (field.optional)
            values.emplace_back();
        break;
    case FieldKind::Choice:
        for (const FieldChoice &choice : field.choices(scenario, catalog()))
            values.emplace_back(choice.id);
        break;
    case FieldKind::Flags: {
        std::vector<std::string> some;
        for (const FieldChoice &choice : field.choices(scenario, catalog())) {
            some.push_back(choice.id);
            values.emplace_back(some);
        }
        break;
    }
    case FieldKind::Switch:
        values = {FieldValue(true), FieldValue(false)};
        break;
    case FieldKind::GpuList:
        values = {FieldValue(std::vector<std::string>{"nvidia-a100-sxm-80gb"}),
                  FieldValue(std::vector<std::string>{"nvidia-b200-sxm", "nvidia-h100-sxm"})};
        break;
    }
    return values;
}

class FieldTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_haveWordsAndAUniqueId();
    void everyRow_readsBackWhatItWrote_data() { eachRow(); }
    void everyRow_readsBackWhatItWrote();
    void everyRow_writesOnlyItsOwnField_data() { eachRow(); }
    void everyRow_writesOnlyItsOwnField();
    void everyValue_survivesTheFile_data() { eachRow(); }
    void everyValue_survivesTheFile();
    void defaults_areWithinTheirRows_data() { eachRow(); }
    void defaults_areWithinTheirRows();
    void everyKeyOfTheFile_thatIsADefault_hasARowOrAReason();
    void divisorStops_areExactlyTheDivisors();
    void tensorStops_followTheHeads();
    void refusedDegrees_sayWhy();
    void expertStops_divideExpertsAndRanks();
    void contextStops_divideTheSequence();
    void everyStopOfADegree_passesTheChecks();
    void rows_areShownOnlyWhereTheyApply();
    void interleaving_bringsItsChunks();
    void ownBytes_startFromTheRecipe();
    void adapters_ofLatentAttentionLeaveItsProjectionsOut();
    void boundBatch_stopsOnlyAtDivisors();
    void nearestStop_roundsOnItsScale();
    void track_goesThereAndBack();
    void size_isExactAndLeavesThePreset();

private:
    static void eachRow();
};

void FieldTableTest::eachRow() {
    QTest::addColumn<QString>("id");
    for (const ControlField &field : fieldTable())
        QTest::newRow(qPrintable(field.id)) << field.id;
}

void FieldTableTest::rows_haveWordsAndAUniqueId() {
    QSet<QString> ids;
    for (const ControlField &field : fieldTable()) {
        QVERIFY2(!field.label.isEmpty() && !field.help.isEmpty(), qPrintable(field.id));
        QVERIFY2(!ids.contains(field.id), qPrintable(field.id));
        QVERIFY(!groupName(field.group).isEmpty());
        ids.insert(field.id);
        if (field.optional)
            QVERIFY2(field.automatic || !field.automaticText.isEmpty(), qPrintable(field.id));
    }
    QVERIFY(fieldOf(QStringLiteral("no.such")) == nullptr);
}

void FieldTableTest::everyRow_readsBackWhatItWrote() {
    QFETCH(QString, id);
    const ControlField &field = *fieldOf(id);
    const Scenario start = scenarioFor(field);
    const auto values = otherValues(field, start);
    QVERIFY(values.size() >= 2);
    for (const FieldValue &value : values) {
        Scenario changed = start;
        QVERIFY(!field.refusal(value, changed, catalog()));
        field.set(changed, value, catalog());
        QVERIFY(field.get(changed) == value);
    }
}

void FieldTableTest::everyRow_writesOnlyItsOwnField() {
    QFETCH(QString, id);
    const ControlField &field = *fieldOf(id);
    const Scenario start = scenarioFor(field);
    Scenario changed = start;
    for (const FieldValue &value : otherValues(field, start)) {
        if (value != field.get(start))
            field.set(changed, value, catalog());
    }
    const bool isModel = field.group == FieldGroup::Model;
    for (const ControlField &other : fieldTable()) {
        // Preset and size are two views of one model.
        if (other.id != id && !(isModel && other.group == FieldGroup::Model) && !areOneThing(id, other.id))
            QVERIFY2(other.get(changed) == other.get(start), qPrintable(other.id));
    }
}

void FieldTableTest::everyValue_survivesTheFile() {
    QFETCH(QString, id);
    const ControlField &field = *fieldOf(id);
    const Scenario start = scenarioFor(field);
    int survived = 0;
    for (const FieldValue &value : otherValues(field, start)) {
        Scenario changed = start;
        field.set(changed, value, catalog());
        if (!checkScenario(changed, catalog()).empty())
            continue;
        const auto sameConfig = [&](const std::string &) -> Expected<ModelChoice> { return start.model; };
        const auto read = readScenario(writeScenario(changed), catalog(), sameConfig);
        QVERIFY2(read, read ? "" : read.error().front().message().c_str());
        QVERIFY(field.get(*read) == value);
        ++survived;
    }
    QVERIFY2(survived >= 1, "no value of this row goes with the default scenario");
}

void FieldTableTest::defaults_areWithinTheirRows() {
    QFETCH(QString, id);
    const ControlField &field = *fieldOf(id);
    const Scenario start = scenarioFor(field);
    const auto problem = field.refusal(field.get(start), start, catalog());
    QVERIFY2(!problem, problem ? problem->message().c_str() : "");
    if (field.automatic)
        QVERIFY(field.automatic(start, catalog()));
}

void FieldTableTest::everyKeyOfTheFile_thatIsADefault_hasARowOrAReason() {
    // Keys that only a file sets: figures for one machine, or lists that a slider cannot hold.
    const QSet<QString> fileOnly = {
        QStringLiteral("inference.arrival_per_second"),       QStringLiteral("parallelism.layers_per_stage"),
        QStringLiteral("hardware.input_tokens_per_second"),   QStringLiteral("economics.server_usd_per_node"),
        QStringLiteral("economics.network_usd_per_node"),     QStringLiteral("economics.facility_usd_per_kw_month"),
        QStringLiteral("economics.maintenance_usd_per_year"), QStringLiteral("economics.people_usd_per_year"),
        QStringLiteral("economics.other_usd_per_year"),       QStringLiteral("economics.grid_kg_co2_per_kwh"),
    };
    int rows = 0;
    for (const ControlField &field : fieldTable())
        rows += catalog().scenarioDefault(field.id.toStdString()) != nullptr ? 1 : 0;
    QVERIFY(rows > 30);
    for (const QString &key : fileOnly)
        QVERIFY2(fieldOf(key) == nullptr, qPrintable(key));
}

void FieldTableTest::divisorStops_areExactlyTheDivisors() {
    QCOMPARE(divisorStops(32, 1024).values, (std::vector<double>{1, 2, 4, 8, 16, 32}));
    QCOMPARE(divisorStops(36, 12).values, (std::vector<double>{1, 2, 3, 4, 6, 9, 12}));
    QCOMPARE(divisorStops(1, 8).values, (std::vector<double>{1}));
    QVERIFY(divisorStops(7, 8).only);
}

void FieldTableTest::tensorStops_followTheHeads() {
    Scenario scenario = defaultScenario(catalog());
    scenario.model.shape.heads = 40;
    scenario.model.shape.kvHeads = 8;
    scenario.model.shape.ffn = 27648; // no multiple of 5
    const Stops stops = fieldOf(QStringLiteral("parallelism.tensor"))->stops(scenario, catalog());
    QCOMPARE(stops.values, (std::vector<double>{1, 2, 4, 8}));
    for (const double degree : stops.values) {
        scenario.parallelism.tensor = static_cast<int>(degree);
        for (const Problem &problem : checkScenario(scenario, catalog()))
            QVERIFY2(problem.field != "parallelism.tensor", problem.message().c_str());
    }
}

void FieldTableTest::refusedDegrees_sayWhy() {
    Scenario scenario = defaultScenario(catalog());
    scenario.model.shape.heads = 28; // Qwen2-7B
    scenario.model.shape.kvHeads = 4;
    scenario.model.shape.ffn = 18944;
    const Stops stops = fieldOf(QStringLiteral("parallelism.tensor"))->stops(scenario, catalog());
    QCOMPARE(stops.values, (std::vector<double>{1, 2, 4}));
    const auto three = std::ranges::find(stops.refused, 3.0, &RefusedStop::value);
    QVERIFY(three != stops.refused.end());
    QCOMPARE(three->reason, QStringLiteral("3 does not divide the 28 heads"));
    for (const RefusedStop &refused : stops.refused)
        QVERIFY(std::ranges::find(stops.values, refused.value) == stops.values.end());
}

void FieldTableTest::expertStops_divideExpertsAndRanks() {
    Scenario scenario = scenarioFor(*fieldOf(QStringLiteral("parallelism.expert")));
    scenario.model.shape.experts->count = 64;
    scenario.parallelism.data = 12;
    const ControlField &field = *fieldOf(QStringLiteral("parallelism.expert"));
    Stops stops = field.stops(scenario, catalog());
    QCOMPARE(stops.values, (std::vector<double>{1, 2, 4}));
    scenario.parallelism.data = 48;
    stops = field.stops(scenario, catalog());
    QCOMPARE(stops.values, (std::vector<double>{1, 2, 4, 8, 16}));
    const auto twelve = std::ranges::find(stops.refused, 12.0, &RefusedStop::value);
    QVERIFY(twelve != stops.refused.end());
    QCOMPARE(twelve->reason, QStringLiteral("12 does not divide the 64 experts"));
}

void FieldTableTest::contextStops_divideTheSequence() {
    Scenario scenario = defaultScenario(catalog());
    scenario.training.sequenceLength = 6144;
    scenario.parallelism.tensor = 8;
    scenario.parallelism.sequenceParallel = true;
    const Stops stops = fieldOf(QStringLiteral("parallelism.context"))->stops(scenario, catalog());
    QCOMPARE(stops.values, (std::vector<double>{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}));
}

void FieldTableTest::everyStopOfADegree_passesTheChecks() {
    for (const char *id : {"parallelism.tensor", "parallelism.pipeline", "parallelism.virtual_stages",
                           "parallelism.context", "parallelism.expert", "parallelism.expert_tensor"}) {
        const ControlField &field = *fieldOf(QLatin1String(id));
        const Scenario start = scenarioFor(field);
        for (const double stop : field.stops(start, catalog()).values) {
            Scenario scenario = start;
            field.set(scenario, stop, catalog());
            for (const Problem &problem : checkScenario(scenario, catalog())) {
                const bool isOfTheDegree = problem.field == id || problem.field == "training.sequence_length";
                QVERIFY2(!isOfTheDegree, problem.message().c_str());
            }
        }
    }
}

void FieldTableTest::rows_areShownOnlyWhereTheyApply() {
    const Scenario dense = defaultScenario(catalog());
    const auto applies = [](const char *id, const Scenario &scenario) {
        return fieldOf(QLatin1String(id))->appliesTo(scenario);
    };
    for (const char *id : {"training.lora.rank", "training.lora.targets", "training.lora.base", "parallelism.expert",
                           "parallelism.expert_tensor", "parallelism.virtual_stages", "parallelism.schedule",
                           "training.recompute.full_layers", "training.loss_chunk_tokens", "inference.gpu_layers"}) {
        QVERIFY2(!applies(id, dense), id);
        QVERIFY2(applies(id, scenarioFor(*fieldOf(QLatin1String(id)))), id);
    }
    // What was set stays in sight where it stands in the way.
    Scenario wrong = dense;
    wrong.parallelism.expert = 8;
    wrong.task = Task::Inference;
    wrong.parallelism.context = 2;
    QVERIFY(applies("parallelism.expert", wrong));
    QVERIFY(applies("parallelism.context", wrong));
}

void FieldTableTest::interleaving_bringsItsChunks() {
    const ControlField &field = *fieldOf(QStringLiteral("parallelism.schedule"));
    Scenario scenario = scenarioFor(field);
    field.set(scenario, std::string("interleaved"), catalog());
    QCOMPARE(scenario.parallelism.virtualStages, 2);
    QVERIFY(checkScenario(scenario, catalog()).empty());
    field.set(scenario, std::string("1f1b"), catalog());
    QCOMPARE(scenario.parallelism.virtualStages, 1);
    QVERIFY(checkScenario(scenario, catalog()).empty());
}

void FieldTableTest::ownBytes_startFromTheRecipe() {
    Scenario scenario = defaultScenario(catalog());
    scenario.training.recipe = "mixed-bf16";
    fieldOf(QStringLiteral("training.recipe"))->set(scenario, std::string("bytes"), catalog());
    QVERIFY(scenario.training.recipeBytes == (RecipeBytes{2, 2, 4, 8, 2}));
}

void FieldTableTest::adapters_ofLatentAttentionLeaveItsProjectionsOut() {
    Scenario scenario = defaultScenario(catalog());
    scenario.model.shape.mla.emplace();
    fieldOf(QStringLiteral("training.lora"))->set(scenario, true, catalog());
    QVERIFY(!scenario.training.lora->targets.q && scenario.training.lora->targets.down);
}

void FieldTableTest::boundBatch_stopsOnlyAtDivisors() {
    Scenario scenario = defaultScenario(catalog());
    scenario.training.globalBatch = 48;
    scenario.parallelism.data = 8;
    const ControlField &field = *fieldOf(QStringLiteral("training.micro_batch"));
    QCOMPARE(field.stops(scenario, catalog()).values, (std::vector<double>{1, 2, 3, 6}));
    scenario.training.globalBatch = 0;
    QVERIFY(!field.stops(scenario, catalog()).only);
}

void FieldTableTest::nearestStop_roundsOnItsScale() {
    const std::vector<double> stops = {1, 10, 100};
    QCOMPARE(nearestStop(stops, 4, Scale::Logarithmic), 1);
    QCOMPARE(nearestStop(stops, 4, Scale::Linear), 0);
    QCOMPARE(nearestStop(stops, 0.1, Scale::Linear), 0);
    QCOMPARE(nearestStop(stops, 1e9, Scale::Linear), 2);
    QCOMPARE(nearestStop({}, 5, Scale::Linear), 0);
}

void FieldTableTest::track_goesThereAndBack() {
    for (const Scale scale : {Scale::Linear, Scale::Logarithmic}) {
        for (const double value : {1.0, 3.0, 500.0, 1000.0}) {
            const double back = trackValue(trackShare(value, 1, 1000, scale), 1, 1000, scale);
            QVERIFY(std::abs(back - value) < 1e-9 * value);
        }
    }
}

void FieldTableTest::size_isExactAndLeavesThePreset() {
    Scenario scenario = defaultScenario(catalog());
    const ControlField &size = *fieldOf(QStringLiteral("model.parameters"));
    size.set(scenario, 7.5e9, catalog());
    QCOMPARE(std::get<double>(size.get(scenario)), 7.5e9);
    QVERIFY(scenario.model.source == ModelChoice::Source::Parameters);
    const ControlField &preset = *fieldOf(QStringLiteral("model.preset"));
    const auto choices = preset.choices(scenario, catalog());
    QVERIFY(
        std::ranges::any_of(choices, [&](const FieldChoice &c) { return FieldValue(c.id) == preset.get(scenario); }));
}

} // namespace

QTEST_GUILESS_MAIN(FieldTableTest)
#include "tst_field_table.moc"
