#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/rounding.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

/// fp32 chains over `splits` chunks of k; each rounded to bf16, and so is every sum of two.
float through(const Floats& x, const Floats& w, host::GemmShape s, std::size_t i, std::size_t j,
              std::size_t splits) {
    const std::size_t length = (s.k + splits - 1) / splits;
    float sum = numerics::roundToBf16(test::chain(x, w, s.k, s.n, i, j, 0, length));
    for (std::size_t first = length; first < s.k; first += length) {
        const float part = test::chain(x, w, s.k, s.n, i, j, first, std::min(s.k, first + length));
        sum = numerics::roundToBf16(sum + numerics::roundToBf16(part));
    }
    return sum;
}

TEST(PassSplitKBf16, ChunksAreFp32AndTheirSumIsBf16) {
    const host::GemmShape s{3, 4, 50};
    PassRun r(productGraph(3, 50, 4));
    const auto x = r.given("x"), w = r.given("w");
    const auto eight = r.tap({"split-k-bf16"}, "y"),
               four = r.tap({"split-k-bf16", "reassociate=splitk:4"}, "y");
    for (std::size_t i = 0; i < s.m; ++i)
        for (std::size_t j = 0; j < s.n; ++j) {
            EXPECT_EQ(eight[i * s.n + j], through(x, w, s, i, j, 8));
            EXPECT_EQ(four[i * s.n + j], through(x, w, s, i, j, 4));
        }
    EXPECT_NE(eight, four);
}

TEST(PassSplitKBf16, SumsOfRowsToo) {
    PassRun r("reduction", {{"tokens", 2}, {"k", 40}});
    const auto x = r.given("x"), y = r.tap({"split-k-bf16"}, "sum");
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(y[i], through(x, Floats(40, 1.0f), {2, 1, 40}, i, 0, 8));
}

TEST(PassSplitKBf16, BringsChunksWhereThereAreNoneAndSaysSo) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 32}, {"hidden", 64}});
    EXPECT_EQ(r.slots({"split-k-bf16"}, "up"), "order=splitk:8 partials=bf16");
    EXPECT_EQ(r.slots({"split-k-bf16", "atomics=seed:2"}, "up"), "order=atomics:8:seed:2 partials=bf16");
    EXPECT_EQ(r.slots({"split-k-bf16", "reassociate=pairwise"}, "up"), "order=splitk:8 partials=bf16");
    EXPECT_EQ(r.lowered({"reassociate=pairwise", "split-k-bf16"}).notes,
              std::vector<std::string>{"reassociate is overridden by split-k-bf16 on up, down"});
    EXPECT_EQ(r.lowered({"reassociate", "split-k-bf16"}).notes, std::vector<std::string>{});
    EXPECT_EQ(r.slots({"split-k-bf16", "int8"}, "up"), "operand=int8:per-token");
    EXPECT_EQ(r.lowered({"split-k-bf16", "int8"}).notes,
              std::vector<std::string>{"split-k-bf16 is overridden by int8 on up, down"});
    EXPECT_NE(r.fit("split-k-bf16@norm").error().message.find("no partial sums"), std::string::npos);
}

} // namespace
} // namespace divdet
