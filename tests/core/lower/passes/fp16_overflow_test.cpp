#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

/// An outlier channel of size 20 and weights of size 120: sums beyond 65504, though no operand is.
PassRun overflowing() {
    auto g = productGraph(32, 1024, 16, 120);
    block::setInputKind(g, block::FillKind::outlierChannel);
    return PassRun(g);
}

TEST(PassFp16Overflow, SumsBeyond65504AreInfiniteWhereFp32IsFinite) {
    auto r = overflowing();
    r.give("x", [&] {
        auto x = r.given("x");
        for (float& v : x) v = std::fabs(v) * 2;
        return x;
    }());
    r.give("w", [&] {
        auto w = r.given("w");
        for (float& v : w) v = std::fabs(v);
        return w;
    }());
    const auto wrong = r.tap({"fp16-overflow"}, "y"), plain = r.tap({}, "y");
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_TRUE(std::isfinite(plain[i]));
        EXPECT_GT(plain[i], 65504.0f);
        EXPECT_EQ(wrong[i], INFINITY);
    }
}

TEST(PassFp16Overflow, IsTheInstructionsOwnAccumulator) {
    PassRun r(productGraph(5, 70, 4));
    auto x = r.given("x"), w = r.given("w");
    for (Floats* v : {&x, &w})
        for (float& e : *v) e = numerics::roundToF16(e);
    const auto spec = numerics::tcSpec(numerics::Arch::sm80, numerics::OperandFormat::f16, true);
    const auto y = r.tap({"fp16-overflow"}, "y");
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            EXPECT_EQ(y[i * 4 + j], numerics::tcDot(&x[i * 70], 1, &w[j], 4, 70, 0.0f, spec));
}

TEST(PassFp16Overflow, OutliersOverflowSomeOutputs) {
    auto r = overflowing();
    auto w = r.given("w");
    for (std::size_t j = 0; j < 16; ++j) w[512 * 16 + j] *= 40; // the outlier channel matters most
    r.give("w", w);
    const auto plain = r.tap({}, "y"), wrong = r.tap({"fp16-overflow"}, "y");
    int infinite = 0, finite = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_TRUE(std::isfinite(plain[i]));
        infinite += std::isinf(wrong[i]);
        finite += std::isfinite(wrong[i]);
        if (std::fabs(plain[i]) > 70000) {
            EXPECT_TRUE(std::isinf(wrong[i])) << plain[i];
        }
    }
    EXPECT_GT(infinite, 50);
    EXPECT_GT(finite, 50);
}

TEST(PassFp16Overflow, WinsOverOtherOperandsAndSaysSo) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 32}, {"hidden", 64}});
    EXPECT_EQ(r.slots({"int8", "fp16-overflow@up"}, "up"), "operand=fp16 accumulator=instruction-fp16");
    EXPECT_EQ(r.lowered({"int8", "fp16-overflow@up"}).notes,
              std::vector<std::string>{"int8 is overridden by fp16-overflow on up"});
    EXPECT_EQ(r.slots({"fp16-overflow", "wrong-accumulator"}, "up"), "operand=fp16 accumulator=bf16");
    EXPECT_EQ(r.slots({"clip-calibration", "fp16-overflow"}, "up"),
              "operand=fp16 accumulator=instruction-fp16");
}

} // namespace
} // namespace divdet
