// Each rule on generated taps that have its cause, and on honest ones that have not.
#include <cmath>

#include <gtest/gtest.h>

#include "make_tensor.h"
#include "taps_support.h"

using namespace divdet;
using namespace divdet::test;

namespace {

const Shape kShape{32, 64};
constexpr std::size_t kCount = 32 * 64;

std::vector<double> values(std::uint32_t seed, double mean = 0) {
    auto out = normals(kCount, seed);
    for (double& x : out) x += mean;
    return out;
}

/// The values with an error of this size relative to theirs.
std::vector<double> off(const std::vector<double>& v, double relative, std::uint32_t seed) {
    double square = 0;
    for (const double x : v) square += x * x;
    auto out = v;
    const auto e =
        normals(v.size(), seed + 1000, relative * std::sqrt(square / static_cast<double>(v.size())));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += e[i];
    return out;
}

/// `n` taps of equal values, then nothing: what a prefix is made of.
TapList same(int n, DType dtype = DType::f32) {
    TapList out;
    for (int i = 0; i < n; ++i) {
        const auto v = values(static_cast<std::uint32_t>(i));
        out.add("t" + std::string(static_cast<std::size_t>(i + 1), 'x'), kShape, v, v, dtype);
    }
    return out;
}

} // namespace

TEST(TapRules, AfterAnEqualPrefixOnlyFreshRoundingIsHonest) {
    const auto v = values(50);
    const auto honest = same(2).add("y", kShape, v, off(v, 4 * 0x1p-24, 1)).judged();
    EXPECT_EQ(overallClass(honest), PairClass::drift);
    const auto wrong = same(2).add("y", kShape, v, off(v, 1e-4, 1)).judged("tf32", "tf32");
    EXPECT_TRUE(hasFinding(pairNamed(wrong, "y"), "prefix"));
    EXPECT_EQ(firstBad(wrong), "y");
    EXPECT_EQ(overallClass(wrong), PairClass::bug);
}

TEST(TapRules, ThePrefixRuleNeedsAPrefixAndEqualSteps) {
    const auto v = values(50), w = off(v, 1e-4, 1);
    EXPECT_FALSE(hasFinding(pairNamed(TapList().add("y", kShape, v, w).add("z", kShape, v, w).judged(), "y"),
                            "prefix"))
        << "the first tap has nothing before it";
    EXPECT_FALSE(hasFinding(pairNamed(same(2).add("y", kShape, v, w).judged("tf32"), "y"), "prefix"))
        << "one side takes a step that the other does not";
}

TEST(TapRules, AStepThatAnEarlierLayerShowsOnBothSidesExcusesNothing) {
    TapList taps;
    for (const char* name : {"layers.0.up", "layers.0.act"}) taps.add(name, kShape, values(1), values(1));
    const auto v = values(2);
    const auto j = taps.add("layers.1.up", kShape, v, off(v, 1e-3, 3)).judged("int8");
    EXPECT_TRUE(hasFinding(pairNamed(j, "layers.1.up"), "prefix"));
}

TEST(TapRules, UndeclaredItIsUnclearIfOneStepExplainsIt) {
    const auto v = values(50);
    const auto j = same(2).add("y", kShape, v, off(v, 2e-4, 1)).judged();
    EXPECT_EQ(overallClass(j), PairClass::unclear);
    EXPECT_EQ(firstBad(j), "y");
    const auto tooLarge = same(2).add("y", kShape, v, off(v, 0.4, 1)).judged();
    EXPECT_EQ(overallClass(tooLarge), PairClass::bug) << "no step makes that";
}

TEST(TapRules, UndeclaredItIsABugIfItsRoleIsCleanBefore) {
    const auto v = values(50);
    TapList taps;
    taps.add("layers.0.down", kShape, values(1), off(values(1), 1e-7, 2));
    const auto j = taps.add("layers.1.down", kShape, v, off(v, 2e-4, 1)).judged();
    EXPECT_EQ(overallClass(j), PairClass::bug);
}

TEST(TapRules, AJumpIsMoreThanDtypeStepsAndEarlierTapsExplain) {
    const auto v = values(50);
    const auto chain = [&](double before, double here, std::string_view declare) {
        const auto u = values(49);
        return TapList()
            .add("x", kShape, u, off(u, before, 5))
            .add("y", kShape, v, off(v, here, 6))
            .judged(declare);
    };
    EXPECT_TRUE(hasFinding(pairNamed(chain(1e-6, 0.2, "int8"), "y"), "jump"));
    EXPECT_FALSE(hasFinding(pairNamed(chain(1e-6, 0.05, "int8"), "y"), "jump")) << "8-bit steps";
    EXPECT_FALSE(hasFinding(pairNamed(chain(0.1, 0.5, "tf32"), "y"), "jump")) << "inherited";
    EXPECT_EQ(overallClass(chain(1e-7, 1e-6, "")), PairClass::drift) << "a long fp32 sum";
}

