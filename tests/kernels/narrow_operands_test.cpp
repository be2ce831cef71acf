#include "numerics/narrow_operands.h"

#include "kernel_test_support.h"
#include "numerics/flush.h"
#include "numerics/variance.h"

using namespace divdet::numerics;

TEST(NarrowOperands, F8ScalesTheLargestValueToTheLargestCode) {
    EXPECT_EQ(f8Scale(896.0f, OperandFormat::f8e4m3), 2.0f);
    EXPECT_EQ(f8Scale(57344.0f, OperandFormat::f8e5m2), 1.0f);
    EXPECT_EQ(f8Scale(0.0f, OperandFormat::f8e4m3), 1.0f);
    EXPECT_EQ(f8Scale(0x1p-149f, OperandFormat::f8e4m3), 1.0f);
    Values values(1);
    for (const OperandFormat f : {OperandFormat::f8e4m3, OperandFormat::f8e5m2})
        for (int round = 0; round < 200; ++round) {
            const auto x = values.normal(50, std::ldexp(1.0f, round % 40 - 20));
            const float scale = f8Scale(maxAbs(x.data(), x.size(), 1), f);
            float largest = 0;
            for (const float v : x) {
                const float code = quantizeF8(v, scale, f);
                ASSERT_FALSE(isNan(code) || isInf(code));
                largest = std::max(largest, std::fabs(code));
                // Half a step of the format, which is relative down to its smallest normal number.
                const float step = f == OperandFormat::f8e4m3 ? 0x1p-4f : 0x1p-3f;
                const float least = f == OperandFormat::f8e4m3 ? 0x1p-10f : 0x1p-17f;
                ASSERT_LE(std::fabs(code - v / scale), std::max(least, std::fabs(v / scale) * step));
            }
            EXPECT_EQ(largest, f8Largest(f));
        }
}

TEST(NarrowOperands, F8RunsOnTheInstructionThatTheArchitectureHas) {
    EXPECT_EQ(f8Spec(Arch::sm89, OperandFormat::f8e4m3).alignBits, 13);
    EXPECT_EQ(f8Spec(Arch::sm120, OperandFormat::f8e4m3).n, 32);
    for (const Arch a : {Arch::sm80, Arch::sm90, Arch::sm100})
        for (const OperandFormat f : {OperandFormat::f8e4m3, OperandFormat::f8e5m2}) {
            const TcSpec spec = f8Spec(a, f), half = tcSpec(a, OperandFormat::f16);
            EXPECT_EQ(spec.operand, OperandFormat::f16);
            EXPECT_EQ(spec.n, half.n);
            EXPECT_EQ(spec.alignBits, half.alignBits);
            EXPECT_EQ(spec.output, half.output);
        }
}

/// Why f16 may multiply fp8 codes: each is an f16 number.
TEST(NarrowOperands, EveryF8CodeIsAnF16Number) {
    for (int code = 0; code < 256; ++code)
        for (const float x :
             {f8e4m3ToFloat(static_cast<std::uint8_t>(code)), f8e5m2ToFloat(static_cast<std::uint8_t>(code))})
            EXPECT_TRUE(sameValue(roundToF16(x), x)) << code;
}

TEST(NarrowOperands, Int4HasFifteenCodesWithTiesToEven) {
    const float s = int4Scale(3.5f);
    EXPECT_EQ(s, 0.5f);
    EXPECT_EQ(quantizeInt4(3.5f, s), 7);
    EXPECT_EQ(quantizeInt4(-4.0f, s), -7);
    EXPECT_EQ(quantizeInt4(0.25f, s), 0); // half a step, to even
    EXPECT_EQ(quantizeInt4(0.75f, s), 2);
    EXPECT_EQ(quantizeInt4(-1.25f, s), -2);
    EXPECT_EQ(quantizeInt4(floatFromBits(0x7FC00000u), s), 0);
    EXPECT_EQ(dequantizeInt4(-7, 0.1f), -7.0f * 0.1f);
    EXPECT_EQ(int4Scale(0.0f), 1.0f);
}

TEST(Flush, SubnormalsBecomeZerosOfTheirSign) {
    EXPECT_EQ(bitsOf(flushed(0x1p-127f)), 0u);
    EXPECT_EQ(bitsOf(flushed(-0x1.fffffcp-127f)), 0x80000000u);
    EXPECT_EQ(flushed(0x1p-126f), 0x1p-126f);
    EXPECT_TRUE(isNan(flushed(floatFromBits(0x7FC00000u))));
    EXPECT_EQ(flushedBf16(0x8001), 0x8000);
    EXPECT_EQ(flushedBf16(0x0080), 0x0080);
}

TEST(OnePassVariance, AgreesUntilTheMeanIsLarge) {
    Values values(3);
    auto x = values.normal(1024);
    const auto variance = [&](double shift) {
        std::vector<float> y(x.size());
        double mean = 0, square = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            y[i] = x[i] + static_cast<float>(shift);
            mean += y[i] / 1024.0;
        }
        for (const float v : y) square += (v - mean) * (v - mean) / 1024.0;
        const Moments m = onePassMoments(y.data(), y.size(), {Order::strided, 1});
        EXPECT_NEAR(m.mean, mean, 1e-6 * (1 + std::fabs(shift)));
        return m.variance / square;
    };
    EXPECT_NEAR(variance(0), 1.0, 1e-5);
    EXPECT_NEAR(variance(10), 1.0, 1e-3);
    EXPECT_GT(std::fabs(variance(10000) - 1.0), 0.5); // the square of the mean has 1e8 ulps more
}

TEST(OnePassVariance, IsTheTwoSumsInTheirOrder) {
    Values values(4);
    const auto x = values.normal(333);
    for (const SumOrder o : {SumOrder{Order::strided, 1}, {Order::pairwise, 1}, {Order::splitK, 8}}) {
        const Moments m = onePassMoments(x.data(), x.size(), o);
        const float mean = reduce(SumTerms{x.data()}, x.size(), o) / 333.0f;
        EXPECT_EQ(m.mean, mean);
        EXPECT_EQ(m.variance, std::fma(-mean, mean, reduce(SquareTerms{x.data()}, x.size(), o) / 333.0f));
    }
}
