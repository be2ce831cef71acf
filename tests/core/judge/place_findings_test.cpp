// Findings that say where the error is: onset, border, unwritten, random-mismatch.
#include <bit>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "judged.h"

using namespace divdet;
using namespace divdet::test;

namespace {

const std::vector<DType> kFloats{DType::f64, DType::f32, DType::f16, DType::bf16};

double unitOf(DType t) {
    return std::ldexp(1.0, -fractionBits(t) - 1);
}

/// An error that no chance makes small.
double large(double noise, double scale) {
    return std::copysign(1.5 * scale + std::fabs(noise), noise);
}

struct Setting {
    DType type;
    Shape shape;
    std::size_t axis;
    std::uint32_t seed;
    double scale;
};

Setting anySetting(std::int64_t least) {
    Setting s;
    s.type = *rc::gen::elementOf(kFloats);
    const auto rank = *rc::gen::inRange<std::size_t>(2, 5);
    for (std::size_t a = 0; a < rank; ++a) s.shape.push_back(*rc::gen::inRange<std::int64_t>(2, 9));
    s.axis = *rc::gen::inRange<std::size_t>(0, rank);
    s.shape[s.axis] = *rc::gen::inRange<std::int64_t>(least, 3 * least);
    s.seed = *rc::gen::inRange(0u, 1000u);
    s.scale = *rc::gen::elementOf(std::vector<double>{0.01, 1, 100});
    return s;
}

} // namespace

RC_GTEST_PROP(Onset, TheAxisAndTheIndexAreFound, ()) {
    const Setting s = anySetting(12);
    const auto n = s.shape[s.axis];
    const auto first = *rc::gen::inRange<std::int64_t>(4, n / 2 + 2);
    const auto other = normals(count(s.shape), s.seed + 5000, s.scale);
    std::size_t k = 0;
    const auto p = changed(s.type, s.shape, s.seed, s.scale, [&](const Index& at, double x) {
        const double y = large(other[k++], s.scale);
        return at[s.axis] >= first ? x + y : jitter(at, x, unitOf(s.type));
    });
    const auto j = judged(p.reference, p.candidate);
    RC_ASSERT(j.find("onset"));
    RC_ASSERT(j.number("onset", "axis") == static_cast<double>(s.axis));
    RC_ASSERT(j.number("onset", "index") == static_cast<double>(first));
    RC_ASSERT(j.bug());
    RC_ASSERT(!j.find("rounding-noise"));
}

RC_GTEST_PROP(Onset, ErrorsEverywhereHaveNoOnset, ()) {
    const Setting s = anySetting(12);
    const auto other = normals(count(s.shape), s.seed + 5000, s.scale);
    std::size_t k = 0;
    const auto p =
        changed(s.type, s.shape, s.seed, s.scale, [&](const Index&, double x) { return x + other[k++]; });
    RC_ASSERT(!judged(p.reference, p.candidate).find("onset"));
}

TEST(Onset, ACleanFirstRowOfNoiseIsNone) {
    // Causal attention: the first row is exact, the others have rounding.
    const auto p = changed(DType::f32, {32, 16}, 1, 1,
                           [](const Index& at, double x) { return at[0] == 0 ? x : jitter(at, x, 1e-5); });
    const auto j = judged(p.reference, p.candidate);
    EXPECT_FALSE(j.find("onset")) << j.alarms();
}

RC_GTEST_PROP(Border, LastColumnsAreFound, ()) {
    const Setting s = anySetting(12);
    const auto n = s.shape[s.axis];
    const auto width = *rc::gen::inRange<std::int64_t>(1, n / 4 + 1);
    const bool atEnd = *rc::gen::arbitrary<bool>();
    const auto other = normals(count(s.shape), s.seed + 5000, s.scale);
    std::size_t k = 0;
    const auto p = changed(s.type, s.shape, s.seed, s.scale, [&](const Index& at, double x) {
        const double y = large(other[k++], s.scale);
        return (atEnd ? at[s.axis] >= n - width : at[s.axis] < width) ? x + y : x;
    });
    const auto j = judged(p.reference, p.candidate);
    RC_ASSERT(j.find("border"));
    RC_ASSERT(j.number("border", "width") == static_cast<double>(width));
    RC_ASSERT(j.bug());
}

TEST(Border, AFrameIsFoundInFloatsAndIntegers) {
    const auto inFrame = [](const Index& at) {
        return at[2] == 0 || at[2] == 11 || at[3] == 0 || at[3] == 15;
    };
    for (const DType type : {DType::f32, DType::f64, DType::i32}) {
        const Shape shape{2, 3, 12, 16};
        const auto whole = mapped(normals(count(shape), 3, 100), [](double x) { return std::nearbyint(x); });
        auto off = whole;
        for (std::size_t i = 0; i < off.size(); ++i)
            if (inFrame(unravel(static_cast<std::int64_t>(i), shape))) off[i] += 160;
        const auto j = judged(as(whole, type, shape), as(off, type, shape));
        ASSERT_TRUE(j.find("border")) << name(type);
        EXPECT_EQ(j.number("border", "width"), 1);
        EXPECT_TRUE(j.bug());
    }
}

