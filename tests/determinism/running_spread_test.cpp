// Runs that are counted one by one and not kept: the same answer as from all of them together.
#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "determinism/running_spread.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using test::f32;

TapSpread running(const std::vector<Tensor>& runs) {
    RunningSpread s;
    for (const Tensor& t : runs) EXPECT_TRUE(s.add(t).ok());
    EXPECT_EQ(s.runs(), static_cast<std::int64_t>(runs.size()));
    return s.spread();
}

void expectSame(const TapSpread& a, const TapSpread& b) {
    EXPECT_EQ(a.elements, b.elements);
    EXPECT_EQ(a.varying, b.varying);
    EXPECT_EQ(a.firstVarying, b.firstVarying);
    EXPECT_EQ(a.variants, b.variants);
    EXPECT_EQ(a.nonFinite, b.nonFinite);
    EXPECT_EQ(a.maxAbs.value, b.maxAbs.value);
    EXPECT_EQ(a.maxAbs.index, b.maxAbs.index);
    EXPECT_EQ(a.maxUlp, b.maxUlp);
}

TEST(RunningSpread, CountsMadeUpRuns) {
    const float up = std::nextafter(2.0f, 3.0f), down = std::nextafter(2.0f, 1.0f);
    const auto s =
        running({f32({1, 2, 3}), f32({1, up, 3}), f32({1, down, 3}), f32({1, up, 3}), f32({1, 2, 3})});
    EXPECT_EQ(s.elements, 3);
    EXPECT_EQ(s.varying, 1);
    EXPECT_EQ(s.firstVarying, 1);
    EXPECT_EQ(s.variants, 3);
    EXPECT_EQ(s.maxUlp, 2);
    EXPECT_EQ(s.maxAbs.value, static_cast<double>(up) - down);
}

TEST(RunningSpread, SameRunsAreOneResult) {
    RunningSpread s;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(s.add(f32({0.5f, -0.0f})).ok());
    EXPECT_FALSE(s.varies());
    EXPECT_TRUE(s.spread().bitEqual());
    EXPECT_EQ(s.spread().variants, 1);
    ASSERT_TRUE(s.add(f32({0.5f, 0.0f})).ok());
    EXPECT_TRUE(s.varies());
    EXPECT_EQ(s.spread().varying, 1);
    EXPECT_EQ(s.spread().maxAbs.value, 0);
}

TEST(RunningSpread, SaysWhatAllRunsTogetherSay) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    std::vector<float> plain(9001, 1.0f);
    std::vector<Tensor> runs;
    for (int run = 0; run < 6; ++run) {
        auto x = plain;
        x[7] = 1 + static_cast<float>(run % 3) * 0x1p-20f;
        x[4096] = run == 2 ? nan : 1.0f;
        x[5000] = run == 0 ? inf : 1.0f;
        x[8999] = run == 5 ? -1.0f : static_cast<float>(run);
        x[9000] = run == 3 ? std::bit_cast<float>(0x7fc00001u) : nan;
        runs.push_back(f32(x));
    }
    const auto all = spreadOf(runs);
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->varying, 5);
    EXPECT_EQ(all->nonFinite, 3);
    expectSame(running(runs), *all);
}

TEST(RunningSpread, OtherShapesAreAnError) {
    RunningSpread s;
    ASSERT_TRUE(s.add(f32({1, 2})).ok());
    const auto other = s.add(f32({1}));
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().code, ErrorCode::mismatch);
    EXPECT_EQ(s.runs(), 1);
}

} // namespace
} // namespace divdet
