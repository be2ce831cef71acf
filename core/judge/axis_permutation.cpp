#include "judge/axis_permutation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace divdet {
namespace {

std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// A weight in [1, 2) for a position, so that a weighted sum tells one order of numbers from another.
double weight(std::int64_t position) {
    return 1 + static_cast<double>(mixed(static_cast<std::uint64_t>(position)) >> 11) * 0x1p-53;
}

struct Signatures {
    std::vector<double> reference, candidate, size; ///< weighted sums; sum of magnitudes of the reference
};

Signatures signatures(const PairEvidence& pair, std::size_t axis) {
    const Shape& shape = pair.reference.shape;
    std::int64_t below = 1;
    for (std::size_t a = axis + 1; a < shape.size(); ++a) below *= shape[a];
    const auto n = static_cast<std::size_t>(shape[axis]);
    Signatures out{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
    eachRun(pair, [&](std::int64_t first, auto r, auto c) {
        for (std::size_t i = 0; i < r.size(); ++i) {
            const std::int64_t flat = first + static_cast<std::int64_t>(i);
            const auto slice = static_cast<std::size_t>(flat / below % shape[axis]);
            const double w = weight(flat / (below * shape[axis]) * below + flat % below);
            out.reference[slice] += w * r[i];
            out.candidate[slice] += w * c[i];
            out.size[slice] += w * std::fabs(r[i]);
        }
        return true;
    });
    return out;
}

std::vector<std::size_t> byValue(const std::vector<double>& v) {
    std::vector<std::size_t> order(v.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return v[a] < v[b]; });
    return order;
}

std::optional<std::vector<std::int64_t>> matched(const Signatures& s, double slack) {
    const auto r = byValue(s.reference), c = byValue(s.candidate);
    std::vector<std::int64_t> out(r.size());
    bool moved = false;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (std::fabs(s.reference[r[i]] - s.candidate[c[i]]) > slack * s.size[r[i]]) return {};
        out[c[i]] = static_cast<std::int64_t>(r[i]);
        // Equal slices may have changed places: nobody can tell.
        moved = moved ||
                (r[i] != c[i] && std::fabs(s.reference[c[i]] - s.candidate[c[i]]) > slack * s.size[c[i]]);
    }
    return moved ? std::optional(out) : std::nullopt;
}

} // namespace

std::optional<std::vector<std::int64_t>> axisPermutation(const PairEvidence& pair, std::size_t axis,
                                                         bool exactly) {
    constexpr double kExact = 1e-12; // the same numbers, summed in the same order
    return matched(signatures(pair, axis), exactly ? kExact : 4 * unitRoundoff(pair) + kExact);
}

bool sameValues(const PairEvidence& pair) {
    std::uint64_t r = 0, c = 0;
    eachRun(pair, [&](std::int64_t, auto rs, auto cs) {
        for (std::size_t i = 0; i < rs.size(); ++i) {
            r += mixed(std::bit_cast<std::uint64_t>(rs[i] + 0.0)); // −0 is 0
            c += mixed(std::bit_cast<std::uint64_t>(cs[i] + 0.0));
        }
        return true;
    });
    return r == c;
}

} // namespace divdet
