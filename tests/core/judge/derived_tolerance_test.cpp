#include "judge/derived_tolerance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "judge/gaussian_tail.h"

namespace divdet {
namespace {

TEST(GaussianTail, KnowsTheTablesAndItsOwnInverse) {
    EXPECT_NEAR(upperTail(1.959963984540054), 0.025, 1e-15);
    EXPECT_NEAR(deviationsFor(0.05, 1), 1.959963984540054, 1e-9);
    EXPECT_NEAR(2 * 1000 * upperTail(deviationsFor(1e-6, 1000)), 1e-6, 1e-15);
    EXPECT_GT(deviationsFor(1e-6, 1 << 20), deviationsFor(1e-6, 1));
}

TEST(GaussianTail, IntegralIsTheSumOfTheTail) {
    for (const double x : {-3.0, 0.0, 1.0, 4.0, 8.0, 11.9, 12.1}) {
        double sum = 0;
        const double step = 1e-4;
        for (double z = x + step / 2; z < x + 12; z += step) sum += upperTail(z) * step;
        EXPECT_NEAR(upperTailIntegral(x) / sum, 1, 1e-3) << x;
    }
}

/// A tap of four elements: mean and sigma before the last rounding are known by hand.
envelope::Field field(std::vector<double> mean, double sigma, DType stored) {
    envelope::Field f{mean, {}, true};
    for (const double m : mean) {
        const double step = std::ldexp(1.0, std::ilogb(m) - fractionBits(stored));
        f.variance.push_back(sigma * sigma + step * step / 12);
    }
    return f;
}

TEST(ElementBounds, AreShiftAndDeviationsAndHalfAStep) {
    const std::vector<double> r{1.0, 1.5, -2.5, 8.0};
    const auto b = elementBounds(field({1.25, 1.5, -2.5, 8.0}, 1e-3, DType::bf16), r, DType::bf16, 1e-3);
    EXPECT_NEAR(b.k, deviationsFor(1e-3, 4), 1e-12);
    EXPECT_NEAR(b.bound[0], 0.25 + b.k * 1e-3 + 0x1p-8, 1e-9);
    EXPECT_NEAR(b.bound[1], b.k * 1e-3 + 0x1p-8, 1e-9);
    EXPECT_NEAR(b.bound[2], b.k * 1e-3 + 0x1p-7, 1e-9);
    EXPECT_NEAR(b.bound[3], b.k * 1e-3 + 0x1p-5, 1e-9);
}

TEST(ElementBounds, AllowNoMoreThanIsPossible) {
    const std::vector<double> r{1.5, 1.5}, possible{1e-4, 1e9};
    const auto b = elementBounds(field({1.5, 1.5}, 1e-3, DType::bf16), r, DType::bf16, 1e-3, possible);
    EXPECT_NEAR(b.bound[0], 1e-4 + 0x1p-8, 1e-9);
    EXPECT_NEAR(b.bound[1], b.k * 1e-3 + 0x1p-8, 1e-9);
}

TEST(ElementBounds, OfWhatIsKnownExactlyAreTheShiftAlone) {
    envelope::Field f{{1.0, 2.0, INFINITY}, {0, 0, 0}, true};
    const std::vector<double> r{1.0, 2.5, INFINITY};
    const auto b = elementBounds(f, r, DType::f32, 1e-6);
    EXPECT_EQ(b.bound, (std::vector<double>{0, 0.5, 0}));
    f.variance.clear(); // so the envelope says it of a whole value
    EXPECT_EQ(elementBounds(f, r, DType::f32, 1e-6).bound, b.bound);
}

TEST(DerivedTolerance, CoversEveryElementAndNoSmallerPairDoes) {
    std::vector<double> r, bound;
    for (int i = 0; i < 200; ++i) {
        r.push_back(std::sin(i * 1.7) * std::exp(std::cos(i * 0.3) * 3));
        bound.push_back(1e-3 + std::abs(r.back()) * (2e-3 + 1e-3 * std::cos(i)));
    }
    const auto t = derivedTolerance({6.0, bound}, r, 1e-6);
    EXPECT_EQ(t.k, 6.0);
    EXPECT_EQ(t.p, 1e-6);
    for (const Tolerance& pair : {t.linked, t.nearZero}) {
        bool all = true, allOfLess = true;
        const Tolerance less{Rule::allclose, pair.rtol * (1 - 1e-9), pair.atol * (1 - 1e-9)};
        for (std::size_t i = 0; i < r.size(); ++i) {
            all = all && passesFinite(pair, bound[i], std::abs(r[i]));
            allOfLess = allOfLess && passesFinite(less, bound[i], std::abs(r[i]));
        }
        EXPECT_TRUE(all);
        EXPECT_FALSE(allOfLess);
    }
    EXPECT_EQ(t.linked.atol, linkedAtol(t.linked.rtol));
    EXPECT_LT(t.nearZero.rtol, t.linked.rtol);
}

} // namespace
} // namespace divdet
