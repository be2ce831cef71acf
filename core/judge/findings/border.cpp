#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/slice_state.h"

namespace divdet::findings {
namespace {

constexpr std::int64_t kShortest = 6; ///< extent of an axis that can have a border
constexpr double kWrongInside = 0.3;  ///< share of the border's elements that are wrong

/// Where along an axis the wrong elements lie, as the width of the smallest border that holds them.
struct Widths {
    std::int64_t low = 0, high = 0, either = 0;
};

struct Border {
    std::string where;
    std::int64_t width = 0;
    std::int64_t inside = 0, wrong = 0; ///< elements of the border; of them wrong
};

class Borders {
public:
    explicit Borders(const PairEvidence& pair)
        : m_pair(pair)
        , m_limits(errorLimits(pair)) {
        std::int64_t below = 1;
        const Shape& shape = pair.reference.shape;
        for (std::size_t a = shape.size(); a-- > 0;) {
            m_below.insert(m_below.begin(), below);
            below *= shape[a];
        }
    }

    /// No element lies between clean and wrong outside of the border, where none may be wrong at all.
    std::optional<Border> find() const {
        const std::size_t rank = m_pair.reference.shape.size();
        std::optional<Border> best;
        const auto consider = [&](std::optional<Border> b) {
            if (b && (!best || b->inside < best->inside)) best = std::move(b);
        };
        for (std::size_t a = 0; a < rank; ++a) {
            if (extent(a) < kShortest) continue;
            consider(border(
                fmt::format("the last {{}} of {}", name(a)),
                [&](std::int64_t i) { return extent(a) - 1 - at(i, a); }, extent(a)));
            consider(border(
                fmt::format("the first {{}} of {}", name(a)), [&](std::int64_t i) { return at(i, a); },
                extent(a)));
        }
        if (rank >= 2 && extent(rank - 1) >= kShortest && extent(rank - 2) >= kShortest)
            consider(border(
                "the outer frame of the last two axes, {} wide",
                [&](std::int64_t i) { return std::min(inward(i, rank - 1), inward(i, rank - 2)); },
                std::min(extent(rank - 1), extent(rank - 2))));
        return best;
    }

private:
    std::int64_t extent(std::size_t a) const { return m_pair.reference.shape[a]; }
    std::string name(std::size_t a) const {
        return m_pair.context.axisName(a, m_pair.reference.shape.size());
    }
    std::int64_t at(std::int64_t flat, std::size_t a) const { return flat / m_below[a] % extent(a); }
    std::int64_t inward(std::int64_t flat, std::size_t a) const {
        return std::min(at(flat, a), extent(a) - 1 - at(flat, a));
    }

    template <class Depth>
    std::optional<Border> border(const std::string& where, Depth&& depth, std::int64_t length) const {
        const PairSample& s = m_pair.sample();
        std::int64_t deepest = -1;
        for (std::size_t i = 0; i < s.index.size(); ++i)
            if (errorAt(s, i) > m_limits.clean) deepest = std::max(deepest, depth(s.index[i]));
        if (deepest < 0 || 4 * (deepest + 1) > length) return {};
        Border out{fmt::format(fmt::runtime(where), deepest + 1), deepest + 1, 0, 0};
        for (std::size_t i = 0; i < s.index.size(); ++i) {
            if (depth(s.index[i]) > deepest) continue;
            ++out.inside;
            out.wrong += errorAt(s, i) > m_limits.wrong;
        }
        if (static_cast<double>(out.wrong) < kWrongInside * static_cast<double>(out.inside)) return {};
        return out;
    }

    const PairEvidence& m_pair;
    ErrorLimits m_limits;
    std::vector<std::int64_t> m_below; ///< flat step of each axis
};

/// Wrong at every multiple of a tile, or right before it, and nowhere else.
std::optional<Finding> atTiles(const PairEvidence& pair) {
    for (std::size_t axis = 0; axis < pair.reference.shape.size(); ++axis) {
        const auto states = sliceStates(pair, axis);
        for (std::size_t tile = 8; tile * 2 <= states.size(); tile *= 2)
            for (const std::size_t phase : {std::size_t{0}, tile - 1}) {
                std::size_t wrong = 0;
                bool fits = true;
                for (std::size_t i = 0; i < states.size() && fits; ++i) {
                    const bool edge = i % tile == phase;
                    fits = edge ? states[i] == SliceState::bad : states[i] <= SliceState::clean;
                    wrong += edge;
                }
                if (!fits || wrong < 2) continue;
                return Finding{
                    "border",
                    FindingClass::bug,
                    fmt::format(
                        "Along {} exactly the slices {} of each tile of {} are wrong ({} slices); the "
                        "rest agrees.",
                        pair.context.axisName(axis, pair.reference.shape.size()),
                        phase ? "at the end" : "at the start", tile, wrong),
                    {{"axis", static_cast<std::int64_t>(axis)},
                     {"tile", static_cast<std::int64_t>(tile)},
                     {"slices", static_cast<std::int64_t>(wrong)}}};
            }
    }
    return {};
}

} // namespace

/// Wrong in the first or last rows or columns, on a frame, or at the edges of tiles, and clean elsewhere.
std::optional<Finding> border(const PairEvidence& pair) {
    if (quiet(pair) || kind(pair.reference.dtype) == DTypeKind::complex ||
        kind(pair.candidate.dtype) == DTypeKind::complex)
        return {};
    if (explainedAsWhole(pair)) return {};
    if (pair.summary.never == 0 && pair.summary.maxAbs.value <= errorLimits(pair).wrong) return {};
    const auto b = Borders(pair).find();
    if (!b) return atTiles(pair);
    return Finding{"border",
                   FindingClass::bug,
                   fmt::format("Only {} {} wrong ({} of {} elements there); everything else agrees.",
                               b->where, b->where.starts_with("the outer") ? "is" : "are", b->wrong,
                               b->inside),
                   {{"where", b->where}, {"width", b->width}, {"wrong", b->wrong}, {"elements", b->inside}}};
}

} // namespace divdet::findings
