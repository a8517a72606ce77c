// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands, each a function of its options that returns an exit code. None needs a display; only export starts
// Qt.
#pragma once

#include "core/catalog/catalog.h"
#include "core/report/report.h"

#include <string>
#include <vector>

namespace ridgepoint {

struct ReportOptions {
    std::string file; ///< with batch: empty for standard input
    std::vector<std::string> gpus;
    std::string format = "json";
    std::string output;
    std::string flops = "model";
    bool requireFit = false;
    bool batch = false;
};
int runReport(const ReportOptions &options, const Catalog &catalog);

struct ExplainOptions {
    std::string file;
    std::string quantity;
    std::string gpu;
    std::string format = "text";
    std::string flops = "model";
    bool list = false;
};
int runExplain(const ExplainOptions &options, const Catalog &catalog);

int runImport(const std::string &file, const std::string &output);

struct CatalogOptions {
    std::string kind;
    std::string format = "json";
};
int runCatalog(const CatalogOptions &options, const Catalog &catalog);

struct ExportOptions {
    std::string file;
    std::string directory;
    std::vector<std::string> charts;  ///< empty: all
    std::vector<std::string> formats; ///< empty: svg
    std::string theme = "light";
    std::string size = "1600x900";
    std::vector<std::string> gpus;
};
int runExport(const ExportOptions &options, const Catalog &catalog, int argc, char **argv);

struct ValidateOptions {
    std::string format = "json";
    bool bands = false;  ///< instead: the file of bands around predictions
    bool bounds = false; ///< instead: the file of bounds that the program reaches
};
int runValidate(const ValidateOptions &options, const Catalog &catalog);

/// Loads a scenario and replaces its GPUs by `gpus` (ids of the scenario or of the catalogue) where there are any.
/// Problems are printed.
Expected<Scenario> scenarioFor(const std::string &file, const std::vector<std::string> &gpus, const Catalog &catalog);

/// `model`, `causal`, `6n`; the command line has checked it.
FlopConvention flopConventionFrom(const std::string &id);

} // namespace ridgepoint
