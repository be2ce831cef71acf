#include "compare/signed_histogram.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace divdet {
namespace {

TEST(SignedHistogram, BinsHoldWhatTheirRangesSay) {
    for (double magnitude = 1e-4; magnitude < 2e6; magnitude *= 1.013)
        for (const double x : {magnitude, -magnitude}) {
            const auto [low, high] = SignedHistogram::range(SignedHistogram::bin(x));
            EXPECT_LE(low, x) << x;
            EXPECT_LE(x, high) << x;
        }
    for (int b = 1; b < SignedHistogram::kBins; ++b)
        EXPECT_EQ(SignedHistogram::range(b - 1).second, SignedHistogram::range(b).first);
}

TEST(SignedHistogram, IsSymmetricAndKeepsInfinities) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (const double x : {0.0, 0.05, 1.0, 3.7, 1e5, 1e9, kInf})
        EXPECT_EQ(SignedHistogram::bin(x) + SignedHistogram::bin(-x), SignedHistogram::kBins - 1) << x;
    EXPECT_EQ(SignedHistogram::bin(0.0), SignedHistogram::bin(-0.0));
    EXPECT_EQ(SignedHistogram::bin(kInf), SignedHistogram::kBins - 1);
    EXPECT_EQ(SignedHistogram::range(0).first, -kInf);
    EXPECT_EQ(SignedHistogram::bin(std::exp2(20.0)), SignedHistogram::kBins - 1);
}

TEST(SignedHistogram, CountsAndMerges) {
    SignedHistogram a, b;
    EXPECT_TRUE(a.empty());
    EXPECT_EQ(a.count(7), 0);
    a.add(1);
    b.add(1, 3);
    b.add(-2);
    a.merge(b);
    a.merge(SignedHistogram());
    EXPECT_EQ(a.count(SignedHistogram::bin(1)), 4);
    EXPECT_EQ(a.count(SignedHistogram::bin(-2)), 1);
    EXPECT_EQ(a.total(), 5);
}

/// A bin's share of the normal quantity falls from the middle on: no dip that is of the axis alone.
TEST(SignedHistogram, LeavesANormalQuantityOneHump) {
    double before = 1;
    for (int b = SignedHistogram::kSide; b < SignedHistogram::kBins - 1; ++b) {
        const auto [low, high] = SignedHistogram::range(b);
        const double share = normalShare(low, high);
        EXPECT_LE(share, before) << low;
        before = share;
    }
    for (const double x : {-3.0, 0.0, 0.1, 70.0})
        EXPECT_NEAR(symexp(symlog(x)), x, 1e-12 * (1 + std::abs(x)));
}

TEST(NormalShare, AddsUpAndKeepsItsTails) {
    double all = 0;
    for (int b = 0; b < SignedHistogram::kBins; ++b) {
        const auto [low, high] = SignedHistogram::range(b);
        all += normalShare(low, high);
    }
    EXPECT_NEAR(all, 1, 1e-12);
    EXPECT_NEAR(normalShare(-1, 1), 0.682689492137086, 1e-12);
    EXPECT_NEAR(normalShare(10, 11) / (7.61985302416e-24 - 1.91065957e-28), 1, 1e-9);
    EXPECT_EQ(normalShare(10, 11), normalShare(-11, -10));
}

} // namespace
} // namespace divdet
