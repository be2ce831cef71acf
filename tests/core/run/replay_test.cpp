#include "run/replay.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "lower/lower.h"

namespace divdet::run {
namespace {

using block::ValueIndex;

bool sameBits(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
    const std::size_t bytes = static_cast<std::size_t>(a.elements()) * itemSize(a.dtype());
    return bytes == 0 || std::memcmp(a.view().data, b.view().data, bytes) == 0;
}

class Replayed : public testing::Test {
protected:
    void open(const std::string& preset, const block::DimValues& dims,
              const std::vector<std::string>& passes = {}) {
        block = *block::bind(*block::preset(preset), dims);
        std::vector<lower::PassChoice> choices;
        for (const std::string& p : passes) choices.push_back(*lower::parsePass(p));
        program = *lower::lower(block, choices);
        inputs = *makeInputs(block, 7);
        previous = *otherInputs(block, inputs, 7);
    }
    ValueIndex value(const std::string& name) const { return *block.graph.find(name); }
    Target target() { return {twin, "cpu:sm_80", nullptr}; }
    Taps executed(const Inputs& on) { return *execute(program, on, target()); }
    Result<Taps> replayed(const MemoryPlan& plan) {
        return replay(program, plan, previous, inputs, target());
    }
    void makeStale(const std::string& op) {
        for (lower::LoweredOp& o : program.ops)
            if (o.name == op) o.slots.buffer = lower::Buffer::stale;
    }

    host::TwinBackend twin;
    block::BoundGraph block;
    lower::LoweredGraph program;
    Inputs inputs, previous;
};

const block::DimValues kSmallLayers = {{"tokens", 5}, {"width", 16}, {"hidden", 24}, {"heads", 2}};

TEST_F(Replayed, GivesTheBitsOfAPlainRun) {
    struct Case {
        std::string preset;
        block::DimValues dims;
        std::vector<std::string> passes;
    };
    const Case cases[] = {
        {"mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}}, {}},
        {"mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}}, {"fuse", "tf32", "reassociate"}},
        {"mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}}, {"bf16", "int8@up"}},
        {"attention", {{"tokens", 5}, {"width", 16}, {"heads", 2}}, {}},
        {"stack:3", kSmallLayers, {"bf16"}},
        {"reduction", {{"tokens", 2}, {"k", 100}}, {}},
    };
    for (const Case& c : cases) {
        open(c.preset, c.dims, c.passes);
        const auto plain = executed(inputs);
        const auto again = replayed(planMemory(program));
        ASSERT_TRUE(again.ok()) << c.preset << again.error().text();
        ASSERT_EQ(again->taps.size(), plain.taps.size());
        for (std::size_t i = 0; i < plain.taps.size(); ++i) {
            EXPECT_EQ(again->taps[i].name, plain.taps[i].name);
            EXPECT_TRUE(sameBits(again->taps[i].tensor, plain.taps[i].tensor))
                << c.preset << ' ' << plain.taps[i].name;
        }
    }
}

/// Two values may share a buffer only when the first is read for the last time before the second is written.
TEST_F(Replayed, LiveValuesNeverShareABuffer) {
    open("stack:3", kSmallLayers);
    const MemoryPlan plan = planMemory(program);
    std::size_t sharing = 0;
    for (std::size_t at = 0; at < program.ops.size(); ++at) {
        const ValueIndex written = program.ops[at].output;
        ASSERT_TRUE(plan.buffer[written].has_value());
        for (ValueIndex v = 0; v < plan.buffer.size(); ++v) {
            if (v == written || plan.buffer[v] != plan.buffer[written]) continue;
            ++sharing;
            EXPECT_NE(block.graph.values[v].role, block::Role::input);
            bool writtenBefore = false, readHereOrLater = block.graph.values[v].output;
            for (std::size_t k = 0; k < program.ops.size(); ++k) {
                if (k < at) writtenBefore = writtenBefore || program.ops[k].output == v;
                const auto& in = program.ops[k].inputs;
                if (k >= at) readHereOrLater = readHereOrLater || std::count(in.begin(), in.end(), v) > 0;
            }
            EXPECT_FALSE(writtenBefore && readHereOrLater)
                << block.graph.values[v].name << " is overwritten by " << block.graph.values[written].name;
        }
    }
    EXPECT_GT(sharing, 10u);
    EXPECT_LT(2 * plan.total(), unsharedBytes(program, plan));
}

TEST_F(Replayed, APlanThatSharesTooMuchChangesTheNumbers) {
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}});
    MemoryPlan plan = planMemory(program);
    plan.buffer[value("norm")] = plan.buffer[value("x")]; // x is read again by the residual
    const auto again = replayed(plan);
    ASSERT_TRUE(again.ok());
    const auto plain = executed(inputs);
    EXPECT_TRUE(sameBits(again->find("down")->tensor, plain.find("down")->tensor));
    EXPECT_FALSE(sameBits(again->find("out")->tensor, plain.find("out")->tensor));
}

TEST_F(Replayed, AStaleBufferHoldsThePreviousRunsValue) {
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}});
    makeStale("norm");
    const auto now = executed(inputs), before = executed(previous);
    const auto stale = replayed(planMemory(program));
    ASSERT_TRUE(stale.ok());
    EXPECT_TRUE(sameBits(stale->find("x")->tensor, now.find("x")->tensor));
    for (const char* tap : {"norm", "up", "act", "down"}) {
        EXPECT_TRUE(sameBits(stale->find(tap)->tensor, before.find(tap)->tensor)) << tap;
        EXPECT_FALSE(sameBits(stale->find(tap)->tensor, now.find(tap)->tensor)) << tap;
    }
    const auto x = now.find("x")->tensor.as<float>(), down = before.find("down")->tensor.as<float>(),
               out = stale->find("out")->tensor.as<float>();
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], x[i] + down[i]);
}

