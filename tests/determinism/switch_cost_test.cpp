// Quartiles and the verdict on a cost, from made-up times.
#include <gtest/gtest.h>

#include "determinism/switch_cost.h"

namespace divdet {
namespace {

TEST(Quartiles, InterpolateBetweenNeighbours) {
    const std::vector<double> odd{5, 1, 4, 2, 3};
    EXPECT_EQ(quartilesOf(odd).low, 2);
    EXPECT_EQ(quartilesOf(odd).median, 3);
    EXPECT_EQ(quartilesOf(odd).high, 4);
    const std::vector<double> even{4, 1, 3, 2};
    EXPECT_EQ(quartilesOf(even).low, 1.75);
    EXPECT_EQ(quartilesOf(even).median, 2.5);
    EXPECT_EQ(quartilesOf(even).high, 3.25);
    const std::vector<double> one{7};
    EXPECT_EQ(quartilesOf(one).low, 7);
    EXPECT_EQ(quartilesOf(one).high, 7);
}

TEST(SwitchCost, IsTheMedianOfThePairsNotOfTheSides) {
    // The machine slows down fourfold half-way; each pair still says twice as slow.
    const std::vector<TimedPair> pairs{{1, 2}, {1, 2}, {4, 8}, {4, 8}, {4, 8}};
    const auto cost = costOf(pairs);
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->pairs, 5u);
    EXPECT_EQ(cost->off.median, 4);
    EXPECT_EQ(cost->on.median, 8);
    EXPECT_EQ(cost->on.low, 2);
    EXPECT_EQ(cost->ratio.median, 2);
    EXPECT_EQ(cost->ratio.low, 2);
    EXPECT_EQ(cost->verdict, CostVerdict::slower);
}

TEST(SwitchCost, TellsFasterFromNoise) {
    const std::vector<TimedPair> faster{{2, 1}, {2, 1.5}, {2, 1}, {2, 1.2}};
    EXPECT_EQ(costOf(faster)->verdict, CostVerdict::faster);
    const std::vector<TimedPair> noise{{1, 1.1}, {1, 0.9}, {1, 1.2}, {1, 0.8}};
    EXPECT_EQ(costOf(noise)->verdict, CostVerdict::within);
    EXPECT_EQ(name(costOf(noise)->verdict), "within-noise");
    EXPECT_FALSE(costOf({}));
}

} // namespace
} // namespace divdet
