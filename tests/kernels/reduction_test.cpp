#include "numerics/reduction.h"

#include <vector>

#include "kernel_test_support.h"

using namespace divdet::numerics;

namespace {

constexpr std::size_t kLengths[] = {1, 2, 3, 5, 7, 8, 13, 64, 100, 255, 256, 257, 511, 1000, 2048};

/// The pairwise tree as its text says, without the binary counter.
float tree(const DotTerms& t, std::size_t low, std::size_t high, float start) {
    if (high - low == 1) return low == 0 ? t.add(0, start) : t.leaf(low);
    const std::size_t middle = low + leftPart(high - low);
    return addRn(tree(t, low, middle, start), tree(t, middle, high, start));
}

} // namespace

TEST(Reduction, PairwiseFollowsItsDefinition) {
    Values values(1);
    for (const std::size_t k : kLengths) {
        const auto a = values.normal(k), b = values.normal(k);
        const DotTerms t{a.data(), b.data()};
        EXPECT_TRUE(sameValue(reduce(t, k, {Order::pairwise, 1}, 0.5f), tree(t, 0, k, 0.5f))) << k;
    }
}

TEST(Reduction, OddSizesSplitAtThePowerOfTwoBelow) {
    EXPECT_EQ(leftPart(2), 1u);
    EXPECT_EQ(leftPart(3), 2u);
    EXPECT_EQ(leftPart(6), 4u);
    EXPECT_EQ(leftPart(8), 4u);
    EXPECT_EQ(leftPart(9), 8u);
}

TEST(Reduction, StridedIsLanesThenHalvingTree) {
    Values values(2);
    const std::size_t k = 700;
    const auto x = values.normal(k);
    std::vector<float> lane(256, 0.0f);
    lane[0] = 2.0f;
    for (std::size_t i = 0; i < k; ++i) lane[i % 256] = lane[i % 256] + x[i];
    for (std::size_t o = 128; o > 0; o /= 2) {
        for (std::size_t t = 0; t < o; ++t) lane[t] += lane[t + o];
    }
    EXPECT_EQ(bitsOf(reduce(SumTerms{x.data()}, k, {Order::strided, 1}, 2.0f)), bitsOf(lane[0]));
}

TEST(Reduction, OneSplitIsSequentialAndEmptyChunksDoNotExist) {
    Values values(3);
    const auto a = values.normal(10), b = values.normal(10);
    const DotTerms t{a.data(), b.data()};
    const float sequential = reduce(t, 10, {});
    EXPECT_EQ(bitsOf(reduce(t, 10, {Order::splitK, 1})), bitsOf(sequential));
    float one = t.add(0, 0.0f); // ten chunks of one product each, though 64 were asked for
    for (std::size_t k = 1; k < 10; ++k) one = addRn(one, t.add(k, 0.0f));
    EXPECT_EQ(bitsOf(reduce(t, 10, {Order::splitK, 64})), bitsOf(one));
}

TEST(Reduction, EveryOrderIsCloseToTheExactSumAndOrdersDiffer) {
    Values values(4);
    const auto a = values.normal(4096), b = values.normal(4096);
    double exact = 0, magnitude = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        exact += static_cast<double>(a[k]) * b[k];
        magnitude += std::fabs(static_cast<double>(a[k]) * b[k]);
    }
    const DotTerms t{a.data(), b.data()};
    const SumOrder orders[] = {
        {Order::sequential, 1}, {Order::pairwise, 1}, {Order::strided, 1}, {Order::splitK, 8}};
    for (const SumOrder& o : orders) EXPECT_NEAR(reduce(t, 4096, o), exact, 1e-6 * magnitude);
    EXPECT_NE(reduce(t, 4096, orders[0]), reduce(t, 4096, orders[1]));
    EXPECT_NE(reduce(t, 4096, orders[0]), reduce(t, 4096, orders[3]));
    EXPECT_NE(reduce(t, 4096, orders[0]), reduce(t, 4096, orders[2]));
}

TEST(Reduction, NothingToAddGivesTheStart) {
    for (const Order o : {Order::sequential, Order::pairwise, Order::strided, Order::splitK}) {
        EXPECT_EQ(reduce(SumTerms{nullptr}, 0, {o, 4}, 1.5f), 1.5f);
    }
}
