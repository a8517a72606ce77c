// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The measured cases that ship: how many, from where, readable, and predicted within their bounds.
#include "core/validate/bounds.h"
#include "core/validate/validation_text.h"

#include "tests/core/scenario_text.h"

#include <QtTest>

#include <map>
#include <set>

using namespace ridgepoint;

class TestMeasuredCases : public QObject {
    Q_OBJECT

private:
    Expected<MeasuredSet> set_ = measuredSet();
    Expected<ErrorBounds> bounds_ = measuredBounds();
    ValidationResult result_;

    std::size_t countOf(std::initializer_list<const char *> kinds) const {
        std::size_t count = 0;
        for (const KindSummary &kind : result_.kinds) {
            for (const char *wanted : kinds) {
                count += kind.kind == wanted ? kind.count : 0;
            }
        }
        return count;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(set_.has_value(), set_ ? "" : test::lines(set_.error()).c_str());
        QVERIFY2(bounds_.has_value(), bounds_ ? "" : test::lines(bounds_.error()).c_str());
        const CatalogResult catalog = builtInCatalog();
        QVERIFY(catalog.problems.empty());
        result_ = validate(*set_, catalog.catalog);
    }

    void enoughOfEachAreThere() {
        QVERIFY(countOf({"memory", "memory-loose", "kv_cache_capacity_tokens", "allocated_bytes_all_gpus"}) >= 150);
        QVERIFY(countOf({"speed", "speed-loose", "flops", "decode", "output_tokens_per_s", "prefill_tokens_per_s",
                         "time_to_first_token_s", "time_per_output_token_s"}) >= 200);
        QVERIFY(countOf({"gpu_w"}) >= 60);
    }

    void noKindIsLeftOutOfTheSummary() {
        std::size_t count = 0;
        for (const KindSummary &kind : result_.kinds) {
            count += kind.count;
        }
        QCOMPARE(count, result_.comparisons.size());
    }

    void everySourceIsPublishedAndHasCases() {
        std::map<std::string, std::size_t> cases;
        for (const MeasuredCase &each : set_->cases) {
            ++cases[each.source];
            QVERIFY2(each.url.starts_with("https://"), each.id.c_str());
            QVERIFY2(each.quality == "A" || each.quality == "B", each.id.c_str());
        }
        QCOMPARE(set_->sources.size(), std::size_t{33});
        for (const MeasuredSource &source : set_->sources) {
            QVERIFY2(cases[source.id] > 0, source.id.c_str());
            QVERIFY2(!source.name.empty() && source.url.starts_with("https://"), source.id.c_str());
        }
    }

    void aCaseIsPredictedOrRefusedWithAReason() {
        std::map<std::string, int> refusals;
        for (const Comparison &each : result_.comparisons) {
            if (each.predicted) {
                QVERIFY2(*each.predicted > 0, each.caseId.c_str());
                continue;
            }
            QVERIFY2(!each.problems.empty(), each.caseId.c_str());
            for (const Problem &problem : each.problems) {
                QVERIFY2(!problem.allowed.empty() && !problem.found.empty(), each.caseId.c_str());
            }
            ++refusals[each.problems.front().message()];
        }
        for (const auto &[message, count] : refusals) {
            qInfo("%d figures refused: %s", count, message.c_str());
        }
    }

    void predictionsKeepTheirBounds() {
        std::string text;
        for (const std::string &sentence : brokenBounds(result_, *bounds_)) {
            text += sentence + "\n";
        }
        QVERIFY2(text.empty(), text.c_str());
    }

    void twoRunsGiveTheSameText() {
        const ValidationResult again = validate(*set_, builtInCatalog().catalog);
        QVERIFY(validationJson(again, *set_, *bounds_) == validationJson(result_, *set_, *bounds_));
        QVERIFY(validationMarkdown(again, *set_, *bounds_) == validationMarkdown(result_, *set_, *bounds_));
    }
};

QTEST_APPLESS_MAIN(TestMeasuredCases)
#include "tst_measured_cases.moc"
