#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::PassRun;

TEST(StaleBuffer, TheFirstOpKeepsTheValueOfTheInputsBefore) {
    PassRun r("linear", {{"tokens", 3}, {"width", 5}, {"hidden", 4}});
    const auto first = r.block.graph.opName(r.block.graph.ops.front());
    PassRun before(r.block.graph, r.block.dims, r.seed + 1); // other weights too, so those are taken over
    for (std::size_t i = 0; i < r.block.graph.values.size(); ++i)
        if (r.block.graph.values[i].role == block::Role::weight)
            before.inputs.tensors[i] = r.inputs.tensors[i];
    EXPECT_EQ(r.tap({"stale-buffer"}, first.c_str()), before.tap({}, first.c_str()));
    EXPECT_NE(r.tap({"stale-buffer"}, first.c_str()), r.tap({}, first.c_str()));
    EXPECT_EQ(r.tap({"stale-buffer"}, "x"), r.given("x"));
}

TEST(StaleBuffer, BesideOtherPassesItIsTheirValueOfBefore) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}});
    PassRun before(r.block.graph, r.block.dims, r.seed + 1);
    for (std::size_t i = 0; i < r.block.graph.values.size(); ++i)
        if (r.block.graph.values[i].role == block::Role::weight)
            before.inputs.tensors[i] = r.inputs.tensors[i];
    EXPECT_EQ(r.tap({"int8", "stale-buffer@down"}, "down"), before.tap({"int8"}, "down"));
    EXPECT_EQ(r.tap({"int8", "stale-buffer@down"}, "act"), r.tap({"int8"}, "act"));
}

TEST(StaleBuffer, IsABugOfReplay) {
    const auto info = lower::findPass("stale-buffer");
    ASSERT_TRUE(info.has_value());
    EXPECT_EQ(info->kind, lower::PassKind::bug);
    EXPECT_EQ(info->stage, lower::Stage::replay);
    EXPECT_EQ(PassRun("mlp").slots({"stale-buffer"}, "norm"), "buffer=stale");
    EXPECT_EQ(PassRun("mlp").slots({"stale-buffer"}, "up"), "");
}

} // namespace
} // namespace divdet
