#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassDroppedTail, TheMissingProductsAreExactlyTheLastKModTile) {
    constexpr std::size_t m = 4, n = 3;
    for (const std::size_t k : {17, 47, 11}) {
        PassRun r(productGraph(m, static_cast<std::int64_t>(k), n));
        const auto x = r.given("x"), w = r.given("w");
        const auto whole = r.tap({}, "y"), cut = r.tap({"dropped-tail"}, "y");
        const std::size_t kept = k / 16 * 16;
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                EXPECT_EQ(cut[i * n + j], test::chain(x, w, k, n, i, j, 0, kept));
                // The published order adds the tail last: with it the whole sum is there again.
                EXPECT_EQ(test::chain(x, w, k, n, i, j, kept, k, cut[i * n + j]), whole[i * n + j]);
            }
    }
}

TEST(PassDroppedTail, SumsOfRowsToo) {
    PassRun r("reduction", {{"tokens", 3}, {"k", 70}});
    const auto x = r.given("x"), cut = r.tap({"dropped-tail=tile:64"}, "sum");
    for (std::size_t i = 0; i < 3; ++i) {
        float sum = 0;
        for (std::size_t t = 0; t < 64; ++t) sum += x[i * 70 + t];
        EXPECT_EQ(cut[i], sum);
    }
}

TEST(PassDroppedTail, DoesNotFitWholeTilesAndSaysSo) {
    PassRun r("mlp");
    EXPECT_NE(r.fit("dropped-tail").error().message.find("whole number of tiles"), std::string::npos);
    EXPECT_TRUE(r.fit("dropped-tail=tile:48").ok());
    PassRun odd("mlp", {{"tokens", 3}, {"width", 40}, {"hidden", 64}});
    EXPECT_EQ(odd.slots({"dropped-tail"}, "up"), "tail=dropped:16");
    EXPECT_EQ(odd.slots({"dropped-tail"}, "down"), "");
    const auto why = odd.fit("dropped-tail@down");
    EXPECT_NE(why.error().message.find("down adds 64 terms, a multiple of the tile of 16"),
              std::string::npos);
    EXPECT_EQ(why.error().hint, "it fits up");
    EXPECT_EQ(lower::fittingOps(odd.block, "dropped-tail", "tile:48"),
              (std::vector<std::string>{"up", "down"}));
    for (const char* bad : {"dropped-tail=tile:1", "dropped-tail=16", "dropped-tail=tile:2000"})
        EXPECT_FALSE(lower::parsePass(bad).ok()) << bad;
}

TEST(PassDroppedTail, ActsBesideAnyOperand) {
    PassRun r(productGraph(2, 20, 3));
    EXPECT_EQ(r.slots({"dropped-tail", "int8"}, "y"), "operand=int8:per-token tail=dropped:16");
    auto w = r.given("w");
    std::fill(w.begin() + 16 * 3, w.end(), 0.0f); // no weight in the tail: nothing is lost
    r.give("w", w);
    for (const char* operand : {"int8", "tf32", "bf16"})
        EXPECT_EQ(r.run({operand, "dropped-tail"}).find("y")->tensor.view().data == nullptr, false);
    EXPECT_EQ(r.tap({"int8", "dropped-tail"}, "y"), r.tap({"int8"}, "y"));
    EXPECT_EQ(r.tap({"tf32", "dropped-tail"}, "y"), r.tap({"tf32"}, "y"));
}

} // namespace
} // namespace divdet
