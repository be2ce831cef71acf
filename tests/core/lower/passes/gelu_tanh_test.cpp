#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassGeluTanh, IsTheTanhFormInPlaceOfErf) {
    PassRun r("mlp", {{"tokens", 16}, {"width", 8}, {"hidden", 64}});
    r.give("up.weight", Floats(8 * 64, 0.3f));
    const auto up = r.tap({}, "up"), erf = r.tap({}, "act"), tanh = r.tap({"gelu-tanh"}, "act");
    double most = 0;
    for (std::size_t i = 0; i < up.size(); ++i) {
        const double x = up[i];
        const double form = 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        EXPECT_NEAR(tanh[i], form, std::fabs(form) * 0x1p-23);
        most = std::max(most, std::fabs(static_cast<double>(tanh[i]) - erf[i]));
    }
    EXPECT_GT(most, 1e-5);
    EXPECT_LT(most, 5e-4) << "the two forms differ by less than 4.8e-4 everywhere";
    EXPECT_EQ(lower::findPass("gelu-tanh")->stage, lower::Stage::decompose);
}

TEST(PassGeluTanh, ReachesAGeluInAFusedKernelAndNeedsOne) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 8}, {"hidden", 16}});
    EXPECT_EQ(r.tap({"gelu-tanh", "fuse@up"}, "act"), r.tap({"gelu-tanh"}, "act"));
    PassRun silu(*block::preset("mlp", {.norm = "", .activation = "silu", .layers = {}}));
    EXPECT_EQ(silu.fit("gelu-tanh").error().message, "gelu-tanh does not fit: this block has no gelu");
}

} // namespace
} // namespace divdet
