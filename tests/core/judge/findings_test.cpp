#include "judge/find_causes.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "judged.h"

using namespace divdet;
using namespace divdet::test;

namespace {

const std::vector<DType> kFloats{DType::f64, DType::f32, DType::f16, DType::bf16};

} // namespace

TEST(Findings, SameBytesAreIdentical) {
    const Tensor r = as({1, -2, 0, 4}, DType::f32);
    const auto j = judged(r, as({1, -2, 0, 4}, DType::f32));
    EXPECT_TRUE(j.find("identical"));
    EXPECT_EQ(j.verdict, PairClass::identical);
}

TEST(Findings, EqualValuesWithAnotherZeroSignAreNotIdentical) {
    const auto j = judged(as({1, 0.0}, DType::f32), as({1, -0.0}, DType::f32));
    EXPECT_FALSE(j.find("identical"));
    EXPECT_EQ(j.verdict, PairClass::drift);
}

TEST(Findings, EqualValuesOfAnotherTypeAreDrift) {
    EXPECT_EQ(judged(as({1, 2}, DType::f32), as({1, 2}, DType::bf16)).verdict, PairClass::drift);
}

TEST(Findings, NanIsIntroducedWhereTheReferenceHasNone) {
    const auto j = judged(f64({1, kNan, 3, 4}), f64({1, kNan, kNan, 4}));
    ASSERT_TRUE(j.find("nan-introduced"));
    EXPECT_TRUE(j.bug());
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(j.find("nan-introduced")->evidence[1].second),
              (std::vector<std::int64_t>{2}));
    EXPECT_FALSE(judged(f64({1, kNan}), f64({1, kNan})).find("nan-introduced"));
    EXPECT_FALSE(judged(f64({1, kNan}), f64({1, 2})).find("nan-introduced"));
}

TEST(Findings, InfinityIsIntroducedUnlessItIsTheSameOne) {
    EXPECT_TRUE(judged(f64({1, 2}), f64({1, kInf})).find("inf-introduced"));
    EXPECT_TRUE(judged(f64({1, -kInf}), f64({1, kInf})).find("inf-introduced"));
    EXPECT_FALSE(judged(f64({1, kInf}), f64({1, kInf})).find("inf-introduced"));
    EXPECT_FALSE(judged(f64({1, kInf}), f64({1, 5})).find("inf-introduced"));
}

TEST(Findings, OverflowNamesTheTypeWhoseRangeWasLeft) {
    const auto j = judged(f64({1, 70000, 65504, -80000}), as({1, kInf, 65504, -kInf}, DType::f32));
    ASSERT_TRUE(j.find("overflow"));
    EXPECT_EQ(std::get<std::string>(j.find("overflow")->evidence[0].second), "f16");
    // Inside the range of f16, and lost nevertheless.
    EXPECT_FALSE(judged(f64({1, 1000}), f64({1, kInf})).find("overflow"));
    // A kept value is beyond f16, so f16 is not the explanation; f32 is not either.
    EXPECT_FALSE(judged(f64({1, 70000, 1e6}), f64({1, kInf, 1e6})).find("overflow"));
    // e4m3 has no infinity: what is beyond 448 becomes NaN.
    const auto e4m3 = judged(f64({1, 500}), as({1, 500}, DType::f8e4m3));
    ASSERT_TRUE(e4m3.find("overflow"));
    EXPECT_EQ(std::get<std::string>(e4m3.find("overflow")->evidence[0].second), "f8e4m3");
}

TEST(Findings, ConstantOutput) {
    const auto r = normals(100, 1);
    EXPECT_TRUE(judged(f64(r), f64(std::vector<double>(100, 0.25))).find("constant-output"));
    EXPECT_TRUE(judged(f64(r), f64(std::vector<double>(100, 0))).find("constant-output"));
    EXPECT_FALSE(
        judged(f64(std::vector<double>(100, 3)), f64(std::vector<double>(100, 4))).find("constant-output"));
    // A reference that varies less than the candidate's type can tell.
    const auto flat = mapped(r, [](double x) { return 1 + 1e-4 * x; });
    EXPECT_FALSE(judged(f64(flat), as(std::vector<double>(100, 1), DType::bf16)).find("constant-output"));
    // Values below the candidate's smallest normal number.
    const auto tiny = mapped(r, [](double x) { return 1e-42 * x; });
    EXPECT_FALSE(judged(f64(tiny), as(std::vector<double>(100, 0), DType::f32)).find("constant-output"));
}

TEST(Findings, SimpleFactorsAreNamed) {
    const auto r = normals(256, 2);
    const auto ratio = [&](double g) {
        const auto j = judged(f64(r, {4, 64}), f64(mapped(r, [&](double x) { return g * x; }), {4, 64}));
        const Finding* f = j.find("gain");
        return f && f->evidence.back().first == "ratio" ? std::get<std::string>(f->evidence.back().second)
                                                        : "";
    };
    EXPECT_EQ(ratio(2), "2");
    EXPECT_EQ(ratio(127.0 / 128), "127/128");
    EXPECT_EQ(ratio(1 / std::sqrt(64.0)), "1/√64");
    EXPECT_EQ(ratio(1.2345), "");
}

