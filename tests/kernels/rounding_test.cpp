#include "numerics/rounding.h"

#include <random>

#include <gtest/gtest.h>

using namespace divdet::numerics;

namespace {

template <class Code, class Decode, class Encode>
void roundTrip(int codes, Decode decode, Encode encode) {
    for (int i = 0; i < codes; ++i) {
        const Code code = static_cast<Code>(i);
        const float x = decode(code);
        if (isNan(x)) {
            EXPECT_TRUE(isNan(decode(encode(static_cast<double>(x))))) << i;
        } else {
            EXPECT_EQ(encode(static_cast<double>(x)), code) << i;
        }
    }
}

/// Between neighbours the midpoint goes to the even code, and the doubles beside it to their own side.
template <class Code, class Decode, class Encode>
void midpoints(int lastFinite, Decode decode, Encode encode) {
    for (int i = 0; i < lastFinite; ++i) {
        const double low = decode(static_cast<Code>(i));
        const double high = decode(static_cast<Code>(i + 1));
        const double middle = (low + high) / 2;
        EXPECT_EQ(encode(middle), static_cast<Code>(i + (i & 1))) << i;
        EXPECT_EQ(encode(std::nextafter(middle, 0.0)), static_cast<Code>(i)) << i;
        EXPECT_EQ(encode(std::nextafter(middle, 1e300)), static_cast<Code>(i + 1)) << i;
        EXPECT_EQ(encode(-middle), encode(middle) | (sizeof(Code) == 1 ? 0x80 : 0x8000));
    }
}

} // namespace

TEST(Rounding, EveryCodeComesBack) {
    roundTrip<std::uint16_t>(65536, f16ToFloat, f16FromDouble);
    roundTrip<std::uint16_t>(65536, bf16ToFloat, bf16FromDouble);
    roundTrip<std::uint8_t>(256, f8e4m3ToFloat, f8e4m3FromDouble);
    roundTrip<std::uint8_t>(256, f8e5m2ToFloat, f8e5m2FromDouble);
}

TEST(Rounding, EveryMidpointGoesToEven) {
    midpoints<std::uint16_t>(0x7BFF, f16ToFloat, f16FromDouble);
    midpoints<std::uint16_t>(0x7F7F, bf16ToFloat, bf16FromDouble);
    midpoints<std::uint8_t>(0x7E, f8e4m3ToFloat, f8e4m3FromDouble);
    midpoints<std::uint8_t>(0x7B, f8e5m2ToFloat, f8e5m2FromDouble);
}

TEST(Rounding, OverflowsAtHalfAStepBeyondTheLargest) {
    EXPECT_EQ(f16FromDouble(65519.999), 0x7BFF);
    EXPECT_EQ(f16FromDouble(65520.0), 0x7C00);
    EXPECT_EQ(f16FromDouble(-1e300), 0xFC00);
    EXPECT_EQ(f8e4m3FromDouble(464.0), 0x7E);
    EXPECT_EQ(f8e4m3FromDouble(464.0001), 0x7F);
    EXPECT_EQ(f8e4m3FromDouble(INFINITY), 0x7F);
    EXPECT_EQ(f8e5m2FromDouble(61439.0), 0x7B);
    EXPECT_EQ(f8e5m2FromDouble(61440.0), 0x7C);
    EXPECT_EQ(bf16FromFloat(0x1.fffffep127f), 0x7F80);
    EXPECT_EQ(f8e4m3ToFloat(0x7E), 448.0f);
    EXPECT_EQ(f8e5m2ToFloat(0x7B), 57344.0f);
}

TEST(Rounding, TinyValues) {
    EXPECT_EQ(f16FromDouble(0x1p-25), 0x0000);
    EXPECT_EQ(f16FromDouble(0x1.0000000000001p-25), 0x0001);
    EXPECT_EQ(f16FromDouble(-0x1p-1074), 0x8000);
    EXPECT_EQ(f8e4m3FromDouble(0x1p-9), 0x01);
    EXPECT_EQ(f8e5m2FromDouble(0x1p-17), 0x00);
    EXPECT_EQ(bf16FromDouble(0x1p-133), 0x0001);
}

TEST(Rounding, FromDoubleRoundsOnce) {
    const double x = 1.0 + 0x1p-11 + 0x1p-40; // through float first this would be a tie and go to 1
    EXPECT_EQ(f16FromDouble(x), 0x3C01);
    EXPECT_EQ(f16FromFloat(static_cast<float>(x)), 0x3C00);
}

TEST(Rounding, Bf16FromFloatAgreesWithTheGeneralRoute) {
    std::mt19937 random(1);
    for (int i = 0; i < 1000000; ++i) {
        const float x = floatFromBits(static_cast<std::uint32_t>(random()));
        ASSERT_EQ(bf16FromFloat(x), bf16FromDouble(static_cast<double>(x))) << bitsOf(x);
    }
}

TEST(Rounding, Tf32ModesDifferOnTies) {
    const float tie = 1.0f + 0x1p-11f;
    EXPECT_EQ(roundToTf32(tie, Tf32Rounding::nearestEven), 1.0f);
    EXPECT_EQ(roundToTf32(tie, Tf32Rounding::nearestAway), 1.0f + 0x1p-10f);
    EXPECT_EQ(roundToTf32(1.0f + 0x1.8p-11f, Tf32Rounding::towardZero), 1.0f);
    EXPECT_EQ(roundToTf32(1.0f + 3 * 0x1p-11f, Tf32Rounding::nearestEven), 1.0f + 0x1p-9f);
    EXPECT_TRUE(isInf(roundToTf32(0x1.fffffep127f, Tf32Rounding::nearestEven)));
    EXPECT_TRUE(isNan(roundToTf32(floatFromBits(0x7F800001u), Tf32Rounding::towardZero)));
    EXPECT_EQ(bitsOf(roundToTf32(-0.0f, Tf32Rounding::nearestAway)), 0x80000000u);
}
