#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using block::OpKind;
using test::Floats;
using test::PassRun;

constexpr std::int64_t kRows = 3, kTerms = 9, kColumns = 4;
constexpr std::size_t m = kRows, k = kTerms, n = kColumns;

/// z = (x w) · factor + shift, the factor a gain per column or a constant; then relu.
PassRun chained(bool constant) {
    block::Graph g = test::productGraph(kRows, kTerms, kColumns);
    g.values[*g.find("y")].output = false;
    const auto y = *g.find("y");
    const auto gain = g.addWeight("gain", {kColumns}, {}), shift = g.addInput("shift", {kRows, kColumns});
    const auto s =
        constant ? g.addOp(OpKind::scale, "s", {y}, {{"factor", 0.3}}) : g.addOp(OpKind::mul, "s", {y, gain});
    const auto z = g.addOp(OpKind::add, "z", {s, shift});
    g.markOutput(g.addOp(OpKind::relu, "out", {z}));
    return PassRun(g);
}

TEST(PassFuse, AMultiplicationAndItsAdditionAreOneFma) {
    for (const bool constant : {false, true}) {
        auto r = chained(constant);
        const auto x = r.given("x"), w = r.given("w"), gain = r.given("gain"), shift = r.given("shift");
        const auto fused = r.tap({"fuse"}, "out"), plain = r.tap({}, "out");
        int differ = 0;
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const float sum = test::chain(x, w, k, n, i, j, 0, k);
                const float factor = constant ? 0.3f : gain[j];
                const std::size_t at = i * n + j;
                EXPECT_EQ(fused[at], std::max(0.0f, std::fma(sum, factor, shift[at])));
                const float product = sum * factor;
                EXPECT_EQ(plain[at], std::max(0.0f, product + shift[at]));
                differ += fused[at] != plain[at];
            }
        EXPECT_GT(differ, 0);
    }
}

TEST(PassFuse, AResidualIsStillTheAccumulatorsStart) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 8}, {"hidden", 16}});
    const auto act = r.tap({"fuse@down"}, "act"), w = r.given("down.weight"), x = r.given("x");
    const auto out = r.tap({"fuse@down"}, "out");
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 8; ++j)
            EXPECT_EQ(out[i * 8 + j], test::chain(act, w, 16, 8, i, j, 0, 16, x[i * 8 + j]));
}

} // namespace
} // namespace divdet
