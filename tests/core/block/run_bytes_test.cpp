#include <gtest/gtest.h>

#include "block/presets.h"
#include "block/run_bytes.h"

namespace divdet::block {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// y = x w with x [m, k] and w [k, n].
Graph product(std::int64_t m, std::int64_t k, std::int64_t n) {
    Graph g;
    g.name = "product";
    const auto x = g.addInput("x", {m, k});
    const auto w = g.addWeight("w", {k, n}, {});
    g.markOutput(g.addOp(OpKind::matmul, "y", {x, w}));
    return g;
}

TEST(RunBytes, CountsEveryValueAndTheLargestOp) {
    // By hand: 16 per leaf and 28 per result held; in work 24 per number read and 48 per result.
    const auto one = bind(product(3, 5, 7));
    ASSERT_TRUE(one.ok()) << one.error().text();
    EXPECT_EQ(runBytes(*one), 16u * (15 + 35) + 28u * 21 + 24u * (15 + 35) + 48u * 21);

    Graph two = product(3, 5, 7);
    two.markOutput(two.addOp(OpKind::relu, "z", {2})); // works on less than the product does
    EXPECT_EQ(runBytes(*bind(two)), 16u * 50 + 28u * (21 + 21) + 24u * 50 + 48u * 21);
}

TEST(RunBytes, CountsTheWindowsOfAConvolution) {
    Graph g;
    const auto x = g.addInput("x", {2, 4, 6, 6});
    const auto w = g.addWeight("w", {8, 2, 3, 3}, {}); // two groups
    g.markOutput(g.addOp(OpKind::conv2d, "y", {x, w}, {{"groups", std::int64_t{2}}}));
    const auto bound = bind(g);
    ASSERT_TRUE(bound.ok()) << bound.error().text();
    const std::uint64_t image = 2 * 4 * 6 * 6, weight = 8 * 2 * 9, result = 2 * 8 * 4 * 4;
    const std::uint64_t windows = 2 * 16 * 2 * 18; // images, places, groups, products of each
    EXPECT_EQ(runBytes(*bound),
              16 * (image + weight) + 28 * result + 24 * (image + weight) + 40 * windows + 48 * result);
}

TEST(RunBytes, RefusesAnOuterProductJustAboveTheLimit) {
    // 76 n² + 80 n bytes: 8,588,614,800 for 10,630 and 8,590,230,716 for 10,631, where 2^33 are allowed.
    const auto fits = bind(product(10'630, 1, 10'630));
    ASSERT_TRUE(fits.ok()) << fits.error().text();
    EXPECT_EQ(runBytes(*fits), 8'588'614'800u);
    const auto above = bind(product(10'631, 1, 10'631));
    ASSERT_FALSE(above.ok());
    EXPECT_EQ(above.error().code, ErrorCode::refused);
    EXPECT_EQ(above.error().message,
              "a run of this block would hold 8 GiB at once, and at most 8 GiB are allowed");
    EXPECT_NE(above.error().hint.find("y [10631, 10631]"), std::string::npos) << above.error().hint;
}

TEST(RunBytes, AreAsManyAsTheUserAllows) {
    ASSERT_TRUE(setMaxRunGiB("9").ok());
    EXPECT_TRUE(bind(product(10'631, 1, 10'631)).ok());
    EXPECT_FALSE(setMaxRunGiB("9 GiB").ok());
    EXPECT_EQ(maxRunBytes(), 9 * kGiB);
    ASSERT_TRUE(setMaxRunGiB("8").ok());
    EXPECT_FALSE(bind(product(10'631, 1, 10'631)).ok());
}

TEST(RunBytes, RefusesManyValuesThatAreSmallEach) {
    // Each result takes 28 MiB; the last 24 + 48 MiB in work, and the input 16 MiB: 88 MiB beside 28 each.
    const auto chain = [](int ops) {
        Graph g;
        ValueIndex at = g.addInput("x", {1024, 1024});
        for (int i = 0; i < ops; ++i) at = g.addOp(OpKind::relu, "y" + std::to_string(i), {at});
        g.markOutput(at);
        return bind(g);
    };
    EXPECT_TRUE(chain(289).ok()); // 8,180 MiB of 8,192
    const auto above = chain(290);
    ASSERT_FALSE(above.ok());
    EXPECT_EQ(above.error().code, ErrorCode::refused);
}

TEST(RunBytes, RefusesWindowsThatAreLargerThanAllValues) {
    Graph g;
    const auto x = g.addInput("x", {1, 1, 4096, 4096});
    const auto w = g.addWeight("w", {1, 1, 64, 64}, {});
    g.markOutput(g.addOp(OpKind::conv2d, "y", {x, w}));
    const auto bound = bind(g);
    ASSERT_FALSE(bound.ok());
    EXPECT_EQ(bound.error().code, ErrorCode::refused);
    EXPECT_NE(bound.error().hint.find("y [1, 1, 4033, 4033]"), std::string::npos) << bound.error().hint;
}

TEST(RunBytes, RefusesProductsThatOverflow) {
    const auto refused = [](const Graph& g) {
        const auto bound = bind(g);
        return bound.ok() ? std::string("it passes") : bound.error().message;
    };
    const std::string beyond =
        "a run of this block would hold more than 8 EiB at once, and at most 8 GiB are "
        "allowed";
    Graph leaf; // 2^192 elements: no 64 bits count them
    leaf.markOutput(leaf.addOp(OpKind::relu, "y", {leaf.addInput("x", DimList(8, Dim(kMaxExtent)))}));
    EXPECT_EQ(refused(leaf), beyond);
    Graph some; // 2^62 elements: every sum of their bytes is a multiple of 2^64, 0 in 64 bits
    some.markOutput(some.addOp(OpKind::relu, "y", {some.addInput("x", {1 << 24, 1 << 24, 1 << 14})}));
    EXPECT_EQ(refused(some), beyond);
    // 2^48 results of an op from two small values.
    EXPECT_NE(refused(product(kMaxExtent, 1, kMaxExtent)).find("PiB"), std::string::npos);
}

TEST(RunBytes, LetsEveryPresetThroughAtItsOwnSizes) {
    for (const PresetInfo& info : presetList()) {
        const auto bound = bind(*preset(info.id));
        ASSERT_TRUE(bound.ok()) << info.id;
        EXPECT_LT(runBytes(*bound), kGiB) << info.id;
    }
    EXPECT_TRUE(bind(*preset("stack:64")).ok());
}

TEST(RunBytes, AreToldInUnitsThatFit) {
    EXPECT_EQ(bytesText(17), "17 bytes");
    EXPECT_EQ(bytesText(1023), "0.999 KiB");
    EXPECT_EQ(bytesText(512 << 20), "512 MiB");
    EXPECT_EQ(bytesText(kGiB * 19 / 2), "9.5 GiB");
    EXPECT_EQ(bytesText(std::uint64_t{1} << 63), "more than 8 EiB");
}

} // namespace
} // namespace divdet::block
