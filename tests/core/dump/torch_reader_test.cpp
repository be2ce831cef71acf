#include <algorithm>
#include <complex>

#include "torch_file.h"

#include "dump/torch_values.h"
#include "dump/torch_window.h"

namespace divdet::testing {
namespace {

const std::string kSix = pt::floats({1, 2, 3, 4, 5, 6});

std::string six(std::int64_t offset, const std::vector<std::int64_t>& shape,
                const std::vector<std::int64_t>& strides, const std::vector<std::string>& more = {}) {
    return pt::tensor(pt::storage("FloatStorage", "0", 6), offset, shape, strides, more);
}

TEST(TorchReader, NestedNamesViewsAndTiedTensors) {
    const auto dump = pt::open(
        pt::dict({{"a", six(0, {2, 3}, {3, 1})},
                  {"b", "](" + six(0, {3, 2}, {1, 3}) + pt::dict({{"c", six(0, {2, 3}, {3, 1})}}) + "e"},
                  {"scalar", six(5, {}, {})},
                  {"note", pt::text("hello")}}),
        {kSix});
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    ASSERT_EQ((*dump)->taps().size(), 4u);
    EXPECT_EQ((*dump)->taps()[1].name, "b.0");
    EXPECT_EQ((*dump)->taps()[2].name, "b.1.c");
    EXPECT_EQ(pt::values(**dump, 1), (std::vector<double>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(pt::values(**dump, 3), (std::vector<double>{6}));
    EXPECT_FALSE((*dump)->taps()[1].sameAs) << "the same storage, another window";
    EXPECT_EQ((*dump)->taps()[2].sameAs, 0u);
    EXPECT_EQ((*dump)->manifest().metadata.at(0).second, "hello");
}

TEST(TorchReader, LoneTensorsAndStorages) {
    const auto tensor = pt::open(six(0, {6}, {1}), {kSix});
    ASSERT_TRUE(tensor.ok());
    EXPECT_EQ((*tensor)->taps().at(0).name, "made");
    const auto storage = pt::open(pt::storage("UntypedStorage", "0", 24), {kSix});
    ASSERT_TRUE(storage.ok());
    EXPECT_EQ((*storage)->taps().at(0).dtype, DType::u8);
    EXPECT_EQ((*storage)->taps().at(0).shape, Shape{24});
}

TEST(TorchReader, AFileWithoutTensorsSaysSo) {
    const auto dump = pt::open(pt::dict({{"loss", "K\1"}}), {});
    ASSERT_FALSE(dump.ok());
    EXPECT_EQ(dump.error().code, ErrorCode::unsupported);
    EXPECT_NE(dump.error().message.find("without tensors"), std::string::npos);
}

TEST(TorchReader, OneBrokenTensorLeavesTheRest) {
    const std::string far = pt::tensor(pt::storage("FloatStorage", "9", 6), 0, {6}, {1});
    const std::string large = pt::tensor(pt::storage("FloatStorage", "1", 6), 0, {6}, {1});
    const auto dump = pt::open(pt::dict({{"absent", far},
                                         {"short", large},
                                         {"past", six(1, {6}, {1})},
                                         {"wrap", six(0, {3}, {INT64_MAX})},
                                         {"huge", six(0, {INT64_MAX, 4}, {0, 0})},
                                         {"repeated", six(0, {std::int64_t{1} << 40}, {0})},
                                         {"good", six(0, {6}, {1})}}),
                               {kSix, "1234"});
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    for (std::size_t i = 0; i < 6; ++i) {
        ASSERT_TRUE((*dump)->taps()[i].error) << i;
        EXPECT_FALSE((*dump)->taps()[i].error->path.empty());
        EXPECT_FALSE((*dump)->load(i).ok());
    }
    EXPECT_EQ((*dump)->taps()[5].error->code, ErrorCode::refused);
    EXPECT_EQ(pt::values(**dump, 6).size(), 6u);
}

TEST(TorchReader, EmptyAndSizeOneDimensions) {
    const auto dump = pt::open(pt::dict({{"empty", six(99, {3, 0, 2}, {7, 9, 1})},
                                         {"ones", six(2, {1, 4, 1}, {INT64_MAX, 1, INT64_MAX})}}),
                               {kSix});
    ASSERT_TRUE(dump.ok());
    ASSERT_TRUE((*dump)->load(0).ok());
    EXPECT_EQ((*dump)->load(0)->elements(), 0);
    EXPECT_EQ(pt::values(**dump, 1), (std::vector<double>{3, 4, 5, 6}));
}

TEST(TorchReader, FlagsChangeTheSigns) {
    const auto flags = [](const char* name) { return "}" + pt::text(name) + "\x88s"; };
    const std::string z = pt::storage("ComplexFloatStorage", "0", 3);
    const auto dump = pt::open(pt::dict({{"conj", pt::tensor(z, 0, {3}, {1}, {flags("conj")})},
                                         {"neg", six(0, {2, 3}, {1, 2}, {flags("neg")})},
                                         {"other", six(0, {6}, {1}, {flags("zero")})}}),
                               {kSix});
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    const auto conj = (*dump)->load(0);
    ASSERT_TRUE(conj.ok());
    std::vector<std::complex<double>> values(3);
    loadAsComplex(conj->view(), 0, values);
    EXPECT_EQ(values, (std::vector<std::complex<double>>{{1, -2}, {3, -4}, {5, -6}}));
    EXPECT_EQ(pt::values(**dump, 1), (std::vector<double>{-1, -3, -5, -2, -4, -6}));
    EXPECT_EQ((*dump)->taps()[2].error->code, ErrorCode::unsupported) << "it may change the values";
    const auto both = withSigns(*conj, true, true);
    loadAsComplex(both.view(), 0, values);
    EXPECT_EQ(values[0], (std::complex<double>{-1, -2})); // conj and neg: the real part
}

TEST(TorchReader, ParametersAndSubclasses) {
    const std::string hooks = pt::call("collections", "OrderedDict", {});
    const std::string inner = pt::tuple({pt::storage("FloatStorage", "0", 6), pt::integer(0),
                                         pt::numbers({6}), pt::numbers({1}), "\x89", hooks});
    const auto typed = [&](const std::string& module, const std::string& name) {
        return pt::call(
            "torch._tensor", "_rebuild_from_type_v2",
            {pt::global("torch._utils", "_rebuild_tensor_v2"), pt::global(module, name), inner, "}"});
    };
    const auto dump = pt::open(
        pt::dict({{"p", pt::call("torch._utils", "_rebuild_parameter", {six(0, {6}, {1}), "\x88", hooks})},
                  {"s", pt::call("torch._utils", "_rebuild_parameter_with_state",
                                 {six(0, {6}, {1}), "\x88", hooks, "}"})},
                  {"t", typed("torch", "Tensor")},
                  {"x", typed("torch", "Size")},
                  {"n", pt::call("torch._utils", "_rebuild_parameter", {"K\1", "\x88", hooks})},
                  {"q", pt::call("torch._utils", "_rebuild_tensor_v2", {"K\1"})},
                  {"m", pt::call("torch._utils", "_rebuild_meta_tensor_no_storage", {})}}),
        {kSix});
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(pt::values(**dump, i).size(), 6u) << i;
    for (std::size_t i = 3; i < 7; ++i) EXPECT_TRUE((*dump)->taps()[i].error.has_value()) << i;
}

TEST(TorchReader, SharedContainersAndCyclesAreBounded) {
    std::string bomb = "]q\1K\1a"; // each list holds the one before ten times
    for (char level = 2; level < 14; ++level) {
        bomb += std::string("](");
        for (int i = 0; i < 10; ++i) bomb += std::string("h") + static_cast<char>(level - 1);
        bomb += std::string("eq") + level;
    }
    const std::string keep = "](" + bomb + "e";
    const auto exponential = pt::open(keep, {});
    ASSERT_FALSE(exponential.ok());
    EXPECT_EQ(exponential.error().code, ErrorCode::refused);
    const auto cyclic = pt::open(std::string("]q\1h\1a"), {});
    ASSERT_FALSE(cyclic.ok());
    EXPECT_EQ(cyclic.error().code, ErrorCode::refused);
}

TEST(TorchReader, HostileNamesAreText) {
    const std::string nul("a\0b", 3), huge(1'000'000, 'n');
    const auto dump = pt::open(pt::dict({{"../../etc/passwd", six(0, {6}, {1})},
                                         {nul, six(0, {6}, {1})},
                                         {"\xff\xfe", six(0, {6}, {1})},
                                         {huge, six(0, {6}, {1})},
                                         {"twice", six(0, {6}, {1})},
                                         {"twice", six(1, {5}, {1})}}),
                               {kSix});
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    EXPECT_EQ((*dump)->taps()[0].name, "../../etc/passwd");
    EXPECT_EQ((*dump)->taps()[1].name, nul);
    EXPECT_EQ((*dump)->taps()[3].name.size(), huge.size());
    EXPECT_EQ((*dump)->taps()[5].name, "twice #2");
    EXPECT_EQ((*dump)->manifest().cautions.at(0).id, "duplicate-member");
}

TEST(TorchReader, ChecksumsAreVerifiedWhereWritten) {
    auto bytes = pt::file(six(0, {6}, {1}), {kSix});
    const auto at = std::search(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(kSix.data()),
                                reinterpret_cast<const std::byte*>(kSix.data()) + kSix.size());
    ASSERT_NE(at, bytes.end());
    *at ^= std::byte{1};
    const auto damaged = openBytes("made.pt", bytes);
    ASSERT_TRUE(damaged.ok());
    EXPECT_FALSE((*damaged)->load(0).ok());
    const auto without = openBytes("made.pt", pt::file(six(0, {6}, {1}), {kSix}, false));
    ASSERT_TRUE(without.ok());
    EXPECT_TRUE((*without)->load(0).ok());
}

TEST(TorchReader, ByteOrderAndFolderNames) {
    const std::string body = pt::pickle(six(0, {6}, {1}));
    std::string swapped = kSix;
    for (std::size_t i = 0; i < swapped.size(); i += 4)
        std::reverse(swapped.begin() + static_cast<std::ptrdiff_t>(i),
                     swapped.begin() + static_cast<std::ptrdiff_t>(i) + 4);
    const auto big =
        openBytes("x.pt", pt::zip({{"data.pkl", body}, {"byteorder", "big"}, {"data/0", swapped}}));
    ASSERT_TRUE(big.ok()) << big.error().text();
    EXPECT_EQ(pt::values(**big, 0), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_FALSE(
        openBytes("x.pt", pt::zip({{"data.pkl", body}, {"byteorder", "odd"}, {"data/0", kSix}})).ok());
}

} // namespace
} // namespace divdet::testing
