#include "numerics/philox.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace divdet::numerics;

namespace {

void expectWords(const PhiloxBlock& got, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    EXPECT_EQ(got.word[0], a);
    EXPECT_EQ(got.word[1], b);
    EXPECT_EQ(got.word[2], c);
    EXPECT_EQ(got.word[3], d);
}

} // namespace

/// The known-answer vectors of Random123 for philox4x32 with 10 rounds.
TEST(Philox, KnownAnswers) {
    expectWords(philox({{0, 0, 0, 0}}, 0, 0), 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u);
    const std::uint32_t ones = 0xffffffffu;
    expectWords(philox({{ones, ones, ones, ones}}, ones, ones), 0x408f276du, 0x41c83b0eu, 0xa20bc7c6u,
                0x6d5451fdu);
    expectWords(philox({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0xa4093822u, 0x299f31d0u),
                0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u);
}

TEST(Philox, NormalMoments) {
    constexpr int n = 400000;
    double sum = 0, square = 0, cube = 0, fourth = 0;
    for (int i = 0; i < n; ++i) {
        const double x = normalAt(42, 3, static_cast<std::uint64_t>(i));
        sum += x;
        square += x * x;
        cube += x * x * x;
        fourth += x * x * x * x;
    }
    const double root = std::sqrt(static_cast<double>(n)); // five standard errors of each moment
    EXPECT_LT(std::fabs(sum / n), 5 / root);
    EXPECT_LT(std::fabs(square / n - 1), 5 * std::sqrt(2.0) / root);
    EXPECT_LT(std::fabs(cube / n), 5 * std::sqrt(15.0) / root);
    EXPECT_LT(std::fabs(fourth / n - 3), 5 * std::sqrt(96.0) / root);
}

TEST(Philox, QuantileInvertsTheDistribution) {
    for (const double u : {0x1p-53, 1e-12, 1e-6, 0.01, 0.0749, 0.0751, 0.3, 0.4999, 0.5}) {
        const double x = normalQuantile(u);
        EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / u, 1.0, 1e-8) << u; // d(log Phi)/dx is about |x|
        if (u > 1e-10) {
            EXPECT_NEAR(normalQuantile(1 - u), -x, 1e-7 * std::fabs(x)) << u;
        }
    }
}

TEST(Philox, UniformIsOpenAndExtremesAreFinite) {
    EXPECT_EQ(uniformDouble(0), 0x1p-53);
    EXPECT_LT(uniformDouble(~0ull), 1.0);
    EXPECT_EQ(uniformDouble(~0ull), 1 - 0x1p-53);
    EXPECT_LT(std::fabs(normalQuantile(uniformDouble(0))), 8.3);
    double sum = 0;
    for (std::uint64_t i = 0; i < 100000; ++i) {
        const float u = uniformAt(1, 2, i);
        ASSERT_TRUE(u > 0 && u < 1);
        sum += u;
    }
    EXPECT_NEAR(sum / 100000, 0.5, 5 * std::sqrt(1.0 / 12 / 100000));
}

TEST(Philox, SeedsStreamsAndNeighboursDiffer) {
    EXPECT_NE(normalAt(0, 0, 0), normalAt(1, 0, 0));
    EXPECT_NE(normalAt(0, 0, 0), normalAt(0, 1, 0));
    EXPECT_NE(normalAt(0, 0, 0), normalAt(0, 0, 1));
    EXPECT_NE(normalAt(0, 0, 0), normalAt(1ull << 32, 0, 0));
    EXPECT_NE(normalAt(0, 0, 0), normalAt(0, 0, 1ull << 33));
}
