#include "judge/taps/diagonals.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace divdet {
namespace {

constexpr std::int64_t kShortest = 8;

} // namespace

std::vector<DiagonalFacts> findDiagonals(const TapElements& elements, double rms, const Progress& progress) {
    const Shape& shape = elements.shape();
    if (shape.size() < 2 || !(rms > 0)) return {};
    const std::int64_t side = shape.back();
    if (side < kShortest || shape[shape.size() - 2] != side) return {};
    std::vector<DiagonalFacts> all(static_cast<std::size_t>(2 * side - 1));
    std::vector<bool> zero(all.size(), true);
    std::array<double, TapElements::kBlock> r, c;
    const std::int64_t total = elements.data().reference.elements();
    for (std::int64_t first = 0; first < total && !progress.cancelled(); first += TapElements::kBlock) {
        const auto n = static_cast<std::size_t>(std::min(TapElements::kBlock, total - first));
        elements.load(first, {r.data(), n}, {c.data(), n});
        for (std::size_t i = 0; i < n; ++i) {
            const std::int64_t flat = first + static_cast<std::int64_t>(i);
            const auto d = static_cast<std::size_t>(flat % side - flat / side % side + side - 1);
            if (r[i] != 0) zero[d] = false;
            if (c[i] == 0 || !zero[d]) continue;
            ++all[d].nonZero;
            all[d].largest = std::max(all[d].largest, std::fabs(c[i]) / rms);
        }
    }
    std::vector<DiagonalFacts> out;
    for (std::size_t d = 0; d < all.size(); ++d) {
        if (!zero[d] || all[d].nonZero == 0) continue;
        all[d].offset = static_cast<std::int64_t>(d) - (side - 1);
        out.push_back(all[d]);
    }
    return out;
}

} // namespace divdet
