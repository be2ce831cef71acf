#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassFp8, CodesUnderOneScalePerTensorGoThroughTheInstruction) {
    constexpr std::size_t m = 3, k = 70, n = 4;
    PassRun r(productGraph(m, k, n));
    const auto narrowed = [](Floats v, float& scale) {
        scale = test::largest(v, 0, v.size(), 1) / 448.0f;
        for (float& e : v) e = numerics::roundToF8e4m3(e / scale);
        return v;
    };
    float sx = 0, sw = 0;
    const auto x = narrowed(r.given("x"), sx), w = narrowed(r.given("w"), sw);
    const auto own = numerics::tcSpec(numerics::Arch::sm89, numerics::OperandFormat::f8e4m3);
    ASSERT_TRUE(own.exists());
    const auto half = numerics::tcSpec(numerics::Arch::sm80, numerics::OperandFormat::f16);
    ASSERT_FALSE(numerics::tcSpec(numerics::Arch::sm80, numerics::OperandFormat::f8e4m3).exists());
    Floats results[2];
    for (const bool sm89 : {false, true}) {
        r.device = sm89 ? "cpu:sm_89" : "cpu:sm_80";
        const auto y = results[sm89] = r.tap({"fp8"}, "y");
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j)
                EXPECT_EQ(y[i * n + j],
                          numerics::tcDot(&x[i * k], 1, &w[j], n, k, 0.0f, sm89 ? own : half) * (sx * sw));
    }
    EXPECT_NE(results[0], results[1]) << "13 bits of accumulator are not 24";
}

TEST(PassFp8, FitsProductsOfActivationsToo) {
    PassRun r("attention", {{"tokens", 4}, {"width", 8}, {"heads", 2}});
    EXPECT_EQ(r.slots({"fp8"}, "scores"), "operand=fp8:e4m3");
    EXPECT_EQ(r.slots({"fp8", "int8"}, "q"), "operand=int8:per-token");
    EXPECT_EQ(r.slots({"fp8", "reassociate=pairwise"}, "q"), "operand=fp8:e4m3");
}

} // namespace
} // namespace divdet
