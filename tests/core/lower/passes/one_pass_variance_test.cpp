#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "numerics/reduction.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

PassRun layerMlp(block::FillKind kind) {
    auto g = *block::preset("mlp", {.norm = "layer", .activation = "", .layers = {}});
    block::setInputKind(g, kind);
    return PassRun(g, {{"tokens", 6}, {"width", 64}, {"hidden", 8}});
}

/// The textbook formula in the published tree of norms, every step rounded to fp32.
Floats onePass(const Floats& x, std::size_t width) {
    Floats y(x.size());
    const numerics::SumOrder tree{numerics::Order::strided, 1};
    for (std::size_t r = 0; r < x.size(); r += width) {
        const float sum = numerics::reduce(numerics::SumTerms{&x[r]}, width, tree);
        const float squares = numerics::reduce(numerics::SquareTerms{&x[r]}, width, tree);
        const float mean = sum / static_cast<float>(width);
        const float variance = std::fma(-mean, mean, squares / static_cast<float>(width));
        const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(variance + 1e-6f)));
        for (std::size_t i = 0; i < width; ++i) y[r + i] = std::fma((x[r + i] - mean) * scale, 1.0f, 0.0f);
    }
    return y;
}

double worst(const Floats& a, const Floats& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = std::fabs(static_cast<double>(a[i]) - b[i]);
        most = std::isfinite(d) ? std::max(most, d) : INFINITY;
    }
    return most;
}

TEST(PassOnePassVariance, IsTheTextbookFormula) {
    auto r = layerMlp(block::FillKind::normal);
    const auto y = r.tap({"one-pass-variance"}, "norm");
    EXPECT_EQ(y, onePass(r.given("x"), 64));
    EXPECT_NE(y, r.tap({}, "norm"));
    EXPECT_LT(worst(y, r.tap({}, "norm")), 1e-5);
}

TEST(PassOnePassVariance, IsFatalBesideALargeMean) {
    auto r = layerMlp(block::FillKind::largeMean);
    EXPECT_GT(worst(r.tap({"one-pass-variance"}, "norm"), r.tap({}, "norm")), 0.1);
}

TEST(PassOnePassVariance, NeedsALayerNorm) {
    const auto why = PassRun("mlp").fit("one-pass-variance").error();
    EXPECT_EQ(why.message, "one-pass-variance does not fit: this block has no layer norm");
    EXPECT_EQ(why.hint, "--norm layer gives mlp one");
}

/// The hint names a block that takes the option, and takes it.
TEST(PassOnePassVariance, HintsOnlyAtBlocksWhoseNormCanBeChosen) {
    for (const block::PresetInfo& preset : block::presetList()) {
        SCOPED_TRACE(preset.id);
        const auto why = PassRun(std::string(preset.id).c_str()).fit("one-pass-variance").error();
        if (preset.options.norm) {
            EXPECT_EQ(why.hint, "--norm layer gives " + std::string(preset.id) + " one");
            EXPECT_TRUE(block::preset(preset.id, {.norm = "layer", .activation = "", .layers = {}}).ok());
        } else {
            EXPECT_EQ(why.hint, "--norm layer gives one to mlp, attention, transformer, stack");
        }
    }
}

} // namespace
} // namespace divdet
