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
    // What lies outside would be drawn beside the axes; a decade at the very end stays.
    constexpr double kSlack = 1e-9;
    const auto shown = [&](double at) {
        return at >= range.lower - kSlack && at <= range.upper + kSlack && !(m_zero && at < m_zero->second);
    };
    if (m_zero && range.contains(m_zero->first)) {
        ticks << m_zero->first;
        if (tickLabels) *tickLabels << QStringLiteral("0");
    }
    for (int i = 0; i < made.major.size(); ++i) {
        if (!shown(made.major[i])) continue;
        ticks << made.major[i];
        if (tickLabels) *tickLabels << made.labels[i];
    }
    for (double minor : made.minor)
        if (subTicks && shown(minor)) *subTicks << minor;
}

} // namespace divdet
