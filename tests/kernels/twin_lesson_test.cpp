#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "run/reference.h"

namespace divdet {
namespace {

/// The figures of the default block that lessons rely on: the smallest passing rtol along the linked path
/// atol = 1e-3·(rtol/1e-2)^(5/3), at tap `out`, against fp32. Each may be missed by a quarter.
struct Figure {
    const char* pass;
    double low, high;
};
constexpr double kSlack = 0.25;

constexpr Figure kFigures[] = {
    {"tf32", 7e-4, 8e-4},
    {"int8", 7e-3, 8e-3},
    {"wrong-accumulator=bf16", 1.8e-2, 2.0e-2},
    {"wrong-accumulator=fp16", 6e-3, 7e-3},
};

bool within(std::span<const float> candidate, std::span<const float> reference, double rtol, double atol) {
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double c = candidate[i], r = reference[i];
        if (!(std::fabs(c - r) <= atol + rtol * std::fabs(r))) return false;
    }
    return true;
}

double neededRtol(std::span<const float> candidate, std::span<const float> reference) {
    const auto passes = [&](double rtol) {
        return within(candidate, reference, rtol, 1e-3 * std::pow(rtol / 1e-2, 5.0 / 3));
    };
    double fails = 1e-9, passing = 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(fails * passing);
        (passes(middle) ? passing : fails) = middle;
    }
    return passing;
}

class Lesson : public testing::TestWithParam<std::uint64_t> {
protected:
    Lesson()
        : block(*block::bind(*block::preset("mlp"))) {
        inputs = *run::makeInputs(block, GetParam(), &cache);
        reference = *run::reference32(block, inputs, target());
    }
    run::Target target() { return {twin, "cpu:sm_80", &cache}; }
    std::span<const float> out(const run::Taps& taps) { return taps.find("out")->tensor.as<float>(); }
    run::Taps with(const std::vector<lower::PassChoice>& passes) {
        return *run::execute(*lower::lower(block, passes), inputs, target());
    }

    host::TwinBackend twin;
    run::OpCache cache;
    block::BoundGraph block;
    run::Inputs inputs;
    run::Taps reference;
};

TEST_P(Lesson, NeededTolerancesLandNearThePublishedFigures) {
    for (const Figure& f : kFigures) {
        const double needed = neededRtol(out(with({*lower::parsePass(f.pass)})), out(reference));
        std::printf("seed %llu %-24s needs rtol %.3g\n", static_cast<unsigned long long>(GetParam()), f.pass,
                    needed);
        EXPECT_GE(needed, f.low * (1 - kSlack)) << f.pass;
        EXPECT_LE(needed, f.high * (1 + kSlack)) << f.pass;
    }
}

/// Split-K's figure is decided by the few outputs nearest zero, so one seed says little (1.3e-5 to 2.6e-5
/// over thirty, and the same in a numpy simulation of the sums); its median is what the published 1.5e-5
/// stands for.
TEST(LessonMedian, SplitKLandsNearThePublishedFigure) {
    std::vector<double> needed;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        host::TwinBackend twin;
        const run::Target target{twin, "cpu:sm_80", nullptr};
        const auto block = *block::bind(*block::preset("mlp"));
        const auto inputs = *run::makeInputs(block, seed);
        const auto reference = *run::reference32(block, inputs, target);
        const auto lowered = *lower::lower(block, {*lower::parsePass("reassociate=splitk:8")});
        const auto candidate = *run::execute(lowered, inputs, target);
        needed.push_back(
            neededRtol(candidate.find("out")->tensor.as<float>(), reference.find("out")->tensor.as<float>()));
    }
    std::sort(needed.begin(), needed.end());
    const double median = (needed[14] + needed[15]) / 2;
    std::printf("reassociate=splitk:8 over 30 seeds: %.3g to %.3g, median %.3g\n", needed.front(),
                needed.back(), median);
    EXPECT_GE(median, 1.5e-5 * (1 - kSlack));
    EXPECT_LE(median, 1.5e-5 * (1 + kSlack));
}

TEST_P(Lesson, ThePresetsTellDriftFromTheBug) {
    const auto bug = with({*lower::parsePass("wrong-accumulator=bf16")});
    EXPECT_FALSE(within(out(bug), out(reference), 1e-2, 1e-3));
    for (const char* pass : {"reassociate", "tf32", "int8"})
        EXPECT_TRUE(within(out(with({*lower::parsePass(pass)})), out(reference), 1e-2, 1e-3)) << pass;
    EXPECT_TRUE(within(out(with(lower::defaultPasses(block))), out(reference), 1e-2, 1e-3));
    EXPECT_FALSE(within(out(with({*lower::parsePass("reassociate")})), out(reference), 1e-5, 1e-8));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Lesson, testing::Values(0, 1, 2));

} // namespace
} // namespace divdet
