// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How fast is it? Where a step, or a request, spends its time on each GPU.
#pragma once

#include "ui/panels/panel.h"

namespace ridgepoint {

class TimePanel : public Panel {
    Q_OBJECT
public:
    explicit TimePanel(QWidget *parent = nullptr);
    ~TimePanel() override;

    QString asTable() const override;
    QString id() const override;
    QString title() const override;
    QString subtitle() const override;

protected:
    std::unique_ptr<Panel> sibling() const override;
    void refresh() override;
    void paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) override;
    QString spoken() const override;
    QString shortSubtitle() const override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace ridgepoint
