#include "judge/derived_tolerance.h"

#include <algorithm>
#include <cmath>

#include "compare/frontier.h"
#include "judge/envelope/rules.h"
#include "judge/gaussian_tail.h"

namespace divdet {
namespace {

/// An element counts as near zero below this share of the tap's rms: there a relative tolerance allows
/// little.
constexpr double kNearZero = 0.05;

/// The mean is a double and r may be one: what differs by less is the same number.
constexpr double kSame = 0x1p-45;

double rms(std::span<const double> x) {
    double squares = 0, count = 0;
    for (const double v : x)
        if (std::isfinite(v)) squares += v * v, ++count;
    return count > 0 ? std::sqrt(squares / count) : 0;
}

} // namespace

ElementBounds elementBounds(const envelope::Field& field, std::span<const double> reference, DType output,
                            double p, std::span<const double> possible) {
    ElementBounds out;
    const std::size_t n = std::min(reference.size(), field.mean.size());
    out.k = deviationsFor(p, static_cast<std::int64_t>(n));
    out.bound.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const double shift = std::abs(field.mean[i] - reference[i]);
        if (!std::isfinite(shift)) continue; // the same infinity passes, anything else fails: no bound helps
        if (field.varianceAt(i) == 0) {      // known exactly
            if (shift > kSame * std::abs(reference[i])) out.bound[i] = shift;
            continue;
        }
        const double step = envelope::ulpOf(field.mean[i], output);
        const double sigma = std::sqrt(std::max(0.0, field.varianceAt(i) - step * step / 12));
        double before = shift + out.k * sigma;
        if (!possible.empty()) before = std::min(before, possible[i]);
        // A result pushed across a power of two is rounded in the steps beyond it.
        out.bound[i] = before + envelope::ulpOf(std::abs(reference[i]) + before, output) / 2;
    }
    return out;
}

DerivedTolerance derivedTolerance(const ElementBounds& bounds, std::span<const double> reference, double p) {
    FrontierBuilder all, nearZero;
    const double size = rms(reference);
    for (std::size_t i = 0; i < bounds.bound.size(); ++i) {
        const double m = std::abs(reference[i]), e = bounds.bound[i];
        if (!std::isfinite(m) || !std::isfinite(e) || e <= 0) continue;
        all.add(m, e);
        if (m <= kNearZero * size) nearZero.add(m, e);
    }
    DerivedTolerance out;
    out.k = bounds.k;
    out.p = p;
    const Frontier whole = all.finish();
    const double rtol = whole.neededLinked(Rule::allclose);
    out.linked = {Rule::allclose, rtol, linkedAtol(rtol)};
    // Where nothing lies near zero, a relative tolerance alone covers all.
    const double atol = nearZero.finish().neededAtol(Rule::allclose, 0);
    out.nearZero = {Rule::allclose, whole.neededRtol(Rule::allclose, atol), atol};
    if (!std::isfinite(out.nearZero.rtol))
        out.nearZero = {Rule::allclose, 0, whole.neededAtol(Rule::allclose, 0)};
    return out;
}

} // namespace divdet
