#pragma once
#include "plots/qcp.h"
#include <QStringList>

namespace divdet {

/// Names below an axis whose coordinate counts things from 0; as many as there is room for.
class DepthTicker : public QCPAxisTicker {
public:
    explicit DepthTicker(const QCPAxis* axis)
        : m_axis(axis) {}
    void setNames(const QStringList& names) { m_names = names; }

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    const QCPAxis* m_axis;
    QStringList m_names;
};

} // namespace divdet
