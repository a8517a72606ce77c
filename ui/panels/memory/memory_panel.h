// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Does it fit? One stack of memory per GPU against its capacity.
#pragma once

#include "ui/panels/memory/memory_bars.h"
#include "ui/panels/panel.h"

namespace ridgepoint {

class MemoryPanel : public Panel {
    Q_OBJECT
public:
    explicit MemoryPanel(QWidget *parent = nullptr);
    ~MemoryPanel() override;

    QString asTable() const override;
    QString id() const override;
    QString title() const override;
    QString subtitle() const override;

    /// The stage whose stacks are shown; also what the selector in the title row sets.
    void setStageView(const StageView &view);
    StageView stageView() const;

protected:
    std::unique_ptr<Panel> sibling() const override;
    void refresh() override;
    void paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) override;
    QString spoken() const override;
    bool needsSpeed() const override { return false; }
    QString shortSubtitle() const override;
    double titleRowReserve() const override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Parts;
    struct Layout;
    void fillSelector();
    void placeSelector();
    QString workloadText() const;
    Layout layOut(const QRectF &whole) const;
    void paintBar(QPainter &painter, const Layout &layout, std::size_t index, std::vector<PanelSpot> &spots);
    void paintTotals(QPainter &painter, const Layout &layout, std::size_t index, const QRectF &whole,
                     std::vector<PanelSpot> &spots);
    void paintLegend(QPainter &painter, const Layout &layout, std::vector<PanelSpot> &spots);
    void paintInstants(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots);
    double instantsHeight(const QRectF &area) const;
    std::unique_ptr<Parts> parts_;
};

} // namespace ridgepoint
