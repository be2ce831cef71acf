#pragma once
#include "plots/readout.h"
#include "views/widgets/flow_legend.h"
#include <QPixmap>
#include <QWidget>
#include <optional>

#include "base/result.h"

class QCPAxis;
class QCPAxisRect;
class QCustomPlot;

namespace divdet {

class PlotOverlay;

/// What every plot does: wheel zooms at the cursor, dragging pans, right-drag is a zoom box, Home resets,
/// hovering shows a readout, copy and export, colours again when the theme changes. Axis coordinates are
/// log10 unless a plot says otherwise. Changes are drawn once per event-loop turn.
class PlotWidget : public QWidget {
    Q_OBJECT
public:
    ~PlotWidget() override;

    int replots() const { return m_replots; } ///< how often it was drawn, for tests
    QCustomPlot& customPlot() const { return *m_plot; }
    QPixmap image(double scale = 1.0) const;
    virtual std::vector<LegendItem> legend() const = 0; ///< for the card's FlowLegend
    virtual QString csv() const = 0;                    ///< what is drawn, with a header line
    Status exportTo(const QString& path);               ///< .svg, .png, .csv
    std::optional<Readout> currentReadout() const;
    bool viewMoved() const { return m_viewMoved; } ///< the user has zoomed or panned
    QSize minimumSizeHint() const override { return {160, 110}; }
    QSize sizeHint() const override { return {400, 420}; }

public slots:
    void reset();
    void copyImage();

signals:
    void viewChanged();

protected:
    explicit PlotWidget(QWidget* parent);

    virtual void applyColours();  ///< from tokens; base: background, axes, grid
    virtual void fit() = 0;       ///< ranges that show everything
    virtual void afterLayout() {} ///< pixels are known: place labels
    virtual std::optional<Readout> readoutAt(QPointF) const { return std::nullopt; }
    virtual bool takesDrag(QPointF, Qt::KeyboardModifiers) {
        return false;
    } ///< true: dragTo follows instead of panning
    virtual void dragTo(QPointF, Qt::KeyboardModifiers) {}
    virtual void dropped() {}
    virtual void clicked(QPointF) {}
    virtual void doubleClicked(QPointF) {}
    virtual Qt::CursorShape cursorAt(QPointF) const { return Qt::ArrowCursor; }

    void refresh(); ///< queued replot
    void fitUnlessMoved();
    void fixVertical() { m_fixVertical = true; } ///< rows: neither zoomed nor panned
    QCPAxisRect* axisRect() const;
    QRectF area() const; ///< inside of the axes, px
    QPointF pixel(double x, double y) const;
    QPointF coordinate(QPointF pixel) const;

    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool pressed(QMouseEvent& event);
    void moved(QMouseEvent& event);
    void released(QMouseEvent& event);
    void wheeled(QWheelEvent& event);
    void zoomTo(const QRectF& box);
    void hover(QPointF pos);

    enum class Drag { none, own, pan, box };
    QCustomPlot* m_plot;
    PlotOverlay* m_overlay;
    Drag m_drag = Drag::none;
    QPointF m_press, m_last;
    bool m_moved = false, m_viewMoved = false, m_fixVertical = false, m_coloured = false;
    int m_replots = 0;
};

} // namespace divdet