TEST_F(Replayed, AStaleBufferIsNobodyElses) {
    open("stack:3", kSmallLayers);
    for (const lower::LoweredOp& op : lower::LoweredGraph(program).ops) {
        open("stack:3", kSmallLayers);
        makeStale(op.name);
        const auto before = executed(previous);
        const auto stale = replayed(planMemory(program));
        ASSERT_TRUE(stale.ok());
        EXPECT_TRUE(sameBits(stale->find(op.name)->tensor, before.find(op.name)->tensor)) << op.name;
    }
}

TEST_F(Replayed, OtherInputsKeepTheWeights) {
    open("transformer", {{"tokens", 6}, {"width", 16}, {"hidden", 24}, {"heads", 2}, {"vocab", 11}});
    bool differs = false;
    for (ValueIndex i = 0; i < block.graph.values.size(); ++i) {
        const auto& v = block.graph.values[i];
        if (v.role == block::Role::weight) {
            EXPECT_TRUE(sameBits(inputs.tensors[i], previous.tensors[i])) << v.name;
            EXPECT_EQ(toString(inputs.keys[i]), toString(previous.keys[i]));
        }
        if (v.role != block::Role::input) continue;
        differs = differs || !sameBits(inputs.tensors[i], previous.tensors[i]);
        EXPECT_NE(toString(inputs.keys[i]), toString(previous.keys[i]));
        if (v.filling.kind != block::FillKind::indices) continue;
        for (const float index : previous.tensors[i].as<float>())
            EXPECT_LT(index, static_cast<float>(block.limits[i]));
    }
    EXPECT_TRUE(differs);
}

TEST_F(Replayed, DataOfAFileIsTurnedRound) {
    auto graph = *block::preset("reduction");
    const std::vector<float> data = {1, 2, 3, 4, 5, 6};
    for (block::Value& v : graph.values)
        if (v.role == block::Role::input) {
            v.dims = {2, 3};
            v.data = tensorOf<float>(DType::f32, {2, 3}, data);
        }
    const auto bound = block::bind(graph);
    ASSERT_TRUE(bound.ok()) << bound.error().text();
    const auto in = *makeInputs(*bound, 0);
    const auto other = *otherInputs(*bound, in, 0);
    const auto got = other.tensors[*bound->graph.find("x")].as<float>();
    EXPECT_EQ(std::vector<float>(got.begin(), got.end()), (std::vector<float>{6, 5, 4, 3, 2, 1}));
}

TEST_F(Replayed, StopsWhenAsked) {
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}});
    CancelToken token;
    token.cancel();
    const auto taps = replay(program, planMemory(program), previous, inputs, target(), Progress{{}, token});
    ASSERT_FALSE(taps.ok());
    EXPECT_EQ(taps.error().code, ErrorCode::cancelled);
}

TEST_F(Replayed, APlanOfAnotherProgramIsRefused) {
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}});
    const MemoryPlan plan = planMemory(program);
    open("mlp", {{"tokens", 9}, {"width", 16}, {"hidden", 32}});
    EXPECT_EQ(replayed(plan).error().code, ErrorCode::internal);
    EXPECT_EQ(replayed({}).error().code, ErrorCode::internal);
}

TEST_F(Replayed, OnlyAStaleBufferAsksForIt) {
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}}, {"tf32", "fuse"});
    EXPECT_FALSE(needsReplay(program));
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}}, {"stale-buffer@up"});
    ASSERT_TRUE(needsReplay(program));
    const auto stale = *runProgram(program, inputs, 7, target());
    open("mlp", {{"tokens", 3}, {"width", 16}, {"hidden", 32}});
    const auto before = executed(previous), now = executed(inputs);
    EXPECT_TRUE(sameBits(stale.find("norm")->tensor, now.find("norm")->tensor));
    EXPECT_TRUE(sameBits(stale.find("up")->tensor, before.find("up")->tensor));
    EXPECT_FALSE(sameBits(stale.find("up")->tensor, now.find("up")->tensor));
}

/// A kernel that took in others has one buffer, that of its last op.
TEST_F(Replayed, AFusedOpHasNoBufferToBeStale) {
    const block::DimValues small = {{"tokens", 3}, {"width", 16}, {"hidden", 32}};
    open("mlp", small, {"fuse", "stale-buffer@up"});
    EXPECT_FALSE(needsReplay(program));
    EXPECT_EQ(std::count(program.notes.begin(), program.notes.end(), "up has no buffer that could be stale"),
              1);
    open("mlp", small, {"fuse", "stale-buffer@act"});
    ASSERT_TRUE(needsReplay(program));
    const auto stale = *runProgram(program, inputs, 7, target());
    open("mlp", small, {"fuse"});
    EXPECT_TRUE(sameBits(stale.find("act")->tensor, executed(previous).find("act")->tensor));
}

} // namespace
} // namespace divdet::run