TEST(TapRules, AnOperatorThatTakesALargeMeanAwayMayAmplify) {
    // x has a mean of 100 times its spread and an error of its rounding; y is what is left without the mean.
    const auto x = values(60, 100);
    const auto xOff = off(x, 3e-6, 7);
    auto y = x, yOff = xOff;
    for (auto* v : {&y, &yOff})
        for (double& e : *v) e -= 100;
    EXPECT_EQ(overallClass(TapList().add("x", kShape, x, xOff).add("y", kShape, y, yOff).judged()),
              PairClass::drift);
    const auto z = values(61);
    EXPECT_EQ(overallClass(TapList().add("x", kShape, z, off(z, 3e-6, 7)).add("y", kShape, y, yOff).judged()),
              PairClass::unclear)
        << "without the mean the same error is a jump (of a size that an undeclared step explains)";
}

TEST(TapRules, ADifferenceOfTwoTapsIsJudgedByItself) {
    // y = a − b cancels nearly everything: its error is large, and all inherited.
    const auto a = values(70);
    auto b = a;
    const auto d = normals(kCount, 71, 1e-3);
    for (std::size_t i = 0; i < kCount; ++i) b[i] -= d[i];
    const auto aOff = off(a, 1e-4, 8), bOff = off(b, 1e-4, 9);
    std::vector<double> y(kCount), yOff(kCount);
    const auto f32 = [](double x) { return static_cast<double>(static_cast<float>(x)); };
    for (std::size_t i = 0; i < kCount; ++i)
        y[i] = f32(a[i]) - f32(b[i]), yOff[i] = f32(aOff[i]) - f32(bOff[i]);
    const auto taps = [&](const std::vector<double>& last) {
        return TapList()
            .add("a", kShape, a, aOff)
            .add("b", kShape, b, bOff)
            .add("y", kShape, y, last)
            .judged("tf32");
    };
    EXPECT_EQ(overallClass(taps(yOff)), PairClass::drift);
    auto wrong = yOff;
    for (double& x : wrong) x += 0.1;
    EXPECT_TRUE(hasFinding(pairNamed(taps(wrong), "y"), "sum"));
    EXPECT_EQ(firstBad(taps(wrong)), "y");
}

TEST(TapRules, ALayerWhoseRoleAddsMoreThanTheOthersIsAnOutlier) {
    const auto chain = [](double guilty) {
        TapList taps;
        double e = 0.005;
        for (int l = 0; l < 6; ++l) {
            const auto at = "layers." + std::to_string(l);
            const auto u = static_cast<std::uint32_t>(100 + 10 * l);
            taps.add(at + ".act", kShape, values(u), off(values(u), e, u), DType::bf16);
            const double out = std::hypot(e * 1.05, l == 3 ? guilty : 0.002);
            taps.add(at + ".down", kShape, values(u + 1), off(values(u + 1), out, u + 1), DType::bf16);
            e += 0.001;
        }
        return taps.judged();
    };
    EXPECT_EQ(overallClass(chain(0.002)), PairClass::drift);
    const auto wrong = chain(0.03);
    EXPECT_EQ(firstBad(wrong), "layers.3.down");
    EXPECT_EQ(idsOf(pairNamed(wrong, "layers.3.down"), FindingClass::bug),
              std::vector<std::string>{"layer-outlier"});
}

TEST(TapRules, AShiftedMaskIsNamedByItsDiagonal) {
    std::vector<double> r(4 * 16 * 16), c;
    const auto noise = normals(r.size(), 18);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = i % 16 <= i / 16 % 16 ? 1 + 0.1 * noise[i] : 0;
    c = off(r, 0.01, 19);
    for (std::size_t i = 0; i < r.size(); ++i)
        if (i % 16 > i / 16 % 16) c[i] = i % 16 == i / 16 % 16 + 1 ? 0.5 : 0;
    auto honest = c;
    for (std::size_t i = 0; i < r.size(); ++i)
        if (r[i] == 0) honest[i] = 1e-9;
    const Shape shape{4, 16, 16};
    TapList start;
    start.add("x", kShape, values(1), off(values(1), 0.01, 2));
    const auto j = TapList(start).add("probs", shape, r, c).judged("int8");
    ASSERT_TRUE(hasFinding(pairNamed(j, "probs"), "support"));
    EXPECT_EQ(firstBad(j), "probs");
    EXPECT_FALSE(hasFinding(pairNamed(TapList(start).add("probs", shape, r, honest).judged("int8"), "probs"),
                            "support"));
}

