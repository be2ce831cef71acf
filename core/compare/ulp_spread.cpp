#include "compare/ulp_spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compare/ulp.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096;

std::size_t entryOf(double ulps) {
    return ulps < 1 ? 0 : static_cast<std::size_t>(std::min(std::ilogb(ulps) + 1, UlpSpread::kSide - 1));
}

} // namespace

std::int64_t UlpSpread::finite() const {
    return equal + std::accumulate(above.begin(), above.end(), std::int64_t{0}) +
           std::accumulate(below.begin(), below.end(), std::int64_t{0});
}

std::pair<double, double> UlpSpread::range(int i) {
    if (i == 0) return {0, 0};
    return {std::ldexp(1.0, i - 1), std::ldexp(1.0, i) - 1};
}

Result<UlpSpread> ulpSpread(const TensorView& reference, const TensorView& candidate,
                            const Progress& progress, const std::optional<TensorView>& mask) {
    if (reference.shape != candidate.shape || (mask && mask->shape != reference.shape))
        return Error{ErrorCode::mismatch, "the shapes differ", {}, "compare tensors of equal shape"};
    const auto dtype = ulpDType(reference.dtype, candidate.dtype);
    if (!dtype)
        return Error{ErrorCode::unsupported, "these values have no ulps", {}, "look at the absolute error"};
    UlpSpread out;
    out.dtype = *dtype;
    const std::int64_t all = elementCount(reference.shape).value_or(0);
    std::array<double, kBlock> r, c, m;
    for (std::int64_t at = 0; at < all; at += kBlock) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "counting ulps was cancelled", {}, {}};
        progress(static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(all), "ulps");
        const auto n = static_cast<std::size_t>(std::min(kBlock, all - at));
        loadAsDouble(reference, at, std::span(r).first(n));
        loadAsDouble(candidate, at, std::span(c).first(n));
        if (mask) loadAsDouble(*mask, at, std::span(m).first(n));
        for (std::size_t i = 0; i < n; ++i) {
            if (mask && m[i] == 0) continue;
            if (!std::isfinite(r[i]) || !std::isfinite(c[i])) {
                ++out.notFinite;
                continue;
            }
            const double ulps = ulpDistance(c[i], r[i], *dtype);
            out.largest = std::max(out.largest, ulps);
            if (ulps == 0)
                ++out.equal;
            else
                ++(c[i] > r[i] ? out.above : out.below)[entryOf(ulps)];
        }
    }
    return out;
}

} // namespace divdet
