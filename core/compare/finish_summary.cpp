#include <algorithm>
#include <cmath>

#include "compare/chunk.h"

namespace divdet {
namespace {

/// Means and ratios over n pairs. In long double, whose range holds the squares of any double on x86.
void finishSums(const ScanContext& ctx, const WideSums& t, Summary& s) {
    const auto n = static_cast<long double>(s.finite);
    const auto narrow = [](long double x) { return static_cast<double>(x); };
    s.meanAbs = narrow(t.abs / n);
    s.rms = narrow(std::sqrt(t.abs2 / n));
    s.rmsReference = narrow(std::sqrt(t.ref2 / n));
    s.rmsCandidate = narrow(std::sqrt(t.cand2 / n));
    s.meanReference = narrow(t.ref / n);
    if (t.abs2 > 0) s.sqnrDb = narrow(10 * std::log10(t.ref2 / t.abs2));
    if (ctx.complex) return; // the rest needs signed differences
    if (t.ref2 > 0 && t.cand2 > 0) s.cosine = narrow(t.cross / (std::sqrt(t.ref2) * std::sqrt(t.cand2)));
    const long double bias = t.diff / n;
    s.bias = narrow(bias);
    if (n > 1) s.biasError = narrow(std::sqrt(std::max(0.0L, t.abs2 - n * bias * bias) / (n * (n - 1))));
    const long double spread = t.ref2 - t.ref * t.ref / n;
    if (spread > 1e-12L * t.ref2) {
        const long double gain = (t.cross - t.ref * t.cand / n) / spread;
        s.regression = Regression{narrow(gain), narrow((t.cand - gain * t.ref) / n)};
    }
}

} // namespace

Summary finishSummary(const ScanContext& ctx, Chunk&& whole, const TileGrid& grid) {
    Summary s = std::move(whole.part);
    s.frontier = whole.frontier.finish();
    for (Rule rule : {Rule::allclose, Rule::either})
        s.neededLinked[static_cast<std::size_t>(rule)] = s.frontier.neededLinked(rule);
    if (ctx.tiles) s.tiles = whole.tiles.finish(grid);
    s.at.tolerance = ctx.tolerance;
    if (s.at.worst.index >= 0) s.at.worst.rel = s.at.worst.abs / std::fabs(s.at.worst.reference);
    s.bitIdentical = ctx.comparableBytes ? whole.sameBytes
                                         : ctx.reference.dtype == ctx.candidate.dtype &&
                                               s.equal == s.elements && s.signedZero == 0;
    if (ctx.ulpType && !s.maxUlp) s.maxUlp = 0; // no elements
    if (!ctx.full || s.finite == 0) return s;
    WideSums total;
    total += whole.sums.total();
    total += whole.wideSums.total();
    finishSums(ctx, total, s);
    return s;
}

} // namespace divdet
