#include <fmt/format.h>

#include "judge/axis_permutation.h"
#include "judge/findings.h"
#include "judge/reordered.h"

namespace divdet::findings {
namespace {

/// What the order of slices is, in words.
std::string describe(const std::vector<std::int64_t>& from) {
    const auto n = static_cast<std::int64_t>(from.size());
    bool reversed = true, rolled = true;
    std::int64_t moved = 0, firstMoved = -1;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t f = from[static_cast<std::size_t>(i)];
        reversed = reversed && f == n - 1 - i;
        rolled = rolled && f == (i + from[0]) % n;
        if (f == i) continue;
        ++moved;
        if (firstMoved < 0) firstMoved = i;
    }
    if (reversed) return "in reverse order";
    if (rolled) return fmt::format("rolled by {}", (n - from[0]) % n);
    const std::int64_t source = from[static_cast<std::size_t>(firstMoved)];
    if (moved == 2) return fmt::format("with {} and {} exchanged", firstMoved, source);
    return fmt::format("in another order ({} of {} moved; at {} stands {})", moved, n, firstMoved, source);
}

} // namespace

/// The slices of an axis are in another order, or the same values stand elsewhere in an order that has no
/// name.
std::optional<Finding> permuted(const PairEvidence& pair) {
    if (!mayBeReordered(pair) || transposed(pair)) return {};
    const Shape& shape = pair.reference.shape;
    // Within rounding, coarse slices of a wrong axis may match by chance: what moved unchanged goes first.
    for (const bool exactly : {true, false})
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            if (shape[axis] < 2) continue;
            const auto from = axisPermutation(pair, axis, exactly);
            if (!from) continue;
            return Finding{"permuted",
                           FindingClass::bug,
                           fmt::format("The candidate holds the reference's slices along {} {}.",
                                       pair.context.axisName(axis, shape.size()), describe(*from)),
                           {{"axis", static_cast<std::int64_t>(axis)}, {"order", describe(*from)}}};
        }
    if (!sameValues(pair)) return {};
    return Finding{"permuted",
                   FindingClass::bug,
                   "Every value of the reference is there, each as often, but in other places.",
                   {{"elements", pair.summary.elements}}};
}

} // namespace divdet::findings
