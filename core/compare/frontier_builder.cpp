#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "compare/frontier.h"

namespace divdet {
namespace {

/// Points kept near the frontier before it is capped to the strict hull. A slider move looks at all of them.
constexpr std::size_t kMaxKept = 65536;
constexpr std::size_t kFirstCompaction = 8192;
constexpr std::size_t kBuckets = (2047u << 2) + 4;

/// A point this far below the hull cannot decide although the predicate rounds three times: 2^-49 is eight
/// roundings. Points dropped early use twice that, so that they are below the final line as computed too.
constexpr double kFinalSlack = 0x1p-49;
constexpr double kEarlySlack = 0x1p-48;
/// Rounding of products in the subnormal range is absolute.
constexpr double kAbsoluteSlack = 0x1p-1070;

double lineAt(const FrontierPoint& a, const FrontierPoint& b, double m) {
    const long double slope =
        (static_cast<long double>(b.error) - a.error) / (static_cast<long double>(b.magnitude) - a.magnitude);
    return static_cast<double>(a.error + slope * (static_cast<long double>(m) - a.magnitude));
}

/// Points no other point beats in both m (smaller or equal) and e (larger or equal), by rising m.
void paretoByMagnitude(std::vector<FrontierPoint>& points) {
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
        return a.magnitude != b.magnitude ? a.magnitude < b.magnitude : a.error > b.error;
    });
    std::size_t kept = 0;
    for (const auto& p : points)
        if (kept == 0 || p.error > points[kept - 1].error) points[kept++] = p;
    points.resize(kept);
}

std::vector<FrontierPoint> hullOf(const std::vector<FrontierPoint>& pareto) {
    std::vector<FrontierPoint> hull;
    for (const auto& p : pareto) {
        while (hull.size() >= 2 &&
               lineAt(hull[hull.size() - 2], p, hull.back().magnitude) >= hull.back().error)
            hull.pop_back();
        hull.push_back(p);
    }
    return hull;
}

double ratioOf(const FrontierPoint& p) {
    return p.error / p.magnitude;
}

} // namespace

FrontierBuilder::FrontierBuilder()
    : m_hullFloor(kBuckets, -1.0)
    , m_stairFloor(kBuckets, 0.0)
    , m_hullLimit(kFirstCompaction)
    , m_stairLimit(kFirstCompaction) {}

std::size_t FrontierBuilder::bucket(double x) {
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(x) >> 50);
}

double FrontierBuilder::bucketLow(std::size_t b) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(b) << 50);
}

void FrontierBuilder::pushHull(double magnitude, double error) {
    m_hull.push_back({magnitude, error});
    if (m_hull.size() >= m_hullLimit) compactHull();
}

void FrontierBuilder::pushStair(double magnitude, double error) {
    if (!(error > 0)) return;
    m_stairs.push_back({magnitude, error});
    if (m_stairs.size() >= m_stairLimit) compactStairs();
}

void FrontierBuilder::compactHull() {
    paretoByMagnitude(m_hull);
    const auto hull = hullOf(m_hull);
    if (!m_hullCapped) {
        std::vector<FrontierPoint> kept;
        std::size_t edge = 0;
        for (const auto& p : m_hull) {
            while (edge + 1 < hull.size() && hull[edge + 1].magnitude <= p.magnitude) ++edge;
            // Left of the first vertex there is no Pareto point; right of the last one likewise.
            const double line =
                edge + 1 < hull.size() ? lineAt(hull[edge], hull[edge + 1], p.magnitude) : hull[edge].error;
            if (p.error > line * (1 - kFinalSlack) - kAbsoluteSlack) kept.push_back(p);
        }
        m_hullCapped = kept.size() > kMaxKept;
        if (!m_hullCapped) m_hull = std::move(kept);
    }
    if (m_hullCapped) m_hull = hull;
    m_hullLimit = 2 * m_hull.size() + kFirstCompaction;

    std::size_t edge = 0;
    for (std::size_t b = 0; b < kBuckets; ++b) {
        const double m = bucketLow(b);
        if (hull.empty() || m < hull.front().magnitude || !std::isfinite(m)) continue;
        while (edge + 1 < hull.size() && hull[edge + 1].magnitude <= m) ++edge;
        const double line = edge + 1 < hull.size() ? lineAt(hull[edge], hull[edge + 1], m) : hull[edge].error;
        const double slack = m_hullCapped ? 0.0 : kEarlySlack;
        m_hullFloor[b] = std::max(m_hullFloor[b], line * (1 - slack) - kAbsoluteSlack);
    }
}

void FrontierBuilder::compactStairs() {
    // By falling e; a point stays when its e/m is not clearly below the largest one seen at larger e, and no
    // point at larger-or-equal e has a smaller-or-equal m.
    std::sort(m_stairs.begin(), m_stairs.end(), [](const auto& a, const auto& b) {
        return a.error != b.error ? a.error > b.error : a.magnitude < b.magnitude;
    });
    std::vector<FrontierPoint> kept, strict;
    double best = -1, least = std::numeric_limits<double>::infinity();
    for (const auto& p : m_stairs) {
        const double ratio = ratioOf(p);
        if (kept.empty() || (p.magnitude < least && ratio >= best * (1 - kFinalSlack))) kept.push_back(p);
        if (ratio > best) strict.push_back(p);
        best = std::max(best, ratio);
        least = std::min(least, p.magnitude);
    }
    m_stairCapped = m_stairCapped || kept.size() > kMaxKept;
    m_stairs = m_stairCapped ? std::move(strict) : std::move(kept);
    m_stairLimit = 2 * m_stairs.size() + kFirstCompaction;

    // For a bucket of e the points with e at or above its upper end rule; walk both from the top.
    std::size_t next = 0;
    best = 0;
    for (std::size_t b = kBuckets - 1; b-- > 0;) {
        while (next < m_stairs.size() && m_stairs[next].error >= bucketLow(b + 1))
            best = std::max(best, ratioOf(m_stairs[next++]));
        const double floor = std::isinf(best) ? best : best * (1 - kEarlySlack);
        m_stairFloor[b] = std::max(m_stairFloor[b], floor);
    }
}

void FrontierBuilder::merge(const Frontier& other) {
    m_hullCapped = m_hullCapped || other.m_capped;
    m_stairCapped = m_stairCapped || other.m_capped;
    for (const auto& p : other.m_hull) pushHull(p.magnitude, p.error);
    for (const auto& p : other.m_stairs) pushStair(p.magnitude, p.error);
}

Frontier FrontierBuilder::finish() {
    compactHull();
    compactStairs();
    Frontier f;
    f.m_hull = std::move(m_hull);
    f.m_stairs = std::move(m_stairs);
    f.m_capped = m_hullCapped || m_stairCapped;
    f.findStrict();
    return f;
}

} // namespace divdet
