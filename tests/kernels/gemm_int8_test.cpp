#include "host/gemm_int8_vnni.h"
#include "kernel_test_support.h"

using namespace divdet;
using host::AccFormat;
using host::GemmShape;
using host::Start;

namespace {

class GemmInt8 : public AllTargets {};
class GemmRounded : public AllTargets {};

constexpr AccFormat kFormats[] = {AccFormat::bf16, AccFormat::f16};

std::vector<std::int32_t> exact(GemmShape s, const std::vector<std::int8_t>& a,
                                const std::vector<std::int8_t>& b) {
    std::vector<std::int32_t> c(s.m * s.n);
    for (std::size_t i = 0; i < s.m; ++i) {
        for (std::size_t j = 0; j < s.n; ++j) {
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < s.k; ++k) sum += a[i * s.k + k] * b[k * s.n + j];
            c[i * s.n + j] = static_cast<std::int32_t>(static_cast<std::uint64_t>(sum));
        }
    }
    return c;
}

int roundedMismatches(GemmShape s, const std::vector<float>& a, const std::vector<float>& b, Start start,
                      AccFormat format) {
    std::vector<float> c(s.m * s.n);
    host::gemmRoundedAccumulator(s, a.data(), b.data(), start, c.data(), format);
    int count = 0;
    for (std::size_t i = 0; i < s.m; ++i) {
        for (std::size_t j = 0; j < s.n; ++j) {
            const float first = start.values ? start.values[start.perColumn ? j : i * s.n + j] : 0.0f;
            const float want = host::roundedDot(a.data() + i * s.k, 1, b.data() + j, s.n, s.k, first, format);
            count += !sameValue(c[i * s.n + j], want);
        }
    }
    return count;
}

} // namespace

TEST_F(GemmInt8, EqualsTheExactSum) {
    Values values(1);
    for (const GemmShape& s : oddShapes()) {
        const auto a = values.bytes(s.m * s.k), b = values.bytes(s.k * s.n);
        forEachTarget([&] {
            std::vector<std::int32_t> c(s.m * s.n, -1);
            host::gemmInt8(s, a.data(), b.data(), c.data());
            EXPECT_EQ(c, exact(s, a, b)) << s.m << ' ' << s.n << ' ' << s.k;
        });
    }
}

TEST_F(GemmInt8, WrapsBeyond31Bits) {
    const GemmShape s{1, 3, 140000};
    const std::vector<std::int8_t> a(s.m * s.k, -128), b(s.k * s.n, -128);
    forEachTarget([&] {
        std::vector<std::int32_t> c(3);
        host::gemmInt8(s, a.data(), b.data(), c.data());
        EXPECT_EQ(c, exact(s, a, b));
        EXPECT_LT(c[0], 0);
    });
}

TEST_F(GemmRounded, EqualsTheScalarDefinition) {
    Values values(2);
    for (const GemmShape& s : oddShapes()) {
        const auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n),
                   init = values.normal(s.m * s.n);
        forEachTarget([&] {
            for (const AccFormat f : kFormats) {
                EXPECT_EQ(roundedMismatches(s, a, b, nullptr, f), 0) << s.m << ' ' << s.n << ' ' << s.k;
                EXPECT_EQ(roundedMismatches(s, a, b, init.data(), f), 0);
                EXPECT_EQ(roundedMismatches(s, a, b, Start::bias(init.data()), f), 0);
            }
        });
    }
}

TEST_F(GemmRounded, SpecialValuesOverflowAndSubnormals) {
    Values values(3);
    const GemmShape s{4, 70, 60};
    for (const float scale : {1.0f, 100.0f, 1e-8f, 1e-38f, 1e30f}) {
        for (int spoiled = 0; spoiled < 6; spoiled += 5) {
            auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n, scale);
            values.spoil(a, spoiled);
            values.spoil(b, spoiled);
            forEachTarget([&] {
                for (const AccFormat f : kFormats)
                    EXPECT_EQ(roundedMismatches(s, a, b, nullptr, f), 0) << scale;
            });
        }
    }
}

TEST_F(GemmRounded, IntegerProductsGiveTheSameAsTheirFloats) {
    Values values(4);
    const GemmShape s{5, 37, 300};
    const auto a = values.bytes(s.m * s.k), b = values.bytes(s.k * s.n);
    const std::vector<float> x(a.begin(), a.end()), y(b.begin(), b.end());
    forEachTarget([&] {
        for (const AccFormat f : kFormats) {
            std::vector<float> c(s.m * s.n), want(s.m * s.n);
            host::gemmInt8RoundedAccumulator(s, a.data(), b.data(), c.data(), f);
            host::gemmRoundedAccumulator(s, x.data(), y.data(), nullptr, want.data(), f);
            EXPECT_EQ(c, want);
        }
    });
}

/// The lesson behind the fault: same-sign terms stop growing once they fall below half a step of the sum.
TEST_F(GemmRounded, Bf16AccumulatorStagnatesAndF16Overflows) {
    const GemmShape s{1, 1, 4096};
    const std::vector<float> ones(s.k, 1.0f), large(s.k, 100.0f);
    float c = 0;
    host::gemmRoundedAccumulator(s, ones.data(), ones.data(), nullptr, &c, AccFormat::bf16);
    EXPECT_EQ(c, 256.0f);
    host::gemmRoundedAccumulator(s, large.data(), ones.data(), nullptr, &c, AccFormat::f16);
    EXPECT_EQ(c, 100.0f * 0 + numerics::roundToF16(c)); // stays an f16 value
    host::gemmRoundedAccumulator(s, large.data(), large.data(), nullptr, &c, AccFormat::f16);
    EXPECT_TRUE(numerics::isInf(c));
}
