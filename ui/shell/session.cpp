// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What closing keeps and reopening brings back: a scenario file and a few settings beside it.
#include "ui/shell/session.h"

#include "ui/shell/documents.h"

#include <QDir>
#include <QFile>
#include <QSettings>

namespace ridgepoint {

namespace {

QString scenarioPath(const QString &folder) {
    return QDir(folder).filePath(QStringLiteral("last.ridgepoint"));
}
QString settingsPath(const QString &folder) {
    return QDir(folder).filePath(QStringLiteral("window.ini"));
}

} // namespace

SessionState Session::load(const Catalog &catalog) const {
    SessionState state;
    if (folder_.isEmpty())
        return state;
    if (QFile::exists(scenarioPath(folder_))) {
        if (auto scenario = readScenarioFile(scenarioPath(folder_), catalog))
            state.scenario = std::move(*scenario);
    }
    const QSettings settings(settingsPath(folder_), QSettings::IniFormat);
    state.fileName = settings.value(QStringLiteral("file")).toString();
    state.isSaved = settings.value(QStringLiteral("saved"), true).toBool();
    state.geometry = settings.value(QStringLiteral("geometry")).toByteArray();
    state.columns = settings.value(QStringLiteral("columns")).toByteArray();
    state.binaryBytes = settings.value(QStringLiteral("binary_bytes"), false).toBool();
    state.theme = settings.value(QStringLiteral("theme"), 0).toInt();
    return state;
}

bool Session::save(const SessionState &state) const {
    if (folder_.isEmpty() || !QDir().mkpath(folder_))
        return false;
    if (state.scenario && !writeScenarioFile(scenarioPath(folder_), *state.scenario).isEmpty())
        return false;
    QSettings settings(settingsPath(folder_), QSettings::IniFormat);
    settings.setValue(QStringLiteral("file"), state.fileName);
    settings.setValue(QStringLiteral("saved"), state.isSaved);
    settings.setValue(QStringLiteral("geometry"), state.geometry);
    settings.setValue(QStringLiteral("columns"), state.columns);
    settings.setValue(QStringLiteral("binary_bytes"), state.binaryBytes);
    settings.setValue(QStringLiteral("theme"), state.theme);
    settings.sync();
    return settings.status() == QSettings::NoError;
}

} // namespace ridgepoint
