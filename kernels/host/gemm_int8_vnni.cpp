#include "host/gemm_int8_vnni.h"

#include "host/parallel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define DIVDET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#endif

namespace divdet::host::int8 {

static bool g_allowed = true;

void useVnni(bool allowed) {
    g_allowed = allowed;
}

#ifdef DIVDET_VNNI

namespace {

constexpr std::size_t kWidth = 64; ///< columns per panel: four vectors of 16 sums

/// Four consecutive k of one column are one int32. The instruction multiplies unsigned by signed, so A enters
/// as a + 128 and every sum starts from -128 times the column's sum; all of it modulo 2^32.
struct Product {
    GemmShape shape;
    const std::uint32_t* aQuads; ///< m rows of quads(), a + 128 (beyond k: anything, B is 0 there)
    const std::int8_t* b;
    std::int32_t* c;

    std::size_t quads() const { return (shape.k + 3) / 4; }

    void pack(std::size_t column, std::size_t width, std::uint32_t* panel, std::uint32_t* start) const {
        for (std::size_t j = 0; j < kWidth; ++j) start[j] = 0;
        for (std::size_t q = 0; q < quads(); ++q) {
            std::uint32_t* to = panel + q * kWidth;
            for (std::size_t j = 0; j < kWidth; ++j) to[j] = 0;
            for (std::size_t i = 0; i < 4 && 4 * q + i < shape.k; ++i) {
                const std::int8_t* from = b + (4 * q + i) * shape.n + column;
                for (std::size_t j = 0; j < width; ++j) {
                    to[j] |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(from[j])) << (8 * i);
                    start[j] -= 128u * static_cast<std::uint32_t>(static_cast<std::int32_t>(from[j]));
                }
            }
        }
    }

    template <int kRows>
    DIVDET_VNNI void run(std::size_t row, const std::uint32_t* panel, const std::uint32_t* start,
                         std::size_t column, std::size_t width) const {
        __m512i acc[kRows][4];
        for (int r = 0; r < kRows; ++r) {
            for (int v = 0; v < 4; ++v) acc[r][v] = _mm512_loadu_si512(start + 16 * v);
        }
        for (std::size_t q = 0; q < quads(); ++q) {
            __m512i y[4];
            for (int v = 0; v < 4; ++v)
                y[v] = _mm512_loadu_si512(panel + q * kWidth + 16 * static_cast<std::size_t>(v));
            for (int r = 0; r < kRows; ++r) {
                const std::uint32_t quad = aQuads[(row + static_cast<std::size_t>(r)) * quads() + q];
                const __m512i x = _mm512_set1_epi32(static_cast<int>(quad));
                for (int v = 0; v < 4; ++v) acc[r][v] = _mm512_dpbusd_epi32(acc[r][v], x, y[v]);
            }
        }
        for (int r = 0; r < kRows; ++r) {
            alignas(64) std::int32_t sums[kWidth];
            for (int v = 0; v < 4; ++v) _mm512_store_si512(sums + 16 * v, acc[r][v]);
            std::int32_t* to = c + (row + static_cast<std::size_t>(r)) * shape.n + column;
            for (std::size_t j = 0; j < width; ++j) to[j] = sums[j];
        }
    }

    void panel(std::size_t column) const {
        const std::size_t width = shape.n - column < kWidth ? shape.n - column : kWidth;
        std::uint32_t* packed = scratchOf<std::uint32_t>(0, quads() * kWidth);
        std::uint32_t start[kWidth];
        pack(column, width, packed, start);
        std::size_t row = 0;
        for (; row + 4 <= shape.m; row += 4) run<4>(row, packed, start, column, width);
        for (; row < shape.m; ++row) run<1>(row, packed, start, column, width);
    }
};

} // namespace

bool gemmVnni(GemmShape s, const std::int8_t* a, const std::int8_t* b, std::int32_t* c) {
    static const bool present = __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
                                __builtin_cpu_supports("avx512vl");
    if (!present || !g_allowed) return false;
    const std::size_t quads = (s.k + 3) / 4;
    const Buffer buffer(s.m * quads * sizeof(std::uint32_t));
    std::uint32_t* aQuads = buffer.as<std::uint32_t>();
    for (std::size_t row = 0; row < s.m; ++row) {
        for (std::size_t q = 0; q < quads; ++q) {
            std::uint32_t quad = 0;
            for (std::size_t i = 0; i < 4 && 4 * q + i < s.k; ++i) {
                quad |=
                    (static_cast<std::uint32_t>(static_cast<std::uint8_t>(a[row * s.k + 4 * q + i])) ^ 0x80u)
                    << (8 * i);
            }
            aQuads[row * quads + q] = quad;
        }
    }
    const Product product{s, aQuads, b, c};
    forEachTask((s.n + kWidth - 1) / kWidth, [&](std::size_t i) { product.panel(i * kWidth); });
    return true;
}

#else

bool gemmVnni(GemmShape, const std::int8_t*, const std::int8_t*, std::int32_t*) {
    return false;
}

#endif

} // namespace divdet::host::int8
