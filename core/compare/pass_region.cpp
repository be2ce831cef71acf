#include "compare/pass_region.h"

#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace divdet {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kFar = 1e3; // rtol: beyond it a tolerance says nothing about any tensor

} // namespace

double PassRegion::neededAtol(Rule rule, double rtol) const {
    return never ? kInf : frontier.neededAtol(rule, rtol);
}

double PassRegion::neededOnLine(const Tolerance& t, double scale) const {
    const auto ok = [&](double rtol) {
        return passes({t.rule, rtol, scale * linkedAtol(rtol), t.equalNan, {}});
    };
    if (ok(0)) return 0;
    if (!ok(kFar)) return kInf;
    // Bit patterns order non-negative doubles.
    std::uint64_t fails = 0, holds = std::bit_cast<std::uint64_t>(kFar);
    while (holds - fails > 1) {
        const std::uint64_t middle = fails + (holds - fails) / 2;
        (ok(std::bit_cast<double>(middle)) ? holds : fails) = middle;
    }
    return std::bit_cast<double>(holds);
}

PassRegion passRegion(std::span<const Comparison* const> comparisons, const Tolerance& t) {
    PassRegion out;
    FrontierBuilder all;
    for (const Comparison* c : comparisons) {
        out.never = out.never || c->missingJudged || c->partial;
        for (const TapPair& pair : c->pairs) {
            if (!pair.judged) continue;
            if (!pair.summary) {
                out.never = true;
                continue;
            }
            out.never = out.never || pair.summary->neverPass(t.equalNan) > 0;
            all.merge(pair.summary->frontier);
        }
    }
    out.frontier = all.finish();
    return out;
}

std::vector<PassRegion> zerosRegions(std::span<const Comparison* const> comparisons) {
    std::set<std::pair<double, double>> ends; // smallest and largest magnitude of a pair's reference
    for (const Comparison* c : comparisons)
        for (const TapPair& pair : c->pairs) {
            if (!pair.judged || !pair.summary) continue;
            const Summary& s = *pair.summary;
            if (s.elements > 0 && s.equal != s.elements && s.finiteReference == s.elements &&
                s.maxMagnitude > 0)
                ends.emplace(s.minMagnitude, s.maxMagnitude);
        }
    std::vector<PassRegion> out;
    for (const auto& [smallest, largest] : ends) {
        FrontierBuilder zeros; // e = m
        zeros.add(smallest, smallest);
        zeros.add(largest, largest);
        out.push_back({zeros.finish(), false});
    }
    return out;
}

} // namespace divdet