TEST(TapRules, AReluMapOfEqualSidesIsNoMask) {
    // 16 × 16 pixels of 8 channels: zeros everywhere, but on no whole diagonal.
    auto r = normals(8 * 16 * 16, 20), c = off(r, 0.05, 21);
    for (auto* v : {&r, &c})
        for (double& x : *v) x = std::max(x, 0.0);
    TapList start;
    start.add("x", kShape, values(1), off(values(1), 0.05, 2));
    EXPECT_EQ(overallClass(start.add("relu", {8, 16, 16}, r, c).judged("int8")), PairClass::drift);
}

TEST(TapRules, AHandfulOfLevelsIsAScaleForOtherValues) {
    const auto v = values(80);
    auto c = v, honest = v;
    for (double& x : c) x = std::nearbyint(x);
    for (double& x : honest) x = std::nearbyint(x * 32) / 32;
    TapList start;
    start.add("x", kShape, values(1), off(values(1), 0.02, 2));
    EXPECT_TRUE(hasFinding(pairNamed(TapList(start).add("y", kShape, v, c).judged("int8"), "y"), "levels"));
    EXPECT_FALSE(
        hasFinding(pairNamed(TapList(start).add("y", kShape, v, honest).judged("int8"), "y"), "levels"));
    EXPECT_FALSE(
        hasFinding(pairNamed(TapList(start).add("y", kShape, v, c).judged("int4-weights"), "y"), "levels"));
}

TEST(TapRules, OneChannelByAFactorIsABugAndACoarseOneIsUnclear) {
    const auto v = values(90);
    const auto noisy = off(v, 0.01, 22);
    auto gain = noisy, coarse = noisy, clipped = noisy;
    const auto e = normals(32, 23, 0.3);
    for (std::size_t t = 0; t < 32; ++t) {
        gain[t * 64 + 9] = 1.5 * v[t * 64 + 9];
        coarse[t * 64 + 9] += e[t];
        clipped[t * 64 + 9] = std::clamp(v[t * 64 + 9], -0.4, 0.4);
    }
    TapList start;
    start.add("x", kShape, values(1), off(values(1), 0.01, 2));
    const auto judged = [&](const std::vector<double>& c) {
        return TapList(start).add("y", kShape, v, c).judged("int8");
    };
    EXPECT_TRUE(hasFinding(pairNamed(judged(gain), "y"), "channel-gain"));
    EXPECT_EQ(overallClass(judged(gain)), PairClass::bug);
    EXPECT_TRUE(hasFinding(pairNamed(judged(clipped), "y"), "clipped"));
    EXPECT_EQ(overallClass(judged(coarse)), PairClass::unclear);
    EXPECT_EQ(overallClass(judged(noisy)), PairClass::drift);
}

TEST(TapRules, AChannelOffByAFewUlpsIsNothing) {
    const auto v = values(91);
    auto c = off(v, 1e-8, 24); // most elements round back to themselves
    for (std::size_t t = 0; t < 32; ++t) c[t * 64 + 9] *= 1 + 0x1p-22;
    TapList start;
    start.add("x", kShape, values(1), off(values(1), 1e-7, 2));
    EXPECT_EQ(overallClass(start.add("y", kShape, v, c).judged()), PairClass::drift);
}

TEST(TapRules, ALostSignalIsUnclearWhateverTheCause) {
    TapList taps;
    double e = 0.1;
    for (const char* name : {"a", "b", "c", "d"}) {
        taps.add(name, kShape, values(1), off(values(1), e, 2));
        e *= 1.8;
    }
    const auto j = taps.judged("int4-weights");
    EXPECT_EQ(overallClass(j), PairClass::unclear);
    EXPECT_EQ(firstBad(j), "d");
    EXPECT_TRUE(hasFinding(pairNamed(j, "d"), "lost"));
}

TEST(TapRules, AnErrorThatDoublesInEachLayerIsUnclear) {
    const auto chain = [](double factor) {
        TapList taps;
        double e = 1e-3;
        for (int l = 0; l < 8; ++l) {
            const auto u = static_cast<std::uint32_t>(l);
            taps.add("layers." + std::to_string(l) + ".out", kShape, values(u), off(values(u), e, u + 50));
            e *= factor;
        }
        return taps.judged("tf32");
    };
    EXPECT_EQ(overallClass(chain(1.2)), PairClass::drift);
    EXPECT_TRUE(overallClass(chain(2.3)) == PairClass::unclear);
    EXPECT_FALSE(firstBad(chain(2.3)).empty());
}

