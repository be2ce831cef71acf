#include "judge/taps/chain.h"

#include <algorithm>
#include <map>

#include "judge/taps/sums.h"
#include "judge/taps/tap_order.h"

namespace divdet {
namespace {

/// A mean this many times the spread is one that an operator may take away, and has, where half is left.
constexpr double kLargeMean = 2;
constexpr std::size_t kRemembered = 64; ///< taps of one shape: bounds the work on very long dumps

/// Earlier taps of a shape that have a large mean, by place in the chain.
using LargeMeans = std::map<Shape, std::vector<std::size_t>>;

void findMeanRemoval(Chain& chain, std::size_t t, LargeMeans& means) {
    ChainTap& tap = chain.taps[t];
    const auto& here = tap.facts->meanShare;
    auto& earlier = means[tap.facts->shape];
    for (const auto i : earlier) {
        const ChainTap& x = chain.taps[i];
        const auto& there = x.facts->meanShare;
        for (std::size_t g = 0; g < here.size(); ++g) {
            if (there[g] < kLargeMean || here[g] > there[g] / 2) continue;
            double factor = there[g];
            // Mean of squares minus squared mean loses the square of it.
            if (chain.context.candidate.has(LossyStep::onePassVariance)) factor *= factor;
            tap.meanFactor = std::max(tap.meanFactor, factor);
            tap.carried = std::max(tap.carried, std::max(x.facts->error, x.floor) * factor);
        }
    }
    if (std::any_of(here.begin(), here.end(), [](double a) { return a >= kLargeMean; })) {
        if (earlier.size() == kRemembered) earlier.erase(earlier.begin());
        earlier.push_back(t);
    }
}

} // namespace

Chain makeChain(std::span<const NamedFacts> facts, const TapContext& context) {
    Chain out{context, {}, {}};
    std::vector<TapName> names;
    for (const auto& f : facts) names.push_back(readTapName(f.name));
    LargeMeans means;
    double earlier = 0;
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
            anyJudged = true;
        }
        same = same && f.same;
    }
    findSums(out);
    return out;
}

} // namespace divdet
