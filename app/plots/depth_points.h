#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "compare/comparison.h"

namespace divdet {

/// One tap along depth as the depth plot draws it.
struct DepthPoint {
    QString tap;
    std::optional<double> zRms, zLargest; ///< in standard deviations of the envelope
    std::optional<BoundScore> bound;
    std::optional<PairClass> pairClass;
    bool judged = false, firstFault = false;
};

/// The pairs of a comparison in depth order.
std::vector<DepthPoint> depthPoints(const Comparison& comparison);

/// log10 range that holds every z above 0 and the band of honest runs, with room at both ends.
std::pair<double, double> depthRange(const std::vector<DepthPoint>& points);

/// Which of `count` positions get a label when each needs `labelPx` of `lengthPx`: every n-th from the first.
int labelStep(int count, double lengthPx, double labelPx);

} // namespace divdet
