#include <cmath>

#include <fmt/format.h>

#include "judge/affine_slices.h"
#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/slice_state.h"

namespace divdet::findings {
namespace {

constexpr std::size_t kFewestSlices = 4, kFewestElements = 8;
/// Share of the slices after the edge that are wrong, and of their elements that differ.
constexpr double kWrongAfter = 0.4, kDiffer = 0.25;
/// That a clean start of this length is chance.
constexpr double kChance = 0.02;

struct Edge {
    std::size_t axis = 0, first = 0, bad = 0;
    double chance = 1;
};

std::optional<Edge> edgeOf(const PairEvidence& pair, std::size_t axis) {
    const auto states = sliceStates(pair, axis);
    const auto& slices = pair.sample().axes[axis];
    if (states.size() < kFewestSlices) return {};
    Edge out{axis, 0, 0, 1};
    while (out.first < states.size() && states[out.first] <= SliceState::clean) ++out.first;
    if (out.first < 2 || out.first + 2 > states.size() || states[out.first] != SliceState::bad) return {};
    std::int64_t differ = 0, all = 0;
    for (std::size_t i = out.first; i < states.size(); ++i) {
        if (states[i] != SliceState::bad) continue;
        ++out.bad;
        differ += slices[i].differ + slices[i].nonFinite;
        all += slices[i].n + slices[i].nonFinite;
    }
    const double share = static_cast<double>(out.bad) / static_cast<double>(states.size() - out.first);
    if (out.bad < 2 || share < kWrongAfter) return {};
    if (static_cast<double>(differ) < kDiffer * static_cast<double>(all)) return {};
    out.chance = std::pow(1 - std::min(share, 0.9), static_cast<double>(out.first));
    return out.chance < kChance ? std::optional(out) : std::nullopt;
}

} // namespace

/// Clean up to an index of an axis and wrong from there on: a limit of a cache, a window, a length, a type
/// that no longer tells positions apart.
std::optional<Finding> onset(const PairEvidence& pair) {
    if (quiet(pair) || kind(pair.reference.dtype) == DTypeKind::complex ||
        kind(pair.candidate.dtype) == DTypeKind::complex)
        return {};
    if (pair.summary.elements < static_cast<std::int64_t>(kFewestElements)) return {};
    if (explainedAsWhole(pair)) return {};
    std::optional<Edge> best;
    for (std::size_t axis = 0; axis < pair.reference.shape.size(); ++axis)
        if (const auto e = edgeOf(pair, axis); e && (!best || e->chance < best->chance)) best = e;
    if (!best || explainedByAffine(pair, best->axis)) return {};
    const auto n = static_cast<std::int64_t>(best->first);
    const std::size_t rank = pair.reference.shape.size(),
                      after = pair.sample().axes[best->axis].size() - best->first;
    return Finding{
        "onset",
        FindingClass::bug,
        fmt::format("Along {} everything before index {} agrees, and from {} on {} of {} slices are wrong.",
                    pair.context.axisName(best->axis, rank), n, n, best->bad, after),
        {{"axis", static_cast<std::int64_t>(best->axis)},
         {"index", n},
         {"wrong_after", static_cast<std::int64_t>(best->bad)},
         {"slices_after", static_cast<std::int64_t>(after)}}};
}

} // namespace divdet::findings
