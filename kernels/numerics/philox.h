#pragma once
#include "numerics/maths.h"

/// Counter-based random numbers (Philox4x32-10; Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
/// as 1, 2, 3", 2011): element `index` of `stream` under `seed` is a pure function, so the order of
/// evaluation, the number of threads and the device do not matter.
namespace divdet::numerics {

struct PhiloxBlock {
    std::uint32_t word[4];
};

/// Ten rounds on a 128-bit counter under a 64-bit key.
DIVDET_HD PhiloxBlock philox(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
    PhiloxBlock x = counter;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = 0xD2511F53ull * x.word[0];
        const std::uint64_t p1 = 0xCD9E8D57ull * x.word[2];
        x = {{static_cast<std::uint32_t>(p1 >> 32) ^ x.word[1] ^ key0, static_cast<std::uint32_t>(p1),
              static_cast<std::uint32_t>(p0 >> 32) ^ x.word[3] ^ key1, static_cast<std::uint32_t>(p0)}};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return x;
}

/// 64 random bits of element `index`. A block serves two neighbours; the counter is (index/2, stream, 0).
DIVDET_HD std::uint64_t randomBitsAt(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
    const std::uint64_t block = index >> 1;
    const PhiloxBlock r =
        philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), stream, 0}},
               static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
    const int half = static_cast<int>(index & 1) * 2;
    return static_cast<std::uint64_t>(r.word[half + 1]) << 32 | r.word[half];
}

/// Uniform in the open interval (0,1): (2 j + 1) 2^-53 for 52 random bits j, exact, symmetric about 1/2.
DIVDET_HD double uniformDouble(std::uint64_t bits) {
    return mulRn(static_cast<double>(static_cast<std::int64_t>(bits >> 12) * 2 + 1), 0x1p-53);
}

/// Standard normal quantile of u in (0,1); |error| below 6e-11 relative, antisymmetric about 1/2.
DIVDET_HD double normalQuantile(double u) {
    const double q = addRn(u, -0.5);
    if (q <= 0.425 && q >= -0.425) {
        const double s = mulRn(q, q);
        return mulRn(q,
                     divRn(polynomial(tables::kQuantileCentreP, s), polynomial(tables::kQuantileCentreQ, s)));
    }
    const double p = q < 0 ? u : addRn(1.0, -u);
    const double r = addRn(sqrtRn(-logDouble(p)), -2.0);
    const double x = divRn(polynomial(tables::kQuantileTailP, r), polynomial(tables::kQuantileTailQ, r));
    return q < 0 ? -x : x;
}

/// Uniform in (0,1), rounded once; what would round to 1 is the largest float below it.
DIVDET_HD float uniformAt(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
    const float u = toFloatRn(uniformDouble(randomBitsAt(seed, stream, index)));
    return u < 1.0f ? u : 0x1.fffffep-1f;
}

/// Standard normal deviate, |x| <= 8.3, rounded once.
DIVDET_HD float normalAt(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
    return toFloatRn(normalQuantile(uniformDouble(randomBitsAt(seed, stream, index))));
}

} // namespace divdet::numerics
