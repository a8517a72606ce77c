// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Panel: a card with a title that draws a report, names every number it shows, and can be picked, copied and exported.
#pragma once

#include "core/report/report.h"

#include "ui/panels/display.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace ridgepoint {

class SpotFrame;

/// A place of a panel that shows one number of the report.
struct PanelSpot {
    QRectF area;
    QString gpuId;
    QString path; ///< report path, as `memory.optimizer_states_bytes`
    QString text; ///< what it says, for tool tips and screen readers
};

class Panel : public QWidget {
    Q_OBJECT
public:
    ~Panel() override;

    void setReport(const Report<double> &report, const DisplayOptions &options);
    void setTheme(const Theme &theme);
    /// The GPU whose figures legends and single-GPU panels show. Unknown or empty: the first one of the report.
    void setSelectedGpu(const QString &gpuId);
    /// The number that the inspector shows; its place is framed.
    void setPickedQuantity(const QString &gpuId, const QString &path);

    /// Which scenario and model a file shows, as a line at its foot; not drawn in the window.
    void setCaption(const QString &caption) { caption_ = caption; }

    /// Draws the card into `area` at any size, laid out as on screen and scaled; vector devices get vectors. For
    /// export.
    void render(QPainter &painter, const QRectF &area, const Theme &theme) const;
    using QWidget::render;
    /// The figures as text: one row per line, cells separated by tabs, units in the heading.
    virtual QString asTable() const = 0;
    /// For file names and object names, as `memory`.
    virtual QString id() const = 0;
    virtual QString title() const = 0;
    virtual QString subtitle() const { return {}; }

    /// Every place that shows a number, in reading order, in widget coordinates.
    const std::vector<PanelSpot> &spots();

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void quantityPicked(const QString &gpuId, const QString &path);
    /// The user chose another GPU inside the panel.
    void gpuSelected(const QString &gpuId);

protected:
    explicit Panel(QWidget *parent = nullptr);

    const Report<double> &report() const { return report_; }
    const DisplayOptions &options() const { return options_; }
    const Theme &theme() const { return theme_; }
    QString selectedGpu() const; ///< an id of the report, or empty where it has no GPUs
    const GpuReport<double> *selectedReport() const;

    /// A new panel of the same class, to render away from the screen.
    virtual std::unique_ptr<Panel> sibling() const = 0;
    /// Report, options, theme or selected GPU changed: compute what to draw.
    virtual void refresh() = 0;
    /// Draws what is inside the card, below the title, and lists its places.
    virtual void paintContent(QPainter &painter, const QRectF &area, std::vector<PanelSpot> &spots) = 0;
    /// The figures in words, for screen readers.
    virtual QString spoken() const = 0;
    /// Whether the panel's figures rest on the speed of the GPUs, which some scenarios have none of.
    virtual bool needsSpeed() const { return true; }
    /// Why there is nothing to show; empty where there is.
    QString emptyReason() const;

    QRectF contentArea(const QSizeF &size) const;
    QRectF captionArea(const QSizeF &size) const; ///< of no height without a caption
    /// True for a sibling that renders to a file: child widgets are drawn, not shown.
    bool isAway() const { return away_; }
    /// What the title row shows where the subtitle has no room.
    virtual QString shortSubtitle() const { return {}; }
    /// Space that the right end of the title row keeps free, for a selector.
    virtual double titleRowReserve() const { return 0; }

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void renewed();
    void paintAll(QPainter &painter, const QSizeF &size);
    int spotAt(const QPointF &position) const;
    void pick(int spot);
    void tell(int spot);
    void copyTable() const;
    void copyPicture();
    void placeFrames();

    Report<double> report_;
    DisplayOptions options_;
    Theme theme_;
    QString selectedGpu_, pickedGpu_, pickedPath_, caption_;
    std::vector<PanelSpot> spots_;
    std::vector<SpotFrame *> frames_; ///< children
    int focusedSpot_ = -1, hoveredSpot_ = -1;
    bool spotsAreCurrent_ = false, away_ = false;
};

} // namespace ridgepoint
