#include "judge/honest/honest_errors.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "judge/honest/recommend.h"

/// The rates against a plain simulation of what they claim: numbers drawn, moved by a normal error and
/// rounded to the dtype by nearest even.
namespace divdet::honest {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double rounded(double x, DType dtype) {
    if (x == 0) return x;
    const double step = std::ldexp(1.0, std::ilogb(x) - fractionBits(dtype));
    return std::nearbyint(x / step) * step;
}

struct Model {
    DType dtype;
    double size, sigma, shift; ///< of the reference; of the error before its last rounding, relative to size
};

HonestErrors errorsOf(const Model& m, int draws, int elements) {
    HonestErrors out(m.dtype);
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (int d = 0; d < draws; ++d) {
        std::vector<ExpectedElement> draw;
        for (int i = 0; i < elements; ++i)
            draw.push_back({normal(random) * m.size, m.shift * m.size, m.sigma * m.size, kInf});
        out.add(draw);
    }
    out.finish();
    return out;
}

/// Share of single elements that fail, over other draws.
double simulated(const Model& m, const Tolerance& t, int elements) {
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal;
    std::int64_t failing = 0;
    for (int i = 0; i < elements; ++i) {
        const double r = normal(random) * m.size;
        const double c = rounded(r + (m.shift + m.sigma * normal(random)) * m.size, m.dtype);
        failing += !passes(t, c, r);
    }
    return static_cast<double>(failing) / elements;
}

TEST(HonestErrors, RatesAreThoseOfASimulationOnTheLattice) {
    constexpr int kElements = 2'000'000;
    for (const Model& m :
         {Model{DType::bf16, 64, 1e-6, 0}, Model{DType::bf16, 1, 1e-3, 0}, Model{DType::bf16, 1, 1e-3, 2e-4},
          Model{DType::f16, 8, 1e-5, 0}, Model{DType::f32, 1, 1e-6, 3e-7}}) {
        const auto errors = errorsOf(m, 8, 8192);
        const double u = std::ldexp(0.5, -fractionBits(m.dtype));
        for (const auto& [share, near] :
             {std::pair{0.5, 1e-4}, {0.9, 1e-3}, {0.97, 1e-4}, {0.99, 2e-3}, {0, 1.5}}) {
            const Tolerance t{Rule::allclose, share * u, near * (m.sigma + u) * m.size};
            const double truth = simulated(m, t, kElements), rate = errors.failing(t.rtol, t.atol) / 8192;
            // The data of the model are a finite sample too: a few per cent where many elements decide.
            const double error = 4 * std::sqrt(std::max(truth, 1e-6) / kElements) + 0.06 * truth;
            EXPECT_NEAR(rate, truth, error) << "sigma " << m.sigma << " dtype " << static_cast<int>(m.dtype)
                                            << " rtol " << t.rtol << " atol " << t.atol;
        }
    }
}

/// A Gaussian of the rounded value would put a tenth of the elements beyond a full half step.
TEST(HonestErrors, NoElementFailsBeyondHalfAStep) {
    const auto errors = errorsOf({DType::bf16, 1, 0, 0}, 4, 4096);
    EXPECT_EQ(errors.failing(0x1p-8 * 1.001, 0), 0);
    EXPECT_GT(errors.failing(0x1p-8 * 0.9, 0), 1);
}

TEST(HonestErrors, OfAToleranceBelowHalfAStepFailAlways) {
    const auto errors = errorsOf({DType::bf16, 64, 1e-6, 0}, 4, 4096);
    EXPECT_GT(errors.falseAlarm(0, 0.01), 0.999);
}

TEST(HonestErrors, CountNothingBeyondAHardBound) {
    HonestErrors free(DType::f32), bound(DType::f32);
    const std::vector<ExpectedElement> wide(1000, {1.0, 0, 1e-3, kInf}), narrow(1000, {1.0, 0, 1e-3, 2e-3});
    free.add(wide), bound.add(narrow);
    free.finish(), bound.finish();
    EXPECT_GT(free.failing(0, 2.5e-3), 1);
    EXPECT_EQ(bound.failing(0, 2.5e-3), 0);
}

TEST(HonestErrors, RatesFallWithEitherToleranceAndRiseWithTheElements) {
    const auto errors = errorsOf({DType::bf16, 4, 1e-3, 0}, 4, 2048);
    double last = 1e9;
    for (double rtol = 1e-4; rtol < 1e-2; rtol *= 1.1) {
        const double now = errors.failing(rtol, 1e-3);
        EXPECT_LE(now, last * (1 + 1e-9));
        last = now;
    }
    EXPECT_LT(errors.falseAlarm(3.8e-3, 0.01, 100), errors.falseAlarm(3.8e-3, 0.01, 10000));
}

TEST(Recommend, MeetsTheProbabilityThatWasAsked) {
    for (const DType dtype : {DType::bf16, DType::f16, DType::f32})
        for (const double p : {1e-2, 1e-6}) {
            const auto errors = errorsOf({dtype, 16, 1e-6, 0}, 6, 4096);
            const Recommended r = recommend(errors, p);
            EXPECT_LE(r.sharpestAlarm, p * 1.0001);
            EXPECT_LE(r.linkedAlarm, p * 1.0001);
            // Sharp: a hundredth less of both fails far more often than asked.
            EXPECT_GT(errors.falseAlarm(r.sharpest.rtol * 0.99, r.sharpest.atol * 0.99), p);
            EXPECT_GT(errors.falseAlarm(r.linked.rtol * 0.97, linkedAtol(r.linked.rtol * 0.97)), p);
        }
}

} // namespace
} // namespace divdet::honest
