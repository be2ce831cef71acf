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

void Frontier::findStrict() {
    m_strictHull = strictHull(m_hull);
    m_strictStairs.clear();
    double best = -1;
    for (const auto& p : m_stairs) { // by falling e: a corner has a larger e/m than all before it
        const double ratio = p.error / p.magnitude;
        if (ratio > best) m_strictStairs.push_back(p);
        best = std::max(best, ratio);
    }
}

Frontier Frontier::restored(std::vector<FrontierPoint> hull, std::vector<FrontierPoint> stairs, bool capped) {
    Frontier f;
    f.m_hull = std::move(hull);
    f.m_stairs = std::move(stairs);
    f.m_capped = capped;
    f.findStrict();
    return f;
}

FrontierAnswer Frontier::answer(const Tolerance& t) const {
    const bool sum = t.rule != Rule::either;
    const auto& corners = sum ? m_strictHull : m_strictStairs;
    if (answerFrom(corners, t) == FrontierAnswer::fails) return FrontierAnswer::fails;
    // The other points lie under the corners up to rounding: where the corners pass with this much to spare,
    // so do they. Near the smallest doubles a factor is no margin.
    constexpr double kSpare = 1 - 0x1p-46, kSmall = 1e-290;
    const bool scalable = (t.atol == 0 || t.atol > kSmall) && (t.rtol == 0 || t.rtol > kSmall);
    const Tolerance tight{t.rule, t.rtol * kSpare, t.atol * kSpare, t.equalNan};
    if (scalable && answerFrom(corners, tight) == FrontierAnswer::passes) return FrontierAnswer::passes;
    if (m_capped) return FrontierAnswer::rescan;
    return answerFrom(sum ? m_hull : m_stairs, t);
}

double Frontier::neededAtol(Rule rule, double rtol) const {
    double guess = 0;
    if (rule != Rule::either) {
        for (const auto& p : m_strictHull) guess = std::max(guess, p.error - rtol * p.magnitude);
    } else {
        for (const auto& p : m_strictStairs)
            if (p.error > rtol * p.magnitude) guess = std::max(guess, p.error);
    }
    return refine(guess, [&](double atol) { return passes({rule, rtol, atol, false}); });
}

double Frontier::neededRtol(Rule rule, double atol) const {
    double guess = 0;
    for (const auto& p : rule != Rule::either ? m_strictHull : m_strictStairs) {
        if (p.error <= atol) continue;
        if (p.magnitude == 0) return kInf;
        guess = std::max(guess, (rule != Rule::either ? p.error - atol : p.error) / p.magnitude);
    }
    return refine(guess, [&](double rtol) { return passes({rule, rtol, atol, false}); });
}

double Frontier::neededLinked(Rule rule) const {
    const auto ok = [&](double rtol) { return passes({rule, rtol, linkedAtol(rtol), false}); };
    constexpr double kFar = 1e200; // linkedAtol stays finite below it
    return ok(kFar) ? smallest(kFar, ok) : kInf;
}

std::vector<std::pair<double, double>> Frontier::corners(Rule rule) const {
    std::vector<std::pair<double, double>> out;
    if (empty()) return out;
    out.emplace_back(0.0, neededAtol(rule, 0.0));
    if (rule != Rule::either) {
        // Edges of the hull are tolerances at which two elements need the same atol; the curve starts at
        // rtol = 0 with the largest error and ends where the first vertex needs no atol any more.
        for (std::size_t i = m_strictHull.size(); i-- > 1;) {
            const auto &a = m_strictHull[i - 1], &b = m_strictHull[i];
            const double rtol = (b.error - a.error) / (b.magnitude - a.magnitude);
            if (const double atol = neededAtol(rule, rtol); atol > 0 && rtol > out.back().first)
                out.emplace_back(rtol, atol);
        }
        if (const double last = neededRtol(rule, 0.0); last > out.back().first && std::isfinite(last))
            out.emplace_back(last, 0.0);
        return out;
    }
    // Stairs, by falling e and rising e/m: an rtol just above the ratio of one corner satisfies it, and the
    // next corner's e is the atol needed from there on.
    for (std::size_t i = 0; i < m_strictStairs.size(); ++i) {
        const auto& p = m_strictStairs[i];
        if (p.magnitude == 0) break; // no rtol satisfies it
        const double rtol =
            neededRtol(rule, i + 1 < m_strictStairs.size() ? m_strictStairs[i + 1].error : 0.0);
        const double atol = neededAtol(rule, rtol);
        if (rtol > out.back().first && atol < out.back().second) out.emplace_back(rtol, atol);
    }
    return out;
}

} // namespace divdet
