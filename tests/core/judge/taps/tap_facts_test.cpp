// What one pass over a tap gathers, against the plain formulas.
#include "judge/taps/tap_facts.h"

#include <cmath>

#include <gtest/gtest.h>

#include "judge/taps/channel_sums.h"
#include "make_tensor.h"
#include "taps_support.h"

using namespace divdet;
using namespace divdet::test;

namespace {

std::vector<double> plus(std::vector<double> a, const std::vector<double>& b, double factor = 1) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
    return a;
}

} // namespace

TEST(ChannelSums, AreTheSumsOfEveryAxisHoweverTheElementsArrive) {
    const Shape shape{2, 17, 3, 19};
    const std::size_t n = 2 * 17 * 3 * 19;
    const auto r = normals(n, 1), c = normals(n, 2);
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{19}, std::size_t{500}, n}) {
        ChannelSums sums(shape, 0x1p-24);
        for (std::size_t i = 0; i < n; i += step) {
            const std::size_t m = std::min(step, n - i);
            sums.add({r.data() + i, m}, {c.data() + i, m});
        }
        std::vector<double> error(17), mean(19);
        double total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            error[i / 57 % 17] += (c[i] - r[i]) * (c[i] - r[i]);
            mean[i % 19] += r[i];
            total += (c[i] - r[i]) * (c[i] - r[i]);
        }
        ASSERT_EQ(sums.axes().size(), 4u);
        EXPECT_TRUE(sums.axes()[0].error.empty()) << "two indices have no median";
        EXPECT_TRUE(sums.axes()[2].error.empty());
        for (std::size_t i = 0; i < 17; ++i) EXPECT_NEAR(sums.axes()[1].error[i], error[i], 1e-9);
        for (std::size_t i = 0; i < 19; ++i) EXPECT_NEAR(sums.axes()[3].mean[i], mean[i], 1e-9);
        EXPECT_NEAR(sums.error(), total, 1e-9);
    }
}

