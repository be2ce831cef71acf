#include "numerics/fast_maths.h"

#include <cmath>
#include <functional>

#include "host/elementwise.h"
#include "kernel_test_support.h"

using namespace divdet;
using namespace divdet::numerics;

namespace {

/// Largest distance from the true value in units of its last place, over floats `step` apart in their bits.
double worstUlp(float (*f)(float), const std::function<long double(long double)>& exact, std::uint64_t step) {
    double worst = 0;
    for (std::uint64_t u = 0; u < 0x100000000ull; u += step) {
        const float x = floatFromBits(static_cast<std::uint32_t>(u));
        if (isNan(x)) continue;
        const long double want = exact(static_cast<long double>(x));
        const float got = f(x);
        if (std::isnan(want)) {
            EXPECT_TRUE(isNan(got)) << x;
            continue;
        }
        if (std::isinf(static_cast<float>(want)) || isInf(got)) {
            EXPECT_EQ(got, static_cast<float>(want)) << x;
            continue;
        }
        int exponent = -200;
        if (want != 0) std::frexp(static_cast<double>(want), &exponent);
        const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
        worst = std::max(worst, static_cast<double>(std::fabs(static_cast<long double>(got) - want)) / ulp);
    }
    return worst;
}

constexpr std::uint64_t kStep = 40009; // a prime: all exponents, scattered fractions

} // namespace

TEST(FastMaths, ExpTanhRsqrtStayWithinTwoUlp) {
    EXPECT_LT(worstUlp(
                  fastExp, [](long double x) { return std::exp(x); }, kStep),
              2.0);
    EXPECT_LT(worstUlp(
                  fastTanh, [](long double x) { return std::tanh(x); }, kStep),
              2.0);
    EXPECT_LT(worstUlp(
                  fastRsqrt,
                  [](long double x) -> long double {
                      if (x == 0) return std::signbit(x) ? -INFINITY : INFINITY;
                      return 1 / std::sqrt(x);
                  },
                  kStep),
              2.0);
}

TEST(FastMaths, TheyAreApproximations) {
    int exp = 0, tanh = 0, rsqrt = 0;
    for (int i = 1; i <= 1000; ++i) {
        const float x = static_cast<float>(i) * 0.0037f;
        exp += fastExp(x) != expFloat(x);
        tanh += fastTanh(x) != tanhFloat(x);
        rsqrt += fastRsqrt(x) != rsqrtFloat(x);
    }
    EXPECT_GT(exp, 20);
    EXPECT_GT(tanh, 20);
    EXPECT_GT(rsqrt, 20);
}

TEST(FastMaths, SpecialValues) {
    const float inf = floatFromBits(0x7F800000u), nan = floatFromBits(0x7FC00000u);
    EXPECT_EQ(fastExp(-inf), 0.0f);
    EXPECT_EQ(fastExp(inf), inf);
    EXPECT_EQ(fastTanh(-inf), -1.0f);
    EXPECT_EQ(bitsOf(fastTanh(-0.0f)), 0x80000000u);
    EXPECT_EQ(fastRsqrt(-0.0f), -inf);
    EXPECT_EQ(fastRsqrt(inf), 0.0f);
    EXPECT_TRUE(isNan(fastRsqrt(-1.0f)));
    EXPECT_EQ(bitsOf(fastSilu(-inf)), 0x80000000u);
    for (float (*f)(float) : {fastExp, fastTanh, fastRsqrt, fastGelu, fastGeluTanh, fastSilu})
        EXPECT_TRUE(isNan(f(nan)));
}

/// The fp32 formula loses the negative tail, which the exact gelu keeps: a difference of absolute size 1e-7.
TEST(FastMaths, GeluAndSiluAreNearTheExactOnes) {
    for (int i = -6000; i <= 6000; ++i) {
        const float x = static_cast<float>(i) * 0.002f;
        EXPECT_NEAR(fastGelu(x), geluFloat(x), 6e-7f * std::max(1.0f, std::fabs(x)));
        EXPECT_NEAR(fastGeluTanh(x), geluTanhFloat(x), 6e-7f * std::max(1.0f, std::fabs(x)));
        EXPECT_NEAR(fastSilu(x), siluFloat(x), 4e-7f * std::fabs(siluFloat(x)));
    }
}

class FastArrays : public AllTargets {};

TEST_F(FastArrays, HaveTheBitsOfTheScalarFunctions) {
    using host::Elementwise;
    const std::pair<Elementwise, float (*)(float)> all[] = {
        {Elementwise::fastExp, fastExp},           {Elementwise::fastTanh, fastTanh},
        {Elementwise::fastRsqrt, fastRsqrt},       {Elementwise::fastGelu, fastGelu},
        {Elementwise::fastGeluTanh, fastGeluTanh}, {Elementwise::fastSilu, fastSilu}};
    Values values(1);
    auto x = values.normal(4000, 3.0f);
    values.spoil(x, 200);
    const auto any = values.anyBits(997);
    x.insert(x.end(), any.begin(), any.end());
    forEachTarget([&] {
        for (const auto& [kind, f] : all) {
            std::vector<float> y(x.size());
            host::apply(kind, x.data(), y.data(), x.size());
            for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(sameValue(y[i], f(x[i]))) << x[i];
        }
    });
}
