#include "judge/metric/safe_tolerance.h"

#include <algorithm>
#include <cmath>

#include "compare/tolerance.h"

namespace divdet {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Bounds and differences are rounded where elements are judged; a few ulps of room keep the promise.
constexpr double kRoom = 8 * std::numeric_limits<double>::epsilon();

double allowed(double rtol, double magnitude, double parts) {
    return parts * linkedAtol(rtol) + rtol * magnitude;
}

/// The rtol at which parts · linkedAtol(rtol) + rtol · magnitude is `amount` (finite, > 0). The left side is
/// convex and rises, so Newton's steps from the right come down to the root and do not pass it.
double solveLinked(double amount, double magnitude, double parts) {
    double rtol = linkedRtol(amount / parts);
    if (magnitude > 0) rtol = std::min(rtol, amount / magnitude);
    for (int i = 0; i < 60; ++i) {
        const double atol = linkedAtol(rtol);
        const double over = parts * atol + rtol * magnitude - amount;
        const double next = rtol - over / (parts * atol * (5.0 / 3) / rtol + magnitude);
        if (!(next < rtol)) break; // also where a step is NaN
        rtol = next;
    }
    return rtol;
}

double largestBelow(double amount, double magnitude, double parts) {
    double rtol = solveLinked(amount, magnitude, parts);
    while (rtol > 0 && !(allowed(rtol, magnitude, parts) * (1 + kRoom) < amount)) rtol *= 1 - kRoom;
    return rtol;
}

double smallestThatPasses(double amount, double magnitude) {
    double rtol = solveLinked(amount, magnitude, 1);
    while (allowed(rtol, magnitude, 1) < amount) rtol *= 1 + kRoom;
    return rtol;
}

} // namespace

ToleranceBound safeTolerance(std::span<const double> r, std::int64_t guess) {
    ToleranceBound out;
    const auto top = static_cast<std::size_t>(guess);
    double second = -kInf, atolAtBest = 0;
    for (std::size_t j = 0; j < r.size(); ++j) {
        if (j == top || r[j] == -kInf) continue;
        second = std::max(second, r[j]);
        const double gap = r[top] - r[j], magnitude = std::fabs(r[top]) + std::fabs(r[j]);
        if (gap == 0) return {0, 0};
        if (std::isinf(gap)) continue; // beyond what doubles hold
        if (out.rtolLinked < kInf && (2 * atolAtBest + out.rtolLinked * magnitude) * (1 + kRoom) < gap)
            continue;
        out.rtolLinked = std::min(out.rtolLinked, largestBelow(gap, magnitude, 2));
        atolAtBest = linkedAtol(out.rtolLinked);
    }
    if (second > -kInf) out.atol = (r[top] - second) / 2 * (1 - kRoom);
    return out;
}

ToleranceBound neededTolerance(std::span<const double> r, std::span<const double> c) {
    ToleranceBound out{0, 0};
    for (std::size_t j = 0; j < r.size(); ++j) {
        if (r[j] == c[j]) continue;
        const double error = std::fabs(c[j] - r[j]);
        if (!std::isfinite(error)) return {kInf, kInf};
        out.atol = std::max(out.atol, error);
        const double magnitude = std::fabs(r[j]);
        if (out.rtolLinked > 0 && allowed(out.rtolLinked, magnitude, 1) >= error) continue;
        out.rtolLinked = std::max(out.rtolLinked, smallestThatPasses(error, magnitude));
    }
    return out;
}

} // namespace divdet
