#include "judge/pair_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compare/ulp.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096;

} // namespace

void eachRun(
    const PairEvidence& pair,
    const std::function<bool(std::int64_t, std::span<const double>, std::span<const double>)>& visit) {
    std::array<double, kBlock> r, c, keep;
    const std::int64_t total = pair.reference.elements();
    for (std::int64_t first = 0; first < total && !pair.progress.cancelled(); first += kBlock) {
        const auto n = static_cast<std::size_t>(std::min(kBlock, total - first));
        loadAsDouble(pair.reference, first, {r.data(), n});
        loadAsDouble(pair.candidate, first, {c.data(), n});
        if (!pair.mask) {
            if (!visit(first, {r.data(), n}, {c.data(), n})) return;
            continue;
        }
        loadAsDouble(*pair.mask, first, {keep.data(), n});
        for (std::size_t i = 0; i < n;) {
            std::size_t end = i;
            while (end < n && keep[end] != 0) ++end;
            if (end > i && !visit(first + static_cast<std::int64_t>(i), {r.data() + i, end - i},
                                  {c.data() + i, end - i}))
                return;
            i = end + 1;
        }
    }
}

bool realFloating(const PairEvidence& pair) {
    return kind(pair.reference.dtype) == DTypeKind::floating &&
           kind(pair.candidate.dtype) == DTypeKind::floating;
}

double unitRoundoff(const PairEvidence& pair) {
    const auto type = ulpDType(pair.reference.dtype, pair.candidate.dtype);
    if (!type || kind(*type) != DTypeKind::floating) return 0;
    return std::ldexp(1.0, -fractionBits(*type) - 1);
}

} // namespace divdet
