// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the JSON report through the one walk over a report.
#include "core/export/report_json.h"

#include "core/report/visit.h"
#include "core/scenario/model_choice.h"
#include "core/scenario/reading.h"

namespace ridgepoint {

namespace {

using Json = nlohmann::ordered_json;

class JsonVisitor {
public:
    explicit JsonVisitor(Json &root) { stack_.push_back(&root); }

    void beginObject(std::string_view key) { push(key, Json::object()); }
    void endObject() { stack_.pop_back(); }
    void beginArray(std::string_view key) { push(key, Json::array()); }
    void endArray() { stack_.pop_back(); }
    void beginItem() {
        stack_.back()->push_back(Json::object());
        stack_.push_back(&stack_.back()->back());
    }
    void endItem() { stack_.pop_back(); }
    void number(std::string_view key, double value) { set(key, numberJson(value)); }
    void count(std::string_view key, double value) { set(key, numberJson(value)); }
    void text(std::string_view key, std::string_view value) { set(key, std::string(value)); }
    void flag(std::string_view key, bool value) { set(key, value); }
    void null(std::string_view key) { set(key, nullptr); }

private:
    void push(std::string_view key, Json value) {
        Json &slot = (*stack_.back())[std::string(key)];
        slot = std::move(value);
        stack_.push_back(&slot);
    }
    void set(std::string_view key, Json value) { (*stack_.back())[std::string(key)] = std::move(value); }

    std::vector<Json *> stack_;
};

} // namespace

Json problemsJson(const Problems &problems) {
    Json list = Json::array();
    for (const Problem &problem : problems) {
        list.push_back(Json{{"field", problem.field},
                            {"found", problem.found},
                            {"allowed", problem.allowed},
                            {"message", problem.message()}});
    }
    return list;
}

Json reportJson(const Report<double> &report) {
    Json json;
    json["scenario"] = report.scenario;
    Json &model = json["model"];
    model["name"] = report.model.name;
    model["parameters"] = {{"total", numberJson(report.model.parametersTotal)},
                           {"active", numberJson(report.model.parametersActive)}};
    ModelChoice shape;
    shape.source = ModelChoice::Source::Explicit;
    shape.shape = report.model.shape;
    model["shape"] = modelJson(shape);
    if (report.model.shape.towerParameters > 0) {
        model["shape"]["tower_parameters"] = numberJson(report.model.shape.towerParameters);
    }
    json["gpus"] = Json::array();
    for (const GpuReport<double> &gpu : report.gpus) {
        Json &entry = json["gpus"].emplace_back(Json::object());
        JsonVisitor visitor(entry);
        visitReport(gpu, visitor);
    }
    json["assumptions"] = report.assumptions;
    json["problems"] = Json::array();
    return json;
}

} // namespace ridgepoint
