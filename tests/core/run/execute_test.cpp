#include "run/execute.h"

#include <gtest/gtest.h>

#include "block/presets.h"
#include "core/run/fake_backend.h"
#include "lower/lower.h"
#include "run/reference.h"

namespace divdet::run {
namespace {

class Execute : public testing::Test {
protected:
    Execute()
        : block(*block::bind(*block::preset("mlp"), {{"tokens", 3}, {"width", 8}, {"hidden", 16}})) {
        inputs = *makeInputs(block, 0);
    }
    lower::LoweredGraph with(const std::vector<std::string>& passes) {
        std::vector<lower::PassChoice> choices;
        for (const auto& p : passes) choices.push_back(*lower::parsePass(p));
        return *lower::lower(block, choices);
    }
    Target target() { return {fake, "fake:0", &cache}; }

    test::FakeBackend fake;
    OpCache cache;
    block::BoundGraph block;
    Inputs inputs;
};

std::vector<std::string> names(const Taps& taps) {
    std::vector<std::string> all;
    for (const Tap& t : taps.taps) all.push_back(t.name);
    return all;
}

TEST_F(Execute, KeepsEveryTapInDepthOrder) {
    const auto taps = execute(with({}), inputs, target());
    ASSERT_TRUE(taps.ok());
    EXPECT_EQ(names(*taps), block.graph.taps());
    EXPECT_EQ(taps->find("x")->kind, "input");
    EXPECT_EQ(taps->find("up")->kind, "matmul");
    EXPECT_EQ(taps->find("up")->tensor.shape(), (Shape{3, 16}));
    EXPECT_EQ(taps->find("nothing"), nullptr);
}

TEST_F(Execute, AToggleRecomputesOnlyWhatItChanges) {
    const auto first = *execute(with({}), inputs, target());
    EXPECT_EQ(first.opsRun, 5);
    EXPECT_EQ(first.opsCached, 0);
    const auto again = *execute(with({}), inputs, target());
    EXPECT_EQ(again.opsRun, 0);
    EXPECT_EQ(again.opsCached, 5);
    const auto down = *execute(with({"int8@down"}), inputs, target());
    EXPECT_EQ(down.opsRun, 2); // down and out
    EXPECT_EQ(down.opsCached, 3);
    const auto up = *execute(with({"tf32@up"}), inputs, target());
    EXPECT_EQ(up.opsRun, 4); // up, act, down, out
    EXPECT_EQ(up.opsCached, 1);
    const auto overridden = *execute(with({"tf32", "int8"}), inputs, target());
    const auto same = *execute(with({"int8"}), inputs, target()); // tf32 lost both slots: the same ops
    EXPECT_EQ(overridden.opsRun, 4);
    EXPECT_EQ(same.opsRun, 0);
    EXPECT_EQ(fake.calls, 5 + 2 + 4 + 4);
}

TEST_F(Execute, TheKeyHoldsDeviceSeedVariantAndFusion) {
    execute(with({"tf32=rne"}), inputs, target()).ok();
    EXPECT_EQ(execute(with({"tf32=rz"}), inputs, target())->opsRun, 4);
    EXPECT_EQ(execute(with({"fuse"}), inputs, target())->opsRun, 2); // norm is as it was
    EXPECT_EQ(execute(with({"tf32=rne"}), inputs, {fake, "fake:1", &cache})->opsRun, 5);
    EXPECT_EQ(execute(with({"tf32=rne"}), *makeInputs(block, 1), target())->opsRun, 5);
}

TEST_F(Execute, WorksWithoutACache) {
    EXPECT_EQ(execute(with({}), inputs, {fake, "fake:0"})->opsRun, 5);
    EXPECT_EQ(execute(with({}), inputs, {fake, "fake:0"})->opsRun, 5);
}

TEST_F(Execute, Bf16ReachesTheBackendAsBf16) {
    fake.answer = [](const lower::LoweredOp& op, std::span<const Tensor> in) -> Result<Tensor> {
        for (const Tensor& t : in) EXPECT_EQ(t.dtype(), DType::bf16) << op.name;
        return converted(*block::opDef(op.kind).reference64(in, op.attributes, {}), op.slots.storage);
    };
    const auto taps = execute(with({"bf16"}), inputs, target());
    ASSERT_TRUE(taps.ok()) << taps.error().text();
    for (const Tap& t : taps->taps) EXPECT_EQ(t.tensor.dtype(), DType::bf16) << t.name;
}

TEST_F(Execute, AFailureNamesItsOpAndIsNotKept) {
    fake.answer = [](const lower::LoweredOp& op, std::span<const Tensor> in) -> Result<Tensor> {
        if (op.name == "act") return Error{ErrorCode::unsupported, "no such function", "", ""};
        return converted(*block::opDef(op.kind).reference64(in, op.attributes, {}), DType::f32);
    };
    const auto taps = execute(with({}), inputs, target());
    EXPECT_EQ(taps.error().code, ErrorCode::unsupported);
    EXPECT_EQ(taps.error().path, "act");
    EXPECT_EQ(cache.counters().entries, 2u); // norm, up
    fake.answer = nullptr;
    EXPECT_EQ(execute(with({}), inputs, target())->opsRun, 3);
}

TEST_F(Execute, ABrokenBackendIsFound) {
    fake.answer = [](const lower::LoweredOp&, std::span<const Tensor>) -> Result<Tensor> {
        return TensorBuilder(DType::f32, {1}).finish();
    };
    EXPECT_EQ(execute(with({}), inputs, target()).error().code, ErrorCode::internal);
}

TEST_F(Execute, CancellingStopsASlowBackendBetweenOps) {
    Progress progress;
    fake.answer = [&](const lower::LoweredOp& op, std::span<const Tensor> in) -> Result<Tensor> {
        if (op.name == "up") progress.token.cancel(); // as if the user gave up while this op ran
        return converted(*block::opDef(op.kind).reference64(in, op.attributes, {}), DType::f32);
    };
    EXPECT_EQ(execute(with({}), inputs, target(), progress).error().code, ErrorCode::cancelled);
    EXPECT_EQ(fake.calls, 2);
    EXPECT_EQ(makeInputs(block, 0, nullptr, progress).error().code, ErrorCode::cancelled);
    EXPECT_EQ(reference64(block, inputs, nullptr, progress).error().code, ErrorCode::cancelled);
}

TEST_F(Execute, ReportsEveryOp) {
    std::vector<std::string> seen;
    Progress progress;
    progress.report = [&](std::uint64_t done, std::uint64_t total, std::string_view what) {
        EXPECT_EQ(total, 5u);
        EXPECT_EQ(done, seen.size());
        seen.emplace_back(what);
    };
    ASSERT_TRUE(execute(with({}), inputs, target(), progress).ok());
    EXPECT_EQ(seen, (std::vector<std::string>{"norm", "up", "act", "down", "out", ""}));
}

TEST_F(Execute, Reference64IsDoubleAndCached) {
    const auto taps = reference64(block, inputs, &cache);
    ASSERT_TRUE(taps.ok()) << taps.error().text();
    EXPECT_EQ(taps->find("out")->tensor.dtype(), DType::f64);
    EXPECT_EQ(taps->find("x")->tensor.dtype(), DType::f32);
    EXPECT_EQ(reference64(block, inputs, &cache)->opsCached, 5);
    const auto rounded = *execute(with({}), inputs, target());
    EXPECT_NEAR(elementAt(rounded.find("out")->tensor.view(), 4),
                elementAt(taps->find("out")->tensor.view(), 4), 1e-5);
}

TEST_F(Execute, Reference32HasNoPass) {
    const auto taps = reference32(block, inputs, target());
    ASSERT_TRUE(taps.ok());
    EXPECT_EQ(execute(with({}), inputs, target())->opsCached, 5);
}

} // namespace
} // namespace divdet::run
