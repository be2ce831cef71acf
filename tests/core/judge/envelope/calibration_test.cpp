#include <cstdio>

#include "block/ops/support.h"
#include "core/judge/local/local_run.h"
#include "judge/envelope/envelope.h"

/// How well the envelope knows honest runs: z of every tap of four layers, over inputs, drifts and norms.
namespace divdet {
namespace {

using block::FillKind;
using test::PassRun;

struct Extreme {
    double z;
    std::string tap;
    void take(double other, const std::string& name, bool better) {
        if (better) z = other, tap = name;
    }
};

struct Calibration {
    int runs = 0, flagged = 0;
    Extreme least{1e9, ""}, most{0, ""}, largest{0, ""}; ///< rms z of single taps, and the largest z
};

/// One honest run of four layers, added to `c`.
void addRun(Calibration& c, FillKind kind, const std::string& drift, int seed, const char* norm) {
    auto g = *block::preset(
        "stack:4",
        {.norm = norm, .activation = seed % 2 && drift != "gelu-tanh" ? "silu" : "", .layers = {}});
    block::setInputKind(g, kind);
    PassRun r(g, test::smallSizes(g), static_cast<std::uint64_t>(seed));
    r.device = seed % 2 ? "cpu:sm_90" : "cpu:sm_80";
    const PassRun::Passes passes = drift.empty() ? PassRun::Passes{} : PassRun::Passes{drift};
    const auto program = r.lowered(passes);
    const auto taps = r.run(passes);
    const auto fields = envelope::envelopeOf(program, r.inputs.tensors, test::archOf(r.device));
    ASSERT_TRUE(fields.ok()) << fields.error().text();
    bool flag = false;
    for (std::size_t i = 0; i < fields->size(); ++i) {
        const auto* tap = taps.find(program.block.graph.values[i].name);
        if (!tap || tap->kind == "input") continue;
        EXPECT_TRUE((*fields)[i].known) << tap->name;
        const auto z = envelope::zScore((*fields)[i], tap->tensor);
        if (z.elements == 0) continue;
        c.least.take(z.rms, tap->name, z.rms < c.least.z);
        c.most.take(z.rms, tap->name, z.rms > c.most.z);
        c.largest.take(z.largest, tap->name, z.largest > c.largest.z);
        flag = flag || z.rms > envelope::kFlaggedRms || z.largest > envelope::kFlaggedLargest;
    }
    ++c.runs;
    c.flagged += flag;
}

Calibration calibrate(FillKind kind, const std::string& drift, int seeds) {
    Calibration c;
    for (int seed = 0; seed < seeds; ++seed)
        for (const char* norm : {"", "layer"}) addRun(c, kind, drift, seed, norm);
    std::printf("%-22s kind %d: %d runs, rms z %.2f (%s) to %.2f (%s), largest z %.1f (%s), %d flagged\n",
                drift.c_str(), static_cast<int>(kind), c.runs, c.least.z, c.least.tap.c_str(), c.most.z,
                c.most.tap.c_str(), c.largest.z, c.largest.tap.c_str(), c.flagged);
    return c;
}

class EnvelopeCalibration : public testing::TestWithParam<const char*> {};

TEST_P(EnvelopeCalibration, KnowsHonestRunsOfNormalAndOutlierData) {
    for (const FillKind kind : {FillKind::normal, FillKind::outlierChannel}) {
        const Calibration c = calibrate(kind, GetParam(), test::honestSeeds(2));
        EXPECT_LE(c.flagged, c.runs / 100); // as flagged.h states; of the usual few runs none
        EXPECT_GE(c.least.z, 0.4);
        EXPECT_LE(c.most.z, 1.8);
    }
}

/// Tokens that share a sign or a mean round alike; the mean of the envelope knows of rounded weights, so that
/// these runs are not flagged either.
TEST_P(EnvelopeCalibration, FlagsNoHonestRunOfPositiveData) {
    const Calibration c = calibrate(FillKind::positive, GetParam(), test::honestSeeds(2));
    EXPECT_LE(c.flagged, c.runs / 100);
}

INSTANTIATE_TEST_SUITE_P(EveryDrift, EnvelopeCalibration,
                         testing::Values("", "reassociate=pairwise", "reassociate=strided",
                                         "reassociate=splitk:8", "tf32", "tf32=rz", "bf16", "fp16", "int8",
                                         "int4-weights", "fp8", "fuse", "fast-math", "gelu-tanh",
                                         "atomics=seed:2"));

/// Runs that were flagged once, with what the envelope did not know: rows whose norm one channel makes up and
/// whose other elements move together, and squares of errors where an activation is flat.
TEST(Envelope, KnowsHonestRunsThatItOnceFlagged) {
    Calibration c;
    for (const int seed : {1, 3, 38, 100}) addRun(c, FillKind::outlierChannel, "tf32=rz", seed, "");
    addRun(c, FillKind::outlierChannel, "tf32=rz", 1, "layer");
    for (const int seed : {6, 17, 36, 58}) addRun(c, FillKind::positive, "fp8", seed, "layer");
    EXPECT_EQ(c.flagged, 0) << c.largest.tap << " z " << c.largest.z;
}

/// Products of given numbers have no other variance than the tensor core's own. Where no product has bits
/// well below the grid, one at its edge may still lose some: no difference may stand beside a variance of
/// nothing.
TEST(Envelope, LeavesNoShortProductWithoutVariance) {
    double largest = 0;
    for (int seed = 0; seed < 20; ++seed)
        for (const int k : {8, 16, 32})
            for (const char* device : {"cpu:sm_80", "cpu:sm_90"})
                for (const char* drift : {"tf32", "bf16", "fp16", "fp8"}) {
                    PassRun r(test::productGraph(8, k, 16), {}, static_cast<std::uint64_t>(seed));
                    r.device = device;
                    const auto fields =
                        envelope::envelopeOf(r.lowered({drift}), r.inputs.tensors, test::archOf(r.device));
                    ASSERT_TRUE(fields.ok());
                    const auto taps = r.run({drift});
                    const auto z =
                        envelope::zScore((*fields)[*r.block.graph.find("y")], taps.find("y")->tensor);
                    largest = std::max(largest, z.largest);
                }
    EXPECT_LT(largest, 7);
}

/// A fault that nothing declares stands out at its own tap.
TEST(Envelope, FlagsABf16AccumulatorAtItsTap) {
    PassRun r(*block::preset("stack:4"), {{"tokens", 16}, {"width", 64}, {"hidden", 128}}, 3);
    const auto declared = r.lowered({"tf32"});
    const auto taps = r.run({"tf32", "wrong-accumulator=bf16@layer2.mlp.down"});
    const auto fields = envelope::envelopeOf(declared, r.inputs.tensors, numerics::Arch::sm80);
    ASSERT_TRUE(fields.ok());
    std::string first;
    for (const auto& tap : taps.taps) {
        const auto i = *r.block.graph.find(tap.name);
        const auto z = envelope::zScore((*fields)[i], tap.tensor);
        if (first.empty() && z.rms > envelope::kFlaggedRms) first = tap.name;
    }
    EXPECT_EQ(first, "layer2.mlp.down");
}

/// One product with everything known by hand: y = a w in tf32, one term, so that the two roundings of the
/// operands and the last of the result are all there is.
TEST(Envelope, OfCertainOperandsMovesTheMean) {
    PassRun r(test::productGraph(1, 1, 1), {});
    const float a = 1.0f + 0x1p-12f, w = 1.5f + 0x1p-13f;
    r.give("x", {a});
    r.give("w", {w});
    const auto fields = envelope::envelopeOf(r.lowered({"tf32"}), r.inputs.tensors, numerics::Arch::sm80);
    ASSERT_TRUE(fields.ok());
    const auto& y = (*fields)[*r.block.graph.find("y")];
    EXPECT_NEAR(y.mean[0], 1.5, 0x1p-23); // both operands round down to ten bits; truncation may take a bit
    EXPECT_LT(y.variance[0], 0x1p-44);
}

/// What is no matter of last bits is summed in floats. A column of weights that is 2^60 times smaller than
/// its neighbours must not fall out of their range: its results and their spread are 2^60 times smaller, no
/// less.
TEST(Envelope, SpreadsAColumnOfAnySize) {
    const block::DimValues sizes{{"tokens", 4}, {"width", 24}, {"hidden", 40}};
    constexpr double kSmall = 0x1p-60;
    for (const char* pass : {"", "tf32", "bf16", "int8"}) {
        PassRun r(*block::preset("mlp"), sizes, 3);
        const auto passes = *pass ? PassRun::Passes{pass} : PassRun::Passes{};
        const auto usual = envelope::envelopeOf(r.lowered(passes), r.inputs.tensors, numerics::Arch::sm80);
        auto weights = block::ops::doubles(r.inputs.tensors[*r.block.graph.find("down.weight")]);
        std::vector<float> scaled(weights.begin(), weights.end());
        for (std::size_t at = 5; at < scaled.size(); at += 24) scaled[at] *= static_cast<float>(kSmall);
        r.give("down.weight", scaled);
        const auto small = envelope::envelopeOf(r.lowered(passes), r.inputs.tensors, numerics::Arch::sm80);
        ASSERT_TRUE(usual.ok() && small.ok());
        const auto down = *r.block.graph.find("down");
        for (std::size_t at = 0; at < 4 * 24; ++at) {
            const double scale = at % 24 == 5 ? kSmall : 1;
            const double variance = (*usual)[down].variance[at] * scale * scale;
            EXPECT_GT(variance, 0) << pass;
            EXPECT_NEAR((*small)[down].variance[at] / variance, 1, 1e-5) << pass << ' ' << at;
            EXPECT_NEAR((*small)[down].mean[at] / ((*usual)[down].mean[at] * scale), 1, 1e-9) << pass;
        }
    }
}

/// An accumulator that starts from a residual 2^130 times its products: no grid becomes infinite.
TEST(Envelope, IsFiniteBesideAStartFarAboveTheProducts) {
    const block::DimValues sizes{{"tokens", 2}, {"width", 16}, {"hidden", 16}};
    for (const char* pass : {"tf32", "bf16"}) {
        PassRun r(*block::preset("mlp"), sizes, 3);
        r.give("x", std::vector<float>(32, 0x1p100f));
        r.give("down.weight", std::vector<float>(256, 0x1p-126f));
        const auto fields =
            envelope::envelopeOf(r.lowered({pass, "fuse"}), r.inputs.tensors, numerics::Arch::sm80);
        ASSERT_TRUE(fields.ok());
        for (const auto& f : *fields)
            for (std::size_t i = 0; i < f.mean.size(); ++i)
                EXPECT_TRUE(std::isfinite(f.mean[i]) && std::isfinite(f.varianceAt(i))) << pass;
    }
}

/// Where a row's mean cancels, its rounding is that of the partial sums, and an element next to the mean is
/// made of little else.
TEST(Envelope, KnowsTheMeanOfRowsThatCancel) {
    PassRun r(*block::preset("stack:1", {.norm = "layer", .activation = "", .layers = {}}),
              {{"tokens", 16}, {"width", 64}, {"hidden", 32}}, 5);
    auto x = block::ops::doubles(r.inputs.tensors[*r.block.graph.find("x")]);
    for (std::size_t row = 0; row < 16; ++row) {
        double sum = 0;
        for (std::size_t i = 1; i < 64; ++i) sum += x[row * 64 + i];
        for (std::size_t i = 1; i < 64; ++i) x[row * 64 + i] -= sum / 63;
        x[row * 64] = 1e-9;
    }
    r.give("x", std::vector<float>(x.begin(), x.end()));
    const auto fields = envelope::envelopeOf(r.lowered({}), r.inputs.tensors, numerics::Arch::sm80);
    ASSERT_TRUE(fields.ok());
    const auto taps = r.run({});
    const auto z = envelope::zScore((*fields)[*r.block.graph.find("layer0.attn.norm")],
                                    taps.find("layer0.attn.norm")->tensor);
    EXPECT_GT(z.elements, 1000);
    EXPECT_LT(z.largest, 6);
}

} // namespace
} // namespace divdet
