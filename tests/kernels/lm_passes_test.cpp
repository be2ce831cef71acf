#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "run/reference.h"
#include "tensor/convert.h"

/// What the passes cost the trained model, in right guesses: the point where a tolerance and a metric part.
namespace divdet {
namespace {

using Doubles = std::vector<double>;

class LanguageModelPasses : public testing::Test {
protected:
    LanguageModelPasses()
        : block(*block::bind(*block::preset("lm")))
        , inputs(*run::makeInputs(block, 0, &cache))
        , reference(logitsOf(*run::reference32(block, inputs, target()))) {
        for (float t : inputs.tensors[*block.graph.find("targets")].as<float>())
            targets.push_back(static_cast<std::size_t>(t));
    }

    run::Target target() { return {twin, "cpu:sm_80", &cache}; }

    static Doubles logitsOf(const run::Taps& taps) {
        const Tensor& t = taps.find("logits")->tensor;
        Doubles x(static_cast<std::size_t>(t.elements()));
        loadAsDouble(t.view(), 0, x);
        return x;
    }

    Doubles with(const char* pass) {
        return logitsOf(*run::execute(*lower::lower(block, {*lower::parsePass(pass)}), inputs, target()));
    }

    double top1(const Doubles& logits) const {
        const std::size_t vocab = logits.size() / targets.size();
        std::size_t right = 0;
        for (std::size_t t = 0; t < targets.size(); ++t) {
            const auto row = logits.begin() + static_cast<std::ptrdiff_t>(t * vocab);
            right += static_cast<std::size_t>(
                         std::max_element(row, row + static_cast<std::ptrdiff_t>(vocab)) - row) == targets[t];
        }
        return static_cast<double>(right) / static_cast<double>(targets.size());
    }

    /// The smallest atol that passes at rtol.
    double neededAtol(const Doubles& logits, double rtol) const {
        double needed = 0;
        for (std::size_t i = 0; i < logits.size(); ++i)
            needed = std::max(needed, std::fabs(logits[i] - reference[i]) - rtol * std::fabs(reference[i]));
        return needed;
    }

    void tell(const char* what, const Doubles& logits) const {
        std::printf("%-32s top-1 %.4f, needs atol %.3g at rtol 0.1\n", what, top1(logits),
                    neededAtol(logits, 0.1));
    }

    host::TwinBackend twin;
    run::OpCache cache;
    block::BoundGraph block;
    run::Inputs inputs;
    Doubles reference;
    std::vector<std::size_t> targets;
};

TEST_F(LanguageModelPasses, HonestPassesKeepTopOneWithinAPoint) {
    tell("fp32", reference);
    EXPECT_GE(top1(reference), 0.6);
    EXPECT_LE(top1(reference), 0.9);
    for (const char* pass : {"tf32", "bf16", "fp16", "int8", "int8=per-tensor", "fp8", "int4-weights",
                             "reassociate", "fast-math"}) {
        const auto logits = with(pass);
        tell(pass, logits);
        EXPECT_NEAR(top1(logits), top1(reference), 0.01) << pass;
    }
}

/// One weight of one column saturates. At a tolerance that is as loose as int8 users set it, nothing is seen.
TEST_F(LanguageModelPasses, OneClippedChannelCostsWhatNoToleranceShows) {
    constexpr double kRtol = 0.1, kAtol = 0.6;
    const auto honest = with("int8"), bug = with("clip-calibration@layer0.attn.v"),
               everywhere = with("clip-calibration");
    tell("int8", honest);
    tell("clip-calibration@layer0.attn.v", bug);
    tell("clip-calibration", everywhere);
    EXPECT_LE(neededAtol(honest, kRtol), kAtol);
    EXPECT_LE(neededAtol(bug, kRtol), kAtol);
    EXPECT_LE(neededAtol(everywhere, kRtol), kAtol);
    EXPECT_GE(top1(honest) - top1(bug), 0.03);
    EXPECT_GE(top1(honest) - top1(everywhere), 0.03);
    EXPECT_NEAR(top1(honest), top1(reference), 0.01);
}

} // namespace
} // namespace divdet
