#include "plots/label_layout.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace divdet {
namespace {

/// Highest and lowest pixel of the curve between two x; NaN when it is not there.
std::pair<double, double> extent(const QVector<QPointF>& curve, double left, double right) {
    double top = NAN, bottom = NAN;
    const auto take = [&](double y) {
        top = std::isnan(top) ? y : std::min(top, y);
        bottom = std::isnan(bottom) ? y : std::max(bottom, y);
    };
    for (int i = 0; i < curve.size(); ++i) {
        const QPointF p = curve[i];
        if (p.x() >= left && p.x() <= right) take(p.y());
        if (i == 0) continue;
        const QPointF q = curve[i - 1];
        for (double x : {left, right})
            if ((q.x() - x) * (p.x() - x) < 0) take(q.y() + (p.y() - q.y()) * (x - q.x()) / (p.x() - q.x()));
    }
    return {top, bottom};
}

} // namespace

std::vector<QRectF> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& area,
                                const QVector<QRectF>& obstacles) {
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return wishes[a].priority > wishes[b].priority; });
    std::vector<QRectF> out(wishes.size());
    QVector<QRectF> taken = obstacles;
    for (std::size_t i : order)
        for (const QRectF& place : wishes[i].places) {
            const auto hits = [&](const QRectF& r) { return r.intersects(place); };
            if (!area.contains(place) || std::any_of(taken.begin(), taken.end(), hits)) continue;
            out[i] = place;
            taken << place;
            break;
        }
    return out;
}

QVector<QRectF> curveLabelPlaces(const QVector<QPointF>& curve, const QSizeF& size, const QRectF& area,
                                 double gap) {
    QVector<QRectF> out;
    if (curve.isEmpty()) return out;
    const double start = std::max(area.left(), curve.front().x());
    const double inset = 0.05 * area.width();
    for (double share : {0.0, 0.62, 0.35, 0.48, 0.75, 0.2}) {
        const double left = start + inset + share * (area.width() - inset);
        const auto [top, bottom] = extent(curve, left, left + size.width());
        if (std::isnan(top)) continue;
        // Where the curve falls steeply under the text a place above it would float far away from its line.
        out << QRectF(QPointF(left, top - gap - size.height()), size);
        if (bottom - top < 40) out << QRectF(QPointF(left, bottom + gap), size);
    }
    return out;
}

} // namespace divdet
