// Selection by digits against sorting, and numpy's order of summation against the definition of it.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "compare/rules/order_statistic.h"
#include "compare/rules/pairwise_mean.h"
#include "compare/rules/polygraphy_block.h"

namespace divdet::rules {
namespace {

std::vector<std::uint64_t> someKeys(std::size_t n, std::uint64_t span) {
    std::mt19937_64 engine(n);
    std::vector<std::uint64_t> out(n);
    for (auto& k : out) k = span ? engine() % span : engine();
    return out;
}

TEST(OrderStatistic, EqualsSortingBelowAndAboveTheMemoryLimit) {
    for (const std::size_t n : {1u, 2u, 4097u, 200000u})
        for (const std::uint64_t span : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{100000}}) {
            const auto keys = someKeys(n, span);
            auto sorted = keys;
            std::sort(sorted.begin(), sorted.end());
            const LoadKeys load = [&](std::int64_t first, int count, std::uint64_t* out) {
                std::copy_n(keys.begin() + first, count, out);
            };
            for (const std::size_t rank : {std::size_t{0}, n / 2, n - 1}) {
                auto got =
                    orderStatistics(static_cast<std::int64_t>(n), load, static_cast<std::int64_t>(rank), {});
                ASSERT_TRUE(got.ok());
                EXPECT_EQ((*got)[0], sorted[rank]) << n << ' ' << span << ' ' << rank;
                EXPECT_EQ((*got)[1], sorted[std::min(rank + 1, n - 1)]) << n << ' ' << span << ' ' << rank;
            }
        }
}

TEST(OrderStatistic, KeysRiseWithValuesAndComeBack) {
    const std::vector<double> rising{-INFINITY, -1e300, -1, -5e-324, 0, 5e-324, 1, 1e300, INFINITY};
    for (std::size_t i = 0; i < rising.size(); ++i) {
        EXPECT_EQ(valueOfKey(orderKey(rising[i])), rising[i]);
        if (i > 0) {
            EXPECT_LT(orderKey(rising[i - 1]), orderKey(rising[i]));
        }
    }
}

/// The definition, on whole arrays.
float pairwise(const float* a, std::size_t n) {
    if (n < 8) {
        float s = 0;
        for (std::size_t i = 0; i < n; ++i) s += a[i];
        return s;
    }
    if (n <= 128) {
        float r[8];
        std::copy_n(a, 8, r);
        std::size_t i = 8;
        for (; i + 8 <= n; i += 8)
            for (std::size_t k = 0; k < 8; ++k) r[k] += a[i + k];
        float s = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
        for (; i < n; ++i) s += a[i];
        return s;
    }
    const std::size_t half = n / 2 - n / 2 % 8;
    return pairwise(a, half) + pairwise(a + half, n - half);
}

TEST(PairwiseMean, IsTheSameForAnyNumberOfThreads) {
    std::mt19937 engine(3);
    std::vector<float> a(700001);
    for (float& x : a) x = static_cast<float>(engine()) * 1e-5f;
    const LoadFloats load = [&](std::int64_t first, int count, float* out) {
        std::copy_n(a.begin() + first, count, out);
    };
    const auto n = static_cast<std::int64_t>(a.size());
    const float want = pairwise(a.data(), a.size()) / static_cast<float>(a.size());
    float buffered = 0;
    for (std::size_t at = 0; at < a.size(); at += 8192)
        buffered += pairwise(a.data() + at, std::min<std::size_t>(8192, a.size() - at));
    for (const std::size_t threads : {1u, 2u, 7u}) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        EXPECT_EQ(*pairwiseMean(n, false, load, {}), want);
        EXPECT_EQ(*pairwiseMean(n, true, load, {}), buffered / static_cast<float>(a.size()));
    }
    EXPECT_TRUE(std::isnan(*pairwiseMean(0, false, load, {})));
}

} // namespace
} // namespace divdet::rules
