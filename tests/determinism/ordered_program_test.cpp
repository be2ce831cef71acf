// What the switch fixes and what it refuses.
#include <algorithm>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "determinism/ordered_program.h"
#include "lower/lower.h"

namespace divdet {
namespace {

run::DeviceInfo exactDevice() {
    run::DeviceInfo d;
    d.id = "cpu:sm_80";
    return d;
}

lower::LoweredGraph program(const char* preset, const std::vector<std::string>& passes) {
    std::vector<lower::PassChoice> choices;
    for (const auto& p : passes) choices.push_back(*lower::parsePass(p));
    return *lower::lower(*block::bind(*block::preset(preset)), choices);
}

const lower::LoweredOp& op(const lower::LoweredGraph& g, const std::string& name) {
    return *std::find_if(g.ops.begin(), g.ops.end(), [&](const auto& o) { return o.name == name; });
}

TEST(OrderedProgram, PutsAtomicSumsInOrder) {
    const auto mlp = program("mlp", {"atomics=seed:3"});
    EXPECT_EQ(opsLeftToChance(mlp), (std::vector<std::string>{"up", "down"}));
    const auto fixed = orderedProgram(mlp, exactDevice());
    ASSERT_TRUE(fixed.ok());
    const lower::Slots& up = op(fixed->program, "up").slots;
    EXPECT_EQ(up.order, lower::SumOrder::splitK);
    EXPECT_EQ(up.splits, op(mlp, "up").slots.splits);
    EXPECT_EQ(up.orderSeed, 0u);
    EXPECT_TRUE(opsLeftToChance(fixed->program).empty());
    EXPECT_EQ(fixed->changes.size(), 2u);
}

TEST(OrderedProgram, SortsScatterAdd) {
    const auto fixed = orderedProgram(program("scatter-add", {"atomics"}), exactDevice());
    ASSERT_TRUE(fixed.ok());
    EXPECT_EQ(op(fixed->program, "out").slots, lower::Slots{});
    ASSERT_EQ(fixed->changes.size(), 1u);
    EXPECT_NE(fixed->changes[0].find("sorted"), std::string::npos);
}

TEST(OrderedProgram, TakesTf32AwayAndLeavesOtherPrecisions) {
    const auto fixed = orderedProgram(program("mlp", {"tf32=rz@up", "int8@down"}), exactDevice());
    ASSERT_TRUE(fixed.ok());
    EXPECT_EQ(op(fixed->program, "up").slots, lower::Slots{});
    EXPECT_EQ(op(fixed->program, "down").slots.operand, lower::Operand::int8);
}

TEST(OrderedProgram, RefusesWhatHasNoOrder) {
    const auto race = orderedProgram(program("mlp", {"race@down"}), exactDevice());
    ASSERT_FALSE(race.ok());
    EXPECT_EQ(race.error().code, ErrorCode::unsupported);
    EXPECT_EQ(race.error().path, "down");
    EXPECT_FALSE(race.error().hint.empty());
    run::DeviceInfo library = exactDevice();
    library.id = "cuda:0/cublas";
    library.promise = run::Promise::approximate;
    const auto product = orderedProgram(program("mlp", {}), library);
    ASSERT_FALSE(product.ok());
    EXPECT_EQ(product.error().path, "up");
    EXPECT_NE(product.error().message.find("cuda:0/cublas"), std::string::npos);
    EXPECT_TRUE(orderedProgram(program("scatter-add", {"atomics"}), library).ok());
}

} // namespace
} // namespace divdet
