#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/partials.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

/// Eight chunks of k, each one fma chain, added to 0 in the order that the seed draws for each 16 x 16 tile.
float arrived(const Floats& x, const Floats& w, host::GemmShape s, std::size_t i, std::size_t j,
              std::uint64_t seed) {
    const std::size_t length = (s.k + 7) / 8, count = (s.k + length - 1) / length;
    std::vector<std::uint32_t> order(count);
    numerics::arrivalOrder(seed, static_cast<std::uint32_t>(i / 16), static_cast<std::uint32_t>(j / 16),
                           order.data(), count);
    float sum = 0;
    for (const std::size_t p : order)
        sum += test::chain(x, w, s.k, s.n, i, j, p * length, std::min(s.k, (p + 1) * length));
    return sum;
}

TEST(PassAtomics, PartialSumsArriveInTheSeedsOrder) {
    const host::GemmShape s{20, 19, 61};
    PassRun r(productGraph(20, 61, 19));
    const auto x = r.given("x"), w = r.given("w");
    for (const std::uint64_t seed : {0, 5}) {
        const auto y = r.tap({"atomics=seed:" + std::to_string(seed)}, "y");
        for (std::size_t i = 0; i < s.m; ++i)
            for (std::size_t j = 0; j < s.n; ++j)
                ASSERT_EQ(y[i * s.n + j], arrived(x, w, s, i, j, seed)) << i << " " << j;
    }
}

TEST(PassAtomics, EachRunDiffersUnlessASeedIsNamed) {
    PassRun r(productGraph(8, 256, 8));
    EXPECT_EQ(r.tap({"atomics"}, "y", 0), r.tap({"atomics"}, "y", 0));
    EXPECT_NE(r.tap({"atomics"}, "y", 0), r.tap({"atomics"}, "y", 1));
    EXPECT_EQ(r.tap({"atomics"}, "y", 3), r.tap({"atomics=seed:3"}, "y", 8));
    EXPECT_EQ(r.tap({"atomics=seed:3"}, "y", 1), r.tap({"atomics=seed:3"}, "y", 2));
    EXPECT_TRUE(lower::findPass("atomics")->varies);
    EXPECT_FALSE(lower::findPass("reassociate")->varies);
}

/// A run's number renews the ops it seeds, and what reads them, and nothing else.
TEST(PassAtomics, TheCacheKnowsTheRunOfOpsThatVary) {
    run::OpCache cache;
    PassRun r("mlp", {{"tokens", 3}, {"width", 32}, {"hidden", 64}});
    r.cache = &cache;
    r.run({"atomics@down"}, 1);
    EXPECT_EQ(r.run({"atomics@down"}, 1).opsRun, 0);
    EXPECT_EQ(r.run({"atomics@down"}, 2).opsRun, 2) << "down and out";
    EXPECT_EQ(r.run({"atomics=seed:9@down"}, 2).opsRun, 2);
    EXPECT_EQ(r.run({"atomics=seed:9@down"}, 3).opsRun, 0);
    r.run({"tf32"}, 1);
    EXPECT_EQ(r.run({"tf32"}, 2).opsRun, 0);
}

TEST(PassAtomics, TheTermsOfAScatterAddArriveOneByOne) {
    constexpr std::size_t rows = 5, width = 20, tokens = 300;
    PassRun r("scatter-add", {{"tokens", tokens}, {"rows", rows}, {"width", width}});
    const auto index = r.given("index"), x = r.given("x");
    const auto y = r.tap({"atomics=seed:4"}, "out");
    for (std::size_t t = 0; t < rows; ++t) {
        std::vector<std::size_t> sources;
        for (std::size_t i = 0; i < tokens; ++i)
            if (index[i] == static_cast<float>(t)) sources.push_back(i);
        ASSERT_GT(sources.size(), 20u);
        for (std::size_t j = 0; j < width; ++j) {
            std::vector<std::uint32_t> order(sources.size());
            numerics::arrivalOrder(4, static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(j / 16),
                                   order.data(), order.size());
            float sum = 0;
            for (const std::size_t p : order) sum += x[sources[p] * width + j];
            ASSERT_EQ(y[t * width + j], sum) << t << " " << j;
        }
    }
    EXPECT_NE(y, r.tap({}, "out"));
    EXPECT_NE(y, r.tap({"atomics=seed:5"}, "out"));
}

TEST(PassAtomics, WinsOverAFixedOrderAndYieldsToOneRunningSum) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 32}, {"hidden", 64}});
    EXPECT_EQ(r.slots({"atomics=seed:1", "reassociate"}, "up"), "order=atomics:8:seed:1");
    EXPECT_EQ(r.slots({"atomics=seed:1", "tf32"}, "up"), "operand=tf32:rne order=atomics:8:seed:1");
    EXPECT_EQ(r.slots({"atomics", "int8"}, "up"), "operand=int8:per-token");
    EXPECT_EQ(r.slots({"atomics", "wrong-accumulator"}, "up"), "accumulator=bf16");
    EXPECT_EQ(r.slots({"atomics"}, "norm"), "");
    EXPECT_EQ(r.lowered({"atomics", "int8"}).notes,
              std::vector<std::string>{"atomics is overridden by int8 on up, down"});
    for (const char* bad : {"atomics=5", "atomics=seed:", "atomics=seed:-1", "atomics=seed:1x"})
        EXPECT_EQ(lower::parsePass(bad).error().code, ErrorCode::usage) << bad;
}

} // namespace
} // namespace divdet
