#include "determinism/switch_cost.h"

#include <algorithm>
#include <cmath>

namespace divdet {

Quartiles quartilesOf(std::span<const double> sample) {
    std::vector<double> sorted(sample.begin(), sample.end());
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(sorted.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, sorted.size() - 1);
        return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
    };
    return {at(0.25), at(0.5), at(0.75)};
}

std::string_view name(CostVerdict verdict) {
    switch (verdict) {
    case CostVerdict::slower:
        return "slower";
    case CostVerdict::faster:
        return "faster";
    case CostVerdict::within:
        break;
    }
    return "within-noise";
}

std::optional<SwitchCost> costOf(std::span<const TimedPair> pairs) {
    if (pairs.empty()) return std::nullopt;
    std::vector<double> off, on, ratio;
    for (const TimedPair& p : pairs) {
        off.push_back(p.off);
        on.push_back(p.on);
        ratio.push_back(p.on / p.off);
    }
    SwitchCost out{pairs.size(), quartilesOf(off), quartilesOf(on), quartilesOf(ratio)};
    if (out.ratio.low > 1) out.verdict = CostVerdict::slower;
    if (out.ratio.high < 1) out.verdict = CostVerdict::faster;
    return out;
}

} // namespace divdet
