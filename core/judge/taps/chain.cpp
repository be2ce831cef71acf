#include "judge/taps/chain.h"

#include <algorithm>
#include <map>

#include "judge/taps/sums.h"
#include "judge/taps/tap_order.h"

namespace divdet {
namespace {

/// A mean this many times the spread is one that an operator may take away, and has, where half is left.
constexpr double kLargeMean = 2;
constexpr double kMostOf = 0.5;         ///< an amplification that large has happened
constexpr std::size_t kRemembered = 64; ///< taps of one shape: bounds the work on very long dumps

/// An earlier tap with a large mean.
struct LargeMean {
    std::size_t tap = 0;         ///< place in the chain
    bool goneSince = false;      ///< a tap between then and now has the shape, but not the mean
    bool amplifiedSince = false; ///< and its error grew accordingly: later taps inherit from that one
};
using LargeMeans = std::map<Shape, std::vector<LargeMean>>;

/// rms/std of `before` where most of its mean is gone in `here`; 1 where it is not.
double lostMean(const TapFacts& before, const TapFacts& here) {
    double out = 1;
    for (std::size_t g = 0; g < here.meanShare.size(); ++g)
        if (before.meanShare[g] >= kLargeMean && here.meanShare[g] <= before.meanShare[g] / 2)
            out = std::max(out, before.meanShare[g]);
    return out;
}

void findMeanRemoval(Chain& chain, std::size_t t, LargeMeans& means) {
    ChainTap& tap = chain.taps[t];
    auto& earlier = means[tap.facts->shape];
    for (LargeMean& x : earlier) {
        const ChainTap& from = chain.taps[x.tap];
        double factor = lostMean(*from.facts, *tap.facts);
        if (factor == 1) continue;
        // Mean of squares minus squared mean loses the square of it.
        if (chain.context.candidate.has(LossyStep::onePassVariance)) factor *= factor;
        if (!x.goneSince) tap.meanFactor = std::max(tap.meanFactor, factor);
        x.goneSince = true;
        if (x.amplifiedSince) continue;
        const double error = from.facts->error;
        tap.carried =
            std::max(tap.carried, std::max(error, roundingFloor(*from.facts, chain.context)) * factor);
        x.amplifiedSince = error > 0 && tap.facts->error > kMostOf * factor * error;
    }
    const auto& here = tap.facts->meanShare;
    if (std::any_of(here.begin(), here.end(), [](double a) { return a >= kLargeMean; })) {
        if (earlier.size() == kRemembered) earlier.erase(earlier.begin());
        earlier.push_back({t});
    }
}

} // namespace

Chain makeChain(std::span<const NamedFacts> facts, const TapContext& context) {
    Chain out{context, {}, {}};
    std::vector<TapName> names;
    for (const auto& f : facts) names.push_back(readTapName(f.name));
    LargeMeans means;
    double earlier = 0, allowance = 0;
    std::optional<double> last;
    bool same = true, anyJudged = false;
    for (const auto i : executionOrder(names)) {
        ChainTap tap;
        tap.pair = i;
        tap.label = facts[i].name;
        tap.name = names[i];
        tap.facts = &facts[i].facts;
        const TapFacts& f = *tap.facts;
        tap.floor = noiseFloor(f, context);
        tap.earlier = earlier;
        tap.sameBefore = same && anyJudged;
        out.taps.push_back(std::move(tap));
        if (f.judged) {
            findMeanRemoval(out, out.taps.size() - 1, means);
            if (last && f.error > 0) out.taps.back().growth = f.error / *last;
            if (f.error > 0) last = f.error;
            earlier = std::max(earlier, f.error);
            allowance = std::max({allowance, out.taps.back().floor, out.taps.back().carried});
            out.taps.back().allowance = allowance;
            anyJudged = true;
        }
        same = same && f.same;
    }
    findSums(out);
    return out;
}

} // namespace divdet
