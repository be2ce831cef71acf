#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "judge/local/residual.h"
#include "tensor/convert.h"

namespace divdet::local {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Preimage, IsHalfAnUlpEachSideAndAQuarterBelowAPowerOfTwo) {
    EXPECT_EQ(preimage(1.5, DType::f32).low, 1.5 - 0x1p-24);
    EXPECT_EQ(preimage(1.5, DType::f32).high, 1.5 + 0x1p-24);
    EXPECT_EQ(preimage(1.0, DType::f32).low, 1.0 - 0x1p-25);
    EXPECT_EQ(preimage(-1.0, DType::bf16).high, -(1.0 - 0x1p-9));
    EXPECT_EQ(preimage(-1.0, DType::bf16).low, -(1.0 + 0x1p-8));
}

TEST(Preimage, OfSubnormalsZeroAndTheLargest) {
    EXPECT_EQ(preimage(0x1p-149, DType::f32).low, 0x1p-150);
    EXPECT_EQ(preimage(0.0, DType::f16).high, 0x1p-25);
    EXPECT_EQ(preimage(0.0, DType::f16).low, -0x1p-25);
    EXPECT_EQ(preimage(0x1p-14, DType::f16).low,
              0x1p-14 - 0x1p-25); // below the smallest normal the grid stays
    EXPECT_EQ(preimage(65504, DType::f16).high, 65520);
    EXPECT_EQ(preimage(kInf, DType::f16).low, 65520);
    EXPECT_EQ(preimage(kInf, DType::f16).high, kInf);
    EXPECT_EQ(preimage(-kInf, DType::f16).high, -65520);
}

/// Whatever a real number is rounded to, the number lies in the preimage of it.
RC_GTEST_PROP(Preimage, HoldsEveryNumberThatRoundsThere, (int mantissa, unsigned char scale)) {
    const double x = std::ldexp(mantissa + 0.3, static_cast<int>(scale % 160) - 160);
    for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
        const auto stored = converted(tensorOf<double>(DType::f64, {1}, std::vector<double>{x}), dtype);
        const double c = elementAt(stored->view(), 0);
        const Preimage p = preimage(c, dtype);
        RC_ASSERT(p.low <= x && x <= p.high);
        RC_ASSERT(score(c, dtype, x, 0) == 0);
    }
}

TEST(Score, CountsTheBoundFromTheEdgeOfThePreimage) {
    const double high = 1.5 + 0x1p-24;
    EXPECT_EQ(score(1.5, DType::f32, high, 1e-9), 0);
    EXPECT_NEAR(score(1.5, DType::f32, high + 1e-6, 1e-6), 1, 1e-9);
    EXPECT_NEAR(score(1.5, DType::f32, high + 3e-6, 1e-6), 3, 1e-9);
}

TEST(Score, OfNaNAndInfinities) {
    const double nan = std::nan("");
    EXPECT_EQ(score(nan, DType::f32, nan, 1), 0);
    EXPECT_EQ(score(nan, DType::f32, 1, 1), kInf);
    EXPECT_EQ(score(1, DType::f32, nan, 1), kInf);
    EXPECT_EQ(score(-kInf, DType::f32, -kInf, 0), 0);
    EXPECT_EQ(score(kInf, DType::f32, -kInf, 0), kInf);
    EXPECT_EQ(score(kInf, DType::f16, 70000, 1), 0);
    EXPECT_EQ(score(kInf, DType::f16, 65000, 520), 1);
}

} // namespace
} // namespace divdet::local