TEST(TapRules, WhatComesAfterAnErrorInheritsIt) {
    const auto v = values(50);
    TapList taps = same(1);
    taps.add("guilty", kShape, v, off(v, 0.5, 1));
    taps.add("mixed", kShape, values(51), off(values(51), 0.4, 2));
    taps.add("apart", kShape, values(52), values(52));
    const auto j = taps.judged("int8");
    EXPECT_EQ(pairNamed(j, "guilty").pairClass, PairClass::bug);
    EXPECT_EQ(pairNamed(j, "mixed").pairClass, PairClass::inherited);
    EXPECT_EQ(pairNamed(j, "apart").pairClass, PairClass::identical);
    EXPECT_EQ(firstBad(j), "guilty");
}

TEST(TapRules, StatisticsOfAnInheritedErrorAreNoFindings) {
    const auto v = values(50), w = values(51);
    auto c = off(w, 0.05, 3);
    for (std::size_t t = 0; t < 32; ++t) c[t * 64 + 9] = 1.9 * w[t * 64 + 9];
    const auto alone = same(1).add("x", kShape, v, off(v, 0.01, 1)).add("y", kShape, w, c).judged("int8");
    EXPECT_TRUE(hasFinding(pairNamed(alone, "y"), "channel-gain"));
    const auto after = same(1).add("x", kShape, v, off(v, 0.5, 1)).add("y", kShape, w, c).judged("int8");
    EXPECT_EQ(firstBad(after), "x");
    EXPECT_FALSE(hasFinding(pairNamed(after, "y"), "channel-gain"));
    EXPECT_EQ(pairNamed(after, "y").pairClass, PairClass::inherited);
}

TEST(TapRules, AGradientIsJudgedAfterThoseOfDeeperLayers) {
    // Listed by rising layer, as parameters are; the fault is in layer 1, which ran before layer 0.
    TapList taps;
    taps.add("loss.x", kShape, values(1), off(values(1), 1e-4, 2));
    taps.add("layers.0.w.grad", kShape, values(2), off(values(2), 0.3, 3));
    taps.add("layers.1.w.grad", kShape, values(3), off(values(3), 0.3, 4));
    taps.add("layers.2.w.grad", kShape, values(4), off(values(4), 1e-4, 5));
    EXPECT_EQ(firstBad(taps.judged("tf32")), "layers.1.w.grad");
}

TEST(TapRules, AJudgedPairThatInheritsIsAsBadAsItsSource) {
    Comparison j = same(1)
                       .add("guilty", kShape, values(5), off(values(5), 0.5, 1))
                       .add("y", kShape, values(6), off(values(6), 0.4, 2))
                       .judged("int8");
    for (auto& p : j.pairs) p.judged = p.name == "y";
    EXPECT_EQ(overallClass(j), PairClass::bug);
}

TEST(TapRules, AScaleThatOnlyCameAlongIsNoBug) {
    // A norm's 1/σ is a number for the whole tensor: off by less than what came before, all is scaled.
    const auto v = values(95);
    auto c = v;
    for (double& x : c) x *= 1.00031;
    TapList start;
    start.add("x", kShape, values(1), off(values(1), 0.01, 2));
    EXPECT_EQ(overallClass(TapList(start).add("y", kShape, v, c).judged("int8")), PairClass::drift);
    for (double& x : c) x *= 1.3;
    EXPECT_EQ(overallClass(TapList(start).add("y", kShape, v, c).judged("int8")), PairClass::bug);
}

TEST(TapRules, OfWhatIsKnownToInheritNothingIsSaid) {
    TapList taps = same(1).add("y", kShape, values(5), off(values(5), 0.5, 1));
    taps.add("z", kShape, values(6), off(values(6), 1e-7, 2));
    Comparison j = taps.pairs();
    j.pairs[1].pairClass = PairClass::inherited; // its inputs differ
    j.pairs[1].findings.clear();
    judgeTogether(j, {}, {});
    EXPECT_EQ(j.pairs[1].pairClass, PairClass::inherited);
    EXPECT_TRUE(j.pairs[1].findings.empty());
    EXPECT_FALSE(j.firstBad);
}

TEST(TapRules, ACancelledLookEntersNothing) {
    Comparison j = same(1).add("y", kShape, values(5), off(values(5), 0.5, 1)).pairs();
    const Progress stopped;
    stopped.token.cancel();
    judgeTogether(j, {}, stopped);
    EXPECT_FALSE(j.firstBad);
    EXPECT_TRUE(idsOf(j.pairs[1], FindingClass::bug).empty());
}

TEST(TapRules, OneTapAloneIsLeftToItself) {
    const auto v = values(96);
    const Comparison j = TapList().add("y", kShape, v, off(v, 0.9, 1)).judged();
    EXPECT_FALSE(j.firstBad);
    EXPECT_TRUE(j.pairs[0].findings.empty());
}
