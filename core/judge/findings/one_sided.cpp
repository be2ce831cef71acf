#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/noise.h"
#include "judge/value_grid.h"

namespace divdet::findings {
namespace {

constexpr std::int64_t kFewest = 64;
constexpr double kAllOneWay = 0.99;
/// Truncation errs by up to an ulp and half of one on average; rounding by up to half.
constexpr double kTruncatedMost = 1.02, kRoundedMost = 0.55, kTruncatedMean = 0.35;

struct Sides {
    std::int64_t toZero = 0, away = 0, up = 0, down = 0;
    double shortfall = 0, size = 0; ///< Σ(|r| − |c|), Σ|r|
    std::int64_t differ() const { return up + down; }
};

Sides sidesOf(const PairSample& s) {
    Sides out;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        const double r = s.r[i], c = s.c[i];
        if (r == c || !std::isfinite(r) || !std::isfinite(c)) continue;
        ++(c > r ? out.up : out.down);
        // Across zero there is no nearer or further.
        if (r * c >= 0) ++(std::fabs(c) < std::fabs(r) ? out.toZero : out.away);
        out.shortfall += std::fabs(r) - std::fabs(c);
        out.size += std::fabs(r);
    }
    return out;
}

bool nearlyAll(std::int64_t part, std::int64_t all) {
    return static_cast<double>(part) >= kAllOneWay * static_cast<double>(all);
}

/// Ulps of the candidate's own type, when it has no coarser grid.
ValueGrid ownGrid(const PairEvidence& pair) {
    const int bits = fractionBits(pair.candidate.dtype) + 1;
    ValueGrid out{bits, name(pair.candidate.dtype), std::ldexp(1.0, -bits), 0, 0};
    const PairSample& s = pair.sample();
    std::int64_t n = 0;
    double sum = 0;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        if (s.r[i] == 0 || !std::isfinite(s.r[i]) || !std::isfinite(s.c[i])) continue;
        int e = 0;
        std::frexp(s.r[i], &e);
        const double ulps = std::fabs(s.c[i] - s.r[i]) / std::ldexp(1.0, e - bits);
        out.largestUlps = std::max(out.largestUlps, ulps);
        sum += ulps;
        ++n;
    }
    out.meanUlps = n ? sum / static_cast<double>(n) : 0;
    return out;
}

} // namespace

/// Nearly every error has the same direction: towards zero as by truncation, or up, or down.
std::optional<Finding> oneSided(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || s.above + s.below < kFewest || s.never > 0 || constantOutput(pair)) return {};
    if (gain(pair) || offset(pair) || flushToZero(pair)) return {}; // they say more
    const Sides sides = sidesOf(pair.sample());
    if (sides.differ() < kFewest) return {};
    const bool toZero = nearlyAll(sides.toZero, sides.differ()), away = nearlyAll(sides.away, sides.differ());
    const bool up = nearlyAll(sides.up, sides.differ()), down = nearlyAll(sides.down, sides.differ());
    if (!toZero && !away && !up && !down) return {};
    const double slope = sides.size > 0 ? sides.shortfall / sides.size : 0;
    const char* way = toZero ? "towards zero" : away ? "away from zero" : up ? "up" : "down";
    const auto found = valueGrid(pair);
    const ValueGrid grid = found ? *found : ownGrid(pair);
    const bool truncated = (toZero || down) && grid.largestUlps > kRoundedMost &&
                           grid.largestUlps <= kTruncatedMost && grid.meanUlps > kTruncatedMean;
    const bool expected = !truncated && s.rms <= noiseModel(pair).honest * s.rmsReference;
    return Finding{
        "one-sided",
        truncated  ? FindingClass::bug
        : expected ? FindingClass::note
                   : FindingClass::unclear,
        fmt::format(
            "Of {} elements that differ {} lie {} of the reference, by {:.3g} of the value on average{}.",
            sides.differ(), std::max({sides.toZero, sides.away, sides.up, sides.down}), way, std::fabs(slope),
            truncated ? fmt::format(": bits beyond {} were cut off, not rounded", grid.type) : ""),
        {{"direction", std::string(way)},
         {"slope", slope},
         {"mean_ulps", grid.meanUlps},
         {"max_ulps", grid.largestUlps},
         {"grid", std::string(grid.type)}}};
}

} // namespace divdet::findings
