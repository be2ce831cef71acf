#include "plots/depth_points.h"

#include <algorithm>
#include <cmath>

#include "models/class_look.h"

namespace divdet {

std::vector<DepthPoint> depthPoints(const Comparison& comparison) {
    std::vector<DepthPoint> out;
    const int first = firstFaulty(comparison);
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
        const TapPair& pair = comparison.pairs[i];
        out.push_back({QString::fromStdString(pair.name), pair.zRms, pair.zLargest, pair.bound,
                       pair.pairClass, pair.judged, static_cast<int>(i) == first});
    }
    return out;
}

std::pair<double, double> depthRange(const std::vector<DepthPoint>& points) {
    double low = std::log10(kZLow), high = std::log10(kZHigh);
    for (const DepthPoint& point : points)
        for (const auto& z : {point.zRms, point.zLargest}) {
            if (!z || !(*z > 0) || !std::isfinite(*z)) continue;
            low = std::min(low, std::log10(*z));
            high = std::max(high, std::log10(*z));
        }
    // A tap that is nearly exact must not squeeze the others against the upper edge.
    low = std::max(low, high - 12);
    const double room = std::max(0.15, 0.08 * (high - low));
    return {low - room, high + room};
}

int labelStep(int count, double lengthPx, double labelPx) {
    if (count <= 0 || !(lengthPx > 0) || !(labelPx > 0)) return 1;
    return std::max(1, static_cast<int>(std::ceil(count * labelPx / lengthPx)));
}

} // namespace divdet
