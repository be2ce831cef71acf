#include "numerics/maths.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

using namespace divdet::numerics;

namespace {

/// |f - exact| in units of the last place of a float at |exact|.
long double ulps(float f, long double exact) {
    int e = 0;
    std::frexp(exact, &e);
    const int quantum = (e - 1 > -126 ? e - 1 : -126) - 23;
    return std::fabs(static_cast<long double>(f) - exact) / std::ldexp(1.0L, quantum);
}

/// Worst error over random arguments whose magnitude is uniform in the exponent.
template <class F, class Exact>
long double worst(F f, Exact exact, int low, int high, bool negative, int count = 200000) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(low, high);
    long double most = 0;
    for (int i = 0; i < count; ++i) {
        float x = static_cast<float>(std::exp2(exponent(random)));
        if (negative && (random() & 1)) x = -x;
        most = std::max(most, ulps(f(x), exact(static_cast<long double>(x))));
    }
    return most;
}

constexpr long double kSharp = 0.5000002L;
constexpr long double kRoot2 = 1.41421356237309504880168872420969808L;
constexpr long double kRoot2OverPi = 0.79788456080286535587989211986876373L;

} // namespace

TEST(Maths, RoundsAsGoodAsCorrectly) {
    EXPECT_LT(worst(
                  expFloat, [](long double x) { return std::exp(x); }, -24, 6, true),
              kSharp);
    EXPECT_LT(worst(
                  tanhFloat, [](long double x) { return std::tanh(x); }, -12, 4, true),
              kSharp);
    EXPECT_LT(worst(
                  erfFloat, [](long double x) { return std::erf(x); }, -12, 3, true),
              kSharp);
    EXPECT_LT(worst(
                  logFloat, [](long double x) { return std::log(x); }, -126, 127, false),
              kSharp);
    EXPECT_LT(worst(
                  logFloat, [](long double x) { return std::log(x); }, -1, 1, false),
              kSharp);
    EXPECT_LT(worst(
                  rsqrtFloat, [](long double x) { return 1 / std::sqrt(x); }, -126, 127, false),
              kSharp);
    EXPECT_LT(worst(
                  siluFloat, [](long double x) { return x / (1 + std::exp(-x)); }, -10, 6, true),
              kSharp);
}

TEST(Maths, GeluKeepsRelativeAccuracyInItsTail) {
    const auto gelu = [](long double x) { return x / 2 * std::erfc(-x / kRoot2); };
    EXPECT_LT(worst(geluFloat, gelu, -20, 4, true), kSharp);
    const auto tanhForm = [](long double x) {
        const long double inner = kRoot2OverPi * (x + static_cast<long double>(0.044715) * x * x * x);
        return x / (1 + std::exp(-2 * inner));
    };
    EXPECT_LT(worst(geluTanhFloat, tanhForm, -20, 3, true), kSharp);
}

TEST(Maths, Edges) {
    EXPECT_EQ(expFloat(0.0f), 1.0f);
    EXPECT_TRUE(isInf(expFloat(88.8f)));
    EXPECT_EQ(expFloat(-104.1f), 0.0f);
    EXPECT_EQ(expFloat(-INFINITY), 0.0f);
    EXPECT_GT(expFloat(-103.0f), 0.0f);
    EXPECT_EQ(tanhFloat(INFINITY), 1.0f);
    EXPECT_EQ(tanhFloat(-40.0f), -1.0f);
    EXPECT_EQ(erfFloat(-INFINITY), -1.0f);
    EXPECT_EQ(bitsOf(erfFloat(-0.0f)), 0x80000000u);
    EXPECT_EQ(logFloat(1.0f), 0.0f);
    EXPECT_EQ(logFloat(0.0f), -INFINITY);
    EXPECT_TRUE(isNan(logFloat(-1.0f)));
    EXPECT_EQ(logFloat(0x1p-149f), static_cast<float>(-149 * std::log(2.0)));
    EXPECT_EQ(rsqrtFloat(0.0f), INFINITY);
    EXPECT_TRUE(isNan(rsqrtFloat(-1.0f)));
    EXPECT_EQ(geluFloat(20.0f), 20.0f);
    EXPECT_EQ(geluFloat(-INFINITY), 0.0f);
    EXPECT_EQ(siluFloat(-INFINITY), 0.0f);
    for (const auto f :
         {expFloat, tanhFloat, erfFloat, logFloat, geluFloat, geluTanhFloat, siluFloat, rsqrtFloat}) {
        EXPECT_TRUE(isNan(f(NAN)));
    }
}

/// Bits that must not change with compiler, flags or machine: FNV-1a over a fixed set of arguments.
TEST(Maths, GoldenHash) {
    std::uint64_t hash = 1469598103934665603ull;
    for (std::uint32_t i = 0; i < 40000; ++i) {
        const float x = floatFromBits(0x30000000u + i * 13721u) * (i & 1 ? -1.0f : 1.0f);
        for (const auto f : {expFloat, tanhFloat, erfFloat, geluFloat, geluTanhFloat, siluFloat}) {
            hash = (hash ^ bitsOf(f(x))) * 1099511628211ull;
        }
        hash = (hash ^ bitsOf(logFloat(std::fabs(x)))) * 1099511628211ull;
        hash = (hash ^ bitsOf(rsqrtFloat(std::fabs(x)))) * 1099511628211ull;
    }
    EXPECT_EQ(hash, 10249989038864772839ull);
}
