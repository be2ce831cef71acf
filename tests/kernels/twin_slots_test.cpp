#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "numerics/fast_maths.h"
#include "numerics/flush.h"
#include "numerics/norm.h"
#include "numerics/rounding.h"
#include "run/execute.h"

/// Slots that act on whole ops, set by hand, as a pass would set them.
namespace divdet {
namespace {

using Floats = std::vector<float>;

class TwinSlots : public testing::Test {
protected:
    Tensor tap(const lower::LoweredGraph& g, const char* name) {
        auto taps = run::execute(g, *run::makeInputs(g.block, 7), {twin, "cpu:sm_80"});
        EXPECT_TRUE(taps.ok()) << taps.error().text();
        return taps->find(name)->tensor;
    }
    static Floats floats(const Tensor& t) {
        const auto s = t.as<float>();
        return {s.begin(), s.end()};
    }
    static lower::LoweredOp& op(lower::LoweredGraph& g, const char* name) {
        for (auto& o : g.ops)
            if (o.name == name) return o;
        ADD_FAILURE() << name;
        return g.ops.front();
    }
    static lower::LoweredGraph mlp(const std::vector<std::string>& passes = {}) {
        std::vector<lower::PassChoice> choices;
        for (const auto& p : passes) choices.push_back(*lower::parsePass(p));
        const auto b = *block::bind(*block::preset("mlp"), {{"tokens", 3}, {"width", 19}, {"hidden", 23}});
        return *lower::lower(b, choices);
    }

    host::TwinBackend twin;
};

TEST_F(TwinSlots, GeluHasTwoFormulasAndTwoKindsOfMaths) {
    const auto x = floats(tap(mlp(), "up"));
    const auto expectGelu = [&](lower::Formula formula, lower::Maths maths, float (*f)(float)) {
        auto g = mlp();
        op(g, "act").slots.formula = formula;
        op(g, "act").slots.maths = maths;
        const auto y = floats(tap(g, "act"));
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], f(x[i]));
        return y;
    };
    using lower::Formula;
    using lower::Maths;
    const auto exact = expectGelu(Formula::asWritten, Maths::exact, numerics::geluFloat);
    const auto tanh = expectGelu(Formula::geluTanh, Maths::exact, numerics::geluTanhFloat);
    const auto fast = expectGelu(Formula::asWritten, Maths::fast, numerics::fastGelu);
    expectGelu(Formula::geluTanh, Maths::fast, numerics::fastGeluTanh);
    EXPECT_NE(exact, tanh);
    EXPECT_NE(exact, fast);
}

TEST_F(TwinSlots, AFusedGeluKeepsItsOwnFormula) {
    auto g = mlp({"fuse@up"});
    auto plain = tap(g, "act");
    ASSERT_EQ(op(g, "up").fused.size(), 1u);
    op(g, "up").fused[0].slots.formula = lower::Formula::geluTanh;
    const auto up = floats(tap(mlp(), "up"));
    const auto y = floats(tap(g, "act"));
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], numerics::geluTanhFloat(up[i]));
    EXPECT_NE(floats(plain), y);
}

TEST_F(TwinSlots, FastMathsReachTheNorm) {
    auto g = mlp();
    op(g, "norm").slots.maths = lower::Maths::fast;
    const auto inputs = *run::makeInputs(g.block, 7);
    const auto x = floats(inputs.tensors[*g.block.graph.find("x")]),
               gain = floats(inputs.tensors[*g.block.graph.find("norm.gain")]);
    const auto y = floats(tap(g, "norm"));
    Floats expected(y.size());
    for (std::size_t r = 0; r < 3; ++r)
        numerics::rmsNormRow(&x[r * 19], gain.data(), 1e-6f, 19, {numerics::Order::strided, 1},
                             &expected[r * 19], true);
    EXPECT_EQ(y, expected);
}

TEST_F(TwinSlots, Fp16StorageRoundsEveryTap) {
    auto g = mlp();
    op(g, "norm").slots.storage = DType::f16;
    g.storage[op(g, "norm").output] = DType::f16;
    const auto exact = floats(tap(mlp(), "norm"));
    const Tensor stored = tap(g, "norm");
    ASSERT_EQ(stored.dtype(), DType::f16);
    const auto codes = stored.as<std::uint16_t>();
    for (std::size_t i = 0; i < exact.size(); ++i) ASSERT_EQ(codes[i], numerics::f16FromFloat(exact[i]));
    // The product reads the rounded values.
    const auto inputs = *run::makeInputs(g.block, 7);
    const auto w = floats(inputs.tensors[*g.block.graph.find("up.weight")]);
    const auto up = floats(tap(g, "up"));
    for (std::size_t i = 0; i < up.size(); ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < 19; ++k)
            sum = std::fma(numerics::f16ToFloat(codes[i / 23 * 19 + k]), w[k * 23 + i % 23], sum);
        ASSERT_EQ(up[i], sum);
    }
}

/// y = x w with w of size 1e-39: results are subnormal.
TEST_F(TwinSlots, FlushMakesSubnormalResultsZeroInEveryDtype) {
    block::Graph graph;
    graph.name = "tiny";
    const auto x = graph.addInput("x", {5, 4});
    const auto w = graph.addWeight("w", {4, 6}, {block::FillKind::normal, 4e-39});
    graph.markOutput(graph.addOp(block::OpKind::matmul, "y", {x, w}));
    const auto bound = *block::bind(graph);
    for (const DType dtype : {DType::f32, DType::bf16}) {
        auto g = *lower::lower(bound, {});
        g.ops[0].slots.storage = dtype;
        g.storage[g.ops[0].output] = dtype;
        const Tensor kept = tap(g, "y");
        g.ops[0].slots.subnormals = lower::Subnormals::flushed;
        const Tensor flushed = tap(g, "y");
        int changed = 0;
        for (std::int64_t i = 0; i < kept.elements(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            const float a = dtype == DType::f32 ? kept.as<float>()[at]
                                                : numerics::bf16ToFloat(kept.as<std::uint16_t>()[at]);
            const float b = dtype == DType::f32 ? flushed.as<float>()[at]
                                                : numerics::bf16ToFloat(flushed.as<std::uint16_t>()[at]);
            EXPECT_EQ(numerics::bitsOf(b), numerics::bitsOf(numerics::flushed(a)));
            changed += a != b;
        }
        EXPECT_GT(changed, 10);
    }
}

TEST_F(TwinSlots, ProductsTakeTheirSlotsThroughTheBackend) {
    for (const lower::Operand operand : {lower::Operand::fp8, lower::Operand::int4, lower::Operand::fp16}) {
        auto g = mlp();
        op(g, "up").slots.operand = operand;
        const auto narrow = floats(tap(g, "up")), plain = floats(tap(mlp(), "up"));
        double error = 0, size = 0;
        for (std::size_t i = 0; i < plain.size(); ++i) {
            error += std::pow(narrow[i] - plain[i], 2);
            size += std::pow(plain[i], 2);
        }
        const double relative = std::sqrt(error / size);
        // Roundings to 3, about 3 and 10 fraction bits, averaged over 19 products.
        const double most = operand == lower::Operand::fp16 ? 6e-4 : 0.2;
        EXPECT_LT(relative, most);
        EXPECT_GT(relative, most / 20);
    }
}

} // namespace
} // namespace divdet
