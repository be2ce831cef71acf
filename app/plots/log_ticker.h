#pragma once
#include "plots/qcp.h"
#include <optional>

namespace divdet {

/// Ticks `1e-5`, `1`, `10` on an axis whose coordinate is log10 of the value: plain coordinates keep colour
/// maps evenly spaced and zeros out of the way. Labels thin out by the axis's length in pixels.
class LogTicker : public QCPAxisTicker {
public:
    explicit LogTicker(const QCPAxis* axis)
        : m_axis(axis) {}

    /// A place below the data that stands for exact zero: gets the label "0", and no tick lies below `edge`.
    void setZero(double at, double edge) { m_zero = {at, edge}; }
    void clearZero() { m_zero.reset(); }

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    const QCPAxis* m_axis;
    std::optional<std::pair<double, double>> m_zero;
};

} // namespace divdet
