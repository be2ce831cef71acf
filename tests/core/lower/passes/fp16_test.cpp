#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassFp16, OperandsAndResultsAreFp16AndSumsAreTheTensorCores) {
    PassRun r(productGraph(5, 37, 6));
    auto x = r.given("x"), w = r.given("w");
    for (Floats* v : {&x, &w})
        for (float& e : *v) e = numerics::roundToF16(e);
    const Tensor y = r.tensor({"fp16"}, "y");
    ASSERT_EQ(y.dtype(), DType::f16);
    const auto codes = y.as<std::uint16_t>();
    const auto spec = numerics::tcSpec(numerics::Arch::sm80, numerics::OperandFormat::f16);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            EXPECT_EQ(codes[i * 6 + j],
                      numerics::f16FromFloat(numerics::tcDot(&x[i * 37], 1, &w[j], 6, 37, 0.0f, spec)));
}

TEST(PassFp16, StoresEveryTapAndYieldsToInt8AndTheLater) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 8}, {"hidden", 16}});
    const auto taps = r.run({"fp16"});
    for (const auto& t : taps.taps) EXPECT_EQ(t.tensor.dtype(), DType::f16) << t.name;
    EXPECT_EQ(r.slots({"int8", "fp16"}, "up"), "operand=int8:per-token storage=f16");
    EXPECT_EQ(r.slots({"fp16", "bf16"}, "up"), "operand=bf16 storage=bf16");
    EXPECT_EQ(r.slots({"tf32", "fp16"}, "up"), "operand=fp16 storage=f16");
    EXPECT_EQ(r.slots({"fp16"}, "act"), "storage=f16");
}

} // namespace
} // namespace divdet
