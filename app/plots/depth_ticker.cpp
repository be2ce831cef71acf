#include "plots/depth_ticker.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/fonts.h"
#include "plots/depth_points.h"

namespace divdet {

void DepthTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                           QVector<double>* subTicks, QVector<QString>* tickLabels) {
    constexpr double kWidest = 110, kGap = 10; // px
    ticks.clear();
    if (subTicks) subTicks->clear();
    if (tickLabels) tickLabels->clear();
    const int first = std::max(0, static_cast<int>(std::ceil(range.lower)));
    const int last =
        std::min(static_cast<int>(m_names.size()) - 1, static_cast<int>(std::floor(range.upper)));
    if (last < first) return;
    const QFontMetricsF metrics(divdet::font(FontStep::tick));
    double widest = 0;
    for (int i = first; i <= last; ++i) widest = std::max(widest, metrics.horizontalAdvance(m_names.at(i)));
    widest = std::min(widest, kWidest);
    const double perTap = m_axis->axisRect()->width() / std::max(1e-9, range.size());
    // Few taps: shorter names rather than fewer of them, as long as something can be read.
    const double room = std::max(perTap - kGap, 44.0);
    const double label = std::min(widest, room);
    const int step = labelStep(last - first + 1, perTap * (last - first + 1), label + kGap);
    for (int i = first - first % step; i <= last; i += step) {
        if (i < first) continue;
        ticks << i;
        const double width = std::min(kWidest, step * perTap - kGap);
        if (tickLabels) *tickLabels << metrics.elidedText(m_names.at(i), Qt::ElideMiddle, width);
    }
}

} // namespace divdet
