// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The only way to include QCustomPlot: its header needs words that the project switches off.
#pragma once

#include <QtCore/QtGlobal>

#pragma push_macro("signals")
#pragma push_macro("slots")
#pragma push_macro("emit")
#pragma push_macro("foreach")
#undef signals
#undef slots
#undef emit
#undef foreach
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit
#define foreach(element, container) for (element : container) // NOLINT(bugprone-macro-parentheses)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
#pragma pop_macro("signals")
#pragma pop_macro("slots")
#pragma pop_macro("emit")
#pragma pop_macro("foreach")
