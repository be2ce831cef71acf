#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

/// int8's integer sum in an fp16 accumulator, by plain loops: the products are whole numbers up to 16129.
TEST(PassWrongAccumulator, Fp16OverflowsOnTheRunningIntegerSum) {
    constexpr std::size_t k = 64;
    PassRun r(productGraph(2, k, 2));
    r.give("x", Floats(2 * k, 1.0f)); // every code is 127
    r.give("w", Floats(k * 2, 1.0f));
    for (float v : r.tap({"int8"}, "y")) EXPECT_NEAR(v, 64, 1e-4);
    for (float v : r.tap({"int8", "wrong-accumulator=fp16"}, "y"))
        EXPECT_EQ(v, INFINITY) << "5 products of 127 x 127 are beyond 65504";
    for (float v : r.tap({"int8", "wrong-accumulator=bf16"}, "y")) EXPECT_TRUE(std::isfinite(v));
    for (float v : r.tap({"wrong-accumulator=fp16"}, "y")) EXPECT_EQ(v, 64);
}

} // namespace
} // namespace divdet
