#include "plots/symlog_ticker.h"

#include "plots/histogram_bars.h"

namespace divdet {

void SymlogTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                            QVector<double>* subTicks, QVector<QString>* tickLabels) {
    constexpr double kApart = 44; // px
    const SymlogTicks found = symlogTicks(range.lower, range.upper, m_axis->axisRect()->width(), kApart);
    ticks = QVector<double>(found.places.begin(), found.places.end());
    if (subTicks) subTicks->clear();
    if (tickLabels) *tickLabels = QVector<QString>(found.labels.begin(), found.labels.end());
}

} // namespace divdet
