#include "judge/value_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tensor/dtype.h"

namespace divdet {
namespace {

constexpr std::int64_t kFewest = 32;
/// Of the reference's elements at least this share must need more bits.
constexpr double kOffGrid = 0.25;

/// Significand bits that a finite non-zero double uses, with the leading one.
int bitsOf(double x) {
    const auto fraction = std::bit_cast<std::uint64_t>(x) & 0xfffffffffffffu;
    return fraction == 0 ? 1 : 53 - std::countr_zero(fraction);
}

struct Range {
    int bits = 0;
    double smallest = INFINITY, largest = 0;
    bool halfSteps = true; ///< multiples of 2^−24, as all of fp16 is
    void add(double x) {
        bits = std::max(bits, bitsOf(x));
        smallest = std::min(smallest, std::fabs(x));
        largest = std::max(largest, std::fabs(x));
        const double steps = x * 0x1p24;
        halfSteps = halfSteps && std::nearbyint(steps) == steps;
    }
};

} // namespace

std::optional<ValueGrid> valueGrid(const PairEvidence& pair) {
    if (!realFloating(pair)) return {};
    const PairSample& s = pair.sample();
    Range c;
    std::int64_t count = 0;
    const int own = fractionBits(pair.candidate.dtype) + 1;
    for (const double x : s.c)
        if (x != 0 && std::isfinite(x)) {
            c.add(x);
            ++count;
            if (c.bits > 11) return {};
        }
    ValueGrid out;
    out.bits = c.bits <= 4 ? 4 : c.bits <= 8 ? 8 : 11;
    if (count < kFewest || own <= out.bits) return {};
    out.type = out.bits == 4                       ? "fp8-e4m3"
               : out.bits == 8                     ? "bf16"
               : c.halfSteps && c.largest <= 65504 ? "fp16"
                                                   : "tf32";
    out.unit = std::ldexp(1.0, -out.bits);
    std::int64_t off = 0, finite = 0;
    double sum = 0;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        const double r = s.r[i];
        if (r == 0 || !std::isfinite(r) || !std::isfinite(s.c[i])) continue;
        ++finite;
        off += bitsOf(r) > out.bits;
        int e = 0;
        std::frexp(r, &e);
        const double ulps = std::fabs(s.c[i] - r) / std::ldexp(1.0, e - out.bits);
        out.largestUlps = std::max(out.largestUlps, ulps);
        sum += ulps;
    }
    if (static_cast<double>(off) < kOffGrid * static_cast<double>(finite)) return {};
    out.meanUlps = sum / static_cast<double>(finite);
    return out;
}

} // namespace divdet
