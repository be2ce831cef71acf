#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/noise.h"
#include "judge/pile_up.h"
#include "judge/slice_state.h"

namespace divdet::findings {
namespace {

constexpr double kLeastCut = 0.01; ///< of a slice's largest value

bool real(const PairEvidence& pair) {
    const auto plain = [](DType t) { return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque; };
    return plain(pair.reference.dtype) && plain(pair.candidate.dtype);
}

std::optional<Finding> atLimit(const PairEvidence& pair) {
    const auto p = pileUp(pair);
    if (!p) return {};
    const std::string where =
        p->axis ? fmt::format("Along {} {} slice{} stop{} at a limit; at index {} values",
                              pair.context.axisName(*p->axis, pair.reference.shape.size()), p->slices,
                              p->slices == 1 ? "" : "s", p->slices == 1 ? "s" : "", p->index)
                : std::string("Values");
    Finding out{
        "clipped",
        FindingClass::bug,
        fmt::format("{} pile up at ±{:.6g} while the reference goes on to {:.6g}: {} elements were cut off.",
                    where, p->limit, p->beyond, p->stopped),
        {{"limit", p->limit}, {"beyond", p->beyond}, {"stopped", p->stopped}}};
    if (p->axis) {
        out.evidence.emplace_back("axis", static_cast<std::int64_t>(*p->axis));
        out.evidence.emplace_back("index", p->index);
        out.evidence.emplace_back("slices", p->slices);
    }
    return out;
}

/// Sums whose parts were cut off: only large results are wrong, always too small, and nearly all large ones
/// are.
std::optional<Finding> insideSums(const PairEvidence& pair) {
    constexpr std::int64_t kFewest = 16;
    constexpr double kLargeRight = 0.1;
    if (kind(pair.reference.dtype) != DTypeKind::integer || kind(pair.candidate.dtype) != DTypeKind::integer)
        return {};
    const PairSample& s = pair.sample();
    std::int64_t wrong = 0, largeRight = 0;
    double smallest = INFINITY;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        if (s.r[i] == s.c[i]) continue;
        if (s.r[i] * s.c[i] < 0 || std::fabs(s.c[i]) >= std::fabs(s.r[i])) return {};
        ++wrong;
        smallest = std::min(smallest, std::fabs(s.r[i]));
    }
    const auto right = static_cast<std::int64_t>(s.r.size()) - wrong;
    for (std::size_t i = 0; i < s.r.size(); ++i)
        largeRight += s.r[i] == s.c[i] && std::fabs(s.r[i]) >= smallest;
    if (wrong < kFewest || right < kFewest) return {};
    if (static_cast<double>(largeRight) > kLargeRight * static_cast<double>(wrong)) return {};
    return Finding{
        "clipped",
        FindingClass::bug,
        fmt::format("Only large results are wrong, {} of them, all too small; below {:.6g} everything is "
                    "equal: parts of the sums were cut off at a limit.",
                    wrong, smallest),
        {{"wrong", wrong}, {"smallest_wrong", smallest}, {"large_but_right", largeRight}}};
}

} // namespace

/// Values stop at a limit of their tensor or channel while the reference goes on.
std::optional<Finding> clipped(const PairEvidence& pair) {
    if (!real(pair) || quiet(pair) || !anySliceOff(pair, kLeastCut) || constantOutput(pair) ||
        stagnation(pair))
        return {};
    if (explainedAsWhole(pair)) return {};
    if (auto f = atLimit(pair)) return f;
    return insideSums(pair);
}

} // namespace divdet::findings
