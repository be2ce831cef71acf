// How far runs of one tap lie apart, to the bit.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include <gtest/gtest.h>

#include "determinism/tap_spread.h"

namespace divdet {
namespace {

Tensor floats(std::vector<float> v) {
    const auto n = static_cast<std::int64_t>(v.size());
    return tensorOf<float>(DType::f32, {n}, v);
}

TapSpread spread(std::vector<Tensor> runs) {
    const auto s = spreadOf(runs);
    EXPECT_TRUE(s.ok());
    return *s;
}

TEST(TapSpread, SameBitsAreOneResult) {
    const auto s = spread({floats({1, 2, 3}), floats({1, 2, 3}), floats({1, 2, 3})});
    EXPECT_TRUE(s.bitEqual());
    EXPECT_EQ(s.elements, 3);
    EXPECT_EQ(s.variants, 1);
    EXPECT_EQ(s.firstVarying, -1);
    EXPECT_EQ(s.maxUlp, 0);
}

TEST(TapSpread, IsOverAllRunsNotOnlyAgainstTheFirst) {
    const float up = std::nextafter(2.0f, 3.0f), down = std::nextafter(2.0f, 1.0f);
    const auto s = spread({floats({1, 2, 3}), floats({1, up, 3}), floats({1, down, 3}), floats({1, up, 3})});
    EXPECT_EQ(s.varying, 1);
    EXPECT_EQ(s.firstVarying, 1);
    EXPECT_EQ(s.variants, 3);
    EXPECT_EQ(s.maxUlp, 2);
    EXPECT_EQ(s.maxAbs.value, static_cast<double>(up) - down);
    EXPECT_EQ(s.maxAbs.index, 1);
}

TEST(TapSpread, SeesBitsThatNumbersDoNotShow) {
    const auto zero = spread({floats({0.0f}), floats({-0.0f})});
    EXPECT_EQ(zero.varying, 1);
    EXPECT_EQ(zero.maxAbs.value, 0);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto same = spread({floats({nan}), floats({nan})});
    EXPECT_TRUE(same.bitEqual());
    const auto other = spread({floats({nan}), floats({std::bit_cast<float>(0x7fc00001u)})});
    EXPECT_EQ(other.varying, 1);
    EXPECT_EQ(other.nonFinite, 1);
    const auto lost = spread({floats({1, 5}), floats({1, nan})});
    EXPECT_EQ(lost.nonFinite, 1);
    EXPECT_EQ(lost.maxAbs.index, -1);
}

TEST(TapSpread, CrossesBlocks) {
    std::vector<float> a(10'000, 1.0f), b = a;
    b[4095] = 2, b[4096] = 3, b[9999] = 1.5f;
    const auto s = spread({floats(a), floats(b)});
    EXPECT_EQ(s.varying, 3);
    EXPECT_EQ(s.firstVarying, 4095);
    EXPECT_EQ(s.maxAbs.value, 2);
    EXPECT_EQ(s.maxAbs.index, 4096);
}

TEST(TapSpread, ReadsStridedRuns) {
    const Tensor wide = floats({1, 9, 2, 9, 3, 9});
    TensorView every = wide.view();
    every.shape = {3};
    every.strides = {8};
    const auto s = spread({Tensor(every, std::make_shared<Tensor>(wide)), floats({1, 2, 4})});
    EXPECT_EQ(s.varying, 1);
    EXPECT_EQ(s.firstVarying, 2);
}

TEST(TapSpread, ComplexAndEmptyTensorsHaveNoUlps) {
    using C = std::complex<float>;
    TensorBuilder a(DType::c64, {2}), b(DType::c64, {2});
    a.as<C>()[0] = {1, 2}, b.as<C>()[0] = {1, 2.5f};
    const auto s = spread({std::move(a).finish(), std::move(b).finish()});
    EXPECT_EQ(s.varying, 1);
    EXPECT_EQ(s.maxAbs.value, 0.5);
    EXPECT_FALSE(s.maxUlp);
    EXPECT_TRUE(spread({floats({}), floats({})}).bitEqual());
}

TEST(TapSpread, OtherShapesOrTypesAreAnError) {
    const std::vector<Tensor> shapes{floats({1}), floats({1, 2})};
    ASSERT_FALSE(spreadOf(shapes).ok());
    EXPECT_EQ(spreadOf(shapes).error().code, ErrorCode::mismatch);
    const std::vector<double> one{1};
    const std::vector<Tensor> types{floats({1}), tensorOf<double>(DType::f64, {1}, one)};
    EXPECT_FALSE(spreadOf(types).ok());
}

} // namespace
} // namespace divdet
