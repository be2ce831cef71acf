#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "judge/findings.h"

namespace divdet::findings {
namespace {

/// `rounds`: the smallest magnitude that no longer rounds to a finite value of the type.
struct Limit {
    DType type;
    double largest, rounds;
};

constexpr std::array<Limit, 5> kLimits{{{DType::f8e4m3, 448, 464},
                                        {DType::f8e5m2, 57344, 61440},
                                        {DType::f16, 65504, 65520},
                                        {DType::bf16, 0x1.fep127, 0x1.ffp127},
                                        {DType::f32, 0x1.fffffep127, 0x1.ffffffp127}}};

} // namespace

/// Every value that was lost (infinite, or NaN in a type without infinities) is beyond the range of one type,
/// and every value that was kept is inside it.
std::optional<Finding> overflow(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    const std::int64_t lost = s.inf.candidate - s.inf.both + s.nan.candidate - s.nan.both;
    if (lost <= 0 || !realFloating(pair)) return {};
    const bool infinite = s.inf.candidate > s.inf.both, nan = s.nan.candidate > s.nan.both;
    if (infinite && nan) return {};
    double smallestLost = std::numeric_limits<double>::infinity(), largestKept = 0;
    eachRun(pair, [&](std::int64_t, auto r, auto c) {
        for (std::size_t i = 0; i < r.size(); ++i) {
            if (std::isfinite(c[i])) largestKept = std::max(largestKept, std::fabs(c[i]));
            // A NaN or an infinity that was in the reference already says nothing of the range.
            else if (std::isfinite(r[i]))
                smallestLost = std::min(smallestLost, std::fabs(r[i]));
            else if (std::isinf(r[i]) && r[i] != c[i])
                smallestLost = 0;
        }
        return smallestLost > 0;
    });
    if (std::isinf(smallestLost)) return {};
    for (const Limit& l : kLimits) {
        if (nan != (l.type == DType::f8e4m3)) continue; // the one type without infinities
        if (smallestLost < l.rounds || largestKept > l.largest) continue;
        return Finding{
            "overflow",
            FindingClass::bug,
            fmt::format("{} value{} beyond the range of {} (largest {:g}) {} lost; the smallest of "
                        "them is {:g} in the reference.",
                        lost, lost == 1 ? "" : "s", name(l.type), l.largest, lost == 1 ? "was" : "were",
                        smallestLost),
            {{"dtype", std::string(name(l.type))},
             {"limit", l.largest},
             {"count", lost},
             {"smallest_lost", smallestLost}}};
    }
    return {};
}

} // namespace divdet::findings
