#include "judge/pile_up.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "judge/noise.h"

namespace divdet {
namespace {

constexpr std::int64_t kFewestStopped = 3;

struct Group {
    double limit = 0;
    std::int64_t at = 0, inside = 0, wrong = 0, short_ = 0; ///< short_: at the limit, with a larger reference
    double beyond = 0, excess = 0;
};

template <class SliceOf>
std::vector<Group> groupsOf(const PairSample& s, std::size_t count, double slack, double floor,
                            SliceOf&& of) {
    std::vector<Group> out(count);
    for (std::size_t i = 0; i < s.c.size(); ++i)
        if (std::isfinite(s.c[i])) {
            Group& g = out[of(i)];
            g.limit = std::max(g.limit, std::fabs(s.c[i]));
        }
    for (std::size_t i = 0; i < s.c.size(); ++i) {
        Group& g = out[of(i)];
        const double c = std::fabs(s.c[i]), r = std::fabs(s.r[i]);
        if (!std::isfinite(c) || !std::isfinite(r)) {
            ++g.wrong;
        } else if (c == g.limit && r * (1 - slack) > g.limit + floor) {
            ++g.short_;
            g.beyond = std::max(g.beyond, r);
            g.excess += r - g.limit;
            g.wrong += (s.c[i] < 0) != (s.r[i] < 0);
        } else {
            ++g.inside;
            g.at += c == g.limit;
            g.wrong += std::fabs(s.c[i] - s.r[i]) > slack * r + floor;
        }
    }
    return out;
}

bool stops(const Group& g) {
    // Values that just reach the limit are few; what agrees must agree, but for a flip or two.
    return g.limit > 0 && g.short_ >= kFewestStopped && g.wrong * 50 <= g.inside + g.short_ && g.inside > 0 &&
           g.excess > 0.02 * g.limit * static_cast<double>(g.short_);
}

} // namespace

std::optional<PileUp> pileUp(const PairEvidence& pair) {
    const PairSample& s = pair.sample();
    const NoiseModel noise = noiseModel(pair);
    const double slack = 4 * noise.unit;
    // Noise of the declared steps does not scale with the element.
    const double floor = 4 * noise.honest * s.all.rmsReference();
    const auto take = [](const std::vector<Group>& groups) -> std::optional<PileUp> {
        std::optional<PileUp> out;
        double most = 0;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (!stops(groups[i])) continue;
            if (!out) out.emplace();
            ++out->slices;
            out->stopped += groups[i].short_;
            if (groups[i].excess <= most) continue;
            most = groups[i].excess;
            out->index = static_cast<std::int64_t>(i);
            out->limit = groups[i].limit;
            out->beyond = groups[i].beyond;
        }
        return out;
    };
    if (auto whole = take(groupsOf(s, 1, slack, floor, [](std::size_t) { return std::size_t{0}; })))
        return whole;
    const Shape& shape = pair.reference.shape;
    if (shape.size() < 2) return {};
    std::optional<PileUp> best;
    std::int64_t below = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; below *= shape[axis]) {
        auto found =
            take(groupsOf(s, static_cast<std::size_t>(shape[axis]), slack, floor, [&](std::size_t i) {
                return static_cast<std::size_t>(s.index[i] / below % shape[axis]);
            }));
        if (!found || (best && best->stopped >= found->stopped)) continue;
        found->axis = axis;
        best = found;
    }
    return best;
}

} // namespace divdet
