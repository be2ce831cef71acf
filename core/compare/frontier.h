#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "compare/tolerance.h"

namespace divdet {

/// One element as a tolerance sees it: m = |r| and e = |c − r|, both finite, e > 0.
struct FrontierPoint {
    double magnitude;
    double error;
    friend bool operator==(const FrontierPoint&, const FrontierPoint&) = default;
};

enum class FrontierAnswer {
    passes,
    fails,
    rescan, ///< within rounding of the frontier and the points that would decide were too many to keep
};

/// Every tolerance at once: which (rtol, atol) a set of elements passes.
///
/// Sum rule: an element passes when e <= fl(atol + fl(rtol·m)). That is monotone in m, so an element with a
/// neighbour at smaller-or-equal m and larger-or-equal e never decides. Of the rest only the upper-left
/// convex hull can decide, and, because the predicate rounds, points closer than a few ulps below it. Those
/// points are kept and the rounded predicate is evaluated on them: the answer is that of a scan over all
/// elements. `either` is decided by the staircase of points that are maximal in e and e/m, kept likewise.
class Frontier {
public:
    FrontierAnswer answer(const Tolerance& t) const;

    /// Smallest atol that passes at this rtol; 0 when none is needed, inf when no finite one passes.
    double neededAtol(Rule rule, double rtol) const;
    /// Smallest rtol that passes at this atol; inf when no finite rtol passes.
    double neededRtol(Rule rule, double atol) const;
    /// Smallest rtol with atol = linkedAtol(rtol) that passes.
    double neededLinked(Rule rule) const;

    /// Corners (rtol, atol) of the curve, rtol rising from 0: allclose: the vertices of a convex, falling
    /// polyline; either: the steps of a falling staircase. Empty when every tolerance passes or none does.
    std::vector<std::pair<double, double>> corners(Rule rule) const;

    /// Points that decide the sum rule (by rising m) and `either` (by falling e).
    const std::vector<FrontierPoint>& hull() const { return m_hull; }
    const std::vector<FrontierPoint>& stairs() const { return m_stairs; }
    bool empty() const { return m_hull.empty(); } ///< no finite element differs: every tolerance passes
    bool capped() const { return m_capped; }

    /// The frontier whose kept points these are, in the order of hull() and stairs(): for results read from a
    /// file, which checks that order.
    static Frontier restored(std::vector<FrontierPoint> hull, std::vector<FrontierPoint> stairs, bool capped);

private:
    friend class FrontierBuilder;
    bool passes(const Tolerance& t) const { return answer(t) == FrontierAnswer::passes; }
    void findStrict(); ///< fills the two members below from the kept points

    std::vector<FrontierPoint> m_hull;
    std::vector<FrontierPoint> m_stairs;
    /// The corners alone: they answer all tolerances but those within rounding of the curve, however many
    /// points had to be kept beside them.
    std::vector<FrontierPoint> m_strictHull, m_strictStairs;
    bool m_capped = false;
};

/// Collects points in one pass: a point under the bound of its bucket is dropped at once, survivors are rare.
/// What is kept depends only on the points added and on the order of merges, not on threads.
class FrontierBuilder {
public:
    FrontierBuilder();
    void add(double magnitude, double error) {
        if (error > m_hullFloor[bucket(magnitude)]) pushHull(magnitude, error);
        const double ratio = error / magnitude; // inf at m = 0
        if (ratio >= m_stairFloor[bucket(error)]) pushStair(magnitude, error);
    }
    void merge(const Frontier& other);
    Frontier finish();

    /// Index that grows with x >= 0: four buckets per power of two over all doubles.
    static std::size_t bucket(double x);
    static double bucketLow(std::size_t b); ///< smallest x of bucket b

private:
    void pushHull(double magnitude, double error);
    void pushStair(double magnitude, double error);
    void compactHull();
    void compactStairs();

    std::vector<FrontierPoint> m_hull, m_stairs;
    std::vector<double> m_hullFloor;       ///< per bucket of m: e at or below it cannot decide
    std::vector<double> m_stairFloor;      ///< per bucket of e: e/m below it cannot decide
    std::size_t m_hullLimit, m_stairLimit; ///< sizes at which to compact next
    bool m_hullCapped = false, m_stairCapped = false;
};

} // namespace divdet
