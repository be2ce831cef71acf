#include "compare/frontier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace divdet {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

FrontierAnswer answerFrom(const std::vector<FrontierPoint>& points, const Tolerance& t) {
    for (const auto& p : points)
        if (!passesFinite(t, p.error, p.magnitude)) return FrontierAnswer::fails;
    return FrontierAnswer::passes;
}

/// Smallest non-negative double for which `ok` holds, given that ok is monotone and ok(high) holds.
/// Searches over bit patterns, which order non-negative doubles.
template <class F>
double smallest(double high, F&& ok) {
    std::uint64_t lo = 0, hi = std::bit_cast<std::uint64_t>(high);
    if (ok(0.0)) return 0.0;
    while (hi - lo > 1) { // lo fails, hi passes
        const std::uint64_t mid = lo + (hi - lo) / 2;
        (ok(std::bit_cast<double>(mid)) ? hi : lo) = mid;
    }
    return std::bit_cast<double>(hi);
}

/// As `smallest`, but starts from a good guess: a bracket of a few ulps usually holds the answer.
template <class F>
double refine(double guess, F&& ok) {
    if (!(guess > 0)) guess = 0;
    double low = guess * (1 - 1e-12), high = guess * (1 + 1e-12) + 1e-320;
    if (ok(low)) return smallest(low, ok);
    if (!ok(high))
        return ok(std::numeric_limits<double>::max()) ? smallest(std::numeric_limits<double>::max(), ok)
                                                      : kInf;
    std::uint64_t lo = std::bit_cast<std::uint64_t>(low), hi = std::bit_cast<std::uint64_t>(high);
    while (hi - lo > 1) {
        const std::uint64_t mid = lo + (hi - lo) / 2;
        (ok(std::bit_cast<double>(mid)) ? hi : lo) = mid;
    }
    return std::bit_cast<double>(hi);
}

/// Strict upper-left hull of points sorted by rising m and rising e: slopes fall from vertex to vertex.
std::vector<FrontierPoint> strictHull(const std::vector<FrontierPoint>& points) {
    std::vector<FrontierPoint> hull;
    for (const auto& p : points) {
        while (hull.size() >= 2) {
            const auto& a = hull[hull.size() - 2];
            const auto& b = hull.back();
            const long double cross = (static_cast<long double>(b.magnitude) - a.magnitude) *
                                          (static_cast<long double>(p.error) - a.error) -
                                      (static_cast<long double>(b.error) - a.error) *
                                          (static_cast<long double>(p.magnitude) - a.magnitude);
            if (cross < 0) break;
            hull.pop_back();
        }
        hull.push_back(p);
    }
    return hull;
}

} // namespace

FrontierAnswer Frontier::answer(const Tolerance& t) const {
    const auto& points = t.rule == Rule::allclose ? m_hull : m_stairs;
    if (!m_capped) return answerFrom(points, t);
    // Without the points near the hull the answer is certain only where a slightly tighter and a slightly
    // looser tolerance agree.
    constexpr double kSlack = 0x1p-46;
    const Tolerance tight{t.rule, t.rtol * (1 - kSlack), t.atol * (1 - kSlack), t.equalNan};
    const Tolerance loose{t.rule, t.rtol * (1 + kSlack), t.atol * (1 + kSlack), t.equalNan};
    if (answerFrom(points, tight) == FrontierAnswer::passes) return FrontierAnswer::passes;
    if (answerFrom(points, loose) == FrontierAnswer::fails) return FrontierAnswer::fails;
    return FrontierAnswer::rescan;
}

double Frontier::neededAtol(Rule rule, double rtol) const {
    const auto& points = rule == Rule::allclose ? m_hull : m_stairs;
    double guess = 0;
    for (const auto& p : points) {
        if (rule == Rule::allclose)
            guess = std::max(guess, p.error - rtol * p.magnitude);
        else if (p.error > rtol * p.magnitude)
            guess = std::max(guess, p.error);
    }
    return refine(guess, [&](double atol) {
        return answerFrom(points, {rule, rtol, atol, false}) == FrontierAnswer::passes;
    });
}

double Frontier::neededRtol(Rule rule, double atol) const {
    const auto& points = rule == Rule::allclose ? m_hull : m_stairs;
    double guess = 0;
    for (const auto& p : points) {
        if (p.error <= atol) continue;
        if (p.magnitude == 0) return kInf;
        guess = std::max(guess, (rule == Rule::allclose ? p.error - atol : p.error) / p.magnitude);
    }
    return refine(guess, [&](double rtol) {
        return answerFrom(points, {rule, rtol, atol, false}) == FrontierAnswer::passes;
    });
}

double Frontier::neededLinked(Rule rule) const {
    const auto& points = rule == Rule::allclose ? m_hull : m_stairs;
    const auto ok = [&](double rtol) {
        return answerFrom(points, {rule, rtol, linkedAtol(rtol), false}) == FrontierAnswer::passes;
    };
    constexpr double kFar = 1e200; // linkedAtol stays finite below it
    return ok(kFar) ? smallest(kFar, ok) : kInf;
}

std::vector<std::pair<double, double>> Frontier::corners(Rule rule) const {
    std::vector<std::pair<double, double>> out;
    if (empty()) return out;
    if (rule == Rule::allclose) {
        // Edges of the hull are tolerances at which two elements need the same atol; the curve starts at
        // rtol = 0 with the largest error and ends where the first vertex needs no atol any more.
        const auto hull = strictHull(m_hull);
        out.emplace_back(0.0, neededAtol(rule, 0.0));
        for (std::size_t i = hull.size(); i-- > 1;) {
            const auto &a = hull[i - 1], &b = hull[i];
            const double rtol = (b.error - a.error) / (b.magnitude - a.magnitude);
            if (const double atol = neededAtol(rule, rtol); atol > 0 && rtol > out.back().first)
                out.emplace_back(rtol, atol);
        }
        if (const double last = neededRtol(rule, 0.0); last > out.back().first && std::isfinite(last))
            out.emplace_back(last, 0.0);
        return out;
    }
    // Stairs: at rtol equal to a point's e/m that point is satisfied, and the next larger-ratio point rules.
    std::vector<double> ratios{0.0};
    for (const auto& p : m_stairs)
        if (p.magnitude > 0) ratios.push_back(p.error / p.magnitude);
    std::sort(ratios.begin(), ratios.end());
    for (double r : ratios) {
        const double rtol = r > 0 ? std::nextafter(r, kInf) : 0.0;
        const double atol = neededAtol(rule, rtol);
        if (out.empty() || atol < out.back().second) out.emplace_back(rtol, atol);
    }
    return out;
}

} // namespace divdet
