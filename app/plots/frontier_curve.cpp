#include "plots/frontier_curve.h"
#include <algorithm>
#include <cmath>

namespace divdet {
namespace {

/// rtol values at which the curve is looked up: grid, corners, the step before each corner, the steep end.
std::vector<double> sampleRtols(const Frontier& frontier, Rule rule, double low, double high, int perDecade) {
    std::vector<double> at;
    const double from = std::log10(low), to = std::log10(high);
    const int steps = std::max(1, static_cast<int>(std::ceil((to - from) * perDecade)));
    for (int i = 0; i <= steps; ++i) at.push_back(std::pow(10.0, from + (to - from) * i / steps));
    at.front() = low;
    at.back() = high;
    for (const auto& [rtol, atol] : frontier.corners(rule)) {
        at.push_back(rtol * (1 - 1e-9));
        at.push_back(rtol);
    }
    if (const double end = frontier.neededRtol(rule, 0.0); std::isfinite(end)) {
        for (double gap = 0.5; gap > 1e-9; gap /= 2) at.push_back(end * (1 - gap));
        at.push_back(end);
    }
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    std::erase_if(at, [&](double r) { return !(r >= low && r <= high); });
    return at;
}

FrontierCurve curveOf(const std::vector<const TapPair*>& pairs, const Tolerance& t, double low, double high) {
    FrontierCurve curve;
    std::vector<const Frontier*> frontiers;
    for (const TapPair* pair : pairs) {
        if (!pair->summary) {
            curve.never = curve.never || pair->problem || pair->structural != Verdict::within;
            continue;
        }
        curve.never = curve.never || pair->summary->neverPass(t.equalNan) > 0;
        if (!pair->summary->frontier.empty()) frontiers.push_back(&pair->summary->frontier);
    }
    if (frontiers.size() == 1) curve.points = sampleFrontier(*frontiers.front(), t.rule, low, high);
    if (frontiers.size() > 1) {
        // Merged first: hundreds of pairs with dozens of corners each would make thousands of look-ups.
        FrontierBuilder all;
        for (const Frontier* f : frontiers) all.merge(f->stairs(), f->capped());
        curve.points = sampleFrontier(all.finish(), t.rule, low, high);
    }
    curve.always = !curve.never && curve.points.empty();
    return curve;
}

} // namespace

std::vector<CurvePoint> sampleFrontier(const Frontier& frontier, Rule rule, double low, double high,
                                       int perDecade) {
    std::vector<CurvePoint> out;
    if (frontier.empty() || !(low > 0) || !(high > low)) return out;
    for (double rtol : sampleRtols(frontier, rule, low, high, perDecade)) {
        const double atol = frontier.neededAtol(rule, rtol);
        if (!std::isfinite(atol)) continue;
        out.push_back({rtol, atol});
        if (atol == 0) break;
    }
    return out;
}

FrontierCurve judgedCurve(const Comparison& comparison, const Tolerance& t, double low, double high) {
    std::vector<const TapPair*> pairs;
    for (const TapPair& pair : comparison.pairs)
        if (pair.judged) pairs.push_back(&pair);
    return curveOf(pairs, t, low, high);
}

FrontierCurve pairCurve(const TapPair& pair, const Tolerance& t, double low, double high) {
    return curveOf({&pair}, t, low, high);
}

std::optional<double> curveAtol(const std::vector<CurvePoint>& points, double rtol) {
    const auto after = std::lower_bound(points.begin(), points.end(), rtol,
                                        [](const CurvePoint& p, double r) { return p.rtol < r; });
    if (after == points.end()) return std::nullopt;
    if (after->rtol == rtol) return after->atol > 0 ? std::optional(after->atol) : std::nullopt;
    if (after == points.begin() || !(after->atol > 0)) return std::nullopt;
    const CurvePoint& b = *after;
    const CurvePoint& a = *(after - 1);
    const double t = std::log(rtol / a.rtol) / std::log(b.rtol / a.rtol);
    return a.atol * std::pow(b.atol / a.atol, t);
}

bool sameCurve(const std::vector<CurvePoint>& a, const std::vector<CurvePoint>& b, double decades) {
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (std::fabs(std::log10(a.back().rtol / b.back().rtol)) > decades) return false;
    for (const CurvePoint& p : a) {
        const auto other = curveAtol(b, p.rtol);
        // Near its end a curve falls so steeply that a shift along rtol nobody can see is decades of atol.
        if (p.rtol > 0.5 * a.back().rtol && a.back().atol == 0) break;
        if (p.atol > 0 && other && std::fabs(std::log10(p.atol / *other)) > decades) return false;
    }
    return true;
}

} // namespace divdet
