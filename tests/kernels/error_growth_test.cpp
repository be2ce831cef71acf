#include <cmath>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "numerics/philox.h"
#include "numerics/reduction.h"
#include "numerics/rounding.h"
#include "run/execute.h"

/// How rounding errors grow with the number of terms (Higham, Accuracy and Stability of Numerical Algorithms,
/// 4.2; Higham and Mary 2019), and where narrow accumulators stop growing.
namespace divdet {
namespace {

using numerics::Order;
using numerics::SumOrder;
using numerics::SumTerms;

using Terms = std::vector<float>;

double relativeError(const Terms& x, std::size_t k, SumOrder order) {
    double exact = 0;
    for (std::size_t i = 0; i < k; ++i) exact += static_cast<double>(x[i]);
    return std::fabs(numerics::reduce(SumTerms{x.data()}, k, order) - exact) / std::fabs(exact);
}

/// Exponent p of error ~ k^p: slope of the least-squares line through (log k, log error).
double growthExponent(const std::vector<std::pair<double, double>>& points) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [k, error] : points) {
        const double x = std::log(k), y = std::log(error);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double n = static_cast<double>(points.size());
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Root mean square of the relative error over independent sums of uniform numbers, for k = 2^8 ... 2^16.
std::vector<std::pair<double, double>> uniformErrors(SumOrder order) {
    constexpr std::size_t kMost = 1 << 16, kTrials = 48;
    std::vector<std::pair<double, double>> points;
    for (std::size_t k = 256; k <= kMost; k *= 4) points.emplace_back(k, 0.0);
    Terms x(kMost);
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        for (std::size_t i = 0; i < kMost; ++i) x[i] = numerics::uniformAt(3, trial, i);
        for (auto& [k, sum] : points)
            sum += std::pow(relativeError(x, static_cast<std::size_t>(k), order), 2);
    }
    for (auto& [k, sum] : points) sum = std::sqrt(sum / kTrials);
    return points;
}

TEST(ErrorGrowth, SequentialGrowsLikeTheRootOfK) {
    EXPECT_NEAR(growthExponent(uniformErrors({Order::sequential, 1})), 0.5, 0.08);
}

/// Roundings of independent data partly cancel, so a tree of any depth stays within a few units; the
/// logarithm is its bound.
TEST(ErrorGrowth, PairwiseHardlyGrowsAndStaysBelowItsLogarithmicBound) {
    const auto points = uniformErrors({Order::pairwise, 1});
    EXPECT_LT(std::fabs(growthExponent(points)), 0.08);
    for (const auto& [k, error] : points) EXPECT_LT(error, std::log2(k) * 0x1p-24);
}

TEST(ErrorGrowth, SplitAndStridedSumsLieBetween) {
    const auto sequential = uniformErrors({Order::sequential, 1}),
               pairwise = uniformErrors({Order::pairwise, 1});
    for (const SumOrder o : {SumOrder{Order::splitK, 8}, {Order::strided, 1}}) {
        const auto points = uniformErrors(o);
        EXPECT_LT(points.back().second, sequential.back().second / 2);
        EXPECT_GT(points.back().second, pairwise.back().second / 2);
    }
}

/// Adding 4/3 = 1.0101... in binary, the part that does not fit is a third of a unit of the sum at every
/// size, always to the same side between two powers of four: the worst case, linear in k.
TEST(ErrorGrowth, EqualTermsErrInOneDirectionAndGrowLinearly) {
    const Terms x(1 << 20, 4.0f / 3.0f);
    std::vector<std::pair<double, double>> sequential;
    for (std::size_t k = 1 << 8; k <= x.size(); k *= 4)
        sequential.emplace_back(k, relativeError(x, k, {Order::sequential, 1}));
    EXPECT_NEAR(growthExponent(sequential), 1.0, 0.05);
    EXPECT_EQ(relativeError(x, x.size(), {Order::pairwise, 1}), 0.0); // only doublings
}

float accumulated(const Terms& x, float (*round)(float)) {
    float sum = 0;
    for (const float v : x) sum = round(sum + v);
    return sum;
}

/// With p fraction bits a unit of a sum in [2^e, 2^(e+1)) is 2^(e-p); from where half of it is no less than
/// every addend the sum stands still: 2^(p+1) times the addends' power of two.
TEST(Stagnation, OnesAndUniformNumbersStickWhereHalfAUnitReachesThem) {
    const std::size_t k = 65536;
    Terms uniform(k);
    for (std::size_t i = 0; i < k; ++i) uniform[i] = numerics::uniformAt(4, 0, i);
    for (const Terms& x : {Terms(k, 1.0f), uniform}) {
        EXPECT_EQ(accumulated(x, numerics::roundToBf16), 256.0f); // p = 7: half a unit is 1
        EXPECT_EQ(accumulated(x, numerics::roundToF16), 2048.0f); // p = 10
    }
    EXPECT_EQ(accumulated(Terms(k, 0.75f), numerics::roundToBf16), 256.0f);
    EXPECT_EQ(accumulated(Terms(k, 0.5f), numerics::roundToBf16), 128.0f);
}

/// The block of the lesson: |N(0,1)| inputs. From 1024 on half a unit is 4, so only an addend above 4 still
/// moves the sum, by one unit of 8.
TEST(Stagnation, ReductionOf65536PositiveInputsSticksAt1024) {
    auto graph = *block::preset("reduction");
    block::setInputKind(graph, block::FillKind::positive);
    const auto bound = *block::bind(graph, {{"tokens", 4}, {"k", 65536}});
    const auto inputs = *run::makeInputs(bound, 0);
    host::TwinBackend twin;
    const auto sums = [&](const char* pass) {
        std::vector<lower::PassChoice> passes;
        if (*pass) passes.push_back(*lower::parsePass(pass));
        const auto taps = run::execute(*lower::lower(bound, passes), inputs, {twin, "cpu:sm_80"});
        const auto y = taps->find("sum")->tensor.as<float>();
        return Terms(y.begin(), y.end());
    };
    const auto right = sums(""), wrong = sums("wrong-accumulator=bf16");
    const auto x = inputs.tensors[*bound.graph.find("x")].as<float>();
    for (std::size_t row = 0; row < 4; ++row) {
        float sum = 0, expected = 0;
        for (const float v : x.subspan(row * 65536, 65536)) {
            ASSERT_GE(v, 0.0f);
            ASSERT_LT(v, 12.0f); // or one addend would move the sum by two units
            if (expected == 0)
                sum = numerics::roundToBf16(sum + v);
            else if (v > 4)
                expected += 8;
            if (expected == 0 && sum >= 1024) expected = sum;
        }
        EXPECT_EQ(wrong[row], expected);
        EXPECT_GE(wrong[row], 1024.0f);
        EXPECT_LT(wrong[row], 1100.0f);
        EXPECT_GT(right[row], 50000.0f);
    }
}

} // namespace
} // namespace divdet
