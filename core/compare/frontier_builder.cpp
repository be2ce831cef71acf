#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/frontier.h"

namespace divdet {
namespace {

/// Points kept near the frontier before it is capped to its corners. A slider move may look at all of them.
constexpr std::size_t kMaxKept = 65536;
constexpr std::size_t kFirstCompaction = 64;

/// A point this far below the frontier cannot decide although the predicate rounds three times: 2^-49 is
/// eight roundings. Points dropped early use twice that, so that they are below the final line as computed
/// too.
constexpr double kFinalSlack = 0x1p-49;
constexpr double kEarlySlack = 0x1p-48;
constexpr double kLineSlack = 0x1p-1070; ///< rounding of products in the subnormal range is absolute

double ratioOf(const FrontierPoint& p) {
    return p.error / p.magnitude; // inf at m = 0
}

bool fallingError(const FrontierPoint& a, const FrontierPoint& b) {
    return a.error != b.error ? a.error > b.error : a.magnitude < b.magnitude;
}

double lineAt(const FrontierPoint& a, const FrontierPoint& b, double m) {
    const long double slope =
        (static_cast<long double>(b.error) - a.error) / (static_cast<long double>(b.magnitude) - a.magnitude);
    return static_cast<double>(a.error + slope * (static_cast<long double>(m) - a.magnitude));
}

/// Vertices of the upper left hull of the origin and of points with rising m and e.
std::vector<FrontierPoint> hullOf(const std::vector<FrontierPoint>& rising) {
    std::vector<FrontierPoint> hull;
    if (rising.empty() || rising.front().magnitude > 0) hull.push_back({0, 0});
    for (const auto& p : rising) {
        while (hull.size() >= 2 &&
               lineAt(hull[hull.size() - 2], p, hull.back().magnitude) >= hull.back().error)
            hull.pop_back();
        hull.push_back(p);
    }
    return hull;
}

/// Of the points of the staircase those that may decide the sum rule, by rising m.
std::vector<FrontierPoint> nearHull(const std::vector<FrontierPoint>& stairs, bool cornersOnly) {
    std::vector<FrontierPoint> rising;
    for (auto p = stairs.rbegin(); p != stairs.rend(); ++p)
        if (rising.empty() || p->magnitude > rising.back().magnitude) rising.push_back(*p);
    auto hull = hullOf(rising);
    std::vector<FrontierPoint> kept;
    if (cornersOnly) {
        kept.assign(hull.begin() + (hull.front().error == 0), hull.end());
        return kept;
    }
    std::size_t edge = 0;
    for (const auto& p : rising) {
        while (edge + 1 < hull.size() && hull[edge + 1].magnitude <= p.magnitude) ++edge;
        const double line =
            edge + 1 < hull.size() ? lineAt(hull[edge], hull[edge + 1], p.magnitude) : hull[edge].error;
        if (p.error > line * (1 - kFinalSlack) - kLineSlack) kept.push_back(p);
    }
    return kept;
}

} // namespace

FrontierBuilder::FrontierBuilder()
    : m_floors{std::vector<double>(kOctaves, 0.0), std::vector<double>(kOctaves, 0.0)} {}

void FrontierBuilder::push(double magnitude, double error) {
    if (!(error > 0)) return;
    m_pending.push_back({magnitude, error});
    if (m_pending.size() >= kFirstCompaction + m_kept.size()) compact();
}

/// A point stays when no other has a larger or equal e at a smaller or equal m, and its e/m is not clearly
/// below the largest one at larger e.
void FrontierBuilder::compact() {
    if (m_pending.empty()) return;
    std::sort(m_pending.begin(), m_pending.end(), fallingError);
    std::vector<FrontierPoint> all(m_pending.size() + m_kept.size());
    std::merge(m_pending.begin(), m_pending.end(), m_kept.begin(), m_kept.end(), all.begin(), fallingError);
    m_pending.clear();
    const auto filter = [&] {
        m_kept.clear();
        double best = -1, least = std::numeric_limits<double>::infinity();
        for (const auto& p : all) {
            const double ratio = ratioOf(p);
            const bool stays = m_capped ? ratio > best : ratio >= best * (1 - kFinalSlack);
            if (p.magnitude < least && stays) m_kept.push_back(p);
            best = std::max(best, ratio);
            least = std::min(least, p.magnitude);
        }
    };
    filter();
    if (!m_capped && m_kept.size() > kMaxKept) {
        m_capped = true;
        filter();
    }
    raiseFloors();
}

/// For an octave [low, high): points at m <= low rule over its whole width by their e (exactly: both rules
/// are monotone in m); points at m >= high by their ray; and at low the staircase itself is a floor.
void FrontierBuilder::raiseFloors() {
    ++m_revision;
    if (m_kept.empty()) return;
    const double slack = m_capped ? 0.0 : kEarlySlack;
    const std::size_t first = octave(m_kept.back().magnitude), last = octave(m_kept.front().magnitude) + 1;
    auto& [flat, slope] = m_floors;
    const auto raise = [](double& floor, double value) { floor = std::max(floor, value); };
    // Kept points by falling e have falling m and rising e/m.
    std::size_t beyond = 0; // points [0, beyond) have m >= high
    std::size_t above = 0;  // points [0, above) have m > low
    for (std::size_t o = std::min(last, kOctaves - 1) + 1; o-- > first;) {
        const double low = octaveLow(o), high = octaveLow(o + 1);
        while (beyond < m_kept.size() && m_kept[beyond].magnitude >= high) ++beyond;
        while (above < m_kept.size() && m_kept[above].magnitude > low) ++above;
        if (above < m_kept.size()) raise(flat[o], m_kept[above].error);
        if (above > 0) {
            const double ray = ratioOf(m_kept[above - 1]) * low;
            if (std::isfinite(ray)) raise(flat[o], ray * (1 - slack) - kLineSlack);
        }
        if (beyond > 0) raise(slope[o], std::min(ratioOf(m_kept[beyond - 1]), 0x1p1000) * (1 - slack));
    }
    const double steepest = std::min(ratioOf(m_kept.back()), 0x1p1000) * (1 - slack);
    for (std::size_t o = 0; o < first; ++o) raise(slope[o], steepest);
    for (std::size_t o = last + 1; o < kOctaves; ++o) raise(flat[o], m_kept.front().error);
}

const std::vector<FrontierPoint>& FrontierBuilder::points() {
    compact();
    return m_kept;
}

void FrontierBuilder::merge(const std::vector<FrontierPoint>& points, bool capped) {
    m_capped = m_capped || capped;
    for (const auto& p : points) add(p.magnitude, p.error);
}

Frontier FrontierBuilder::finish() {
    compact();
    Frontier f;
    f.m_hull = nearHull(m_kept, m_capped);
    f.m_stairs = std::move(m_kept);
    f.m_capped = m_capped;
    f.findStrict();
    return f;
}

} // namespace divdet
