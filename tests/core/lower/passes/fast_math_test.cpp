#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/fast_maths.h"
#include "numerics/norm.h"
#include "numerics/softmax.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

constexpr numerics::SumOrder kTree{numerics::Order::strided, 1};

TEST(PassFastMath, ReachesActivationNormAndSoftmaxAndNothingElse) {
    PassRun r("transformer", {{"tokens", 4}, {"width", 12}, {"heads", 2}, {"hidden", 10}, {"vocab", 5}});
    const auto plain = r.run({}), fast = r.run({"fast-math"});
    const auto of = [](const run::Taps& taps, const char* tap) {
        return test::floats(taps.find(tap)->tensor);
    };
    // The first op that the pass reaches reads what it read before; later ones read their own candidate.
    const auto x = of(fast, "x"), gain = r.given("attn.norm.gain");
    Floats norm(x.size());
    for (std::size_t row = 0; row < 4; ++row)
        numerics::rmsNormRow(&x[row * 12], gain.data(), 1e-6f, 12, kTree, &norm[row * 12], true);
    EXPECT_EQ(of(fast, "attn.norm"), norm);
    const auto masked = of(fast, "attn.masked");
    Floats probs(masked.size());
    for (std::size_t row = 0; row < masked.size() / 4; ++row)
        numerics::softmaxRow(&masked[row * 4], 4, kTree, &probs[row * 4], true);
    EXPECT_EQ(of(fast, "attn.probs"), probs);
    const auto up = of(fast, "mlp.up"), act = of(fast, "mlp.act");
    for (std::size_t i = 0; i < up.size(); ++i) {
        EXPECT_EQ(act[i], numerics::fastGelu(up[i]));
        EXPECT_NEAR(act[i], 0.5 * up[i] * std::erfc(-up[i] / std::sqrt(2.0)), 1e-6 * std::fabs(up[i]));
    }
    EXPECT_NE(of(plain, "mlp.act"), act);
    EXPECT_EQ(r.slots({"fast-math"}, "attn.q"), "");
    EXPECT_NE(r.fit("fast-math@attn.q").error().message.find("calls no exp"), std::string::npos);
}

} // namespace
} // namespace divdet
