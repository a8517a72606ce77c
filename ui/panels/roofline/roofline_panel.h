// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What limits it? The roofs of the ticked GPUs, and a point per operation of the selected one.
#pragma once

#include "ui/panels/panel.h"

namespace ridgepoint {

class RooflinePanel : public Panel {
    Q_OBJECT
public:
    explicit RooflinePanel(QWidget *parent = nullptr);
    ~RooflinePanel() override;

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
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace ridgepoint