TEST(ChannelSums, MeanShareIsRmsOverTheSpreadLeft) {
    // Rows with means of ±10: large by row, none over all.
    std::vector<double> x = normals(64 * 64, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += i / 64 % 2 ? 10 : -10;
    ChannelSums sums({64, 64}, 0x1p-24);
    sums.add(x, x);
    const auto share = sums.meanShare();
    ASSERT_EQ(share.size(), 4u);
    EXPECT_NEAR(share[2], std::sqrt(101.0), 0.5) << "by row";
    EXPECT_NEAR(share[0], std::sqrt(101.0), 0.5) << "by index of the first axis, the same";
    EXPECT_NEAR(share[1], 1, 0.05) << "by column";
    EXPECT_NEAR(share[3], 1, 0.05) << "over all";
}

TEST(TapFacts, ErrorIsRelativeToTheSignal) {
    const auto r = normals(4096, 4);
    const auto f = TapList().add("x", {64, 64}, r, plus(r, normals(4096, 5), 0.01), DType::f64).facts(0);
    EXPECT_TRUE(f.judged);
    EXPECT_NEAR(f.error, 0.01, 0.0005);
    EXPECT_NEAR(f.peak, 3.7, 0.8);
    EXPECT_EQ(f.unit, 0x1p-53);
}

TEST(TapFacts, AMasksConstantIsLeftOut) {
    auto r = normals(4096, 6);
    auto c = plus(r, normals(4096, 7), 0.1);
    for (std::size_t i = 0; i < r.size(); i += 3) r[i] = c[i] = -10000 + r[i] / 100;
    const auto f = TapList().add("x", {64, 64}, r, c).facts(0);
    EXPECT_GT(f.sentinel, 1000);
    EXPECT_LT(f.sentinel, 10001);
    EXPECT_NEAR(f.error, 0.1, 0.01);
}

TEST(TapFacts, OutliersOfAllSizesAreSignal) {
    auto r = normals(4096, 8);
    for (std::size_t i = 0; i < r.size(); i += 64) r[i] *= 300;
    EXPECT_EQ(TapList().add("x", {64, 64}, r, plus(r, r, 1e-3)).facts(0).sentinel, kInf);
}

TEST(TapFacts, ATapTakenBeforeItsReluIsClamped) {
    const auto before = normals(4096, 9);
    auto r = before, c = plus(before, normals(4096, 10), 1e-3);
    for (double& x : r) x = std::max(x, 0.0);
    const auto f = TapList().add("x", {64, 64}, r, c).facts(0);
    EXPECT_TRUE(f.beforeClamp);
    EXPECT_LT(f.error, 2e-3);
    const auto negative = TapList().add("x", {64, 64}, before, c).facts(0);
    EXPECT_FALSE(negative.beforeClamp) << "a reference with negative values is no ReLU's";
}

TEST(TapFacts, MaskedAndNonFiniteElementsCountNowhere) {
    auto r = normals(4096, 11);
    auto c = plus(r, normals(4096, 12), 1e-3);
    std::vector<std::uint8_t> keep(4096, 1);
    for (std::size_t i = 0; i < 4096; i += 5) c[i] = 1e6, keep[i] = 0;
    c[1] = kNan;
    const Tensor mask = tensorOf<std::uint8_t>(DType::boolean, {64, 64}, keep);
    const auto f = TapList().add("x", f64(r, {64, 64}), f64(c, {64, 64}), mask).facts(0);
    EXPECT_NEAR(f.error, 1e-3, 1e-4);
}

TEST(TapFacts, FewElementsAndOtherTypesAreNotJudged) {
    EXPECT_TRUE(TapList().add("x", {4}, {1, 2, 3, 4}, {1, 2, 3, 4.1}).facts(0).small);
    EXPECT_FALSE(TapList().add("x", {4}, {1, 2, 3, 4}, {1, 2, 3, 4.1}).facts(0).judged);
    EXPECT_FALSE(TapList().add("x", {16}, std::vector<double>(16), normals(16, 1)).facts(0).judged);
    const std::vector<std::int64_t> ids(16, 7);
    const Tensor i = tensorOf<std::int64_t>(DType::i64, {16}, ids);
    EXPECT_FALSE(TapList().add("ids", i, i).facts(0).judged);
}

TEST(TapFacts, AChannelThatStandsOutIsFoundAndExplained) {
    const auto r = normals(64 * 128, 13);
    auto c = plus(r, normals(64 * 128, 14), 0.01);
    for (std::size_t t = 0; t < 64; ++t) c[t * 128 + 77] = 0.7 * r[t * 128 + 77];
    const auto f = TapList().add("x", {64, 128}, r, c).facts(0);
    ASSERT_TRUE(f.channel);
    EXPECT_EQ(f.channel->axis, 1);
    EXPECT_EQ(f.channel->channel, 77);
    EXPECT_NEAR(f.channel->gain, 0.7, 0.01);
    EXPECT_GT(f.channel->explained, 0.9);
    EXPECT_FALSE(f.channel->limit);
}

TEST(TapFacts, AClippedChannelPilesUpAtItsLimit) {
    const auto r = normals(64 * 128, 15);
    auto c = plus(r, normals(64 * 128, 16), 0.002);
    for (std::size_t t = 0; t < 64; ++t) c[t * 128 + 3] = std::clamp(c[t * 128 + 3], -0.5, 0.5);
    const auto f = TapList().add("x", {64, 128}, r, c).facts(0);
    ASSERT_TRUE(f.channel && f.channel->limit);
    EXPECT_EQ(f.channel->channel, 3);
    EXPECT_NEAR(std::fabs(*f.channel->limit), 0.5, 1e-6);
    EXPECT_GT(f.channel->atLimit, 20);
}

TEST(TapFacts, NoChannelWhereTheMedianOneIsExact) {
    const auto r = normals(64 * 128, 17);
    auto c = r;
    for (std::size_t t = 0; t < 10; ++t) c[t * 128 + 77] *= 1.5;
    EXPECT_FALSE(TapList().add("x", {64, 128}, r, c).facts(0).channel);
}

TEST(TapFacts, MaskedDiagonalsThatAreNotZero) {
    std::vector<double> r(2 * 16 * 16), c;
    const auto noise = normals(r.size(), 18);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = i % 16 <= i / 16 % 16 ? 1 + 0.1 * noise[i] : 0;
    c = r;
    for (std::size_t i = 0; i < r.size(); ++i)
        if (i % 16 == i / 16 % 16 + 1) c[i] = 0.5;
    const auto f = TapList().add("probs", {2, 16, 16}, r, c).facts(0);
    ASSERT_EQ(f.diagonals.size(), 1u);
    EXPECT_EQ(f.diagonals[0].offset, 1);
    EXPECT_EQ(f.diagonals[0].nonZero, 30);
}

TEST(TapFacts, FewLevelsAreCountedWithTheirStep) {
    const auto r = normals(4096, 19);
    auto c = r;
    for (double& x : c) x = std::nearbyint(x / 2) * 2;
    const auto f = TapList().add("x", {64, 64}, r, c).facts(0);
    ASSERT_TRUE(f.levels);
    EXPECT_LE(f.levels->candidate, 5);
    EXPECT_EQ(f.levels->reference, 257) << "counted up to the limit";
    EXPECT_NEAR(f.levels->steps, 3.7, 1);
    EXPECT_FALSE(TapList().add("x", {64, 64}, r, plus(r, r, 1e-3)).facts(0).levels);
}
