// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Why? The picked number as a worked sum, with its parts and their sources.
#pragma once

#include "core/number/explain.h"

#include "ui/theme/theme.h"

#include <QWidget>

#include <memory>

namespace ridgepoint {

/// A number that was picked, and where it comes from.
struct Inspected {
    QString label;   ///< as `Optimizer states`
    QString help;    ///< one sentence; may be empty
    QString gpuName; ///< may be empty
    ExplainedStep step;
    NumberStyle style;
};

/// A formula as the card shows it: `round(a × b)` as `a × b`; the rounding to whole bytes stays in the copied text.
QString withoutRounding(const QString &formula);

class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(QWidget *parent = nullptr);
    ~InspectorPanel() override;

    void show(const Inspected &inspected);
    using QWidget::show;
    void clear();
    void setTheme(const Theme &theme);
    /// The worked sum as indented text; empty where nothing is picked.
    QString asText() const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    QString heading() const;
    bool partsBesideTitle(int left) const; ///< a low card: the parts begin in the title's row
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace ridgepoint
