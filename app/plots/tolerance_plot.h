#pragma once
#include "plots/plot_widget.h"
#include "plots/tolerance_scene.h"
#include <memory>

class QCPCurve;

namespace divdet {

/// The plane of all tolerances, rtol across and atol up: what passes, the frontier of every pass and of all
/// together, the window between drift and bug, presets, and the current tolerance as a handle that can be
/// dragged.
class TolerancePlot : public PlotWidget {
    Q_OBJECT
public:
    explicit TolerancePlot(QWidget* parent = nullptr);

    /// `sane`: the sane tolerance of this result; null: not found yet.
    void setData(std::shared_ptr<const LiveResult> live, std::shared_ptr<const SaneAnswer> sane = {});
    void setComparison(std::shared_ptr<const Comparison> comparison);
    /// It is found for what is shown.
    void setSane(std::shared_ptr<const SaneAnswer> sane);
    /// `linked`: a dragged handle slides along the linked path.
    void setTolerance(const Tolerance& tolerance, bool linked);
    void setSelectedTap(int pair);           ///< dump mode: index into Comparison::pairs, -1: none
    void setSelectedPass(const QString& id); ///< live mode: its curve is drawn on top

    const ToleranceScene& scene() const { return m_scene; }
    QPointF handlePosition() const; ///< px
    std::optional<BugWindow> window() const { return m_scene.window; }
    QString csv() const override;
    std::vector<LegendItem> legend() const override;

signals:
    void toleranceDragged(double rtol, double atol);
    void presetPicked(QString id);

protected:
    void applyColours() override;
    void fit() override;
    void afterLayout() override;
    std::optional<Readout> readoutAt(QPointF pos) const override;
    bool takesDrag(QPointF pos, Qt::KeyboardModifiers modifiers) override;
    void dragTo(QPointF pos, Qt::KeyboardModifiers modifiers) override;
    void clicked(QPointF pos) override;
    Qt::CursorShape cursorAt(QPointF pos) const override;

private:
    struct Preset {
        QString id, text;
        double rtol, atol;
        QRectF label; ///< px; null when there is no room
    };
    void remake();
    void makeCurves();
    void makePresets();
    QVector<QPointF> pixels(const std::vector<CurvePoint>& points) const; ///< cut to the view
    QPointF presetPixel(const Preset& preset) const;
    const Preset* presetAt(QPointF pos) const;
    QRectF windowWordPlace(const QSizeF& size, const QVector<QRectF>& taken) const;
    void paintRegion(QPainter& p) const;
    void paintWindow(QPainter& p) const;
    void paintHandle(QPainter& p) const;
    void paintTexts(QPainter& p) const;

    std::shared_ptr<const LiveResult> m_live;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const SaneAnswer> m_sane;
    int m_tap = -1;
    QString m_pass;
    Tolerance m_tolerance;
    bool m_linked = true;
    ToleranceScene m_scene;
    std::vector<Preset> m_presets;
    std::vector<QRectF> m_labels; ///< px, parallel to the scene's curves
    QRectF m_windowWord;
};

/// The tolerance on the linked path nearest to a place of the plane, in log10 coordinates, when one unit
/// across is `across` px and one unit up `up` px; rtol has two significant digits and lies in 1e-9 … 1.
std::pair<double, double> nearestOnPath(double logRtol, double logAtol, double across, double up);
/// A dragged tolerance rounded to two significant digits, in 1e-9 … 1.
double roundedTolerance(double logValue);

} // namespace divdet
