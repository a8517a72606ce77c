// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the window from the last state or from files, and what a script does with a window in place of a person.
#include "ui/shell/run_window.h"

#include "ui/controls/calm_style.h"
#include "ui/shell/documents.h"
#include "ui/shell/main_window.h"
#include "ui/shell/measure_window.h"

#include <QApplication>
#include <QIcon>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QTimer>

#include <cstdio>

namespace ridgepoint {

namespace {

void say(std::FILE *stream, const QString &line) {
    std::fputs((line + u'\n').toUtf8().constData(), stream);
}

/// The files' scenario, for what has no person to ask; exit code 2 where one cannot be read.
std::optional<Scenario> scenarioOf(const QStringList &files, const Catalog &catalog) {
    Scenario scenario = firstScenario(catalog);
    bool isGood = true;
    const auto report = [&](const QString &path, const Problems &problems) {
        say(stderr, problemLines(path, problems));
        isGood = false;
    };
    for (const QString &path : files) {
        if (kindOf(path) == DocumentKind::Model) {
            if (auto model = readModelFile(path))
                adoptModel(scenario, *model);
            else
                report(path, model.error());
        } else if (auto read = readScenarioFile(path, catalog)) {
            scenario = *read;
        } else {
            report(path, read.error());
        }
    }
    return isGood ? std::optional(scenario) : std::nullopt;
}

int takePicture(const Catalog &catalog, const WindowOptions &options) {
    const auto scenario = scenarioOf(options.files, catalog);
    if (!scenario)
        return 2;
    const QString error =
        saveScreenshot(catalog, *scenario, options.screenshot, options.size, options.theme, options.scale);
    if (error.isEmpty())
        return 0;
    say(stderr, options.screenshot + QStringLiteral(": ") + error);
    return 4;
}

int runForPerson(const Catalog &catalog, const WindowOptions &options) {
    const Session session(options.sessionFolder);
    const SessionState state = session.load(catalog);
    ScenarioStore store(catalog, state.scenario.value_or(firstScenario(catalog)));
    if (state.scenario)
        store.open(*state.scenario, state.fileName, state.isSaved);
    ViewSettings settings;
    settings.setBytes(state.binaryBytes ? ByteUnits::Binary : ByteUnits::Decimal);
    if (state.theme >= 0 && state.theme <= static_cast<int>(ThemeChoice::Dark))
        settings.setTheme(static_cast<ThemeChoice>(state.theme));
    MainWindow window(store, settings, session);
    window.restore(state);
    if (options.exitAfterFirstPaint)
        endAfterFirstPaint(window);
    window.show();
    for (const QString &path : options.files)
        window.openFile(path);
    return QApplication::exec();
}

} // namespace

void prepareApplication(QApplication & /*application*/) {
    QApplication::setApplicationDisplayName(QStringLiteral("Ridgepoint"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/ridgepoint.svg")));
    QApplication::setStyle(new CalmStyle);
}

int runWindow(QApplication &application, const Catalog &catalog, const WindowOptions &options) {
    prepareApplication(application);
    if (!options.screenshot.isEmpty())
        return takePicture(catalog, options);
    if (options.dragSteps > 0) {
        say(stdout, describeMeasured(measureDrag(catalog, options.dragSteps)));
        return 0;
    }
    return runForPerson(catalog, options);
}

QString saveScreenshot(const Catalog &catalog, const Scenario &scenario, const QString &path, const QSize &size,
                       ThemeChoice theme, double scale) {
    ScenarioStore store(catalog, scenario);
    ViewSettings settings(QLocale(QLocale::English, QLocale::UnitedStates));
    settings.setTheme(theme);
    const Session nowhere{QString()};
    MainWindow window(store, settings, nowhere);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize((QSizeF(size) / scale).toSize());
    window.show();
    settle(window, store);
    QImage image(size, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(window.palette().color(QPalette::Window));
    window.render(&image);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
        return file.errorString();
    return {};
}

} // namespace ridgepoint
