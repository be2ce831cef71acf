#include "judge/taps/sums.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace divdet {
namespace {

constexpr std::size_t kRemembered = 32; ///< earlier taps of the shape that are tried: bounds the work
constexpr std::size_t kFewest = 8;      ///< elements that must agree

/// Does every element of the reference's sample obey whole = left + sign·right, to a few of its roundings?
bool holds(const TapFacts& whole, const TapFacts& left, const TapFacts& right, double sign) {
    constexpr double kUlps = 4;
    const auto &w = whole.sample.reference, &l = left.sample.reference, &r = right.sample.reference;
    double parts = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double size = std::max(std::fabs(l[i]), std::fabs(r[i]));
        const double u = std::max({whole.unit, left.unit, right.unit});
        if (!(std::fabs(w[i] - (l[i] + sign * r[i])) <= kUlps * u * size)) return false;
        parts += std::min(std::fabs(l[i]), std::fabs(r[i])) > kUlps * 4 * u * std::fabs(w[i]);
    }
    return parts >= static_cast<double>(w.size()) / 2; // adding zeros shows nothing
}

TapSum residual(const Chain& chain, TapSum sum) {
    const auto& w = chain.taps[sum.whole].facts->sample.candidate;
    const auto& l = chain.taps[sum.left].facts->sample.candidate;
    const auto& r = chain.taps[sum.right].facts->sample.candidate;
    double error = 0, left = 0, right = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double e = w[i] - (l[i] + sum.sign * r[i]);
        error += e * e;
        left += l[i] * l[i];
        right += r[i] * r[i];
    }
    const double parts = std::sqrt(std::max(left, right));
    sum.residual = parts > 0 ? std::sqrt(error) / parts : 0;
    sum.tolerated = chain.taps[sum.whole].floor;
    return sum;
}

std::optional<TapSum> findSum(const Chain& chain, std::size_t whole,
                              const std::vector<std::size_t>& earlier) {
    const TapFacts& w = *chain.taps[whole].facts;
    for (std::size_t a = earlier.size(); a-- > 0;)
        for (std::size_t b = 0; b < earlier.size(); ++b) {
            if (a == b) continue;
            const TapFacts &l = *chain.taps[earlier[a]].facts, &r = *chain.taps[earlier[b]].facts;
            if (b < a && holds(w, l, r, 1)) return TapSum{whole, earlier[a], earlier[b], 1};
            if (holds(w, l, r, -1)) return TapSum{whole, earlier[a], earlier[b], -1};
        }
    return {};
}

} // namespace

void findSums(Chain& chain) {
    std::map<Shape, std::vector<std::size_t>> earlier;
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const TapFacts& f = *chain.taps[t].facts;
        if (!f.judged || f.sample.reference.size() < kFewest || f.sentinel < 1e300) continue;
        auto& before = earlier[f.shape];
        if (const auto sum = findSum(chain, t, before)) {
            chain.taps[t].exactSum = chain.sums.size();
            chain.sums.push_back(residual(chain, *sum));
        }
        if (before.size() == kRemembered) before.erase(before.begin());
        before.push_back(t);
    }
}

} // namespace divdet
