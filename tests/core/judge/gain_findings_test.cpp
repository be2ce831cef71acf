// Findings that say what the reference was multiplied by: channel-gain, block-gain.
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

bool has(const std::vector<std::string>& list, std::string_view id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

} // namespace

RC_GTEST_PROP(ChannelGain, OneChannelWithAFactorIsNamed, ()) {
    const auto type = *rc::gen::elementOf(kFloats);
    Shape shape{*rc::gen::inRange<std::int64_t>(2, 6), *rc::gen::inRange<std::int64_t>(12, 30),
                *rc::gen::inRange<std::int64_t>(12, 30)};
    const auto axis = *rc::gen::inRange<std::size_t>(1, 3);
    const auto channel = *rc::gen::inRange<std::int64_t>(0, shape[axis]);
    const double gain = *rc::gen::elementOf(std::vector<double>{-1, 0.5, 0.7, 1.25, 2, 8});
    const double scale = *rc::gen::elementOf(std::vector<double>{0.01, 1, 100});
    const auto p = changed(type, shape, *rc::gen::inRange(0u, 1000u), scale, [&](const Index& at, double x) {
        return at[axis] == channel ? gain * x : jitter(at, x, unitOf(type));
    });
    const auto j = judged(p.reference, p.candidate);
    RC_ASSERT(j.find("channel-gain"));
    RC_ASSERT(j.number("channel-gain", "axis") == static_cast<double>(axis));
    RC_ASSERT(j.number("channel-gain", "index") == static_cast<double>(channel));
    RC_ASSERT(std::fabs(j.number("channel-gain", "gain") - gain) < 0.02 * std::fabs(gain));
    RC_ASSERT(j.bug());
    RC_ASSERT(!j.find("gain"));
    RC_ASSERT(!j.find("rounding-noise"));
}

RC_GTEST_PROP(ChannelGain, AScaleAndAZeroPointOfTheirOwnInEachChannel, ()) {
    const auto type = *rc::gen::elementOf(std::vector<DType>{DType::f64, DType::f32});
    const Shape shape{*rc::gen::inRange<std::int64_t>(10, 40), *rc::gen::inRange<std::int64_t>(6, 20)};
    const auto seed = *rc::gen::inRange(0u, 1000u);
    const auto gains = normals(20, seed + 1, 0.3), offsets = normals(20, seed + 2);
    const auto p = changed(type, shape, seed, 1, [&](const Index& at, double x) {
        const auto ch = static_cast<std::size_t>(at[1]);
        return std::exp(gains[ch]) * x + offsets[ch];
    });
    const auto j = judged(p.reference, p.candidate);
    RC_ASSERT(j.find("channel-gain"));
    RC_ASSERT(j.number("channel-gain", "axis") == 1);
    RC_ASSERT(!j.find("onset"));
    RC_ASSERT(j.bug());
}

TEST(ChannelGain, AScaleAlongTheWrongAxisIsAFactorOfRowAndColumn) {
    const auto scales = normals(24, 1, 0.5);
    const auto p = changed(DType::f32, {24, 24}, 2, 1, [&](const Index& at, double x) {
        return x *
               std::exp(scales[static_cast<std::size_t>(at[0])] - scales[static_cast<std::size_t>(at[1])]);
    });
    const auto j = judged(p.reference, p.candidate);
    ASSERT_TRUE(j.find("channel-gain"));
    EXPECT_TRUE(j.bug());
    EXPECT_TRUE(has(j.cautions, "separable-gain"));
    EXPECT_FALSE(j.find("gain"));
}

TEST(ChannelGain, RoundingAnOperandOfAShortProductIsNone) {
    // One term per result: tf32 weights move a whole column by the same small factor.
    const auto a = normals(64, 1), b = normals(48, 2);
    std::vector<double> r, c;
    for (const double x : a)
        for (const double w : b) {
            r.push_back(x * w);
            c.push_back(x * roundedTo(w, 11));
        }
    const auto j = judged(as(r, DType::f32, {64, 48}), as(c, DType::f32, {64, 48}), declaring("tf32"));
    EXPECT_FALSE(j.bug()) << j.alarms();
}

RC_GTEST_PROP(BlockGain, GroupsWithScalesOfTheirOwn, ()) {
    const auto type = *rc::gen::elementOf(std::vector<DType>{DType::f64, DType::f32});
    const auto block = *rc::gen::elementOf(std::vector<std::int64_t>{16, 32, 64});
    const Shape shape{*rc::gen::inRange<std::int64_t>(4, 20), 4 * block};
    const auto seed = *rc::gen::inRange(0u, 1000u);
    const auto gains = normals(200, seed + 1, 0.4);
    const auto p = changed(type, shape, seed, 1, [&](const Index& at, double x) {
        return x * std::exp(gains[static_cast<std::size_t>(at[0] * 4 + at[1] / block)]);
    });
    const auto j = judged(p.reference, p.candidate);
    RC_ASSERT(j.find("block-gain"));
    RC_ASSERT(j.number("block-gain", "block") == static_cast<double>(block));
    RC_ASSERT(j.bug());
}

TEST(BlockGain, OneBlockOfManyWithTwiceItsScale) {
    const auto p = changed(DType::f32, {32, 256}, 3, 1, [](const Index& at, double x) {
        return at[0] == 7 && at[1] / 32 == 5 ? 2 * x : x;
    });
    const auto j = judged(p.reference, p.candidate);
    ASSERT_TRUE(j.find("block-gain")) << j.alarms();
    EXPECT_EQ(j.number("block-gain", "block"), 32);
    EXPECT_EQ(j.number("block-gain", "row"), 7);
    EXPECT_EQ(j.number("block-gain", "column"), 160);
    EXPECT_NEAR(j.number("block-gain", "gain"), 2, 1e-6);
}
