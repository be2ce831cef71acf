#include "compare/ulp_spread.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "compare/scan.h"

namespace divdet {
namespace {

Tensor floats(const std::vector<float>& values) {
    TensorBuilder builder(DType::f32, {static_cast<std::int64_t>(values.size())});
    auto to = builder.as<float>();
    std::copy(values.begin(), values.end(), to.begin());
    return std::move(builder).finish();
}

float ulpsFrom(float x, int ulps) {
    for (; ulps > 0; --ulps) x = std::nextafter(x, INFINITY);
    for (; ulps < 0; ++ulps) x = std::nextafter(x, -INFINITY);
    return x;
}

TEST(UlpSpread, TellsUpFromDownAndHowFar) {
    const Tensor r = floats({1, 1, 1, 1, -8, -8, 3, NAN, INFINITY});
    const Tensor c = floats(
        {1, ulpsFrom(1, 1), ulpsFrom(1, -1), ulpsFrom(1, 5), ulpsFrom(-8, 3), ulpsFrom(-8, -9), 3, NAN, 1});
    const auto s = ulpSpread(r.view(), c.view());
    ASSERT_TRUE(s.ok()) << s.error().text();
    EXPECT_EQ(s->dtype, DType::f32);
    EXPECT_EQ(s->equal, 2);
    EXPECT_EQ(s->notFinite, 2);
    EXPECT_EQ(s->above[1], 1);
    EXPECT_EQ(s->above[3], 1); // 4 … 7
    EXPECT_EQ(s->above[2], 1); // 2 … 3
    EXPECT_EQ(s->below[1], 1);
    EXPECT_EQ(s->below[4], 1); // 8 … 15
    EXPECT_EQ(s->largest, 9);
    EXPECT_EQ(s->finite(), 7);
    EXPECT_EQ(UlpSpread::range(4), (std::pair<double, double>(8, 15)));
}

/// The scan counts the same without the sign.
TEST(UlpSpread, AgreesWithTheScan) {
    std::vector<float> r, c;
    for (int i = 0; i < 20000; ++i) {
        r.push_back(std::sin(static_cast<float>(i)));
        c.push_back(ulpsFrom(r.back(), (i * 7919) % 41 - 20));
    }
    const Tensor reference = floats(r), candidate = floats(c);
    const auto s = ulpSpread(reference.view(), candidate.view());
    const auto summary = scan(reference.view(), candidate.view(), {});
    ASSERT_TRUE(s.ok() && summary.ok());
    EXPECT_EQ(s->equal, summary->ulpHistogram[0]);
    for (std::size_t i = 1; i < UlpSpread::kSide; ++i)
        EXPECT_EQ(s->above[i] + s->below[i], summary->ulpHistogram[i]) << i;
    EXPECT_EQ(s->largest, summary->maxUlp);
}

TEST(UlpSpread, SaysWhyNot) {
    const Tensor two = floats({1, 2}), three = floats({1, 2, 3});
    EXPECT_EQ(ulpSpread(two.view(), three.view()).error().code, ErrorCode::mismatch);
    Progress progress;
    progress.token.cancel();
    EXPECT_EQ(ulpSpread(two.view(), two.view(), progress).error().code, ErrorCode::cancelled);
    TensorBuilder complex(DType::c64, {2});
    const Tensor c = std::move(complex).finish();
    EXPECT_EQ(ulpSpread(c.view(), c.view()).error().code, ErrorCode::unsupported);
}

TEST(UlpSpread, LeavesMaskedElementsOut) {
    const Tensor r = floats({1, 1, 1}), c = floats({1, 2, 2});
    TensorBuilder builder(DType::u8, {3});
    auto m = builder.as<std::uint8_t>();
    m[0] = 1, m[1] = 0, m[2] = 1;
    const Tensor keep = std::move(builder).finish();
    const auto s = ulpSpread(r.view(), c.view(), {}, keep.view());
    ASSERT_TRUE(s.ok());
    EXPECT_EQ(s->finite(), 2);
    EXPECT_EQ(s->above[24], 1); // 2^23 ulps
}

} // namespace
} // namespace divdet