TEST(Border, EdgesOfTilesAreFoundAndOtherStripesAreNot) {
    const auto tiles = changed(DType::f32, {64, 64}, 4, 1,
                               [](const Index& at, double x) { return at[1] % 16 == 15 ? x + 1.5 : x; });
    const auto j = judged(tiles.reference, tiles.candidate);
    ASSERT_TRUE(j.find("border"));
    EXPECT_EQ(j.number("border", "tile"), 16);
    const auto stripes = changed(DType::f32, {64, 64}, 4, 1, [](const Index& at, double x) {
        return at[1] == 7 || at[1] == 21 || at[1] == 50 ? x + 1.5 : x;
    });
    EXPECT_FALSE(judged(stripes.reference, stripes.candidate).find("border"));
}

TEST(Unwritten, PoisonThatSurvivesIsNamedWithItsPlace) {
    const auto p =
        changed(DType::f32, {4, 12}, 5, 1, [](const Index& at, double x) { return at[1] >= 8 ? kNan : x; });
    const auto j = judged(p.reference, p.candidate, declaring("", R"({"poison":"nan"})"));
    ASSERT_TRUE(j.find("unwritten"));
    EXPECT_EQ(j.number("unwritten", "count"), 16);
    EXPECT_FALSE(judged(p.reference, p.candidate).find("unwritten")); // NaN alone says nothing of memory
    const auto seven =
        changed(DType::f16, {4, 12}, 5, 1, [](const Index& at, double x) { return at[0] == 2 ? 7 : x; });
    EXPECT_TRUE(judged(seven.reference, seven.candidate, declaring("", R"({"poison":7})")).find("unwritten"));
}

TEST(Unwritten, ADebugPatternIsKnown) {
    const auto p = changed(DType::f32, {16, 16}, 6, 1, [](const Index& at, double x) {
        return at[0] == 3 ? static_cast<double>(std::bit_cast<float>(0xCDCDCDCDu)) : x;
    });
    EXPECT_TRUE(judged(p.reference, p.candidate).find("unwritten"));
}

TEST(Unwritten, WhatChangesFromRunToRunInAStripeIsMemory) {
    const auto stripe = [](std::uint32_t seed, double size) {
        const auto noise = normals(8 * 24, seed, size);
        std::size_t k = 0;
        return changed(DType::f32, {8, 24}, 7, 1,
                       [&](const Index& at, double x) {
                           const double y = noise[k++];
                           return at[1] >= 16 ? y : x;
                       })
            .candidate;
    };
    const auto r = changed(DType::f32, {8, 24}, 7, 1, [](const Index&, double x) { return x; }).reference;
    JudgeContext runs;
    runs.runs = {stripe(1, 1), stripe(2, 100)};
    EXPECT_TRUE(judged(r, stripe(3, 1), runs).find("unwritten"));
    // The run at hand may be right by luck.
    const auto lucky = judged(r, r, runs);
    EXPECT_TRUE(lucky.find("unwritten"));
    EXPECT_TRUE(lucky.bug());
}

TEST(Unwritten, OtherLastBitsInEachRunAreNot) {
    const auto noisy = [](double unit) {
        return changed(DType::f32, {8, 24}, 7, 1,
                       [=](const Index& at, double x) { return jitter(at, x, unit); });
    };
    JudgeContext runs;
    runs.runs = {noisy(1e-7).candidate, noisy(2e-7).candidate};
    const auto p = noisy(3e-7);
    const auto j = judged(p.reference, p.candidate, runs);
    EXPECT_FALSE(j.find("unwritten"));
    EXPECT_EQ(j.verdict, PairClass::drift) << j.alarms();
}

TEST(RandomMismatch, TwoDrawsOfDropoutAreUnclear) {
    for (const double p : {0.1, 0.5, 0.8}) {
        const auto x = normals(4096, 8);
        std::mt19937 engine(9);
        std::uniform_real_distribution<double> u;
        std::vector<double> r(4096), c(4096);
        for (std::size_t i = 0; i < x.size(); ++i) {
            r[i] = u(engine) < p ? 0 : x[i] / (1 - p);
            c[i] = u(engine) < p ? 0 : x[i] / (1 - p);
        }
        const auto j = judged(as(r, DType::f32, {64, 64}), as(c, DType::f32, {64, 64}));
        ASSERT_TRUE(j.find("random-mismatch")) << p;
        EXPECT_EQ(j.verdict, PairClass::unclear) << p << j.alarms();
    }
}

TEST(RandomMismatch, AFewLargeErrorsHereAndThereAreABug) {
    for (const DType type : kFloats) {
        const auto p = changed(type, {64, 64}, 10, 1, [&](const Index& at, double x) {
            const auto flat = at[0] * 64 + at[1];
            return flat % 811 == 5 ? x + 3 + static_cast<double>(at[0]) / 8 : x;
        });
        const auto j = judged(p.reference, p.candidate);
        ASSERT_TRUE(j.find("random-mismatch")) << name(type);
        EXPECT_TRUE(j.bug());
    }
}

TEST(RandomMismatch, StepsOfAGridThatFlipAreNone) {
    // A value between two steps falls on either: one step, always the same, here and there.
    const auto r = normals(4096, 11);
    auto grid = mapped(r, [](double x) { return std::nearbyint(4 * x) / 4; });
    const auto reference = as(grid, DType::f32, {64, 64});
    for (std::size_t i = 0; i < grid.size(); i += 397) grid[i] += 0.25;
    const auto j = judged(reference, as(grid, DType::f32, {64, 64}));
    EXPECT_FALSE(j.bug()) << j.alarms();
}
