#pragma once
#include "plots/qcp.h"

namespace divdet {

/// Ticks of an axis whose coordinate is symlog() of a signed quantity.
class SymlogTicker : public QCPAxisTicker {
public:
    explicit SymlogTicker(const QCPAxis* axis)
        : m_axis(axis) {}
    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    const QCPAxis* m_axis;
};

} // namespace divdet
