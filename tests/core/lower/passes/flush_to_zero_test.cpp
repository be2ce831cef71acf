#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassFlushToZero, OnlySubnormalResultsChangeAndKeepTheirSign) {
    PassRun r(productGraph(5, 4, 6, 4e-39));
    const auto kept = r.tap({}, "y"), flushed = r.tap({"flush-to-zero"}, "y");
    int changed = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const bool subnormal = std::fabs(kept[i]) < 0x1p-126f;
        changed += subnormal && kept[i] != 0;
        EXPECT_EQ(flushed[i], subnormal ? 0.0f : kept[i]);
        EXPECT_EQ(std::signbit(flushed[i]), std::signbit(kept[i]));
    }
    EXPECT_GT(changed, 10);
}

TEST(PassFlushToZero, ActsOnTheResultOfAFusedKernel) {
    block::Graph g = productGraph(5, 4, 6, 4e-39);
    g.values[*g.find("y")].output = false;
    g.markOutput(g.addOp(block::OpKind::relu, "z", {*g.find("y")}));
    PassRun r(g);
    EXPECT_EQ(r.slots({"fuse", "flush-to-zero@z"}, "y"), "fusion=fused subnormals=flushed");
    EXPECT_EQ(r.slots({"fuse", "flush-to-zero@y"}, "y"), "fusion=fused");
    for (float v : r.tap({"fuse", "flush-to-zero"}, "z")) EXPECT_TRUE(v == 0 || v >= 0x1p-126f);
}

TEST(PassFlushToZero, LeavesMovesAlone) {
    PassRun r("attention", {{"tokens", 4}, {"width", 8}, {"heads", 2}});
    EXPECT_NE(r.fit("flush-to-zero@k_t").error().message.find("computes none"), std::string::npos);
    EXPECT_EQ(r.slots({"flush-to-zero"}, "k_t"), "");
    EXPECT_EQ(r.slots({"flush-to-zero"}, "probs"), "subnormals=flushed");
}

} // namespace
} // namespace divdet
