// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Declares every subcommand and option, and dispatches.
#include "app/command_line.h"

#include "core/export/catalog_json.h"

#include "app/commands.h"
#include "app/output.h"
#include "app/user_catalog.h"
#include "app/window.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace ridgepoint {

namespace {

/// Everything the options write into; one instance lives through a run.
struct Options {
    std::string dataFolder = userDataFolder();
    WindowArguments window;
    ReportOptions report;
    ExplainOptions explain;
    std::string importFile;
    std::string importOutput;
    CatalogOptions catalog;
    ExportOptions charts;
    ValidateOptions validate;
};

const std::string fileHelp = "Scenario file (.ridgepoint)";
const std::string gpuHelp = "GPU to evaluate: an ID of the scenario or of `ridgepoint catalog gpus`";

void addFlops(CLI::App &command, std::string &flops) {
    command.add_option("--flops", flops, "FLOP convention of MFU: model, causal or 6n")
        ->check(CLI::IsMember({"model", "causal", "6n"}));
}

CLI::App *addReport(CLI::App &app, ReportOptions &options) {
    CLI::App *command = app.add_subcommand("report", "Evaluate a scenario and print every number");
    command->add_option("FILE", options.file, fileHelp + "; with --batch: JSON Lines, standard input without it");
    command->add_option("--gpu", options.gpus, gpuHelp + "; may be given more than once")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->add_option("--format", options.format, "json, csv or markdown")
        ->check(CLI::IsMember({"json", "csv", "markdown"}));
    command->add_option("-o,--output", options.output, "File to write instead of standard output");
    command->add_flag("--require-fit", options.requireFit, "Exit with 3 when it does not fit on every GPU");
    command->add_flag("--batch", options.batch, "One scenario a line in, one report a line out");
    addFlops(*command, options.flops);
    return command;
}

CLI::App *addExplain(CLI::App &app, ExplainOptions &options) {
    CLI::App *command = app.add_subcommand("explain", "Show the worked sum of one number of the report");
    command->add_option("FILE", options.file, fileHelp)->required();
    command->add_option("QUANTITY", options.quantity, "Path in the report, as memory.total_bytes");
    command->add_option("--gpu", options.gpu, gpuHelp);
    command->add_option("--format", options.format, "text, or json for the tree")
        ->check(CLI::IsMember({"text", "json"}));
    command->add_flag("--list", options.list, "List every quantity that can be explained");
    addFlops(*command, options.flops);
    return command;
}

CLI::App *addExport(CLI::App &app, ExportOptions &options) {
    CLI::App *command = app.add_subcommand("export", "Write the charts as files");
    command->add_option("FILE", options.file, fileHelp)->required();
    command->add_option("-o,--output", options.directory, "Folder for the files")->required();
    command->add_option("--charts", options.charts, "memory,roofline,time,power,cost (all without it)")->delimiter(',');
    command->add_option("--format", options.formats, "svg,pdf,png (svg without it)")->delimiter(',');
    command->add_option("--theme", options.theme, "light, dark or print")
        ->check(CLI::IsMember({"light", "dark", "print"}));
    command->add_option("--size", options.size, "Width x height in pixels, as 1600x900");
    command->add_option("--gpu", options.gpus, gpuHelp + "; may be given more than once")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return command;
}

CLI::App *addCatalog(CLI::App &app, CatalogOptions &options) {
    CLI::App *command = app.add_subcommand("catalog", "List facts and their sources");
    std::vector<std::string> kinds;
    for (const std::string_view kind : catalogKinds()) {
        kinds.emplace_back(kind);
    }
    command->add_option("KIND", options.kind, "What to list")->required()->check(CLI::IsMember(kinds));
    command->add_option("--format", options.format, "json or markdown")->check(CLI::IsMember({"json", "markdown"}));
    return command;
}

CLI::App *addValidate(CLI::App &app, ValidateOptions &options) {
    CLI::App *command = app.add_subcommand("validate", "Compare predictions with published measurements");
    command->add_option("--format", options.format, "json or markdown")->check(CLI::IsMember({"json", "markdown"}));
    command->add_flag("--bands", options.bands,
                      "Print measured / predicted by kind and stack, as the file resources/bands.json");
    command->add_flag("--bounds", options.bounds,
                      "Print the errors reached, with a margin, as the file resources/measured/bounds.json");
    return command;
}

int missing(const CLI::App &command, const std::string &what) {
    std::fprintf(stderr, "ridgepoint %s: %s is missing\n", command.get_name().c_str(), what.c_str());
    return ExitBadInput;
}

} // namespace

int runCommandLine(int argc, char **argv) {
    Options options;
    CLI::App app("Ridgepoint: what-if explorer for deep learning on GPUs. Without a subcommand it opens the window.",
                 "ridgepoint");
    app.set_version_flag("--version", "ridgepoint " RIDGEPOINT_VERSION);
    app.require_subcommand(0, 1);
    const CLI::Option *data = app.add_option("--data", options.dataFolder, "Folder with your own GPU and model files");
    app.add_option("FILES", options.window.files, "Scenarios, Hugging Face config.json files or folders to open");
    addWindowArguments(app, options.window);
    const CLI::App *report = addReport(app, options.report);
    const CLI::App *explain = addExplain(app, options.explain);
    CLI::App *import = app.add_subcommand("import", "Show a Hugging Face config.json as Ridgepoint reads it");
    import->add_option("FILE", options.importFile, "config.json, or a folder with one")->required();
    import->add_option("-o,--output", options.importOutput, "File to write instead of standard output");
    const CLI::App *catalogCommand = addCatalog(app, options.catalog);
    const CLI::App *charts = addExport(app, options.charts);
    const CLI::App *validate = addValidate(app, options.validate);
    for (CLI::App *command : app.get_subcommands({})) {
        command->fallthrough(); // so that --data may stand behind the subcommand as well
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? int{ExitDone} : int{ExitBadInput};
    }
    if (!app.get_subcommands().empty() && !options.window.files.empty()) {
        std::fprintf(stderr, "ridgepoint %s: found %s, allowed no further file\n",
                     app.get_subcommands().front()->get_name().c_str(),
                     shownName(options.window.files.front()).c_str());
        return ExitBadInput;
    }
    if (data->count() > 0 && !std::filesystem::is_directory(options.dataFolder)) {
        printProblems(options.dataFolder,
                      {{.field = "--data", .found = "no folder of this name", .allowed = "a folder with JSON files"}});
        return ExitBadInput;
    }
    if (import->parsed()) {
        return runImport(options.importFile, options.importOutput);
    }
    const Catalog catalog = catalogWithUserFiles(options.dataFolder);
    if (report->parsed()) {
        return options.report.file.empty() && !options.report.batch ? missing(*report, "FILE")
                                                                    : runReport(options.report, catalog);
    }
    if (explain->parsed()) {
        return options.explain.quantity.empty() && !options.explain.list ? missing(*explain, "QUANTITY")
                                                                         : runExplain(options.explain, catalog);
    }
    if (catalogCommand->parsed()) {
        return runCatalog(options.catalog, catalog);
    }
    if (validate->parsed()) {
        return runValidate(options.validate, catalog);
    }
    return charts->parsed() ? runExport(options.charts, catalog, argc, argv)
                            : runWindowCommand(options.window, catalog, argc, argv);
}

} // namespace ridgepoint
