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

    /// Whether the guess for each token is right.
    std::vector<bool> right(const Doubles& logits) const {
        const std::size_t vocab = logits.size() / targets.size();
        std::vector<bool> all;
        for (std::size_t t = 0; t < targets.size(); ++t) {
            const auto row = logits.begin() + static_cast<std::ptrdiff_t>(t * vocab);
            const auto guess = std::max_element(row, row + static_cast<std::ptrdiff_t>(vocab)) - row;
            all.push_back(static_cast<std::size_t>(guess) == targets[t]);
        }
        return all;
    }

    double top1(const Doubles& logits) const {
        const auto all = right(logits);
        return static_cast<double>(std::count(all.begin(), all.end(), true)) /
               static_cast<double>(all.size());
    }

    /// By how much b is right less often than a, and the standard error of that: the tokens are the same, so
    /// it is the scatter of the differences token by token that counts.
    struct Loss {
        double mean, error;
    };
    Loss loss(const Doubles& a, const Doubles& b) const {
        const auto before = right(a), after = right(b);
        double sum = 0, squares = 0;
        const auto n = static_cast<double>(before.size());
        for (std::size_t t = 0; t < before.size(); ++t) {
            const double d = static_cast<double>(before[t]) - static_cast<double>(after[t]);
            sum += d;
            squares += d * d;
        }
        return {sum / n, std::sqrt((squares / n - sum / n * sum / n) / (n - 1))};
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
    for (const Doubles& faulty : {bug, everywhere}) {
        const auto lost = loss(honest, faulty);
        std::printf("lost %.2f points, standard error %.2f\n", 100 * lost.mean, 100 * lost.error);
        EXPECT_GE(lost.mean, 0.03);
        EXPECT_GT(lost.mean - 3 * lost.error, 0); // far from chance
    }
    const auto drift = loss(reference, honest);
    EXPECT_LT(drift.mean - 3 * drift.error, 0.01);
    EXPECT_NEAR(top1(honest), top1(reference), 0.01);
}

} // namespace
} // namespace divdet
