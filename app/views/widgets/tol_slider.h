#pragma once
#include "views/widgets/tol_scale.h"
#include <QWidget>

namespace divdet {

/// A logarithmic slider for a tolerance: 1e-9 … 1 with an end stop 0. Its track is the frontier: left of the
/// needed value it is outside-coloured, right of it within-coloured, with a mark at the flip.
///
/// Keys: arrows 1/10 decade, page up and down 1 decade, Home and End the ends. Wheel: 1/10 decade.
class TolSlider : public QWidget {
    Q_OBJECT
public:
    /// `name` ("rtol") is the accessible name.
    explicit TolSlider(const QString& name, QWidget* parent = nullptr);

    double value() const { return m_value; }
    double needed() const { return m_needed; }

public slots:
    /// Emits nothing. Values beyond 1 (typed by the user) keep the handle at the right end.
    void setValue(double value);
    /// The smallest value that passes: nan = unknown (a neutral track), inf = none does, 0 = every one does.
    void setNeeded(double needed);

signals:
    /// By the user: while dragging, and at each key and notch of the wheel.
    void valueChanged(double value);
    /// At the end of a drag, and after each key and notch: here an undo step ends.
    void released();

public:
    QSize sizeHint() const override { return {232, 40}; }
    QSize minimumSizeHint() const override { return {140, 40}; }

    /// Geometry for tests and for hints that point at the track: px in the widget.
    double xOf(double value) const;
    double flipX() const; ///< nan when there is no flip on the track
    bool dragging() const { return m_dragging; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    TolScale scale() const;
    void take(double value);
    void stepBy(int tenths);
    void describe();
    void paintTrack(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintFlip(QPainter& painter) const;
    void paintHandle(QPainter& painter) const;

    double m_value = 0;
    double m_needed;
    bool m_dragging = false;
    double m_grab = 0;
    int m_wheel = 0;
};

/// Lets screen readers see TolSlider as a slider with a value; called by its constructor.
void installTolSliderAccessibility();

} // namespace divdet
