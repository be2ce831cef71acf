#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

/// w' = round(w / s) s with s = max|w| / 7 over each column's group of k.
Floats dequantised(Floats w, std::size_t k, std::size_t n, std::size_t group) {
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t first = 0; first < k; first += group) {
            const std::size_t count = std::min(group, k - first);
            const float s = test::largest(w, first * n + j, count, n) / 7.0f;
            for (std::size_t t = first; t < first + count; ++t)
                w[t * n + j] = std::nearbyint(w[t * n + j] / s) * s;
        }
    return w;
}

TEST(PassInt4Weights, WeightsAloneLieOnGridsOfTheirGroups) {
    constexpr std::size_t m = 4, k = 150, n = 5;
    PassRun r(productGraph(m, k, n));
    const auto x = r.given("x"), w = r.given("w");
    for (const std::size_t group : {32, 128}) {
        const auto y = r.tap({"int4-weights=group:" + std::to_string(group)}, "y");
        const auto narrow = dequantised(w, k, n, group);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j)
                EXPECT_EQ(y[i * n + j], test::chain(x, narrow, k, n, i, j, 0, k));
    }
    EXPECT_EQ(r.tap({"int4-weights"}, "y"), r.tap({"int4-weights=group:128"}, "y"));
    EXPECT_NE(r.tap({"int4-weights"}, "y"), r.tap({"int4-weights=group:32"}, "y"));
}

TEST(PassInt4Weights, NeedsWeightsAndYieldsToInt8AndFp8) {
    PassRun r("attention", {{"tokens", 4}, {"width", 8}, {"heads", 2}});
    EXPECT_NE(r.fit("int4-weights@scores").error().message.find("two activations"), std::string::npos);
    EXPECT_EQ(r.slots({"int4-weights", "fp8"}, "q"), "operand=fp8:e4m3");
    EXPECT_EQ(r.slots({"int8", "int4-weights"}, "q"), "operand=int8:per-token");
    EXPECT_EQ(r.slots({"int4-weights", "bf16"}, "q"), "operand=int4:group:128 storage=bf16");
    EXPECT_EQ(r.slots({"int4-weights", "reassociate=pairwise"}, "q"),
              "operand=int4:group:128 order=pairwise");
}

} // namespace
} // namespace divdet
