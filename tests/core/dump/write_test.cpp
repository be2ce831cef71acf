#include "dump/write.h"

#include <cstring>

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "dump_test_support.h"
#include "tensor/convert.h"

namespace divdet::testing {
namespace {

const std::vector<DType> kAll = {DType::f64,    DType::f32, DType::f16, DType::bf16, DType::f8e4m3,
                                 DType::f8e5m2, DType::i8,  DType::i16, DType::i32,  DType::i64,
                                 DType::u8,     DType::u16, DType::u32, DType::u64,  DType::boolean,
                                 DType::c64,    DType::c128};

/// Any bits in any small shape: files keep bits, not values.
Tensor anyTensor(DType dtype) {
    const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
    const auto shape = *rc::gen::container<Shape>(rank, rc::gen::inRange<std::int64_t>(0, 5));
    TensorBuilder b(dtype, shape);
    for (std::byte& byte : b.bytes())
        byte = static_cast<std::byte>(*rc::gen::inRange(0, dtype == DType::boolean ? 2 : 256));
    return std::move(b).finish();
}

bool sameBits(const Tensor& a, const Tensor& b) {
    const Tensor x = compacted(a), y = compacted(b);
    const auto size = static_cast<std::size_t>(x.elements()) * itemSize(x.dtype());
    return x.dtype() == y.dtype() && x.shape() == y.shape() &&
           (size == 0 || std::memcmp(x.view().data, y.view().data, size) == 0);
}

RC_GTEST_PROP(Write, NpyRoundTrip, ()) {
    const ScratchFolder folder;
    const auto dtype = *rc::gen::elementOf(kAll);
    const Tensor t = anyTensor(dtype);
    RC_ASSERT(writeNpy(folder / "t.npy", t).ok());
    const auto dump = openDump(folder / "t.npy");
    RC_ASSERT(dump.ok());
    const auto back = (*dump)->load(0, {.opaqueAs = dtype, .field = ""});
    RC_ASSERT(back.ok());
    RC_ASSERT(sameBits(t, *back));
}

std::vector<NamedTensor> anyTensors(bool safetensors) {
    std::vector<NamedTensor> out;
    const auto count = *rc::gen::inRange<std::size_t>(0, 5);
    for (std::size_t i = 0; i < count; ++i) {
        auto dtype = *rc::gen::elementOf(kAll);
        if (safetensors && dtype == DType::c128) dtype = DType::c64;
        out.push_back({"layer/" + std::to_string((i * 7) % 5) + ".größe", anyTensor(dtype)});
    }
    return out;
}

void checkBack(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors) {
    const auto dump = openDump(path);
    RC_ASSERT(dump.ok());
    RC_ASSERT((*dump)->taps().size() == tensors.size());
    RC_ASSERT((*dump)->manifest().cautions.empty());
    for (std::size_t i = 0; i < tensors.size(); ++i) { // the order is kept
        RC_ASSERT((*dump)->taps()[i].name == tensors[i].name);
        LoadOptions options;
        if ((*dump)->taps()[i].dtype == DType::opaque) options.opaqueAs = tensors[i].tensor.dtype();
        const auto back = (*dump)->load(i, options);
        RC_ASSERT(back.ok());
        RC_ASSERT(sameBits(tensors[i].tensor, *back));
    }
}

RC_GTEST_PROP(Write, NpzRoundTrip, ()) {
    const ScratchFolder folder;
    const auto tensors = anyTensors(false);
    RC_ASSERT(writeNpz(folder / "t.npz", tensors).ok());
    checkBack(folder / "t.npz", tensors);
}

RC_GTEST_PROP(Write, SafetensorsRoundTrip, ()) {
    const ScratchFolder folder;
    const auto tensors = anyTensors(true);
    RC_ASSERT(writeSafetensors(folder / "t.safetensors", tensors).ok());
    checkBack(folder / "t.safetensors", tensors);
}

TEST(Write, EqualInputEqualBytes) {
    const ScratchFolder folder;
    const std::vector<double> values = {1, 2, 3};
    const std::vector<NamedTensor> tensors = {{"a", tensorOf<double>(DType::f64, {3}, values)}};
    ASSERT_TRUE(writeNpz(folder / "1.npz", tensors).ok());
    ASSERT_TRUE(writeNpz(folder / "2.npz", tensors).ok());
    EXPECT_EQ(readAll(folder / "1.npz"), readAll(folder / "2.npz"));
}

TEST(Write, LeavesNothingBehindOnFailure) {
    const ScratchFolder folder;
    const std::vector<NamedTensor> twice = {{"a", Tensor{}}, {"a", Tensor{}}};
    EXPECT_EQ(writeNpz(folder / "t.npz", twice).error().code, ErrorCode::usage);
    const std::vector<NamedTensor> c128 = {
        {"a", tensorOf<double>(DType::c128, {1}, std::vector<double>{1, 2})}};
    EXPECT_EQ(writeSafetensors(folder / "t.safetensors", c128).error().code, ErrorCode::unsupported);
    EXPECT_EQ(writeNpy(folder / "absent/t.npy", Tensor{}).error().code, ErrorCode::io);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Write, ReplacesAtOnce) {
    const ScratchFolder folder;
    const std::vector<float> one = {1.f}, two = {2.f};
    ASSERT_TRUE(writeNpy(folder / "t.npy", tensorOf<float>(DType::f32, {1}, one)).ok());
    const auto old = openDump(folder / "t.npy");
    ASSERT_TRUE(writeNpy(folder / "t.npy", tensorOf<float>(DType::f32, {1}, two)).ok());
    EXPECT_EQ((*old)->load(0)->as<float>()[0], 1.f);
    EXPECT_EQ((*openDump(folder / "t.npy"))->load(0)->as<float>()[0], 2.f);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

} // namespace
} // namespace divdet::testing