RC_GTEST_PROP(Findings, AFactorIsFoundAndMeasuredInEveryFloatingType, ()) {
    const auto type = *rc::gen::elementOf(kFloats);
    const double g = *rc::gen::elementOf(std::vector<double>{-1, 0.5, 0.9, 0.99, 1.02, 2, 7, 0.01});
    const double scale = *rc::gen::elementOf(std::vector<double>{0.01, 1, 30});
    const auto n = static_cast<std::size_t>(*rc::gen::inRange(32, 3000));
    const auto r = normals(n, *rc::gen::inRange(0u, 1000u), scale);
    if (type == DType::bf16 && std::fabs(g - 1) < 0.05) RC_DISCARD("near the rounding of bf16");
    const auto j = judged(as(r, type), as(mapped(r, [&](double x) { return g * x; }), type));
    RC_ASSERT(j.find("gain"));
    RC_ASSERT(!j.find("offset"));
    RC_ASSERT(!j.find("rounding-noise"));
    RC_ASSERT(j.bug());
    RC_ASSERT(std::fabs(j.number("gain", "gain") - g) < 0.002 * std::fabs(g));
}

RC_GTEST_PROP(Findings, AnAddedNumberIsFoundAndIsNotAGain, ()) {
    const auto type = *rc::gen::elementOf(kFloats);
    const double o = *rc::gen::elementOf(std::vector<double>{-3, 0.25, 1, 100});
    const double mean = *rc::gen::elementOf(std::vector<double>{0, 2});
    const auto r = mapped(normals(500, *rc::gen::inRange(0u, 1000u)), [&](double x) { return x + mean; });
    const auto j = judged(as(r, type), as(mapped(r, [&](double x) { return x + o; }), type));
    RC_ASSERT(j.find("offset"));
    RC_ASSERT(!j.find("gain"));
    RC_ASSERT(std::fabs(j.number("offset", "offset") - o) < 0.01 * std::fabs(o));
}

RC_GTEST_PROP(Findings, RoundingToANarrowerTypeIsDriftAndNothingElse, ()) {
    const auto type = *rc::gen::elementOf(std::vector<DType>{DType::f32, DType::f16, DType::bf16});
    const double mean = *rc::gen::elementOf(std::vector<double>{0, 3});
    const auto n = static_cast<std::size_t>(*rc::gen::inRange(16, 3000));
    const auto r = mapped(normals(n, *rc::gen::inRange(0u, 1000u)), [&](double x) { return x + mean; });
    const auto j = judged(f64(r), as(r, type));
    RC_ASSERT(j.verdict == PairClass::drift);
    RC_ASSERT(j.findings.size() == 1u);
    RC_ASSERT(j.find("rounding-noise"));
}

TEST(Findings, TruncationHasADirectionAndIsNotCalledNoise) {
    const auto r = normals(4000, 3);
    const auto cut = mapped(r, [](double x) {
        int e;
        const double m = std::frexp(x, &e);
        return std::ldexp(std::trunc(m * 256) / 256, e); // bf16 without rounding
    });
    // Signs differ, so the mean error stays near zero; but every value lies towards zero.
    EXPECT_TRUE(judged(f64(r), as(cut, DType::bf16)).find("one-sided"));
    const auto positive = mapped(r, [](double x) { return std::fabs(x) + 1; });
    const auto cutPositive = mapped(positive, [](double x) {
        int e;
        const double m = std::frexp(x, &e);
        return std::ldexp(std::trunc(m * 256) / 256, e);
    });
    EXPECT_FALSE(judged(f64(positive), as(cutPositive, DType::bf16)).find("rounding-noise"));
}

TEST(Findings, OneLargeWrongElementIsNoGain) {
    auto r = normals(1000, 4);
    r[17] = 1e6;
    auto c = mapped(r, [](double x) { return x * (1 + 1e-6); });
    c[17] = 2e6;
    const auto j = judged(f64(r), f64(c));
    EXPECT_FALSE(j.find("gain"));
    EXPECT_TRUE(j.find("random-mismatch"));
    EXPECT_TRUE(j.bug());
}

TEST(Findings, NoiseOfEveryKindIsNeverABug) {
    // Accumulated rounding (errors of the row's size, not the element's), int8 steps, relative noise.
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const auto r = normals(600, seed), noise = normals(600, seed + 10000);
        std::vector<double> absolute(600), relative(600), steps(600), large(600);
        for (std::size_t i = 0; i < r.size(); ++i) {
            absolute[i] = r[i] + 1e-3 * noise[i];
            relative[i] = r[i] * (1 + 1e-2 * noise[i]);
            steps[i] = std::nearbyint(r[i] * 30) / 30;
            large[i] = r[i] + 0.5 * noise[i];
        }
        for (const auto& c : {absolute, relative, steps, large})
            EXPECT_FALSE(judged(f64(r), f64(c)).bug()) << seed;
    }
}

TEST(Findings, OfAllElementsWithoutACauseTheClassIsUnclear) {
    EXPECT_EQ(judged(f64({1, 2, 3}), f64({1, 2, 9})).verdict, PairClass::unclear);
}

TEST(Findings, ACancelledLookEndsEarly) {
    const Tensor r = f64(normals(20'000, 1));
    const Summary none;
    CancelToken token;
    PairEvidence pair{r.view(), r.view(), std::nullopt, none, Progress{nullptr, token}};
    int blocks = 0;
    eachRun(pair, [&](std::int64_t, auto, auto) {
        ++blocks;
        token.cancel();
        return true;
    });
    EXPECT_EQ(blocks, 1);
}

TEST(Findings, MaskedElementsAreNotLookedAt) {
    const Tensor r = f64({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), c = f64({2, 4, 99, 8, 10, 12, 14, 16, 18, 20});
    const Tensor keep = as({1, 1, 0, 1, 1, 1, 1, 1, 1, 1}, DType::u8);
    const Summary none;
    std::vector<std::int64_t> firsts;
    std::size_t seen = 0;
    eachRun({r.view(), c.view(), keep.view(), none}, [&](std::int64_t first, auto rs, auto) {
        firsts.push_back(first);
        seen += rs.size();
        return true;
    });
    EXPECT_EQ(firsts, (std::vector<std::int64_t>{0, 3}));
    EXPECT_EQ(seen, 9u);
}
