// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What does it draw and cost? Power from GPU to site, and the total cost of ownership, of the selected GPU.
#pragma once

#include "ui/panels/panel.h"

namespace ridgepoint {

/// What the card shows: both side by side in the window, each alone as a chart of its own.
enum class PowerContent { PowerAndCost, Power, Cost };

class PowerPanel : public Panel {
    Q_OBJECT
public:
    explicit PowerPanel(QWidget *parent = nullptr, PowerContent content = PowerContent::PowerAndCost);
    ~PowerPanel() override;

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
    double titleRowReserve() const override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void placeSelector();
    void paintPower(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots);
    void paintCost(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots);

    bool showsPower() const { return content_ != PowerContent::Cost; }
    bool showsCost() const { return content_ != PowerContent::Power; }

    PowerContent content_;
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace ridgepoint
