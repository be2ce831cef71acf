#include <gtest/gtest.h>

#include "block/presets.h"
#include "lower/lower.h"

namespace divdet::lower {
namespace {

block::BoundGraph bound(std::string_view preset) {
    return *block::bind(*block::preset(preset));
}

LoweredGraph lowered(const block::BoundGraph& block, const std::vector<std::string>& passes) {
    std::vector<PassChoice> choices;
    for (const auto& p : passes) choices.push_back(*parsePass(p));
    auto g = lower(block, choices);
    EXPECT_TRUE(g.ok()) << g.error().text();
    return std::move(*g);
}

const LoweredOp& op(const LoweredGraph& g, std::string_view name) {
    for (const LoweredOp& o : g.ops)
        if (o.name == name) return o;
    ADD_FAILURE() << name;
    return g.ops.front();
}

std::string slots(const LoweredGraph& g, std::string_view name) {
    return toString(op(g, name).slots);
}

TEST(Lower, NothingOnLeavesEverySlotAsWritten) {
    const auto g = lowered(bound("mlp"), {});
    ASSERT_EQ(g.ops.size(), 5u);
    for (const LoweredOp& o : g.ops) EXPECT_EQ(o.slots, Slots{}) << o.name;
    EXPECT_TRUE(g.notes.empty());
    EXPECT_TRUE(g.fusedAway.empty());
}

TEST(Lower, TheDefaultPassesShowInt8Winning) {
    const auto mlp = bound("mlp");
    const auto g = *lower(mlp, defaultPasses(mlp));
    EXPECT_EQ(slots(g, "norm"), "order=splitk:8");
    EXPECT_EQ(slots(g, "up"), "operand=int8:per-token");
    EXPECT_EQ(slots(g, "down"), "operand=int8:per-token");
    EXPECT_EQ(op(g, "up").setBy[static_cast<std::size_t>(Slot::operand)], "int8");
    EXPECT_EQ(op(g, "up").setBy[static_cast<std::size_t>(Slot::order)], "");
    EXPECT_EQ(g.notes, (std::vector<std::string>{"tf32 is overridden by int8 on up, down",
                                                 "reassociate is overridden by int8 on up, down"}));
}

TEST(Lower, TheSwitchOrderDoesNotMatterBetweenRanks) {
    const auto a = lowered(bound("mlp"), {"int8", "bf16", "tf32"}),
               b = lowered(bound("mlp"), {"tf32", "bf16", "int8"});
    EXPECT_EQ(slots(a, "up"), "operand=int8:per-token storage=bf16");
    for (std::size_t i = 0; i < a.ops.size(); ++i) EXPECT_EQ(a.ops[i].slots, b.ops[i].slots);
    EXPECT_EQ(slots(lowered(bound("mlp"), {"bf16", "tf32"}), "up"), "operand=bf16 storage=bf16");
}

TEST(Lower, ChosenOpsOnly) {
    const auto g = lowered(bound("mlp"), {"tf32=rz@up", "int8=per-tensor@down"});
    EXPECT_EQ(slots(g, "up"), "operand=tf32:rz");
    EXPECT_EQ(slots(g, "down"), "operand=int8:per-tensor");
    EXPECT_TRUE(g.notes.empty());
}

TEST(Lower, TheSamePassTwiceOnAnOpKeepsTheLater) {
    EXPECT_EQ(slots(lowered(bound("mlp"), {"tf32=rz", "tf32=rna@up"}), "up"), "operand=tf32:rna");
}

TEST(Lower, OrderYieldsToWhatFixesIt) {
    const auto mlp = bound("mlp");
    EXPECT_EQ(slots(lowered(mlp, {"tf32", "reassociate=splitk:4"}), "up"), "operand=tf32:rne order=splitk:4");
    const auto tree = lowered(mlp, {"tf32", "reassociate=pairwise"});
    EXPECT_EQ(slots(tree, "up"), "operand=tf32:rne");
    EXPECT_EQ(slots(tree, "norm"), "order=pairwise");
    EXPECT_EQ(tree.notes, std::vector<std::string>{"reassociate is overridden by tf32 on up, down"});
    const auto wrong = lowered(mlp, {"reassociate", "wrong-accumulator"});
    EXPECT_EQ(slots(wrong, "up"), "accumulator=bf16");
    EXPECT_EQ(wrong.notes,
              std::vector<std::string>{"reassociate is overridden by wrong-accumulator on up, down"});
}

TEST(Lower, WrongAccumulatorSitsBesideAnyOperand) {
    const auto g = lowered(bound("mlp"), {"int8", "wrong-accumulator=fp16@down"});
    EXPECT_EQ(slots(g, "up"), "operand=int8:per-token");
    EXPECT_EQ(slots(g, "down"), "operand=int8:per-token accumulator=fp16");
    EXPECT_TRUE(g.notes.empty());
}

TEST(Lower, FuseTakesInActivationAndResidual) {
    const auto g = lowered(bound("mlp"), {"fuse"});
    ASSERT_EQ(g.ops.size(), 3u);
    EXPECT_EQ(g.fusedAway, (std::vector<std::string>{"up", "down"}));
    const auto& values = g.block.graph.values;
    const LoweredOp& up = op(g, "up");
    EXPECT_EQ(values[up.output].name, "act");
    ASSERT_EQ(up.fused.size(), 1u);
    EXPECT_EQ(up.fused[0].kind, block::OpKind::gelu);
    EXPECT_FALSE(up.fused[0].operand.has_value());
    const LoweredOp& down = op(g, "down");
    EXPECT_EQ(values[down.output].name, "out");
    EXPECT_EQ(down.ownInputs, 2u);
    ASSERT_TRUE(down.fused.at(0).operand.has_value());
    EXPECT_EQ(values[down.inputs[*down.fused[0].operand]].name, "x");
    EXPECT_EQ(g.notes, (std::vector<std::string>{"up is fused into act and has no tap",
                                                 "down is fused into out and has no tap"}));
}

TEST(Lower, FuseOnOneOpLeavesTheOther) {
    const auto g = lowered(bound("mlp"), {"fuse@down"});
    EXPECT_EQ(g.fusedAway, std::vector<std::string>{"down"});
    EXPECT_EQ(slots(g, "up"), "");
}

TEST(Lower, AFusedKernelStoresWhatItsLastStepWould) {
    const auto g = lowered(bound("mlp"), {"fuse@up", "bf16@act"});
    EXPECT_EQ(op(g, "up").slots.operand, Operand::f32);
    EXPECT_EQ(op(g, "up").slots.storage, DType::bf16);
    EXPECT_EQ(lowered(bound("mlp"), {"fuse@up", "bf16@up"}).ops[1].slots.storage, DType::f32);
}

TEST(Lower, AValueWithTwoReadersOrATapThatIsAnOutputIsNotFused) {
    block::Graph g;
    g.name = "shared";
    const auto x = g.addInput("x", {4, 4});
    const auto w = g.addWeight("w", {4, 4}, {});
    const auto y = g.addOp(block::OpKind::matmul, "y", {x, w});
    const auto a = g.addOp(block::OpKind::gelu, "a", {y});
    g.markOutput(g.addOp(block::OpKind::add, "z", {a, y}));
    EXPECT_FALSE(checkFit(*block::bind(g), *parsePass("fuse")).ok());
    auto mlp = bound("mlp");
    mlp.graph.values[*mlp.graph.find("up")].output = true;
    EXPECT_EQ(fittingOps(mlp, "fuse"), std::vector<std::string>{"down"});
}

TEST(Lower, AFusedKernelRunsAfterTheResidualItNeeds) {
    block::Graph g;
    g.name = "late";
    const auto x = g.addInput("x", {4, 4});
    const auto w = g.addWeight("w", {4, 4}, {});
    const auto y = g.addOp(block::OpKind::matmul, "y", {x, w});
    const auto r = g.addOp(block::OpKind::gelu, "r", {x});
    g.markOutput(g.addOp(block::OpKind::add, "z", {y, r}));
    const auto lo = lowered(*block::bind(g), {"fuse"});
    ASSERT_EQ(lo.ops.size(), 2u);
    EXPECT_EQ(lo.ops[0].name, "r");
    EXPECT_EQ(lo.ops[1].name, "y");
}

TEST(Lower, Bf16StoresInputsAndWeightsToo) {
    const auto mlp = bound("mlp");
    const auto all = lowered(mlp, {"bf16"});
    for (DType d : all.storage) EXPECT_EQ(d, DType::bf16);
    const auto one = lowered(mlp, {"bf16@up"});
    const auto storage = [&](const char* name) { return one.storage[*mlp.graph.find(name)]; };
    EXPECT_EQ(storage("up"), DType::bf16);
    EXPECT_EQ(storage("up.weight"), DType::bf16);
    EXPECT_EQ(storage("x"), DType::f32);
    EXPECT_EQ(storage("norm"), DType::f32);
    EXPECT_EQ(storage("down.weight"), DType::f32);
}

TEST(Lower, RefusesWhatDoesNotFit) {
    EXPECT_EQ(lower(bound("reduction"), {*parsePass("int8")}).error().code, ErrorCode::usage);
    EXPECT_EQ(lower(bound("mlp"), {*parsePass("int8@x")}).error().code, ErrorCode::notFound);
}

TEST(Lower, Int8TakesOnlyProductsWithWeights) {
    const auto b = bound("attention");
    EXPECT_EQ(fittingOps(b, "int8"), (std::vector<std::string>{"q", "k", "v", "proj"}));
    EXPECT_EQ(fittingOps(b, "tf32"), (std::vector<std::string>{"q", "k", "v", "scores", "context", "proj"}));
    const auto why = checkFit(b, *parsePass("int8@scores"));
    ASSERT_FALSE(why.ok());
    EXPECT_NE(why.error().message.find("two activations"), std::string::npos);
}

TEST(Lower, ScoresTakeScaleAndMaskIntoTheirKernel) {
    const auto g = lowered(bound("attention"), {"fuse"});
    const LoweredOp& scores = op(g, "scores");
    ASSERT_EQ(scores.fused.size(), 2u);
    EXPECT_EQ(scores.fused[0].kind, block::OpKind::scale);
    EXPECT_EQ(scores.fused[1].kind, block::OpKind::causal_mask);
    EXPECT_EQ(op(g, "proj").fused.size(), 1u);
}

TEST(Lower, AValueThatRepeatsAlongAnotherIsNotFused) {
    block::Graph g;
    g.name = "gain on the way";
    const auto x = g.addInput("x", {7, 1, 5}), a = g.addInput("a", {1, 3}), w = g.addWeight("w", {3, 5}, {});
    const auto row = g.addOp(block::OpKind::matmul, "row", {a, w});
    g.markOutput(g.addOp(block::OpKind::mul, "y", {x, row}));
    EXPECT_FALSE(checkFit(*block::bind(g), *parsePass("fuse")).ok());
}

} // namespace
} // namespace divdet::lower
