// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the window: scenarios in and out, models in.
#include "ui/shell/documents.h"

#include "core/catalog/embedded.h"
#include "core/import/import.h"
#include "core/import/load_scenario.h"
#include "core/import/read_file.h"
#include "core/import/strict_json.h"
#include "core/scenario/file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace ridgepoint {

namespace {

constexpr qint64 mostBytes = 8 << 20;

} // namespace

DocumentKind kindOf(const QString &path) {
    const QFileInfo info(path);
    if (info.isDir())
        return DocumentKind::Model;
    const QString suffix = info.suffix().toLower();
    if (suffix == QStringLiteral("gguf") || suffix == QStringLiteral("safetensors"))
        return DocumentKind::Model;
    // A scenario says so in its first key; a model's config never does.
    QFile file(path);
    if (suffix == QStringLiteral("json") && info.isFile() && file.open(QIODevice::ReadOnly)) {
        const QByteArray start = file.read(mostBytes);
        return start.contains("\"ridgepoint\"") ? DocumentKind::Scenario : DocumentKind::Model;
    }
    return DocumentKind::Scenario;
}

Scenario firstScenario(const Catalog &catalog) {
    const auto noConfigs = [](const std::string &) -> Expected<ModelChoice> { return tl::unexpected(Problems{}); };
    const auto shipped = readScenario(embeddedResource("resources/default.ridgepoint"), catalog, noConfigs);
    // A user's own catalogue may lack what the shipped one names.
    return shipped ? *shipped : defaultScenario(catalog);
}

Expected<ModelChoice> readModelFile(const QString &path) {
    const auto imported = importModelFile(QFile::encodeName(path).toStdString());
    if (!imported)
        return tl::unexpected(imported.error());
    return choiceOf(*imported, path.toStdString());
}

Expected<Scenario> readScenarioFile(const QString &path, const Catalog &catalog) {
    const Expected<std::string> text = readFileBounded(QFile::encodeName(path).toStdString(), "scenario");
    if (!text)
        return tl::unexpected(text.error());
    const QDir folder = QFileInfo(path).absoluteDir();
    const auto loadConfig = [&folder](const std::string &reference) -> Expected<ModelChoice> {
        return readModelFile(folder.absoluteFilePath(QString::fromStdString(reference)));
    };
    return readScenario(*text, catalog, loadConfig);
}

QString writeScenarioFile(const QString &path, const Scenario &scenario) {
    Scenario written = scenario;
    if (written.model.source == ModelChoice::Source::Config) {
        // The format keeps the path relative to the file, so that both can move together.
        const QString reference = QString::fromStdString(written.model.reference);
        if (QDir::isAbsolutePath(reference))
            written.model.reference = QFileInfo(path).absoluteDir().relativeFilePath(reference).toStdString();
    }
    const std::string text = writeScenario(written);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0 ||
        !file.commit())
        return file.errorString();
    return {};
}

QString problemLines(const QString &path, const Problems &problems) {
    constexpr std::size_t longest = 16384;
    const auto shown = [](const std::string &text) { return QString::fromStdString(shownText(text, longest)); };
    const QString name = shown(path.toStdString());
    QStringList lines;
    for (const Problem &problem : problems)
        lines.append(name + QStringLiteral(": ") + shown(problem.message()));
    return lines.join(u'\n');
}

} // namespace ridgepoint
