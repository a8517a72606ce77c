// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the window is, measured on the same objects that a person uses.
#include "ui/shell/measure_window.h"

#include "core/scenario/file.h"

#include "ui/controls/quantity_control.h"
#include "ui/controls/track_slider.h"
#include "ui/shell/control_column.h"
#include "ui/shell/main_window.h"
#include "ui/shell/run_window.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace ridgepoint {

namespace {

constexpr std::size_t gpuCount = 8;

/// Since the kernel started this process (proc(5), field 22 of stat), in milliseconds; 0 where there is no /proc.
double processMilliseconds() {
    QFile stat(QStringLiteral("/proc/self/stat"));
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = stat.readAll();
    // The program's name may hold spaces: fields are counted from the bracket that closes it.
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    if (fields.size() < 20)
        return 0;
    const double started = fields[19].toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started) * 1000;
}

class FirstPaint : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() == QEvent::Paint && !isSeen_) {
            isSeen_ = true;
            // After the turn in which everything is painted.
            QTimer::singleShot(0, this, [] {
                std::printf("%.0f ms from process start to first paint\n", processMilliseconds());
                std::fflush(stdout);
                QCoreApplication::quit();
            });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool isSeen_ = false;
};

/// Paints at once what is waiting to be painted.
void paintNow(MainWindow &window) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QEvent request(QEvent::UpdateRequest);
    QCoreApplication::sendEvent(&window, &request);
}

Scenario busyScenario(const Catalog &catalog) {
    Scenario scenario = defaultScenario(catalog);
    scenario.hardware.gpus.clear();
    for (const Gpu &gpu : catalog.gpus) {
        GpuChoice choice;
        choice.id = choice.base = gpu.id;
        if (scenario.hardware.gpus.size() < gpuCount && gpu.peak(ComputeFormat::Bf16))
            scenario.hardware.gpus.push_back(choice);
    }
    return scenario;
}

} // namespace

void settle(MainWindow &window, ScenarioStore &store) {
    store.flush();
    store.adviseNow();
    for (int turn = 0; turn < 5; ++turn)
        QCoreApplication::processEvents();
    paintNow(window);
}

void endAfterFirstPaint(MainWindow &window) {
    window.centralWidget()->installEventFilter(new FirstPaint(&window));
}

QString describeMeasured(std::vector<double> milliseconds) {
    std::ranges::sort(milliseconds);
    const auto at = [&](double share) {
        return milliseconds[static_cast<std::size_t>(std::floor(share * static_cast<double>(milliseconds.size() - 1)))];
    };
    return QStringLiteral("%1 steps: median %2 ms, p99 %3 ms, most %4 ms")
        .arg(static_cast<qulonglong>(milliseconds.size()))
        .arg(at(0.5), 0, 'f', 2)
        .arg(at(0.99), 0, 'f', 2)
        .arg(milliseconds.back(), 0, 'f', 2);
}

std::vector<double> measureDrag(const Catalog &catalog, int steps) {
    ScenarioStore store(catalog, busyScenario(catalog));
    ViewSettings settings(QLocale::c());
    const Session nowhere{QString()};
    MainWindow window(store, settings, nowhere);
    window.resize(1920, 1080);
    window.show();
    settle(window, store);
    auto *control =
        qobject_cast<QuantityControl *>(window.controls()->control(QStringLiteral("training.sequence_length")));
    TrackSlider *slider = control->slider();
    slider->setSliderDown(true);
    const int last = slider->maximum() / 2;
    std::vector<double> milliseconds;
    QElapsedTimer timer;
    for (int step = 0; step < steps; ++step) {
        const int along = step % (2 * last);
        timer.start();
        slider->setSliderPosition(along < last ? along : 2 * last - along);
        store.flush();
        paintNow(window);
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    slider->setSliderDown(false);
    return milliseconds;
}

} // namespace ridgepoint
