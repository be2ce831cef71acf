#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/reordered.h"
#include "tensor/shape.h"

namespace divdet::findings {
namespace {

std::int64_t flatOf(const Index& at, const Shape& shape) {
    std::int64_t out = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) out = out * shape[a] + at[a];
    return out;
}

Shape swappedShape(Shape shape, std::size_t a, std::size_t b) {
    std::swap(shape[a], shape[b]);
    return shape;
}

} // namespace

/// Two axes changed places: plainly where they are equally long, else by reading the bytes of one layout with
/// the shape of the other.
std::optional<Finding> transposed(const PairEvidence& pair) {
    const Shape& shape = pair.reference.shape;
    if (shape.size() < 2 || !mayBeReordered(pair)) return {};
    for (std::size_t b = shape.size(); b-- > 1;)
        for (std::size_t a = b; a-- > 0;) {
            if (shape[a] < 2 || shape[b] < 2) continue;
            const Shape other = swappedShape(shape, a, b);
            // The candidate's memory holds the swapped tensor, or was filled through the swapped shape.
            const auto stored = [&](std::int64_t i) {
                Index at = unravel(i, other);
                std::swap(at[a], at[b]);
                return flatOf(at, shape);
            };
            const auto read = [&](std::int64_t i) {
                Index at = unravel(i, shape);
                std::swap(at[a], at[b]);
                return flatOf(at, other);
            };
            const bool plain = shape[a] == shape[b];
            const bool first = isReordering(pair, stored);
            if (!first && (plain || !isReordering(pair, read))) continue;
            const std::size_t rank = shape.size();
            const std::string names =
                fmt::format("{} and {}", pair.context.axisName(a, rank), pair.context.axisName(b, rank));
            return Finding{
                "transposed",
                FindingClass::bug,
                plain ? fmt::format("The candidate is the reference with {} exchanged.", names)
                      : fmt::format(
                            "Every value of the reference is there, but {}: the strides of {} were ignored.",
                            first ? fmt::format("in the memory order of the transposed tensor {}",
                                                toString(other))
                                  : fmt::format("as if its memory were that of {} and then transposed",
                                                toString(other)),
                            names),
                {{"axes", Index{static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)}},
                 {"map", std::string(plain   ? "transpose"
                                     : first ? "transpose then reshape"
                                             : "reshape then transpose")}}};
        }
    return {};
}

} // namespace divdet::findings
