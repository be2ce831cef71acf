#include "plots/log_ticker.h"
#include "plots/log_ticks.h"

namespace divdet {

void LogTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                         QVector<double>* subTicks, QVector<QString>* tickLabels) {
    constexpr double kAcross = 62, kUp = 30; // px between labels
    const bool across = m_axis->orientation() == Qt::Horizontal;
    const QRect box = m_axis->axisRect()->rect();
    const LogTicks made =
        logTicks(range.lower, range.upper, across ? box.width() : box.height(), across ? kAcross : kUp);
    ticks.clear();
    if (tickLabels) tickLabels->clear();
    if (subTicks) subTicks->clear();
    if (m_zero) {
        ticks << m_zero->first;
        if (tickLabels) *tickLabels << QStringLiteral("0");
    }
    for (int i = 0; i < made.major.size(); ++i) {
        if (m_zero && made.major[i] < m_zero->second) continue;
        ticks << made.major[i];
        if (tickLabels) *tickLabels << made.labels[i];
    }
    for (double minor : made.minor)
        if (subTicks && !(m_zero && minor < m_zero->second)) *subTicks << minor;
}

} // namespace divdet
