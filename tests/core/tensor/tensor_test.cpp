#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "make_tensor.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

TEST(Shape, CountsAndRefusesOverflow) {
    EXPECT_EQ(elementCount(Shape{}), 1);
    EXPECT_EQ(elementCount(Shape{3, 0, 5}), 0);
    EXPECT_EQ(elementCount(Shape{1LL << 32, 1LL << 32}), std::nullopt);
    EXPECT_EQ(elementCount(Shape{0, 1LL << 32, 1LL << 32}), std::nullopt);
    EXPECT_EQ(elementCount(Shape{-1}), std::nullopt);
}

TEST(Shape, UnravelsInRowOrder) {
    EXPECT_EQ(unravel(0, Shape{2, 3, 4}), (Index{0, 0, 0}));
    EXPECT_EQ(unravel(23, Shape{2, 3, 4}), (Index{1, 2, 3}));
    EXPECT_EQ(unravel(0, Shape{}), Index{});
}

TEST(DType, ReadsTheNamesOfOthers) {
    EXPECT_EQ(parseDType("torch.bfloat16"), DType::bf16);
    EXPECT_EQ(parseDType("F8_E4M3"), DType::f8e4m3);
    EXPECT_EQ(parseDType("float16"), DType::f16);
    EXPECT_EQ(parseDType("BOOL"), DType::boolean);
    EXPECT_EQ(parseDType("float24"), std::nullopt);
    for (int i = 0; i < kDTypeCount; ++i)
        EXPECT_EQ(parseDType(name(static_cast<DType>(i))), static_cast<DType>(i));
}

TEST(DType, CoarserIsTheOneWithFewerBits) {
    EXPECT_EQ(coarser(DType::f32, DType::bf16), DType::bf16);
    EXPECT_EQ(coarser(DType::f16, DType::bf16), DType::bf16);
    EXPECT_EQ(coarser(DType::f64, DType::f32), DType::f32);
}

TEST(Convert, RoundsOnceToNearestEven) {
    // 1 + 2^-8 + 2^-30 is above the bf16 tie at 1 + 2^-8; rounding through f32 first would lose the 2^-30.
    const Tensor t = *converted(test::f64({1 + 0x1p-8, 1 + 0x1p-8 + 0x1p-30, 1 + 3 * 0x1p-8}), DType::bf16);
    EXPECT_EQ(elementAt(t.view(), 0), 1.0);
    EXPECT_EQ(elementAt(t.view(), 1), 1 + 0x1p-7);
    EXPECT_EQ(elementAt(t.view(), 2), 1 + 0x1p-6);
}

TEST(Convert, RefusesIntegersThatDoNotFit) {
    EXPECT_EQ(converted(test::f64({1, 300}), DType::u8).error().code, ErrorCode::mismatch);
    EXPECT_EQ(converted(test::f64({test::kNan}), DType::i32).error().code, ErrorCode::mismatch);
    EXPECT_TRUE(converted(test::f64({255}), DType::u8).ok());
}

TEST(Convert, LoadsUnalignedData) {
    std::vector<std::byte> bytes(1 + 3 * sizeof(double));
    const double x[] = {1.5, -2.25, 1e300};
    std::memcpy(bytes.data() + 1, x, sizeof x);
    const TensorView v{DType::f64, {3}, {8}, bytes.data() + 1, false};
    double out[3];
    loadAsDouble(v, 0, out);
    EXPECT_EQ(out[2], 1e300);
}

TEST(Convert, WideIntegersKeepEveryBit) {
    const std::vector<std::int64_t> x{INT64_MIN, -1, INT64_MAX};
    const Tensor t = tensorOf<std::int64_t>(DType::i64, {3}, x);
    WideInt out[3];
    loadAsWideInt(t.view(), 0, out);
    EXPECT_TRUE(out[0].negative);
    EXPECT_EQ(out[0].magnitude, std::uint64_t{1} << 63);
    EXPECT_EQ(out[2].magnitude, static_cast<std::uint64_t>(INT64_MAX));
}

TEST(Tensor, MisalignedBytesAreNoArray) {
    auto bytes = std::make_shared<std::vector<std::byte>>(1 + 3 * sizeof(float));
    const float x[] = {1.5f, -2.25f, 3};
    std::memcpy(bytes->data() + 1, x, sizeof x);
    const Tensor t(TensorView{DType::f32, {3}, {4}, bytes->data() + 1, false}, bytes);
    EXPECT_TRUE(t.as<float>().empty());
    ASSERT_EQ(compacted(t).as<float>().size(), 3u);
    EXPECT_EQ(compacted(t).as<float>()[1], -2.25f);
}

TEST(Tensor, CompactedReordersAndSwaps) {
    const std::vector<float> x{1, 2, 3, 4, 5, 6};
    const Tensor t = test::f32(x);
    const Tensor fortran(TensorView{DType::f32, {2, 3}, {4, 8}, t.view().data, false}, nullptr);
    const Tensor c = compacted(fortran);
    ASSERT_TRUE(c.view().contiguous());
    EXPECT_EQ(c.as<float>()[1], 3);
    EXPECT_EQ(c.as<float>()[3], 2);
}

/// Floats take a short way to bf16: the same bits as the long one, over every exponent, ties and NaNs.
TEST(Convert, FloatsBecomeTheSameBf16AsDoublesDo) {
    std::vector<float> floats;
    std::vector<double> doubles;
    for (std::uint32_t high = 0; high < 0x10000; high += 7)
        for (const std::uint32_t low : {0x0000u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu, 0x1234u})
            floats.push_back(std::bit_cast<float>(high << 16 | low));
    doubles.assign(floats.begin(), floats.end());
    const Shape shape{static_cast<std::int64_t>(floats.size())};
    const auto a =
        converted(tensorOf<float>(DType::f32, shape, std::span(std::as_const(floats))), DType::bf16);
    const auto b =
        converted(tensorOf<double>(DType::f64, shape, std::span(std::as_const(doubles))), DType::bf16);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(std::memcmp(a->view().data, b->view().data, 2 * floats.size()), 0);
}

} // namespace
} // namespace divdet
