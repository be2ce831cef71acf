#pragma once
#include "gui/theme_verdict.h"
#include <QWidget>

namespace divdet {

/// How much of the tolerance is used. The tolerance is the tick at 80 % of the width, the bar is
/// needed / current; beyond 1.25 × it is full.
class UseBar : public QWidget {
    Q_OBJECT
public:
    explicit UseBar(QWidget* parent = nullptr);

    /// needed / current, 0 or more; inf fills the bar; nan = not known, an empty track.
    void setUse(double use, VerdictTone tone);
    double use() const { return m_use; }

    /// Part of the width that is filled, 0 … 1.
    static double fillOf(double use);

    QSize sizeHint() const override { return {160, 16}; }
    QSize minimumSizeHint() const override { return {40, 16}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_use;
    VerdictTone m_tone = VerdictTone::within;
};

} // namespace divdet
