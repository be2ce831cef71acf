#include "numerics/partials.h"

#include <algorithm>
#include <set>

#include "kernel_test_support.h"
#include "numerics/half_written.h"

using namespace divdet::numerics;

TEST(Partials, Fp32InOrderIsSplitK) {
    Values values(1);
    for (const std::size_t k : {0u, 1u, 7u, 100u, 517u})
        for (const std::size_t splits : {1u, 2u, 8u, 64u}) {
            const auto a = values.normal(k), b = values.normal(k);
            const DotTerms t{a.data(), b.data()};
            EXPECT_EQ(bitsOf(combinedChunks(t, k, splits, 0.5f, PartialFormat::f32, nullptr)),
                      bitsOf(reduce(t, k, {Order::splitK, splits}, 0.5f)));
        }
}

TEST(Partials, NarrowFormatsRoundEveryPartialAndEverySum) {
    Values values(2);
    const std::size_t k = 100;
    const auto x = values.normal(k);
    float chunk[4] = {0.75f, 0, 0, 0};
    for (std::size_t i = 0; i < k; ++i) chunk[i / 25] += x[i];
    float bf16 = roundToBf16(chunk[0]), f16 = roundToF16(chunk[0]);
    for (int c = 1; c < 4; ++c) {
        bf16 = roundToBf16(bf16 + roundToBf16(chunk[c]));
        f16 = roundToF16(f16 + roundToF16(chunk[c]));
    }
    EXPECT_EQ(combinedChunks(SumTerms{x.data()}, k, 4, 0.75f, PartialFormat::bf16, nullptr), bf16);
    EXPECT_EQ(combinedChunks(SumTerms{x.data()}, k, 4, 0.75f, PartialFormat::f16, nullptr), f16);
}

TEST(Partials, ArrivalAddsEveryChunkOnceInItsOrder) {
    const std::vector<float> x{1e8f, 1.0f, -1e8f, 3.0f};
    const std::uint32_t order[] = {2, 0, 3, 1};
    EXPECT_EQ(combinedChunks(SumTerms{x.data()}, 4, 4, 0.25f, PartialFormat::f32, order),
              ((0.25f - 1e8f) + 1e8f) + 3.0f + 1.0f);
}

TEST(Partials, ArrivalOrdersArePermutationsThatDependOnSeedAndTile) {
    std::set<std::vector<std::uint32_t>> seen;
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        for (std::uint32_t tile = 0; tile < 4; ++tile) {
            std::vector<std::uint32_t> p(16), again(16), sorted(16);
            arrivalOrder(seed, tile, tile / 2, p.data(), p.size());
            arrivalOrder(seed, tile, tile / 2, again.data(), again.size());
            EXPECT_EQ(p, again);
            sorted = p;
            std::sort(sorted.begin(), sorted.end());
            for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(sorted[i], i);
            seen.insert(p);
        }
    EXPECT_EQ(seen.size(), 24u);
}

/// Each of 3! orders about equally often.
TEST(Partials, ArrivalOrdersAreFair) {
    std::vector<int> counts(27);
    constexpr int kDraws = 6000;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
        std::uint32_t p[3];
        arrivalOrder(seed, 0, 0, p, 3);
        ++counts[p[0] * 9 + p[1] * 3 + p[2]];
    }
    for (const int count : counts) {
        if (count > 0) {
            EXPECT_NEAR(count, kDraws / 6, 150); // five standard deviations
        }
    }
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 0), 21);
}

TEST(HalfWritten, HitsAnEighthOfTheTilesAndMovesWithTheSeed) {
    int hits = 0, moved = 0;
    for (std::uint32_t tile = 0; tile < 8000; ++tile) {
        const auto one = halfWritten(1, tile / 90, tile % 90, 100),
                   other = halfWritten(2, tile / 90, tile % 90, 100);
        hits += one.hit;
        moved += one.hit != other.hit;
        EXPECT_LT(one.step, 7u); // ceil(100 / 16) steps
    }
    EXPECT_NEAR(hits, 1000, 150);
    EXPECT_GT(moved, 1500);
}

TEST(HalfWritten, ReadsTheStepBeforeInItsSecondHalf) {
    const HalfWritten what{true, 2};
    EXPECT_EQ(rowRead(what, 39), 39);
    EXPECT_EQ(rowRead(what, 40), 24);
    EXPECT_EQ(rowRead(what, 47), 31);
    EXPECT_EQ(rowRead(what, 48), 48);
    EXPECT_EQ(rowRead({true, 0}, 7), 7);
    EXPECT_LT(rowRead({true, 0}, 8), 0); // nothing was there before the first step
    EXPECT_EQ(rowRead({false, 2}, 40), 40);
}
