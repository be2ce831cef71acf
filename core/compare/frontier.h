#pragma once
#include <bit>
#include <cstddef>
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

/// Collects points in one pass: a point that another one dominates by its octave's floor is dropped at once,
/// survivors are rare. What is kept depends only on the points added and on the order of merges, not on
/// threads.
///
/// One staircase serves both rules: a point q rules over all (m, e) with e <= e_q and e/m <= e_q/m_q, and
/// what it rules over lies under the hull too, when the origin counts as a vertex: below the ray through the
/// largest e/m no point decides, because atol is not negative.
class FrontierBuilder {
public:
    static constexpr std::size_t kOctaves = 2047; ///< by the exponent field of m; the first one holds 0

    /// A finite pair at magnitude m cannot decide when e <= flat or e <= slope·m, m's octave given. Both only
    /// grow while points are added.
    struct Floors {
        std::vector<double> flat, slope;
    };

    FrontierBuilder();
    /// Starts with the floors of points that come earlier in the order of merges.
    explicit FrontierBuilder(const Floors& earlier)
        : m_floors(earlier) {}

    void add(double magnitude, double error) {
        const std::size_t o = octave(magnitude);
        if (error <= m_floors.flat[o] || error <= m_floors.slope[o] * magnitude - kAbsoluteSlack) return;
        push(magnitude, error);
    }
    const std::vector<FrontierPoint>& points(); ///< those kept so far
    void merge(const std::vector<FrontierPoint>& points, bool capped);
    void merge(const Frontier& other) { merge(other.stairs(), other.capped()); }
    Frontier finish();

    const Floors& floors() const { return m_floors; }
    bool capped() const { return m_capped; }
    /// Grows whenever the floors may have risen.
    std::uint64_t revision() const { return m_revision; }

    static std::size_t octave(double x) {
        return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(x) >> 52);
    }
    /// Smallest value of octave o; infinite past the last one.
    static double octaveLow(std::size_t o) { return std::bit_cast<double>(std::uint64_t{o} << 52); }

private:
    /// Rounding of products in the subnormal range is absolute. A normal number, which costs no assist.
    static constexpr double kAbsoluteSlack = 0x1p-1000;

    void push(double magnitude, double error);
    void compact();
    void raiseFloors();

    std::vector<FrontierPoint> m_kept, m_pending; ///< kept: by falling e
    Floors m_floors;
    std::uint64_t m_revision = 0;
    bool m_capped = false;
};

} // namespace divdet
