// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up drawing without a display.
#include "app/offscreen.h"

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <cstdio>

namespace ridgepoint {

namespace {

/// What a script could not act on (no runtime folder, no size hints off screen) stays out of its standard error.
void onlyFailures(QtMsgType type, const QMessageLogContext &, const QString &message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::fprintf(stderr, "ridgepoint: %s\n", message.toLocal8Bit().constData());
    }
}

} // namespace

void prepareOffscreen() {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(onlyFailures);
}

} // namespace ridgepoint
