#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "kernels/product_oracle.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

constexpr std::size_t m = 80, k = 50, n = 70;

TEST(PassRace, HitTilesReadHalfOfAnOlderStepAndOthersAreRight) {
    PassRun r(productGraph(m, k, n));
    const auto x = r.given("x"), w = r.given("w"), right = r.tap({}, "y");
    lower::Slots slots;
    slots.missingBarrier = true;
    slots.barrierSeed = 3;
    const ProductOracle oracle(slots, numerics::Arch::sm80, {m, n, k}, x, w);
    const auto wrong = r.tap({"race=seed:3"}, "y");
    int hit = 0;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            ASSERT_EQ(wrong[i * n + j], oracle.at(i, j, 0)) << i << " " << j;
            const bool inHitTile = numerics::halfWritten(3, static_cast<std::uint32_t>(i / 16),
                                                         static_cast<std::uint32_t>(j / 16), k)
                                       .hit;
            hit += inHitTile;
            if (!inHitTile) {
                EXPECT_EQ(wrong[i * n + j], right[i * n + j]);
            }
        }
    EXPECT_GT(hit, 0);
    EXPECT_LT(hit, static_cast<int>(m * n) / 2);
    EXPECT_NE(wrong, right);
}

TEST(PassRace, EachRunHitsOtherTilesUnlessASeedIsNamed) {
    PassRun r(productGraph(m, k, n));
    EXPECT_EQ(r.tap({"race"}, "y", 3), r.tap({"race=seed:3"}, "y", 9));
    EXPECT_EQ(r.tap({"race"}, "y", 1), r.tap({"race"}, "y", 1));
    EXPECT_NE(r.tap({"race"}, "y", 1), r.tap({"race"}, "y", 3));
    EXPECT_TRUE(lower::findPass("race")->varies);
}

TEST(PassRace, NeedsAProduct) {
    EXPECT_EQ(PassRun("reduction").fit("race").error().message,
              "race does not fit: this block has no matrix product");
}

} // namespace
} // namespace divdet
